(* SPDX-License-Identifier: Apache-2.0 *)
(* Between products: after a reset and after the result has left, the core is idle; S and C move down
   by a word for each unload and otherwise stay. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter Control.
Local Open Scope nat_scope.

(* Down by a word is a division. *)
Lemma value_moved : forall n w f,
  value n (fun i => if (i + N.of_nat w <? N.of_nat n)%N then f (i + N.of_nat w)%N else false) =
  (value n f / 2 ^ Z.of_nat w)%Z.
Proof.
  intros n w f.
  set (g := fun i => if (i <? N.of_nat n)%N then f i else false).
  assert (value n f = value n g) as ->.
  { apply value_same. intros i I. unfold at_, g.
    destruct (N.ltb_spec (N.of_nat i) (N.of_nat n)); [reflexivity|lia]. }
  change (fun i => if (i + N.of_nat w <? N.of_nat n)%N then f (i + N.of_nat w)%N else false)
    with (fun i => g (i + N.of_nat w)%N).
  assert (G : forall i, n <= i -> at_ i g = false).
  { intros i I. unfold at_, g. destruct (N.ltb_spec (N.of_nat i) (N.of_nat n)); [lia|reflexivity]. }
  clearbody g. clear f.
  revert g G. induction w as [|w IH]; intros g G.
  - change (2 ^ Z.of_nat 0)%Z with 1%Z. rewrite Z.div_1_r. apply value_same. intros.
    unfold at_. rewrite N.add_0_r. reflexivity.
  - pose proof (power_positive w). rewrite power_step, <- Z.div_div by lia.
    assert (A : value n (above g) = (value n g / 2)%Z).
    { pose proof (value_above n g) as V. cbn [value] in V. rewrite G in V by lia.
      rewrite Z.mul_0_r, Z.add_0_r in V. rewrite V, Z.mul_comm, Z.div_add by lia.
      destruct (at_ 0 g); reflexivity. }
    rewrite <- A, <- IH.
    + apply value_same. intros i I. unfold at_, above. f_equal. lia.
    + intros i I. rewrite at_above. apply G. lia.
Qed.

Section Rest.
  Variables (sh : shape) (co : core) (e : nat -> valuation).
  Hypothesis L : legal sh co.
  Hypothesis R : machine_run (bit_serial sh co) e.
  Let n : nat := N.to_nat (width sh).
  Let w : nat := N.to_nat (word sh).

  Definition no_iteration (v : valuation) : Prop :=
    forall k, k < n -> v (Iterates, (N.of_nat k / segment sh)%N) = false.

  Lemma no_next : forall v, is_starting v -> v (Start, 0%N) = false -> eval v next = false.
  Proof. intros v [A B] C. cbn. rewrite A, B, C. reflexivity. Qed.

  Lemma stays : forall t, is_starting (e t) -> e t (Start, 0%N) = false ->
    is_starting (e (S t)) /\ no_iteration (e (S t)).
  Proof.
    intros t [A B] C. split; [split|].
    - rewrite (take_state_0 sh co e R). cbn. rewrite A, B, C. reflexivity.
    - rewrite (take_state_1 sh co e R). cbn. rewrite A, B. reflexivity.
    - intros k K. rewrite (take_iterates sh co e L R) by exact K.
      apply no_next; [split; assumption|exact C].
  Qed.

  (* What S or C is in the next cycle, where no iteration is made. *)
  Lemma moves_down : forall t (m : bool), no_iteration (e t) ->
    (forall k, k < n -> e t (Moves, (N.of_nat k / segment sh)%N) = m) ->
    forall s, s = RegS \/ s = RegC ->
    number (e (S t)) s n =
      if m then (number (e t) s n / 2 ^ Z.of_nat w)%Z else number (e t) s n.
  Proof.
    intros t m I H s C.
    assert (E : forall k, k < n -> e (S t) (s, N.of_nat k) =
      if m then eval (e t) (moved sh s (N.of_nat k)) else e t (s, N.of_nat k)).
    { intros k K. destruct C as [->| ->];
        [rewrite (take_s sh co e R) by exact K|rewrite (take_c sh co e R) by exact K];
        unfold pair_next; cbn [eval]; rewrite H, I by exact K; reflexivity. }
    unfold number. destruct m.
    - rewrite <- value_moved. apply value_same. intros k K. unfold at_. rewrite E by exact K.
      unfold moved, n, w. rewrite !Nnat.N2Nat.id.
      destruct (N.of_nat k + word sh <? width sh)%N; reflexivity.
    - apply value_same. exact E.
  Qed.

  (* Unloads in k cycles from t on. *)
  Fixpoint unloads (t k : nat) : nat :=
    match k with
    | O => O
    | S k => unloads t k + (if e (t + k) (Unload, 0%N) then 1 else 0)
    end.

  Theorem unloaded : forall t, is_starting (e (S t)) -> no_iteration (e (S t)) ->
    eval (e t) next = false ->
    forall k, (forall i, i < k -> e (S t + i) (Start, 0%N) = false) ->
    eval (e (t + k)) next = false /\
    is_starting (e (S t + k)) /\ no_iteration (e (S t + k)) /\
    forall s, s = RegS \/ s = RegC ->
      number (e (S t + k)) s n =
      (number (e (S t)) s n / 2 ^ (Z.of_nat w * Z.of_nat (unloads t k)))%Z.
  Proof.
    intros t A I N. induction k as [|k IH]; intro ST.
    - rewrite !Nat.add_0_r. repeat split; try assumption; try apply A. intros s C. cbn [unloads].
      rewrite Z.mul_0_r, Z.pow_0_r, Z.div_1_r. reflexivity.
    - destruct IH as [N' [A' [I' V]]]; [intros; apply ST; lia|].
      assert (STK : e (S t + k) (Start, 0%N) = false) by (apply ST; lia).
      rewrite !Nat.add_succ_r. destruct (stays (S t + k) A' STK) as [A2 I2].
      split; [exact (no_next _ A' STK)|]. split; [exact A2|]. split; [exact I2|]. intros s C.
      rewrite (moves_down (S t + k) (e (t + k) (Unload, 0%N)) I').
      + rewrite V by exact C. cbn [unloads]. destruct (e (t + k) (Unload, 0%N)).
        * rewrite Z.div_div by (first [apply Z.pow_nonzero | apply Z.pow_pos_nonneg]; lia).
          rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia.
        * rewrite Nat.add_0_r. reflexivity.
      + intros j JN. change (S t + k) with (S (t + k)).
        rewrite (take_moves sh co e L R) by exact JN. cbn [eval]. rewrite N'. reflexivity.
      + exact C.
  Qed.

  (* A number below 2**n is 0 after enough of it has gone. *)
  Theorem idle_again : forall t, is_starting (e (S t)) -> no_iteration (e (S t)) ->
    eval (e t) next = false ->
    forall k, (forall i, i < k -> e (S t + i) (Start, 0%N) = false) ->
    n <= w * unloads t k -> idle sh (e (S t + k)).
  Proof.
    intros t A I N k ST ENOUGH. destruct (unloaded t A I N k ST) as [_ [[A1 A2] [I' V]]].
    assert (ZERO : forall s, s = RegS \/ s = RegC -> number (e (S t + k)) s n = 0%Z).
    { intros s C. rewrite V by exact C. apply Z.div_small. unfold number.
      pose proof (value_bounds n (fun i => e (S t) (s, i))). split; [lia|].
      apply Z.lt_le_trans with (2 ^ Z.of_nat n)%Z; [lia|]. apply Z.pow_le_mono_r; lia. }
    assert (BITS : forall s i, s = RegS \/ s = RegC -> i < n -> e (S t + k) (s, N.of_nat i) = false).
    { intros s i C IN. specialize (ZERO s C). unfold number in ZERO.
      rewrite <- (value_zero n (fun _ => false)) in ZERO by reflexivity.
      exact (value_inverse n _ _ ZERO i IN). }
    split; try assumption; intros; apply BITS; auto.
  Qed.

  Theorem idle_stays : forall t, idle sh (e t) -> e t (Start, 0%N) = false -> idle sh (e (S t)).
  Proof.
    intros t [A B SZ CZ IZ] C. destruct (stays t (conj A B) C) as [[A2 B2] I2].
    assert (ZERO : forall s, s = RegS \/ s = RegC ->
              (forall i, i < n -> e t (s, N.of_nat i) = false) ->
              forall i, i < n -> e (S t) (s, N.of_nat i) = false).
    { intros s S0 H i IN.
      assert (M0 : eval (e t) (moved sh s (N.of_nat i)) = false).
      { unfold moved. destruct (N.ltb_spec (N.of_nat i + word sh) (width sh)); [|reflexivity].
        cbn [eval]. rewrite <- (Nnat.N2Nat.id (N.of_nat i + word sh)). apply H. unfold n. lia. }
      destruct S0 as [->| ->];
        [rewrite (take_s sh co e R) by exact IN|rewrite (take_c sh co e R) by exact IN];
        unfold pair_next; cbn [eval]; rewrite IZ, H, M0 by exact IN;
        destruct (e t (Moves, (N.of_nat i / segment sh)%N)); reflexivity. }
    split; try assumption; apply ZERO; auto.
  Qed.

  Theorem idle_after_reset :
    (forall v, In v (machine_registers (bit_serial sh co)) -> e 0 v = false) -> idle sh (e 0).
  Proof.
    intro H. pose proof (segments _ _ L).
    split; intros; apply H; cbn [bit_serial machine_registers]; repeat rewrite in_app_iff.
    - do 6 right; left. left. reflexivity.
    - do 6 right; left. right; left. reflexivity.
    - left. apply in_vector. assumption.
    - right; left. apply in_vector. assumption.
    - do 5 right; left. apply in_pieces; lia.
  Qed.
End Rest.
