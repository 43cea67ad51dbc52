(* SPDX-License-Identifier: Apache-2.0 *)
(* The reference machine of optimized_interleaved, and one product of it, for every width:
   S, C := 2*(S mod 2**n) + 2*(C mod 2**n) + entry(2*k + x), X from its highest bit down.
   Source: Amanor (2005), Algorithm 5. *)

From Coq Require Import Bool NArith ZArith List Lia.
From Modmul Require Import Logic Netlist Numbers Machine Iteration Counter Rest.
Import ListNotations.

Section Terms.
  Variable sh : shape.
  Local Open Scope N_scope.
  Local Notation n := (width sh).
  Local Notation w := (word sh).

  (* segment_registers with blocks of positions and of words: the copy that position i of k has. *)
  Definition block : N := pieces (segment sh) 16.
  Definition columns (k : N) : N := pieces (N.min k w) block.
  Definition groups (k : N) : N := if k <? w * block then 1 else k / (w * block).
  Definition copies (k : N) : N := groups k * columns k.
  Definition copy_of (k i : N) : N :=
    N.min (i / (w * block)) (groups k - 1) * columns k + (i mod w) / block.

  Definition again : term := And running (Not last).
  Definition iterates (i : N) : term := Var (Iterates, copy_of (n + 2) i).

  (* The entry that is added. const_i has the entries 2, 4, 6, 3, 5, 7. *)
  Definition slot (k i : N) : term := Var (Constant, k * (n + 1) + i).
  Definition chosen_by (s : signal) (i : N) : term := Var (s, copy_of n i).
  Definition odd_or_even (o e i : N) : term :=
    Or (And (slot e i) (Not (chosen_by Odd i))) (And (slot o i) (chosen_by Odd i)).
  Definition entry_term (i : N) : term :=
    Or (Or (Or (And (Var (Y, i)) (chosen_by Pair0 i))
               (And (odd_or_even 3 0 i) (chosen_by Pair1 i)))
           (And (odd_or_even 4 1 i) (chosen_by Pair2 i)))
       (And (odd_or_even 5 2 i) (chosen_by Pair3 i)).

  (* One carry-save adder of n + 1 positions. In a word shift S passes through it. *)
  Definition doubled (s : signal) (i : N) : term :=
    if i =? 0 then Const false else And (Var (s, i - 1)) (iterates i).
  Definition fallen (s : signal) (i : N) : term :=
    And (if i + w <? n + 2 then Var (s, i + w) else Const false) (Not (iterates i)).
  Definition addend (i : N) : term :=
    Or (if i <? n then Var (Entry, i) else Const false) (fallen RegS i).
  Definition s_taken (i : N) : term :=
    if i <=? n then sum_term (doubled RegS i) (doubled RegC i) (addend i) else Const false.
  Definition c_taken (i : N) : term :=
    Or (And (if i =? 0 then Const false
             else carry_term (doubled RegS (i - 1)) (doubled RegC (i - 1)) (addend (i - 1)))
            (iterates i))
       (fallen RegC i).
  Definition moving (i : N) : term := Var (Moves, i / segment sh).

  (* k of the next iteration, from the tops of 2S and 2C and the top bit of the entry. *)
  Definition s_top : term := Xor (Var (RegS, n - 1)) (Var (RegC, n - 1)).
  Definition c_above : term := And (Var (RegS, n - 1)) (Var (RegC, n - 1)).
  Definition c_top : term :=
    If (Var (Late, 0)) (Or (Var (RegS, n - 2)) (Var (RegC, n - 2)))
       (And (Var (RegS, n - 2)) (Var (RegC, n - 2))).
  Definition k_low : term := Xor s_top c_top.
  Definition k_high : term := Or c_above (And s_top c_top).
  Definition k_is (high low : bool) : term :=
    And (if high then k_high else Not k_high) (if low then k_low else Not k_low).

  Definition top_entry : term :=
    If k_high (If k_low (If x (slot 5 (n - 1)) (slot 2 (n - 1)))
                        (If x (slot 4 (n - 1)) (slot 1 (n - 1))))
              (If k_low (If x (slot 3 (n - 1)) (slot 0 (n - 1))) (And x (Var (Y, n - 1)))).

  Definition interleaved_next (v : var) : term :=
    match v with
    | (RegS, i) => If (moving i) (s_taken i) (Var (RegS, i))
    | (RegC, i) => If (moving i) (c_taken i) (Var (RegC, i))
    | (Moves, _) => Or next (Var (Unload, 0))
    | (Iterates, _) => again
    | (State, i) => state_next i
    | (Count, i) => count_next i
    | (Last, _) => count_equals sh (N.to_nat (count_width n))
    | (Odd, _) => And next x
    | (Pair0, _) => And (And next x) (k_is false false)
    | (Pair1, _) => And again (k_is false true)
    | (Pair2, _) => And again (k_is true false)
    | (Pair3, _) => And again (k_is true true)
    | (Late, _) => And next top_entry
    | _ => Const false
    end.

  (* Code of the added entry. *)
  Definition pair_set (s : signal) : term := chosen_by s 0.
  Definition shown_addr (i : N) : term :=
    if i =? 0 then And (Or (Or (pair_set Pair0) (pair_set Pair1)) (Or (pair_set Pair2) (pair_set Pair3)))
                       (chosen_by Odd 0)
    else if i =? 1 then Or (pair_set Pair3) (And (Not (pair_set Pair2)) (pair_set Pair1))
    else if i =? 2 then Or (pair_set Pair3) (pair_set Pair2)
    else Const false.

  Definition of_modulus (step : N) : N := step + N.shiftl 1 11.
  Definition interleaved_description : N :=
    pack [(128, fold_right (fun step n => N.shiftl n 16 + step) 0
           [of_modulus (add_step 2 6 0 0); of_modulus (add_step 1 8 8 1);
            of_modulus (add_step 1 9 8 2); add_step 3 8 2 3; add_step 3 9 2 4; add_step 3 10 2 5;
            run_step; add_step 2 source_s source_c to_result]);
          (16, 0); (3, 6); (1, 1); (3, 1); (1, 1)].

  Definition pair_bit (s : signal) (i : N) : term := if i <? n + 2 then Var (s, i) else Const false.

  Definition interleaved_output (v : var) : term :=
    match v with
    | (OutS, i) => pair_bit RegS i
    | (OutC, i) => pair_bit RegC i
    | (Busy, _) => Or (st 0) (st 1)
    | (Done, _) => finished
    | (Next, _) => next
    | (TableValid, i) => if i =? 0 then running else Const false
    | (TableAddr, i) => shown_addr i
    | (OutState, i) => st i
    | (Description, i) => Const (N.testbit interleaved_description i)
    | _ => Const false
    end.

  Definition interleaved : machine := {|
    machine_registers :=
      vector RegS (n + 2) ++ vector RegC (n + 2) ++ vector Moves (pieces (n + 2) (segment sh)) ++
      vector Iterates (copies (n + 2)) ++ vector State 2 ++ vector Count (count_width n) ++
      vector Last 1 ++ vector Odd (copies n) ++ vector Pair0 (copies n) ++ vector Pair1 (copies n) ++
      vector Pair2 (copies n) ++ vector Pair3 (copies n) ++ vector Late 1;
    machine_next := interleaved_next;
    machine_outputs :=
      vector OutS (n + guard sh) ++ vector OutC (n + guard sh) ++
      vector Busy 1 ++ vector Done 1 ++ vector Next 1 ++ vector TableValid 4 ++
      vector TableAddr 16 ++ vector OutState 2 ++ vector Description description_bits;
    machine_output := interleaved_output;
    machine_wires := vector Entry n;
    machine_wire := fun v => entry_term (snd v)
  |}.

  Record interleaved_legal : Prop := {
    width_two : 2 <= n;
    some_segment : 0 < segment sh;
    some_word : 0 < w;
    guard_two : 2 <= guard sh
  }.

  Hypothesis L : interleaved_legal.

  Lemma block_positive : 0 < block.
  Proof.
    pose proof some_segment L. unfold block, pieces.
    enough (1 <= (segment sh + 16 - 1) / 16) by lia.
    apply N.div_le_lower_bound; lia.
  Qed.

  Lemma copy_exists : forall s k i, i < k -> In (s, copy_of k i) (vector s (copies k)).
  Proof.
    intros s k i I. rewrite <- (Nnat.N2Nat.id (copy_of k i)). apply in_vector.
    enough (copy_of k i < copies k) by lia.
    pose proof block_positive as B. pose proof (some_word L) as W.
    assert (C : (i mod w) / block < columns k).
    { unfold columns, pieces. pose proof (N.mod_upper_bound i w ltac:(lia)).
      pose proof (N.mod_le i w ltac:(lia)).
      apply N.div_lt_upper_bound; [lia|].
      assert (N.min k w + block - 1 < block * N.succ ((N.min k w + block - 1) / block))
        by (apply N.mul_succ_div_gt; lia). lia. }
    assert (G : 1 <= groups k).
    { unfold groups. destruct (N.ltb_spec k (w * block)); [lia|].
      apply N.div_le_lower_bound; nia. }
    unfold copy_of, copies.
    assert (N.min (i / (w * block)) (groups k - 1) <= groups k - 1) by lia.
    nia.
  Qed.
