(* SPDX-License-Identifier: Apache-2.0 *)
(* A product of a bit-serial core, for every width: from the start to done and back to idle. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter Control.
Local Open Scope nat_scope.

(* The bit of X in cycle i, as the unit gives it. *)
Definition x_bit (e : nat -> valuation) (t0 i : nat) : bool := e (t0 + i) (X, 0%N).
Definition x_bits (e : nat -> valuation) (t0 : nat) : bits := fun i => x_bit e t0 (N.to_nat i).

(* A job: the core is idle and gets a start in cycle t0; bit i of X comes in cycle t0 + i; Y, M and
   the constants are steady. *)
Record job (sh : shape) (ok : valuation -> Prop) (e : nat -> valuation) (t0 : nat)
    (x_value y_value m_value : Z) : Prop := {
  job_idle : idle sh (e t0);
  job_start : e t0 (Start, 0%N) = true;
  job_x : value (N.to_nat (width sh)) (x_bits e t0) = x_value;
  job_y : forall i, i <= N.to_nat (width sh) -> number (e (t0 + i)) Y (N.to_nat (width sh)) = y_value;
  job_m : forall i, i <= N.to_nat (width sh) -> number (e (t0 + i)) M (N.to_nat (width sh)) = m_value;
  job_odd : Z.odd m_value = true;
  job_constants : forall i, i <= N.to_nat (width sh) -> ok (e (t0 + i))
}.

Section Product.
  Variables (sh : shape) (co : core) (ok : valuation -> Prop) (e : nat -> valuation).
  Hypothesis L : legal sh co.
  Hypothesis EXACT : iterates_exactly sh co ok.
  Hypothesis R : machine_run (bit_serial sh co) e.
  Let n : nat := N.to_nat (width sh).
  Variables (t0 : nat) (xv yv mv : Z).
  Hypothesis J : job sh ok e t0 xv yv mv.

  Lemma I0 : idle sh (e t0).
  Proof. exact (job_idle _ _ _ _ _ _ _ J). Qed.
  Lemma START : e t0 (Start, 0%N) = true.
  Proof. exact (job_start _ _ _ _ _ _ _ J). Qed.
  Lemma N2 : 2 <= n.
  Proof. exact (two sh co L). Qed.

  Definition pair (v : valuation) : Z := (number v RegS n + number v RegC n)%Z.
  Definition parity_of (v : valuation) (b : bool) : bool :=
    xorb (xorb (v (RegS, 0%N)) (v (RegC, 0%N))) (b && v (Y, 0%N)).

  (* In cycle i + 1 after the start: what is added, and to what. *)
  Record ready (i : nat) (v : valuation) : Prop := {
    ready_y : forall k, k < N.to_nat (takes_bits co) ->
      v (TakesY, (N.of_nat k / segment sh)%N) = x_bit e t0 i;
    ready_m : forall k, k < N.to_nat (takes_bits co) ->
      v (TakesM, (N.of_nat k / segment sh)%N) = parity_of v (x_bit e t0 i);
    ready_moves : forall k, k < n -> v (Moves, (N.of_nat k / segment sh)%N) = true;
    ready_iterates : forall k, k < n -> v (Iterates, (N.of_nat k / segment sh)%N) = true
  }.

  Definition partial (i : nat) (v : valuation) : Prop :=
    exists q, (0 <= q < 2 ^ Z.of_nat i)%Z /\
      (2 ^ Z.of_nat i * pair v = value i (x_bits e t0) * yv + q * mv)%Z /\
      (pair v < yv + mv)%Z.

  Lemma x_at : forall i, at_ i (x_bits e t0) = x_bit e t0 i.
  Proof. intro i. unfold at_, x_bits. rewrite Nnat.Nat2N.id. reflexivity. Qed.

  (* Bits 0 of the operands stay. *)
  Lemma y_0 : forall i, i <= n -> e (t0 + i) (Y, 0%N) = Z.odd yv.
  Proof.
    pose proof N2. intros i I. rewrite <- (job_y _ _ _ _ _ _ _ J i I). unfold number.
    rewrite odd_value by (fold n; lia). reflexivity.
  Qed.

  Lemma m_0 : forall i, i <= n -> e (t0 + i) (M, 0%N) = true.
  Proof.
    pose proof N2. intros i I. rewrite <- (job_odd _ _ _ _ _ _ _ J), <- (job_m _ _ _ _ _ _ _ J i I). unfold number.
    rewrite odd_value by (fold n; lia). reflexivity.
  Qed.

  Lemma m_positive : (0 < mv)%Z.
  Proof.
    pose proof (job_m _ _ _ _ _ _ _ J 0 ltac:(lia)) as H. pose proof (job_odd _ _ _ _ _ _ _ J) as O.
    unfold number in H.
    pose proof (value_bounds (N.to_nat (width sh)) (fun i => e (t0 + 0) (M, i))).
    destruct (Z.eq_dec mv 0) as [Z0|]; [rewrite Z0 in O; discriminate O|lia].
  Qed.

  Lemma y_not_negative : (0 <= yv)%Z.
  Proof.
    pose proof (job_y _ _ _ _ _ _ _ J 0 ltac:(lia)) as H. unfold number in H.
    pose proof (value_bounds (N.to_nat (width sh)) (fun i => e (t0 + 0) (Y, i))). lia.
  Qed.

  (* The next bits of S and C while an iteration is made. *)
  Lemma iterated : forall i k, ready i (e (S (t0 + i))) -> k < n ->
    e (S (S (t0 + i))) (RegS, N.of_nat k) = eval (e (S (t0 + i))) (next_s co (N.of_nat k)) /\
    e (S (S (t0 + i))) (RegC, N.of_nat k) = eval (e (S (t0 + i))) (next_c co (N.of_nat k)).
  Proof.
    intros i k [_ _ A B] K.
    rewrite (take_s sh co e R) by exact K. rewrite (take_c sh co e R) by exact K.
    unfold pair_next. cbn [eval]. rewrite A, B by exact K. split; reflexivity.
  Qed.

  (* S and C are still 0 in the cycle after the start. *)
  Lemma still_zero : forall i, i < n ->
    e (S t0) (RegS, N.of_nat i) = false /\ e (S t0) (RegC, N.of_nat i) = false.
  Proof.
    destruct I0 as [A B SZ CZ IZ]. intros i I.
    rewrite (take_s sh co e R), (take_c sh co e R) by exact I.
    unfold pair_next. cbn [eval]. rewrite !IZ, SZ, CZ by exact I.
    assert (forall s, (forall i, i < n -> e t0 (s, N.of_nat i) = false) ->
              eval (e t0) (moved sh s (N.of_nat i)) = false) as H.
    { intros s H. unfold moved.
      destruct (N.ltb_spec (N.of_nat i + word sh) (width sh)); [|reflexivity].
      cbn [eval]. rewrite <- (Nnat.N2Nat.id (N.of_nat i + word sh)). apply H. unfold n. lia. }
    rewrite !H by assumption.
    destruct (e t0 (Moves, (N.of_nat i / segment sh)%N)); split; reflexivity.
  Qed.

  Lemma ready_first : ready 0 (e (S (t0 + 0))).
  Proof.
    rewrite Nat.add_0_r. pose proof N2. destruct I0 as [A B _ _ _].
    destruct (still_zero 0 ltac:(lia)) as [RS RC]. change (N.of_nat 0) with 0%N in RS, RC.
    split; intros k K.
    - rewrite (take_takes_y sh co e L R) by exact K. cbn [eval]. rewrite (start_next sh e t0 I0 START).
      unfold x_bit. rewrite Nat.add_0_r. reflexivity.
    - rewrite (take_takes_m sh co e L R) by exact K. cbn [eval]. rewrite (start_next sh e t0 I0 START).
      unfold parity_of. rewrite RS, RC. unfold odd, lowest, starting, st. cbn [eval]. rewrite A, B.
      cbn [negb andb orb xorb]. unfold x, x_bit. cbn [eval].
      pose proof (y_0 0 ltac:(lia)) as Y0. pose proof (y_0 1 ltac:(lia)) as Y1.
      rewrite Nat.add_0_r in *. rewrite Nat.add_1_r in Y1. rewrite Y0, Y1.
      destruct (e t0 (X, 0%N)), (Z.odd yv); reflexivity.
    - rewrite (take_moves sh co e L R) by exact K. cbn [eval].
      rewrite (start_next sh e t0 I0 START). reflexivity.
    - rewrite (take_iterates sh co e L R) by exact K. exact (start_next sh e t0 I0 START).
  Qed.

  Lemma ready_on : forall i, S i < n -> ready i (e (S (t0 + i))) -> ready (S i) (e (S (t0 + S i))).
  Proof.
    intros i I H. rewrite Nat.add_succ_r.
    pose proof (run_next sh co e L R t0 I0 START i ltac:(fold n; lia)) as NEXT.
    fold n in NEXT. destruct (Nat.ltb_spec (S i) n) as [_|]; [|lia].
    pose proof (runs_always sh co e L R t0 I0 START i ltac:(fold n; lia)) as [[A B] _ _].
    pose proof (iterated i 0 H ltac:(lia)) as [IS IC]. change (N.of_nat 0) with 0%N in IS, IC.
    split; intros k K.
    - rewrite (take_takes_y sh co e L R) by exact K. cbn [eval]. rewrite NEXT.
      unfold x, x_bit. rewrite Nat.add_succ_r. reflexivity.
    - rewrite (take_takes_m sh co e L R) by exact K. cbn [eval]. rewrite NEXT.
      unfold parity_of. rewrite IS, IC. unfold odd, lowest, starting, st. cbn [eval]. rewrite A, B.
      cbn [negb andb orb]. unfold x, x_bit. cbn [eval].
      pose proof (y_0 (S i) ltac:(lia)) as Y0. pose proof (y_0 (S (S i)) ltac:(lia)) as Y1.
      rewrite !Nat.add_succ_r in *. rewrite Y0, Y1. reflexivity.
    - rewrite (take_moves sh co e L R) by exact K. cbn [eval]. rewrite NEXT. reflexivity.
    - rewrite (take_iterates sh co e L R) by exact K. exact NEXT.
  Qed.

  Theorem ready_always : forall i, i < n -> ready i (e (S (t0 + i))).
  Proof.
    induction i as [|i IH]; intro I; [exact ready_first|]. apply ready_on; [exact I|apply IH; lia].
  Qed.

  Lemma pair_first : pair (e (S t0)) = 0%Z.
  Proof.
    unfold pair, number. rewrite !value_zero; [reflexivity| |];
      intros i I; unfold at_; apply still_zero; exact I.
  Qed.

  (* One iteration in numbers. *)
  Lemma pair_step : forall i, i < n -> exists q : bool,
    (2 * pair (e (S (S (t0 + i)))) =
     pair (e (S (t0 + i))) + Z.b2z (x_bit e t0 i) * yv + Z.b2z q * mv)%Z.
  Proof.
    intros i I. pose proof (ready_always i I) as H. pose proof H as [TY TM _ _].
    exists (parity_of (e (S (t0 + i))) (x_bit e t0 i)).
    replace (S (t0 + i)) with (t0 + S i) in * by lia.
    assert (OK : ok (e (t0 + S i))) by (apply (job_constants _ _ _ _ _ _ _ J); fold n; lia).
    pose proof (EXACT (e (t0 + S i)) (x_bit e t0 i) (parity_of (e (t0 + S i)) (x_bit e t0 i)) n
                  OK TY TM (m_0 (S i) ltac:(lia)) eq_refl ltac:(unfold n in *; lia) eq_refl) as E.
    rewrite (job_y _ _ _ _ _ _ _ J) in E by (fold n; lia).
    rewrite (job_m _ _ _ _ _ _ _ J) in E by (fold n; lia).
    replace (t0 + S i) with (S (t0 + i)) in * by lia.
    unfold pair at 1. unfold number.
    rewrite (value_same n (fun k => e (S (S (t0 + i))) (RegS, k))
               (fun k => eval (e (S (t0 + i))) (next_s co k)))
      by (intros k K; apply (iterated i k H K)).
    rewrite (value_same n (fun k => e (S (S (t0 + i))) (RegC, k))
               (fun k => eval (e (S (t0 + i))) (next_c co k)))
      by (intros k K; apply (iterated i k H K)).
    exact E.
  Qed.

  Theorem partial_always : forall i, i <= n -> partial i (e (S (t0 + i))).
  Proof.
    pose proof m_positive. pose proof y_not_negative.
    induction i as [|i IH]; intro I.
    - rewrite Nat.add_0_r. exists 0%Z. rewrite pair_first. cbn [value]. cbn. lia.
    - rewrite Nat.add_succ_r. destruct (IH ltac:(lia)) as [q [Q [E B]]].
      destruct (pair_step i ltac:(lia)) as [b S2].
      exists (q + 2 ^ Z.of_nat i * Z.b2z b)%Z. rewrite power_step. cbn [value]. rewrite x_at.
      pose proof (power_positive i). repeat split.
      + destruct b; cbn [Z.b2z]; lia.
      + destruct b; cbn [Z.b2z]; lia.
      + replace (2 * 2 ^ Z.of_nat i * pair (e (S (S (t0 + i)))))%Z
          with (2 ^ Z.of_nat i * (2 * pair (e (S (S (t0 + i))))))%Z by lia.
        rewrite S2. rewrite !Z.mul_add_distr_l. rewrite E.
        rewrite !Z.mul_add_distr_r. ring.
      + destruct b, (x_bit e t0 i); cbn [Z.b2z] in S2; lia.
  Qed.
End Product.
