(* SPDX-License-Identifier: Apache-2.0 *)
(* The reference machine of a bit-serial Montgomery core: registers and control around the
   iteration of a core (bit_serial_iterations, bit_serial_control, segment_registers). *)

From Coq Require Import Bool NArith List Lia.
From Modmul Require Import Logic Netlist.
Import ListNotations.
Local Open Scope N_scope.

(* Parameters of a configuration: Width, Guard, WordWidth, SegmentWidth. *)
Record shape := { width : N; guard : N; word : N; segment : N }.

(* What differs between cores: the bits of S and C after an iteration, the positions that wait for
   what the iteration adds, the address that the test bench sees, and the core description. *)
Record core := {
  next_s : N -> term;
  next_c : N -> term;
  takes_bits : N;
  table_addr : N -> term;
  core_description : N
}.

Definition pieces (positions size : N) : N := (positions + size - 1) / size.
Definition count_width (iterations : N) : N := N.log2_up iterations.

Section Terms.
  Variable sh : shape.
  Variable co : core.

  Definition st (i : N) : term := Var (State, i).
  Definition last : term := Var (Last, 0).
  Definition starting : term := And (Not (st 1)) (Not (st 0)).
  Definition running : term := And (Not (st 1)) (st 0).
  Definition finished : term := And (st 1) (Not (st 0)).
  Definition starts : term := And starting (Var (Start, 0)).
  Definition next : term := Or starts (And running (Not last)).

  (* bit_serial_control *)
  Fixpoint carry_into (k : nat) : term :=
    match k with O => Const true | S k => And (carry_into k) (Var (Count, N.of_nat k)) end.

  Definition count_next (i : N) : term :=
    If starting (Const false)
       (If running (Xor (Var (Count, i)) (carry_into (N.to_nat i))) (Var (Count, i))).

  Definition count_is (i : N) : term :=
    if N.testbit (width sh - 1) i then count_next i else Not (count_next i).

  Fixpoint count_equals (k : nat) : term :=
    match k with O => Const true | S k => And (count_equals k) (count_is (N.of_nat k)) end.

  Definition state_next (i : N) : term :=
    if i =? 0 then Or starts (And running (Not last)) else And running last.

  (* bit_serial_iterations: S and C take an iteration, or move down by a word, or stay. *)
  Definition moved (s : signal) (i : N) : term :=
    if i + word sh <? width sh then Var (s, i + word sh) else Const false.

  Definition pair_next (s : signal) (iterated : N -> term) (i : N) : term :=
    If (Var (Moves, i / segment sh))
       (If (Var (Iterates, i / segment sh)) (iterated i) (moved s i)) (Var (s, i)).

  (* What the next iteration adds: Y where the bit of X is set, M where the sum would be odd. *)
  Definition x : term := Var (X, 0).
  Definition lowest (iterated : N -> term) : term := If starting (Const false) (iterated 0).
  Definition odd : term :=
    Xor (Xor (lowest (next_s co)) (lowest (next_c co))) (And x (Var (Y, 0))).

  Definition register_next (v : var) : term :=
    match v with
    | (RegS, i) => pair_next RegS (next_s co) i
    | (RegC, i) => pair_next RegC (next_c co) i
    | (TakesY, _) => And next x
    | (TakesM, _) => And next odd
    | (Moves, _) => Or next (Var (Unload, 0))
    | (Iterates, _) => next
    | (State, i) => state_next i
    | (Count, i) => count_next i
    | (Last, _) => count_equals (N.to_nat (count_width (width sh)))
    | _ => Const false
    end.

  Definition held (s : signal) (i : N) : term := if i <? width sh then Var (s, i) else Const false.

  Definition output_term (v : var) : term :=
    match v with
    | (OutS, i) => held RegS i
    | (OutC, i) => held RegC i
    | (Busy, _) => Or (st 0) (st 1)
    | (Done, _) => finished
    | (Next, _) => next
    | (TableValid, i) => if i =? 0 then running else Const false
    | (TableAddr, i) => table_addr co i
    | (OutState, i) => st i
    | (Description, i) => Const (N.testbit (core_description co) i)
    | _ => Const false
    end.
End Terms.

Definition vector (s : signal) (k : N) : list var :=
  map (fun i => (s, N.of_nat i)) (seq 0 (N.to_nat k)).

Definition description_bits : N := 152.

Definition bit_serial (sh : shape) (co : core) : machine := {|
  machine_registers :=
    vector RegS (width sh) ++ vector RegC (width sh) ++
    vector TakesY (pieces (takes_bits co) (segment sh)) ++
    vector TakesM (pieces (takes_bits co) (segment sh)) ++
    vector Moves (pieces (width sh) (segment sh)) ++
    vector Iterates (pieces (width sh) (segment sh)) ++
    vector State 2 ++ vector Count (count_width (width sh)) ++ vector Last 1;
  machine_next := register_next sh co;
  machine_outputs :=
    vector OutS (width sh + guard sh) ++ vector OutC (width sh + guard sh) ++
    vector Busy 1 ++ vector Done 1 ++ vector Next 1 ++ vector TableValid 4 ++
    vector TableAddr 16 ++ vector OutState 2 ++ vector Description description_bits;
  machine_output := output_term sh co;
  machine_wires := [];
  machine_wire := fun _ => Const false
|}.

Lemma in_vector : forall s k i, (i < N.to_nat k)%nat -> In (s, N.of_nat i) (vector s k).
Proof.
  intros. unfold vector. apply (in_map (fun i => (s, N.of_nat i))). apply in_seq. lia.
Qed.

(* The segment of a position is one of the segments. *)
Lemma in_pieces : forall s i k size, 0 < size -> i < k -> In (s, i / size) (vector s (pieces k size)).
Proof.
  intros s i k size Z H. rewrite <- (Nnat.N2Nat.id (i / size)). apply in_vector.
  unfold pieces. enough (i / size < (k + size - 1) / size) by lia.
  apply N.div_lt_upper_bound; [lia|].
  assert (k + size - 1 < size * N.succ ((k + size - 1) / size)) by (apply N.mul_succ_div_gt; lia).
  lia.
Qed.

(* ---------------------------------------------------------------------------------------------- *)
(* The core description: fields of parallel_description_t from the highest one down.                     *)

Definition pack (fields : list (N * N)) : N :=
  fold_left (fun n field => N.shiftl n (fst field) + snd field) fields 0.

Definition add_step (reduction a b destination : N) : N :=
  pack [(2, 1); (2, reduction); (1, 0); (4, a); (4, b); (3, destination)].
Definition run_step : N := N.shiftl 2 14.
Definition once : N := 1.
Definition source_y : N := 2.
Definition source_m : N := 3.
Definition source_s : N := 4.
Definition source_c : N := 5.
Definition to_const_0 : N := 0.
Definition to_result : N := 7.

(* program: the steps, the first one first, 0 (StepEnd) for the rest. *)
Definition description (sh : shape) (program : list N) (slots x_bits : N) : N :=
  pack [(128, fold_right (fun step n => N.shiftl n 16 + step) 0 program); (16, width sh);
        (3, slots); (1, 0); (3, x_bits); (1, 0)].