End Terms.

Local Open Scope nat_scope.

(* Bits of X that came in the first i cycles, the highest one first, as a number. *)
Definition x_down (e : nat -> valuation) (t0 i : nat) : bits :=
  fun j => e (t0 + (i - 1 - N.to_nat j)) (X, 0%N).

(* The entries of the lookup table, computed from Y and M. *)
Definition slot_number (sh : shape) (v : valuation) (k : N) : Z :=
  value (N.to_nat (width sh)) (fun i => v (Constant, (k * (width sh + 1) + i)%N)).

Record interleaved_table (sh : shape) (v : valuation) (y m : Z) : Prop := {
  entry_2 : slot_number sh v 0 = ((1 * 2 ^ (Z.of_N (width sh) + 1)) mod m)%Z;
  entry_4 : slot_number sh v 1 = ((2 * 2 ^ (Z.of_N (width sh) + 1)) mod m)%Z;
  entry_6 : slot_number sh v 2 = ((3 * 2 ^ (Z.of_N (width sh) + 1)) mod m)%Z;
  entry_3 : slot_number sh v 3 = ((1 * 2 ^ (Z.of_N (width sh) + 1) + y) mod m)%Z;
  entry_5 : slot_number sh v 4 = ((2 * 2 ^ (Z.of_N (width sh) + 1) + y) mod m)%Z;
  entry_7 : slot_number sh v 5 = ((3 * 2 ^ (Z.of_N (width sh) + 1) + y) mod m)%Z
}.

(* Neither an iteration nor an entry. *)
Record no_addition (sh : shape) (v : valuation) : Prop := {
  no_iterate : forall i, i < N.to_nat (width sh + 2) ->
    v (Iterates, copy_of sh (width sh + 2) (N.of_nat i)) = false;
  no_pair : forall s, s = Pair0 \/ s = Pair1 \/ s = Pair2 \/ s = Pair3 ->
    forall i, i < N.to_nat (width sh) -> v (s, copy_of sh (width sh) (N.of_nat i)) = false
}.

Record interleaved_idle (sh : shape) (v : valuation) : Prop := {
  iidle_starting : is_starting v;
  iidle_zero : forall s, s = RegS \/ s = RegC ->
    forall i, i < N.to_nat (width sh + 2) -> v (s, N.of_nat i) = false;
  iidle_none : no_addition sh v
}.

(* A job: the core is idle and gets a start in cycle t0; the bits of X come from the highest down;
   Y and the entries are steady. M is any number above 0: the core has it in the entries alone. *)
Record interleaved_job (sh : shape) (e : nat -> valuation) (t0 : nat) (x_value y_value m_value : Z)
    : Prop := {
  ijob_idle : interleaved_idle sh (e t0);
  ijob_start : e t0 (Start, 0%N) = true;
  ijob_x : value (N.to_nat (width sh)) (x_down e t0 (N.to_nat (width sh))) = x_value;
  ijob_y : forall i, i <= N.to_nat (width sh) -> number (e (t0 + i)) Y (N.to_nat (width sh)) = y_value;
  ijob_m : (0 < m_value)%Z;
  ijob_table : forall i, i <= N.to_nat (width sh) -> interleaved_table sh (e (t0 + i)) y_value m_value
}.

