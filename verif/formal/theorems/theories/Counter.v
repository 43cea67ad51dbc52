(* SPDX-License-Identifier: Apache-2.0 *)
(* State machine and counter of a bit-serial core (bit_serial_control), for every number of
   iterations. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration.
Local Open Scope nat_scope.

Definition is_starting (v : valuation) : Prop := v (State, 0%N) = false /\ v (State, 1%N) = false.
Definition is_running (v : valuation) : Prop := v (State, 0%N) = true /\ v (State, 1%N) = false.

(* The registers of the counter take what the terms of Machine.v state; width sh is the number of
   iterations that are counted. *)
Record counter (sh : shape) (e : nat -> valuation) : Prop := {
  counter_state_0 : forall t, e (S t) (State, 0%N) = eval (e t) (state_next 0);
  counter_state_1 : forall t, e (S t) (State, 1%N) = eval (e t) (state_next 1);
  counter_bits : forall t i, i < N.to_nat (count_width (width sh)) ->
    e (S t) (Count, N.of_nat i) = eval (e t) (count_next (N.of_nat i));
  counter_last : forall t, e (S t) (Last, 0%N) =
    eval (e t) (count_equals sh (N.to_nat (count_width (width sh))))
}.
Arguments counter_state_0 {sh e}.
Arguments counter_state_1 {sh e}.
Arguments counter_bits {sh e}.
Arguments counter_last {sh e}.

Section Counter.
  Variables (sh : shape) (e : nat -> valuation).
  Hypothesis TWO : (2 <= width sh)%N.
  Hypothesis C0 : counter sh e.
  Let n : nat := N.to_nat (width sh).
  Let w : nat := N.to_nat (count_width (width sh)).

  Definition count (v : valuation) : Z := number v Count w.

  Lemma eval_carry_into : forall v k,
    eval v (carry_into k) = all_set k (fun i => v (Count, i)).
  Proof. induction k; cbn [carry_into eval all_set]; [reflexivity|]. rewrite IHk. reflexivity. Qed.

  Lemma last_width : (Z.of_nat n - 1 < 2 ^ Z.of_nat w)%Z.
  Proof.
    pose proof TWO as H. unfold n, w, count_width. rewrite !N_nat_Z.
    pose proof (N.log2_up_spec (width sh) ltac:(lia)) as [_ H2].
    apply N2Z.inj_le in H2. rewrite N2Z.inj_pow in H2. change (Z.of_N 2) with 2%Z in H2. lia.
  Qed.

  (* The flag that the counter is at its end, from the next value of the counter. *)
  Lemma eval_count_equals : forall v k,
    eval v (count_equals sh k) = true <->
    value k (fun i => eval v (count_next i)) = value k (fun i => N.testbit (width sh - 1) i).
  Proof.
    intros v k. split.
    - intro H. apply value_same. induction k as [|k IH]; intros i I; [lia|].
      cbn [count_equals eval] in H. apply andb_true_iff in H as [H1 H2].
      destruct (Nat.eq_dec i k) as [->|]; [|apply IH; [exact H1|lia]].
      unfold at_. unfold count_is in H2. destruct (N.testbit (width sh - 1) (N.of_nat k)); [exact H2|].
      cbn [eval] in H2. apply negb_true_iff in H2. exact H2.
    - intro H. pose proof (value_inverse _ _ _ H) as B. clear H.
      induction k as [|k IH]; [reflexivity|]. cbn [count_equals eval].
      rewrite IH by (intros; apply B; lia). specialize (B k ltac:(lia)). unfold at_ in B.
      unfold count_is. cbv beta in B. rewrite <- B.
      destruct (eval v (count_next (N.of_nat k))) eqn:Q; cbn [eval]; rewrite Q; reflexivity.
  Qed.

  Lemma last_number : value w (fun i => N.testbit (width sh - 1) i) = (Z.of_nat n - 1)%Z.
  Proof.
    pose proof last_width as H. pose proof TWO.
    replace (width sh - 1)%N with (Z.to_N (Z.of_nat n - 1)).
    - apply value_testbit. unfold n in *. lia.
    - unfold n. rewrite N_nat_Z. lia.
  Qed.

  Lemma last_of_count : forall t, e (S t) (Last, 0%N) = Z.eqb (count (e (S t))) (Z.of_nat n - 1).
  Proof.
    intro t. rewrite (counter_last C0). fold w. rewrite <- last_number.
    assert (C : count (e (S t)) = value w (fun i => eval (e t) (count_next i))).
    { apply value_same. intros i I. unfold at_. apply (counter_bits C0). exact I. }
    rewrite C. destruct (eval_count_equals (e t) w) as [A B].
    destruct (eval (e t) (count_equals sh w)) eqn:Q.
    - symmetry. apply Z.eqb_eq. apply A. reflexivity.
    - symmetry. apply Z.eqb_neq. intro H. specialize (B H). discriminate.
  Qed.

  Lemma count_starts : forall t, e t (State, 0%N) = false -> e t (State, 1%N) = false ->
    count (e (S t)) = 0%Z.
  Proof.
    intros t A B. apply value_zero. intros i I. unfold at_. rewrite (counter_bits C0) by exact I.
    unfold count_next, starting, st. cbn [eval]. rewrite A, B. reflexivity.
  Qed.

  Lemma count_runs : forall t, is_running (e t) -> (count (e t) < Z.of_nat n - 1)%Z ->
    count (e (S t)) = (count (e t) + 1)%Z.
  Proof.
    intros t [A B] C. pose proof last_width as W. unfold count, number in *.
    pose proof (count_up w (fun i => e t (Count, i)) (fun i => e (S t) (Count, i))) as U.
    assert (H : forall i, i < w -> at_ i (fun i => e (S t) (Count, i)) =
      xorb (at_ i (fun i => e t (Count, i))) (all_set i (fun i => e t (Count, i)))).
    { intros i I. unfold at_. rewrite (counter_bits C0) by exact I.
      unfold count_next, starting, running, st. cbn [eval]. rewrite A, B. cbn [negb andb].
      rewrite eval_carry_into, Nnat.Nat2N.id. reflexivity. }
    specialize (U H). pose proof (value_bounds w (fun i => e (S t) (Count, i))).
    destruct (all_set w (fun i => e t (Count, i))); cbn [Z.b2z] in U; lia.
  Qed.

  (* -------------------------------------------------------------------------------------------- *)
  (* One product: cycle t0 has the start.                                                           *)

  Variable t0 : nat.
  Hypothesis IDLE : is_starting (e t0).
  Hypothesis START : e t0 (Start, 0%N) = true.

  (* Cycle i + 1 after the start, i < n. *)
  Record runs (i : nat) (v : valuation) : Prop := {
    runs_state : is_running v;
    runs_count : count v = Z.of_nat i;
    runs_last : v (Last, 0%N) = Nat.eqb (S i) n
  }.

  Lemma last_flag : forall t i, count (e (S t)) = Z.of_nat i ->
    e (S t) (Last, 0%N) = Nat.eqb (S i) n.
  Proof.
    intros t i C. rewrite last_of_count, C.
    destruct (Nat.eqb_spec (S i) n); [apply Z.eqb_eq|apply Z.eqb_neq]; lia.
  Qed.

  Lemma two : 2 <= n.
  Proof. pose proof TWO. unfold n. lia. Qed.

  Lemma runs_first : runs 0 (e (S t0)).
  Proof.
    destruct IDLE as [A B].
    assert (C : count (e (S t0)) = Z.of_nat 0) by (apply count_starts; assumption).
    split; [split| exact C | apply last_flag; exact C].
    - rewrite (counter_state_0 C0). cbn. rewrite A, B, START. reflexivity.
    - rewrite (counter_state_1 C0). cbn. rewrite A, B. reflexivity.
  Qed.

  Lemma runs_on : forall t i, runs i (e t) -> S i < n -> runs (S i) (e (S t)).
  Proof.
    intros t i [[A B] C D] I.
    assert (C' : count (e (S t)) = Z.of_nat (S i)).
    { rewrite count_runs; [lia|split; assumption|lia]. }
    destruct (Nat.eqb_spec (S i) n) as [|_]; [lia|].
    split; [split| exact C' | apply last_flag; exact C'].
    - rewrite (counter_state_0 C0). cbn. rewrite A, B, D. reflexivity.
    - rewrite (counter_state_1 C0). cbn. rewrite A, B, D. reflexivity.
  Qed.

  Theorem runs_always : forall i, i < n -> runs i (e (S (t0 + i))).
  Proof.
    induction i as [|i IH]; intro I; [rewrite Nat.add_0_r; apply runs_first|].
    rewrite Nat.add_succ_r. apply runs_on; [apply IH; lia|exact I].
  Qed.

  Theorem ends : e (S (t0 + n)) (State, 0%N) = false /\ e (S (t0 + n)) (State, 1%N) = true.
  Proof.
    pose proof two as T. pose proof (runs_always (n - 1) ltac:(lia)) as [[A B] _ D].
    replace (S (t0 + (n - 1))) with (t0 + n) in * by lia.
    replace (S (n - 1)) with n in D by lia. rewrite Nat.eqb_refl in D.
    split.
    - rewrite (counter_state_0 C0). cbn. rewrite A, B, D. reflexivity.
    - rewrite (counter_state_1 C0). cbn. rewrite A, B, D. reflexivity.
  Qed.

  Lemma start_next : eval (e t0) next = true.
  Proof. destruct IDLE as [A B]. cbn. rewrite A, B, START. reflexivity. Qed.

  Lemma run_next : forall i, i < n -> eval (e (S (t0 + i))) next = Nat.ltb (S i) n.
  Proof.
    intros i I. destruct (runs_always i I) as [[A B] _ D].
    unfold next, starts, starting, running, last, st. cbn [eval]. rewrite A, B, D.
    cbn [negb andb orb].
    destruct (Nat.eqb_spec (S i) n), (Nat.ltb_spec (S i) n); lia || reflexivity.
  Qed.
End Counter.
