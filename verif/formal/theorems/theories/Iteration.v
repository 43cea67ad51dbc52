(* SPDX-License-Identifier: Apache-2.0 *)
(* What the iteration of a core has to do, whatever its adders are. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine.

Definition sum_term (a b c : term) : term := Xor (Xor a b) c.
Definition carry_term (a b c : term) : term := Or (And a b) (And (Xor a b) c).

(* The number that the lowest k bits of a signal are. *)
Definition number (e : valuation) (s : signal) (k : nat) : Z := value k (fun i => e (s, i)).

Lemma held_value : forall sh e s n, N.of_nat n = width sh ->
  value n (fun i => eval e (held sh s i)) = number e s n.
Proof.
  intros sh e s n W. apply value_same. intros i I. unfold at_, held.
  destruct (N.ltb_spec (N.of_nat i) (width sh)); [reflexivity|lia].
Qed.

(* 2(S' + C') = S + C + y*Y + m*M, where all copies of TakesY are y, of TakesM m, M is odd and m makes
   the sum even. ok: what else is known of the operands (a constant). *)
Definition iterates_exactly (sh : shape) (co : core) (ok : valuation -> Prop) : Prop :=
  forall e y m n, ok e ->
  (forall i, (i < N.to_nat (takes_bits co))%nat -> e (TakesY, (N.of_nat i / segment sh)%N) = y) ->
  (forall i, (i < N.to_nat (takes_bits co))%nat -> e (TakesM, (N.of_nat i / segment sh)%N) = m) ->
  e (M, 0%N) = true ->
  m = xorb (xorb (e (RegS, 0%N)) (e (RegC, 0%N))) (y && e (Y, 0%N)) ->
  (0 < width sh)%N ->
  n = N.to_nat (width sh) ->
  (2 * (value n (fun i => eval e (next_s co i)) + value n (fun i => eval e (next_c co i))) =
   number e RegS n + number e RegC n + Z.b2z y * number e Y n + Z.b2z m * number e M n)%Z.

(* ---------------------------------------------------------------------------------------------- *)
(* Two carry-save adders in a row, then a halving: S + C + u + v. One adder: S + C + u.            *)

Local Open Scope Z_scope.

Definition carry_down (a b c : bits) : bits := fun i =>
  if (i =? 0)%N then false else majority (a (i - 1)%N) (b (i - 1)%N) (c (i - 1)%N).

Lemma one_adder : forall n (s c u : bits), at_ n s = false -> at_ n c = false ->
  parity (at_ 0 s) (at_ 0 c) (at_ 0 u) = false ->
  2 * (value n (fun i => parity (s (i + 1)%N) (c (i + 1)%N) (u (i + 1)%N)) +
       value n (fun i => majority (s i) (c i) (u i))) =
  value n s + value n c + value (S n) u.
Proof.
  intros n s c u HS HC P. pose proof (carry_save (S n) s c u) as A.
  rewrite (value_above n (fun i => parity (s i) (c i) (u i))) in A.
  change (at_ 0 (fun i => parity (s i) (c i) (u i))) with (parity (at_ 0 s) (at_ 0 c) (at_ 0 u)) in A.
  rewrite P in A.
  rewrite (value_same n (above (fun i => parity (s i) (c i) (u i)))
             (fun i => parity (s (i + 1)%N) (c (i + 1)%N) (u (i + 1)%N))) in A
    by (intros; unfold at_, above; rewrite N.add_1_r; reflexivity).
  change (value (S n) s) with (value n s + 2 ^ Z.of_nat n * Z.b2z (at_ n s)) in A.
  change (value (S n) c) with (value n c + 2 ^ Z.of_nat n * Z.b2z (at_ n c)) in A.
  change (value (S n) (fun i => majority (s i) (c i) (u i))) with
    (value n (fun i => majority (s i) (c i) (u i)) +
     2 ^ Z.of_nat n * Z.b2z (majority (at_ n s) (at_ n c) (at_ n u))) in A.
  rewrite HS, HC in A. replace (majority false false (at_ n u)) with false in A
    by (destruct (at_ n u); reflexivity).
  cbn [Z.b2z] in A. lia.
Qed.

Lemma two_adders : forall n (s c u v : bits), at_ n s = false -> at_ n c = false ->
  at_ n u = false -> at_ n v = false ->
  xorb (parity (at_ 0 s) (at_ 0 c) (at_ 0 u)) (at_ 0 v) = false ->
  let s1 := fun i => parity (s i) (c i) (u i) in
  let c1 := carry_down s c u in
  2 * (value n (fun i => parity (s1 (i + 1)%N) (c1 (i + 1)%N) (v (i + 1)%N)) +
       value n (fun i => majority (s1 i) (c1 i) (v i))) =
  value n s + value n c + value n u + value n v.
Proof.
  intros n s c u v HS HC HU HV P. cbv zeta.
  set (s1 := fun i => parity (s i) (c i) (u i)). set (c1 := carry_down s c u).
  pose proof (carry_save n s c u) as A. fold s1 in A.
  pose proof (carry_save (S n) s1 c1 v) as B.
  assert (VC : value (S n) c1 = 2 * value n (fun i => majority (s i) (c i) (u i))).
  { rewrite value_above. change (at_ 0 c1) with false. simpl Z.b2z. rewrite Z.add_0_l. f_equal.
    apply value_same. intros i I. rewrite at_above. unfold at_, c1, carry_down.
    destruct (N.eqb_spec (N.of_nat (S i)) 0); [lia|].
    replace (N.of_nat (S i) - 1)%N with (N.of_nat i) by lia. reflexivity. }
  rewrite VC in B. rewrite (value_above n (fun i => parity (s1 i) (c1 i) (v i))) in B.
  assert (P0 : at_ 0 (fun i => parity (s1 i) (c1 i) (v i)) = false).
  { unfold at_ in *. unfold parity at 1. change (c1 (N.of_nat 0)) with false. unfold s1.
    rewrite xorb_false_r. exact P. }
  rewrite P0 in B.
  rewrite (value_same n (above (fun i => parity (s1 i) (c1 i) (v i)))
             (fun i => parity (s1 (i + 1)%N) (c1 (i + 1)%N) (v (i + 1)%N))) in B
    by (intros; unfold at_, above; rewrite N.add_1_r; reflexivity).
  assert (S1 : at_ n s1 = false).
  { change (at_ n s1) with (parity (at_ n s) (at_ n c) (at_ n u)). rewrite HS, HC, HU. reflexivity. }
  change (value (S n) s1) with (value n s1 + 2 ^ Z.of_nat n * Z.b2z (at_ n s1)) in B.
  change (value (S n) v) with (value n v + 2 ^ Z.of_nat n * Z.b2z (at_ n v)) in B.
  change (value (S n) (fun i => majority (s1 i) (c1 i) (v i))) with
    (value n (fun i => majority (s1 i) (c1 i) (v i)) +
     2 ^ Z.of_nat n * Z.b2z (majority (at_ n s1) (at_ n c1) (at_ n v))) in B.
  rewrite S1, HV in B. replace (majority false (at_ n c1) false) with false in B
    by (destruct (at_ n c1); reflexivity).
  cbn [Z.b2z] in B. lia.
Qed.

(* The value of terms. *)
Definition number_of (e : valuation) (n : nat) (f : N -> term) : Z := value n (fun i => eval e (f i)).