Section Run.
  Variables (sh : shape) (e : nat -> valuation).
  Hypothesis L : interleaved_legal sh.
  Hypothesis R : machine_run (interleaved sh) e.
  Hypothesis W : forall t u, In u (machine_wires (interleaved sh)) ->
    e t u = eval (e t) (machine_wire (interleaved sh) u).
  Let n : nat := N.to_nat (width sh).
  Let b : nat := N.to_nat (width sh + 2).
  Let w : nat := N.to_nat (word sh).

  Lemma wide : b = S (S n).
  Proof. unfold b, n. lia. Qed.
  Lemma some_bits : 2 <= n.
  Proof. pose proof (width_two _ L). unfold n. lia. Qed.

  Ltac member := cbn [interleaved machine_registers]; repeat rewrite in_app_iff.
  Tactic Notation "nth" integer(k) := member; do k right; left.

  Lemma take_pair : forall t s i, s = RegS \/ s = RegC -> i < b ->
    e (S t) (s, N.of_nat i) = eval (e t) (interleaved_next sh (s, N.of_nat i)).
  Proof.
    intros t s i C I. apply (R t (s, _)). member.
    destruct C as [->| ->]; [left|right; left]; apply in_vector; exact I.
  Qed.
  Lemma take_moves : forall t i, i < b ->
    e (S t) (Moves, (N.of_nat i / segment sh)%N) = eval (e t) (Or next (Var (Unload, 0%N))).
  Proof.
    intros t i I. apply (R t (Moves, _)). nth 2.
    apply in_pieces; [apply (some_segment _ L)|unfold b in I; lia].
  Qed.
  Lemma take_iterates : forall t i, i < b ->
    e (S t) (Iterates, copy_of sh (width sh + 2) (N.of_nat i)) = eval (e t) again.
  Proof. intros t i I. apply (R t (Iterates, _)). nth 3. apply copy_exists; [exact L|unfold b in I; lia]. Qed.
  Lemma take_odd : forall t i, i < n ->
    e (S t) (Odd, copy_of sh (width sh) (N.of_nat i)) = eval (e t) (And next x).
  Proof. intros t i I. apply (R t (Odd, _)). nth 7. apply copy_exists; [exact L|unfold n in I; lia]. Qed.
  Lemma take_selected : forall t s i, s = Pair0 \/ s = Pair1 \/ s = Pair2 \/ s = Pair3 -> i < n ->
    e (S t) (s, copy_of sh (width sh) (N.of_nat i)) = eval (e t) (interleaved_next sh (s, 0%N)).
  Proof.
    intros t s i C I.
    assert (H : In (s, copy_of sh (width sh) (N.of_nat i)) (machine_registers (interleaved sh))).
    { destruct C as [->|[->|[->| ->]]]; [nth 8|nth 9|nth 10|nth 11];
        (apply copy_exists; [exact L|unfold n in I; lia]). }
    pose proof (R t _ H) as E. destruct C as [->|[->|[->| ->]]]; exact E.
  Qed.
  Lemma take_late : forall t, e (S t) (Late, 0%N) = eval (e t) (And next (top_entry sh)).
  Proof. intro t. apply (R t (Late, 0%N)). member. do 12 right. left. reflexivity. Qed.

  Lemma counter_of_interleaved : counter sh e.
  Proof.
    split.
    - intro t. apply (R t (State, 0%N)). nth 4. left. reflexivity.
    - intro t. apply (R t (State, 1%N)). nth 4. right; left. reflexivity.
    - intros t i I. apply (R t (Count, N.of_nat i)). nth 5. apply in_vector. exact I.
    - intro t. apply (R t (Last, 0%N)). nth 6. left. reflexivity.
  Qed.
  Let K := counter_of_interleaved.

  Lemma wire_entry : forall t i, i < n ->
    e t (Entry, N.of_nat i) = eval (e t) (entry_term sh (N.of_nat i)).
  Proof. intros t i I. rewrite W; [reflexivity|]. apply in_vector. exact I. Qed.

  (* -------------------------------------------------------------------------------------------- *)
  (* Cycles without an addition.                                                                    *)

  Lemma no_entry : forall t i, no_addition sh (e t) -> i < n -> e t (Entry, N.of_nat i) = false.
  Proof.
    intros t i [_ P] I. rewrite wire_entry by exact I. unfold entry_term, chosen_by. cbn [eval].
    rewrite !P by (auto || exact I). rewrite !andb_false_r. reflexivity.
  Qed.

  Lemma falls : forall t (m : bool), no_addition sh (e t) ->
    (forall k, k < b -> e t (Moves, (N.of_nat k / segment sh)%N) = m) ->
    forall s, s = RegS \/ s = RegC ->
    number (e (S t)) s b = if m then (number (e t) s b / 2 ^ Z.of_nat w)%Z else number (e t) s b.
  Proof.
    intros t m NA H s C. pose proof NA as [NI _]. pose proof (some_word _ L) as SW.
    assert (E : forall k, k < b -> e (S t) (s, N.of_nat k) =
      if m then if (N.of_nat k + word sh <? N.of_nat b)%N then e t (s, (N.of_nat k + word sh)%N) else false
      else e t (s, N.of_nat k)).
    { intros k KB. rewrite take_pair by assumption.
      assert (F : forall s', eval (e t) (fallen sh s' (N.of_nat k)) =
        if (N.of_nat k + word sh <? N.of_nat b)%N then e t (s', (N.of_nat k + word sh)%N) else false).
      { intro s'. unfold fallen, iterates. cbn [eval]. rewrite NI by exact KB. cbn [negb].
        rewrite andb_true_r. unfold b. rewrite Nnat.N2Nat.id.
        destruct (N.of_nat k + word sh <? width sh + 2)%N; reflexivity. }
      destruct C as [->| ->]; cbn [interleaved_next]; unfold moving; cbn [eval]; rewrite H by exact KB;
        destruct m; try reflexivity.
      - unfold s_taken. destruct (N.leb_spec (N.of_nat k) (width sh)) as [LE|GT].
        + unfold sum_term, addend. cbn [eval]. rewrite F.
          assert (D : forall s', eval (e t) (doubled sh s' (N.of_nat k)) = false).
          { intro s'. unfold doubled. destruct (N.eqb_spec (N.of_nat k) 0); [reflexivity|].
            unfold iterates. cbn [eval]. rewrite NI by exact KB. apply andb_false_r. }
          rewrite !D, !xorb_false_l.
          destruct (N.ltb_spec (N.of_nat k) (width sh)) as [LT|GE].
          * cbn [eval]. rewrite no_entry by (try exact NA; unfold n; lia). reflexivity.
          * reflexivity.
        + cbn [eval]. destruct (N.ltb_spec (N.of_nat k + word sh) (N.of_nat b)); [|reflexivity].
          unfold b in *. lia.
      - unfold c_taken. cbn [eval]. rewrite F. unfold iterates. cbn [eval]. rewrite NI by exact KB.
        rewrite andb_false_r. reflexivity. }
    unfold number. destruct m.
    - rewrite <- value_moved. apply value_same. intros k KB. unfold at_. rewrite E by exact KB.
      unfold w. rewrite Nnat.N2Nat.id. reflexivity.
    - apply value_same. exact E.
  Qed.

  Lemma rests : forall t, is_starting (e t) -> e t (Start, 0%N) = false ->
    is_starting (e (S t)) /\ no_addition sh (e (S t)) /\ eval (e t) next = false.
  Proof.
    intros t [A B] C.
    assert (N0 : eval (e t) next = false) by (cbn; rewrite A, B, C; reflexivity).
    assert (A0 : eval (e t) again = false) by (cbn; rewrite A, B; reflexivity).
    split; [split|split; [split|exact N0]].
    - rewrite (counter_state_0 K). cbn. rewrite A, B, C. reflexivity.
    - rewrite (counter_state_1 K). cbn. rewrite A, B. reflexivity.
    - intros i I. rewrite take_iterates by exact I. exact A0.
    - intros s D i I. rewrite take_selected by assumption.
      destruct D as [->|[->|[->| ->]]]; cbn [interleaved_next]; cbn [eval];
        first [rewrite N0; reflexivity|rewrite A0; reflexivity].
  Qed.

  Theorem words_leave : forall t, is_starting (e (S t)) -> no_addition sh (e (S t)) ->
    eval (e t) next = false ->
    forall k, (forall i, i < k -> e (S t + i) (Start, 0%N) = false) ->
    eval (e (t + k)) next = false /\
    is_starting (e (S t + k)) /\ no_addition sh (e (S t + k)) /\
    forall s, s = RegS \/ s = RegC ->
      number (e (S t + k)) s b =
      (number (e (S t)) s b / 2 ^ (Z.of_nat w * Z.of_nat (unloads e t k)))%Z.
  Proof.
    intros t A I N. induction k as [|k IH]; intro ST.
    - rewrite !Nat.add_0_r. repeat split; try assumption; try apply A; try apply I. intros s C.
      cbn [unloads]. rewrite Z.mul_0_r, Z.pow_0_r, Z.div_1_r. reflexivity.
    - destruct IH as [N' [A' [I' V]]]; [intros; apply ST; lia|].
      assert (STK : e (S t + k) (Start, 0%N) = false) by (apply ST; lia).
      rewrite !Nat.add_succ_r. destruct (rests (S t + k) A' STK) as [A2 [I2 N2]].
      split; [exact N2|]. split; [exact A2|]. split; [exact I2|]. intros s C.
      rewrite (falls (S t + k) (e (t + k) (Unload, 0%N)) I').
      + rewrite V by exact C. cbn [unloads]. destruct (e (t + k) (Unload, 0%N)).
        * rewrite Z.div_div by (first [apply Z.pow_nonzero | apply Z.pow_pos_nonneg]; lia).
          rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia.
        * rewrite Nat.add_0_r. reflexivity.
      + intros j JN. change (S t + k) with (S (t + k)).
        rewrite take_moves by exact JN. cbn [eval]. rewrite N'. reflexivity.
      + exact C.
  Qed.

  Lemma zero_number : forall t s, number (e t) s b = 0%Z ->
    forall i, i < b -> e t (s, N.of_nat i) = false.
  Proof.
    intros t s H i I. unfold number in H. rewrite <- (value_zero b (fun _ => false)) in H by reflexivity.
    exact (value_inverse b _ _ H i I).
  Qed.

  Lemma zero_stays : forall t, no_addition sh (e t) ->
    (forall s, s = RegS \/ s = RegC -> forall i, i < b -> e t (s, N.of_nat i) = false) ->
    forall s, s = RegS \/ s = RegC -> forall i, i < b -> e (S t) (s, N.of_nat i) = false.
  Proof.
    intros t NA Z0 s C i I. pose proof NA as [NI _]. pose proof (some_word _ L) as SW.
    assert (E : eval (e t) (fallen sh RegS (N.of_nat i)) = false /\ eval (e t) (fallen sh RegC (N.of_nat i)) = false).
    { unfold fallen. destruct (N.ltb_spec (N.of_nat i + word sh) (width sh + 2)) as [LT|]; [|split; reflexivity].
      cbn [eval]. rewrite <- (Nnat.N2Nat.id (N.of_nat i + word sh)).
      split; (rewrite Z0; [reflexivity|auto|unfold b; lia]). }
    destruct E as [ES EC].
    rewrite take_pair by assumption. destruct C as [->| ->]; cbn [interleaved_next]; cbn [eval].
    - rewrite (Z0 RegS) by auto. destruct (eval (e t) (moving sh (N.of_nat i))); [|reflexivity].
      unfold s_taken. destruct (N.leb_spec (N.of_nat i) (width sh)); [|reflexivity].
      unfold sum_term, addend. cbn [eval]. rewrite ES.
      assert (D : forall s', eval (e t) (doubled sh s' (N.of_nat i)) = false).
      { intro s'. unfold doubled. destruct (N.eqb_spec (N.of_nat i) 0); [reflexivity|].
        unfold iterates. cbn [eval]. rewrite NI by exact I. apply andb_false_r. }
      rewrite !D. destruct (N.ltb_spec (N.of_nat i) (width sh)); [|reflexivity].
      cbn [eval]. rewrite no_entry by (try exact NA; unfold n; lia). reflexivity.
    - rewrite (Z0 RegC) by auto. destruct (eval (e t) (moving sh (N.of_nat i))); [|reflexivity].
      unfold c_taken. cbn [eval]. rewrite EC. unfold iterates. cbn [eval]. rewrite NI by exact I.
      rewrite andb_false_r. reflexivity.
  Qed.

  Theorem interleaved_idle_stays : forall t,
    interleaved_idle sh (e t) -> e t (Start, 0%N) = false -> interleaved_idle sh (e (S t)).
  Proof.
    intros t [A Z0 NA] C. destruct (rests t A C) as [A2 [N2 _]].
    split; [exact A2|exact (zero_stays t NA Z0)|exact N2].
  Qed.

  Theorem interleaved_idle_after_reset :
    (forall v, In v (machine_registers (interleaved sh)) -> e 0 v = false) ->
    interleaved_idle sh (e 0).
  Proof.
    intro H. split; [split| |split]; intros; apply H.
    - nth 4. left. reflexivity.
    - nth 4. right; left. reflexivity.
    - member. destruct H0 as [->| ->]; [left|right; left]; apply in_vector; assumption.
    - nth 3. apply copy_exists; [exact L|lia].
    - destruct H0 as [->|[->|[->| ->]]]; [nth 8|nth 9|nth 10|nth 11];
        (apply copy_exists; [exact L|lia]).
  Qed.

  (* -------------------------------------------------------------------------------------------- *)
  (* One product.                                                                                   *)

  Variables (t0 : nat) (xv yv mv : Z).
  Hypothesis J : interleaved_job sh e t0 xv yv mv.

  Lemma I0 : interleaved_idle sh (e t0).
  Proof. exact (ijob_idle _ _ _ _ _ _ J). Qed.
  Lemma START : e t0 (Start, 0%N) = true.
  Proof. exact (ijob_start _ _ _ _ _ _ J). Qed.

  (* The entry of k = 2*high + low. *)
  Definition chosen (v : valuation) (high low xi : bool) : bits := fun i =>
    match high, low with
    | false, false => v (Y, i) && xi
    | false, true => if xi then eval v (slot sh 3 i) else eval v (slot sh 0 i)
    | true, false => if xi then eval v (slot sh 4 i) else eval v (slot sh 1 i)
    | true, true => if xi then eval v (slot sh 5 i) else eval v (slot sh 2 i)
    end.
  Definition k_of (high low : bool) : Z := (Z.b2z low + 2 * Z.b2z high)%Z.
  Definition table_entry (high low xi : bool) : Z :=
    if high || low then ((k_of high low * 2 ^ (Z.of_nat n + 1) + Z.b2z xi * yv) mod mv)%Z
    else (Z.b2z xi * yv)%Z.

  Lemma chosen_value : forall i, i <= n -> forall high low xi,
    value n (chosen (e (t0 + i)) high low xi) = table_entry high low xi.
  Proof.
    intros i I high low xi. destruct (ijob_table _ _ _ _ _ _ J i I) as [E2 E4 E6 E3 E5 E7].
    pose proof (ijob_y _ _ _ _ _ _ J i I) as EY. fold n in EY.
    unfold slot_number in *. fold n in E2, E4, E6, E3, E5, E7.
    replace (Z.of_N (width sh)) with (Z.of_nat n) in * by (unfold n; apply N_nat_Z).
    unfold table_entry, k_of, chosen, slot. cbn [eval].
    destruct high, low, xi; cbn [orb Z.b2z];
      rewrite ?Z.mul_1_l, ?Z.mul_0_l, ?Z.add_0_r, ?Z.add_0_l, ?Z.mul_1_r;
      try (change (1 + 2)%Z with 3%Z); try (rewrite ?Z.mul_1_l in *; assumption).
    - rewrite (value_masked n true). cbn [Z.b2z]. unfold number in EY. lia.
    - rewrite (value_masked n false). reflexivity.
  Qed.

  Lemma chosen_steady : forall i j, i <= n -> j <= n -> forall high low xi p, p < n ->
    chosen (e (t0 + i)) high low xi (N.of_nat p) = chosen (e (t0 + j)) high low xi (N.of_nat p).
  Proof.
    intros i j I JN high low xi p P.
    apply (value_inverse n (chosen (e (t0 + i)) high low xi) (chosen (e (t0 + j)) high low xi)); [|exact P].
    rewrite !chosen_value by assumption. reflexivity.
  Qed.

  (* In cycle i + 1 after the start: what is added, and to what. first: S and C are 0. *)
  Record ready (v : valuation) (first high low xi : bool) : Prop := {
    ready_moves : forall k, k < b -> v (Moves, (N.of_nat k / segment sh)%N) = true;
    ready_iterates : forall k, k < b ->
      v (Iterates, copy_of sh (width sh + 2) (N.of_nat k)) = negb first;
    ready_odd : forall k, k < n -> v (Odd, copy_of sh (width sh) (N.of_nat k)) = xi;
    ready_pair_0 : forall k, k < n ->
      v (Pair0, copy_of sh (width sh) (N.of_nat k)) = negb high && negb low && xi;
    ready_pair_1 : forall k, k < n ->
      v (Pair1, copy_of sh (width sh) (N.of_nat k)) = negb high && low;
    ready_pair_2 : forall k, k < n ->
      v (Pair2, copy_of sh (width sh) (N.of_nat k)) = high && negb low;
    ready_pair_3 : forall k, k < n ->
      v (Pair3, copy_of sh (width sh) (N.of_nat k)) = high && low;
    ready_late : v (Late, 0%N) = chosen v high low xi (N.of_nat (n - 1));
    ready_above : v (RegS, N.of_nat (S n)) = false;
    ready_k : (Z.b2z (v (RegS, N.of_nat n)) + Z.b2z (v (RegC, N.of_nat n)) +
               2 * Z.b2z (v (RegC, N.of_nat (S n))) = k_of high low)%Z;
    ready_zero : first = true -> forall s, s = RegS \/ s = RegC ->
      forall k, k < b -> v (s, N.of_nat k) = false
  }.

  Definition doubled_bits (v : valuation) (s : signal) : bits := fun i =>
    if (i =? 0)%N then false else v (s, (i - 1)%N).
  Definition added (v : valuation) (high low xi : bool) : bits := fun i =>
    if (i <? width sh)%N then chosen v high low xi i else false.

  Section Iteration.
    Variables (t : nat) (first high low xi : bool).
    Hypothesis G : ready (e t) first high low xi.

    Lemma entry_chosen : forall i, i < n ->
      e t (Entry, N.of_nat i) = chosen (e t) high low xi (N.of_nat i).
    Proof.
      intros i I. rewrite wire_entry by exact I. destruct G as [_ _ O P0 P1 P2 P3 _ _ _ _].
      unfold entry_term, odd_or_even, chosen_by, chosen. cbn [eval].
      rewrite O, P0, P1, P2, P3 by exact I.
      destruct high, low, xi; cbn [negb andb];
        rewrite ?andb_false_r, ?andb_true_r, ?orb_false_r, ?orb_false_l; reflexivity.
    Qed.

    Lemma doubled_is : forall s, s = RegS \/ s = RegC -> forall i, i < b ->
      eval (e t) (doubled sh s (N.of_nat i)) = doubled_bits (e t) s (N.of_nat i).
    Proof.
      intros s C i I. unfold doubled, doubled_bits. destruct (N.eqb_spec (N.of_nat i) 0); [reflexivity|].
      unfold iterates. cbn [eval]. rewrite (ready_iterates _ _ _ _ _ G) by exact I.
      destruct first eqn:F; [|apply andb_true_r].
      rewrite <- (Nnat.N2Nat.id (N.of_nat i - 1)), (ready_zero _ _ _ _ _ G eq_refl) by (auto || lia).
      reflexivity.
    Qed.

    Lemma fallen_is : forall s, s = RegS \/ s = RegC -> forall i, i < b ->
      eval (e t) (fallen sh s (N.of_nat i)) = false.
    Proof.
      intros s C i I. unfold fallen, iterates. cbn [eval].
      rewrite (ready_iterates _ _ _ _ _ G) by exact I.
      destruct first eqn:F; [|apply andb_false_r].
      destruct (N.ltb_spec (N.of_nat i + word sh) (width sh + 2)); [|reflexivity]. cbn [eval].
      rewrite <- (Nnat.N2Nat.id (N.of_nat i + word sh)), (ready_zero _ _ _ _ _ G eq_refl)
        by (auto || unfold b; lia). reflexivity.
    Qed.

    Lemma addend_is : forall i, i < b ->
      eval (e t) (addend sh (N.of_nat i)) = added (e t) high low xi (N.of_nat i).
    Proof.
      intros i I. unfold addend, added. cbn [eval]. rewrite fallen_is by auto. rewrite orb_false_r.
      destruct (N.ltb_spec (N.of_nat i) (width sh)); [|reflexivity].
      cbn [eval]. apply entry_chosen. unfold n. lia.
    Qed.

    Let p : bits := fun i => parity (doubled_bits (e t) RegS i) (doubled_bits (e t) RegC i)
                                (added (e t) high low xi i).
    Let m : bits := fun i => majority (doubled_bits (e t) RegS i) (doubled_bits (e t) RegC i)
                                (added (e t) high low xi i).

    Lemma s_iterated : forall i, i < b ->
      e (S t) (RegS, N.of_nat i) = if i <=? n then p (N.of_nat i) else false.
    Proof.
      intros i I. rewrite take_pair by auto. cbn [interleaved_next]. unfold moving. cbn [eval].
      rewrite (ready_moves _ _ _ _ _ G) by exact I. unfold s_taken.
      replace (N.of_nat i <=? width sh)%N with (i <=? n)
        by (destruct (Nat.leb_spec i n), (N.leb_spec (N.of_nat i) (width sh)); unfold n in *; lia || reflexivity).
      destruct (i <=? n); [|reflexivity]. unfold sum_term. cbn [eval].
      rewrite !doubled_is, addend_is by auto. reflexivity.
    Qed.

    Lemma c_iterated : forall i, i < b ->
      e (S t) (RegC, N.of_nat i) = match i with O => false | S j => m (N.of_nat j) end.
    Proof.
      intros i I. rewrite take_pair by auto. cbn [interleaved_next]. unfold moving. cbn [eval].
      rewrite (ready_moves _ _ _ _ _ G) by exact I. unfold c_taken. cbn [eval].
      rewrite fallen_is by auto. rewrite orb_false_r. unfold iterates. cbn [eval].
      rewrite (ready_iterates _ _ _ _ _ G) by exact I.
      destruct i as [|j]; [reflexivity|].
      destruct (N.eqb_spec (N.of_nat (S j)) 0); [lia|].
      replace (N.of_nat (S j) - 1)%N with (N.of_nat j) by lia. unfold carry_term. cbn [eval].
      rewrite !doubled_is, addend_is by (auto || lia). unfold m, majority.
      destruct first eqn:F; [|apply andb_true_r]. rewrite andb_false_r.
      assert (Z0 : forall s, s = RegS \/ s = RegC -> doubled_bits (e t) s (N.of_nat j) = false).
      { intros s C. unfold doubled_bits. destruct (N.eqb_spec (N.of_nat j) 0); [reflexivity|].
        rewrite <- (Nnat.N2Nat.id (N.of_nat j - 1)). apply (ready_zero _ _ _ _ _ G eq_refl); [exact C|lia]. }
      rewrite !Z0 by auto. reflexivity.
    Qed.

    Definition pair (v : valuation) : Z := (number v RegS b + number v RegC b)%Z.
    Definition lower (v : valuation) : Z := (number v RegS n + number v RegC n)%Z.

    Lemma pair_split : pair (e t) = (lower (e t) + k_of high low * 2 ^ Z.of_nat n)%Z.
    Proof.
      unfold pair, lower, number. rewrite wide. cbn [value]. unfold at_.
      rewrite (ready_above _ _ _ _ _ G). rewrite <- (ready_k _ _ _ _ _ G), power_step. cbn [Z.b2z]. ring.
    Qed.

    Lemma pair_iterated :
      pair (e (S t)) = (2 * lower (e t) + value n (chosen (e t) high low xi))%Z.
    Proof.
      unfold pair, number. rewrite wide. cbn [value]. unfold at_.
      assert (CN : number (e (S t)) RegC (S (S n)) = (2 * value (S n) m)%Z).
      { unfold number. rewrite value_above. unfold at_. rewrite c_iterated by (rewrite wide; lia).
        cbn [Z.b2z]. rewrite Z.add_0_l. f_equal. apply value_same. intros i I. rewrite at_above.
        unfold at_. rewrite c_iterated by (rewrite wide; lia). reflexivity. }
      unfold number in CN. cbn [value] in CN. unfold at_ in CN. rewrite CN.
      rewrite (s_iterated (S n)) by (rewrite wide; lia).
      replace (S n <=? n) with false by (symmetry; apply Nat.leb_gt; lia).
      assert (SN : number (e (S t)) RegS (S n) = value (S n) p).
      { unfold number. apply value_same. intros i I. unfold at_. rewrite s_iterated by (rewrite wide; lia).
        replace (i <=? n) with true by (symmetry; apply Nat.leb_le; lia). reflexivity. }
      unfold number in SN. cbn [value] in SN. unfold at_ in SN. rewrite SN.
      pose proof (carry_save (S n) (doubled_bits (e t) RegS) (doubled_bits (e t) RegC)
        (added (e t) high low xi)) as A. fold p m in A.
      assert (D : forall s, value (S n) (doubled_bits (e t) s) = (2 * number (e t) s n)%Z).
      { intro s. rewrite value_above. change (at_ 0 (doubled_bits (e t) s)) with false.
        cbn [Z.b2z]. rewrite Z.add_0_l. f_equal. apply value_same. intros i I. rewrite at_above.
        unfold at_, doubled_bits. destruct (N.eqb_spec (N.of_nat (S i)) 0); [lia|].
        do 2 f_equal. lia. }
      assert (T : value (S n) (added (e t) high low xi) = value n (chosen (e t) high low xi)).
      { change (value (S n) (added (e t) high low xi)) with (value n (added (e t) high low xi) +
          2 ^ Z.of_nat n * Z.b2z (at_ n (added (e t) high low xi)))%Z.
        assert (AN : at_ n (added (e t) high low xi) = false).
        { unfold at_, added. destruct (N.ltb_spec (N.of_nat n) (width sh)); [unfold n in *; lia|reflexivity]. }
        rewrite AN. cbn [Z.b2z]. rewrite Z.mul_0_r, Z.add_0_r. apply value_same. intros i I.
        unfold at_, added. destruct (N.ltb_spec (N.of_nat i) (width sh)); [reflexivity|unfold n in I; lia]. }
      rewrite !D, T in A. cbn [value] in A. unfold at_, number in *. unfold lower, number.
      cbn [Z.b2z]. lia.
    Qed.

    (* k of the next iteration is what the terms give. *)
    Lemma tops : e (S t) (RegS, N.of_nat (S n)) = false /\
      (Z.b2z (e (S t) (RegS, N.of_nat n)) + Z.b2z (e (S t) (RegC, N.of_nat n)) +
       2 * Z.b2z (e (S t) (RegC, N.of_nat (S n))) =
       k_of (eval (e t) (k_high sh)) (eval (e t) (k_low sh)))%Z.
    Proof.
      pose proof some_bits as N2.
      rewrite !s_iterated, !c_iterated by (rewrite wide; lia).
      replace (S n <=? n) with false by (symmetry; apply Nat.leb_gt; lia).
      replace (n <=? n) with true by (symmetry; apply Nat.leb_le; lia).
      split; [reflexivity|].
      destruct n as [|k] eqn:NK; [lia|].
      assert (TOP : forall s, doubled_bits (e t) s (N.of_nat (S k)) = e t (s, (width sh - 1)%N)).
      { intro s. unfold doubled_bits. destruct (N.eqb_spec (N.of_nat (S k)) 0); [lia|].
        do 2 f_equal. unfold n in NK. lia. }
      assert (SECOND : forall s, doubled_bits (e t) s (N.of_nat k) = e t (s, (width sh - 2)%N)).
      { intro s. unfold doubled_bits. destruct (N.eqb_spec (N.of_nat k) 0); [lia|].
        do 2 f_equal. unfold n in NK. lia. }
      assert (NONE : added (e t) high low xi (N.of_nat (S k)) = false).
      { unfold added. destruct (N.ltb_spec (N.of_nat (S k)) (width sh)); [unfold n in NK; lia|reflexivity]. }
      assert (LAST : added (e t) high low xi (N.of_nat k) = e t (Late, 0%N)).
      { rewrite (ready_late _ _ _ _ _ G). unfold added.
        destruct (N.ltb_spec (N.of_nat k) (width sh)); [|unfold n in NK; lia].
        f_equal. lia. }
      unfold p, m. rewrite !TOP, !SECOND, NONE, LAST.
      unfold k_of, k_high, k_low, s_top, c_above, c_top. cbn [eval].
      destruct (e t (RegS, (width sh - 1)%N)), (e t (RegC, (width sh - 1)%N)),
        (e t (RegS, (width sh - 2)%N)), (e t (RegC, (width sh - 2)%N)), (e t (Late, 0%N)); reflexivity.
    Qed.
  End Iteration.

  Let TWO : (2 <= width sh)%N := width_two _ L.
  Let BEGINS : is_starting (e t0) := iidle_starting _ _ I0.

  Lemma ends_running : e (S (t0 + n)) (State, 0%N) = false /\ e (S (t0 + n)) (State, 1%N) = true.
  Proof. exact (Counter.ends sh e TWO K t0 BEGINS START). Qed.

  Lemma goes_on : forall i, i < n ->
    eval (e (S (t0 + i))) next = (S i <? n) /\ eval (e (S (t0 + i))) again = (S i <? n).
  Proof.
    intros i I. split; [exact (Counter.run_next sh e TWO K t0 BEGINS START i I)|].
    destruct (Counter.runs_always sh e TWO K t0 BEGINS START i I) as [[A B] _ D].
    fold n in D. unfold again, running, last, st. cbn [eval]. rewrite A, B, D. cbn [negb andb].
    destruct (Nat.eqb_spec (S i) n), (Nat.ltb_spec (S i) n); lia || reflexivity.
  Qed.

  (* The registers that the tables fill, in cycle i + 1. *)
  Lemma top_chosen : forall i v, v = e (t0 + i) -> i <= n ->
    eval v (top_entry sh) =
    chosen v (eval v (k_high sh)) (eval v (k_low sh)) (v (X, 0%N)) (N.of_nat (n - 1)).
  Proof.
    intros i v -> I. pose proof some_bits.
    replace (N.of_nat (n - 1)) with (width sh - 1)%N by (unfold n in *; lia).
    unfold top_entry, chosen, x. cbn [eval].
    destruct (eval (e (t0 + i)) (k_high sh)), (eval (e (t0 + i)) (k_low sh)),
      (e (t0 + i) (X, 0%N)); try reflexivity; cbn [andb];
      destruct (e (t0 + i) (Y, (width sh - 1)%N)); reflexivity.
  Qed.

  Lemma still_zero : forall s, s = RegS \/ s = RegC -> forall i, i < b ->
    e (S t0) (s, N.of_nat i) = false.
  Proof. exact (zero_stays t0 (iidle_none _ _ I0) (iidle_zero _ _ I0)). Qed.

  Lemma ready_first : ready (e (S (t0 + 0))) true false false (e (t0 + 0) (X, 0%N)).
  Proof.
    pose proof some_bits as N2. pose proof wide as WD. rewrite !Nat.add_0_r.
    pose proof I0 as [[A B] Z0 NA].
    assert (NX : eval (e t0) next = true) by exact (Counter.start_next e t0 BEGINS START).
    assert (AG : eval (e t0) again = false).
    { unfold again, running, st. cbn [eval]. rewrite A, B. reflexivity. }
    assert (Z1 : forall s, s = RegS \/ s = RegC -> forall j, (j < width sh)%N -> e t0 (s, j) = false).
    { intros s C j I. rewrite <- (Nnat.N2Nat.id j). apply Z0; [exact C|lia]. }
    pose proof (width_two _ L) as W2.
    assert (KH : eval (e t0) (k_high sh) = false /\ eval (e t0) (k_low sh) = false).
    { unfold k_high, k_low, s_top, c_above, c_top. cbn [eval]. rewrite !(Z1 RegS), !(Z1 RegC) by first [solve [auto] | lia].
      destruct (e t0 (Late, 0%N)); split; reflexivity. }
    destruct KH as [KH KL].
    split; intros.
    - rewrite take_moves by assumption. cbn [eval]. rewrite NX. reflexivity.
    - rewrite take_iterates by assumption. exact AG.
    - rewrite take_odd by assumption. cbn [eval]. rewrite NX. reflexivity.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. unfold k_is. cbn [eval].
      rewrite NX, KH, KL. cbn [negb andb]. rewrite andb_true_r. reflexivity.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. rewrite AG. reflexivity.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. rewrite AG. reflexivity.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. rewrite AG. reflexivity.
    - rewrite take_late. cbn [eval]. rewrite NX. cbn [andb].
      rewrite (top_chosen 0 (e t0)) by (rewrite ?Nat.add_0_r; reflexivity || lia). rewrite KH, KL.
      pose proof (chosen_steady 0 1 ltac:(lia) ltac:(lia) false false (e t0 (X, 0%N)) (n - 1) ltac:(lia)) as H.
      rewrite Nat.add_0_r, Nat.add_1_r in H. exact H.
    - apply still_zero; [auto|lia].
    - rewrite !still_zero by (auto || lia). reflexivity.
    - apply still_zero; assumption.
  Qed.

  Lemma ready_on : forall i first high low xi, S i < n ->
    ready (e (S (t0 + i))) first high low xi ->
    ready (e (S (t0 + S i))) false (eval (e (S (t0 + i))) (k_high sh)) (eval (e (S (t0 + i))) (k_low sh))
      (e (t0 + S i) (X, 0%N)).
  Proof.
    intros i first high low xi I G. pose proof wide as WD.
    destruct (goes_on i ltac:(lia)) as [NX AG].
    replace (S i <? n) with true in NX, AG by (symmetry; apply Nat.ltb_lt; lia).
    pose proof (tops (S (t0 + i)) first high low xi G) as [TS TK].
    rewrite Nat.add_succ_r in *. set (v := e (S (t0 + i))) in *.
    split; intros; try discriminate.
    - rewrite take_moves by assumption. cbn [eval]. fold v. rewrite NX. reflexivity.
    - rewrite take_iterates by assumption. exact AG.
    - rewrite take_odd by assumption. cbn [eval]. fold v. rewrite NX. reflexivity.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. unfold k_is, x. cbn [eval]. fold v.
      rewrite NX. cbn [andb]. apply andb_comm.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. unfold k_is. cbn [eval]. fold v.
      rewrite AG. reflexivity.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. unfold k_is. cbn [eval]. fold v.
      rewrite AG. reflexivity.
    - rewrite take_selected by auto. cbn [interleaved_next eval]. unfold k_is. cbn [eval]. fold v.
      rewrite AG. reflexivity.
    - rewrite take_late. cbn [eval]. fold v. rewrite NX. cbn [andb].
      assert (EV : v = e (t0 + S i)) by (unfold v; f_equal; lia).
      rewrite (top_chosen (S i) v EV) by lia. rewrite EV at 1.
      rewrite (chosen_steady (S i) (S (S i))) by lia. do 2 f_equal. lia.
    - exact TS.
    - exact TK.
  Qed.

  Theorem ready_always : forall i, i < n ->
    exists first high low, ready (e (S (t0 + i))) first high low (e (t0 + i) (X, 0%N)).
  Proof.
    induction i as [|i IH]; intro I; [exists true, false, false; exact ready_first|].
    destruct (IH ltac:(lia)) as [f [h [l G]]]. do 3 eexists. exact (ready_on i _ _ _ _ I G).
  Qed.

  Definition partial (i : nat) : Prop :=
    (exists q, pair (e (S (t0 + i))) = value i (x_down e t0 i) * yv + q * mv)%Z /\
    (0 <= pair (e (S (t0 + i))) < 5 * 2 ^ Z.of_nat n)%Z.

  Lemma x_next : forall i, value (S i) (x_down e t0 (S i)) =
    (Z.b2z (e (t0 + i) (X, 0%N)) + 2 * value i (x_down e t0 i))%Z.
  Proof.
    intro i. rewrite value_above. f_equal.
    - unfold at_, x_down. do 3 f_equal. lia.
    - f_equal. apply value_same. intros j JI. rewrite at_above. unfold at_, x_down. do 2 f_equal. lia.
  Qed.

  Theorem partial_always : forall i, i <= n -> partial i.
  Proof.
    pose proof (ijob_m _ _ _ _ _ _ J) as MP. pose proof (power_positive n) as PP.
    induction i as [|i IH]; intro I.
    - unfold partial. rewrite Nat.add_0_r.
      assert (P0 : pair (e (S t0)) = 0%Z).
      { unfold pair, number. rewrite !value_zero; [reflexivity| |]; intros j JI; unfold at_;
          apply still_zero; auto. }
      rewrite P0. split; [exists 0%Z; cbn [value]; lia|lia].
    - destruct (IH ltac:(lia)) as [[q E] B]. destruct (ready_always i ltac:(lia)) as [f [h [l G]]].
      pose proof (pair_split _ _ _ _ _ G) as SP. pose proof (pair_iterated _ _ _ _ _ G) as IT.
      pose proof (chosen_value (S i) ltac:(lia) h l (e (t0 + i) (X, 0%N))) as CV.
      rewrite Nat.add_succ_r in CV. unfold partial. rewrite x_next, Nat.add_succ_r.
      set (v := e (S (t0 + i))) in *. set (xi := e (t0 + i) (X, 0%N)) in *.
      pose proof (value_bounds n (chosen v h l xi)) as VB.
      assert (LB : (0 <= lower v <= 2 * (2 ^ Z.of_nat n - 1))%Z).
      { unfold lower, number. pose proof (value_bounds n (fun i => v (RegS, i))).
        pose proof (value_bounds n (fun i => v (RegC, i))). lia. }
      split; [|rewrite IT; lia].
      assert (T : exists d, table_entry h l xi =
                (k_of h l * (2 * 2 ^ Z.of_nat n) + Z.b2z xi * yv - d * mv)%Z).
      { unfold table_entry. destruct (h || l) eqn:HL.
        - exists ((k_of h l * 2 ^ (Z.of_nat n + 1) + Z.b2z xi * yv) / mv)%Z.
          rewrite Z.mod_eq by lia. rewrite Z.pow_add_r by lia. change (2 ^ 1)%Z with 2%Z. ring.
        - exists 0%Z. destruct h, l; try discriminate. unfold k_of. cbn [Z.b2z]. ring. }
      destruct T as [d T]. exists (2 * q - d)%Z. rewrite IT, CV, T.
      replace (2 * lower v)%Z with (2 * pair v - k_of h l * (2 * 2 ^ Z.of_nat n))%Z by lia.
      rewrite E. ring.
  Qed.

  (* S + C is X*Y modulo M. *)
  Theorem product_reached :
    (pair (e (S (t0 + n))) mod mv = (xv * yv) mod mv)%Z /\
    (0 <= pair (e (S (t0 + n))) < 5 * 2 ^ Z.of_nat n)%Z.
  Proof.
    pose proof (ijob_m _ _ _ _ _ _ J) as MP.
    destruct (partial_always n (le_n n)) as [[q E] B]. split; [|exact B].
    rewrite E. rewrite <- (ijob_x _ _ _ _ _ _ J). fold n. apply Z.mod_add. lia.
  Qed.

  (* After done no entry is added. *)
  Lemma none_after : no_addition sh (e (S (t0 + n))) /\ no_addition sh (e (S (S (t0 + n)))) /\
    is_starting (e (S (S (t0 + n)))) /\ eval (e (S (t0 + n))) next = false /\
    eval (e (t0 + n)) next = false.
  Proof.
    pose proof some_bits. destruct (goes_on (n - 1) ltac:(lia)) as [NX AG].
    replace (S (n - 1)) with n in * by lia.
    replace (S (t0 + (n - 1))) with (t0 + n) in * by lia. rewrite Nat.ltb_irrefl in NX, AG.
    destruct ends_running as [E0 E1].
    assert (NX1 : eval (e (S (t0 + n))) next = false).
    { unfold next, starts, starting, running, last, st. cbn [eval]. rewrite E0, E1. reflexivity. }
    assert (AG1 : eval (e (S (t0 + n))) again = false).
    { unfold again, running, st. cbn [eval]. rewrite E0, E1. reflexivity. }
    assert (NONE : forall t, eval (e t) next = false -> eval (e t) again = false ->
      no_addition sh (e (S t))).
    { intros t A B. split.
      - intros i I. rewrite take_iterates by exact I. exact B.
      - intros s C i I. rewrite take_selected by assumption.
        destruct C as [->|[->|[->| ->]]]; cbn [interleaved_next eval];
          first [rewrite A; reflexivity|rewrite B; reflexivity]. }
    split; [exact (NONE _ NX AG)|]. split; [exact (NONE _ NX1 AG1)|].
    split; [split|split; [exact NX1|exact NX]].
    - rewrite (counter_state_0 K). cbn. rewrite E0, E1. reflexivity.
    - rewrite (counter_state_1 K). cbn. rewrite E0, E1. reflexivity.
  Qed.

  (* S and C stay in the cycle of done, unless an unload came before. *)
  Lemma stays_at_done : e (t0 + n) (Unload, 0%N) = false -> forall s, s = RegS \/ s = RegC ->
    number (e (S (S (t0 + n)))) s b = number (e (S (t0 + n))) s b.
  Proof.
    intros U s C. destruct none_after as [NA [_ [_ [_ NX]]]].
    rewrite (falls (S (t0 + n)) false NA); [reflexivity| |exact C].
    intros k KB. rewrite take_moves by exact KB. cbn [eval]. rewrite NX, U. reflexivity.
  Qed.
End Run.
