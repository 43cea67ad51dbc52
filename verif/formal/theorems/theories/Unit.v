(* SPDX-License-Identifier: Apache-2.0 *)
(* The product of a unit: the core's product, and an adder pass over the words in which S and C leave
   the core. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Rest Core Adder.
Local Open Scope Z_scope.

Lemma words_same : forall w k f g, (forall j, (j < k)%nat -> f j = g j) -> words w k f = words w k g.
Proof.
  intros w k f g. induction k as [|k IH]; intro H; cbn [words]; [reflexivity|].
  rewrite IH by (intros; apply H; lia). rewrite (H k) by lia. reflexivity.
Qed.

(* The words of a number, lowest first. *)
Lemma words_of_number : forall w k s, 0 < w ->
  words w k (fun j => (s / 2 ^ (w * Z.of_nat j)) mod 2 ^ w) = s mod 2 ^ (w * Z.of_nat k).
Proof.
  intros w k s W. induction k as [|k IH]; cbn [words].
  - rewrite Z.mul_0_r. simpl. rewrite Z.mod_1_r. reflexivity.
  - rewrite IH, power_words by exact W.
    rewrite Z.rem_mul_r; [reflexivity| |]; try (apply Z.pow_nonzero; nia); apply Z.pow_pos_nonneg; nia.
Qed.

(* The adder's pass (E) over what leaves the core: word j of a and b is the lowest word of S and C in
   a cycle after j unloads; the words of m are the modulus. done is the cycle of done. *)
Record unit_pass (net : netlist) (sh : shape) (e : nat -> valuation) (done : nat)
    (w : Z) (k : nat) (a b m sum carry difference saved : nat -> Z) (at_word : nat -> nat)
    (m_value : Z) : Prop := {
  unit_adds : pass w k a b m sum carry difference saved;
  unit_word : w = Z.of_N (word sh);
  unit_waits : e (done - 1)%nat (Unload, 0%N) = false;
  unit_no_start : forall j i, (j < k)%nat -> (i < at_word j)%nat ->
    e (done + 1 + i)%nat (Start, 0%N) = false;
  unit_unloads : forall j, (j < k)%nat -> unloads e done (at_word j) = j;
  unit_takes_s : forall j z, (j < k)%nat ->
    shows_number net (e (done + 1 + at_word j)%nat) OutS (N.to_nat (width sh + guard sh)) z ->
    a j = z mod 2 ^ w;
  unit_takes_c : forall j z, (j < k)%nat ->
    shows_number net (e (done + 1 + at_word j)%nat) OutC (N.to_nat (width sh + guard sh)) z ->
    b j = z mod 2 ^ w;
  unit_modulus : words w k m = m_value
}.

Theorem unit_is_right :
  forall net sh idle_core takes last size e t0 x y m w k a b mw sum carry difference saved at_word,
  product net sh idle_core takes last size e t0 x y m ->
  unit_pass net sh e (t0 + (last + 1)) w k a b mw sum carry difference saved at_word m ->
  0 < w -> 0 < m -> y <= m -> y + m <= 2 ^ (w * Z.of_nat k) ->
  0 <= kept w k sum difference saved < m /\
  (2 ^ Z.of_N (width sh) * kept w k sum difference saved) mod m = (x * y) mod m.
Proof.
  intros net sh idle_core takes last size e t0 x y m w k a b mw sum carry difference saved at_word
    P U W M Y F.
  destruct (result _ _ _ _ _ _ _ _ _ _ _ P) as [s [c [q [HS [HC [Q [E [B L]]]]]]]].
  destruct U as [ADD WORD WAIT NOSTART UNL TS TC MOD].
  assert (S0 : 0 <= s) by (destruct HS as [f [_ <-]]; apply value_bounds).
  assert (C0 : 0 <= c) by (destruct HC as [f [_ <-]]; apply value_bounds).
  replace (t0 + (last + 1) - 1)%nat with (t0 + last)%nat in WAIT by lia.
  assert (D : forall j, (j < k)%nat ->
    a j = (s / 2 ^ (w * Z.of_nat j)) mod 2 ^ w /\ b j = (c / 2 ^ (w * Z.of_nat j)) mod 2 ^ w).
  { intros j J. specialize (L (at_word j) WAIT).
    replace (t0 + (last + 1) + 1)%nat with (t0 + (last + 2))%nat in * by lia.
    destruct (L (fun i I => NOSTART j i J I)) as [LS LC]. cbv zeta in LS, LC.
    rewrite (UNL j J) in LS, LC. rewrite <- WORD in LS, LC.
    split; [exact (TS j _ J LS)|exact (TC j _ J LC)]. }
  assert (A : words w k a = s).
  { rewrite (words_same w k a _ (fun j J => proj1 (D j J))), words_of_number by exact W.
    apply Z.mod_small. lia. }
  assert (A' : words w k b = c).
  { rewrite (words_same w k b _ (fun j J => proj2 (D j J))), words_of_number by exact W.
    apply Z.mod_small. lia. }
  rewrite <- MOD, <- A, <- A' in *.
  apply (unit_product w k a b mw sum carry difference saved W ADD (Z.of_N (width sh)) x y q);
    try assumption; try lia.
Qed.
