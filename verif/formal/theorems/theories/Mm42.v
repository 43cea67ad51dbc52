(* SPDX-License-Identifier: Apache-2.0 *)
(* mm42: a 4-to-2 compressor of two carry-save adders. Source: Gajbhiye & Joshi (2018), figure 3. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Unfolded.
Import ListNotations.

Section Mm42.
  Variable sh : shape.
  Variable un : N.

  Local Open Scope N_scope.
  (* D1 + D2 = Y + M in carry-save form. *)
  Definition d1 (i : N) : term := Xor (held sh Y i) (held sh M i).
  Definition d2 (i : N) : term :=
    if i =? 0 then Const false else And (held sh Y (i - 1)) (held sh M (i - 1)).

  Section Iteration.
    Variable j : N.
    Variables s c : N -> term.
    (* Bit 0 of C is 0. *)
    Definition q : term := Xor (s 0) (And (Var (X, j)) (held sh Y 0)).
    Definition v1 (i : N) : term :=
      If (Var (X, j)) (If q (d1 i) (held sh Y i)) (If q (held sh M i) (Const false)).
    Definition v2 (i : N) : term := And (And (Var (X, j)) q) (d2 i).
    Definition sum_1 (i : N) : term := sum_term (s i) (c i) (v1 i).
    Definition carry_1 (i : N) : term :=
      if i =? 0 then Const false else carry_term (s (i - 1)) (c (i - 1)) (v1 (i - 1)).
    Definition sum_2 (i : N) : term := sum_term (sum_1 i) (carry_1 i) (v2 i).
    Definition carry_2 (i : N) : term := carry_term (sum_1 i) (carry_1 i) (v2 i).
  End Iteration.

  Definition mm42 : unfolded_core := {|
    pair_bits := width sh + 2;
    stage_s := fun j s c i => sum_2 j s c (i + 1);
    stage_c := carry_2;
    stage_addr := fun j s c i =>
      if i =? 0 then q j s else if i =? 1 then Var (X, j) else Const false;
    clear_c := true;
    unfolded_description :=
      description sh [run_step; add_step once source_s source_c to_result] 0 un
  |}.

  Local Open Scope Z_scope.

  Lemma held_more : forall v s k n, n = N.to_nat (width sh) ->
    value (n + k) (fun i => eval v (held sh s i)) = number v s n.
  Proof.
    intros v s k n W. induction k as [|k IH].
    - rewrite Nat.add_0_r. apply held_value. lia.
    - rewrite Nat.add_succ_r. cbn [value]. rewrite IH. unfold at_, held.
      destruct (N.ltb_spec (N.of_nat (n + k)) (width sh)); [lia|]. cbn [eval Z.b2z]. lia.
  Qed.

  Lemma held_above : forall v s i, (width sh <= i)%N -> eval v (held sh s i) = false.
  Proof. intros v s i I. unfold held. destruct (N.ltb_spec i (width sh)); [lia|reflexivity]. Qed.

  Lemma d_sum : forall v n, n = N.to_nat (width sh) ->
    value (n + 2) (fun i => eval v (d1 i)) + value (n + 2) (fun i => eval v (d2 i)) =
    number v Y n + number v M n.
  Proof.
    intros v n W. set (y := fun i => eval v (held sh Y i)). set (m := fun i => eval v (held sh M i)).
    rewrite <- (held_more v Y 2 n W), <- (held_more v M 2 n W). fold y. fold m.
    pose proof (carry_save (n + 2) y m (fun _ => false)) as A.
    rewrite (value_zero (n + 2) (fun _ => false)) in A by reflexivity.
    rewrite (value_same (n + 2) (fun i => eval v (d1 i)) (fun i => parity (y i) (m i) false))
      by (intros; unfold at_, d1, parity; cbn [eval]; rewrite xorb_false_r; reflexivity).
    enough (value (n + 2) (fun i => eval v (d2 i)) =
            2 * value (n + 2) (fun i => majority (y i) (m i) false)) by lia.
    replace (n + 2)%nat with (S (n + 1)) by lia. rewrite value_above.
    change (at_ 0 (fun i => eval v (d2 i))) with false.
    assert (TOP : at_ (n + 1) (fun i => majority (y i) (m i) false) = false).
    { unfold at_, y, m. rewrite !held_above by lia. reflexivity. }
    change (value (S (n + 1)) (fun i => majority (y i) (m i) false)) with
      (value (n + 1) (fun i => majority (y i) (m i) false) + 2 ^ Z.of_nat (n + 1) *
       Z.b2z (at_ (n + 1) (fun i => majority (y i) (m i) false))).
    rewrite TOP. cbn [Z.b2z]. rewrite Z.mul_0_r, Z.add_0_r, Z.add_0_l. f_equal. apply value_same. intros i I. rewrite at_above.
    unfold at_, d2, majority. destruct (N.eqb_spec (N.of_nat (S i)) 0); [lia|].
    replace (N.of_nat (S i) - 1)%N with (N.of_nat i) by lia. cbn [eval]. fold (y (N.of_nat i)).
    fold (m (N.of_nat i)). rewrite andb_false_r, orb_false_r. reflexivity.
  Qed.

  Theorem mm42_exact : stage_exact sh un mm42 (fun _ => True).
  Proof.
    intros v j s c _ J POS _ ODD S0 C0 CLEAR. cbn [pair_bits mm42 clear_c stage_s stage_c] in *.
    specialize (CLEAR eq_refl).
    assert (Y0 : eval v (held sh Y 0%N) = v (Y, 0%N)).
    { unfold held. destruct (N.ltb_spec 0 (width sh)); [reflexivity|lia]. }
    assert (M0 : eval v (held sh M 0%N) = true).
    { unfold held. destruct (N.ltb_spec 0 (width sh)); [exact ODD|lia]. }
    set (n := N.to_nat (width sh)). replace (N.to_nat (width sh + 2)) with (n + 2)%nat by lia.
    set (x := v (X, j)). set (qv := eval v (q j s)).
    split.
    - exists qv.
      assert (TOP : forall i, (width sh + 2 <= i)%N ->
                eval v (v1 j s i) = false /\ eval v (v2 j s i) = false).
      { intros i I. unfold v1, v2, d1, d2. destruct (N.eqb_spec i 0); [lia|]. cbn [eval].
        rewrite !held_above by lia.
        destruct (v (X, j)), (eval v (q j s)); split; reflexivity. }
      pose proof (two_adders (n + 2) (fun i => eval v (s i)) (fun i => eval v (c i))
        (fun i => eval v (v1 j s i)) (fun i => eval v (v2 j s i))) as A. cbv zeta in A.
      assert (V : value (n + 2) (fun i => eval v (v1 j s i)) + value (n + 2) (fun i => eval v (v2 j s i)) =
                  Z.b2z x * number v Y n + Z.b2z qv * number v M n).
      { pose proof (d_sum v n eq_refl) as D.
        assert (NONE : value (n + 2) (fun _ => false) = 0) by (apply value_zero; reflexivity).
        pose proof (held_more v Y 2 n eq_refl) as HY. pose proof (held_more v M 2 n eq_refl) as HM.
        rewrite (value_same (n + 2) (fun i => eval v (v1 j s i)) (fun i =>
          if x then if qv then eval v (d1 i) else eval v (held sh Y i)
          else if qv then eval v (held sh M i) else false)) by reflexivity.
        rewrite (value_same (n + 2) (fun i => eval v (v2 j s i)) (fun i => x && qv && eval v (d2 i)))
          by reflexivity.
        destruct x, qv; cbn [andb Z.b2z]; lia. }
      unfold number_of. rewrite <- Z.add_assoc, <- V, Z.add_assoc, <- A.
      + do 2 f_equal; apply value_same; intros i I; unfold at_, sum_2, carry_2, sum_1, carry_1, carry_down;
          cbn [eval sum_term carry_term].
        * destruct (N.of_nat i + 1 =? 0)%N; reflexivity.
        * destruct (N.of_nat i =? 0)%N; reflexivity.
      + apply S0. lia.
      + apply C0. lia.
      + apply TOP. lia.
      + apply TOP. lia.
      + unfold at_, parity. change (N.of_nat 0) with 0%N. unfold v1, v2, d1, d2. cbn [eval N.eqb].
        rewrite CLEAR, M0, Y0, andb_false_r. unfold q. cbn [eval]. rewrite Y0.
        destruct (eval v (s 0%N)), (v (X, j)), (v (Y, 0%N)); reflexivity.
    - intros _. unfold carry_2, carry_1, v2, d2. cbn [eval carry_term N.eqb].
      rewrite !andb_false_r. reflexivity.
  Qed.
End Mm42.
