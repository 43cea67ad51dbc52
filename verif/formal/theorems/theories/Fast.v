(* SPDX-License-Identifier: Apache-2.0 *)
(* The iteration of fast_montgomery: two carry-save adders. Source: Amanor (2005), Algorithm 1b. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration.
Import ListNotations.

Section Fast.
  Variable sh : shape.

  Local Open Scope N_scope.
  Definition chosen (operand takes : signal) (i : N) : term :=
    if i <? width sh then And (Var (operand, i)) (Var (takes, i / segment sh)) else Const false.

  Definition sum_y (i : N) : term :=
    sum_term (held sh RegS i) (held sh RegC i) (chosen Y TakesY i).
  Definition carry_y (i : N) : term :=
    if i =? 0 then Const false
    else carry_term (held sh RegS (i - 1)) (held sh RegC (i - 1)) (chosen Y TakesY (i - 1)).
  Definition sum_m (i : N) : term := sum_term (sum_y i) (carry_y i) (chosen M TakesM i).
  Definition carry_m (i : N) : term := carry_term (sum_y i) (carry_y i) (chosen M TakesM i).

  Definition fast : core := {|
    next_s := fun i => sum_m (i + 1);
    next_c := carry_m;
    takes_bits := width sh;
    table_addr := fun i =>
      if i =? 0 then sum_y 0 else if i =? 1 then Var (TakesY, 0) else Const false;
    core_description := description sh [run_step; add_step once source_s source_c to_result] 0
  |}.

  Local Open Scope Z_scope.

  Theorem fast_iterates : iterates_exactly sh fast (fun _ => True).
  Proof.
    intros e y m n _ TY TM ODD Q POS N0. subst n. set (n := N.to_nat (width sh)) in *.
    assert (N.of_nat n = width sh) as W by apply Nnat.N2Nat.id.
    set (ev := fun (f : N -> term) (i : N) => eval e (f i)).
    pose proof (carry_save n (ev (held sh RegS)) (ev (held sh RegC)) (ev (chosen Y TakesY))) as A.
    pose proof (carry_save (S n) (ev sum_y) (ev carry_y) (ev (chosen M TakesM))) as B.
    change (fun i => parity (ev (held sh RegS) i) (ev (held sh RegC) i) (ev (chosen Y TakesY) i))
      with (ev sum_y) in A.
    change (fun i => parity (ev sum_y i) (ev carry_y i) (ev (chosen M TakesM) i))
      with (ev sum_m) in B.
    change (fun i => majority (ev sum_y i) (ev carry_y i) (ev (chosen M TakesM) i))
      with (ev carry_m) in B.
    set (cy := fun i => majority (ev (held sh RegS) i) (ev (held sh RegC) i)
                                 (ev (chosen Y TakesY) i)) in A.
    (* What the vectors are. *)
    assert (HS : value n (ev (held sh RegS)) = number e RegS n) by (apply held_value; exact W).
    assert (HC : value n (ev (held sh RegC)) = number e RegC n) by (apply held_value; exact W).
    assert (HY : value n (ev (chosen Y TakesY)) = Z.b2z y * number e Y n).
    { unfold number. rewrite <- value_masked. apply value_same. intros i I. unfold at_, ev, chosen.
      destruct (N.ltb_spec (N.of_nat i) (width sh)); [|lia].
      cbn [eval]. rewrite TY; [reflexivity|]. cbn; lia. }
    assert (HM : value n (ev (chosen M TakesM)) = Z.b2z m * number e M n).
    { unfold number. rewrite <- value_masked. apply value_same. intros i I. unfold at_, ev, chosen.
      destruct (N.ltb_spec (N.of_nat i) (width sh)); [|lia].
      cbn [eval]. rewrite TM; [reflexivity|]. cbn; lia. }
    (* Position n: no sum, a carry, no M. *)
    assert (TS : at_ n (ev sum_y) = false).
    { unfold at_, ev, sum_y, held, chosen. rewrite W, N.ltb_irrefl. reflexivity. }
    assert (TM' : at_ n (ev (chosen M TakesM)) = false).
    { unfold at_, ev, chosen. rewrite W, N.ltb_irrefl. reflexivity. }
    assert (TC : at_ n (ev carry_m) = false).
    { change (at_ n (ev carry_m)) with
        (majority (at_ n (ev sum_y)) (at_ n (ev carry_y)) (at_ n (ev (chosen M TakesM)))).
      rewrite TS, TM'. destruct (at_ n (ev carry_y)); reflexivity. }
    assert (VC : value (S n) (ev carry_y) = 2 * value n cy).
    { rewrite value_above. change (at_ 0 (ev carry_y)) with false. simpl Z.b2z. rewrite Z.add_0_l.
      f_equal. apply value_same. intros i I. rewrite at_above. unfold at_, ev, carry_y, cy.
      destruct (N.eqb_spec (N.of_nat (S i)) 0); [lia|].
      replace (N.of_nat (S i) - 1)%N with (N.of_nat i) by lia. reflexivity. }
    assert (VS : value n (above (ev sum_m)) = value n (ev (next_s fast))).
    { apply value_same. intros i I. rewrite at_above. unfold at_, ev. cbn [next_s fast].
      replace (N.of_nat (S i)) with (N.of_nat i + 1)%N by lia. reflexivity. }
    (* The lowest bit of the sum is 0: that is what M was added for. *)
    assert (Z0 : at_ 0 (ev sum_m) = false).
    { unfold at_, ev, sum_m, carry_y, sum_y, chosen, held. change (N.of_nat 0) with 0%N.
      destruct (N.ltb_spec 0 (width sh)); [|lia].
      cbn [eval sum_term N.eqb].
      rewrite ODD. specialize (TY 0%nat). specialize (TM 0%nat). change (N.of_nat 0) with 0%N in *.
      rewrite TY, TM by (cbn; lia).
      rewrite Q. destruct (e (RegS, 0%N)), (e (RegC, 0%N)), (e (Y, 0%N)), y; reflexivity. }
    rewrite (value_above n (ev sum_m)), Z0, VS, VC in B. cbn [value] in B. rewrite TS, TM', TC in B.
    cbn [Z.b2z] in B. rewrite HM in B. rewrite HS, HC, HY in A.
    change (value n (ev (next_c fast))) with (value n (ev carry_m)). fold (ev (next_s fast)).
    change (fun i => eval e (next_c fast i)) with (ev carry_m).
    lia.
  Qed.
End Fast.
