(* SPDX-License-Identifier: Apache-2.0 *)
(* A whole unit, from the start to the result: the theorem about the core and the lemmas that Yices
   proves of the unit (Lemmas.v, translated from unit_lemmas.sv). *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Control Product Rest Core Adder Unit
  Unfolded UnfoldedProduct UnfoldedCore Lemmas.
Local Open Scope Z_scope.

(* ---------------------------------------------------------------------------------------------- *)
(* Bits and words.                                                                                 *)

Lemma value_append : forall a b f,
  value (a + b) f = value a f + 2 ^ Z.of_nat a * value b (fun i => f (N.of_nat a + i)%N).
Proof.
  intros a b f. induction b as [|b IH]; cbn [value].
  - rewrite Nat.add_0_r. lia.
  - rewrite Nat.add_succ_r. cbn [value]. rewrite IH. unfold at_.
    rewrite Nat2Z.inj_add, Z.pow_add_r by lia. rewrite Nnat.Nat2N.inj_add. ring.
Qed.

Lemma value_wider : forall n k f, (n <= k)%nat ->
  (forall i, (n <= i < k)%nat -> at_ i f = false) -> value k f = value n f.
Proof.
  intros n k f L H. replace k with (n + (k - n))%nat by lia. rewrite value_append.
  rewrite (value_zero (k - n)); [lia|]. intros i I. unfold at_.
  rewrite <- Nnat.Nat2N.inj_add. apply H. lia.
Qed.

Lemma value_small : forall n k f, (n <= k)%nat -> value k f < 2 ^ Z.of_nat n -> value n f = value k f.
Proof.
  intros n k f L H. replace k with (n + (k - n))%nat in * by lia. rewrite value_append in *.
  pose proof (value_bounds n f). pose proof (power_positive n).
  pose proof (value_bounds (k - n) (fun i => f (N.of_nat n + i)%N)).
  set (r := value (k - n) _) in *. destruct (Z.eq_dec r 0) as [->|]; [lia|]. nia.
Qed.

Lemma value_of_testbit : forall k a, 0 <= a < 2 ^ Z.of_nat k ->
  value k (fun i => Z.testbit a (Z.of_N i)) = a.
Proof.
  intros k a H. transitivity (value k (fun i => N.testbit (Z.to_N a) i));
    [|apply value_testbit; exact H]. apply value_same. intros i I. unfold at_.
  rewrite <- (Z2N.id a) at 1 by lia. apply Z.testbit_of_N.
Qed.

Lemma number_of_words : forall w K f c, (forall k, (k < K)%nat -> 0 <= f k < 2 ^ Z.of_nat w) ->
  (forall k i, (k < K)%nat -> (i < w)%nat ->
    Z.testbit (f k) (Z.of_nat i) = at_ (k * w + i) c) ->
  words (Z.of_nat w) K f = value (K * w) c.
Proof.
  intros w K f c. induction K as [|K IH]; intros B H; cbn [words]; [reflexivity|].
  rewrite IH by (intros; first [apply B|apply H]; lia).
  replace (S K * w)%nat with (K * w + w)%nat by lia. rewrite value_append.
  rewrite Nat2Z.inj_mul, (Z.mul_comm (Z.of_nat w)). do 2 f_equal.
  rewrite <- (value_of_testbit w (f K)) by (apply B; lia). apply value_same. intros i I. unfold at_.
  rewrite nat_N_Z, H by lia. unfold at_. f_equal. lia.
Qed.

Lemma same_flags : forall a b, (a = true <-> b = true) -> a = b.
Proof. intros [] [] H; intuition. Qed.

Lemma testbit_value : forall k f i, (i < k)%nat -> Z.testbit (value k f) (Z.of_nat i) = at_ i f.
Proof.
  intros k f i I. pose proof (value_inverse k _ _ (value_of_testbit k (value k f) (value_bounds k f)) i I) as H.
  unfold at_ in *. rewrite nat_N_Z in H. exact H.
Qed.

(* ---------------------------------------------------------------------------------------------- *)
(* Ports of the core in the unit: the netlist's bits are the signals of the lemmas.                *)

Definition x_port (u : trace) (b : N) (t : nat) : bool :=
  match b with 0%N => u_x_0 u t | 1%N => u_x_1 u t | 2%N => u_x_2 u t | _ => u_x_3 u t end.

Record ports (net : netlist) (sh : shape) (e : nat -> valuation) (u : trace) : Prop := {
  port_start : forall t, e t (Start, 0%N) = u_core_start u t;
  port_unload : forall t, e t (Unload, 0%N) = u_unload u t;
  port_x : forall t b, (b < 4)%N -> e t (X, b) = x_port u b t;
  port_y : forall t i, (i < width sh)%N -> e t (Y, i) = u_y_core u (Z.of_N i) t;
  port_m : forall t i, (i < width sh)%N -> e t (M, i) = u_m_core u (Z.of_N i) t;
  port_constant : forall t i, (i <= width sh)%N -> e t (Constant, i) = u_constant u (Z.of_N i) t;
  port_done : forall t b, shows net (e t) (Done, 0%N) b -> u_core_done u t = b;
  port_next : forall t b, shows net (e t) (Next, 0%N) b -> u_core_next u t = b;
  port_s : forall t z, shows_number net (e t) OutS (N.to_nat (width sh + guard sh)) z ->
    u_s_word u t = z mod 2 ^ Z.of_N (word sh);
  port_c : forall t z, shows_number net (e t) OutC (N.to_nat (width sh + guard sh)) z ->
    u_c_word u t = z mod 2 ^ Z.of_N (word sh)
}.

(* What a unit is for: bits of an operand, as the host wrote them. *)
Definition operand (n : nat) (content : Z -> nat -> bool) (t : nat) : Z :=
  value n (fun i => content (Z.of_N i) t).

(* The theorem of a unit: an operation that starts in cycle t0. K words of a pass; the core is done
   last + 1 cycles after its start. Status 2: Ok, 4: M is 0 or 1, 5: M is even, 6: X or Y is not below
   M. The result stays until the next start. *)
Definition legal_operands (x y m : Z) : Prop := 1 < m /\ Z.odd m = true /\ x < m /\ y < m.

Definition accepted_operation (n K last : nat) (bus : Z) (u : trace) (idle_core : valuation -> Prop)
    (e : nat -> valuation) (t0 : nat) (x y m : Z) : Prop :=
  (forall i, (1 <= i <= 2 * K + last + 6)%nat -> u_busy u (t0 + i)%nat = true) /\
  let ends := (t0 + (2 * K + last + 7))%nat in
  u_busy u ends = false /\ u_done u ends = true /\ u_status u ends = 2 /\ idle_core (e ends) /\
  exists p, 0 <= p < m /\ (2 ^ Z.of_nat n * p) mod m = (x * y) mod m /\
    forall i, (forall c, (c <= i)%nat -> u_begins u (ends + c)%nat = false) ->
    u_read_result u (ends + i)%nat = true -> forall j, (j < n)%nat ->
    u_read_index u (ends + i)%nat = Z.of_nat j / bus ->
    u_result_bit u (Z.of_nat j) (S (ends + i)) = Z.testbit p (Z.of_nat j).

Definition rejected_operation (K : nat) (u : trace) (idle_core : valuation -> Prop)
    (e : nat -> valuation) (t0 : nat) (m : Z) : Prop :=
  (forall i, (1 <= i <= K + 2)%nat -> u_busy u (t0 + i)%nat = true) /\
  u_busy u (t0 + (K + 3))%nat = false /\ u_done u (t0 + (K + 3))%nat = true /\
  u_status u (t0 + (K + 3))%nat = (if 1 <? m then if Z.odd m then 6 else 5 else 4) /\
  idle_core (e (t0 + (K + 3))%nat).

Definition operation_is_right (n K last : nat) (bus : Z) (u : trace) (idle_core : valuation -> Prop)
    (e : nat -> valuation) (t0 : nat) : Prop :=
  let x := operand n (u_x_content u) t0 in
  let y := operand n (u_y_content u) t0 in
  let m := operand n (u_m_content u) t0 in
  (legal_operands x y m -> accepted_operation n K last bus u idle_core e t0 x y m) /\
  (~ legal_operands x y m -> rejected_operation K u idle_core e t0 m).

Section Whole.
  Variables (net : netlist) (sh : shape) (idle_core ok : valuation -> Prop).
  Variables (takes last size K J : nat) (bus sums : Z) (e : nat -> valuation) (u : trace).
  Let n : nat := N.to_nat (width sh).
  Let w : nat := N.to_nat (word sh).
  Hypothesis PORTS : ports net sh e u.
  Hypothesis LEMMAS :
    lemmas (Z.of_nat n) bus (Z.of_nat w) (Z.of_nat K) (Z.of_nat J) sums u.
  Hypothesis W : (0 < w)%nat.
  Hypothesis LAST : (1 <= last)%nat.
  Hypothesis FITS : (n + 1 <= w * K)%nat.
  Hypothesis SIZE : (size <= w * K)%nat.
  Hypothesis ITER : (0 < J <= 4)%nat.
  Hypothesis TAKES : (n <= J * takes)%nat /\ (takes <= last + 1)%nat.
  Hypothesis N0 : (0 < n)%nat.
  Hypothesis STAYS : forall t, idle_core (e t) -> e t (Start, 0%N) = false -> idle_core (e (S t)).
  (* The theorem of the core. *)
  Hypothesis CORE : forall t x y m,
    idle_core (e t) -> e t (Start, 0%N) = true ->
    value n (fun i => e (t + N.to_nat (i / N.of_nat J))%nat (X, (i mod N.of_nat J)%N)) = x ->
    (forall i, (i <= last)%nat -> number (e (t + i)%nat) Y n = y) ->
    (forall i, (i <= last)%nat -> number (e (t + i)%nat) M n = m) -> Z.odd m = true ->
    (forall i, (i <= last)%nat -> ok (e (t + i)%nat)) ->
    product net sh idle_core takes last size e t x y m.
  Hypothesis CORE_DONE : forall t, idle_core (e t) -> e t (Start, 0%N) = true ->
    forall i, (i <= last + 1)%nat -> shows net (e (t + i)%nat) (Done, 0%N) (i =? last + 1)%nat.
  Hypothesis OK : forall t,
    (sums = 1 -> number (e t) Constant (S n) = number (e t) Y n + number (e t) M n) -> ok (e t).

  Let zero_fits : 0 <= 0 < Z.of_nat w * Z.of_nat K.
  Proof. nia. Qed.
  Ltac lemma_of H := let L := fresh "L" in
    pose proof (H _ _ _ _ _ _ _ LEMMAS 0) as L.
  Local Notation use H t := (H _ _ _ _ _ _ _ LEMMAS 0 t zero_fits).
  Local Notation at_bit H j t := (H _ _ _ _ _ _ _ LEMMAS j t).

  Let k_positive : (0 < K)%nat.
  Proof. nia. Qed.

  (* A pass runs for K steps. *)
  Lemma pass_goes_on : forall t, u_pass u t = 1 ->
    forall i, (i <= K)%nat -> u_pass u (t + i)%nat = 1 + Z.of_nat i.
  Proof.
    intros t P. induction i as [|i IH]; intro I; [rewrite Nat.add_0_r; lia|].
    specialize (IH ltac:(lia)). rewrite Nat.add_succ_r.
    pose proof (use h_pass_runs (t + i)%nat) as H. rewrite H; lia.
  Qed.

  Lemma pass_steps : forall t, u_pass u t = 1 -> forall i, (i < K)%nat ->
    u_step u (t + i)%nat = true /\ u_index u (t + i)%nat = Z.of_nat i /\
    u_pass_done u (t + i)%nat <> true.
  Proof.
    intros t P i I. pose proof (pass_goes_on t P i ltac:(lia)) as Q.
    assert (ST : u_step u (t + i)%nat = true).
    { apply (use h_steps_of_pass (t + i)%nat). lia. }
    split; [exact ST|]. split.
    - pose proof (use h_index_of_pass (t + i)%nat ST). lia.
    - intro D. apply (use h_done_of_pass (t + i)%nat) in D. lia.
  Qed.

  Lemma pass_ends : forall t, u_pass u t = 1 ->
    u_pass_done u (t + K)%nat = true /\ u_step u (t + K)%nat <> true.
  Proof.
    intros t P. pose proof (pass_goes_on t P K ltac:(lia)) as Q. split.
    - apply (use h_done_of_pass (t + K)%nat). lia.
    - intro D. apply (use h_steps_of_pass (t + K)%nat) in D. lia.
  Qed.

  Lemma position : forall k i, (k < K)%nat -> (i < w)%nat ->
    0 <= Z.of_nat (k * w + i) < Z.of_nat w * Z.of_nat K /\
    Z.of_nat (k * w + i) / Z.of_nat w = Z.of_nat k /\
    Z.of_nat (k * w + i) mod Z.of_nat w = Z.of_nat i.
  Proof.
    intros k i A B. split; [nia|]. rewrite Nat2Z.inj_add, Nat2Z.inj_mul.
    rewrite Z.add_comm, Z.div_add, Z.mod_add by lia.
    rewrite Z.div_small, Z.mod_small by lia. split; lia.
  Qed.

  (* -------------------------------------------------------------------------------------------- *)
  (* One operation.                                                                                 *)

  Section Operation.
    Variable t0 : nat.
    Hypothesis START : u_start u t0 = true.
    Hypothesis IDLE : idle_core (e t0).
    Let xv := operand n (u_x_content u) t0.
    Let yv := operand n (u_y_content u) t0.
    Let mv := operand n (u_m_content u) t0.
    Let legal : Prop := legal_operands xv yv mv.
    Let t1 : nat := S t0.

    Let BEGINS : u_begins u t0 = true := use h_begins_start t0 START.

    Lemma load_begins : u_state u t1 = 1 /\ u_pass u t1 = 1 /\ u_good u t1 = true.
    Proof. exact (use h_starts t0 START). Qed.

    (* The contents stay as long as the unit is busy. *)
    Lemma contents : forall i, (forall k, (1 <= k < i)%nat -> u_state u (t0 + k)%nat <> 0) ->
      forall j, 0 <= j < Z.of_nat w * Z.of_nat K ->
      u_x_content u j (t0 + i)%nat = u_x_content u j t0 /\
      u_y_content u j (t0 + i)%nat = u_y_content u j t0 /\
      u_m_content u j (t0 + i)%nat = u_m_content u j t0.
    Proof.
      induction i as [|i IH]; intros B j R; [rewrite Nat.add_0_r; auto|].
      destruct (IH (fun k H => B k ltac:(lia)) j R) as [A [C D]]. rewrite Nat.add_succ_r.
      destruct (at_bit h_content_stays j (t0 + i)%nat R) as [[S0 N1]|[E1 [E2 E3]]].
      - exfalso. destruct i as [|i]; [rewrite Nat.add_0_r in N1; contradiction|].
        exact (B (S i) ltac:(lia) S0).
      - apply same_flags in E1, E2, E3. rewrite E1, E2, E3. auto.
    Qed.

    Lemma load_stays : forall i, (i <= K)%nat ->
      u_state u (t1 + i)%nat = 1 /\ u_good u (t1 + i)%nat = true.
    Proof.
      destruct load_begins as [S1 [P1 G1]].
      induction i as [|i IH]; intro I; [rewrite Nat.add_0_r; auto|].
      destruct (IH ltac:(lia)) as [A B]. rewrite Nat.add_succ_r. split.
      - apply (use h_load_goes_on (t1 + i)%nat). split; [exact A|].
        apply (pass_steps t1 P1 i). lia.
      - destruct (use h_good_stays (t1 + i)%nat) as [Z0|E]; [lia|]. apply E. exact B.
    Qed.

    Lemma load_contents : forall i, (i <= K + 1)%nat ->
      forall j, 0 <= j < Z.of_nat w * Z.of_nat K ->
      u_x_content u j (t0 + i)%nat = u_x_content u j t0 /\
      u_y_content u j (t0 + i)%nat = u_y_content u j t0 /\
      u_m_content u j (t0 + i)%nat = u_m_content u j t0.
    Proof.
      intros i I j R. apply contents; [|exact R]. intros k H.
      destruct (load_stays (k - 1) ltac:(lia)) as [A _]. unfold t1 in A.
      replace (S t0 + (k - 1))%nat with (t0 + k)%nat in A by lia. lia.
    Qed.

    (* The words of the load. *)
    Let xw k := u_x_word u (t1 + k)%nat.
    Let yw k := u_y_word u (t1 + k)%nat.
    Let mw k := u_m_word u (t1 + k)%nat.

    Lemma small : forall t, 
      0 <= u_sum u t < 2 ^ Z.of_nat w /\ 0 <= u_difference u t < 2 ^ Z.of_nat w /\
      0 <= u_x_word u t < 2 ^ Z.of_nat w /\ 0 <= u_y_word u t < 2 ^ Z.of_nat w /\
      0 <= u_m_word u t < 2 ^ Z.of_nat w /\ 0 <= u_carry u t /\ 0 <= u_saved u t /\
      0 <= u_x_difference u t < 2 ^ Z.of_nat w /\ 0 <= u_y_difference u t < 2 ^ Z.of_nat w /\
      0 <= u_x_carry u t /\ 0 <= u_y_carry u t.
    Proof.
      intro t. pose proof (use h_words_small t) as A. pose proof (use h_below_small t) as B.
      pose proof (use h_carry_small t) as C. pose proof (use h_not_negative t) as D.
      unfold above_word in *. rewrite Z.mul_1_r in *. lia.
    Qed.

    Lemma content_above : forall j, Z.of_nat n <= j < Z.of_nat w * Z.of_nat K ->
      u_x_content u j t0 = false /\ u_y_content u j t0 = false /\ u_m_content u j t0 = false.
    Proof.
      intros j R. destruct (at_bit h_content_bits j t0 ltac:(lia)) as [C|[A [B C]]]; [lia|].
      apply not_true_is_false in A, B, C. auto.
    Qed.

    Lemma word_bits : forall k i, (k < K)%nat -> (i < w)%nat ->
      let j := Z.of_nat (k * w + i) in
      Z.testbit (xw k) (Z.of_nat i) = u_x_content u j t0 /\
      Z.testbit (yw k) (Z.of_nat i) = u_y_content u j t0 /\
      Z.testbit (mw k) (Z.of_nat i) = u_m_content u j t0.
    Proof.
      intros k i A B j. destruct (position k i A B) as [R [D M0]]. fold j in R, D, M0.
      destruct load_begins as [S1 [P1 G1]].
      destruct (pass_steps t1 P1 k A) as [ST [IN _]]. destruct (load_stays k ltac:(lia)) as [LD _].
      destruct (load_contents (S k) ltac:(lia) j R) as [CX [CY CM]].
      replace (t0 + S k)%nat with (t1 + k)%nat in CX, CY, CM by (unfold t1; lia).
      assert (I2 : u_index u (t1 + k)%nat = j / Z.of_nat w) by lia.
      pose proof (at_bit h_load_x j (t1 + k)%nat R (conj ST (conj LD I2))) as HX.
      pose proof (at_bit h_load_y j (t1 + k)%nat R (conj ST (conj LD I2))) as HY.
      pose proof (at_bit h_load_m j (t1 + k)%nat R (conj ST I2)) as HM.
      unfold bit_of in HX, HY, HM. rewrite M0 in HX, HY, HM. rewrite <- CX, <- CY, <- CM.
      apply same_flags in HX, HY, HM. auto.
    Qed.

    Lemma load_numbers : words (Z.of_nat w) K xw = xv /\ words (Z.of_nat w) K yw = yv /\
      words (Z.of_nat w) K mw = mv.
    Proof.
      assert (G : forall f content,
        (forall k, (k < K)%nat -> 0 <= f k < 2 ^ Z.of_nat w) ->
        (forall k i, (k < K)%nat -> (i < w)%nat ->
          Z.testbit (f k) (Z.of_nat i) = content (Z.of_nat (k * w + i)) t0) ->
        (forall j, Z.of_nat n <= j < Z.of_nat w * Z.of_nat K -> content j t0 = false) ->
        words (Z.of_nat w) K f = operand n content t0).
      { intros f content B H Z0. rewrite (number_of_words w K f (fun i => content (Z.of_N i) t0)).
        - apply value_wider; [lia|]. intros i I. unfold at_. rewrite nat_N_Z. apply Z0. nia.
        - exact B.
        - intros k i A C. unfold at_. rewrite nat_N_Z. apply H; assumption. }
      repeat split; apply G; intros;
        first [apply small | apply word_bits; assumption | apply content_above; assumption].
    Qed.

    (* The checks of the operands. *)
    Let tc : nat := (t1 + K)%nat.  (* the cycle in which the load ends *)

    Lemma steps_of_load : forall k, (k < K)%nat -> u_step u (t1 + k)%nat = true /\
      u_state u (t1 + k)%nat = 1 /\ u_index u (t1 + k)%nat = Z.of_nat k.
    Proof.
      destruct load_begins as [S1 [P1 G1]]. intros k A.
      destruct (pass_steps t1 P1 k A) as [A1 [A2 _]].
      destruct (load_stays k ltac:(lia)) as [A3 _]. auto.
    Qed.

    Lemma compared : forall (word diff carry : nat -> Z),
      (forall t, 0 <= diff t < 2 ^ Z.of_nat w) -> (forall t, 0 <= carry t) ->
      (forall t, 0 <= word t < 2 ^ Z.of_nat w) ->
      (forall t, u_step u t = true /\ u_state u t = 1 /\ u_index u t = 0 ->
        diff t + above_word (Z.of_nat w) (carry (S t)) =
        word t + inverse_word (Z.of_nat w) (u_m_word u t) + 1) ->
      (forall t, u_step u t = true /\ u_state u t = 1 /\ ~ u_index u t = 0 ->
        diff t + above_word (Z.of_nat w) (carry (S t)) =
        word t + inverse_word (Z.of_nat w) (u_m_word u t) + carry t) ->
      (carry tc = 0 <-> words (Z.of_nat w) K (fun k => word (t1 + k)%nat) < mv).
    Proof.
      intros word diff carry D C B F G. destruct load_numbers as [_ [_ NM]]. rewrite <- NM.
      assert (E : carry tc = match K with O => 1 | S _ => carry (t1 + K)%nat end).
      { unfold tc. destruct K; [lia|reflexivity]. }
      rewrite E.
      apply (below_of_words (Z.of_nat w) K (fun k => word (t1 + k)%nat) mw
        (fun k => diff (t1 + k)%nat)
        (fun k => match k with O => 1 | S _ => carry (t1 + k)%nat end)); [lia| | |].
      - split.
        + intros; apply D.
        + reflexivity.
        + intros [|k]; [lia|apply C].
        + intros k A. destruct (steps_of_load k A) as [A1 [A2 A3]]. unfold mw.
          unfold above_word, inverse_word in *. rewrite Nat.add_succ_r. destruct k as [|k].
          * pose proof (F (t1 + 0)%nat (conj A1 (conj A2 A3))). lia.
          * assert (NZ : ~ u_index u (t1 + S k)%nat = 0) by (rewrite A3; lia).
            pose proof (G (t1 + S k)%nat (conj A1 (conj A2 NZ))). lia.
      - intros; apply B.
      - intros; apply small.
    Qed.

    Lemma above_flag : u_above_one u tc = true <-> 1 < mv.
    Proof.
      destruct load_numbers as [_ [_ NM]]. rewrite <- NM, <- Z.ltb_lt. unfold tc.
      enough (u_above_one u (t1 + K)%nat = (1 <? words (Z.of_nat w) K mw)) as -> by tauto.
      assert (FIRST : u_above_one u (t1 + 1)%nat = (1 <? mw 0%nat)).
      { destruct (steps_of_load 0%nat k_positive) as [A1 [A2 A3]].
        pose proof (use h_above_first (t1 + 0)%nat (conj A1 (conj A2 A3))) as H.
        apply eq_true_iff_eq. rewrite Z.ltb_lt. unfold mw.
        replace (t1 + 1)%nat with (S (t1 + 0)) by lia. exact H. }
      assert (NEXT : forall j, (1 <= j)%nat -> (j < K)%nat -> u_above_one u (t1 + S j)%nat =
        (u_above_one u (t1 + j)%nat || negb (mw j =? 0))%bool).
      { intros j I I2. destruct (steps_of_load j I2) as [A1 [A2 A3]].
        assert (NZ : ~ u_index u (t1 + j)%nat = 0) by (rewrite A3; lia).
        pose proof (use h_above_step (t1 + j)%nat (conj A1 (conj A2 NZ))) as H.
        apply eq_true_iff_eq. rewrite orb_true_iff, negb_true_iff, Z.eqb_neq. unfold mw.
        rewrite Nat.add_succ_r. exact H. }
      revert FIRST NEXT. pose proof k_positive as KP.
      assert (SM : forall j, (j < K)%nat -> 0 <= mw j < 2 ^ Z.of_nat w)
        by (intros; apply small).
      destruct K as [|k]; [lia|]. intros FIRST NEXT.
      apply (above_of_words (Z.of_nat w) k mw (fun k => u_above_one u (t1 + k)%nat)); [lia| |exact FIRST|].
      - intros j I. apply SM. lia.
      - intros j I. apply NEXT; lia.
    Qed.

    Lemma odd_flag : u_odd u tc = true <-> Z.odd mv = true.
    Proof.
      destruct load_numbers as [_ [_ NM]]. rewrite <- NM.
      assert (H : forall k, (k < K)%nat -> u_odd u (t1 + S k)%nat = Z.odd (mw 0%nat)).
      { induction k as [|k IH]; intro I; destruct (steps_of_load _ I) as [A1 [A2 A3]];
          rewrite Nat.add_succ_r.
        - apply same_flags. pose proof (use h_odd_first (t1 + 0)%nat (conj A1 (conj A2 A3))) as H.
          unfold bit_of in H. rewrite Z.bit0_odd in H. exact H.
        - rewrite <- IH by lia. apply same_flags.
          assert (NZ : ~ u_index u (t1 + S k)%nat = 0) by (rewrite A3; lia).
          exact (use h_odd_step (t1 + S k)%nat (conj A1 (conj A2 NZ))). }
      unfold tc. pose proof k_positive. destruct K as [|k]; [lia|].
      rewrite odd_of_words by lia. rewrite H by lia. tauto.
    Qed.

    Lemma checks : (u_x_below u tc = true <-> xv < mv) /\ (u_y_below u tc = true <-> yv < mv).
    Proof.
      destruct load_numbers as [NX [NY _]]. pose proof (use h_below tc) as BL. pose proof small as SM.
      assert (CX : u_x_carry u tc = 0 <-> xv < mv).
      { rewrite <- NX. apply (compared (u_x_word u) (u_x_difference u)); try (intros; apply SM).
        - exact (fun t => use h_x_first t).
        - exact (fun t => use h_x_step t). }
      assert (CY : u_y_carry u tc = 0 <-> yv < mv).
      { rewrite <- NY. apply (compared (u_y_word u) (u_y_difference u)); try (intros; apply SM).
        - exact (fun t => use h_y_first t).
        - exact (fun t => use h_y_step t). }
      tauto.
    Qed.

    Lemma load_end : u_state u tc = 1 /\ u_good u tc = true /\ u_pass_done u tc = true.
    Proof.
      destruct load_begins as [_ [P1 _]]. destruct (load_stays K ltac:(lia)) as [A B].
      destruct (pass_ends t1 P1) as [C _]. auto.
    Qed.

    Lemma no_core_start : forall t, u_state u t <> 2 -> e t (Start, 0%N) = false.
    Proof.
      intros t H. rewrite (port_start _ _ _ _ PORTS). apply not_true_is_false. intro C.
      apply (use h_core_start_step t) in C. tauto.
    Qed.

    Lemma idle_until : forall i, (i <= K + 2)%nat -> idle_core (e (t0 + i)%nat).
    Proof.
      induction i as [|i IH]; intro I; [rewrite Nat.add_0_r; exact IDLE|].
      rewrite Nat.add_succ_r. apply STAYS; [apply IH; lia|]. apply no_core_start.
      destruct i as [|i].
      - rewrite Nat.add_0_r. rewrite (use h_begins_idle t0 BEGINS). lia.
      - destruct (load_stays i ltac:(lia)) as [A _]. unfold t1 in A.
        replace (t0 + S i)%nat with (S t0 + i)%nat by lia. lia.
    Qed.

    (* Status of a rejected operation. *)
    Definition code : Z := if 1 <? mv then if Z.odd mv then 6 else 5 else 4.

    Theorem rejected : ~ legal ->
      (forall i, (1 <= i <= K + 2)%nat -> u_busy u (t0 + i)%nat = true) /\
      u_busy u (t0 + (K + 3))%nat = false /\ u_done u (t0 + (K + 3))%nat = true /\
      u_status u (t0 + (K + 3))%nat = code /\ idle_core (e (t0 + (K + 3))%nat).
    Proof.
      intro NL. destruct load_end as [A [B C]]. destruct checks as [CX CY].
      pose proof above_flag as CA. pose proof odd_flag as CO.
      assert (N : ~ (u_x_below u tc = true /\ u_y_below u tc = true /\ u_above_one u tc = true /\
                     u_odd u tc = true)) by (unfold legal, legal_operands in NL; tauto).
      pose proof (use h_load_rejects tc (conj A (conj C (conj B N)))) as E.
      assert (OUT : u_outcome u (S tc) = code).
      { unfold code. destruct (Z.ltb_spec 1 mv) as [M1|M1].
        - assert (u_above_one u tc = true) by tauto. destruct (Z.odd mv) eqn:O.
          + apply (use h_rejects_range tc). assert (u_odd u tc = true) by tauto.
            repeat split; try assumption. tauto.
          + apply (use h_rejects_even tc). repeat split; try assumption.
            intro Q. apply CO in Q. discriminate.
        - apply (use h_rejects_modulus tc). repeat split; try assumption.
          intro Q. apply CA in Q. lia. }
      destruct (use h_ends (S tc) E) as [E1 [E2 E3]].
      assert (T : S (S tc) = (t0 + (K + 3))%nat) by (unfold tc, t1; lia). rewrite T in *.
      assert (T' : S tc = (t0 + (K + 2))%nat) by (unfold tc, t1; lia). rewrite T' in *.
      split; [|split; [|split; [|split]]].
      - intros i I. apply (use h_is_busy (t0 + i)%nat). destruct (Nat.eq_dec i (K + 2)) as [->|].
        + lia.
        + destruct (load_stays (i - 1) ltac:(lia)) as [F _]. unfold t1 in F.
          replace (S t0 + (i - 1))%nat with (t0 + i)%nat in F by lia. lia.
      - apply not_true_is_false. intro Q. apply (use h_is_busy (t0 + (K + 3))%nat) in Q. lia.
      - exact E2.
      - congruence.
      - replace (t0 + (K + 3))%nat with (S (t0 + (K + 2))) by lia. apply STAYS.
        + apply idle_until. lia.
        + apply no_core_start. lia.
    Qed.

    (* ------------------------------------------------------------------------------------------ *)
    (* An operation that is not rejected.                                                           *)

    Section Legal.
      Hypothesis LEGAL : legal.
      Let T : nat := S tc.

      Lemma T_is : T = (t0 + (K + 2))%nat.
      Proof. unfold T, tc, t1. lia. Qed.

      Lemma core_begins : u_core_start u T = true /\ u_state u T = 2 /\ u_good u T = true.
      Proof.
        destruct load_end as [A [B C]]. destruct checks as [CX CY].
        pose proof above_flag as CA. pose proof odd_flag as CO. destruct LEGAL as [L1 [L2 [L3 L4]]].
        destruct (use h_load_passes tc) as [D E]; [tauto|].
        destruct (use h_good_stays tc) as [Z0|F]; [lia|]. unfold T. tauto.
      Qed.

      Lemma core_stays : forall i, (i <= last + 1)%nat ->
        (forall k, (k <= i)%nat -> (k < last + 1)%nat -> u_core_done u (T + k)%nat = false) ->
        (u_state u (T + i)%nat = 2 /\ i = O \/ u_state u (T + i)%nat = 4) /\
        u_good u (T + i)%nat = true.
      Proof.
        destruct core_begins as [A [B C]].
        induction i as [|i IH]; intros I D; [rewrite Nat.add_0_r; auto|].
        destruct (IH ltac:(lia) (fun k H1 H2 => D k ltac:(lia) H2)) as [E F].
        rewrite Nat.add_succ_r. split.
        - right. destruct E as [[E ->]|E].
          + rewrite Nat.add_0_r. exact (use h_core_runs T A).
          + apply (use h_core_goes_on (T + i)%nat). split; [exact E|].
            rewrite (D i) by lia. discriminate.
        - destruct (use h_good_stays (T + i)%nat) as [Z0|G]; [lia|]. apply G. exact F.
      Qed.

      (* The cycles before the core is done, once the cycle of done is known. *)
      Hypothesis DONE : forall i, (i <= last + 1)%nat ->
        u_core_done u (T + i)%nat = (i =? last + 1)%nat.

      Lemma core_state : forall i, (i <= last + 1)%nat ->
        (u_core_start u (T + i)%nat = true \/ u_state u (T + i)%nat = 4) /\
        u_state u (T + i)%nat <> 0 /\ ((1 <= i)%nat -> u_state u (T + i)%nat = 4) /\
        u_good u (T + i)%nat = true.
      Proof.
        intros i I. destruct core_begins as [A _].
        destruct (core_stays i I) as [[[B ->]|B] C].
        - intros k H1 H2. rewrite DONE by lia. apply Nat.eqb_neq. lia.
        - rewrite Nat.add_0_r in *. repeat split; auto; lia.
        - repeat split; auto; lia.
      Qed.

      Lemma busy_before : forall k, (1 <= k < K + 2 + (last + 2))%nat ->
        u_state u (t0 + k)%nat <> 0.
      Proof.
        intros k H. destruct (Nat.le_gt_cases k (K + 1)).
        - destruct (load_stays (k - 1) ltac:(lia)) as [A _]. unfold t1 in A.
          replace (S t0 + (k - 1))%nat with (t0 + k)%nat in A by lia. lia.
        - replace (t0 + k)%nat with (T + (k - (K + 2)))%nat by (rewrite T_is; lia).
          apply core_state. lia.
      Qed.

      Lemma core_contents : forall i, (i <= last + 1)%nat ->
        forall j, 0 <= j < Z.of_nat w * Z.of_nat K ->
        u_x_content u j (T + i)%nat = u_x_content u j t0 /\
        u_y_content u j (T + i)%nat = u_y_content u j t0 /\
        u_m_content u j (T + i)%nat = u_m_content u j t0.
      Proof.
        intros i I j R. rewrite T_is. rewrite <- Nat.add_assoc.
        apply contents; [|exact R]. intros k H. apply busy_before. lia.
      Qed.

      Lemma core_operands : forall i, (i <= last + 1)%nat ->
        number (e (T + i)%nat) Y n = yv /\ number (e (T + i)%nat) M n = mv.
      Proof.
        intros i I. destruct (core_state i I) as [ST _].
        split; apply value_same; intros k A; unfold at_;
          destruct (core_contents i I (Z.of_nat k) ltac:(nia)) as [_ [CY CM]].
        - rewrite (port_y _ _ _ _ PORTS) by (unfold n in A; lia). rewrite nat_N_Z, <- CY.
          apply same_flags. apply (at_bit h_core_y (Z.of_nat k) (T + i)%nat); [nia|].
          split; [tauto|lia].
        - rewrite (port_m _ _ _ _ PORTS) by (unfold n in A; lia). rewrite nat_N_Z, <- CM.
          apply same_flags. apply (at_bit h_core_m (Z.of_nat k) (T + i)%nat); [nia|].
          split; [tauto|lia].
      Qed.

      (* The sum of the load stays in the words that the lemmas keep. *)
      Lemma sum_of_load : forall i, (i <= last + 1)%nat -> forall k b, (k < K)%nat -> (b < w)%nat ->
        u_sum_kept u (Z.of_nat (k * w + b)) (T + i)%nat = u_sum u (t1 + k)%nat.
      Proof.
        intros i I k b A B. destruct (position k b A B) as [R [D _]].
        set (j := Z.of_nat (k * w + b)) in *. destruct (steps_of_load k A) as [A1 [A2 A3]].
        destruct (at_bit h_sum_taken j (t1 + k)%nat R (conj A1 (eq_trans A3 (eq_sym D)))) as [E _].
        enough (forall c, (S (t1 + k) + c <= T + i)%nat ->
          u_sum_kept u j (S (t1 + k) + c)%nat = u_sum u (t1 + k)%nat) as H.
        { specialize (H (T + i - S (t1 + k))%nat). rewrite <- H; [f_equal|]; unfold T, tc; lia. }
        induction c as [|c IH]; intro C; [rewrite Nat.add_0_r; exact E|].
        rewrite Nat.add_succ_r. rewrite <- IH by lia. set (t := (S (t1 + k) + c)%nat) in *.
        destruct (at_bit h_sum_stays j t R) as [[ST IN]|[SK _]]; [|exact SK]. exfalso.
        destruct (Nat.le_gt_cases t tc) as [LE|GT].
        - destruct (Nat.eq_dec t tc) as [->|].
          + destruct load_begins as [_ [P1 _]]. destruct (pass_ends t1 P1) as [_ N1].
            exact (N1 ST).
          + destruct (steps_of_load (t - t1)%nat) as [_ [_ Q]]; [unfold tc, t in *; lia|].
            replace (t1 + (t - t1))%nat with t in Q by (unfold t; lia). unfold t in *. lia.
        - pose proof (use h_step_states t ST) as Q.
          assert (T0 : t = (T + (t - T))%nat) by (unfold T; lia).
          destruct (core_state (t - T)%nat) as [[X1|X1] _]; [unfold T in *; lia| |];
            rewrite <- T0 in X1; [apply (use h_core_start_step t) in X1|]; lia.
      Qed.

      Lemma constant_of_core : sums = 1 -> forall i, (i <= last + 1)%nat ->
        number (e (T + i)%nat) Constant (S n) = yv + mv.
      Proof.
        intros SUMS i I. destruct (core_state i I) as [ST _].
        destruct load_numbers as [_ [NY NM]]. destruct load_begins as [_ [P1 _]].
        assert (FIRST : forall t, u_sums_first u t = true)
          by (intro t; apply (use h_adds_first t); exact SUMS).
        pose proof small as SM.
        assert (YB : 0 <= yv < 2 ^ Z.of_nat n) by apply value_bounds.
        assert (MB : 0 <= mv < 2 ^ Z.of_nat n) by apply value_bounds.
        set (f := fun k => u_sum u (t1 + k)%nat).
        assert (PASS : forall k, (k <= K)%nat ->
          words (Z.of_nat w) k f + 2 ^ (Z.of_nat w * Z.of_nat k) * u_carry u (t1 + k)%nat =
          words (Z.of_nat w) k yw + words (Z.of_nat w) k mw).
        { induction k as [|k IH]; intro A; cbn [words].
          - rewrite Nat.add_0_r. destruct (use h_carry_first t1 P1) as [-> _]. lia.
          - rewrite power_words by lia. specialize (IH ltac:(lia)).
            destruct (steps_of_load k A) as [A1 [A2 A3]].
            pose proof (use h_sums (t1 + k)%nat A1) as H. unfold above_word in H.
            destruct (use h_load_sum (t1 + k)%nat) as [E1 E2]; [auto|].
            rewrite Nat.add_succ_r. unfold f at 2, yw at 2, mw at 2. rewrite E1, E2 in H. nia. }
        specialize (PASS K (le_n K)). rewrite NY, NM in PASS.
        pose proof (words_bounds (Z.of_nat w) K f ltac:(lia) (fun k _ => proj1 (SM (t1 + k)%nat))) as FB.
        assert (P2 : 2 ^ Z.of_nat (S n) <= 2 ^ (Z.of_nat w * Z.of_nat K))
          by (apply Z.pow_le_mono_r; nia).
        assert (C0 : 0 <= u_carry u (t1 + K)%nat) by apply SM. rewrite power_step in P2.
        assert (CZ : u_carry u (t1 + K)%nat = 0) by nia. rewrite CZ in PASS.
        assert (SUM : words (Z.of_nat w) K f = yv + mv) by lia.
        rewrite <- SUM.
        rewrite (number_of_words w K f (fun i => Z.testbit (f (N.to_nat i / w)%nat)
                   (Z.of_nat (N.to_nat i mod w)))).
        - rewrite <- (value_small (S n) (K * w)); [|nia|].
          + apply value_same. intros j A. unfold at_.
            rewrite (port_constant _ _ _ _ PORTS) by (unfold n in A; lia).
            rewrite nat_N_Z, Nnat.Nat2N.id.
            assert (JK : (j / w < K)%nat) by (apply Nat.div_lt_upper_bound; nia).
            assert (JW : (j mod w < w)%nat) by (apply Nat.mod_upper_bound; lia).
            assert (JE : j = (j / w * w + j mod w)%nat)
              by (rewrite (Nat.div_mod j w) at 1 by lia; lia).
            destruct (position _ _ JK JW) as [R [_ M0]]. rewrite <- JE in R, M0.
            apply same_flags. rewrite (at_bit h_core_constant (Z.of_nat j) (T + i)%nat R);
              [|repeat split; auto; lia].
            rewrite M0. unfold bit_of. rewrite JE at 1.
            rewrite (sum_of_load i I (j / w) (j mod w) JK JW). tauto.
          + rewrite <- (number_of_words w K f).
            * rewrite SUM, power_step. lia.
            * intros; apply SM.
            * intros k b A B. unfold at_. rewrite Nnat.Nat2N.id.
              rewrite Nat.div_add_l, (Nat.div_small b w), Nat.add_0_r by lia.
              rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
        - intros; apply SM.
        - intros k b A B. unfold at_. rewrite Nnat.Nat2N.id.
          rewrite Nat.div_add_l, (Nat.div_small b w), Nat.add_0_r by lia.
          rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
      Qed.

      Definition taken_x : Z := value n (fun i => e (T + N.to_nat (i / N.of_nat J))%nat
                                           (X, (i mod N.of_nat J)%N)).

      Lemma the_product : product net sh idle_core takes last size e T taken_x yv mv.
      Proof.
        apply CORE.
        - rewrite T_is. apply idle_until. lia.
        - rewrite (port_start _ _ _ _ PORTS). apply core_begins.
        - reflexivity.
        - intros i I. apply core_operands. lia.
        - intros i I. apply core_operands. lia.
        - apply LEGAL.
        - intros i I. apply OK. intro S1. destruct (core_operands i) as [A B]; [lia|].
          rewrite A, B. apply constant_of_core; [exact S1|lia].
      Qed.

      Lemma next_at : forall c, (c < takes)%nat -> u_core_next u (T + c)%nat = true.
      Proof.
        intros c I. apply (port_next _ _ _ _ PORTS).
        pose proof (cycles_next _ _ _ _ _ _ _ _ _ _ _ the_product c ltac:(lia)) as H.
        rewrite (proj2 (Nat.ltb_lt c takes) I) in H. exact H.
      Qed.

      Lemma taken_at : forall c, (c <= takes)%nat -> u_taken u (T + c)%nat = Z.of_nat (J * c).
      Proof.
        induction c as [|c IH]; intro I.
        - rewrite Nat.add_0_r, Nat.mul_0_r. exact (use h_taken_first T (proj1 core_begins)).
        - rewrite Nat.add_succ_r. rewrite (use h_taken_runs (T + c)%nat (next_at c ltac:(lia))).
          rewrite IH by lia. lia.
      Qed.

      Lemma x_is : taken_x = xv.
      Proof.
        apply value_same. intros i I. unfold at_.
        set (c := N.to_nat (N.of_nat i / N.of_nat J)). set (b := (N.of_nat i mod N.of_nat J)%N).
        assert (DM : (i = J * c + N.to_nat b)%nat /\ (b < N.of_nat J)%N).
        { pose proof (N.div_mod (N.of_nat i) (N.of_nat J) ltac:(lia)) as H.
          pose proof (N.mod_lt (N.of_nat i) (N.of_nat J) ltac:(lia)). unfold c, b. nia. }
        destruct DM as [DM BJ].
        assert (CT : (c < takes)%nat) by nia.
        assert (R : 0 <= Z.of_nat i < Z.of_nat w * Z.of_nat K) by nia.
        rewrite (port_x _ _ _ _ PORTS) by lia. rewrite nat_N_Z.
        destruct (core_contents c ltac:(lia) (Z.of_nat i) R) as [<- _].
        pose proof (next_at c CT) as NX. pose proof (taken_at c ltac:(lia)) as TA.
        apply same_flags.
        assert (B : b = 0%N \/ b = 1%N \/ b = 2%N \/ b = 3%N) by lia.
        destruct B as [-> |[-> |[-> | ->]]]; unfold x_port.
        - apply (at_bit h_core_x_0 (Z.of_nat i) (T + c)%nat R). repeat split; auto; lia.
        - apply (at_bit h_core_x_1 (Z.of_nat i) (T + c)%nat R). repeat split; auto; lia.
        - apply (at_bit h_core_x_2 (Z.of_nat i) (T + c)%nat R). repeat split; auto; lia.
        - apply (at_bit h_core_x_3 (Z.of_nat i) (T + c)%nat R). repeat split; auto; lia.
      Qed.

      (* The pass of the result. *)
      Let D : nat := (T + (last + 1))%nat.
      Let t2 : nat := S (S D).

      Lemma result_begins : u_result_start u (S D) = true /\ u_state u (S D) = 2 /\
        u_state u t2 = 3 /\ u_pass u t2 = 1 /\ u_good u t2 = true.
      Proof.
        destruct (core_state (last + 1) (le_n _)) as [_ [_ [ST G]]]. fold D in ST, G.
        assert (DN : u_core_done u D = true) by (unfold D; rewrite DONE by lia; apply Nat.eqb_refl).
        destruct (use h_core_ends D (conj (ST ltac:(lia)) DN)) as [A B].
        destruct (use h_result_starts (S D) A) as [E F].
        destruct (use h_good_stays D) as [Z0|G1]; [rewrite ST in Z0 by lia; lia|].
        destruct (use h_good_stays (S D)) as [Z0|G2]; [lia|].
        repeat split; auto. apply G2, G1, G.
      Qed.

      Lemma result_stays : forall i, (i <= K)%nat ->
        u_state u (t2 + i)%nat = 3 /\ u_good u (t2 + i)%nat = true.
      Proof.
        destruct result_begins as [_ [_ [S1 [P1 G1]]]].
        induction i as [|i IH]; intro I; [rewrite Nat.add_0_r; auto|].
        destruct (IH ltac:(lia)) as [A B]. rewrite Nat.add_succ_r. split.
        - apply (use h_result_goes_on (t2 + i)%nat). split; [exact A|].
          apply (pass_steps t2 P1 i). lia.
        - destruct (use h_good_stays (t2 + i)%nat) as [Z0|E]; [lia|]. apply E. exact B.
      Qed.

      Lemma steps_of_result : forall k, (k < K)%nat -> u_step u (t2 + k)%nat = true /\
        u_state u (t2 + k)%nat = 3 /\ u_index u (t2 + k)%nat = Z.of_nat k.
      Proof.
        destruct result_begins as [_ [_ [_ [P1 _]]]]. intros k A.
        destruct (pass_steps t2 P1 k A) as [A1 [A2 _]].
        destruct (result_stays k ltac:(lia)) as [A3 _]. auto.
      Qed.

      Lemma all_busy : forall k, (1 <= k <= 2 * K + last + 6)%nat -> u_state u (t0 + k)%nat <> 0.
      Proof.
        destruct result_begins as [_ [S1 _]]. intros k H.
        destruct (Nat.lt_ge_cases k (K + 2 + (last + 2))); [apply busy_before; lia|].
        destruct (Nat.eq_dec k (K + 2 + (last + 2))) as [->|].
        - replace (t0 + (K + 2 + (last + 2)))%nat with (S D) by (unfold D; rewrite T_is; lia). lia.
        - destruct (Nat.eq_dec k (2 * K + last + 6)) as [->|].
          + replace (t0 + (2 * K + last + 6))%nat with (S (t2 + K))
              by (unfold t2, D; rewrite T_is; lia).
            destruct (result_stays K (le_n K)) as [A B]. destruct (pass_ends t2) as [C _];
              [apply result_begins|].
            destruct (use h_result_ends (t2 + K)%nat (conj A (conj C B))) as [E _]. lia.
          + replace (t0 + k)%nat with (t2 + (k - (K + 2 + (last + 3))))%nat
              by (unfold t2, D; rewrite T_is; lia).
            destruct (result_stays (k - (K + 2 + (last + 3))) ltac:(lia)) as [A _]. lia.
      Qed.

      Let sumw k := u_sum u (t2 + k)%nat.
      Let diffw k := u_difference u (t2 + k)%nat.
      Let savedw k := u_saved u (t2 + k)%nat.
      Let rm k := u_m_word u (t2 + k)%nat.

      Lemma result_modulus : words (Z.of_nat w) K rm = mv.
      Proof.
        rewrite (number_of_words w K rm (fun i => u_m_content u (Z.of_N i) t0)).
        - apply value_wider; [lia|]. intros i I. unfold at_. rewrite nat_N_Z.
          apply content_above. nia.
        - intros; apply small.
        - intros k i A B. unfold at_. rewrite nat_N_Z. destruct (position k i A B) as [R [D0 M0]].
          destruct (steps_of_result k A) as [A1 [A2 A3]]. set (j := Z.of_nat (k * w + i)) in *.
          assert (CM : u_m_content u j (t2 + k)%nat = u_m_content u j t0).
          { replace (t2 + k)%nat with (t0 + (K + 2 + (last + 3) + k))%nat
              by (unfold t2, D; rewrite T_is; lia).
            apply contents; [|exact R]. intros c C. apply all_busy. lia. }
          pose proof (at_bit h_load_m j (t2 + k)%nat R (conj A1 (eq_trans A3 (eq_sym D0)))) as H.
          unfold bit_of in H. rewrite M0 in H. apply same_flags in H. unfold rm. congruence.
      Qed.

      Lemma result_pass : pass (Z.of_nat w) K (fun k => u_a u (t2 + k)%nat)
        (fun k => u_b u (t2 + k)%nat) rm sumw (fun k => u_carry u (t2 + k)%nat) diffw savedw.
      Proof.
        destruct result_begins as [_ [_ [_ [P1 _]]]]. pose proof small as SM.
        destruct (use h_carry_first t2 P1) as [C0 S0].
        split; intros; try apply SM; unfold savedw; rewrite ?Nat.add_0_r; try assumption;
          destruct (steps_of_result j ltac:(assumption)) as [A1 _]; rewrite Nat.add_succ_r.
        - pose proof (use h_sums (t2 + j)%nat A1) as Q. unfold above_word in Q. exact Q.
        - pose proof (use h_differences (t2 + j)%nat A1) as Q.
          unfold above_word, inverse_word in Q. exact Q.
      Qed.

      Lemma unload_at : forall i, (i <= K)%nat ->
        e (D + i)%nat (Unload, 0%N) = negb (i =? 0)%nat.
      Proof.
        intros i I. rewrite (port_unload _ _ _ _ PORTS). destruct i as [|i].
        - rewrite Nat.add_0_r. apply not_true_is_false. intro U.
          destruct (core_state (last + 1) (le_n _)) as [_ [_ [ST _]]]. fold D in ST.
          specialize (ST ltac:(lia)). apply (use h_unloads D) in U. destruct U as [U|U]; [|lia].
          apply (use h_result_start_step D) in U. lia.
        - cbn [Nat.eqb negb]. apply (use h_unloads (D + S i)%nat).
          destruct result_begins as [R [_ [_ [P1 _]]]]. destruct i as [|i].
          + left. replace (D + 1)%nat with (S D) by lia. exact R.
          + right. replace (D + S (S i))%nat with (t2 + i)%nat by (unfold t2; lia).
            destruct (result_stays i ltac:(lia)) as [A _].
            pose proof (pass_goes_on t2 P1 i ltac:(lia)). lia.
      Qed.

      Lemma unloads_at : forall j, (j <= K)%nat -> unloads e D (S j) = j.
      Proof.
        induction j as [|j IH]; intro I.
        - cbn [unloads]. rewrite unload_at by lia. reflexivity.
        - change (unloads e D (S (S j))) with
            (unloads e D (S j) + (if e (D + S j)%nat (Unload, 0%N) then 1 else 0))%nat.
          rewrite IH by lia. rewrite unload_at by lia. cbn [Nat.eqb negb]. lia.
      Qed.

      Lemma no_start_after : forall i, (i <= K + 2)%nat -> e (S D + i)%nat (Start, 0%N) = false.
      Proof.
        destruct result_begins as [R [S1 _]]. intros [|i] I.
        - rewrite Nat.add_0_r, (port_start _ _ _ _ PORTS). apply not_true_is_false. intro C.
          apply (use h_core_start_step (S D)) in C. tauto.
        - replace (S D + S i)%nat with (t2 + i)%nat by (unfold t2; lia). apply no_core_start.
          destruct (Nat.le_gt_cases i K).
          + destruct (result_stays i ltac:(lia)) as [A _]. lia.
          + replace i with (S K) by lia. rewrite Nat.add_succ_r.
            destruct (result_stays K (le_n K)) as [A B]. destruct (pass_ends t2) as [C _];
              [apply result_begins|].
            destruct (use h_result_ends (t2 + K)%nat (conj A (conj C B))) as [E _]. lia.
      Qed.

      Lemma result_unit : unit_pass net sh e (T + (last + 1)) (Z.of_nat w) K
        (fun k => u_a u (t2 + k)%nat) (fun k => u_b u (t2 + k)%nat) rm sumw
        (fun k => u_carry u (t2 + k)%nat) diffw savedw S mv.
      Proof.
        fold D. assert (WS : Z.of_nat w = Z.of_N (word sh)) by (unfold w; apply N_nat_Z).
        split.
        - exact result_pass.
        - exact WS.
        - rewrite (port_unload _ _ _ _ PORTS). apply not_true_is_false. intro U.
          replace (D - 1)%nat with (T + last)%nat in U by (unfold D; lia).
          destruct (core_state last ltac:(lia)) as [_ [_ [ST _]]]. specialize (ST LAST).
          apply (use h_unloads (T + last)%nat) in U. destruct U as [U|U]; [|lia].
          apply (use h_result_start_step (T + last)%nat) in U. lia.
        - intros j i JK I. replace (D + 1 + i)%nat with (S D + i)%nat by lia.
          apply no_start_after. lia.
        - intros j JK. apply unloads_at. lia.
        - intros j z JK H. replace (D + 1 + S j)%nat with (t2 + j)%nat in H by (unfold t2; lia).
          destruct (steps_of_result j JK) as [A1 [A2 _]].
          destruct (use h_result_words (t2 + j)%nat (conj A1 A2)) as [E _].
          rewrite E, WS. exact (port_s _ _ _ _ PORTS _ _ H).
        - intros j z JK H. replace (D + 1 + S j)%nat with (t2 + j)%nat in H by (unfold t2; lia).
          destruct (steps_of_result j JK) as [A1 [A2 _]].
          destruct (use h_result_words (t2 + j)%nat (conj A1 A2)) as [_ E].
          rewrite E, WS. exact (port_c _ _ _ _ PORTS _ _ H).
        - exact result_modulus.
      Qed.

      Definition P : Z := kept (Z.of_nat w) K sumw diffw savedw.

      Lemma P_is_right : 0 <= P < mv /\ (2 ^ Z.of_nat n * P) mod mv = (xv * yv) mod mv.
      Proof.
        pose proof the_product as PR. rewrite x_is in PR. destruct LEGAL as [L1 [L2 [L3 L4]]].
        assert (YB : 0 <= yv < 2 ^ Z.of_nat n) by apply value_bounds.
        assert (MB : 0 <= mv < 2 ^ Z.of_nat n) by apply value_bounds.
        replace (Z.of_nat n) with (Z.of_N (width sh)) by (unfold n; symmetry; apply N_nat_Z).
        apply (unit_is_right net sh idle_core takes last size e T xv yv mv (Z.of_nat w) K _ _ _ _ _ _ _
          S PR result_unit); try lia.
        apply Z.le_trans with (2 ^ Z.of_nat (S n)); [rewrite power_step; lia|].
        apply Z.pow_le_mono_r; nia.
      Qed.

      Lemma core_free : forall i, (K + 2 + (last + 2) + (K + 1) <= i)%nat ->
        (i <= 2 * K + last + 7)%nat -> idle_core (e (t0 + i)%nat).
      Proof.
        intros i A B. replace i with (K + 2 + (last + 2) + (K + 1) + (i - (K + 2 + (last + 2) + (K + 1))))%nat by lia.
        assert (C : (i - (K + 2 + (last + 2) + (K + 1)) <= 2)%nat) by lia.
        revert C. generalize (i - (K + 2 + (last + 2) + (K + 1)))%nat. clear A B. 
        assert (BASE : idle_core (e (t0 + (K + 2 + (last + 2) + (K + 1)))%nat)).
        { pose proof (back _ _ _ _ _ _ _ _ _ _ _ the_product (K + 1)) as H.
          replace (t0 + (K + 2 + (last + 2) + (K + 1)))%nat with (T + (last + 2) + (K + 1))%nat
            by (rewrite T_is; lia).
          apply H.
          - pose proof (unit_waits _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ result_unit) as U.
            replace (T + (last + 1) - 1)%nat with (T + last)%nat in U by lia. exact U.
          - intros c C. replace (T + (last + 2) + c)%nat with (S D + c)%nat by (unfold D; lia).
            apply no_start_after. lia.
          - fold D. replace (K + 1)%nat with (S K) by lia. rewrite unloads_at by lia.
            fold w. lia. }
        induction n0 as [|c IH]; intro C; [rewrite Nat.add_0_r; exact BASE|].
        replace (t0 + (K + 2 + (last + 2) + (K + 1) + S c))%nat with
          (S (t0 + (K + 2 + (last + 2) + (K + 1) + c))) by lia.
        apply STAYS; [apply IH; lia|].
        replace (t0 + (K + 2 + (last + 2) + (K + 1) + c))%nat with (S D + (K + 1 + c))%nat
          by (unfold D; rewrite T_is; lia).
        apply no_start_after. lia.
      Qed.

      Let tend : nat := (t0 + (2 * K + last + 7))%nat.
      Let te : nat := S (t2 + K).

      Lemma unit_ends : u_state u te = 5 /\ u_state u tend = 0 /\ u_done u tend = true /\
        u_status u tend = 2 /\ u_valid u tend = true /\ S te = tend /\
        (u_kept u te = true <-> ~ savedw K = 0).
      Proof.
        assert (TE : S te = tend) by (unfold te, tend, t2, D; rewrite T_is; lia).
        destruct (result_stays K (le_n K)) as [A B]. destruct (pass_ends t2) as [C _];
          [apply result_begins|].
        destruct (use h_result_ends (t2 + K)%nat (conj A (conj C B))) as [E F].
        destruct (use h_good_stays (t2 + K)%nat) as [Z0|G]; [lia|]. fold te in E, F, G.
        destruct (use h_ends te E) as [S1 [S2 S3]].
        assert (V : u_valid u (S te) = true)
          by (apply (use h_becomes_valid te); repeat split; try assumption; tauto).
        rewrite TE in *. repeat split; try assumption; try congruence.
        - apply (use h_keeps (t2 + K)%nat (conj A (conj C B))).
        - apply (use h_keeps (t2 + K)%nat (conj A (conj C B))).
      Qed.

      Section Read.
        Variable i : nat.
        Hypothesis QUIET : forall c, (c <= i)%nat -> u_begins u (tend + c)%nat = false.

        Lemma rests : forall c, (c <= i)%nat ->
          u_state u (tend + c)%nat = 0 /\ u_valid u (tend + c)%nat = true.
        Proof.
          destruct unit_ends as [_ [A [_ [_ [B _]]]]].
          induction c as [|c IH]; intro C; [rewrite Nat.add_0_r; auto|].
          destruct (IH ltac:(lia)) as [E F]. specialize (QUIET c ltac:(lia)).
          rewrite Nat.add_succ_r. split.
          - apply (use h_idle_stays (tend + c)%nat). rewrite QUIET. split; [exact E|discriminate].
          - apply (use h_valid_stays (tend + c)%nat). rewrite QUIET. split; [exact F|discriminate].
        Qed.

        Lemma keeps_flag : forall c, (c <= S i)%nat -> u_kept u (te + c)%nat = u_kept u te.
        Proof.
          destruct unit_ends as [E [_ [_ [_ [_ [TE _]]]]]].
          induction c as [|c IH]; intro C; [rewrite Nat.add_0_r; reflexivity|].
          rewrite Nat.add_succ_r, <- IH by lia.
          destruct (use h_kept_stays (te + c)%nat) as [PD|KS]; [|apply same_flags; exact KS].
          exfalso. apply (use h_pass_done_idle (te + c)%nat) in PD. destruct c as [|c].
          - rewrite Nat.add_0_r in PD. lia.
          - destruct (rests c ltac:(lia)) as [Q _].
            replace (te + S c)%nat with (tend + c)%nat in PD by lia. lia.
        Qed.

        Lemma keeps_words : forall k b, (k < K)%nat -> (b < w)%nat ->
          u_sum_kept u (Z.of_nat (k * w + b)) (tend + i)%nat = sumw k /\
          u_difference_kept u (Z.of_nat (k * w + b)) (tend + i)%nat = diffw k.
        Proof.
          destruct unit_ends as [E [_ [_ [_ [_ [TE _]]]]]].
          intros k b A B. destruct (position k b A B) as [R [D0 _]].
          set (j := Z.of_nat (k * w + b)) in *. destruct (steps_of_result k A) as [A1 [A2 A3]].
          destruct (at_bit h_sum_taken j (t2 + k)%nat R (conj A1 (eq_trans A3 (eq_sym D0))))
            as [E1 E2].
          enough (forall c, (S (t2 + k) + c <= tend + i)%nat ->
            u_sum_kept u j (S (t2 + k) + c)%nat = sumw k /\
            u_difference_kept u j (S (t2 + k) + c)%nat = diffw k) as H.
          { specialize (H (tend + i - S (t2 + k))%nat).
            replace (S (t2 + k) + (tend + i - S (t2 + k)))%nat with (tend + i)%nat in H
              by (unfold te in TE; lia). apply H. lia. }
          induction c as [|c IH]; intro C; [rewrite Nat.add_0_r; auto|].
          rewrite Nat.add_succ_r. destruct (IH ltac:(lia)) as [I1 I2]. rewrite <- I1, <- I2.
          set (t := (S (t2 + k) + c)%nat) in *.
          destruct (at_bit h_sum_stays j t R) as [[ST IN]|SK]; [|exact SK]. exfalso.
          destruct (Nat.le_gt_cases t (t2 + K)) as [LE|GT].
          - destruct (Nat.eq_dec t (t2 + K)) as [EQ|].
            + destruct result_begins as [_ [_ [_ [P1 _]]]]. destruct (pass_ends t2 P1) as [_ N1].
              rewrite EQ in ST. exact (N1 ST).
            + destruct (steps_of_result (t - t2)%nat) as [_ [_ Q]]; [unfold t in *; lia|].
              replace (t2 + (t - t2))%nat with t in Q by (unfold t; lia). unfold t in *. lia.
          - pose proof (use h_step_states t ST) as Q. destruct (Nat.eq_dec t te) as [EQ|].
            + rewrite EQ in Q. lia.
            + destruct (rests (t - tend)%nat) as [Q0 _]; [unfold te in *; lia|].
              replace (tend + (t - tend))%nat with t in Q0 by (unfold te in *; lia). lia.
        Qed.

        Lemma bit_of_result : forall j, (j < n)%nat -> u_read_result u (tend + i)%nat = true ->
          u_read_index u (tend + i)%nat = Z.of_nat j / bus ->
          u_result_bit u (Z.of_nat j) (S (tend + i)) = Z.testbit P (Z.of_nat j).
        Proof.
          intros j JN RD IX.
          assert (JK : (j / w < K)%nat) by (apply Nat.div_lt_upper_bound; nia).
          assert (JW : (j mod w < w)%nat) by (apply Nat.mod_upper_bound; lia).
          assert (JE : j = (j / w * w + j mod w)%nat)
            by (rewrite (Nat.div_mod j w) at 1 by lia; lia).
          destruct (position _ _ JK JW) as [R [_ M0]].
          destruct (keeps_words _ _ JK JW) as [KS KD]. rewrite <- JE in R, M0, KS, KD.
          assert (BITS : forall f, (forall k, 0 <= f k < 2 ^ Z.of_nat w) ->
            Z.testbit (words (Z.of_nat w) K f) (Z.of_nat j) =
            Z.testbit (f (j / w)%nat) (Z.of_nat (j mod w))).
          { intros f FB. rewrite (number_of_words w K f (fun i => Z.testbit (f (N.to_nat i / w)%nat)
                   (Z.of_nat (N.to_nat i mod w)))).
            - rewrite testbit_value by nia. unfold at_. rewrite Nnat.Nat2N.id. reflexivity.
            - intros; apply FB.
            - intros k b A B. unfold at_. rewrite Nnat.Nat2N.id.
              rewrite Nat.div_add_l, (Nat.div_small b w), Nat.add_0_r by lia.
              rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity. }
          destruct (rests i (le_n i)) as [_ V]. pose proof (keeps_flag (S i) (le_n _)) as KF.
          destruct unit_ends as [_ [_ [_ [_ [_ [TE KE]]]]]].
          replace (te + S i)%nat with (tend + i)%nat in KF by lia.
          unfold P, kept. destruct (Z.eqb_spec (savedw K) 0) as [Z0|NZ].
          - assert (NK : u_kept u (tend + i)%nat <> true) by (rewrite KF; tauto).
            pose proof (at_bit h_reads_sum (Z.of_nat j) (tend + i)%nat R) as H.
            rewrite KS, M0 in H. unfold bit_of in H. rewrite BITS by (intro; apply small).
            apply same_flags. apply H. repeat split; auto; lia.
          - assert (KK : u_kept u (tend + i)%nat = true) by (rewrite KF; tauto).
            pose proof (at_bit h_reads_kept (Z.of_nat j) (tend + i)%nat R) as H.
            rewrite KD, M0 in H. unfold bit_of in H. rewrite BITS by (intro; apply small).
            apply same_flags. apply H. repeat split; auto; lia.
        Qed.
      End Read.
    End Legal.

    (* The unit's theorem for operands that are legal. The result stays until the next start. *)
    Theorem accepted : legal ->
      (forall i, (1 <= i <= 2 * K + last + 6)%nat -> u_busy u (t0 + i)%nat = true) /\
      let ends := (t0 + (2 * K + last + 7))%nat in
      u_busy u ends = false /\ u_done u ends = true /\ u_status u ends = 2 /\
      idle_core (e ends) /\
      exists p, 0 <= p < mv /\ (2 ^ Z.of_nat n * p) mod mv = (xv * yv) mod mv /\
        forall i, (forall c, (c <= i)%nat -> u_begins u (ends + c)%nat = false) ->
        u_read_result u (ends + i)%nat = true -> forall j, (j < n)%nat ->
        u_read_index u (ends + i)%nat = Z.of_nat j / bus ->
        u_result_bit u (Z.of_nat j) (S (ends + i)) = Z.testbit p (Z.of_nat j).
    Proof.
      intro LEGAL.
      assert (DONE : forall i, (i <= last + 1)%nat ->
        u_core_done u (S tc + i)%nat = (i =? last + 1)%nat).
      { intros i I. apply (port_done _ _ _ _ PORTS). apply CORE_DONE; [|  |exact I].
        - rewrite (T_is). apply idle_until. lia.
        - rewrite (port_start _ _ _ _ PORTS). apply core_begins. exact LEGAL. }
      destruct (unit_ends LEGAL DONE) as [A [B [C [E _]]]].
      split; [|split; [|split; [|split; [|split]]]].
      - intros i I. apply (use h_is_busy (t0 + i)%nat). apply all_busy; assumption.
      - apply not_true_is_false. intro Q.
        apply (use h_is_busy (t0 + (2 * K + last + 7))%nat) in Q. contradiction.
      - exact C.
      - exact E.
      - apply (core_free LEGAL DONE); lia.
      - exists P. destruct (P_is_right LEGAL DONE) as [P1 P2]. split; [exact P1|]. split; [exact P2|].
        intros i Q RD j JN IX. exact (bit_of_result LEGAL DONE i Q j JN RD IX).
    Qed.
  End Operation.
  (* Every operation, whatever its operands are. *)
  Theorem whole_unit : forall t0, u_start u t0 = true -> idle_core (e t0) ->
    operation_is_right n K last bus u idle_core e t0.
  Proof.
    intros t0 START IDLE. split; intro H.
    - exact (accepted t0 START IDLE H).
    - exact (rejected t0 START IDLE H).
  Qed.
End Whole.

(* ---------------------------------------------------------------------------------------------- *)
(* The units of the two kinds of cores.                                                            *)

Theorem bit_serial_unit : forall net sh co ok, differences net (bit_serial sh co) = Some nil ->
  legal sh co -> iterates_exactly sh co ok -> forall e, run_of net e -> forall u K bus sums,
  ports net sh e u ->
  lemmas (Z.of_nat (N.to_nat (width sh))) bus (Z.of_nat (N.to_nat (word sh))) (Z.of_nat K) 1 sums u ->
  (0 < N.to_nat (word sh))%nat -> (N.to_nat (width sh) + 1 <= N.to_nat (word sh) * K)%nat ->
  (forall t, (sums = 1 -> number (e t) Constant (S (N.to_nat (width sh))) =
    number (e t) Y (N.to_nat (width sh)) + number (e t) M (N.to_nat (width sh))) -> ok (e t)) ->
  forall t0, u_start u t0 = true -> idle sh (e t0) ->
  operation_is_right (N.to_nat (width sh)) K (N.to_nat (width sh)) bus u (idle sh) e t0.
Proof.
  intros net sh co ok CH L EX e RUN u K bus sums PO LE W F OK t0 ST ID.
  pose proof (two sh co L) as N2. set (n := N.to_nat (width sh)) in *.
  apply (whole_unit net sh (idle sh) ok n n n K 1 bus sums e u PO LE W); try lia; try assumption.
  - apply (core_idle_stays net sh co CH L e RUN).
  - intros t x y m I S X Y0 M0 O C. apply (core_product net sh co ok CH L EX e RUN).
    split; try assumption. rewrite <- X. apply value_same. intros i _. unfold at_, x_bits, x_bit.
    change (N.of_nat 1) with 1%N. rewrite N.div_1_r, N.mod_1_r. reflexivity.
  - intros t I S i LE1. apply (core_done_cycles net sh co CH L e RUN t I S i LE1).
Qed.

Theorem unfolded_unit : forall net sh un co ok, differences net (unfolded sh un co) = Some nil ->
  unfolded_legal sh un co -> stage_exact sh un co ok ->
  (forall v, ok v -> ok (extended net v)) -> forall e, run_of net e -> forall u K bus sums,
  ports net sh e u ->
  lemmas (Z.of_nat (N.to_nat (width sh))) bus (Z.of_nat (N.to_nat (word sh))) (Z.of_nat K)
    (Z.of_nat (N.to_nat un)) sums u ->
  (0 < N.to_nat (word sh))%nat -> (N.to_nat (width sh) + 1 <= N.to_nat (word sh) * K)%nat ->
  (N.to_nat (pair_bits co) <= N.to_nat (word sh) * K)%nat -> (un <= 4)%N ->
  (forall t, (sums = 1 -> number (e t) Constant (S (N.to_nat (width sh))) =
    number (e t) Y (N.to_nat (width sh)) + number (e t) M (N.to_nat (width sh))) -> ok (e t)) ->
  forall t0, u_start u t0 = true -> unfolded_idle co (e t0) ->
  operation_is_right (N.to_nat (width sh)) K (N.to_nat (rounds sh un)) bus u (unfolded_idle co) e t0.
Proof.
  intros net sh un co ok CH L EX XT e RUN u K bus sums PO LE W F SZ U4 OK t0 ST ID.
  pose proof (two_rounds _ _ _ L). pose proof (an_iteration _ _ _ L).
  pose proof (rest_positive _ _ _ L).
  assert (FITS2 : (N.to_nat (width sh) <= N.to_nat un * (N.to_nat (rounds sh un) + 1))%nat).
  { pose proof (rest_fits _ _ _ L) as RF. clear - RF. revert RF.
    generalize (rounds sh un) (width sh). intros r n RF.
    assert (RZ : (Z.of_N n <= Z.of_N r * Z.of_N un + Z.of_N un)%Z) by nia.
    rewrite <- (N_nat_Z n), <- (N_nat_Z r), <- (N_nat_Z un) in RZ. nia. }
  apply (whole_unit net sh (unfolded_idle co) ok (N.to_nat (rounds sh un) + 1)
    (N.to_nat (rounds sh un)) (N.to_nat (pair_bits co)) K (N.to_nat un) bus sums e u PO LE W);
    try lia; try assumption.
  - apply (unfolded_stays net sh un co CH e RUN).
  - intros t x y m I S X Y0 M0 O C.
    apply (unfolded_product net sh un co ok CH L EX XT e RUN).
    split; try assumption. rewrite <- X. rewrite Nnat.N2Nat.id. reflexivity.
  - intros t I S i LE1. apply (unfolded_done_cycles net sh un co CH L e RUN t I S i LE1).
Qed.
