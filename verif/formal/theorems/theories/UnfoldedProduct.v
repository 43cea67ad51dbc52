(* SPDX-License-Identifier: Apache-2.0 *)
(* A product of an unfolded core, for every width and every number of iterations a cycle. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter Rest Core Unfolded.
Local Open Scope nat_scope.

(* Bit i of X is on x_i[i mod J] in cycle i / J after the start. *)
Definition unfolded_x (un : N) (e : nat -> valuation) (t0 : nat) : bits :=
  fun i => e (t0 + N.to_nat (i / un)) (X, (i mod un)%N).

(* A job: the core is idle and gets a start in cycle t0; Y, M and the constants are steady. *)
Record unfolded_job (sh : shape) (un : N) (co : unfolded_core) (ok : valuation -> Prop)
    (e : nat -> valuation) (t0 : nat) (x_value y_value m_value : Z) : Prop := {
  ujob_idle : unfolded_idle co (e t0);
  ujob_start : e t0 (Start, 0%N) = true;
  ujob_x : value (N.to_nat (width sh)) (unfolded_x un e t0) = x_value;
  ujob_y : forall i, i <= N.to_nat (rounds sh un) ->
    number (e (t0 + i)) Y (N.to_nat (width sh)) = y_value;
  ujob_m : forall i, i <= N.to_nat (rounds sh un) ->
    number (e (t0 + i)) M (N.to_nat (width sh)) = m_value;
  ujob_odd : Z.odd m_value = true;
  ujob_constants : forall i, i <= N.to_nat (rounds sh un) -> ok (e (t0 + i))
}.

Section Product.
  Variables (sh : shape) (un : N) (co : unfolded_core) (e : nat -> valuation).
  Hypothesis L : unfolded_legal sh un co.
  Hypothesis R : machine_run (unfolded sh un co) e.
  Hypothesis W : forall t u, In u (machine_wires (unfolded sh un co)) ->
    e t u = eval (e t) (unfolded_wire co u).
  Variable ok : valuation -> Prop.
  Hypothesis EXACT : stage_exact sh un co ok.
  Let n : nat := N.to_nat (width sh).
  Let r : nat := N.to_nat (rounds sh un).
  Let u : nat := N.to_nat un.
  Let bn : nat := N.to_nat (pair_bits co).
  Let w : nat := N.to_nat (word sh).
  Let K : counter (counted sh un) e := counter_of_unfolded sh un co e R.

  Lemma two_cycles : (2 <= width (counted sh un))%N.
  Proof. exact (two_rounds _ _ _ L). Qed.

  Lemma pair_number : forall v, pair_at co v 0 = (number v RegS bn + number v RegC bn)%Z.
  Proof.
    intro v. unfold pair_at, number_of, number. f_equal; apply value_same; intros i I; unfold at_;
      rewrite before_below by (unfold bn in I; lia); reflexivity.
  Qed.

  Section Job.
    Variables (t0 : nat) (xv yv mv : Z).
    Hypothesis J : unfolded_job sh un co ok e t0 xv yv mv.

    Lemma starting0 : is_starting (e t0).
    Proof. exact (uidle_starting _ _ (ujob_idle _ _ _ _ _ _ _ _ _ J)). Qed.
    Lemma start0 : e t0 (Start, 0%N) = true.
    Proof. exact (ujob_start _ _ _ _ _ _ _ _ _ J). Qed.

    (* Cycles 0 ... r after the start iterate; the last of them does the rest. *)
    Lemma iterates_now : forall c, c <= r ->
      eval (e (t0 + c)) iterate = true /\ eval (e (t0 + c)) ends_now = (c =? r).
    Proof.
      pose proof (two_rounds _ _ _ L) as T. intros [|c] I.
      - rewrite Nat.add_0_r. destruct starting0 as [A B]. pose proof start0 as C.
        unfold iterate, ends_now, starts, starting, running, last, st. cbn [eval]. rewrite A, B, C.
        split; [reflexivity|]. symmetry. apply Nat.eqb_neq. unfold r. lia.
      - rewrite Nat.add_succ_r.
        destruct (Counter.runs_always _ e two_cycles K t0 starting0 start0 c) as [[A B] _ D];
          [cbn [counted width]; unfold r in I; lia|].
        cbn [counted width] in D. fold r in D.
        unfold iterate, ends_now, starts, starting, running, last, st. cbn [eval]. rewrite A, B, D.
        split; reflexivity.
    Qed.

    Lemma finishes : e (S (t0 + r)) (State, 0%N) = false /\ e (S (t0 + r)) (State, 1%N) = true.
    Proof. exact (Counter.ends _ e two_cycles K t0 starting0 start0). Qed.

    Lemma odd_m : forall c, c <= r -> e (t0 + c) (M, 0%N) = true.
    Proof.
      intros c I. rewrite <- (ujob_odd _ _ _ _ _ _ _ _ _ J), <- (ujob_m _ _ _ _ _ _ _ _ _ J c I).
      pose proof (rest_positive _ _ _ L). unfold number. rewrite odd_value by lia. reflexivity.
    Qed.

    Lemma m_above_0 : (0 < mv)%Z.
    Proof.
      pose proof (ujob_m _ _ _ _ _ _ _ _ _ J 0 ltac:(lia)) as H.
      pose proof (ujob_odd _ _ _ _ _ _ _ _ _ J) as O. unfold number in H.
      pose proof (value_bounds (N.to_nat (width sh)) (fun i => e (t0 + 0) (M, i))).
      destruct (Z.eq_dec mv 0) as [Z0|]; [rewrite Z0 in O; discriminate O|lia].
    Qed.

    Lemma y_at_least_0 : (0 <= yv)%Z.
    Proof.
      pose proof (ujob_y _ _ _ _ _ _ _ _ _ J 0 ltac:(lia)) as H. unfold number in H.
      pose proof (value_bounds (N.to_nat (width sh)) (fun i => e (t0 + 0) (Y, i))). lia.
    Qed.

    (* z is S + C after k iterations. *)
    Definition reached (k : nat) (z : Z) : Prop :=
      exists q, (0 <= q < 2 ^ Z.of_nat k)%Z /\
        (2 ^ Z.of_nat k * z = value k (unfolded_x un e t0) * yv + q * mv)%Z /\ (z < yv + mv)%Z.

    Lemma reached_step : forall k z z' (q : bool), reached k z ->
      (2 * z' = z + Z.b2z (at_ k (unfolded_x un e t0)) * yv + Z.b2z q * mv)%Z -> reached (S k) z'.
    Proof.
      pose proof m_above_0. pose proof y_at_least_0. intros k z z' b [q [Q [E B]]] S2.
      exists (q + 2 ^ Z.of_nat k * Z.b2z b)%Z. rewrite power_step. cbn [value].
      pose proof (power_positive k). repeat split.
      - destruct b; cbn [Z.b2z]; lia.
      - destruct b; cbn [Z.b2z]; lia.
      - replace (2 * 2 ^ Z.of_nat k * z')%Z with (2 ^ Z.of_nat k * (2 * z'))%Z by lia.
        rewrite S2, !Z.mul_add_distr_l, E, !Z.mul_add_distr_r. ring.
      - destruct b, (at_ k (unfolded_x un e t0)); cbn [Z.b2z] in S2; lia.
    Qed.

    Lemma x_of_cycle : forall c j, j < u ->
      at_ (c * u + j) (unfolded_x un e t0) = e (t0 + c) (X, N.of_nat j).
    Proof.
      intros c j I. unfold at_, unfolded_x.
      replace (N.of_nat (c * u + j)) with (N.of_nat c * un + N.of_nat j)%N by (unfold u in *; lia).
      assert (P : (N.of_nat j < un)%N) by (unfold u in I; lia).
      rewrite N.div_add_l, (N.div_small _ _ P), N.add_0_r, Nnat.Nat2N.id by lia.
      rewrite N.add_comm, N.mod_add, (N.mod_small _ _ P) by lia. reflexivity.
    Qed.

    Lemma cycle : forall c, c <= r ->
      reached (c * u) (pair_at co (e (t0 + c)) 0) -> clear co (e (t0 + c)) 0 ->
      forall j, j <= u -> reached (c * u + j) (pair_at co (e (t0 + c)) (N.of_nat j)) /\
        clear co (e (t0 + c)) (N.of_nat j).
    Proof.
      intros c C P C0. induction j as [|j IH]; intro I.
      - rewrite Nat.add_0_r. split; assumption.
      - destruct (IH ltac:(lia)) as [P' C'].
        destruct (stage_step sh un co e L W ok EXACT (t0 + c) (N.of_nat j)) as [[q E] C2];
          [unfold u in I; lia|apply (ujob_constants _ _ _ _ _ _ _ _ _ J); exact C|
           apply odd_m; exact C|exact C'|].
        rewrite (ujob_y _ _ _ _ _ _ _ _ _ J c C), (ujob_m _ _ _ _ _ _ _ _ _ J c C) in E.
        replace (N.of_nat (S j)) with (N.of_nat j + 1)%N by lia. split; [|exact C2].
        rewrite Nat.add_succ_r. apply (reached_step _ _ _ q P').
        rewrite x_of_cycle by lia. exact E.
    Qed.

    Lemma all_cycles : forall c, c <= r ->
      reached (c * u) (pair_at co (e (t0 + c)) 0) /\ clear co (e (t0 + c)) 0.
    Proof.
      pose proof m_above_0. pose proof y_at_least_0.
      induction c as [|c IH]; intro I.
      - rewrite Nat.add_0_r. destruct (ujob_idle _ _ _ _ _ _ _ _ _ J) as [_ SZ CZ].
        rewrite pair_number. unfold number.
        rewrite !value_zero by (intros i I'; unfold at_; first [apply SZ|apply CZ]; unfold bn in I'; lia).
        split.
        + exists 0%Z. cbn [value Nat.mul]. cbn. lia.
        + intros _. rewrite before_below by (apply (bits_positive sh un co L)). apply CZ.
          apply (bits_positive sh un co L).
      - destruct (IH ltac:(lia)) as [P C0].
        destruct (cycle c ltac:(lia) P C0 u (le_n u)) as [P' C'].
        destruct (iterates_now c ltac:(lia)) as [IT EN].
        rewrite (proj2 (Nat.eqb_neq c r) ltac:(lia)) in EN.
        rewrite Nat.add_succ_r.
        destruct (next_pair_number sh un co e L R (t0 + c) IT) as [E C2].
        unfold made in E, C2. rewrite EN in E, C2.
        unfold u in P', C'. rewrite Nnat.N2Nat.id in P', C'. fold u in P'.
        split; [|exact (C2 C')]. rewrite E. replace (S c * u) with (c * u + u) by lia. exact P'.
    Qed.

    Theorem product_reached : reached n (number (e (S (t0 + r))) RegS bn + number (e (S (t0 + r))) RegC bn)%Z.
    Proof.
      destruct (all_cycles r (le_n r)) as [P C0]. pose proof (rest_range sh un co L) as RR.
      pose proof (rest_positive _ _ _ L).
      destruct (cycle r (le_n r) P C0 (N.to_nat (rest sh un))) as [P' _]; [unfold u; lia|].
      destruct (iterates_now r (le_n r)) as [IT EN]. rewrite Nat.eqb_refl in EN.
      destruct (next_pair_number sh un co e L R (t0 + r) IT) as [E _].
      unfold made in E. rewrite EN in E. rewrite <- pair_number, E.
      rewrite Nnat.N2Nat.id in P'. replace n with (r * u + N.to_nat (rest sh un)); [exact P'|].
      unfold n, r, u, rest. nia.
    Qed.
  End Job.

  (* ------------------------------------------------------------------------------------------- *)
  (* Between products.                                                                             *)

  Lemma no_iterate : forall t, is_starting (e t) -> e t (Start, 0%N) = false ->
    eval (e t) iterate = false /\ is_starting (e (S t)).
  Proof.
    intros t [A B] C. split; [|split].
    - unfold iterate, starts, starting, running, st. cbn [eval]. rewrite A, B, C. reflexivity.
    - rewrite (counter_state_0 K). cbn. rewrite A, B, C. reflexivity.
    - rewrite (counter_state_1 K). cbn. rewrite A, B. reflexivity.
  Qed.

  Lemma no_iterate_finished : forall t, e t (State, 0%N) = false -> e t (State, 1%N) = true ->
    eval (e t) iterate = false /\ is_starting (e (S t)).
  Proof.
    intros t A B. split; [|split].
    - unfold iterate, starts, starting, running, st. cbn [eval]. rewrite A, B. reflexivity.
    - rewrite (counter_state_0 K). cbn. rewrite A, B. reflexivity.
    - rewrite (counter_state_1 K). cbn. rewrite A, B. reflexivity.
  Qed.

  Lemma goes_down : forall t, eval (e t) iterate = false -> forall s, s = RegS \/ s = RegC ->
    number (e (S t)) s bn =
      if e t (Unloads, 0%N) then (number (e t) s bn / 2 ^ Z.of_nat w)%Z else number (e t) s bn.
  Proof.
    intros t I s C.
    assert (E : forall k, k < bn -> e (S t) (s, N.of_nat k) =
      if e t (Unloads, 0%N) then eval (e t) (down sh co s (N.of_nat k)) else e t (s, N.of_nat k)).
    { intros k KN. destruct C as [->| ->];
        [rewrite (reg_s sh un co e R) by (unfold bn in KN; lia)
        |rewrite (reg_c sh un co e R) by (unfold bn in KN; lia)];
        unfold unfolded_pair_next; cbn [eval]; rewrite I; reflexivity. }
    unfold number. destruct (e t (Unloads, 0%N)).
    - rewrite <- value_moved. apply value_same. intros k KN. unfold at_. rewrite E by exact KN.
      unfold down, bn, w. rewrite !Nnat.N2Nat.id.
      destruct (N.of_nat k + word sh <? pair_bits co)%N; reflexivity.
    - apply value_same. exact E.
  Qed.

  (* From the cycle of done (t) on. *)
  Theorem words_leave : forall t, e (S t) (State, 0%N) = false -> e (S t) (State, 1%N) = true ->
    e t (Unload, 0%N) = false ->
    forall k, (forall i, i < k -> e (S (S t) + i) (Start, 0%N) = false) ->
    is_starting (e (S (S t) + k)) /\
    forall s, s = RegS \/ s = RegC -> number (e (S (S t) + k)) s bn =
      (number (e (S t)) s bn / 2 ^ (Z.of_nat w * Z.of_nat (unloads e (S t) k)))%Z.
  Proof.
    intros t A B U. destruct (no_iterate_finished (S t) A B) as [NI ST0].
    induction k as [|k IH]; intro ST.
    - rewrite Nat.add_0_r. split; [exact ST0|]. intros s C. cbn [unloads].
      rewrite Z.mul_0_r, Z.pow_0_r, Z.div_1_r. rewrite goes_down by assumption.
      rewrite (reg_unloads sh un co e R), U. reflexivity.
    - destruct IH as [ST' V]; [intros; apply ST; lia|].
      destruct (no_iterate _ ST' (ST k ltac:(lia))) as [NI' ST2].
      rewrite Nat.add_succ_r. split; [exact ST2|]. intros s C.
      rewrite goes_down by assumption. rewrite V by exact C.
      change (S (S t) + k) with (S (S t + k)). rewrite (reg_unloads sh un co e R).
      cbn [unloads]. destruct (e (S t + k) (Unload, 0%N)).
      + rewrite Z.div_div by (first [apply Z.pow_nonzero | apply Z.pow_pos_nonneg]; lia).
        rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia.
      + rewrite Nat.add_0_r. reflexivity.
  Qed.

  Lemma idle_of_numbers : forall t, is_starting (e t) ->
    number (e t) RegS bn = 0%Z -> number (e t) RegC bn = 0%Z -> unfolded_idle co (e t).
  Proof.
    intros t A SZ CZ. split; [exact A| |]; intros i I;
      [rewrite <- (value_zero bn (fun _ => false)) in SZ by reflexivity;
       pose proof (value_inverse bn _ _ SZ (N.to_nat i)) as H
      |rewrite <- (value_zero bn (fun _ => false)) in CZ by reflexivity;
       pose proof (value_inverse bn _ _ CZ (N.to_nat i)) as H];
      unfold at_ in H; rewrite Nnat.N2Nat.id in H; apply H; unfold bn; lia.
  Qed.

  Theorem unfolded_idle_stays : forall t,
    unfolded_idle co (e t) -> e t (Start, 0%N) = false -> unfolded_idle co (e (S t)).
  Proof.
    intros t [A SZ CZ] C. destruct (no_iterate t A C) as [NI ST].
    assert (Z0 : forall s, (forall i, (i < pair_bits co)%N -> e t (s, i) = false) ->
              number (e t) s bn = 0%Z).
    { intros s H. apply value_zero. intros i I. apply H. unfold bn in I. lia. }
    apply idle_of_numbers; [exact ST| |]; rewrite goes_down by auto; rewrite Z0 by assumption;
      destruct (e t (Unloads, 0%N)); reflexivity.
  Qed.

  Theorem unfolded_idle_after_reset :
    (forall v, In v (machine_registers (unfolded sh un co)) -> e 0 v = false) ->
    unfolded_idle co (e 0).
  Proof.
    intro H. split; [split| |]; intros; apply H; cbn [unfolded machine_registers];
      repeat rewrite in_app_iff.
    - do 3 right; left. left. reflexivity.
    - do 3 right; left. right; left. reflexivity.
    - left. apply in_vector_n. assumption.
    - right; left. apply in_vector_n. assumption.
  Qed.
End Product.
