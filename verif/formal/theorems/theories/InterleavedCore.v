(* SPDX-License-Identifier: Apache-2.0 *)
(* From the check of a netlist of the interleaved core to the theorem about its products. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter Rest Core Exists.
From Modmul Require Import Interleaved.
Import ListNotations.
Local Open Scope nat_scope.

(* A product that starts in cycle t0: bits of X are taken in the first n cycles, done comes in cycle
   n + 1, and S + C is X*Y modulo M. *)
Record interleaved_product (net : netlist) (sh : shape) (e : nat -> valuation) (t0 : nat)
    (x_value y_value m_value : Z) : Prop := {
  interleaved_done : forall i, i <= N.to_nat (width sh) + 1 ->
    shows net (e (t0 + i)) (Done, 0%N) (i =? N.to_nat (width sh) + 1);
  interleaved_busy : forall i, i <= N.to_nat (width sh) + 1 ->
    shows net (e (t0 + i)) (Busy, 0%N) (negb (i =? 0));
  interleaved_takes : forall i, i <= N.to_nat (width sh) + 1 ->
    shows net (e (t0 + i)) (Next, 0%N) (i <? N.to_nat (width sh));
  interleaved_result : exists s c : Z,
    shows_number net (e (t0 + (N.to_nat (width sh) + 1))) OutS (N.to_nat (width sh + guard sh)) s /\
    shows_number net (e (t0 + (N.to_nat (width sh) + 1))) OutC (N.to_nat (width sh + guard sh)) c /\
    ((s + c) mod m_value = (x_value * y_value) mod m_value)%Z /\
    (0 <= s + c < 5 * 2 ^ Z.of_N (width sh))%Z /\
    (* S and C leave by words: after as many unloads they are so many words down. *)
    forall k,
      e (t0 + N.to_nat (width sh)) (Unload, 0%N) = false ->
      (forall i, i < k -> e (t0 + (N.to_nat (width sh) + 2) + i) (Start, 0%N) = false) ->
      let down :=
        (2 ^ (Z.of_N (word sh) * Z.of_nat (unloads e (t0 + (N.to_nat (width sh) + 1)) k)))%Z in
      shows_number net (e (t0 + (N.to_nat (width sh) + 2) + k)) OutS
        (N.to_nat (width sh + guard sh)) (s / down) /\
      shows_number net (e (t0 + (N.to_nat (width sh) + 2) + k)) OutC
        (N.to_nat (width sh + guard sh)) (c / down);
  interleaved_back : forall k,
    e (t0 + N.to_nat (width sh)) (Unload, 0%N) = false ->
    (forall i, i < k -> e (t0 + (N.to_nat (width sh) + 2) + i) (Start, 0%N) = false) ->
    N.to_nat (width sh + 2) <= N.to_nat (word sh) * unloads e (t0 + (N.to_nat (width sh) + 1)) k ->
    interleaved_idle sh (e (t0 + (N.to_nat (width sh) + 2) + k))
}.

Section InterleavedCore.
  Variables (net : netlist) (sh : shape).
  Hypothesis CHECKED : differences net (interleaved sh) = Some [].
  Hypothesis L : interleaved_legal sh.
  Let n : nat := N.to_nat (width sh).
  Let b : nat := N.to_nat (width sh + 2).
  Let shown_bits : nat := N.to_nat (width sh + guard sh).

  Lemma wires_are_entries : forall u, In u (machine_wires (interleaved sh)) -> is_name (fst u) = true.
  Proof. intros u I. apply signal_of_vector in I. rewrite I. reflexivity. Qed.

  Lemma registers_are_no_names : forall u, In u (machine_registers (interleaved sh)) ->
    is_name (fst u) = false.
  Proof.
    cbn [interleaved machine_registers]. intros u I.
    repeat (apply in_app_or in I; destruct I as [I|I];
            [apply signal_of_vector in I; rewrite I; reflexivity|]).
    apply signal_of_vector in I. rewrite I. reflexivity.
  Qed.

  Lemma unique_interleaved : NoDup (machine_registers (interleaved sh)).
  Proof.
    cbn [interleaved machine_registers].
    repeat (apply unique_append;
      [apply unique_vector| |
       intros v A B; apply signal_of_vector in A;
       repeat (apply in_app_or in B; destruct B as [B|B];
               [apply signal_of_vector in B; congruence|]);
       apply signal_of_vector in B; congruence]).
    apply unique_vector.
  Qed.

  Lemma holds : forall v, names_hold net v (extended net v).
  Proof.
    exact (extended_holds net _ CHECKED (unique_vector Entry (width sh)) wires_are_entries).
  Qed.

  Theorem interleaved_runs : forall start inputs, exists e, run_of net e /\
    (forall v d b, In (v, d, b) (registers net) -> e O v = start v) /\
    (forall t v, (forall d b, ~ In (v, d, b) (registers net)) -> e t v = inputs t v).
  Proof. intros. exact (machine_runs net _ start inputs CHECKED unique_interleaved). Qed.

  Variable e : nat -> valuation.
  Hypothesis RUN : run_of net e.
  Let E : nat -> valuation := fun t => extended net (e t).

  Lemma R : machine_run (interleaved sh) E.
  Proof.
    intros t v I. unfold E at 1. rewrite (extended_same net) by (apply registers_are_no_names; exact I).
    destruct (registers_settle net _ CHECKED _ _ (holds (e t)) v I) as [d [J S]].
    rewrite (RUN t v d false J). exact S.
  Qed.

  Lemma W : forall t u, In u (machine_wires (interleaved sh)) ->
    E t u = eval (E t) (machine_wire (interleaved sh) u).
  Proof. intros t u I. exact (wires_agree net _ CHECKED _ _ (holds (e t)) u I). Qed.

  Lemma interleaved_shown : forall v o, In o (machine_outputs (interleaved sh)) ->
    shows net v o (eval (extended net v) (interleaved_output sh o)).
  Proof.
    intros v o I. destruct (outputs_settle net _ CHECKED _ _ (holds v) o I) as [wire [A B]].
    exists wire. split; assumption.
  Qed.

  Ltac member := cbn [interleaved machine_outputs]; repeat rewrite in_app_iff.

  Lemma shown_done : forall t, shows net (e t) (Done, 0%N) (eval (E t) finished).
  Proof. intro t. apply (interleaved_shown _ (Done, 0%N)). member. do 3 right; left. left. reflexivity. Qed.
  Lemma shown_busy : forall t, shows net (e t) (Busy, 0%N) (E t (State, 0%N) || E t (State, 1%N)).
  Proof. intro t. apply (interleaved_shown _ (Busy, 0%N)). member. do 2 right; left. left. reflexivity. Qed.
  Lemma shown_next : forall t, shows net (e t) (Next, 0%N) (eval (E t) next).
  Proof. intro t. apply (interleaved_shown _ (Next, 0%N)). member. do 4 right; left. left. reflexivity. Qed.

  Lemma shown_pair : forall t out s,
    (out, s) = (OutS, RegS) \/ (out, s) = (OutC, RegC) ->
    shows_number net (e t) out shown_bits (number (E t) s b).
  Proof.
    intros t out s C. exists (fun i => eval (E t) (pair_bit sh s i)). split.
    - intros i I. unfold at_.
      destruct C as [C|C]; injection C as -> ->;
        [apply (interleaved_shown _ (OutS, _))|apply (interleaved_shown _ (OutC, _))]; member.
      + left. apply in_vector. exact I.
      + right; left. apply in_vector. exact I.
    - pose proof (guard_two _ L) as P.
      replace shown_bits with (b + (shown_bits - b)) by (unfold b, shown_bits; lia).
      induction (shown_bits - b) as [|g IH].
      + rewrite Nat.add_0_r. apply value_same. intros i I. unfold at_, pair_bit.
        destruct (N.ltb_spec (N.of_nat i) (width sh + 2)); [reflexivity|unfold b in I; lia].
      + rewrite Nat.add_succ_r. cbn [value]. rewrite IH. unfold at_, pair_bit.
        destruct (N.ltb_spec (N.of_nat (b + g)) (width sh + 2)); [unfold b in *; lia|].
        cbn [eval Z.b2z]. lia.
  Qed.

  Lemma idle_extended : forall t, interleaved_idle sh (e t) <-> interleaved_idle sh (E t).
  Proof.
    intro t. unfold E. split; intros [[A B] Z0 [NI NP]]; (split; [split|intros s C i I|split; [|intros s C i I]]);
      first [exact A|exact B|exact NI|
             specialize (Z0 s C i I); destruct C as [->| ->]; exact Z0|
             specialize (NP s C i I); destruct C as [->|[->|[->| ->]]]; exact NP].
  Qed.

  Theorem interleaved_after_reset : after_reset net (e 0) -> interleaved_idle sh (e 0).
  Proof.
    intro H. apply idle_extended. apply (interleaved_idle_after_reset sh E L). intros v I. unfold E.
    rewrite extended_same by (apply registers_are_no_names; exact I).
    exact (resets_agree net _ CHECKED _ H v I).
  Qed.

  Theorem interleaved_stays : forall t,
    interleaved_idle sh (e t) -> e t (Start, 0%N) = false -> interleaved_idle sh (e (S t)).
  Proof.
    intros t I C. apply idle_extended. apply idle_extended in I.
    exact (interleaved_idle_stays sh E L R W t I C).
  Qed.

  Theorem interleaved_core : forall t0 xv yv mv, interleaved_job sh e t0 xv yv mv ->
    interleaved_product net sh e t0 xv yv mv.
  Proof.
    intros t0 xv yv mv J.
    assert (JE : interleaved_job sh E t0 xv yv mv).
    { destruct J as [I ST X0 Y0 M0 T0].
      split; try assumption; [apply idle_extended; exact I|].
      intros i H. destruct (T0 i H). split; assumption. }
    pose proof (iidle_starting _ _ (ijob_idle _ _ _ _ _ _ JE)) as [A0 A1].
    pose proof (ijob_start _ _ _ _ _ _ JE) as ST.
    pose proof (ends_running sh E L R t0 xv yv mv JE) as [E0 E1]. fold n in E0, E1.
    pose proof (Counter.runs_always sh E (width_two _ L) (counter_of_interleaved sh E R) t0
      (conj A0 A1) ST) as RUNS. fold n in RUNS.
    destruct (none_after sh E L R t0 xv yv mv JE) as [_ [NA2 [ST2 [NX1 _]]]].
    fold n in NA2, ST2, NX1.
    assert (CASES : forall i, i <= n + 1 -> i = 0 \/ (exists k, i = S k /\ k < n) \/ i = S n).
    { intros [|i] I; [left; reflexivity|right]. destruct (Nat.eq_dec i n) as [->|];
        [right; reflexivity|left; exists i; lia]. }
    split; fold n.
    - intros i I. destruct (CASES i I) as [->|[[k [-> K]]| ->]].
      + replace (0 =? n + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
        rewrite Nat.add_0_r. pose proof (shown_done t0) as H.
        unfold finished, st in H. cbn [eval] in H. rewrite A0, A1 in H. exact H.
      + replace (S k =? n + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
        rewrite Nat.add_succ_r. destruct (RUNS k K) as [[B0 B1] _ _].
        pose proof (shown_done (S (t0 + k))) as H.
        unfold finished, st in H. cbn [eval] in H. rewrite B0, B1 in H. exact H.
      + replace (S n =? n + 1) with true by (symmetry; apply Nat.eqb_eq; lia).
        rewrite Nat.add_succ_r. pose proof (shown_done (S (t0 + n))) as H.
        unfold finished, st in H. cbn [eval] in H. rewrite E0, E1 in H. exact H.
    - intros i I. destruct (CASES i I) as [->|[[k [-> K]]| ->]].
      + rewrite Nat.add_0_r. pose proof (shown_busy t0) as H. rewrite A0, A1 in H. exact H.
      + rewrite Nat.add_succ_r. destruct (RUNS k K) as [[B0 B1] _ _].
        pose proof (shown_busy (S (t0 + k))) as H. rewrite B0, B1 in H. exact H.
      + rewrite Nat.add_succ_r. pose proof (shown_busy (S (t0 + n))) as H.
        rewrite E0, E1 in H. exact H.
    - intros i I. pose proof (some_bits sh L) as N2. fold n in N2.
      destruct (CASES i I) as [->|[[k [-> K]]| ->]].
      + rewrite Nat.add_0_r. replace (0 <? n) with true by (symmetry; apply Nat.ltb_lt; lia).
        pose proof (shown_next t0) as H.
        rewrite (Counter.start_next E t0 (conj A0 A1) ST) in H. exact H.
      + rewrite Nat.add_succ_r. pose proof (shown_next (S (t0 + k))) as H.
        rewrite (proj1 (goes_on sh E L R t0 xv yv mv JE k K)) in H. exact H.
      + replace (S n <? n) with false by (symmetry; apply Nat.ltb_ge; lia).
        rewrite Nat.add_succ_r. pose proof (shown_next (S (t0 + n))) as H.
        rewrite NX1 in H. exact H.
    - replace (t0 + (n + 1)) with (S (t0 + n)) by lia.
      destruct (product_reached sh E L R W t0 xv yv mv JE) as [EQ B].
      unfold pair in EQ, B. fold n b in EQ, B.
      replace (Z.of_N (width sh)) with (Z.of_nat n) by (unfold n; apply N_nat_Z).
      exists (number (E (S (t0 + n))) RegS b), (number (E (S (t0 + n))) RegC b).
      split; [apply shown_pair; left; reflexivity|].
      split; [apply shown_pair; right; reflexivity|].
      split; [exact EQ|]. split; [exact B|].
      intros k U NS. cbv zeta.
      replace (t0 + (n + 2) + k) with (S (S (t0 + n)) + k) by lia.
      destruct (words_leave sh E L R W (S (t0 + n)) ST2 NA2 NX1 k) as [_ [_ [_ V]]].
      { intros i I. replace (S (S (t0 + n)) + i) with (t0 + (n + 2) + i) by lia. apply NS. exact I. }
      fold b in V.
      pose proof (stays_at_done sh E L R W t0 xv yv mv JE U) as SAME. fold n b in SAME.
      replace (Z.of_N (word sh)) with (Z.of_nat (N.to_nat (word sh))) by apply N_nat_Z.
      change (unloads e (S (t0 + n)) k) with (unloads E (S (t0 + n)) k).
      rewrite <- (SAME RegS), <- (SAME RegC) by auto.
      rewrite <- (V RegS), <- (V RegC) by auto. split; apply shown_pair; auto.
    - intros k U NS ENOUGH.
      replace (t0 + (n + 1)) with (S (t0 + n)) in ENOUGH by lia.
      replace (t0 + (n + 2) + k) with (S (S (t0 + n)) + k) by lia.
      destruct (words_leave sh E L R W (S (t0 + n)) ST2 NA2 NX1 k) as [_ [STA [NA V]]].
      { intros i I. replace (S (S (t0 + n)) + i) with (t0 + (n + 2) + i) by lia. apply NS. exact I. }
      fold b in V. apply idle_extended. split; [exact STA| |exact NA].
      intros s C. apply (zero_number sh E). fold b. rewrite V by exact C. apply Z.div_small.
      unfold number. pose proof (value_bounds b (fun i => E (S (S (t0 + n))) (s, i))). split; [lia|].
      apply Z.lt_le_trans with (2 ^ Z.of_nat b)%Z; [lia|]. apply Z.pow_le_mono_r; [lia|].
      change (unloads E (S (t0 + n)) k) with (unloads e (S (t0 + n)) k). fold b in ENOUGH. lia.
  Qed.
End InterleavedCore.
