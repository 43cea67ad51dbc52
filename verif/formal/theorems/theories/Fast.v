(* SPDX-License-Identifier: Apache-2.0 *)
(* The iteration of fast_montgomery: two carry-save adders. Source: Amanor (2005), Algorithm 1b. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration.
Import ListNotations.

(* s, c: the pair before the iteration. y, m: the operand is added, a copy for each position. *)
Section Adders.
  Variable sh : shape.
  Variables s c y m : N -> term.

  Local Open Scope N_scope.
  Definition chosen (operand : signal) (takes : N -> term) (i : N) : term :=
    if i <? width sh then And (Var (operand, i)) (takes i) else Const false.

  Definition sum_y (i : N) : term := sum_term (s i) (c i) (chosen Y y i).
  Definition carry_y (i : N) : term :=
    if i =? 0 then Const false else carry_term (s (i - 1)) (c (i - 1)) (chosen Y y (i - 1)).
  Definition sum_m (i : N) : term := sum_term (sum_y i) (carry_y i) (chosen M m i).
  Definition carry_m (i : N) : term := carry_term (sum_y i) (carry_y i) (chosen M m i).

  Local Open Scope Z_scope.

  Theorem fast_adds : forall e (by_ bm : bool) n, n = N.to_nat (width sh) -> (0 < width sh)%N ->
    eval e (s (N.of_nat n)) = false -> eval e (c (N.of_nat n)) = false ->
    (forall i, (i < n)%nat -> eval e (y (N.of_nat i)) = by_) ->
    (forall i, (i < n)%nat -> eval e (m (N.of_nat i)) = bm) ->
    e (M, 0%N) = true ->
    bm = xorb (xorb (eval e (s 0%N)) (eval e (c 0%N))) (by_ && e (Y, 0%N)) ->
    2 * (number_of e n (fun i => sum_m (i + 1)) + number_of e n carry_m) =
    number_of e n s + number_of e n c + Z.b2z by_ * number e Y n + Z.b2z bm * number e M n.
  Proof.
    intros e by_ bm n W POS HS HC HY HM ODD Q.
    assert (V : forall (operand : signal) takes b,
              (forall i, (i < n)%nat -> eval e (takes (N.of_nat i)) = b) ->
              value n (fun i => eval e (chosen operand takes i)) = Z.b2z b * number e operand n).
    { intros operand takes b H. unfold number. rewrite <- value_masked. apply value_same.
      intros i I. unfold at_, chosen. destruct (N.ltb_spec (N.of_nat i) (width sh)); [|lia].
      cbn [eval]. rewrite H by exact I. reflexivity. }
    assert (TOP : forall operand takes, eval e (chosen operand takes (N.of_nat n)) = false).
    { intros. unfold chosen. destruct (N.ltb_spec (N.of_nat n) (width sh)); [lia|reflexivity]. }
    pose proof (two_adders n (fun i => eval e (s i)) (fun i => eval e (c i))
      (fun i => eval e (chosen Y y i)) (fun i => eval e (chosen M m i)) HS HC
      (TOP Y y) (TOP M m)) as A. cbv zeta in A.
    rewrite (V Y y by_ HY), (V M m bm HM) in A. unfold number_of. rewrite <- A.
    - do 2 f_equal; apply value_same; intros i I; unfold at_, sum_m, carry_m, sum_y, carry_y, carry_down;
        cbn [eval sum_term carry_term].
      + destruct (N.of_nat i + 1 =? 0)%N; reflexivity.
      + destruct (N.of_nat i =? 0)%N; reflexivity.
    - unfold at_, chosen, parity. change (N.of_nat 0) with 0%N.
      destruct (N.ltb_spec 0 (width sh)); [|lia]. cbn [eval].
      specialize (HY 0%nat ltac:(lia)). specialize (HM 0%nat ltac:(lia)).
      change (N.of_nat 0) with 0%N in *. rewrite HY, HM, ODD, Q.
      destruct (eval e (s 0%N)), (eval e (c 0%N)), by_, (e (Y, 0%N)); reflexivity.
  Qed.
End Adders.

Section Fast.
  Variable sh : shape.

  Local Open Scope N_scope.
  Definition takes (s : signal) (i : N) : term := Var (s, i / segment sh).

  Definition fast : core := {|
    next_s := fun i => sum_m sh (held sh RegS) (held sh RegC) (takes TakesY) (takes TakesM) (i + 1);
    next_c := carry_m sh (held sh RegS) (held sh RegC) (takes TakesY) (takes TakesM);
    takes_bits := width sh;
    table_addr := fun i =>
      if i =? 0 then sum_y sh (held sh RegS) (held sh RegC) (takes TakesY) 0
      else if i =? 1 then Var (TakesY, 0) else Const false;
    core_description := description sh [run_step; add_step once source_s source_c to_result] 0 1
  |}.

  Local Open Scope Z_scope.

  Theorem fast_iterates : iterates_exactly sh fast (fun _ => True).
  Proof.
    intros e y m n _ TY TM ODD Q POS N0.
    assert (N.of_nat n = width sh) as W by (subst n; apply Nnat.N2Nat.id).
    cbn [takes_bits fast] in TY, TM. rewrite <- N0 in TY, TM.
    assert (T : forall s, eval e (held sh s (N.of_nat n)) = false).
    { intro s. unfold held. rewrite W, N.ltb_irrefl. reflexivity. }
    assert (B : forall s, eval e (held sh s 0%N) = e (s, 0%N)).
    { intro s. unfold held. destruct (N.ltb_spec 0 (width sh)); [reflexivity|lia]. }
    pose proof (fast_adds sh (held sh RegS) (held sh RegC) (takes TakesY) (takes TakesM) e y m n N0 POS
      (T RegS) (T RegC) TY TM ODD) as A. rewrite !B in A. specialize (A Q).
    unfold number_of in A. rewrite !(held_value sh e _ n W) in A. exact A.
  Qed.
End Fast.
