(* SPDX-License-Identifier: Apache-2.0 *)
(* The ladder of an exponentiation, with products as opaque operations: for every width, every
   Length and every exponent, the products that the control starts compute Data**Exponent mod M.
   Yices proves the lemmas of the control (LadderLemmas.v, from exponentiation_ladder.sv). *)

From Coq Require Import Bool ZArith Znumtheory Lia Setoid Morphisms.
From Modmul Require Import LadderLemmas.
Local Open Scope Z_scope.

(* ---------------------------------------------------------------------------------------------- *)
(* Numbers modulo m.                                                                               *)

Definition cong (m x y : Z) : Prop := (m | x - y).

Global Instance cong_equivalence : forall m, Equivalence (cong m).
Proof.
  intro m. unfold cong. split.
  - intro x. exists 0. lia.
  - intros x y [k H]. exists (- k). lia.
  - intros x y z [k H] [l G]. exists (k + l). lia.
Qed.

Global Instance cong_product : forall m, Proper (cong m ==> cong m ==> cong m) Z.mul.
Proof.
  intros m x y [k H] v w [l G]. exists (x * l + k * w).
  replace (x * v - y * w) with (x * (v - w) + (x - y) * w) by ring. rewrite H, G. ring.
Qed.

Lemma cong_equal : forall m x y, x = y -> cong m x y.
Proof. intros m x y E. rewrite E. reflexivity. Qed.

Lemma cong_cancels : forall m r x y, rel_prime m r -> cong m (r * x) (r * y) -> cong m x y.
Proof.
  unfold cong. intros m r x y P H. apply Gauss with r; [|exact P].
  replace (r * (x - y)) with (r * x - r * y) by ring. exact H.
Qed.

Lemma cong_is_equal : forall m x y, 0 <= x < m -> cong m x y -> x = y mod m.
Proof.
  intros m x y B [k H]. apply Z.mod_unique with (- k); [left; exact B|]. lia.
Qed.

Lemma odd_power : forall m r, Z.odd m = true -> 0 <= r -> rel_prime m (2 ^ r).
Proof.
  intros m r O L. pattern r. apply natlike_ind; [apply rel_prime_sym, rel_prime_1| |exact L].
  intros k K IH. rewrite Z.pow_succ_r by exact K. apply rel_prime_mult; [|exact IH].
  apply rel_prime_sym, prime_rel_prime; [exact prime_2|].
  intro D. apply Zdivide_mod in D. rewrite Zmod_odd, O in D. discriminate.
Qed.

Lemma next_bit : forall e i, 0 <= i ->
  e mod 2 ^ (i + 1) = e mod 2 ^ i + (if Z.testbit e i then 2 ^ i else 0).
Proof.
  intros e i I. rewrite Z.pow_add_r, Z.pow_1_r by lia.
  rewrite Z.rem_mul_r by lia. rewrite <- Z.testbit_spec' by exact I.
  destruct (Z.testbit e i); simpl; lia.
Qed.

(* ---------------------------------------------------------------------------------------------- *)
(* The datapath: what the products and passes compute that the control starts.                     *)

(* R**2 begins as 2**(width - 1), see seed_doublings in multiplier_pkg. exponentiation_ladder.sv
   asserts these equations of the functions of the package. *)
Record numbers (width radix above missing raised doublings squarings domain : Z) : Prop := {
  n_width : 1 <= width;
  n_radix : 0 <= radix;
  n_above : 0 <= above;
  n_missing : 0 <= missing;
  n_raised : 0 <= raised;
  n_doublings : 0 <= doublings;
  n_squarings : 0 <= squarings;
  n_doubled : domain <> 0 -> width - 1 + doublings + raised = radix + above;
  n_squared : domain <> 0 -> missing + above * 2 ^ squarings = 2 * radix
}.

(* Values of a cycle: A, S, R**2, the residue of the doublings and that of the last product of A, M,
   Data and the exponent. A product that starts in a cycle gives its value in the next one: that is
   the value that the next product takes. *)
Record values := {
  v_a : nat -> Z;
  v_s : nat -> Z;
  v_r : nat -> Z;
  v_doubled : nat -> Z;
  v_residue : nat -> Z;
  v_m : nat -> Z;
  v_data : nat -> Z;
  v_exponent : nat -> Z
}.

