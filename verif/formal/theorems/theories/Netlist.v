(* SPDX-License-Identifier: Apache-2.0 *)
(* A netlist of gates and flip-flops, what it does in a cycle, and the check that it is a machine. *)

From Coq Require Import Bool NArith PArith List FMapPositive.
From Modmul Require Import Logic.
Import ListNotations.

(* Wires are numbers. Gates come in an order in which each has its inputs before it. *)
Inductive gate :=
| AND (output a b : positive)
| OR (output a b : positive)
| XOR (output a b : positive)
| NOT (output a : positive)
| MUX (output a b select : positive).

Record netlist := {
  sources : list (positive * var);          (* inputs, and what registers hold *)
  gates : list (list gate);                 (* in parts, for the parser of Coq *)
  registers : list (var * positive * bool); (* next value; value after a reset *)
  outputs : list (var * positive)
}.

(* ---------------------------------------------------------------------------------------------- *)
(* What a netlist means.                                                                           *)

Definition wires : Type := positive -> bool.

Definition set (w : wires) (p : positive) (b : bool) : wires :=
  fun q => if Pos.eqb q p then b else w q.

(* Wires 1 and 2 are the constants. *)
Definition constants : wires := fun q => Pos.eqb q 2.

Definition load (e : valuation) (w : wires) (source : positive * var) : wires :=
  set w (fst source) (e (snd source)).

Definition drive (w : wires) (g : gate) : wires :=
  match g with
  | AND o a b => set w o (w a && w b)
  | OR o a b => set w o (w a || w b)
  | XOR o a b => set w o (xorb (w a) (w b))
  | NOT o a => set w o (negb (w a))
  | MUX o a b s => set w o (if w s then w b else w a)
  end.

Definition settle (n : netlist) (e : valuation) : wires :=
  fold_left drive (concat (gates n)) (fold_left (load e) (sources n) constants).

(* A run: the values of all inputs and registers, cycle by cycle. Inputs are free. *)
Definition run_of (n : netlist) (e : nat -> valuation) : Prop :=
  forall t v d b, In (v, d, b) (registers n) -> e (S t) v = settle n (e t) d.

Definition after_reset (n : netlist) (e : valuation) : Prop :=
  forall v d b, In (v, d, b) (registers n) -> e v = b.

(* ---------------------------------------------------------------------------------------------- *)
(* The check. A machine gives a term for each register and each output.                            *)

Record machine := {
  machine_registers : list var;
  machine_next : var -> term;
  machine_outputs : list var;
  machine_output : var -> term
}.

Definition trees : Type := PositiveMap.t tree.

(* None: a wire without a value, or with two. *)
Definition define (m : trees) (p : positive) (t : option tree) : option trees :=
  match PositiveMap.find p m, t with
  | None, Some t => Some (PositiveMap.add p t m)
  | _, _ => None
  end.

Definition both (f : tree -> tree -> tree) (m : trees) (a b : positive) : option tree :=
  match PositiveMap.find a m, PositiveMap.find b m with
  | Some a, Some b => Some (f a b)
  | _, _ => None
  end.

Definition drive_tree (m : option trees) (g : gate) : option trees :=
  match m with
  | None => None
  | Some m =>
      match g with
      | AND o a b => define m o (both (apply andb) m a b)
      | OR o a b => define m o (both (apply orb) m a b)
      | XOR o a b => define m o (both (apply xorb) m a b)
      | NOT o a => define m o (option_map negate (PositiveMap.find a m))
      | MUX o a b s =>
          define m o match PositiveMap.find s m with
                     | Some s => both (fun a b => choose s b a) m a b
                     | None => None
                     end
      end
  end.

Definition load_tree (m : option trees) (source : positive * var) : option trees :=
  match m with
  | Some m => define m (fst source) (Some (single (snd source)))
  | None => None
  end.

Definition constant_trees : trees :=
  PositiveMap.add 1%positive (Leaf false)
    (PositiveMap.add 2%positive (Leaf true) (PositiveMap.empty tree)).

Definition settle_trees (n : netlist) : option trees :=
  fold_left drive_tree (concat (gates n))
    (fold_left load_tree (sources n) (Some constant_trees)).

Definition agrees (m : trees) (p : positive) (t : term) : bool :=
  match PositiveMap.find p m with
  | Some found => same found (tree_of t)
  | None => false
  end.

Definition equal (a b : var) : bool := match compare a b with Eq => true | _ => false end.

(* Bits that differ, registers and then outputs: those of the machine that the netlist has not in
   their place, with another function, or with another value after a reset. *)
Fixpoint wrong_registers (m : trees) (f : var -> term) (vs : list var)
    (rs : list (var * positive * bool)) : list var :=
  match vs, rs with
  | [], [] => []
  | v :: vs, (u, d, b) :: rs =>
      if equal v u && agrees m d (f v) && negb b then wrong_registers m f vs rs
      else v :: wrong_registers m f vs rs
  | vs, rs => vs ++ map (fun r => fst (fst r)) rs
  end.

