(* SPDX-License-Identifier: Apache-2.0 *)
(* What the words of one pass of the word-stream adder add up to, for any number of words: the
   reduction of S + C, and with it the product of a unit. *)

From Coq Require Import ZArith Lia.
From Modmul Require Import Core.
Local Open Scope Z_scope.

(* The number of k words of w bits, the lowest one first. *)
Fixpoint words (w : Z) (k : nat) (f : nat -> Z) : Z :=
  match k with O => 0 | S k => words w k f + 2 ^ (w * Z.of_nat k) * f k end.

(* What verif/formal/adder_pass.sv proves of the words of a pass: sum is word j of A + B, with
   carry carry; difference is word j of A + B - M, with a carry of 0, 1 or 2 that begins with 1. *)
Record pass (w : Z) (k : nat) (a b m sum carry difference saved : nat -> Z) : Prop := {
  sum_words : forall j, (j < k)%nat -> 0 <= sum j < 2 ^ w;
  difference_words : forall j, (j < k)%nat -> 0 <= difference j < 2 ^ w;
  carry_begins : carry 0%nat = 0;
  saved_begins : saved 0%nat = 1;
  carry_positive : forall j, 0 <= carry j;
  saved_positive : forall j, 0 <= saved j;
  sums : forall j, (j < k)%nat -> sum j + 2 ^ w * carry (S j) = a j + b j + carry j;
  subtracts : forall j, (j < k)%nat ->
    difference j + 2 ^ w * saved (S j) = a j + b j + (2 ^ w - 1 - m j) + saved j
}.

Lemma power_words : forall w k, 0 < w -> 2 ^ (w * Z.of_nat (S k)) = 2 ^ (w * Z.of_nat k) * 2 ^ w.
Proof. intros. rewrite <- Z.pow_add_r by lia. f_equal. lia. Qed.

Lemma words_bounds : forall w k f, 0 < w -> (forall j, (j < k)%nat -> 0 <= f j < 2 ^ w) ->
  0 <= words w k f < 2 ^ (w * Z.of_nat k).
Proof.
  intros w k f W. induction k as [|k IH]; intro H; cbn [words].
  - rewrite Z.mul_0_r. simpl. lia.
  - rewrite power_words by exact W.
    assert (0 <= words w k f < 2 ^ (w * Z.of_nat k)) by (apply IH; intros; apply H; lia).
    specialize (H k ltac:(lia)). nia.
Qed.

