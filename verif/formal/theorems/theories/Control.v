(* SPDX-License-Identifier: Apache-2.0 *)
(* What each register of the machine takes, and the control of one product, for every width:
   next in cycles 0 to n-1 after the start, done in cycle n+1 alone. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter.
Local Open Scope nat_scope.

Record legal (sh : shape) (co : core) : Prop := {
  at_least_two : (2 <= width sh)%N;
  segments : (0 < segment sh)%N;
  takes_enough : (width sh <= takes_bits co)%N
}.

(* Before a product: STARTING, S and C are 0, no iteration is under way. *)
Record idle (sh : shape) (v : valuation) : Prop := {
  idle_state_0 : v (State, 0%N) = false;
  idle_state_1 : v (State, 1%N) = false;
  idle_s : forall i, i < N.to_nat (width sh) -> v (RegS, N.of_nat i) = false;
  idle_c : forall i, i < N.to_nat (width sh) -> v (RegC, N.of_nat i) = false;
  idle_iterates : forall i, i < N.to_nat (width sh) ->
    v (Iterates, (N.of_nat i / segment sh)%N) = false
}.

Section Control.
  Variables (sh : shape) (co : core) (e : nat -> valuation).
  Hypothesis L : legal sh co.
  Hypothesis R : machine_run (bit_serial sh co) e.
  Let n : nat := N.to_nat (width sh).
  Let w : nat := N.to_nat (count_width (width sh)).

  Ltac member := cbn [bit_serial machine_registers]; repeat rewrite in_app_iff.

  Lemma takes : forall t v, In v (machine_registers (bit_serial sh co)) ->
    e (S t) v = eval (e t) (register_next sh co v).
  Proof. intros t v I. exact (R t v I). Qed.

  Lemma take_s : forall t i, i < n ->
    e (S t) (RegS, N.of_nat i) = eval (e t) (pair_next sh RegS (next_s co) (N.of_nat i)).
  Proof. intros t i I. apply takes. member. left. apply in_vector. exact I. Qed.

  Lemma take_c : forall t i, i < n ->
    e (S t) (RegC, N.of_nat i) = eval (e t) (pair_next sh RegC (next_c co) (N.of_nat i)).
  Proof. intros t i I. apply takes. member. right; left. apply in_vector. exact I. Qed.

  Lemma take_takes_y : forall t i, i < N.to_nat (takes_bits co) ->
    e (S t) (TakesY, (N.of_nat i / segment sh)%N) = eval (e t) (And next x).
  Proof.
    intros t i I. apply (takes t (TakesY, _)). member. right; right; left.
    apply in_pieces; [apply (segments _ _ L)|lia].
  Qed.

  Lemma take_takes_m : forall t i, i < N.to_nat (takes_bits co) ->
    e (S t) (TakesM, (N.of_nat i / segment sh)%N) = eval (e t) (And next (odd co)).
  Proof.
    intros t i I. apply (takes t (TakesM, _)). member. right; right; right; left.
    apply in_pieces; [apply (segments _ _ L)|lia].
  Qed.

  Lemma take_moves : forall t i, i < n ->
    e (S t) (Moves, (N.of_nat i / segment sh)%N) = eval (e t) (Or next (Var (Unload, 0%N))).
  Proof.
    intros t i I. apply (takes t (Moves, _)). member. do 4 right; left.
    apply in_pieces; [apply (segments _ _ L)|lia].
  Qed.

  Lemma take_iterates : forall t i, i < n ->
    e (S t) (Iterates, (N.of_nat i / segment sh)%N) = eval (e t) next.
  Proof.
    intros t i I. apply (takes t (Iterates, _)). member. do 5 right; left.
    apply in_pieces; [apply (segments _ _ L)|lia].
  Qed.

  Lemma take_state_0 : forall t, e (S t) (State, 0%N) = eval (e t) (state_next 0).
  Proof. intro t. apply (takes t (State, 0%N)). member. do 6 right; left. left. reflexivity. Qed.

  Lemma take_state_1 : forall t, e (S t) (State, 1%N) = eval (e t) (state_next 1).
  Proof.
    intro t. apply (takes t (State, 1%N)). member. do 6 right; left. right; left. reflexivity.
  Qed.

  Lemma take_count : forall t i, i < w ->
    e (S t) (Count, N.of_nat i) = eval (e t) (count_next (N.of_nat i)).
  Proof.
    intros t i I. apply (takes t (Count, _)). member. do 7 right; left. apply in_vector. exact I.
  Qed.

  Lemma take_last : forall t, e (S t) (Last, 0%N) = eval (e t) (count_equals sh w).
  Proof.
    intros t. apply (takes t (Last, 0%N)). member. do 8 right. left. reflexivity.
  Qed.

  Lemma counter_of_core : counter sh e.
  Proof.
    split; [exact take_state_0|exact take_state_1|exact take_count|exact take_last].
  Qed.

  Lemma two : 2 <= n.
  Proof. pose proof (at_least_two _ _ L). unfold n. lia. Qed.

  (* One product: cycle t0 has the start. *)
  Variable t0 : nat.
  Hypothesis I0 : idle sh (e t0).
  Hypothesis START : e t0 (Start, 0%N) = true.

  Lemma idle_starting : is_starting (e t0).
  Proof. destruct I0 as [A B _ _ _]. split; assumption. Qed.

  Theorem runs_always : forall i, i < n -> runs sh i (e (S (t0 + i))).
  Proof.
    exact (Counter.runs_always sh e (at_least_two _ _ L) counter_of_core t0 idle_starting START).
  Qed.

  Theorem ends : e (S (t0 + n)) (State, 0%N) = false /\ e (S (t0 + n)) (State, 1%N) = true.
  Proof.
    exact (Counter.ends sh e (at_least_two _ _ L) counter_of_core t0 idle_starting START).
  Qed.

  Lemma start_next : eval (e t0) next = true.
  Proof. exact (Counter.start_next e t0 idle_starting START). Qed.

  Lemma run_next : forall i, i < n -> eval (e (S (t0 + i))) next = Nat.ltb (S i) n.
  Proof.
    exact (Counter.run_next sh e (at_least_two _ _ L) counter_of_core t0 idle_starting START).
  Qed.
End Control.
