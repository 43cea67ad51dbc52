(* SPDX-License-Identifier: Apache-2.0 *)
(* The iteration of faster_montgomery: one carry-save adder and a table.
   Source: Amanor (2005), Algorithm 3. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration.
Import ListNotations.

Definition constant_is_sum (sh : shape) (e : valuation) : Prop :=
  let n := N.to_nat (width sh) in
  (number e Constant (S n) = number e Y n + number e M n)%Z.

(* s, c: the pair before the iteration. y, m: the entry contains the operand, a copy for each
   position. *)
Section Adder.
  Variable sh : shape.
  Variables s c y m : N -> term.

  Local Open Scope N_scope.

  (* 0, M, Y or the constant R = Y + M. *)
  Definition entry (i : N) : term :=
    Or (Or (And (And (Var (Constant, i)) (y i)) (m i))
           (And (And (held sh Y i) (y i)) (Not (m i))))
       (And (And (held sh M i) (m i)) (Not (y i))).

  Definition sum (i : N) : term := sum_term (s i) (c i) (entry i).
  Definition carry (i : N) : term := carry_term (s i) (c i) (entry i).

  Local Open Scope Z_scope.

  Lemma entry_value : forall e (by_ bm : bool) n, constant_is_sum sh e -> n = N.to_nat (width sh) ->
    (forall i, (i < S n)%nat -> eval e (y (N.of_nat i)) = by_) ->
    (forall i, (i < S n)%nat -> eval e (m (N.of_nat i)) = bm) ->
    value (S n) (fun i => eval e (entry i)) =
    Z.b2z by_ * number e Y n + Z.b2z bm * number e M n.
  Proof.
    intros e by_ bm n K N TY TM. unfold constant_is_sum in K. rewrite <- N in K.
    assert (W : N.of_nat n = width sh) by (subst n; apply Nnat.N2Nat.id).
    assert (E : forall s, value (S n) (fun i => eval e (held sh s i)) = number e s n).
    { intro s0. cbn [value]. rewrite (held_value sh e s0 n W). unfold at_, held.
      rewrite W, N.ltb_irrefl. cbn [eval Z.b2z]. lia. }
    rewrite <- (E Y), <- (E M) in *.
    transitivity (value (S n) (fun i =>
      if by_ then if bm then e (Constant, i) else eval e (held sh Y i)
      else if bm then eval e (held sh M i) else false)).
    - apply value_same. intros i I. unfold at_, entry. cbn [eval].
      rewrite TY, TM by exact I.
      destruct by_, bm, (e (Constant, N.of_nat i)), (eval e (held sh Y (N.of_nat i))),
        (eval e (held sh M (N.of_nat i))); reflexivity.
    - unfold number at 1 in K.
      destruct by_, bm; cbn [Z.b2z].
      + rewrite K. lia.
      + lia.
      + lia.
      + rewrite value_zero by reflexivity. lia.
  Qed.

  Theorem faster_adds : forall e (by_ bm : bool) n, constant_is_sum sh e ->
    n = N.to_nat (width sh) -> (0 < width sh)%N ->
    eval e (s (N.of_nat n)) = false -> eval e (c (N.of_nat n)) = false ->
    (forall i, (i < S n)%nat -> eval e (y (N.of_nat i)) = by_) ->
    (forall i, (i < S n)%nat -> eval e (m (N.of_nat i)) = bm) ->
    e (M, 0%N) = true ->
    bm = xorb (xorb (eval e (s 0%N)) (eval e (c 0%N))) (by_ && e (Y, 0%N)) ->
    2 * (number_of e n (fun i => sum (i + 1)) + number_of e n carry) =
    number_of e n s + number_of e n c + Z.b2z by_ * number e Y n + Z.b2z bm * number e M n.
  Proof.
    intros e by_ bm n K NW POS HS HC TY TM ODD Q.
    pose proof (entry_value e by_ bm n K NW TY TM) as E.
    (* The lowest bit of the constant is the opposite of Y's. *)
    assert (R0 : e (Constant, 0%N) = negb (e (Y, 0%N))).
    { unfold constant_is_sum in K. rewrite <- NW in K. apply (f_equal Z.odd) in K.
      rewrite Z.odd_add in K. unfold number in K. rewrite !odd_value in K by lia.
      unfold at_ in K. change (N.of_nat 0) with 0%N in K. rewrite ODD in K. rewrite K.
      destruct (e (Y, 0%N)); reflexivity. }
    pose proof (one_adder n (fun i => eval e (s i)) (fun i => eval e (c i))
      (fun i => eval e (entry i)) HS HC) as A. rewrite E in A.
    rewrite Z.add_assoc in A. apply A.
    unfold at_, entry, held, parity. change (N.of_nat 0) with 0%N.
    destruct (N.ltb_spec 0 (width sh)); [|lia]. cbn [eval].
    specialize (TY 0%nat ltac:(lia)). specialize (TM 0%nat ltac:(lia)).
    change (N.of_nat 0) with 0%N in *. rewrite TY, TM, R0, ODD, Q.
    destruct (eval e (s 0%N)), (eval e (c 0%N)), (e (Y, 0%N)), by_; reflexivity.
  Qed.
End Adder.

Section Faster.
  Variable sh : shape.

  Local Open Scope N_scope.
  Definition takes (s : signal) (i : N) : term := Var (s, i / segment sh).

  Definition faster : core := {|
    next_s := fun i => sum sh (held sh RegS) (held sh RegC) (takes TakesY) (takes TakesM) (i + 1);
    next_c := carry sh (held sh RegS) (held sh RegC) (takes TakesY) (takes TakesM);
    takes_bits := width sh + 1;
    table_addr := fun i =>
      if i =? 0 then Var (RegS, 0) else if i =? 1 then Var (RegC, 0)
      else if i =? 2 then Var (Y, 0) else if i =? 3 then Var (TakesY, 0) else Const false;
    core_description := description sh
      [add_step 0 source_y source_m to_const_0; run_step;
       add_step once source_s source_c to_result] 1 1
  |}.

  Theorem faster_iterates : iterates_exactly sh faster (constant_is_sum sh).
  Proof.
    intros e y m n K TY TM ODD Q POS NW.
    assert (W : N.of_nat n = width sh) by (subst n; apply Nnat.N2Nat.id).
    assert (TAKES : N.to_nat (takes_bits faster) = S n) by (cbn; lia). rewrite TAKES in *.
    assert (T : forall s, eval e (held sh s (N.of_nat n)) = false).
    { intro s. unfold held. rewrite W, N.ltb_irrefl. reflexivity. }
    assert (B : forall s, eval e (held sh s 0%N) = e (s, 0%N)).
    { intro s. unfold held. destruct (N.ltb_spec 0 (width sh)); [reflexivity|lia]. }
    pose proof (faster_adds sh (held sh RegS) (held sh RegC) (takes TakesY) (takes TakesM) e y m n K NW
      POS (T RegS) (T RegC) TY TM ODD) as A. rewrite !B in A. specialize (A Q).
    unfold number_of in A. rewrite !(held_value sh e _ n W) in A. exact A.
  Qed.
End Faster.
