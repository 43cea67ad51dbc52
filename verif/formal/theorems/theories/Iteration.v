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
