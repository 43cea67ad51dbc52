(* SPDX-License-Identifier: Apache-2.0 *)
(* From the check of a netlist of an unfolded core to the theorem about its products. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter Rest Core Exists.
From Modmul Require Import Unfolded UnfoldedProduct.
Import ListNotations.
Local Open Scope nat_scope.

Section UnfoldedCore.
  Variables (net : netlist) (sh : shape) (un : N) (co : unfolded_core) (ok : valuation -> Prop).
  Hypothesis CHECKED : differences net (unfolded sh un co) = Some [].
  Hypothesis L : unfolded_legal sh un co.
  Hypothesis EXACT : stage_exact sh un co ok.
  (* What is known of the operands is not about named wires. *)
  Hypothesis OK : forall v, ok v -> ok (extended net v).

  Lemma unique_wires : NoDup (machine_wires (unfolded sh un co)).
  Proof.
    cbn [unfolded machine_wires]. apply unique_append; try apply unique_vector.
    intros v A B. apply signal_of_vector in A, B. congruence.
  Qed.

  Lemma wires_are_names : forall u, In u (machine_wires (unfolded sh un co)) -> is_name (fst u) = true.
  Proof.
    cbn [unfolded machine_wires]. intros u I. apply in_app_or in I.
    destruct I as [I|I]; apply signal_of_vector in I; rewrite I; reflexivity.
  Qed.

  Lemma registers_are_no_names : forall u, In u (machine_registers (unfolded sh un co)) ->
    is_name (fst u) = false.
  Proof.
    cbn [unfolded machine_registers]. intros u I.
    repeat (apply in_app_or in I; destruct I as [I|I];
            [apply signal_of_vector in I; rewrite I; reflexivity|]).
    apply signal_of_vector in I. rewrite I. reflexivity.
  Qed.

  Lemma unique_unfolded : NoDup (machine_registers (unfolded sh un co)).
  Proof.
    cbn [unfolded machine_registers].
    repeat (apply unique_append;
      [apply unique_vector| |
       intros v A B; apply signal_of_vector in A;
       repeat (apply in_app_or in B; destruct B as [B|B];
               [apply signal_of_vector in B; congruence|]);
       apply signal_of_vector in B; congruence]).
    apply unique_vector.
  Qed.

  Lemma holds : forall v, names_hold net v (extended net v).
  Proof. exact (extended_holds net _ CHECKED unique_wires wires_are_names). Qed.

  Theorem unfolded_runs : forall start inputs, exists e, run_of net e /\
    (forall v d b, In (v, d, b) (registers net) -> e O v = start v) /\
    (forall t v, (forall d b, ~ In (v, d, b) (registers net)) -> e t v = inputs t v).
  Proof. intros. exact (machine_runs net _ start inputs CHECKED unique_unfolded). Qed.

  Variable e : nat -> valuation.
  Hypothesis RUN : run_of net e.
  Let E : nat -> valuation := fun t => extended net (e t).

  Lemma R : machine_run (unfolded sh un co) E.
  Proof.
    intros t v I. unfold E at 1. rewrite (extended_same net) by (apply registers_are_no_names; exact I).
    destruct (registers_settle net _ CHECKED _ _ (holds (e t)) v I) as [d [J S]].
    rewrite (RUN t v d false J). exact S.
  Qed.

  Lemma W : forall t u, In u (machine_wires (unfolded sh un co)) ->
    E t u = eval (E t) (unfolded_wire co u).
  Proof. intros t u I. exact (wires_agree net _ CHECKED _ _ (holds (e t)) u I). Qed.

  Lemma unfolded_shown : forall v o, In o (machine_outputs (unfolded sh un co)) ->
    shows net v o (eval (extended net v) (unfolded_output sh un co o)).
  Proof.
    intros v o I. destruct (outputs_settle net _ CHECKED _ _ (holds v) o I) as [wire [A B]].
    exists wire. split; assumption.
  Qed.

  Ltac member := cbn [unfolded machine_outputs]; repeat rewrite in_app_iff.

  Lemma shown_done : forall t, shows net (e t) (Done, 0%N) (eval (E t) finished).
  Proof. intro t. apply (unfolded_shown _ (Done, 0%N)). member. do 3 right; left. left. reflexivity. Qed.
  Lemma shown_busy : forall t, shows net (e t) (Busy, 0%N) (E t (State, 0%N) || E t (State, 1%N)).
  Proof. intro t. apply (unfolded_shown _ (Busy, 0%N)). member. do 2 right; left. left. reflexivity. Qed.
  Lemma shown_next : forall t, shows net (e t) (Next, 0%N) (eval (E t) iterate).
  Proof. intro t. apply (unfolded_shown _ (Next, 0%N)). member. do 4 right; left. left. reflexivity. Qed.

  Let size : nat := N.to_nat (pair_bits co).
  Let shown_bits : nat := N.to_nat (width sh + guard sh).

  Lemma shown_pair : forall t out s,
    (out, s) = (OutS, RegS) \/ (out, s) = (OutC, RegC) ->
    shows_number net (e t) out shown_bits (number (E t) s size).
  Proof.
    intros t out s C. exists (fun i => eval (E t) (shown_bit co s i)). split.
    - intros i I. unfold at_.
      destruct C as [C|C]; injection C as -> ->;
        [apply (unfolded_shown _ (OutS, _))|apply (unfolded_shown _ (OutC, _))]; member.
      + left. apply in_vector. exact I.
      + right; left. apply in_vector. exact I.
    - pose proof (pair_shown _ _ _ L) as P.
      replace shown_bits with (size + (shown_bits - size)) by (unfold size, shown_bits; lia).
      induction (shown_bits - size) as [|g IH].
      + rewrite Nat.add_0_r. apply value_same. intros i I. unfold at_, shown_bit.
        destruct (N.ltb_spec (N.of_nat i) (pair_bits co)); [reflexivity|unfold size in I; lia].
      + rewrite Nat.add_succ_r. cbn [value]. rewrite IH. unfold at_, shown_bit.
        destruct (N.ltb_spec (N.of_nat (size + g)) (pair_bits co)); [unfold size in *; lia|].
        cbn [eval Z.b2z]. lia.
  Qed.

  Theorem unfolded_after_reset : after_reset net (e 0) -> unfolded_idle co (e 0).
  Proof.
    intro H. assert (I : unfolded_idle co (E 0)).
    { apply (unfolded_idle_after_reset sh un co E). intros v I. unfold E.
      rewrite extended_same by (apply registers_are_no_names; exact I).
      exact (resets_agree net _ CHECKED _ H v I). }
    destruct I as [A B C]. split; assumption.
  Qed.

  Theorem unfolded_stays : forall t,
    unfolded_idle co (e t) -> e t (Start, 0%N) = false -> unfolded_idle co (e (S t)).
  Proof.
    intros t [A B C] D.
    destruct (unfolded_idle_stays sh un co E R t) as [A' B' C'];
      [split; assumption|exact D|split; assumption].
  Qed.

  (* Done does not depend on the operands. *)
  Theorem unfolded_done_cycles : forall t0, unfolded_idle co (e t0) -> e t0 (Start, 0%N) = true ->
    forall i, i <= N.to_nat (rounds sh un) + 1 ->
    shows net (e (t0 + i)) (Done, 0%N) (i =? N.to_nat (rounds sh un) + 1).
  Proof.
    intros t0 [[A0 A1] _ _] ST. set (r := N.to_nat (rounds sh un)).
    pose proof (Counter.runs_always (counted sh un) E (two_rounds _ _ _ L)
      (counter_of_unfolded sh un co E R) t0 (conj A0 A1) ST) as RUNS.
    pose proof (Counter.ends (counted sh un) E (two_rounds _ _ _ L)
      (counter_of_unfolded sh un co E R) t0 (conj A0 A1) ST) as [E0 E1].
    cbn [counted width] in RUNS, E0, E1. fold r in RUNS, E0, E1. intros i I.
    pose proof (shown_done (t0 + i)) as H. unfold finished, st in H. cbn [eval] in H.
    destruct i as [|k].
    - replace (0 =? r + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
      rewrite Nat.add_0_r in *. change (E t0 (State, 1%N)) with (e t0 (State, 1%N)) in H.
      rewrite A1 in H. exact H.
    - rewrite Nat.add_succ_r in *. destruct (Nat.eq_dec k r) as [->|].
      + replace (S r =? r + 1) with true by (symmetry; apply Nat.eqb_eq; lia).
        rewrite E0, E1 in H. exact H.
      + replace (S k =? r + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
        destruct (RUNS k) as [[B0 B1] _ _]; [lia|]. rewrite B0, B1 in H. exact H.
  Qed.

  Theorem unfolded_product : forall t0 xv yv mv, unfolded_job sh un co ok e t0 xv yv mv ->
    product net sh (unfolded_idle co) (N.to_nat (rounds sh un) + 1) (N.to_nat (rounds sh un)) size
      e t0 xv yv mv.
  Proof.
    intros t0 xv yv mv J. set (r := N.to_nat (rounds sh un)).
    assert (JE : unfolded_job sh un co ok E t0 xv yv mv).
    { destruct J as [[A B C] D X0 Y0 M0 O0 K0]. split; try assumption.
      - split; assumption.
      - intros i I. apply OK. exact (K0 i I). }
    pose proof (starting0 sh un co E ok t0 xv yv mv JE) as [A0 A1].
    pose proof (finishes sh un co E L R ok t0 xv yv mv JE) as [E0 E1]. fold r in E0, E1.
    pose proof (iterates_now sh un co E L R ok t0 xv yv mv JE) as IT. fold r in IT.
    assert (RUNS : forall i, i < r -> is_running (E (S (t0 + i)))).
    { intros i I. apply (Counter.runs_always (counted sh un) E (two_rounds _ _ _ L)
        (counter_of_unfolded sh un co E R) t0 (conj A0 A1)
        (start0 sh un co E ok t0 xv yv mv JE) i). exact I. }
    assert (CASES : forall i, i <= r + 1 -> i = 0 \/ (exists k, i = S k /\ k < r) \/ i = S r).
    { intros [|i] I; [left; reflexivity|right]. destruct (Nat.eq_dec i r) as [->|];
        [right; reflexivity|left; exists i; lia]. }
    split; fold r.
    - intros i I. destruct (CASES i I) as [->|[[k [-> K]]| ->]].
      + replace (0 =? r + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
        rewrite Nat.add_0_r. pose proof (shown_done t0) as H.
        unfold finished, st in H. cbn [eval] in H. rewrite A0, A1 in H. exact H.
      + replace (S k =? r + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
        rewrite Nat.add_succ_r. destruct (RUNS k K) as [B0 B1].
        pose proof (shown_done (S (t0 + k))) as H.
        unfold finished, st in H. cbn [eval] in H. rewrite B0, B1 in H. exact H.
      + replace (S r =? r + 1) with true by (symmetry; apply Nat.eqb_eq; lia).
        rewrite Nat.add_succ_r. pose proof (shown_done (S (t0 + r))) as H.
        unfold finished, st in H. cbn [eval] in H. rewrite E0, E1 in H. exact H.
    - intros i I. destruct (CASES i I) as [->|[[k [-> K]]| ->]].
      + rewrite Nat.add_0_r. pose proof (shown_busy t0) as H. rewrite A0, A1 in H. exact H.
      + rewrite Nat.add_succ_r. destruct (RUNS k K) as [B0 B1].
        pose proof (shown_busy (S (t0 + k))) as H. rewrite B0, B1 in H. exact H.
      + rewrite Nat.add_succ_r. pose proof (shown_busy (S (t0 + r))) as H.
        rewrite E0, E1 in H. exact H.
    - intros i I. destruct (Nat.eq_dec i (S r)) as [->|NE].
      + replace (S r <? r + 1) with false by (symmetry; apply Nat.ltb_ge; lia).
        rewrite Nat.add_succ_r. pose proof (shown_next (S (t0 + r))) as H.
        unfold iterate, starts, starting, running, st in H. cbn [eval] in H.
        rewrite E0, E1 in H. exact H.
      + replace (i <? r + 1) with true by (symmetry; apply Nat.ltb_lt; lia).
        pose proof (shown_next (t0 + i)) as H. rewrite (proj1 (IT i ltac:(lia))) in H. exact H.
    - replace (t0 + (r + 1)) with (S (t0 + r)) by lia.
      destruct (product_reached sh un co E L R W ok EXACT t0 xv yv mv JE) as [q [Q [EQ B]]].
      fold r in EQ, B. fold size in EQ, B.
      rewrite (ujob_x _ _ _ _ _ _ _ _ _ JE) in EQ.
      replace (Z.of_N (width sh)) with (Z.of_nat (N.to_nat (width sh))) by apply N_nat_Z.
      exists (number (E (S (t0 + r))) RegS size), (number (E (S (t0 + r))) RegC size), q.
      split; [apply shown_pair; left; reflexivity|].
      split; [apply shown_pair; right; reflexivity|].
      split; [exact Q|]. split; [exact EQ|]. split; [split; [|exact B]|].
      + unfold number. pose proof (value_bounds size (fun i => E (S (t0 + r)) (RegS, i))).
        pose proof (value_bounds size (fun i => E (S (t0 + r)) (RegC, i))). lia.
      + intros k U ST. cbv zeta.
        replace (t0 + (r + 2) + k) with (S (S (t0 + r)) + k) by lia.
        destruct (words_leave sh un co E R (t0 + r) E0 E1 U k) as [_ V].
        { intros i I. replace (S (S (t0 + r)) + i) with (t0 + (r + 2) + i) by lia. apply ST. exact I. }
        fold size in V. replace (Z.of_N (word sh)) with (Z.of_nat (N.to_nat (word sh))) by apply N_nat_Z.
        change (unloads e (S (t0 + r)) k) with (unloads E (S (t0 + r)) k).
        rewrite <- (V RegS), <- (V RegC) by auto. split; apply shown_pair; auto.
    - intros k U ST ENOUGH.
      replace (t0 + (r + 1)) with (S (t0 + r)) in ENOUGH by lia.
      replace (t0 + (r + 2) + k) with (S (S (t0 + r)) + k) by lia.
      destruct (words_leave sh un co E R (t0 + r) E0 E1 U k) as [STA V].
      { intros i I. replace (S (S (t0 + r)) + i) with (t0 + (r + 2) + i) by lia. apply ST. exact I. }
      fold size in V.
      assert (ZERO : forall s, s = RegS \/ s = RegC -> number (E (S (S (t0 + r)) + k)) s size = 0%Z).
      { intros s C. rewrite V by exact C. apply Z.div_small. unfold number.
        pose proof (value_bounds size (fun i => E (S (t0 + r)) (s, i))). split; [lia|].
        apply Z.lt_le_trans with (2 ^ Z.of_nat size)%Z; [lia|]. apply Z.pow_le_mono_r; [lia|].
        change (unloads E (S (t0 + r)) k) with (unloads e (S (t0 + r)) k). lia. }
      destruct (idle_of_numbers sh un co E (S (S (t0 + r)) + k) STA (ZERO RegS (or_introl eq_refl))
        (ZERO RegC (or_intror eq_refl))) as [A B C].
      split; assumption.
  Qed.
End UnfoldedCore.
