(* SPDX-License-Identifier: Apache-2.0 *)
(* Numbers as bits: the value of a bit vector, carry-save addition, counting, comparing. *)

From Coq Require Import Bool NArith ZArith Lia.
Local Open Scope Z_scope.

Definition bits : Type := N -> bool.

(* Bit number i of a vector; its value as a number: the lowest n bits. *)
Definition at_ (i : nat) (f : bits) : bool := f (N.of_nat i).

Fixpoint value (n : nat) (f : bits) : Z :=
  match n with
  | O => 0
  | S k => value k f + 2 ^ Z.of_nat k * Z.b2z (at_ k f)
  end.

Lemma power_step : forall k, 2 ^ Z.of_nat (S k) = 2 * 2 ^ Z.of_nat k.
Proof. intro. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. Qed.

Lemma power_positive : forall k, 0 < 2 ^ Z.of_nat k.
Proof. intro. apply Z.pow_pos_nonneg; lia. Qed.

Lemma value_bounds : forall n f, 0 <= value n f < 2 ^ Z.of_nat n.
Proof.
  induction n as [|n IH]; intro f; cbn [value].
  - simpl. lia.
  - rewrite power_step. specialize (IH f). destruct (at_ n f); simpl Z.b2z; lia.
Qed.

Lemma value_same : forall n f g,
  (forall i, (i < n)%nat -> at_ i f = at_ i g) -> value n f = value n g.
Proof.
  induction n as [|n IH]; intros f g H; cbn [value]; [reflexivity|].
  rewrite (H n) by lia. rewrite (IH f g); [reflexivity|]. intros. apply H. lia.
Qed.

Lemma value_zero : forall n f, (forall i, (i < n)%nat -> at_ i f = false) -> value n f = 0.
Proof.
  induction n as [|n IH]; intros f H; cbn [value]; [reflexivity|].
  rewrite (H n) by lia. rewrite IH; [simpl; lia|]. intros. apply H. lia.
Qed.

Lemma value_inverse : forall n f g,
  value n f = value n g -> forall i, (i < n)%nat -> at_ i f = at_ i g.
Proof.
  induction n as [|n IH]; intros f g H i I; [lia|]. cbn [value] in H.
  pose proof (value_bounds n f). pose proof (value_bounds n g).
  assert (at_ n f = at_ n g) as T
    by (destruct (at_ n f), (at_ n g); simpl Z.b2z in H; try reflexivity; lia).
  rewrite T in H. destruct (Nat.eq_dec i n) as [->|]; [exact T|].
  apply (IH f g); lia.
Qed.

(* The vector without its lowest bit. *)
Definition above (f : bits) : bits := fun i => f (N.succ i).

Lemma at_above : forall i f, at_ i (above f) = at_ (S i) f.
Proof. intros. unfold at_, above. rewrite Nnat.Nat2N.inj_succ. reflexivity. Qed.

Lemma value_above : forall n f, value (S n) f = Z.b2z (at_ 0 f) + 2 * value n (above f).
Proof.
  induction n as [|n IH]; intro f; [cbn [value]; change (2 ^ Z.of_nat 0) with 1; lia|].
  change (value (S (S n)) f) with (value (S n) f + 2 ^ Z.of_nat (S n) * Z.b2z (at_ (S n) f)).
  rewrite IH. cbn [value]. rewrite at_above, power_step. lia.
Qed.

(* ---------------------------------------------------------------------------------------------- *)
(* Carry-save adder.                                                                               *)

Definition parity (a b c : bool) : bool := xorb (xorb a b) c.
Definition majority (a b c : bool) : bool := (a && b) || (xorb a b && c).

Lemma carry_save : forall n a b c,
  value n a + value n b + value n c =
  value n (fun i => parity (a i) (b i) (c i)) + 2 * value n (fun i => majority (a i) (b i) (c i)).
Proof.
  induction n as [|n IH]; intros a b c; cbn [value]; [lia|]. specialize (IH a b c).
  unfold at_ in *. unfold parity, majority in *.
  destruct (a (N.of_nat n)), (b (N.of_nat n)), (c (N.of_nat n));
    cbn [xorb andb orb Z.b2z] in *; lia.
Qed.

(* A vector or none of it. *)
Lemma value_masked : forall n (b : bool) f,
  value n (fun i => f i && b) = Z.b2z b * value n f.
Proof.
  intros n b f. induction n as [|n IH]; cbn [value]; [lia|]. rewrite IH. unfold at_.
  destruct b, (f (N.of_nat n)); cbn [andb Z.b2z]; lia.
Qed.

Lemma odd_value : forall n f, (1 <= n)%nat -> Z.odd (value n f) = at_ 0 f.
Proof.
  intros [|n] f H; [lia|]. rewrite value_above, Z.odd_add_mul_2.
  destruct (at_ 0 f); reflexivity.
Qed.

(* ---------------------------------------------------------------------------------------------- *)
(* Counting.                                                                                       *)

Fixpoint all_set (k : nat) (f : bits) : bool :=
  match k with O => true | S k => all_set k f && at_ k f end.

Lemma count_up : forall n f g,
  (forall i, (i < n)%nat -> at_ i g = xorb (at_ i f) (all_set i f)) ->
  value n g + 2 ^ Z.of_nat n * Z.b2z (all_set n f) = value n f + 1.
Proof.
  induction n as [|n IH]; intros f g H; cbn [value all_set]; [simpl; lia|].
  rewrite power_step. rewrite (H n) by lia.
  assert (forall i, (i < n)%nat -> at_ i g = xorb (at_ i f) (all_set i f)) as H'
    by (intros; apply H; lia).
  specialize (IH f g H').
  destruct (at_ n f), (all_set n f); cbn [xorb andb Z.b2z] in *; lia.
Qed.

(* The bits of a number. *)
Lemma value_testbit : forall n a, 0 <= a < 2 ^ Z.of_nat n ->
  value n (fun i => N.testbit (Z.to_N a) i) = a.
Proof.
  intros n a H. enough (forall k, value k (fun i => N.testbit (Z.to_N a) i) = a mod 2 ^ Z.of_nat k) as E
    by (rewrite E; apply Z.mod_small; exact H).
  induction k as [|k IH]; cbn [value].
  - simpl. rewrite Z.mod_1_r. reflexivity.
  - rewrite IH. unfold at_.
    replace (N.testbit (Z.to_N a) (N.of_nat k)) with (Z.testbit a (Z.of_nat k)).
    + rewrite power_step. pose proof (power_positive k).
      rewrite Z.testbit_spec' by lia.
      rewrite (Z.mul_comm 2 (2 ^ Z.of_nat k)), Z.rem_mul_r by lia. reflexivity.
    + rewrite <- (Z2N.id a) at 1 by lia. rewrite <- nat_N_Z.
      apply Z.testbit_of_N.
Qed.