Record datapath (width radix missing raised domain : Z) (u : trace) (v : values) : Prop := {
  (* Products: the table of exponentiation_operands. *)
  d_entry_a : forall t, u_start_a u t = true -> u_y_r u t = true -> u_final_product u t <> true ->
    cong (v_m v t) (2 ^ radix * v_a v (S t)) (v_r v t);
  d_loop_a : forall t, u_start_a u t = true -> u_bit_step u t = true ->
    if Z.testbit (v_exponent v t) (u_index u t)
    then cong (v_m v t) (2 ^ radix * v_a v (S t)) (v_a v t * v_s v t)
    else v_a v (S t) = v_a v t;
  d_final_a : forall t, u_start_a u t = true -> u_final_product u t = true ->
    cong (v_m v t) (2 ^ radix * v_residue v (S t)) (v_a v t);
  d_no_a : forall t, u_start_a u t <> true ->
    v_a v (S t) = v_a v t /\ v_residue v (S t) = v_residue v t;
  d_entry_s : forall t, u_start_s u t = true -> u_entry u t = true ->
    cong (v_m v t) (2 ^ radix * v_s v (S t)) (v_data v t * v_r v t);
  d_write_r : forall t, u_start_s u t = true -> u_write_r u t = true ->
    cong (v_m v t) (2 ^ radix * v_r v (S t)) (v_s v t * 2 ^ missing);
  d_square : forall t, u_start_s u t = true -> u_entry u t <> true -> u_write_r u t <> true ->
    cong (v_m v t) (2 ^ radix * v_s v (S t)) (v_s v t * v_s v t);
  d_no_s : forall t, u_start_s u t <> true -> u_copied u t <> true -> v_s v (S t) = v_s v t;
  d_no_r : forall t, u_take u t <> true -> ~ (u_start_s u t = true /\ u_write_r u t = true) ->
    v_r v (S t) = v_r v t;
  (* Passes. *)
  d_doubled : forall t, u_doubled u t = true -> cong (v_m v t) (v_doubled v (S t))
    (2 * (if u_index u t =? 0 then 2 ^ (width - 1) else v_doubled v t));
  d_not_doubled : forall t, u_doubled u t <> true -> v_doubled v (S t) = v_doubled v t;
  d_copied : forall t, u_copied u t = true ->
    cong (v_m v t) (v_s v (S t)) (v_doubled v t * 2 ^ raised);
  (* Flags. *)
  d_one : forall t, u_one u t = true -> cong (v_m v t) (v_residue v t) 1;
  d_reduced : forall t, u_state u t = 7 -> u_final_begun u t = true ->
    0 <= v_residue v t < v_m v t;
  d_odd : forall t, u_judges u t = true -> u_odd u t = true -> Z.odd (v_m v t) = true;
  (* Operands. *)
  d_steady : forall t, u_state u t <> 0 -> v_m v (S t) = v_m v t /\
    v_data v (S t) = v_data v t /\ v_exponent v (S t) = v_exponent v t;
  d_not_written : forall t, u_m_written u t <> true -> v_m v (S t) = v_m v t;
  d_exponent : forall t, 0 < u_state u t < 8 -> 0 <= v_exponent v t < 2 ^ u_length u t;
  (* Without a Montgomery domain R and R**2 are 1. *)
  d_no_domain : domain = 0 -> radix = 0 /\ forall t, cong (v_m v t) (v_r v t) 1
}.

(* ---------------------------------------------------------------------------------------------- *)
(* The ladder.                                                                                     *)

