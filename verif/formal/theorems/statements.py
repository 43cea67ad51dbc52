"""Print the theorem of a configuration about its printed netlist. Its statement is trusted."""

from __future__ import annotations

from verif.formal.theorems.configuration import SUM, Theory
from verif.formal.theorems.machine import Shape

IMPORTS = """\
From Modmul Require Import Numbers Iteration Counter Control Product Rest Core Exists.
From Modmul Require Import Unfolded UnfoldedProduct UnfoldedCore Adder Unit Lemmas Whole Faster
  Interleaved {module}.

Definition co := {core}.
"""

THEOREM = """\
(* Every register, every output and every named wire of the netlist is that of the machine, bit by
   bit. *)
Theorem netlist_is_machine : differences net ({machine}) = Some [].
Proof. vm_cast_no_check (eq_refl (Some (@nil var))). Qed.

Lemma legal_shape : {legal}.
Proof. split; vm_compute; congruence. Qed.

(* The netlist runs, for all inputs and from all values of its registers. In every run: after a
   reset the core is idle, and it stays so without a start; a product that starts in an idle cycle
   is right and leaves the core idle. *)
Theorem product_is_right :
  (forall start inputs, exists e, run_of net e /\\
    (forall v d b, In (v, d, b) (registers net) -> e O v = start v) /\\
    (forall t v, (forall d b, ~ In (v, d, b) (registers net)) -> e t v = inputs t v)) /\\
  forall e : nat -> valuation, run_of net e ->
  (after_reset net (e O) -> {idle} (e O)) /\\
  (forall t, {idle} (e t) -> e t (Start, 0%N) = false -> {idle} (e (S t))) /\\
  (forall t x y m, {job} e t x y m ->
     {product} e t x y m).
"""

# One iteration a cycle, chosen one cycle ahead.
BIT_SERIAL = """\
Proof.
  split; [intros; apply (machine_runs net _ start inputs netlist_is_machine);
          apply unique_registers|].
  intros e RUN. split; [|split].
  - apply (core_idle_after_reset net sh co netlist_is_machine legal_shape).
  - apply (core_idle_stays net sh co netlist_is_machine legal_shape e RUN).
  - apply (core_product net sh co _ netlist_is_machine legal_shape {exact} e RUN).
Qed.
"""

# Iterations from the cycle of the start on.
EARLY = """\
Proof.
  split; [apply (unfolded_runs net sh un co netlist_is_machine)|].
  intros e RUN. split; [|split].
  - apply (unfolded_after_reset net sh un co netlist_is_machine).
  - apply (unfolded_stays net sh un co netlist_is_machine e RUN).
  - apply (unfolded_product net sh un co _ netlist_is_machine legal_shape {exact} {extended} e RUN).
Qed.
"""

# A table reduced modulo M, X from its highest bit down.
INTERLEAVED = """\
Proof.
  split; [apply (interleaved_runs net sh netlist_is_machine)|].
  intros e RUN. split; [|split].
  - apply (interleaved_after_reset net sh netlist_is_machine legal_shape).
  - apply (interleaved_stays net sh netlist_is_machine legal_shape e RUN).
  - apply (interleaved_core net sh netlist_is_machine legal_shape e RUN).
Qed.

Definition configuration_is_right := product_is_right.
Print Assumptions configuration_is_right.
"""

# The whole unit: each hypothesis is a port of the core or a lemma that Yices proves.
UNIT = """\
(* A unit whose core is this netlist (ports) and of which Yices proves the lemmas of Lemmas.v: every
   operation, from the start to the result that the host reads, with cycles and status. *)
Theorem unit_is_right : forall e, run_of net e -> forall u, ports net sh e u ->
  lemmas (Z.of_nat (N.to_nat (width sh))) {bus} (Z.of_nat (N.to_nat (word sh)))
    (Z.of_nat {words}) {taken} {sums} u ->
  forall t0, u_start u t0 = true -> {idle} (e t0) ->
  operation_is_right (N.to_nat (width sh)) {words} ({last}) {bus} u ({idle}) e t0.
Proof.
  intros e RUN u PORTS LEMMAS.
  refine ({unit} e RUN u {words} {bus} {sums} PORTS LEMMAS _ _ {holes}(fun t H => {constants}));
    first [apply Nat.ltb_lt; vm_compute; reflexivity | apply Nat.leb_le; vm_compute; reflexivity |
           apply N.leb_le; vm_compute; reflexivity].
Qed.

Definition configuration_is_right := conj product_is_right unit_is_right.
Print Assumptions configuration_is_right.
"""

DIFFERENCES = "Eval vm_compute in differences net ({machine}).\n"


def print_theorem(theory: Theory, shape: Shape, bus: int) -> str:
    """Return theorem and proof about ``net`` and ``sh``; ``bus`` is BusWidth."""
    if not theory.whole_unit:
        stated = THEOREM.format(
            machine=_machine(theory),
            legal="interleaved_legal sh",
            idle="interleaved_idle sh",
            job="interleaved_job sh",
            product="interleaved_product net sh",
        )
        return "\n".join([_definitions(theory, shape), stated + INTERLEAVED])
    if theory.early:
        parts = {
            "legal": "unfolded_legal sh un co",
            "idle": "unfolded_idle co",
            "job": f"unfolded_job sh un co {theory.constants}",
            "cycles": "(N.to_nat (rounds sh un) + 1) (N.to_nat (rounds sh un)) "
            "(N.to_nat (pair_bits co))",
            "last": "N.to_nat (rounds sh un)",
            "taken": "(Z.of_nat (N.to_nat un))",
            "holes": "_ _ ",
            "unit": f"unfolded_unit net sh un co _ netlist_is_machine legal_shape "
            f"{_applied(theory, theory.exact)} {theory.extended}",
        }
    else:
        n = "(N.to_nat (width sh))"
        parts = {
            "legal": "legal sh co",
            "idle": "idle sh",
            "job": f"job sh {theory.constants}",
            "cycles": f"{n} {n} {n}",
            "last": n,
            "taken": "1",
            "holes": "",
            "unit": "bit_serial_unit net sh co _ netlist_is_machine legal_shape "
            f"{_applied(theory, theory.exact)}",
        }
    proof = (EARLY if theory.early else BIT_SERIAL).format(
        exact=_applied(theory, theory.exact), extended=theory.extended
    )
    stated = THEOREM.format(
        machine=_machine(theory),
        product="product net sh ({idle}) {cycles}".format(**parts),
        **parts,
    )
    sums = int(theory.constants == SUM)
    unit = UNIT.format(
        bus=bus,
        words=shape.pass_words,
        sums=sums,
        constants="H eq_refl" if sums else "I",
        **parts,
    )
    return "\n".join([_definitions(theory, shape), stated + proof, unit])


def print_differences(theory: Theory, shape: Shape) -> str:
    """Return the command that prints the bits that differ from the machine."""
    return _definitions(theory, shape) + DIFFERENCES.format(machine=_machine(theory))


def _definitions(theory: Theory, shape: Shape) -> str:
    unfolding = f"Definition un : N := {shape.unfolding}%N.\n"
    return unfolding + IMPORTS.format(module=theory.module, core=_applied(theory, theory.core))


def _applied(theory: Theory, name: str) -> str:
    return f"({name} sh un)" if theory.early else f"({name} sh)"


def _machine(theory: Theory) -> str:
    if not theory.whole_unit:
        return "co"
    return "unfolded sh un co" if theory.early else "bit_serial sh co"
