(* SPDX-License-Identifier: Apache-2.0 *)
(* From the check of a netlist to the theorem about its products. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter Control Product Rest.
Import ListNotations.
Local Open Scope nat_scope.

(* An output of the netlist has a value; the bits of an output are a number. *)
Definition shows (n : netlist) (v : valuation) (o : var) (b : bool) : Prop :=
  exists wire, In (o, wire) (outputs n) /\ settle n v wire = b.

Definition shows_number (n : netlist) (v : valuation) (s : signal) (k : nat) (z : Z) : Prop :=
  exists f : bits, (forall i, i < k -> shows n v (s, N.of_nat i) (at_ i f)) /\ value k f = z.

(* A product that starts in cycle t0: bits of X are taken in the first cycles, done comes in cycle
   t0 + last + 1. size: bits of S and C. idle_core: the core can start the next product. *)
Record product (net : netlist) (sh : shape) (idle_core : valuation -> Prop) (takes last size : nat)
    (e : nat -> valuation) (t0 : nat) (x_value y_value m_value : Z) : Prop := {
  cycles_done : forall i, i <= last + 1 -> shows net (e (t0 + i)) (Done, 0%N) (i =? last + 1);
  cycles_busy : forall i, i <= last + 1 -> shows net (e (t0 + i)) (Busy, 0%N) (negb (i =? 0));
  cycles_next : forall i, i <= last + 1 -> shows net (e (t0 + i)) (Next, 0%N) (i <? takes);
  result : exists s c q : Z,
    shows_number net (e (t0 + (last + 1))) OutS (N.to_nat (width sh + guard sh)) s /\
    shows_number net (e (t0 + (last + 1))) OutC (N.to_nat (width sh + guard sh)) c /\
    (0 <= q < 2 ^ Z.of_N (width sh))%Z /\
    (2 ^ Z.of_N (width sh) * (s + c) = x_value * y_value + q * m_value)%Z /\
    (0 <= s + c < y_value + m_value)%Z /\
    (* S and C leave by words: after as many unloads they are so many words down. *)
    forall k,
      e (t0 + last) (Unload, 0%N) = false ->
      (forall i, i < k -> e (t0 + (last + 2) + i) (Start, 0%N) = false) ->
      let down := (2 ^ (Z.of_N (word sh) * Z.of_nat (unloads e (t0 + (last + 1)) k)))%Z in
      shows_number net (e (t0 + (last + 2) + k)) OutS (N.to_nat (width sh + guard sh)) (s / down) /\
      shows_number net (e (t0 + (last + 2) + k)) OutC (N.to_nat (width sh + guard sh)) (c / down);
  back : forall k,
    e (t0 + last) (Unload, 0%N) = false ->
    (forall i, i < k -> e (t0 + (last + 2) + i) (Start, 0%N) = false) ->
    size <= N.to_nat (word sh) * unloads e (t0 + (last + 1)) k ->
    idle_core (e (t0 + (last + 2) + k))
}.

Section Core.
  Variables (net : netlist) (sh : shape) (co : core) (ok : valuation -> Prop).
  Hypothesis CHECKED : differences net (bit_serial sh co) = Some [].
  Hypothesis L : legal sh co.
  Hypothesis EXACT : iterates_exactly sh co ok.
  Variable e : nat -> valuation.
  Hypothesis RUN : run_of net e.
  Let n : nat := N.to_nat (width sh).
  Let R : machine_run (bit_serial sh co) e := runs_agree net _ CHECKED eq_refl e RUN.

  Lemma shown : forall v o, In o (machine_outputs (bit_serial sh co)) ->
    shows net v o (eval v (output_term sh co o)).
  Proof.
    intros v o I. destruct (outputs_settle net _ CHECKED v v (no_names net _ CHECKED eq_refl v) o I) as [wire [A B]].
    exists wire. split; assumption.
  Qed.

  Ltac member := cbn [bit_serial machine_outputs]; repeat rewrite in_app_iff.

  Lemma shown_done : forall v, shows net v (Done, 0%N) (eval v finished).
  Proof. intro v. apply (shown v (Done, 0%N)). member. do 3 right; left. left. reflexivity. Qed.
  Lemma shown_busy : forall v, shows net v (Busy, 0%N) (v (State, 0%N) || v (State, 1%N)).
  Proof. intro v. apply (shown v (Busy, 0%N)). member. do 2 right; left. left. reflexivity. Qed.
  Lemma shown_next : forall v, shows net v (Next, 0%N) (eval v next).
  Proof. intro v. apply (shown v (Next, 0%N)). member. do 4 right; left. left. reflexivity. Qed.

  Lemma held_outputs : forall v out s,
    (out, s) = (OutS, RegS) \/ (out, s) = (OutC, RegC) ->
    shows_number net v out (N.to_nat (width sh + guard sh)) (number v s n).
  Proof.
    intros v out s C. exists (fun i => eval v (held sh s i)). split.
    - intros i I. unfold at_.
      destruct C as [C|C]; injection C as -> ->;
        [apply (shown v (OutS, _))|apply (shown v (OutC, _))]; member.
      + left. apply in_vector. exact I.
      + right; left. apply in_vector. exact I.
    - replace (N.to_nat (width sh + guard sh)) with (n + N.to_nat (guard sh)) by (unfold n; lia).
      induction (N.to_nat (guard sh)) as [|g IH].
      + rewrite Nat.add_0_r. apply held_value. apply Nnat.N2Nat.id.
      + rewrite Nat.add_succ_r. cbn [value]. rewrite IH. unfold at_, held.
        destruct (N.ltb_spec (N.of_nat (n + g)) (width sh)); [unfold n in *; lia|].
        cbn [eval Z.b2z]. lia.
  Qed.

  Theorem core_idle_after_reset : after_reset net (e 0) -> idle sh (e 0).
  Proof. intro H. apply (idle_after_reset sh co e L). exact (resets_agree net _ CHECKED _ H). Qed.

  Theorem core_idle_stays : forall t,
    idle sh (e t) -> e t (Start, 0%N) = false -> idle sh (e (S t)).
  Proof. exact (idle_stays sh co e L R). Qed.

  (* Done does not depend on the operands. *)
  Theorem core_done_cycles : forall t0, idle sh (e t0) -> e t0 (Start, 0%N) = true ->
    forall i, i <= n + 1 -> shows net (e (t0 + i)) (Done, 0%N) (i =? n + 1).
  Proof.
    intros t0 I0 START. pose proof (two sh co L) as N2. fold n in N2.
    pose proof (ends sh co e L R t0 I0 START) as [E0 E1]. fold n in E0, E1.
    assert (CASES : forall i, i <= n + 1 -> i = 0 \/ (exists k, i = S k /\ k < n) \/ i = S n).
    { intros [|i] I; [left; reflexivity|right]. destruct (Nat.eq_dec i n) as [->|];
        [right; reflexivity|left; exists i; lia]. }
    intros i I. destruct (CASES i I) as [->|[[k [-> K]]| ->]].
    - replace (0 =? n + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
      rewrite Nat.add_0_r. destruct I0 as [A B _ _ _].
      pose proof (shown_done (e t0)) as H. cbn in H. rewrite A, B in H. exact H.
    - replace (S k =? n + 1) with false by (symmetry; apply Nat.eqb_neq; lia).
      rewrite Nat.add_succ_r. destruct (runs_always sh co e L R t0 I0 START k K) as [[A B] _ _].
      pose proof (shown_done (e (S (t0 + k)))) as H. cbn in H. rewrite A, B in H. exact H.
    - replace (S n =? n + 1) with true by (symmetry; apply Nat.eqb_eq; lia).
      rewrite Nat.add_succ_r.
      pose proof (shown_done (e (S (t0 + n)))) as H. cbn in H. rewrite E0, E1 in H. exact H.
  Qed.

  Theorem core_product : forall t0 xv yv mv,
    job sh ok e t0 xv yv mv -> product net sh (idle sh) n n n e t0 xv yv mv.
  Proof.
    intros t0 xv yv mv J.
    pose proof (two sh co L) as N2. fold n in N2.
    pose proof (job_idle _ _ _ _ _ _ _ J) as I0. pose proof (job_start _ _ _ _ _ _ _ J) as START.
    pose proof (ends sh co e L R t0 I0 START) as [E0 E1]. fold n in E0, E1.
    assert (AFTER : is_starting (e (S (S (t0 + n)))) /\ no_iteration sh (e (S (S (t0 + n))))).
    { split; [split|].
      - rewrite (take_state_0 sh co e R). cbn. rewrite E0, E1. reflexivity.
      - rewrite (take_state_1 sh co e R). cbn. rewrite E0, E1. reflexivity.
      - intros j JN. rewrite (take_iterates sh co e L R) by exact JN.
        unfold next, starts, starting, running, last, st. cbn [eval]. rewrite E0, E1. reflexivity. }
    assert (NONEXT : eval (e (S (t0 + n))) next = false).
    { unfold next, starts, starting, running, last, st. cbn [eval]. rewrite E0, E1. reflexivity. }
    assert (LAST : eval (e (t0 + n)) next = false).
    { replace (t0 + n) with (S (t0 + (n - 1))) by lia.
      rewrite (run_next sh co e L R t0 I0 START (n - 1)) by (fold n; lia).
      apply Nat.ltb_ge. fold n. lia. }
    assert (STEADY : e (t0 + n) (Unload, 0%N) = false -> forall s, s = RegS \/ s = RegC ->
              number (e (S (S (t0 + n)))) s n = number (e (S (t0 + n))) s n).
    { intros U s C. rewrite (moves_down sh co e R (S (t0 + n)) false).
      - reflexivity.
      - intros j JN. rewrite (take_iterates sh co e L R) by exact JN. exact LAST.
      - intros j JN. rewrite (take_moves sh co e L R) by exact JN. cbn [eval].
        rewrite LAST, U. reflexivity.
      - exact C. }
    assert (CASES : forall i, i <= n + 1 -> i = 0 \/ (exists k, i = S k /\ k < n) \/ i = S n).
    { intros [|i] I; [left; reflexivity|right]. destruct (Nat.eq_dec i n) as [->|];
        [right; reflexivity|left; exists i; lia]. }
    split; fold n.
    - exact (core_done_cycles t0 I0 START).
    - intros i I. destruct (CASES i I) as [->|[[k [-> K]]| ->]].
      + rewrite Nat.add_0_r. destruct I0 as [A B _ _ _].
        pose proof (shown_busy (e t0)) as H. rewrite A, B in H. exact H.
      + rewrite Nat.add_succ_r. destruct (runs_always sh co e L R t0 I0 START k K) as [[A B] _ _].
        pose proof (shown_busy (e (S (t0 + k)))) as H. rewrite A, B in H. exact H.
      + rewrite Nat.add_succ_r.
        pose proof (shown_busy (e (S (t0 + n)))) as H. rewrite E0, E1 in H. exact H.
    - intros i I. destruct (CASES i I) as [->|[[k [-> K]]| ->]].
      + rewrite Nat.add_0_r. replace (0 <? n) with true by (symmetry; apply Nat.ltb_lt; lia).
        pose proof (shown_next (e t0)) as H. rewrite (start_next sh e t0 I0 START) in H. exact H.
      + rewrite Nat.add_succ_r. pose proof (shown_next (e (S (t0 + k)))) as H.
        rewrite (run_next sh co e L R t0 I0 START k K) in H. exact H.
      + replace (S n <? n) with false by (symmetry; apply Nat.ltb_ge; lia).
        rewrite Nat.add_succ_r. pose proof (shown_next (e (S (t0 + n)))) as H.
        unfold next, starts, starting, running, last, st in H. cbn [eval] in H.
        rewrite E0, E1 in H. exact H.
    - replace (t0 + (n + 1)) with (S (t0 + n)) by lia.
      destruct (partial_always sh co ok e L EXACT R t0 xv yv mv J n (le_n n)) as [q [Q [E B]]].
      unfold pair in E, B. fold n in E, B. fold n in Q.
      replace (Z.of_N (width sh)) with (Z.of_nat n) by (unfold n; apply N_nat_Z).
      exists (number (e (S (t0 + n))) RegS n), (number (e (S (t0 + n))) RegC n), q.
      split; [apply held_outputs; left; reflexivity|].
      split; [apply held_outputs; right; reflexivity|].
      split; [exact Q|]. split; [|split; [split; [|exact B]|]].
      + rewrite E. rewrite <- (job_x _ _ _ _ _ _ _ J). reflexivity.
      + unfold number. pose proof (value_bounds n (fun i => e (S (t0 + n)) (RegS, i))).
        pose proof (value_bounds n (fun i => e (S (t0 + n)) (RegC, i))). lia.
      + intros k U ST. cbv zeta.
        replace (t0 + (n + 2) + k) with (S (S (t0 + n)) + k) by lia.
        destruct (unloaded sh co e L R (S (t0 + n)) (proj1 AFTER) (proj2 AFTER) NONEXT k) as [_ [_ [_ V]]].
        { intros i I. replace (S (S (t0 + n)) + i) with (t0 + (n + 2) + i) by lia. apply ST. exact I. }
        fold n in V. rewrite <- (STEADY U RegS), <- (STEADY U RegC) by auto.
        replace (Z.of_N (word sh)) with (Z.of_nat (N.to_nat (word sh))) by apply N_nat_Z.
        rewrite <- (V RegS), <- (V RegC) by auto.
        split; apply held_outputs; auto.
    - intros k U ST ENOUGH.
      replace (t0 + (n + 1)) with (S (t0 + n)) in ENOUGH by lia.
      replace (t0 + (n + 2) + k) with (S (S (t0 + n)) + k) by lia.
      apply (idle_again sh co e L R (S (t0 + n))); try apply AFTER.
      + exact NONEXT.
      + intros i I. replace (S (S (t0 + n)) + i) with (t0 + (n + 2) + i) by lia. apply ST. exact I.
      + exact ENOUGH.
  Qed.
End Core.

(* What one subtraction makes of S + C. *)
Definition reduced (m z : Z) : Z := if (z <? m)%Z then z else (z - m)%Z.

Theorem reduced_product : forall (n x y m z q : Z),
  (0 <= n)%Z -> (0 < m)%Z -> (y <= m)%Z ->
  (2 ^ n * z = x * y + q * m)%Z -> (0 <= z < y + m)%Z ->
  (0 <= reduced m z < m)%Z /\ ((2 ^ n * reduced m z) mod m = (x * y) mod m)%Z.
Proof.
  intros n x y m z q N M Y E B. unfold reduced. destruct (Z.ltb_spec z m) as [H|H]; split; try lia.
  - rewrite E. apply Z.mod_add. lia.
  - replace (2 ^ n * (z - m))%Z with (x * y + (q - 2 ^ n) * m)%Z by lia. apply Z.mod_add. lia.
Qed.
