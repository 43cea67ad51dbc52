(* SPDX-License-Identifier: Apache-2.0 *)
(* The product of a ring of word-by-bit elements (MWR2MM), for every word width, every number of
   words, of elements and of bits. Yices proves the lemmas of an element (RingLemmas.v, from
   mwr2mm_element_words.sv). What the ring does between the elements is assumed: record ring. *)

From Coq Require Import Bool NArith ZArith Lia.
From Modmul Require Import Numbers Core Adder RingLemmas.
Local Open Scope Z_scope.

(* ---------------------------------------------------------------------------------------------- *)
(* One pass of k words through an element, from cycle t on.                                        *)

Record stream (k : nat) (u : trace) (t : nat) : Prop := {
  stream_first : u_first u t = true;
  stream_later : forall j, (0 < j < k)%nat -> u_first u (t + j) = false;
  stream_last : u_last u (t + (k - 1)) = true;
  stream_before : forall j, (j < k - 1)%nat -> u_last u (t + j) = false
}.

Lemma odd_bit : forall a, bit_of a 0 <-> Z.odd a = true.
Proof. intro a. unfold bit_of. rewrite Z.bit0_odd. tauto. Qed.

Section Element.
  Variables (w : Z) (k : nat) (u : trace) (t : nat).
  Hypothesis W : 0 < w.
  Hypothesis K : (1 <= k)%nat.
  Hypothesis L : lemmas w u.
  Hypothesis T : stream k u t.
  Let d := Z.b2z (u_digit u t).
  Let q := Z.b2z (u_q u t).
  Let s j := u_s u (t + j).
  Let y j := u_y u (t + j).
  Let m j := u_m u (t + j).
  Let low j := u_low u (t + S j).
  Let p j := u_parity u (t + S j).
  Let out j := u_s_out u (t + S (S j)).
  Let carry j := match j with O => 0 | S _ => u_carry u (t + j) end.

  Lemma digit_steady : forall j, (j < k)%nat -> u_x u (t + j) = u_digit u t.
  Proof.
    induction j as [|j IH]; intro J.
    - rewrite Nat.add_0_r. apply eq_true_iff_eq.
      apply (h_takes_x w u L). exact (stream_first _ _ _ T).
    - rewrite <- IH by lia. replace (t + S j)%nat with (S (t + j)) by lia.
      pose proof (h_keeps_x w u L (t + j)) as [H|H]; [|apply eq_true_iff_eq; exact H].
      replace (S (t + j)) with (t + S j)%nat in H by lia.
      rewrite (stream_later _ _ _ T) in H by lia. discriminate H.
  Qed.

  Lemma quotient_steady : forall j, (j < k)%nat -> u_q u (t + j) = u_q u t.
  Proof.
    induction j as [|j IH]; intro J; [rewrite Nat.add_0_r; reflexivity|].
    rewrite <- IH by lia. replace (t + S j)%nat with (S (t + j)) by lia.
    pose proof (h_keeps_q w u L (t + j)) as [H|H]; [|apply eq_true_iff_eq; exact H].
    replace (S (t + j)) with (t + S j)%nat in H by lia.
    rewrite (stream_later _ _ _ T) in H by lia. discriminate H.
  Qed.

  Lemma word_added : forall j, (j < k)%nat ->
    low j + 2 ^ w * carry (S j) = s j + d * y j + q * m j + carry j.
  Proof.
    intros j J. unfold low, s, y, m, d, q.
    pose proof (h_sums w u L (t + j)) as E. unfold above_word in E.
    assert (u_added_y u (t + j) = Z.b2z (u_digit u t) * u_y u (t + j)) as EY.
    { rewrite <- (digit_steady j J). destruct (u_x u (t + j)) eqn:X.
      - rewrite (h_adds_y w u L (t + j) X). simpl Z.b2z. lia.
      - destruct (h_skips_y w u L (t + j)) as [H|H]; [congruence|]. rewrite H. simpl Z.b2z. lia. }
    assert (u_added_m u (t + j) = Z.b2z (u_q u t) * u_m u (t + j)) as EM.
    { rewrite <- (quotient_steady j J). destruct (u_q u (t + j)) eqn:X.
      - rewrite (h_adds_m w u L (t + j) X). simpl Z.b2z. lia.
      - destruct (h_skips_m w u L (t + j)) as [H|H]; [congruence|]. rewrite H. simpl Z.b2z. lia. }
    assert (u_carried u (t + j) = carry j) as EC.
    { unfold carry. destruct j as [|j].
      - rewrite Nat.add_0_r. apply (h_carry_first w u L). exact (stream_first _ _ _ T).
      - destruct (h_carry_in w u L (t + S j)) as [H|H]; [|exact H].
        rewrite (stream_later _ _ _ T) in H by lia. discriminate H. }
    cbn [carry]. replace (t + S j)%nat with (S (t + j)) by lia. lia.
  Qed.

  Lemma words_added : forall i, (i <= k)%nat ->
    words w i low + 2 ^ (w * Z.of_nat i) * carry i =
    words w i s + d * words w i y + q * words w i m.
  Proof.
    induction i as [|i IH]; intro I; cbn [words]; [cbn [carry]; lia|].
    rewrite power_words by exact W. specialize (IH ltac:(lia)).
    pose proof (word_added i ltac:(lia)). nia.
  Qed.

  Lemma parity_is : forall j, p j = Z.b2z (Z.odd (low j)).
  Proof.
    intro j. unfold p, low. pose proof (h_parity_of_low w u L (t + S j)) as H.
    rewrite odd_bit in H. pose proof (h_parity_small w u L (t + S j)) as [A _].
    pose proof (h_not_negative w u L (t + S j)) as N.
    destruct (Z.odd (u_low u (t + S j))); simpl Z.b2z; [apply H; reflexivity|].
    assert (u_parity u (t + S j) <> 1) by (intro E; apply H in E; discriminate E). lia.
  Qed.

  Lemma word_halved : forall j, (j < k)%nat ->
    2 * out j + p j = low j + 2 ^ w * (if (S j =? k)%nat then Z.b2z (Z.odd (carry k)) else p (S j)).
  Proof.
    intros j J. pose proof (h_halves w u L (t + S j)) as E. unfold above_word in E.
    pose proof (h_ends_after w u L (t + j)) as N.
    pose proof (h_not_negative w u L (t + S j)) as B.
    pose proof (h_parity_small w u L (t + S j)) as [_ A].
    replace (S (t + j)) with (t + S j)%nat in N by lia.
    replace (S (t + S j)) with (t + S (S j))%nat in E by lia.
    unfold out, low, p at 1.
    enough (u_moved u (t + S j) =
      (if (S j =? k)%nat then Z.b2z (Z.odd (carry k)) else p (S j))) as H
      by (rewrite <- H; lia).
    destruct (Nat.eqb_spec (S j) k) as [F|F].
    - assert (u_ends u (t + S j) = true) as X.
      { apply N. replace (t + j)%nat with (t + (k - 1))%nat by lia. exact (stream_last _ _ _ T). }
      pose proof (h_moves_carry w u L (t + S j) X) as H. rewrite odd_bit in H.
      unfold carry. rewrite <- F.
      destruct (Z.odd (u_carry u (t + S j))); simpl Z.b2z; [apply H; reflexivity|].
      assert (u_moved u (t + S j) <> 1) by (intro G; apply H in G; discriminate G). lia.
    - assert (u_last u (t + j) = false) as X by (apply (stream_before _ _ _ T); lia).
      rewrite parity_is. unfold low.
      pose proof (h_moves w u L (t + S j)) as [H|H].
      + apply N in H. congruence.
      + replace (S (t + S j)) with (t + S (S j))%nat in H by lia. rewrite odd_bit in H.
        destruct (Z.odd (u_low u (t + S (S j)))); simpl Z.b2z; [apply H; reflexivity|].
        assert (u_moved u (t + S j) <> 1) by (intro G; apply H in G; discriminate G). lia.
  Qed.

  Lemma words_halved : forall i, (i < k)%nat ->
    2 * words w i out + p 0 = words w i low + 2 ^ (w * Z.of_nat i) * p i.
  Proof.
    induction i as [|i IH]; intro I; cbn [words]; [change (Z.of_nat 0) with 0; rewrite (Z.mul_0_r w), Z.pow_0_r; lia|].
    rewrite power_words by exact W. specialize (IH ltac:(lia)).
    pose proof (word_halved i ltac:(lia)) as H.
    destruct (Nat.eqb_spec (S i) k) as [F|F]; [lia|]. nia.
  Qed.

  (* S' = (S + x*Y + q*M)/2; word j goes out two cycles after it came in. *)
  Theorem element_pass :
    Z.odd (u_m u t) = true ->
    0 <= words w k s + d * words w k y + q * words w k m < 2 * 2 ^ (w * Z.of_nat k) ->
    2 * words w k out = words w k s + d * words w k y + q * words w k m.
  Proof.
    intros O B. pose proof (words_added k ltac:(lia)) as A.
    assert (p 0 = 0) as P0.
    { rewrite parity_is. unfold low. pose proof (h_makes_even w u L t) as H.
      rewrite !odd_bit in H. replace (t + 1)%nat with (S t) by lia.
      destruct (Z.odd (u_low u (S t))); [|reflexivity].
      exfalso. apply H; [|reflexivity]. split; [exact (stream_first _ _ _ T)|exact O]. }
    assert (0 <= words w k low < 2 ^ (w * Z.of_nat k)) as BL.
    { apply words_bounds; [exact W|]. intros j _. unfold low.
      pose proof (h_words_small w u L (t + S j)) as [H _]. unfold above_word in H.
      pose proof (h_not_negative w u L (t + S j)). lia. }
    assert (0 <= carry k <= 1) as BC.
    { assert (0 <= carry k).
      { unfold carry. destruct k; [lia|]. pose proof (h_not_negative w u L (t + S n)). lia. }
      nia. }
    assert (Z.b2z (Z.odd (carry k)) = carry k) as EC.
    { assert (carry k = 0 \/ carry k = 1) as [E|E] by lia; rewrite E; reflexivity. }
    pose proof (words_halved (k - 1) ltac:(lia)) as H.
    pose proof (word_halved (k - 1) ltac:(lia)) as V.
    destruct k as [|i]; [lia|]. cbn [Nat.sub] in H, V. rewrite Nat.sub_0_r in H, V.
    rewrite Nat.eqb_refl, EC in V. rewrite P0 in H. cbn [words] in *.
    rewrite power_words in * by exact W. nia.
  Qed.

  (* Y and M pass unchanged. *)
  Theorem element_passes : forall j,
    u_y_out u (t + S (S j)) = y j /\ u_m_out u (t + S (S j)) = m j.
  Proof.
    intro j. pose proof (h_holds w u L (t + j)) as [A B].
    pose proof (h_passes w u L (S (t + j))) as [C D].
    replace (t + S (S j))%nat with (S (S (t + j))) by lia. unfold y, m. lia.
  Qed.
End Element.

(* ---------------------------------------------------------------------------------------------- *)
(* n passes, each through any element of the ring.                                                 *)

(* Pass i takes bit i of X in element u i, from cycle t i on. The first pass takes zeros, each later
   pass the words of S that the pass before gives. *)
Record ring (w : Z) (k n : nat) (x : bits) (y m : nat -> Z) (u : nat -> trace) (t : nat -> nat)
    : Prop := {
  ring_element : forall i, (i < n)%nat -> lemmas w (u i);
  ring_stream : forall i, (i < n)%nat -> stream k (u i) (t i);
  ring_digit : forall i, (i < n)%nat -> u_digit (u i) (t i) = at_ i x;
  ring_y : forall i j, (i < n)%nat -> (j < k)%nat -> u_y (u i) (t i + j) = y j;
  ring_m : forall i j, (i < n)%nat -> (j < k)%nat -> u_m (u i) (t i + j) = m j;
  ring_zero : forall j, (j < k)%nat -> u_s (u 0%nat) (t 0%nat + j) = 0;
  ring_next : forall i j, (S i < n)%nat -> (j < k)%nat ->
    u_s (u (S i)) (t (S i) + j) = u_s_out (u i) (t i + S (S j))
}.

Lemma words_same : forall w k f g, (forall j, (j < k)%nat -> f j = g j) ->
  words w k f = words w k g.
Proof.
  intros w k f g. induction k as [|k IH]; intro H; cbn [words]; [reflexivity|].
  rewrite IH, H; [reflexivity|lia|intros; apply H; lia].
Qed.

Lemma words_zero : forall w k, words w k (fun _ => 0) = 0.
Proof. intros w k. induction k as [|k IH]; cbn [words]; lia. Qed.

Section Ring.
  Variables (w : Z) (k n : nat) (x : bits) (y m : nat -> Z) (u : nat -> trace) (t : nat -> nat).
  Hypothesis W : 0 < w.
  Hypothesis K : (1 <= k)%nat.
  Hypothesis R : ring w k n x y m u t.
  Let Y := words w k y.
  Let M := words w k m.
  Hypothesis ODD : Z.odd (m 0%nat) = true.
  Hypothesis YN : 0 <= Y.
  Hypothesis MP : 0 < M.
  Hypothesis FIT : Y + M <= 2 ^ (w * Z.of_nat k).
  Let into i := words w k (fun j => u_s (u i) (t i + j)).
  Definition result i := words w k (fun j => u_s_out (u i) (t i + S (S j))).

  Lemma pass_exact : forall i, (i < n)%nat -> 0 <= into i < Y + M ->
    exists b, (b = 0 \/ b = 1) /\ 2 * result i = into i + Z.b2z (at_ i x) * Y + b * M.
  Proof.
    intros i I B. exists (Z.b2z (u_q (u i) (t i))).
    split; [destruct (u_q (u i) (t i)); simpl; lia|].
    pose proof (element_pass w k (u i) (t i) W K (ring_element _ _ _ _ _ _ _ _ R i I)
      (ring_stream _ _ _ _ _ _ _ _ R i I)) as E.
    assert (words w k (fun j => u_y (u i) (t i + j)) = Y) as EY
      by (apply words_same; intros; apply (ring_y _ _ _ _ _ _ _ _ R); assumption).
    assert (words w k (fun j => u_m (u i) (t i + j)) = M) as EM
      by (apply words_same; intros; apply (ring_m _ _ _ _ _ _ _ _ R); assumption).
    rewrite EY, EM, (ring_digit _ _ _ _ _ _ _ _ R i I) in E. fold (into i) in E.
    unfold result. apply E.
    - replace (t i) with (t i + 0)%nat by lia.
      rewrite (ring_m _ _ _ _ _ _ _ _ R) by lia. exact ODD.
    - destruct (at_ i x), (u_q (u i) (t i)); simpl Z.b2z; lia.
  Qed.

  (* After pass i: 2**(i+1)*S = X*Y + Q*M with the lowest i + 1 bits of X, and S < Y + M. *)
  Lemma passes_exact : forall i, (i < n)%nat -> exists q, 0 <= q < 2 ^ Z.of_nat (S i) /\
    2 ^ Z.of_nat (S i) * result i = value (S i) x * Y + q * M /\ 0 <= result i < Y + M.
  Proof.
    induction i as [|i IH]; intro I.
    - assert (into 0 = 0) as Z0.
      { unfold into. rewrite <- (words_zero w k). apply words_same.
        intros. apply (ring_zero _ _ _ _ _ _ _ _ R). assumption. }
      destruct (pass_exact 0 I) as [b [B E]]; [lia|]. rewrite Z0 in E.
      exists b. change (2 ^ Z.of_nat 1) with 2. cbn [value]. change (2 ^ Z.of_nat 0) with 1.
      destruct (at_ 0 x), B as [-> | ->]; simpl Z.b2z in *; lia.
    - destruct (IH ltac:(lia)) as [q [Q [E B]]].
      assert (into (S i) = result i) as N.
      { unfold into, result. apply words_same.
        intros. apply (ring_next _ _ _ _ _ _ _ _ R); assumption. }
      destruct (pass_exact (S i) I) as [b [C F]]; [lia|]. rewrite N in F.
      change (value (S (S i)) x) with
        (value (S i) x + 2 ^ Z.of_nat (S i) * Z.b2z (at_ (S i) x)).
      exists (q + 2 ^ Z.of_nat (S i) * b). pose proof (power_positive (S i)) as P.
      rewrite (power_step (S i)). remember (2 ^ Z.of_nat (S i)) as r.
      destruct C as [-> | ->], (at_ (S i) x); simpl Z.b2z in *; repeat split; try lia; nia.
  Qed.

  (* The product of the ring, and P after one subtraction at most. *)
  Theorem ring_product : (1 <= n)%nat ->
    let z := result (n - 1) in
    exists q, 0 <= q < 2 ^ Z.of_nat n /\ 2 ^ Z.of_nat n * z = value n x * Y + q * M /\
      0 <= z < Y + M /\
      (Y <= M -> 0 <= reduced M z < M /\
        (2 ^ Z.of_nat n * reduced M z) mod M = (value n x * Y) mod M).
  Proof.
    intros N z. destruct (passes_exact (n - 1) ltac:(lia)) as [q [Q [E B]]].
    replace (S (n - 1)) with n in * by lia. exists q. unfold z. split; [exact Q|].
    split; [exact E|]. split; [exact B|]. intro H.
    apply (reduced_product (Z.of_nat n) (value n x) Y M (result (n - 1)) q); try lia.
  Qed.
End Ring.
