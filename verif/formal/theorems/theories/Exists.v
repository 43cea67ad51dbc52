(* SPDX-License-Identifier: Apache-2.0 *)
(* The theorem is about something: for all inputs and all values at the start there is a run. *)

From Coq Require Import Bool NArith List Lia FinFun.
From Modmul Require Import Logic Netlist Machine.
Import ListNotations.

Definition next_of (n : netlist) (v : var) : option positive :=
  option_map (fun r => snd (fst r)) (find (fun r => equal v (fst (fst r))) (registers n)).

Fixpoint run_from (n : netlist) (start : valuation) (inputs : nat -> valuation) (t : nat) : valuation :=
  fun v => match next_of n v with
           | None => inputs t v
           | Some d => match t with
                       | O => start v
                       | S t => settle n (run_from n start inputs t) d
                       end
           end.

Lemma equal_refl : forall v, equal v v = true.
Proof.
  intros [s i]. unfold equal, compare. cbn [fst snd]. rewrite N.compare_refl, N.compare_refl.
  reflexivity.
Qed.

Lemma next_of_register : forall n v d b,
  NoDup (map (fun r => fst (fst r)) (registers n)) -> In (v, d, b) (registers n) ->
  next_of n v = Some d.
Proof.
  intros n v d b. unfold next_of. induction (registers n) as [|[[u c] a] rs IH]; intros U I;
    [contradiction|]. cbn [map fst] in U. inversion U as [|x l NI U']. subst. cbn [find fst].
  destruct I as [I|I].
  - injection I as -> -> ->. rewrite equal_refl. reflexivity.
  - destruct (equal v u) eqn:E; [|apply IH; assumption].
    apply equal_equal in E. subst u. exfalso. apply NI.
    exact (in_map (fun r => fst (fst r)) rs (v, d, b) I).
Qed.

Theorem run_exists : forall n start inputs,
  NoDup (map (fun r => fst (fst r)) (registers n)) ->
  exists e, run_of n e /\
    (forall v d b, In (v, d, b) (registers n) -> e O v = start v) /\
    (forall t v, (forall d b, ~ In (v, d, b) (registers n)) -> e t v = inputs t v).
Proof.
  intros n start inputs U. exists (run_from n start inputs). split; [|split].
  - intros t v d b I. cbn [run_from]. rewrite (next_of_register n v d b U I). reflexivity.
  - intros v d b I. cbn [run_from]. rewrite (next_of_register n v d b U I). reflexivity.
  - intros t v NI. assert (next_of n v = None) as E.
    { unfold next_of. destruct (find _ (registers n)) as [[[u d] b]|] eqn:F; [|reflexivity].
      apply find_some in F as [I E]. cbn [fst] in E. apply equal_equal in E. subst u.
      exfalso. exact (NI d b I). }
    destruct t; cbn [run_from]; rewrite E; reflexivity.
Qed.

(* ---------------------------------------------------------------------------------------------- *)
(* The names of the registers differ.                                                              *)

Lemma unique_append : forall (A : Type) (l k : list A),
  NoDup l -> NoDup k -> (forall a, In a l -> ~ In a k) -> NoDup (l ++ k).
Proof.
  intros A l k UL UK D. induction l as [|a l IH]; cbn [app]; [exact UK|].
  inversion UL as [|x y NI UL']. subst. constructor.
  - rewrite in_app_iff. intros [H|H]; [exact (NI H)|exact (D a (or_introl eq_refl) H)].
  - apply IH; [exact UL'|]. intros b H. apply D. right. exact H.
Qed.

Lemma unique_vector : forall s k, NoDup (vector s k).
Proof.
  intros s k. unfold vector. apply Injective_map_NoDup; [|apply seq_NoDup].
  intros i j H. injection H as H. lia.
Qed.

Lemma signal_of_vector : forall s k v, In v (vector s k) -> fst v = s.
Proof.
  intros s k v H. unfold vector in H. apply in_map_iff in H as [i [<- _]]. reflexivity.
Qed.

Lemma unique_registers : forall sh co, NoDup (machine_registers (bit_serial sh co)).
Proof.
  intros. cbn [bit_serial machine_registers].
  repeat (apply unique_append;
    [apply unique_vector| |
     intros v A B; apply signal_of_vector in A;
     repeat (apply in_app_or in B; destruct B as [B|B];
             [apply signal_of_vector in B; congruence|]);
     apply signal_of_vector in B; congruence]).
  apply unique_vector.
Qed.

Lemma wrong_registers_names : forall m f vs rs,
  wrong_registers m f vs rs = [] -> map (fun r => fst (fst r)) rs = vs.
Proof.
  induction vs as [|v vs IH]; intros [|[[u d] b] rs] H; simpl in H; try reflexivity; try discriminate.
  destruct (equal v u && agrees m d (f v) && negb b) eqn:Q; [|discriminate].
  apply andb_true_iff in Q as [Q _]. apply andb_true_iff in Q as [Q _]. apply equal_equal in Q.
  cbn [map fst]. rewrite (IH rs H), Q. reflexivity.
Qed.

Theorem machine_runs : forall n m start inputs,
  differences n m = Some [] -> NoDup (machine_registers m) ->
  exists e, run_of n e /\
    (forall v d b, In (v, d, b) (registers n) -> e O v = start v) /\
    (forall t v, (forall d b, ~ In (v, d, b) (registers n)) -> e t v = inputs t v).
Proof.
  intros n m start inputs H U. apply run_exists.
  destruct (parts_agree n m H) as [trees [_ [_ [W _]]]].
  rewrite (wrong_registers_names _ _ _ _ W). exact U.
Qed.
