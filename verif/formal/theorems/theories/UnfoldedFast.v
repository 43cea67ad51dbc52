(* SPDX-License-Identifier: Apache-2.0 *)
(* fast_montgomery and faster_montgomery with several iterations a cycle.
   Source: Gajbhiye & Joshi (2018), figures 4 to 7. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Fast Faster Unfolded.
Import ListNotations.

(* Named wires are no constants. For every width, so that no conversion counts to the width. *)
Lemma sum_extended : forall sh net v, constant_is_sum sh v -> constant_is_sum sh (extended net v).
Proof. intros sh net v H. exact H. Qed.

Section Cores.
  Variable sh : shape.
  Variable un : N.

  Local Open Scope N_scope.
  (* Iteration j adds Y where the bit of X is set, M where the sum would be odd. *)
  Definition adds_y (j : N) (_ : N) : term := Var (X, j).
  Definition adds_m (j : N) (s c : N -> term) (_ : N) : term :=
    Xor (Xor (s 0) (c 0)) (And (Var (X, j)) (Var (Y, 0))).

  Definition unfolded_fast : unfolded_core := {|
    pair_bits := width sh;
    stage_s := fun j s c i => sum_m sh s c (adds_y j) (adds_m j s c) (i + 1);
    stage_c := fun j s c => carry_m sh s c (adds_y j) (adds_m j s c);
    stage_addr := fun j s c i =>
      if i =? 0 then sum_y sh s c (adds_y j) 0 else if i =? 1 then Var (X, j) else Const false;
    clear_c := false;
    unfolded_description :=
      description sh [run_step; add_step once source_s source_c to_result] 0 un
  |}.

  Definition unfolded_faster : unfolded_core := {|
    pair_bits := width sh;
    stage_s := fun j s c i => sum sh s c (adds_y j) (adds_m j s c) (i + 1);
    stage_c := fun j s c => carry sh s c (adds_y j) (adds_m j s c);
    stage_addr := fun j s c i =>
      if i =? 0 then s 0 else if i =? 1 then c 0
      else if i =? 2 then Var (Y, 0) else if i =? 3 then Var (X, j) else Const false;
    clear_c := false;
    unfolded_description := description sh
      [add_step 0 source_y source_m to_const_0; run_step;
       add_step once source_s source_c to_result] 1 un
  |}.

  Theorem unfolded_fast_exact : stage_exact sh un unfolded_fast (fun _ => True).
  Proof.
    intros v j s c _ J POS _ ODD S0 C0 _. split; [|discriminate].
    exists (eval v (adds_m j s c 0)).
    apply (fast_adds sh s c (adds_y j) (adds_m j s c) v (v (X, j)) (eval v (adds_m j s c 0))
             (N.to_nat (width sh)) eq_refl POS); try reflexivity; try exact ODD;
      [apply S0|apply C0]; cbn [pair_bits unfolded_fast]; lia.
  Qed.

  Theorem unfolded_faster_exact : stage_exact sh un unfolded_faster (constant_is_sum sh).
  Proof.
    intros v j s c K J POS _ ODD S0 C0 _. split; [|discriminate].
    exists (eval v (adds_m j s c 0)).
    apply (faster_adds sh s c (adds_y j) (adds_m j s c) v (v (X, j)) (eval v (adds_m j s c 0))
             (N.to_nat (width sh)) K eq_refl POS); try reflexivity; try exact ODD;
      [apply S0|apply C0]; cbn [pair_bits unfolded_faster]; lia.
  Qed.
End Cores.