Fixpoint wrong_outputs (m : trees) (f : var -> term) (vs : list var)
    (os : list (var * positive)) : list var :=
  match vs, os with
  | [], [] => []
  | v :: vs, (u, o) :: os =>
      if equal v u && agrees m o (f v) then wrong_outputs m f vs os
      else v :: wrong_outputs m f vs os
  | vs, os => vs ++ map fst os
  end.

(* None: the netlist is not one. Some []: it is the machine. *)
Definition differences (n : netlist) (m : machine) : option (list var) :=
  match settle_trees n with
  | None => None
  | Some trees => Some
      (wrong_registers trees (machine_next m) (machine_registers m) (registers n) ++
       wrong_outputs trees (machine_output m) (machine_outputs m) (outputs n))
  end.

(* ---------------------------------------------------------------------------------------------- *)
(* Why the check may be believed.                                                                  *)

Definition knows (e : valuation) (m : trees) (w : wires) : Prop :=
  forall p t, PositiveMap.find p m = Some t -> decide e t = w p.

Lemma knows_define : forall e m w p t m' b,
  knows e m w -> define m p t = Some m' -> (forall t', t = Some t' -> decide e t' = b) ->
  knows e m' (set w p b).
Proof.
  unfold define, knows, set. intros e m w p t m' b K D T q u F.
  destruct (PositiveMap.find p m); [discriminate|]. destruct t as [t|]; [|discriminate].
  injection D as <-. destruct (Pos.eqb_spec q p).
  - subst q. rewrite PositiveMap.gss in F. injection F as <-. apply T. reflexivity.
  - rewrite PositiveMap.gso in F by assumption. apply K. exact F.
Qed.

Lemma knows_both : forall e m w f g a b t,
  knows e m w -> (forall s t, decide e (f s t) = g (decide e s) (decide e t)) ->
  both f m a b = Some t -> decide e t = g (w a) (w b).
Proof.
  unfold both. intros e m w f g a b t K F H.
  destruct (PositiveMap.find a m) eqn:A; [|discriminate].
  destruct (PositiveMap.find b m) eqn:B; [|discriminate].
  injection H as <-. rewrite F, (K _ _ A), (K _ _ B). reflexivity.
Qed.

Lemma knows_drive : forall e g m w m',
  knows e m w -> drive_tree (Some m) g = Some m' -> knows e m' (drive w g).
Proof.
  intros e g m w m' K D. destruct g; simpl in *;
    eapply knows_define; try eassumption; intros t T.
  1-3: eapply knows_both; try eassumption; intros; apply decide_apply.
  - destruct (PositiveMap.find a m) eqn:A; [|discriminate]. injection T as <-.
    rewrite decide_negate, (K _ _ A). reflexivity.
  - destruct (PositiveMap.find select m) eqn:A; [|discriminate]. rewrite <- (K _ _ A).
    exact (knows_both e m w (fun a b => choose t0 b a)
             (fun a b => if decide e t0 then b else a) a b t K
             (fun s u => decide_choose e t0 u s) T).
Qed.

Lemma fold_left_none : forall (A : Type) (f : option trees -> A -> option trees) l,
  (forall a, f None a = None) -> fold_left f l None = None.
Proof. intros A f l N. induction l; simpl; [reflexivity|]. rewrite N. exact IHl. Qed.

Lemma knows_gates : forall e l m w m',
  knows e m w -> fold_left drive_tree l (Some m) = Some m' -> knows e m' (fold_left drive l w).
Proof.
  induction l as [|g l IH]; cbn [fold_left]; intros m w m' K D.
  - injection D as <-. exact K.
  - destruct (drive_tree (Some m) g) as [m1|] eqn:G.
    + eapply IH; [|exact D]. eapply knows_drive; eassumption.
    + rewrite fold_left_none in D by reflexivity. discriminate.
Qed.

Lemma knows_sources : forall e l m w m',
  knows e m w -> fold_left load_tree l (Some m) = Some m' ->
  knows e m' (fold_left (load e) l w).
Proof.
  induction l as [|[p v] l IH]; cbn [fold_left]; intros m w m' K D.
  - injection D as <-. exact K.
  - destruct (load_tree (Some m) (p, v)) as [m1|] eqn:G.
    + eapply IH; [|exact D]. simpl in G. eapply knows_define; try eassumption.
      intros t T. injection T as <-. apply decide_single.
    + rewrite fold_left_none in D by reflexivity. discriminate.
Qed.

