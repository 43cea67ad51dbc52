(* SPDX-License-Identifier: Apache-2.0 *)
(* The reference machine of a core that begins in the cycle of the start, with several iterations a
   cycle (bit_serial_iterations with Early), and what its registers take. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter.
Import ListNotations.
Local Open Scope N_scope.

(* What differs between cores: bits of S and C; iteration j of a cycle as terms over the pair before
   it; the address that the test bench sees; whether bit 0 of C is always 0. *)
Record unfolded_core := {
  pair_bits : N;
  stage_s : N -> (N -> term) -> (N -> term) -> N -> term;
  stage_c : N -> (N -> term) -> (N -> term) -> N -> term;
  stage_addr : N -> (N -> term) -> (N -> term) -> N -> term;
  clear_c : bool;
  unfolded_description : N
}.

Section Terms.
  Variables (sh : shape) (un : N) (co : unfolded_core).
  Let b : N := pair_bits co.

  (* Cycles with iterations after the cycle of the start; iterations in the last cycle. *)
  Definition rounds : N := pieces (width sh) un - 1.
  Definition rest : N := width sh - rounds * un.
  Definition counted : shape :=
    {| width := rounds; guard := guard sh; word := word sh; segment := segment sh |}.

  Definition iterate : term := Or starts running.
  Definition ends_now : term := And running last.

  (* The pair before iteration j of the cycle. *)
  Definition before (s w : signal) (j i : N) : term :=
    if i <? b then (if j =? 0 then Var (s, i) else Var (w, (j - 1) * b + i)) else Const false.

  Definition iterated_pair (w : signal) (i : N) : term :=
    If ends_now (Var (w, (rest - 1) * b + i)) (Var (w, (un - 1) * b + i)).

  Definition down (s : signal) (i : N) : term :=
    if i + word sh <? b then Var (s, i + word sh) else Const false.

  Definition unfolded_pair_next (s w : signal) (i : N) : term :=
    If (Or iterate (Var (Unloads, 0))) (If iterate (iterated_pair w i) (down s i)) (Var (s, i)).

  Definition unfolded_next (v : var) : term :=
    match v with
    | (RegS, i) => unfolded_pair_next RegS WireS i
    | (RegC, i) => unfolded_pair_next RegC WireC i
    | (Unloads, _) => Var (Unload, 0)
    | (State, i) => state_next i
    | (Count, i) => count_next i
    | (Last, _) => count_equals counted (N.to_nat (count_width rounds))
    | _ => Const false
    end.

  Definition unfolded_wire (v : var) : term :=
    match v with
    | (WireS, k) => stage_s co (k / b) (before RegS WireS (k / b)) (before RegC WireC (k / b)) (k mod b)
    | (WireC, k) => stage_c co (k / b) (before RegS WireS (k / b)) (before RegC WireC (k / b)) (k mod b)
    | _ => Const false
    end.

  Definition shown_bit (s : signal) (i : N) : term := if i <? b then Var (s, i) else Const false.

  Definition unfolded_output (v : var) : term :=
    match v with
    | (OutS, i) => shown_bit RegS i
    | (OutC, i) => shown_bit RegC i
    | (Busy, _) => Or (st 0) (st 1)
    | (Done, _) => finished
    | (Next, _) => iterate
    | (TableValid, i) =>
        if i <? un then (if i <? rest then iterate else And iterate (Not ends_now)) else Const false
    | (TableAddr, k) =>
        if k / 4 <? un then stage_addr co (k / 4) (before RegS WireS (k / 4))
                              (before RegC WireC (k / 4)) (k mod 4)
        else Const false
    | (OutState, i) => st i
    | (Description, i) => Const (N.testbit (unfolded_description co) i)
    | _ => Const false
    end.

  Definition unfolded : machine := {|
    machine_registers :=
      vector RegS b ++ vector RegC b ++ vector Unloads 1 ++
      vector State 2 ++ vector Count (count_width rounds) ++ vector Last 1;
    machine_next := unfolded_next;
    machine_outputs :=
      vector OutS (width sh + guard sh) ++ vector OutC (width sh + guard sh) ++
      vector Busy 1 ++ vector Done 1 ++ vector Next 1 ++ vector TableValid 4 ++
      vector TableAddr 16 ++ vector OutState 2 ++ vector Description description_bits;
    machine_output := unfolded_output;
    machine_wires := vector WireS (un * b) ++ vector WireC (un * b);
    machine_wire := unfolded_wire
  |}.
End Terms.

Record unfolded_legal (sh : shape) (un : N) (co : unfolded_core) : Prop := {
  two_rounds : 2 <= rounds sh un;
  an_iteration : 0 < un;
  rest_positive : rounds sh un * un < width sh;
  rest_fits : width sh <= rounds sh un * un + un;
  pair_enough : width sh <= pair_bits co;
  pair_shown : pair_bits co <= width sh + guard sh
}.

(* Iteration j: 2(S' + C') = S + C + x_j*Y + q*M. ok: what else is known of the operands. *)
Definition stage_exact (sh : shape) (un : N) (co : unfolded_core) (ok : valuation -> Prop) : Prop :=
  forall v j s c, ok v -> j < un -> 0 < width sh -> width sh <= pair_bits co ->
  v (M, 0) = true ->
  (forall i, pair_bits co <= i -> eval v (s i) = false) ->
  (forall i, pair_bits co <= i -> eval v (c i) = false) ->
  (clear_c co = true -> eval v (c 0) = false) ->
  (exists q : bool,
    (2 * (number_of v (N.to_nat (pair_bits co)) (stage_s co j s c) +
          number_of v (N.to_nat (pair_bits co)) (stage_c co j s c)) =
     number_of v (N.to_nat (pair_bits co)) s + number_of v (N.to_nat (pair_bits co)) c +
     Z.b2z (v (X, j)) * number v Y (N.to_nat (width sh)) +
     Z.b2z q * number v M (N.to_nat (width sh)))%Z) /\
  (clear_c co = true -> eval v (stage_c co j s c 0) = false).

(* Before a product: STARTING, S and C are 0. *)
Record unfolded_idle (co : unfolded_core) (v : valuation) : Prop := {
  uidle_starting : is_starting v;
  uidle_s : forall i, i < pair_bits co -> v (RegS, i) = false;
  uidle_c : forall i, i < pair_bits co -> v (RegC, i) = false
}.

Lemma in_vector_n : forall s i k, i < k -> In (s, i) (vector s k).
Proof. intros. rewrite <- (Nnat.N2Nat.id i). apply in_vector. lia. Qed.

Section Run.
  Variables (sh : shape) (un : N) (co : unfolded_core) (e : nat -> valuation).
  Hypothesis L : unfolded_legal sh un co.
  Hypothesis R : machine_run (unfolded sh un co) e.
  Hypothesis W : forall t u, In u (machine_wires (unfolded sh un co)) ->
    e t u = eval (e t) (unfolded_wire co u).
  Let b : N := pair_bits co.

  Ltac member := cbn [unfolded machine_registers machine_wires]; repeat rewrite in_app_iff.

  Lemma reg_s : forall t i, i < b ->
    e (S t) (RegS, i) = eval (e t) (unfolded_pair_next sh un co RegS WireS i).
  Proof. intros t i I. apply (R t (RegS, i)). member. left. apply in_vector_n. exact I. Qed.
  Lemma reg_c : forall t i, i < b ->
    e (S t) (RegC, i) = eval (e t) (unfolded_pair_next sh un co RegC WireC i).
  Proof. intros t i I. apply (R t (RegC, i)). member. right; left. apply in_vector_n. exact I. Qed.
  Lemma reg_unloads : forall t, e (S t) (Unloads, 0) = e t (Unload, 0).
  Proof. intro t. apply (R t (Unloads, 0)). member. do 2 right; left. left. reflexivity. Qed.

  Lemma counter_of_unfolded : counter (counted sh un) e.
  Proof.
    split; cbn [counted width].
    - intro t. apply (R t (State, 0)). member. do 3 right; left. left. reflexivity.
    - intro t. apply (R t (State, 1)). member. do 3 right; left. right; left. reflexivity.
    - intros t i I. apply (R t (Count, N.of_nat i)). member. do 4 right; left.
      apply in_vector. exact I.
    - intro t. apply (R t (Last, 0)). member. do 5 right. left. reflexivity.
  Qed.

  Lemma stage_place : forall j i, i < b -> (j * b + i) / b = j /\ (j * b + i) mod b = i.
  Proof.
    intros j i I. split.
    - rewrite N.div_add_l by lia. rewrite N.div_small by exact I. lia.
    - rewrite N.add_comm, N.mod_add by lia. apply N.mod_small. exact I.
  Qed.

  Lemma wire_s : forall t j i, j < un -> i < b -> e t (WireS, j * b + i) =
    eval (e t) (stage_s co j (before co RegS WireS j) (before co RegC WireC j) i).
  Proof.
    intros t j i J I. rewrite W.
    - cbn [unfolded_wire]. fold b. destruct (stage_place j i I) as [-> ->]. reflexivity.
    - member. left. apply in_vector_n. fold b. nia.
  Qed.
  Lemma wire_c : forall t j i, j < un -> i < b -> e t (WireC, j * b + i) =
    eval (e t) (stage_c co j (before co RegS WireS j) (before co RegC WireC j) i).
  Proof.
    intros t j i J I. rewrite W.
    - cbn [unfolded_wire]. fold b. destruct (stage_place j i I) as [-> ->]. reflexivity.
    - member. right. apply in_vector_n. fold b. nia.
  Qed.

  (* S + C before iteration j. *)
  Let bn : nat := N.to_nat b.
  Definition pair_at (v : valuation) (j : N) : Z :=
    (number_of v bn (before co RegS WireS j) + number_of v bn (before co RegC WireC j))%Z.

  Lemma before_below : forall v s w j i, i < b ->
    eval v (before co s w j i) = v (if j =? 0 then (s, i) else (w, (j - 1) * b + i)).
  Proof.
    intros v s w j i I. unfold before. fold b. destruct (N.ltb_spec i b); [|lia].
    destruct (j =? 0); reflexivity.
  Qed.

  Lemma before_above : forall v s w j i, b <= i -> eval v (before co s w j i) = false.
  Proof. intros v s w j i I. unfold before. fold b. destruct (N.ltb_spec i b); [lia|reflexivity]. Qed.

  Lemma before_stage : forall t j i, j < un -> i < b ->
    eval (e t) (before co RegS WireS (j + 1) i) =
      eval (e t) (stage_s co j (before co RegS WireS j) (before co RegC WireC j) i) /\
    eval (e t) (before co RegC WireC (j + 1) i) =
      eval (e t) (stage_c co j (before co RegS WireS j) (before co RegC WireC j) i).
  Proof.
    intros t j i J I. rewrite !before_below by exact I.
    destruct (N.eqb_spec (j + 1) 0); [lia|]. replace (j + 1 - 1) with j by lia.
    rewrite wire_s, wire_c by assumption. split; reflexivity.
  Qed.

  Variable ok : valuation -> Prop.
  Hypothesis EXACT : stage_exact sh un co ok.
  Let n : nat := N.to_nat (width sh).

  Definition clear (v : valuation) (j : N) : Prop :=
    clear_c co = true -> eval v (before co RegC WireC j 0) = false.

  Lemma bits_positive : 0 < b.
  Proof. pose proof (rest_positive _ _ _ L). pose proof (pair_enough _ _ _ L). unfold b. lia. Qed.

  Lemma stage_step : forall t j, j < un -> ok (e t) -> e t (M, 0) = true -> clear (e t) j ->
    (exists q : bool, (2 * pair_at (e t) (j + 1) =
      pair_at (e t) j + Z.b2z (e t (X, j)) * number (e t) Y n + Z.b2z q * number (e t) M n)%Z) /\
    clear (e t) (j + 1).
  Proof.
    intros t j J OK ODD C.
    pose proof (rest_positive _ _ _ L) as RP.
    destruct (EXACT (e t) j (before co RegS WireS j) (before co RegC WireC j) OK J ltac:(lia)
                (pair_enough _ _ _ L) ODD (before_above _ _ _ _) (before_above _ _ _ _) C) as [[q E] C'].
    fold b in E. fold bn in E. fold n in E. split.
    - exists q. unfold pair_at, number_of in *.
      rewrite (value_same bn (fun i => eval (e t) (before co RegS WireS (j + 1) i)) (fun i => eval (e t)
        (stage_s co j (before co RegS WireS j) (before co RegC WireC j) i)))
        by (intros i I; apply (before_stage t j); [exact J|unfold bn in I; lia]).
      rewrite (value_same bn (fun i => eval (e t) (before co RegC WireC (j + 1) i)) (fun i => eval (e t)
        (stage_c co j (before co RegS WireS j) (before co RegC WireC j) i)))
        by (intros i I; apply (before_stage t j); [exact J|unfold bn in I; lia]).
      exact E.
    - intro H. rewrite (proj2 (before_stage t j 0 J bits_positive)). exact (C' H).
  Qed.

  (* The pair of the next cycle is the pair after the last iteration of this cycle. *)
  Definition made (v : valuation) : N := if eval v (ends_now) then rest sh un else un.

  Lemma rest_range : 0 < rest sh un <= un.
  Proof.
    pose proof (rest_positive _ _ _ L). pose proof (rest_fits _ _ _ L). unfold rest. lia.
  Qed.

  Lemma next_pair : forall t, eval (e t) iterate = true -> forall i, i < b ->
    eval (e (S t)) (before co RegS WireS 0 i) = eval (e t) (before co RegS WireS (made (e t)) i) /\
    eval (e (S t)) (before co RegC WireC 0 i) = eval (e t) (before co RegC WireC (made (e t)) i).
  Proof.
    intros t H i I. pose proof rest_range. pose proof (an_iteration _ _ _ L).
    rewrite !before_below by exact I. change (0 =? 0) with true. cbv iota.
    rewrite reg_s, reg_c by exact I. unfold unfolded_pair_next, iterated_pair. cbn [eval].
    change (eval (e t) iterate) with (eval (e t) iterate) in H. rewrite H. cbn [orb]. unfold made.
    fold b. destruct (eval (e t) ends_now).
    - destruct (N.eqb_spec (rest sh un) 0); [lia|split; reflexivity].
    - destruct (N.eqb_spec un 0); [lia|split; reflexivity].
  Qed.

  Lemma next_pair_number : forall t, eval (e t) iterate = true ->
    pair_at (e (S t)) 0 = pair_at (e t) (made (e t)) /\
    (clear (e t) (made (e t)) -> clear (e (S t)) 0).
  Proof.
    intros t H. split.
    - unfold pair_at, number_of. f_equal; apply value_same; intros i I; unfold at_;
        apply (next_pair t H); unfold bn in I; lia.
    - intros C E. rewrite (proj2 (next_pair t H 0 bits_positive)). exact (C E).
  Qed.
End Run.
