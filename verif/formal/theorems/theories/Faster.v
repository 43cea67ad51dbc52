(* SPDX-License-Identifier: Apache-2.0 *)
(* The iteration of faster_montgomery: one carry-save adder and a table.
   Source: Amanor (2005), Algorithm 3. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration.
Import ListNotations.

Section Faster.
  Variable sh : shape.

  Local Open Scope N_scope.
  Definition takes (s : signal) (i : N) : term := Var (s, i / segment sh).

  (* 0, M, Y or the constant R = Y + M. *)
  Definition entry (i : N) : term :=
    Or (Or (And (And (Var (Constant, i)) (takes TakesY i)) (takes TakesM i))
           (And (And (held sh Y i) (takes TakesY i)) (Not (takes TakesM i))))
       (And (And (held sh M i) (takes TakesM i)) (Not (takes TakesY i))).

  Definition sum (i : N) : term := sum_term (held sh RegS i) (held sh RegC i) (entry i).
  Definition carry (i : N) : term := carry_term (held sh RegS i) (held sh RegC i) (entry i).

  Definition faster : core := {|
    next_s := fun i => sum (i + 1);
    next_c := carry;
    takes_bits := width sh + 1;
    table_addr := fun i =>
      if i =? 0 then Var (RegS, 0) else if i =? 1 then Var (RegC, 0)
      else if i =? 2 then Var (Y, 0) else if i =? 3 then Var (TakesY, 0) else Const false;
    core_description := description sh
      [add_step 0 source_y source_m to_const_0; run_step;
       add_step once source_s source_c to_result] 1
  |}.

  Local Open Scope Z_scope.

  Definition constant_is_sum (e : valuation) : Prop :=
    let n := N.to_nat (width sh) in
    number e Constant (S n) = number e Y n + number e M n.

  Lemma entry_value : forall e y m n, constant_is_sum e -> n = N.to_nat (width sh) ->
    (forall i, (i < S n)%nat -> e (TakesY, (N.of_nat i / segment sh)%N) = y) ->
    (forall i, (i < S n)%nat -> e (TakesM, (N.of_nat i / segment sh)%N) = m) ->
    value (S n) (fun i => eval e (entry i)) =
    Z.b2z y * number e Y n + Z.b2z m * number e M n.
  Proof.
    intros e y m n K N TY TM. unfold constant_is_sum in K. rewrite <- N in K.
    assert (W : N.of_nat n = width sh) by (subst n; apply Nnat.N2Nat.id).
    assert (E : forall s, value (S n) (fun i => eval e (held sh s i)) = number e s n).
    { intro s. cbn [value]. rewrite (held_value sh e s n W). unfold at_, held.
      rewrite W, N.ltb_irrefl. cbn [eval Z.b2z]. lia. }
    rewrite <- (E Y), <- (E M) in *.
    transitivity (value (S n) (fun i => if y then if m then e (Constant, i) else eval e (held sh Y i)
                                        else if m then eval e (held sh M i) else false)).
    - apply value_same. intros i I. unfold at_, entry, takes. cbn [eval].
      rewrite TY, TM by exact I.
      destruct y, m, (e (Constant, N.of_nat i)), (eval e (held sh Y (N.of_nat i))),
        (eval e (held sh M (N.of_nat i))); reflexivity.
    - unfold number at 1 in K.
      destruct y, m; cbn [Z.b2z].
      + rewrite K. lia.
      + lia.
      + lia.
      + rewrite value_zero by reflexivity. lia.
  Qed.

  Theorem faster_iterates : iterates_exactly sh faster constant_is_sum.
  Proof.
    intros e y m n K TY TM ODD Q POS NW.
    assert (W : N.of_nat n = width sh) by (subst n; apply Nnat.N2Nat.id).
    assert (TAKES : N.to_nat (takes_bits faster) = S n) by (cbn; lia). rewrite TAKES in *.
    pose proof (entry_value e y m n K NW TY TM) as E.
    set (ev := fun (f : N -> term) (i : N) => eval e (f i)).
    pose proof (carry_save (S n) (ev (held sh RegS)) (ev (held sh RegC)) (ev entry)) as A.
    change (fun i => parity (ev (held sh RegS) i) (ev (held sh RegC) i) (ev entry i))
      with (ev sum) in A.
    change (fun i => majority (ev (held sh RegS) i) (ev (held sh RegC) i) (ev entry i))
      with (ev carry) in A.
    assert (HS : value n (ev (held sh RegS)) = number e RegS n) by (apply held_value; exact W).
    assert (HC : value n (ev (held sh RegC)) = number e RegC n) by (apply held_value; exact W).
    assert (TS : forall s, at_ n (ev (held sh s)) = false).
    { intro s. unfold at_, ev, held. rewrite W, N.ltb_irrefl. reflexivity. }
    assert (TC : at_ n (ev carry) = false).
    { change (at_ n (ev carry)) with
        (majority (at_ n (ev (held sh RegS))) (at_ n (ev (held sh RegC))) (at_ n (ev entry))).
      rewrite !TS. destruct (at_ n (ev entry)); reflexivity. }
    assert (VS : value n (above (ev sum)) = value n (ev (next_s faster))).
    { apply value_same. intros i I. rewrite at_above. unfold at_, ev. cbn [next_s faster].
      replace (N.of_nat (S i)) with (N.of_nat i + 1)%N by lia. reflexivity. }
    (* The lowest bit of the sum is 0; that of the constant is the opposite of Y's. *)
    assert (R0 : e (Constant, 0%N) = negb (e (Y, 0%N))).
    { unfold constant_is_sum in K. rewrite <- NW in K. apply (f_equal Z.odd) in K.
      rewrite Z.odd_add in K. unfold number in K. rewrite !odd_value in K by lia.
      unfold at_ in K. change (N.of_nat 0) with 0%N in K. rewrite ODD in K. rewrite K.
      destruct (e (Y, 0%N)); reflexivity. }
    assert (Z0 : at_ 0 (ev sum) = false).
    { unfold at_, ev, sum, entry, takes, held. change (N.of_nat 0) with 0%N.
      destruct (N.ltb_spec 0 (width sh)); [|lia]. cbn [eval sum_term].
      specialize (TY 0%nat). specialize (TM 0%nat). change (N.of_nat 0) with 0%N in *.
      rewrite TY, TM, R0, ODD by lia.
      rewrite Q. destruct (e (RegS, 0%N)), (e (RegC, 0%N)), (e (Y, 0%N)), y; reflexivity. }
    change (value (S n) (ev entry) = Z.b2z y * number e Y n + Z.b2z m * number e M n) in E.
    rewrite (value_above n (ev sum)), Z0, VS, E in A. cbn [value] in A.
    rewrite !TS, TC in A. cbn [Z.b2z] in A. rewrite HS, HC in A.
    change (fun i => eval e (next_s faster i)) with (ev (next_s faster)).
    change (fun i => eval e (next_c faster i)) with (ev carry).
    lia.
  Qed.
End Faster.