Section Pass.
  Variables (w : Z) (k : nat) (a b m sum carry difference saved : nat -> Z).
  Hypothesis W : 0 < w.
  Hypothesis P : pass w k a b m sum carry difference saved.
  Let A := words w k a.
  Let B := words w k b.
  Let M := words w k m.
  Let full := 2 ^ (w * Z.of_nat k).

  Lemma sum_number : words w k sum + full * carry k = A + B.
  Proof.
    unfold A, B, full.
    enough (forall i, (i <= k)%nat ->
      words w i sum + 2 ^ (w * Z.of_nat i) * carry i = words w i a + words w i b) as H
      by (apply H; lia).
    induction i as [|i IH]; intro I; cbn [words].
    - rewrite (carry_begins _ _ _ _ _ _ _ _ _ P). lia.
    - rewrite power_words by exact W. specialize (IH ltac:(lia)).
      pose proof (sums _ _ _ _ _ _ _ _ _ P i ltac:(lia)). nia.
  Qed.

  Lemma difference_number : words w k difference + full * saved k = A + B - M + full.
  Proof.
    unfold A, B, M, full.
    enough (forall i, (i <= k)%nat ->
      words w i difference + 2 ^ (w * Z.of_nat i) * saved i =
      words w i a + words w i b - words w i m + 2 ^ (w * Z.of_nat i)) as H by (apply H; lia).
    induction i as [|i IH]; intro I; cbn [words].
    - rewrite (saved_begins _ _ _ _ _ _ _ _ _ P). rewrite Z.mul_0_r. simpl. lia.
    - rewrite power_words by exact W. specialize (IH ltac:(lia)).
      pose proof (subtracts _ _ _ _ _ _ _ _ _ P i ltac:(lia)). nia.
  Qed.

  (* The pass keeps the difference where its last carry is not 0. *)
  Definition kept : Z := if saved k =? 0 then words w k sum else words w k difference.

  Theorem kept_is_reduced : 0 <= M -> 0 <= A + B < full -> A + B - M < full ->
    kept = reduced M (A + B).
  Proof.
    intros HM HAB HD. pose proof sum_number as HS. pose proof difference_number as HDN.
    pose proof (words_bounds w k sum W (sum_words _ _ _ _ _ _ _ _ _ P)) as BS.
    pose proof (words_bounds w k difference W (difference_words _ _ _ _ _ _ _ _ _ P)) as BD.
    pose proof (carry_positive _ _ _ _ _ _ _ _ _ P k) as CP.
    pose proof (saved_positive _ _ _ _ _ _ _ _ _ P k) as SP.
    fold full in BS, BD. unfold kept, reduced.
    destruct (Z.eqb_spec (saved k) 0) as [E|E]; destruct (Z.ltb_spec (A + B) M) as [L|L].
    - assert (carry k = 0) by nia. nia.
    - rewrite E in HDN. lia.
    - assert (full * saved k < full) by lia. assert (saved k = 0) by nia. contradiction.
    - assert (saved k = 1) by nia. nia.
  Qed.

  (* From the core's pair to P: a sum of S and C by words, reduced once. *)
  Theorem unit_product : forall n x y q, 0 <= n -> 0 < M -> y <= M -> y + M <= full ->
    2 ^ n * (A + B) = x * y + q * M -> 0 <= A + B < y + M ->
    0 <= kept < M /\ (2 ^ n * kept) mod M = (x * y) mod M.
  Proof.
    intros n x y q N HM Y F E H. rewrite kept_is_reduced by lia.
    apply (reduced_product n x y M (A + B) q); assumption.
  Qed.
End Pass.

(* What verif/formal/operand_compare.sv proves of the words of X (or Y) and M. *)
Record comparison (w : Z) (k : nat) (x m d carry : nat -> Z) : Prop := {
  compare_words : forall j, (j < k)%nat -> 0 <= d j < 2 ^ w;
  compare_begins : carry 0%nat = 1;
  compare_positive : forall j, 0 <= carry j;
  compares : forall j, (j < k)%nat ->
    d j + 2 ^ w * carry (S j) = x j + (2 ^ w - 1 - m j) + carry j
}.

(* The last carry is 0 exactly if X < M. *)
Theorem below_of_words : forall w k x m d carry, 0 < w -> comparison w k x m d carry ->
  (forall j, (j < k)%nat -> 0 <= x j < 2 ^ w) -> (forall j, (j < k)%nat -> 0 <= m j < 2 ^ w) ->
  (carry k = 0 <-> words w k x < words w k m).
Proof.
  intros w k x m d carry W C HX HM.
  assert (N : forall i, (i <= k)%nat ->
    words w i d + 2 ^ (w * Z.of_nat i) * carry i =
    words w i x - words w i m + 2 ^ (w * Z.of_nat i)).
  { induction i as [|i IH]; intro I; cbn [words].
    - rewrite (compare_begins _ _ _ _ _ _ C). rewrite Z.mul_0_r. simpl. lia.
    - rewrite power_words by exact W. specialize (IH ltac:(lia)).
      pose proof (compares _ _ _ _ _ _ C i ltac:(lia)). nia. }
  specialize (N k ltac:(lia)). pose proof (compare_positive _ _ _ _ _ _ C k).
  pose proof (words_bounds w k d W (compare_words _ _ _ _ _ _ C)).
  pose proof (words_bounds w k x W HX). pose proof (words_bounds w k m W HM).
  split; intro H4; nia.
Qed.

(* M > 1 and M odd, from its words. *)
Theorem above_of_words : forall w k m (up : nat -> bool), 0 < w ->
  (forall j, (j <= k)%nat -> 0 <= m j < 2 ^ w) ->
  up 1%nat = (1 <? m 0%nat) ->
  (forall j, (1 <= j <= k)%nat -> up (S j) = (up j || negb (m j =? 0))%bool) ->
  up (S k) = (1 <? words w (S k) m).
Proof.
  intros w k m up W HM U0 US. induction k as [|k IH].
  - cbn [words]. rewrite U0, Z.mul_0_r, Z.mul_1_l. reflexivity.
  - rewrite (US (S k)) by lia. rewrite IH; [|intros; apply HM; lia|intros; apply US; lia].
    change (words w (S (S k)) m) with (words w (S k) m + 2 ^ (w * Z.of_nat (S k)) * m (S k)).
    pose proof (words_bounds w (S k) m W) as B.
    assert (0 <= words w (S k) m) by (apply B; intros; apply HM; lia).
    pose proof (HM (S k) ltac:(lia)).
    assert (2 <= 2 ^ (w * Z.of_nat (S k))).
    { change 2 with (2 ^ 1) at 1. apply Z.pow_le_mono_r; nia. }
    destruct (Z.eqb_spec (m (S k)) 0) as [E|E]; cbn [negb].
    + rewrite E, Z.mul_0_r, Z.add_0_r. apply Bool.orb_false_r.
    + rewrite Bool.orb_true_r. symmetry. apply Z.ltb_lt. nia.
Qed.

Theorem odd_of_words : forall w k m, 0 < w -> Z.odd (words w (S k) m) = Z.odd (m 0%nat).
Proof.
  intros w k m W. induction k as [|k IH].
  - cbn [words]. rewrite Z.mul_0_r, Z.mul_1_l. reflexivity.
  - change (words w (S (S k)) m) with (words w (S k) m + 2 ^ (w * Z.of_nat (S k)) * m (S k)).
    rewrite Z.odd_add, IH, Z.odd_mul, Z.odd_pow by nia. apply Bool.xorb_false_r.
Qed.
