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
| MUX (output a b select : positive)
| NAME (output a : positive) (v : var).   (* the same wire; the proof calls it v *)

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
  | NAME o a _ => set w o (w a)
  end.

Definition settle (n : netlist) (e : valuation) : wires :=
  fold_left drive (concat (gates n)) (fold_left (load e) (sources n) constants).

(* A run: the values of all inputs and registers, cycle by cycle. Inputs are free. *)
Definition run_of (n : netlist) (e : nat -> valuation) : Prop :=
  forall t v d b, In (v, d, b) (registers n) -> e (S t) v = settle n (e t) d.

Definition after_reset (n : netlist) (e : valuation) : Prop :=
  forall v d b, In (v, d, b) (registers n) -> e v = b.

(* ---------------------------------------------------------------------------------------------- *)
(* The check. A machine gives a term for each register, each output and each named wire.           *)

Record machine := {
  machine_registers : list var;
  machine_next : var -> term;
  machine_outputs : list var;
  machine_output : var -> term;
  machine_wires : list var;
  machine_wire : var -> term
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
      | NAME o a v => define m o (option_map (fun _ => single v) (PositiveMap.find a m))
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

(* Named wires: what drives them. *)
Definition named_by (g : gate) : list (var * positive) :=
  match g with NAME _ a v => [(v, a)] | _ => [] end.
Definition sources_unnamed (n : netlist) : bool :=
  forallb (fun source => negb (is_name (fst (snd source)))) (sources n).
Definition named (n : netlist) : list (var * positive) := flat_map named_by (concat (gates n)).

(* Named wires in the order of a machine: those of S, then those of C. *)
Definition of_s (item : var * positive) : bool :=
  match fst (fst item) with WireS => true | _ => false end.
Definition ordered (l : list (var * positive)) : list (var * positive) :=
  filter of_s l ++ filter (fun item => negb (of_s item)) l.

Lemma in_ordered : forall l item, In item (ordered l) <-> In item l.
Proof.
  intros l item. unfold ordered. rewrite in_app_iff, !filter_In.
  destruct (of_s item); cbn [negb]; intuition discriminate.
Qed.

(* None: the netlist is not one. Some []: it is the machine. *)
Definition differences (n : netlist) (m : machine) : option (list var) :=
  match settle_trees n with
  | Some trees =>
      if sources_unnamed n then Some
        (wrong_registers trees (machine_next m) (machine_registers m) (registers n) ++
         wrong_outputs trees (machine_output m) (machine_outputs m) (outputs n) ++
         wrong_outputs trees (machine_wire m) (machine_wires m) (ordered (named n)))
      else None
  | None => None
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

Definition is_wire_name (g : gate) : bool := match g with NAME _ _ _ => true | _ => false end.

Lemma knows_drive : forall e g m w m', is_wire_name g = false ->
  knows e m w -> drive_tree (Some m) g = Some m' -> knows e m' (drive w g).
Proof.
  intros e g m w m' G K D. destruct g; simpl in *; try discriminate;
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

(* A wire that has a tree keeps its value. *)
Lemma defined_stays : forall g m w m' p t,
  drive_tree (Some m) g = Some m' -> PositiveMap.find p m = Some t ->
  drive w g p = w p /\ exists t', PositiveMap.find p m' = Some t'.
Proof.
  intros g m w m' p t D F.
  assert (H : forall o u, define m o u = Some m' ->
            o <> p /\ exists t', PositiveMap.find p m' = Some t').
  { unfold define. intros o u D'. destruct (PositiveMap.find o m) eqn:O; [discriminate|].
    destruct u as [u|]; [|discriminate]. injection D' as <-.
    assert (p <> o) by (intro; subst; congruence).
    split; [congruence|]. exists t. rewrite PositiveMap.gso by assumption. exact F. }
  destruct g; simpl in D; apply H in D; destruct D as [NE E]; split; try exact E;
    cbn [drive]; unfold set; destruct (Pos.eqb_spec p output); congruence.
Qed.

Lemma defined_stays_all : forall l m w m' p t,
  fold_left drive_tree l (Some m) = Some m' -> PositiveMap.find p m = Some t ->
  fold_left drive l w p = w p.
Proof.
  induction l as [|g l IH]; cbn [fold_left]; intros m w m' p t D F; [reflexivity|].
  destruct (drive_tree (Some m) g) as [m1|] eqn:G.
  - destruct (defined_stays g m w m1 p t G F) as [E [t' F']].
    rewrite (IH m1 (drive w g) m' p t' D F'). exact E.
  - rewrite fold_left_none in D by reflexivity. discriminate.
Qed.

Lemma knows_gates : forall e l m w m',
  knows e m w -> fold_left drive_tree l (Some m) = Some m' ->
  (forall v a, In (v, a) (flat_map named_by l) -> e v = fold_left drive l w a) ->
  knows e m' (fold_left drive l w).
Proof.
  induction l as [|g l IH]; cbn [fold_left flat_map]; intros m w m' K D H.
  - injection D as <-. exact K.
  - destruct (drive_tree (Some m) g) as [m1|] eqn:G;
      [|rewrite fold_left_none in D by reflexivity; discriminate].
    apply (IH m1); [|exact D|].
    2: { intros v a I. apply H. apply in_or_app. right. exact I. }
    destruct (is_wire_name g) eqn:W; [|eapply knows_drive; eassumption].
    destruct g; try discriminate W. pose proof G as G0. cbn [drive]. cbn [drive_tree] in G.
    eapply knows_define; try eassumption. intros t T.
    destruct (PositiveMap.find a m) as [found|] eqn:A; [|discriminate]. injection T as <-.
    rewrite decide_single. rewrite (H v a) by (apply in_or_app; left; left; reflexivity).
    destruct (defined_stays (NAME output a v) m w m1 a found G0 A) as [E [t' F']].
    rewrite (defined_stays_all l m1 _ m' a t' D F'). exact E.
Qed.

Lemma knows_sources : forall e e' l m w m',
  (forall s, In s l -> e' (snd s) = e (snd s)) ->
  knows e' m w -> fold_left load_tree l (Some m) = Some m' ->
  knows e' m' (fold_left (load e) l w).
Proof.
  induction l as [|[p v] l IH]; cbn [fold_left]; intros m w m' H K D.
  - injection D as <-. exact K.
  - destruct (load_tree (Some m) (p, v)) as [m1|] eqn:G.
    + eapply IH; [|  |exact D]; [intros; apply H; right; assumption|]. simpl in G.
      eapply knows_define; try eassumption.
      intros t T. injection T as <-. rewrite decide_single.
      exact (H (p, v) (or_introl eq_refl)).
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

(* v' has the values of v, and each named wire under its name. *)
Record names_hold (n : netlist) (v v' : valuation) : Prop := {
  sources_same : forall s, In s (sources n) -> v' (snd s) = v (snd s);
  names_settle : forall u a, In (u, a) (named n) -> v' u = settle n v a
}.

Lemma knows_settle : forall v v' n m, names_hold n v v' ->
  settle_trees n = Some m -> knows v' m (settle n v).
Proof.
  unfold settle_trees. intros v v' n m [S N] H.
  destruct (fold_left load_tree (sources n) (Some constant_trees)) as [m1|] eqn:L.
  - eapply knows_gates; [|exact H|exact N].
    eapply knows_sources; [exact S| |exact L]. apply knows_constants.
  - rewrite fold_left_none in H by reflexivity. discriminate.
Qed.

Lemma agrees_settle : forall n m p t v v', names_hold n v v' ->
  settle_trees n = Some m -> agrees m p t = true -> settle n v p = eval v' t.
Proof.
  unfold agrees. intros n m p t v v' N H A.
  destruct (PositiveMap.find p m) as [found|] eqn:F; [|discriminate].
  apply same_equal in A. subst found.
  rewrite <- (knows_settle v v' n m N H p _ F). apply decide_tree_of.
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

  Lemma parts_agree : exists trees, settle_trees n = Some trees /\
    (forall s, In s (sources n) -> is_name (fst (snd s)) = false) /\
    wrong_registers trees (machine_next m) (machine_registers m) (registers n) = [] /\
    wrong_outputs trees (machine_output m) (machine_outputs m) (outputs n) = [] /\
    wrong_outputs trees (machine_wire m) (machine_wires m) (ordered (named n)) = [].
  Proof.
    unfold differences in checked. destruct (settle_trees n) as [trees|]; [|discriminate].
    destruct (sources_unnamed n) eqn:F; [|discriminate]. injection checked as H.
    apply app_eq_nil in H as [H1 H]. apply app_eq_nil in H as [H2 H3].
    exists trees. repeat split; try assumption. intros s I. unfold sources_unnamed in F. rewrite forallb_forall in F.
    apply negb_true_iff. exact (F s I).
  Qed.

  Theorem registers_settle : forall v v', names_hold n v v' ->
    forall r, In r (machine_registers m) ->
    exists d, In (r, d, false) (registers n) /\ settle n v d = eval v' (machine_next m r).
  Proof.
    intros v v' N r I. destruct parts_agree as [trees [T [_ [H _]]]].
    destruct (registers_agree _ _ _ _ H r I) as [d [J A]].
    exists d. split; [exact J|]. eapply agrees_settle; eassumption.
  Qed.

  Theorem resets_agree : forall e,
    after_reset n e -> forall v, In v (machine_registers m) -> e v = false.
  Proof.
    intros e R v I. destruct parts_agree as [trees [T [_ [H _]]]].
    destruct (registers_agree _ _ _ _ H v I) as [d [J _]]. exact (R v d false J).
  Qed.

  Theorem outputs_settle : forall v v', names_hold n v v' ->
    forall o, In o (machine_outputs m) ->
    exists wire, In (o, wire) (outputs n) /\ settle n v wire = eval v' (machine_output m o).
  Proof.
    intros v v' N o I. destruct parts_agree as [trees [T [_ [_ [H _]]]]].
    destruct (outputs_agree _ _ _ _ H o I) as [wire [J A]].
    exists wire. split; [exact J|]. eapply agrees_settle; eassumption.
  Qed.

  Theorem wires_agree : forall v v', names_hold n v v' ->
    forall u, In u (machine_wires m) -> v' u = eval v' (machine_wire m u).
  Proof.
    intros v v' N u I. destruct parts_agree as [trees [T [_ [_ [_ H]]]]].
    destruct (outputs_agree _ _ _ _ H u I) as [a [J A]]. apply (proj1 (in_ordered _ _)) in J.
    rewrite (names_settle _ _ _ N u a J). eapply agrees_settle; eassumption.
  Qed.

  (* A machine without named wires needs no other valuation. *)
  Lemma no_names : machine_wires m = [] -> forall v, names_hold n v v.
  Proof.
    intros W v. destruct parts_agree as [trees [_ [_ [_ [_ H]]]]]. rewrite W in H.
    split; [reflexivity|]. intros u a I. apply (proj2 (in_ordered _ _)) in I.
    destruct (ordered (named n)) as [|x l]; [contradiction|discriminate].
  Qed.

  Theorem runs_agree : machine_wires m = [] -> forall e, run_of n e -> machine_run m e.
  Proof.
    intros W e R t v I. destruct (registers_settle _ _ (no_names W (e t)) v I) as [d [J E]].
    rewrite (R t v d false J). exact E.
  Qed.

  (* The valuation with the named wires. *)
  Definition extended (v : valuation) : valuation := fun u =>
    if is_name (fst u) then
      match find (fun item => equal u (fst item)) (ordered (named n)) with
      | Some item => settle n v (snd item)
      | None => false
      end
    else v u.

  Lemma extended_same : forall v u, is_name (fst u) = false -> extended v u = v u.
  Proof. intros v u H. unfold extended. rewrite H. reflexivity. Qed.

  Lemma wrong_outputs_names : forall ts f vs os,
    wrong_outputs ts f vs os = [] -> map fst os = vs.
  Proof.
    induction vs as [|v vs IH]; intros [|[u o] os] H; simpl in H; try reflexivity; try discriminate.
    destruct (equal v u && agrees ts o (f v)) eqn:Q; [|discriminate].
    apply andb_true_iff in Q as [Q _]. apply equal_equal in Q. cbn [map fst].
    rewrite (IH os H), Q. reflexivity.
  Qed.

  Lemma find_name : forall (l : list (var * positive)) u a,
    NoDup (map fst l) -> In (u, a) l -> find (fun item => equal u (fst item)) l = Some (u, a).
  Proof.
    induction l as [|[x b] l IH]; intros u a U I; [contradiction|].
    cbn [map fst] in U. inversion U as [|y k NI U']. subst. cbn [find fst].
    destruct (equal u x) eqn:E.
    - apply equal_equal in E. subst x. destruct I as [I|I]; [congruence|].
      exfalso. apply NI. exact (in_map fst l (u, a) I).
    - destruct I as [I|I]; [|apply IH; assumption]. injection I as -> ->.
      unfold equal, compare in E. rewrite !N.compare_refl in E. discriminate.
  Qed.

  Theorem extended_holds : NoDup (machine_wires m) ->
    (forall u, In u (machine_wires m) -> is_name (fst u) = true) ->
    forall v, names_hold n v (extended v).
  Proof.
    intros U W v. destruct parts_agree as [trees [_ [S [_ [_ H]]]]].
    apply wrong_outputs_names in H. split.
    - intros s I. apply extended_same. exact (S s I).
    - intros u a I. apply (proj2 (in_ordered _ _)) in I. unfold extended. rewrite (W u).
      + rewrite (find_name _ u a); [reflexivity| |exact I]. rewrite H. exact U.
      + rewrite <- H. exact (in_map fst _ (u, a) I).
  Qed.
End Sound.
