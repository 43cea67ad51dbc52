(* SPDX-License-Identifier: Apache-2.0 *)
(* Signals, Boolean terms over signals, and a canonical form that decides whether two terms agree. *)

From Coq Require Import Bool NArith List.
Import ListNotations.

(* What a bit of a signal is called. The first group is registers, the second inputs, the third
   outputs. Copies of one bit (segment_registers) are bits of one signal, numbered by segment. *)
Inductive signal :=
| RegS | RegC            (* the redundant pair *)
| TakesY | TakesM        (* the coming iteration adds Y, M *)
| Moves | Iterates       (* a segment takes something; it takes what an iteration gives *)
| State | Count | Last   (* bit_serial_control *)
| Odd | Pair0 | Pair1 | Pair2 | Pair3   (* interleaved: the entry with Y; the entry of each k *)
| Late                   (* interleaved: the top bit of the entry *)
| X | Y | M | Constant   (* operands *)
| Start | Unload
| Unloads                (* unfolded cores: the word shift of this cycle *)
| WireS | WireC          (* unfolded cores: S and C after each iteration of a cycle; wires *)
| Entry                  (* interleaved: the entry of the table that is added; wires *)
| Unknown                (* a don't-care of the source: any value in any cycle *)
| OutS | OutC | Busy | Done | Next | TableValid | TableAddr | OutState | Description.

Definition index_of (s : signal) : N :=
  match s with
  | RegS => 0 | RegC => 1 | TakesY => 2 | TakesM => 3 | Moves => 4 | Iterates => 5 | State => 6
  | Count => 7 | Last => 8 | Odd => 9 | Pair0 => 10 | Pair1 => 11 | Pair2 => 12 | Pair3 => 13
  | Late => 14 | X => 15 | Y => 16 | M => 17 | Constant => 18 | Start => 19 | Unload => 20
  | OutS => 21 | OutC => 22 | Busy => 23 | Done => 24 | Next => 25 | TableValid => 26
  | TableAddr => 27 | OutState => 28 | Description => 29 | Unknown => 30 | Unloads => 31
  | WireS => 32 | WireC => 33 | Entry => 34
  end.

(* Signals that are no inputs and no registers: wires to which the proof gives a name. *)
Definition is_name (s : signal) : bool :=
  match s with WireS | WireC | Entry => true | _ => false end.

Definition var : Type := signal * N.
Definition valuation : Type := var -> bool.

(* An order of bits: by signal, then by number. *)
Definition compare (a b : var) : comparison :=
  match N.compare (index_of (fst a)) (index_of (fst b)) with
  | Eq => N.compare (snd a) (snd b)
  | other => other
  end.

Lemma index_of_injective : forall s t, index_of s = index_of t -> s = t.
Proof. destruct s, t; intro H; try reflexivity; discriminate H. Qed.

Lemma compare_equal : forall a b, compare a b = Eq -> a = b.
Proof.
  intros [s i] [t j]; unfold compare; simpl; intro H.
  destruct (N.compare (index_of s) (index_of t)) eqn:E; try discriminate.
  apply N.compare_eq in E, H. apply index_of_injective in E. congruence.
Qed.

(* ---------------------------------------------------------------------------------------------- *)
(* Terms: how the machine of the theorem states the next value of a register.                      *)

Inductive term :=
| Var (v : var)
| Const (b : bool)
| Not (a : term)
| And (a b : term)
| Or (a b : term)
| Xor (a b : term)
| If (c a b : term).

Fixpoint eval (e : valuation) (t : term) : bool :=
  match t with
  | Var v => e v
  | Const b => b
  | Not a => negb (eval e a)
  | And a b => eval e a && eval e b
  | Or a b => eval e a || eval e b
  | Xor a b => xorb (eval e a) (eval e b)
  | If c a b => if eval e c then eval e a else eval e b
  end.

(* ---------------------------------------------------------------------------------------------- *)
(* Decision trees: bits in order, no node with equal branches.                                     *)

Inductive tree := Leaf (b : bool) | Node (v : var) (low high : tree).

Fixpoint decide (e : valuation) (t : tree) : bool :=
  match t with
  | Leaf b => b
  | Node v low high => if e v then decide e high else decide e low
  end.

Fixpoint same (a b : tree) : bool :=
  match a, b with
  | Leaf x, Leaf y => Bool.eqb x y
  | Node v l h, Node u m k =>
      match compare v u with Eq => same l m && same h k | _ => false end
  | _, _ => false
  end.

Lemma same_equal : forall a b, same a b = true -> a = b.
Proof.
  induction a as [x|v l IHl h IHh]; destruct b as [y|u m k]; simpl; intro H; try discriminate.
  - apply Bool.eqb_prop in H. congruence.
  - destruct (compare v u) eqn:E; try discriminate.
    apply compare_equal in E. apply andb_true_iff in H as [H1 H2].
    rewrite (IHl _ H1), (IHh _ H2), E. reflexivity.
Qed.

Definition node (v : var) (l h : tree) : tree := if same l h then l else Node v l h.

Lemma decide_node : forall e v l h,
  decide e (node v l h) = if e v then decide e h else decide e l.
Proof.
  intros. unfold node. destruct (same l h) eqn:E; simpl; [|reflexivity].
  apply same_equal in E. rewrite E. destruct (e v); reflexivity.
Qed.

Fixpoint apply (f : bool -> bool -> bool) (a : tree) {struct a} : tree -> tree :=
  fix inner (b : tree) {struct b} : tree :=
    match a, b with
    | Leaf x, Leaf y => Leaf (f x y)
    | Leaf _, Node u m k => node u (inner m) (inner k)
    | Node v l h, Leaf _ => node v (apply f l b) (apply f h b)
    | Node v l h, Node u m k =>
        match compare v u with
        | Lt => node v (apply f l b) (apply f h b)
        | Gt => node u (inner m) (inner k)
        | Eq => node v (apply f l m) (apply f h k)
        end
    end.

Lemma decide_apply : forall e f a b, decide e (apply f a b) = f (decide e a) (decide e b).
Proof.
  intros e f. induction a as [x|v l IHl h IHh]; induction b as [y|u m IHm k IHk].
  - reflexivity.
  - simpl in *. rewrite decide_node. destruct (e u); auto.
  - simpl. rewrite decide_node, IHl, IHh. simpl. destruct (e v); reflexivity.
  - cbn [apply]. destruct (compare v u) eqn:E; rewrite decide_node; simpl in *.
    + apply compare_equal in E. subst u. rewrite IHl, IHh. destruct (e v); reflexivity.
    + rewrite IHl, IHh. simpl. destruct (e v); reflexivity.
    + rewrite IHm, IHk. destruct (e u); reflexivity.
Qed.

Fixpoint negate (a : tree) : tree :=
  match a with Leaf x => Leaf (negb x) | Node v l h => Node v (negate l) (negate h) end.

Lemma decide_negate : forall e a, decide e (negate a) = negb (decide e a).
Proof. induction a; simpl; [reflexivity|]. destruct (e v); auto. Qed.

Definition choose (c a b : tree) : tree :=
  apply orb (apply andb c a) (apply andb (negate c) b).

Lemma decide_choose : forall e c a b,
  decide e (choose c a b) = if decide e c then decide e a else decide e b.
Proof.
  intros. unfold choose. rewrite !decide_apply, decide_negate.
  destruct (decide e c), (decide e a), (decide e b); reflexivity.
Qed.

Definition single (v : var) : tree := Node v (Leaf false) (Leaf true).

Lemma decide_single : forall e v, decide e (single v) = e v.
Proof. intros. simpl. destruct (e v); reflexivity. Qed.

Fixpoint tree_of (t : term) : tree :=
  match t with
  | Var v => single v
  | Const b => Leaf b
  | Not a => negate (tree_of a)
  | And a b => apply andb (tree_of a) (tree_of b)
  | Or a b => apply orb (tree_of a) (tree_of b)
  | Xor a b => apply xorb (tree_of a) (tree_of b)
  | If c a b => choose (tree_of c) (tree_of a) (tree_of b)
  end.

Lemma decide_tree_of : forall e t, decide e (tree_of t) = eval e t.
Proof.
  induction t; simpl;
    rewrite ?decide_choose, ?decide_apply, ?decide_negate, ?IHt, ?IHt1, ?IHt2, ?IHt3;
    try reflexivity.
  destruct (e v); reflexivity.
Qed.