Section Ladder.
  Variables (width radix above missing raised doublings squarings domain : Z).
  Variables (u : trace) (v : values).
  Hypothesis NUMBERS : numbers width radix above missing raised doublings squarings domain.
  Hypothesis LEMMAS : lemmas doublings squarings domain u.
  Hypothesis DATAPATH : datapath width radix missing raised domain u v.

  Let R := 2 ^ radix.
  Notation m := (v_m v).
  Notation state := (u_state u).
  Notation index := (u_index u).
  Notation yes f t := (f u t = true).
  Notation no f t := (~ f u t = true).

  Definition known t : Prop := cong (m t) (v_r v t) (R * R).
  Definition square i : Z := 2 ^ (radix + above * 2 ^ i).
  Definition power t i : Z := R * v_data v t ^ i.

  Definition in_seed t : Prop :=
    if u_copy u t then cong (m t) (v_doubled v t) (2 ^ (width - 1 + doublings))
    else index t = 0 \/ cong (m t) (v_doubled v t) (2 ^ (width - 1 + index t)).
  Definition in_square t : Prop :=
    if u_second u t then known t
    else if u_start_s u t then cong (m t) (v_s v t) (square (index t))
    else if index t =? squarings then known t
    else cong (m t) (v_s v t) (square (index t + 1)).
  Definition in_check t : Prop :=
    if u_second u t then
      if u_start_a u t then cong (m t) (R * v_a v t) (v_r v t)
      else cong (m t) (R * (R * v_residue v t)) (v_r v t)
    else yes u_start_a t \/ cong (m t) (R * v_a v t) (v_r v t).
  Definition in_entry t : Prop := known t /\
    ((yes u_start_a t /\ yes u_start_s t) \/
     (no u_start_a t /\ no u_start_s t /\
      cong (m t) (v_a v t) R /\ cong (m t) (v_s v t) (R * v_data v t))).
  (* i bits are done. *)
  Definition done_bits t i : Prop :=
    cong (m t) (v_a v t) (power t (v_exponent v t mod 2 ^ i)) /\
    cong (m t) (v_s v t) (power t (2 ^ i)).
  Definition in_loop t : Prop :=
    (yes u_start_a t /\ yes u_start_s t /\ done_bits t (index t)) \/
    (no u_start_a t /\ no u_start_s t /\ done_bits t (index t + 1)).
  Definition in_exit t : Prop :=
    if u_start_a u t then cong (m t) (v_a v t) (power t (v_exponent v t))
    else cong (m t) (v_residue v t) (v_data v t ^ v_exponent v t).
  Definition in_end t : Prop := u_outcome u t = 2 ->
    cong (m t) (v_residue v t) (v_data v t ^ v_exponent v t) /\ 0 <= v_residue v t < m t.

  Record invariant t : Prop := {
    i_kept : yes u_valid t -> known t;
    i_odd : yes u_judged t -> Z.odd (m t) = true;
    i_seed : state t = 2 -> in_seed t;
    i_square : state t = 3 -> in_square t;
    i_check : state t = 4 -> in_check t;
    i_entry : state t = 5 -> in_entry t;
    i_loop : state t = 6 -> in_loop t;
    i_exit : state t = 7 -> in_exit t;
    i_end : state t = 8 -> in_end t;
    i_state : 0 <= state t <= 8
  }.

  Definition follows a b : Prop :=
    (b = 0 \/ b = 8) \/ (a = 0 /\ b = 1) \/ (a = 1 /\ (b = 1 \/ b = 2 \/ b = 4 \/ b = 5)) \/
    (a = 2 /\ (b = 2 \/ b = 3)) \/ (a = 3 /\ (b = 3 \/ b = 5)) \/ (a = 4 /\ (b = 4 \/ b = 5)) \/
    (a = 5 /\ (b = 5 \/ b = 6)) \/ (a = 6 /\ (b = 6 \/ b = 7)) \/ (a = 7 /\ b = 7).

  Lemma radix_positive : 0 <= radix. Proof. apply NUMBERS. Qed.

  Lemma cancels : forall t x y, invariant t -> 3 <= state t <= 7 ->
    cong (m t) (R * x) (R * y) -> cong (m t) x y.
  Proof.
    intros t x y I L H.
    destruct (h_judged_is_odd _ _ _ _ LEMMAS t) as [E|[E|[E|[E|E]]]]; try lia.
    - apply cong_cancels with R; [|exact H]. apply odd_power; [apply (i_odd _ I E)|].
      apply radix_positive.
    - destruct (d_no_domain _ _ _ _ _ _ _ DATAPATH E) as [Z _]. unfold R in H. rewrite Z in H.
      rewrite !Z.mul_1_l in H. exact H.
  Qed.

  Lemma not_true : forall b, b <> true -> b = false. Proof. intros []; congruence. Qed.

  Lemma m_steady : forall t, state t <> 0 -> m (S t) = m t.
  Proof. intros t H. apply (d_steady _ _ _ _ _ _ _ DATAPATH t H). Qed.

  Lemma known_next : forall t, known t -> m (S t) = m t -> no u_take t ->
    ~ (yes u_start_s t /\ yes u_write_r t) -> known (S t).
  Proof.
    intros t K M T W. unfold known in *. rewrite M.
    rewrite (d_no_r _ _ _ _ _ _ _ DATAPATH t T W). exact K.
  Qed.

  Lemma no_take : forall t, state t <> 1 -> no u_take t.
  Proof. intros t H T. apply H, (h_take_in_prepare _ _ _ _ LEMMAS t T). Qed.

  Lemma no_write : forall t, state t <> 3 -> ~ (yes u_start_s t /\ yes u_write_r t).
  Proof. intros t H T. apply H, (h_write_r_in_square _ _ _ _ LEMMAS t T). Qed.

  Lemma kept_next : forall t, invariant t -> yes u_valid (S t) -> known (S t).
  Proof.
    intros t I V. destruct (h_valid_from _ _ _ _ LEMMAS t V) as [[V0 [W T]]|E].
    - apply known_next; [apply (i_kept _ I V0)| |exact T|].
      + apply (d_not_written _ _ _ _ _ _ _ DATAPATH t W).
      + apply no_write. intro E. apply (h_valid_none _ _ _ _ LEMMAS t); [right; exact E|exact V0].
    - apply known_next; [apply (i_entry _ I E)|apply m_steady; lia|apply no_take; lia|].
      apply no_write. lia.
  Qed.

  Lemma odd_next : forall t, invariant t -> yes u_judged (S t) -> Z.odd (m (S t)) = true.
  Proof.
    intros t I J. destruct (h_judged_from _ _ _ _ LEMMAS t J) as [B H].
    rewrite (m_steady t B). destruct H as [H|[H G]]; [apply (i_odd _ I H)|].
    apply (d_odd _ _ _ _ _ _ _ DATAPATH t H G).
  Qed.

  (* The states that precede a state. *)
  Lemma states : forall t, 0 <= state t <= 8 -> follows (state t) (state (S t)).
  Proof.
    intros t B. unfold follows.
    pose proof (h_idle_goes _ _ _ _ LEMMAS t). pose proof (h_prepare_goes _ _ _ _ LEMMAS t).
    pose proof (h_seed_goes _ _ _ _ LEMMAS t). pose proof (h_square_goes _ _ _ _ LEMMAS t).
    pose proof (h_check_goes _ _ _ _ LEMMAS t). pose proof (h_entry_goes _ _ _ _ LEMMAS t).
    pose proof (h_loop_goes _ _ _ _ LEMMAS t). pose proof (h_exit_goes _ _ _ _ LEMMAS t).
    pose proof (h_idle_after_end _ _ _ _ LEMMAS t).
    assert (state t = 0 \/ state t = 1 \/ state t = 2 \/ state t = 3 \/ state t = 4 \/
            state t = 5 \/ state t = 6 \/ state t = 7 \/ state t = 8) as C by lia.
    destruct C as [C|[C|[C|[C|[C|[C|[C|[C|C]]]]]]]]; rewrite C in *; intuition lia.
  Qed.

  Lemma seed_next : forall t, invariant t -> state (S t) = 2 -> in_seed (S t).
  Proof.
    intros t I H. pose proof (states t (i_state _ I)) as F. unfold follows in F. rewrite H in F.
    unfold in_seed. assert (state t = 1 \/ state t = 2) as [E|E] by lia.
    - destruct (h_seed_begins _ _ _ _ LEMMAS t (conj E H)) as [Z C].
      rewrite (not_true _ C). left. exact Z.
    - assert (m (S t) = m t) as M by (apply m_steady; lia). rewrite M.
      pose proof (i_seed _ I E) as B. unfold in_seed in B.
      destruct (bool_dec (u_doubled u t) true) as [D|D].
      + pose proof (d_doubled _ _ _ _ _ _ _ DATAPATH t D) as G.
        destruct (h_seed_either _ _ _ _ LEMMAS t D) as [_ [C _]]. rewrite (not_true _ C) in B.
        pose proof (h_not_negative _ _ _ _ LEMMAS t) as [_ [N _]].
        pose proof (n_width _ _ _ _ _ _ _ _ NUMBERS) as W.
        assert (cong (m t) (v_doubled v (S t)) (2 ^ (width - 1 + (index t + 1)))) as K.
        { rewrite G. replace (width - 1 + (index t + 1)) with (Z.succ (width - 1 + index t)) by lia.
          rewrite Z.pow_succ_r by lia. destruct (Z.eqb_spec (index t) 0) as [X|X].
          - apply cong_equal. rewrite X, Z.add_0_r. reflexivity.
          - destruct B as [B|B]; [contradiction|]. rewrite B. reflexivity. }
        destruct (u_copy u (S t)) eqn:Y.
        * rewrite <- (h_seed_ends _ _ _ _ LEMMAS t); [exact K|auto].
        * right. rewrite (h_seed_doubles _ _ _ _ LEMMAS t); [exact K|].
          repeat split; auto. congruence.
      + rewrite (d_not_doubled _ _ _ _ _ _ _ DATAPATH t D).
        destruct (h_seed_waits _ _ _ _ LEMMAS t (conj E (conj H D))) as [X Y]. rewrite X.
        destruct (u_copy u t), (u_copy u (S t)); try exact B; intuition congruence.
  Qed.

  Lemma grows : forall i, 0 <= above * 2 ^ i.
  Proof.
    intro i. pose proof (n_above _ _ _ _ _ _ _ _ NUMBERS). pose proof (Z.pow_nonneg 2 i). nia.
  Qed.

  Lemma square_step : forall i, 0 <= i -> square i * square i = R * square (i + 1).
  Proof.
    intros i L. unfold square, R. pose proof radix_positive. pose proof (grows i).
    pose proof (grows (i + 1)). rewrite <- !Z.pow_add_r by lia. f_equal.
    rewrite Z.pow_add_r, Z.pow_1_r by lia. lia.
  Qed.

  Lemma last_square : domain <> 0 -> square squarings * 2 ^ missing = R * (R * R).
  Proof.
    intro D. unfold square, R. pose proof (grows squarings). pose proof NUMBERS as N. destruct N.
    specialize (n_squared0 D). rewrite <- !Z.pow_add_r by lia. f_equal. lia.
  Qed.

  Lemma square_next : forall t, invariant t -> state (S t) = 3 -> in_square (S t).
  Proof.
    intros t I H. pose proof (states t (i_state _ I)) as F. unfold follows in F. rewrite H in F.
    assert (domain <> 0) as DOMAIN by (apply (h_seed_domain _ _ _ _ LEMMAS (S t)); lia).
    assert (state t = 2 \/ state t = 3) as [E|E] by lia.
    - pose proof (h_seed_goes _ _ _ _ LEMMAS t E) as G.
      destruct G as [G|[G|[_ [C [A [B X]]]]]]; try lia. unfold in_square.
      rewrite (not_true _ B), A, X, m_steady by lia.
      rewrite (d_copied _ _ _ _ _ _ _ DATAPATH t C). pose proof (i_seed _ I E) as D.
      unfold in_seed in D. destruct (h_copied_copies _ _ _ _ LEMMAS t C) as [Y _]. rewrite Y in D.
      rewrite D. unfold square. pose proof NUMBERS as N. destruct N.
      specialize (n_doubled0 DOMAIN). rewrite <- Z.pow_add_r by lia.
      rewrite Z.pow_0_r, Z.mul_1_r. apply cong_equal. f_equal. lia.
    - pose proof (h_square_operands _ _ _ _ LEMMAS t E) as [_ [NE [_ [_ NC]]]].
      assert (no u_take t) as NT by (apply no_take; lia).
      pose proof (h_not_negative _ _ _ _ LEMMAS t) as [_ [NN _]].
      pose proof (m_steady t ltac:(lia)) as M.
      pose proof (i_square _ I E) as B. unfold in_square in B.
      (* After the product that begins in this cycle. *)
      assert (if u_second u t then known (S t)
              else if index t =? squarings then known (S t)
              else cong (m t) (v_s v (S t)) (square (index t + 1))) as G.
      { destruct (bool_dec (u_start_s u t) true) as [A|A].
        - assert (u_second u t = false) as Y.
          { apply not_true. intro Y. apply (h_square_second _ _ _ _ LEMMAS t (conj E Y) A). }
          rewrite Y in *. rewrite A in B.
          destruct (h_square_write _ _ _ _ LEMMAS t (conj E A)) as [W1 W2].
          destruct (Z.eqb_spec (index t) squarings) as [X|X].
          + unfold known. rewrite M. apply (cancels t _ _ I); [lia|].
            etransitivity; [apply (d_write_r _ _ _ _ _ _ _ DATAPATH t A (W2 X))|].
            rewrite B, X, last_square by exact DOMAIN. reflexivity.
          + apply (cancels t _ _ I); [lia|].
            etransitivity; [apply (d_square _ _ _ _ _ _ _ DATAPATH t A NE); tauto|].
            rewrite B, square_step by exact NN. reflexivity.
        - rewrite (not_true _ A) in B. rewrite (d_no_s _ _ _ _ _ _ _ DATAPATH t A NC).
          assert (known t -> known (S t)) as K
            by (intro K; apply known_next; [exact K|exact M|exact NT|tauto]).
          destruct (u_second u t); [auto|]. destruct (index t =? squarings); auto. }
      unfold in_square. rewrite M.
      destruct (bool_dec (u_ready u t) true) as [Y|Y];
        destruct (bool_dec (u_second u t) true) as [D|D].
      + destruct (h_square_waits _ _ _ _ LEMMAS t) as [X [P Q]]; [tauto|]. rewrite D in G.
        rewrite (proj2 Q D). exact G.
      + destruct (h_square_next _ _ _ _ LEMMAS t) as [X [P Q]]; [tauto|].
        rewrite (not_true _ D) in G. rewrite X.
        destruct (Z.eqb_spec (index t) squarings) as [L|L].
        * rewrite (proj2 Q L). exact G.
        * rewrite (not_true (u_second u (S t))) by tauto. rewrite (proj2 P L). exact G.
      + destruct (h_square_waits _ _ _ _ LEMMAS t) as [X [P Q]]; [tauto|]. rewrite D in G.
        rewrite (proj2 Q D). exact G.
      + destruct (h_square_waits _ _ _ _ LEMMAS t) as [X [P Q]]; [tauto|].
        rewrite (not_true _ D) in G. rewrite (not_true (u_second u (S t))) by tauto.
        rewrite (not_true _ P), X. exact G.
  Qed.

  Lemma check_next : forall t, invariant t -> state (S t) = 4 -> in_check (S t).
  Proof.
    intros t I H. pose proof (states t (i_state _ I)) as F. unfold follows in F. rewrite H in F.
    unfold in_check. assert (state t = 1 \/ state t = 4) as [E|E] by lia.
    - destruct (h_prepare_goes _ _ _ _ LEMMAS t E) as [G|[G|[G|[[_ [A B]]|[G _]]]]]; try lia.
      rewrite (not_true _ B). left. exact A.
    - pose proof (h_check_next _ _ _ _ LEMMAS t (conj E H)) as A.
      pose proof (h_check_second _ _ _ _ LEMMAS t (conj E H)) as B.
      destruct (h_check_operands _ _ _ _ LEMMAS t E) as [Y [W [NS _]]].
      pose proof (i_check _ I E) as J. unfold in_check in J.
      rewrite (m_steady t) by lia.
      rewrite (d_no_r _ _ _ _ _ _ _ DATAPATH t) by (try apply no_take; try apply no_write; lia).
      destruct (bool_dec (u_second u t) true) as [D|D].
      + rewrite (proj2 B) by tauto. rewrite (not_true (u_start_a u (S t))) by tauto. rewrite D in J.
        destruct (bool_dec (u_start_a u t) true) as [P|P].
        * rewrite P in J. rewrite <- J.
          assert (cong (m t) (R * v_residue v (S t)) (v_a v t)) as K
            by (apply (d_final_a _ _ _ _ _ _ _ DATAPATH t P); tauto).
          rewrite K. reflexivity.
        * rewrite (not_true _ P) in J.
          destruct (d_no_a _ _ _ _ _ _ _ DATAPATH t P) as [_ K]. rewrite K. exact J.
      + assert (cong (m t) (R * v_a v (S t)) (v_r v t)) as K.
        { rewrite (not_true _ D) in J. destruct (bool_dec (u_start_a u t) true) as [P|P].
          - apply (d_entry_a _ _ _ _ _ _ _ DATAPATH t P Y). intro X. apply D, W, X.
          - destruct (d_no_a _ _ _ _ _ _ _ DATAPATH t P) as [L _]. rewrite L. tauto. }
        destruct (bool_dec (u_ready u t) true) as [Q|Q].
        * rewrite (proj2 B) by tauto. rewrite (proj2 A) by tauto. exact K.
        * rewrite (not_true (u_second u (S t))) by tauto. right. exact K.
  Qed.

  Lemma entry_known : forall t, invariant t -> state (S t) = 5 -> state t <> 5 ->
    known (S t) /\ yes u_start_a (S t) /\ yes u_start_s (S t).
  Proof.
    intros t I H N. pose proof (states t (i_state _ I)) as F. unfold follows in F. rewrite H in F.
    assert (state t = 1 \/ state t = 3 \/ state t = 4) as [E|[E|E]] by lia.
    - destruct (h_prepare_goes _ _ _ _ LEMMAS t E) as [G|[G|[G|[[G _]|[_ [A [B K]]]]]]]; try lia.
      split; [|split; assumption]. destruct K as [K|K].
      + apply known_next; [apply (i_kept _ I K)|apply m_steady; lia| |apply no_write; lia].
        intro T. apply (h_take_goes _ _ _ _ LEMMAS t T H).
      + destruct (d_no_domain _ _ _ _ _ _ _ DATAPATH K) as [Z L]. unfold known, R. rewrite Z.
        apply L.
    - destruct (h_square_goes _ _ _ _ LEMMAS t E) as [G|[G|[_ [D [A B]]]]]; try lia.
      split; [|split; assumption]. pose proof (i_square _ I E) as K. unfold in_square in K.
      rewrite D in K. apply known_next; [exact K|apply m_steady; lia|apply no_take; lia|].
      intros [X _]. apply (h_square_second _ _ _ _ LEMMAS t (conj E D) X).
    - destruct (h_check_goes _ _ _ _ LEMMAS t E) as [G|[G|[_ [O [A B]]]]]; try lia.
      split; [|split; assumption].
      destruct (h_check_one _ _ _ _ LEMMAS t O) as [_ [D P]].
      pose proof (i_check _ I E) as K. unfold in_check in K. rewrite D, (not_true _ P) in K.
      apply known_next; [|apply m_steady; lia|apply no_take; lia|apply no_write; lia].
      unfold known. rewrite <- K, (d_one _ _ _ _ _ _ _ DATAPATH t O), Z.mul_1_r. reflexivity.
  Qed.

  (* A and S when the products of the entry have ended. *)
  Lemma entry_ends : forall t, invariant t -> state t = 5 ->
    cong (m t) (v_a v (S t)) R /\ cong (m t) (v_s v (S t)) (R * v_data v t).
  Proof.
    intros t I E. destruct (i_entry _ I E) as [K J]. unfold known in K.
    destruct (h_entry_operands _ _ _ _ LEMMAS t E) as [Y [N [W [_ [_ [_ C]]]]]].
    destruct J as [[A B]|[A [B [J G]]]].
    - split; apply (cancels t _ _ I); try lia.
      + etransitivity; [apply (d_entry_a _ _ _ _ _ _ _ DATAPATH t A Y W)|exact K].
      + etransitivity; [apply (d_entry_s _ _ _ _ _ _ _ DATAPATH t B N)|]. rewrite K.
        apply cong_equal. ring.
    - rewrite (proj1 (d_no_a _ _ _ _ _ _ _ DATAPATH t A)).
      rewrite (d_no_s _ _ _ _ _ _ _ DATAPATH t B C). split; assumption.
  Qed.

  Lemma entry_next : forall t, invariant t -> state (S t) = 5 -> in_entry (S t).
  Proof.
    intros t I H. destruct (Z.eq_dec (state t) 5) as [E|E].
    - destruct (i_entry _ I E) as [K _]. pose proof (m_steady t ltac:(lia)) as M.
      destruct (h_entry_waits _ _ _ _ LEMMAS t (conj E H)) as [A B].
      split; [apply known_next; [exact K|exact M|apply no_take; lia|apply no_write; lia]|].
      right. split; [exact A|]. split; [exact B|]. rewrite M.
      destruct (d_steady _ _ _ _ _ _ _ DATAPATH t) as [_ [L _]]; [lia|]. rewrite L.
      apply (entry_ends t I E).
    - destruct (entry_known t I H E) as [K J]. split; [exact K|left; exact J].
  Qed.

  Lemma bits_step : forall t, invariant t -> state t = 6 -> yes u_start_a t -> yes u_start_s t ->
    done_bits t (index t) ->
    cong (m t) (v_a v (S t)) (power t (v_exponent v t mod 2 ^ (index t + 1))) /\
    cong (m t) (v_s v (S t)) (power t (2 ^ (index t + 1))).
  Proof.
    intros t I E A B [J G]. destruct (h_loop_operands _ _ _ _ LEMMAS t E) as [L [N [_ [_ [W _]]]]].
    pose proof (h_not_negative _ _ _ _ LEMMAS t) as [_ [P _]].
    pose proof (Z.pow_pos_nonneg 2 (index t) ltac:(lia) P) as Q.
    split.
    - pose proof (d_loop_a _ _ _ _ _ _ _ DATAPATH t A L) as K. rewrite next_bit by exact P.
      destruct (Z.testbit (v_exponent v t) (index t)).
      + apply (cancels t _ _ I); [lia|]. etransitivity; [exact K|]. rewrite J, G. unfold power.
        rewrite Z.pow_add_r; [apply cong_equal; ring| |lia].
        apply Z.mod_pos_bound. lia.
      + rewrite K, Z.add_0_r. exact J.
    - apply (cancels t _ _ I); [lia|].
      etransitivity; [apply (d_square _ _ _ _ _ _ _ DATAPATH t B N W)|]. rewrite G. unfold power.
      rewrite (Z.pow_add_r 2 (index t) 1), Z.pow_1_r by lia.
      replace (2 ^ index t * 2) with (2 ^ index t + 2 ^ index t) by lia.
      rewrite (Z.pow_add_r (v_data v t)) by lia. apply cong_equal. ring.
  Qed.

  Lemma loop_ends : forall t, invariant t -> state t = 6 ->
    cong (m t) (v_a v (S t)) (power t (v_exponent v t mod 2 ^ (index t + 1))) /\
    cong (m t) (v_s v (S t)) (power t (2 ^ (index t + 1))).
  Proof.
    intros t I E. destruct (h_loop_operands _ _ _ _ LEMMAS t E) as [_ [_ [_ [_ [_ [_ C]]]]]].
    destruct (i_loop _ I E) as [[A [B J]]|[A [B [J G]]]]; [apply bits_step; assumption|].
    rewrite (proj1 (d_no_a _ _ _ _ _ _ _ DATAPATH t A)).
    rewrite (d_no_s _ _ _ _ _ _ _ DATAPATH t B C). split; assumption.
  Qed.

  Lemma loop_next : forall t, invariant t -> state (S t) = 6 -> in_loop (S t).
  Proof.
    intros t I H. pose proof (states t (i_state _ I)) as F. unfold follows in F. rewrite H in F.
    assert (state t = 5 \/ state t = 6) as [E|E] by lia;
      pose proof (m_steady t ltac:(lia)) as M;
      (destruct (d_steady _ _ _ _ _ _ _ DATAPATH t) as [_ [D X]]; [lia|]).
    - destruct (h_entry_goes _ _ _ _ LEMMAS t E) as [G|[G|[_ [_ [A [B G]]]]]]; try lia.
      left. split; [exact A|]. split; [exact B|]. rewrite G. unfold done_bits, power.
      rewrite M, D, X, Z.pow_0_r, Z.mod_1_r, Z.pow_0_r, Z.pow_1_r, Z.mul_1_r.
      apply (entry_ends t I E).
    - pose proof (loop_ends t I E) as J. destruct (bool_dec (u_ready u t) true) as [Y|Y].
      + destruct (h_loop_next _ _ _ _ LEMMAS t) as [G [A B]]; [tauto|].
        left. split; [exact A|]. split; [exact B|]. unfold done_bits, power in *.
        rewrite G, M, D, X. exact J.
      + destruct (h_loop_waits _ _ _ _ LEMMAS t) as [G [A B]]; [tauto|].
        right. split; [exact A|]. split; [exact B|]. unfold done_bits, power in *.
        rewrite G, M, D, X. exact J.
  Qed.

  (* The residue when the last product has ended. *)
  Lemma exit_ends : forall t, invariant t -> state t = 7 ->
    cong (m t) (v_residue v (S t)) (v_data v t ^ v_exponent v t).
  Proof.
    intros t I E. pose proof (i_exit _ I E) as J. unfold in_exit in J.
    destruct (bool_dec (u_start_a u t) true) as [A|A].
    - rewrite A in J. apply (cancels t _ _ I); [lia|].
      etransitivity; [apply (d_final_a _ _ _ _ _ _ _ DATAPATH t A)|exact J].
      apply (h_exit_operands _ _ _ _ LEMMAS t E).
    - rewrite (not_true _ A) in J. rewrite (proj2 (d_no_a _ _ _ _ _ _ _ DATAPATH t A)). exact J.
  Qed.

  Lemma exit_next : forall t, invariant t -> state (S t) = 7 -> in_exit (S t).
  Proof.
    intros t I H. pose proof (states t (i_state _ I)) as F. unfold follows in F. rewrite H in F.
    unfold in_exit. assert (state t = 6 \/ state t = 7) as [E|E] by lia;
      pose proof (m_steady t ltac:(lia)) as M;
      (destruct (d_steady _ _ _ _ _ _ _ DATAPATH t) as [_ [D X]]; [lia|]); rewrite M.
    - destruct (h_loop_goes _ _ _ _ LEMMAS t E) as [G|[G|[_ [_ [L [A _]]]]]]; try lia.
      rewrite A. unfold power. rewrite D, X.
      destruct (loop_ends t I E) as [J _]. unfold power in J.
      destruct (h_length_stays _ _ _ _ LEMMAS t) as [K|K]; [lia|].
      rewrite L, K in J.
      rewrite Z.mod_small in J by (apply (d_exponent _ _ _ _ _ _ _ DATAPATH t); lia). exact J.
    - destruct (h_exit_waits _ _ _ _ LEMMAS t (conj E H)) as [A _].
      rewrite (not_true _ A), D, X. apply (exit_ends t I E).
  Qed.

  Lemma end_next : forall t, invariant t -> state (S t) = 8 -> in_end (S t).
  Proof.
    intros t I H O. destruct (h_ends_well _ _ _ _ LEMMAS t (conj H O)) as [E B].
    destruct (d_steady _ _ _ _ _ _ _ DATAPATH t) as [M [D X]]; [lia|]. rewrite M, D, X.
    assert (no u_start_a t) as A by (pose proof (h_exit_start _ _ _ _ LEMMAS t E); tauto).
    split; [apply (exit_ends t I E)|]. rewrite (proj2 (d_no_a _ _ _ _ _ _ _ DATAPATH t A)).
    apply (d_reduced _ _ _ _ _ _ _ DATAPATH t E B).
  Qed.

  Lemma invariant_next : forall t, invariant t -> invariant (S t).
  Proof.
    intros t I. split.
    - apply kept_next, I.
    - apply odd_next, I.
    - apply seed_next, I.
    - apply square_next, I.
    - apply check_next, I.
    - apply entry_next, I.
    - apply loop_next, I.
    - apply exit_next, I.
    - apply end_next, I.
    - pose proof (states t (i_state _ I)) as F. unfold follows in F. lia.
  Qed.

  (* Runs begin after a reset. Whenever an operation ends with status Ok (2), whatever came before
     it, the residue is Data**Exponent mod M, of the operands of this operation. *)
  Theorem ladder : state 0%nat = 0 -> no u_valid 0%nat ->
    forall t, state t = 8 -> u_status u (S t) = 2 ->
    state (S t) = 0 /\ v_residue v (S t) = (v_data v t ^ v_exponent v t) mod m t.
  Proof.
    intros BEGIN NEW t E O.
    assert (forall k, invariant k) as ALL.
    { induction k as [|k IH]; [|apply invariant_next, IH].
      pose proof (h_judged_idle _ _ _ _ LEMMAS 0%nat BEGIN).
      split; try tauto; rewrite BEGIN; lia. }
    destruct (h_idle_after_end _ _ _ _ LEMMAS t E) as [Z G]. split; [exact Z|].
    destruct (h_rest_operands _ _ _ _ LEMMAS t) as [A _]; [tauto|].
    rewrite (proj2 (d_no_a _ _ _ _ _ _ _ DATAPATH t A)).
    destruct (i_end _ (ALL t) E) as [J B]; [lia|]. apply cong_is_equal; assumption.
  Qed.
End Ladder.