Lemma knows_constants : forall e, knows e constant_trees constants.
Proof.
  unfold knows, constant_trees, constants. intros e p t F.
  destruct (Pos.eq_dec p 1); [subst p; rewrite PositiveMap.gss in F; injection F as <-; reflexivity|].
  rewrite PositiveMap.gso in F by assumption.
  destruct (Pos.eq_dec p 2); [subst p; rewrite PositiveMap.gss in F; injection F as <-; reflexivity|].
  rewrite PositiveMap.gso, PositiveMap.gempty in F by assumption. discriminate.
Qed.

Lemma knows_settle : forall e n m, settle_trees n = Some m -> knows e m (settle n e).
Proof.
  unfold settle_trees, settle. intros e n m H.
  destruct (fold_left load_tree (sources n) (Some constant_trees)) as [m1|] eqn:L.
  - eapply knows_gates; [|exact H]. eapply knows_sources; [|exact L]. apply knows_constants.
  - rewrite fold_left_none in H by reflexivity. discriminate.
Qed.

Lemma agrees_settle : forall n m p t e,
  settle_trees n = Some m -> agrees m p t = true -> settle n e p = eval e t.
Proof.
  unfold agrees. intros n m p t e H A.
  destruct (PositiveMap.find p m) as [found|] eqn:F; [|discriminate].
  apply same_equal in A. subst found.
  rewrite <- (knows_settle e n m H p _ F). apply decide_tree_of.
Qed.

Lemma equal_equal : forall a b, equal a b = true -> a = b.
Proof. unfold equal. intros a b H. apply compare_equal. destruct (compare a b); congruence. Qed.

Lemma registers_agree : forall m f vs rs,
  wrong_registers m f vs rs = [] -> forall v, In v vs ->
  exists d, In (v, d, false) rs /\ agrees m d (f v) = true.
Proof.
  induction vs as [|v vs IH]; intros rs H u I; [contradiction|].
  destruct rs as [|[[x d] b] rs]; simpl in H; [discriminate|].
  destruct (equal v x) eqn:Q; [|discriminate]. destruct (agrees m d (f v)) eqn:A; [|discriminate].
  destruct b; [discriminate|]. simpl in H. apply equal_equal in Q. subst x.
  destruct I as [<-|I].
  - exists d. split; [left; reflexivity|exact A].
  - destruct (IH rs H u I) as [d' [J K]]. exists d'. split; [right; exact J|exact K].
Qed.

Lemma outputs_agree : forall m f vs os,
  wrong_outputs m f vs os = [] -> forall v, In v vs ->
  exists o, In (v, o) os /\ agrees m o (f v) = true.
Proof.
  induction vs as [|v vs IH]; intros os H u I; [contradiction|].
  destruct os as [|[x o] os]; simpl in H; [discriminate|].
  destruct (equal v x) eqn:Q; [|discriminate]. destruct (agrees m o (f v)) eqn:A; [|discriminate].
  simpl in H. apply equal_equal in Q. subst x. destruct I as [<-|I].
  - exists o. split; [left; reflexivity|exact A].
  - destruct (IH os H u I) as [o' [J K]]. exists o'. split; [right; exact J|exact K].
Qed.

(* A run of the machine: its registers take what its terms state. *)
Definition machine_run (m : machine) (e : nat -> valuation) : Prop :=
  forall t v, In v (machine_registers m) -> e (S t) v = eval (e t) (machine_next m v).

Section Sound.
  Variables (n : netlist) (m : machine).
  Hypothesis checked : differences n m = Some [].

  Theorem runs_agree : forall e, run_of n e -> machine_run m e.
  Proof.
    unfold differences in checked. intros e R t v I.
    destruct (settle_trees n) as [trees|] eqn:T; [|discriminate]. injection checked as H.
    apply app_eq_nil in H as [H _].
    destruct (registers_agree _ _ _ _ H v I) as [d [J A]].
    rewrite (R t v d false J). eapply agrees_settle; eassumption.
  Qed.

  Theorem resets_agree : forall e,
    after_reset n e -> forall v, In v (machine_registers m) -> e v = false.
  Proof.
    unfold differences in checked. intros e R v I.
    destruct (settle_trees n) as [trees|] eqn:T; [|discriminate]. injection checked as H.
    apply app_eq_nil in H as [H _].
    destruct (registers_agree _ _ _ _ H v I) as [d [J _]]. exact (R v d false J).
  Qed.

  Theorem outputs_settle : forall e v, In v (machine_outputs m) ->
    exists o, In (v, o) (outputs n) /\ settle n e o = eval e (machine_output m v).
  Proof.
    unfold differences in checked. intros e v I.
    destruct (settle_trees n) as [trees|] eqn:T; [|discriminate]. injection checked as H.
    apply app_eq_nil in H as [_ H].
    destruct (outputs_agree _ _ _ _ H v I) as [o [J A]].
    exists o. split; [exact J|]. eapply agrees_settle; eassumption.
  Qed.
End Sound.
