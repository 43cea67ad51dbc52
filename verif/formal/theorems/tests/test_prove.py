"""A configuration is proved as it is, and rejected with a fault, by Coq and by truth tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import architecture
from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import ROOT
from verif.formal.theorems.configuration import Configuration, configuration
from verif.formal.theorems.coq import Coq
from verif.formal.theorems.counterexample import counterexample
from verif.formal.theorems.elaborate import elaborate
from verif.formal.theorems.joints import prove_joint, wrong_product
from verif.formal.theorems.labels import Labelled, labelled
from verif.formal.theorems.machine import Shape
from verif.formal.theorems.printer import print_netlist
from verif.formal.theorems.prove import (
    CHECKED,
    CORE_PROVED,
    PROVED,
    REJECTED,
    Prover,
    rejected_by_coq,
)
from verif.formal.theorems.truth import differences
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator, Replace
from verif.tests.injected import representatives

# The theories take most of a minute to compile; `make test` proves by truth tables alone.
with_coq = pytest.mark.campaign
WIDTH = 9
CORES = (
    ("fast_montgomery", 1), ("faster_montgomery", 1), ("mm42", 1), ("unfolded_mm42", 4),
    ("unfolded_fast_montgomery", 2), ("unfolded_faster_montgomery", 3),
    ("optimized_interleaved", 1),
)  # fmt: skip
# One bit of M at position 5, of all others.
POSITION = Replace(module="fast_montgomery", signal="addend_m", term="with_m", to="(@ & ~9'd32)")
FAULTS: dict[str, tuple[str, Operator, str]] = {
    "one position": ("fast_montgomery", POSITION, "RegS 4"),
    "table": (
        "faster_montgomery",
        Replace(
            module="faster_montgomery_table",
            signal="entry_o",
            to="(addr_i == 4'b0011) ? 2'b10 : @",
        ),
        "TakesY 0",
    ),
    "last iteration": (
        "fast_montgomery",
        Replace(
            module="bit_serial_control", parameter="LastCount", to="CountWidth'(Iterations - 2)"
        ),
        "Last 0",
    ),
    "unload": (
        "faster_montgomery",
        Replace(module="bit_serial_iterations", port="u_moves.bit_i", to="next_o"),
        "Moves 0",
    ),
    "order of the bits of X": (
        "fast_montgomery",
        Replace(module="fast_montgomery", port="u_with_y.bit_i", to="next && x_i[1]"),
        "TakesY 0",
    ),
    # Cores with several iterations a cycle: the wire of one bit after one iteration is named.
    "second iteration": (
        "unfolded_fast_montgomery",
        Replace(
            module="fast_montgomery",
            signal="addend_m",
            term="with_m",
            to="(@ & ((i == 1) ? ~9'd32 : 9'h1ff))",
        ),
        "WireS 13",
    ),
    "order of the bits of X in a cycle": (
        "unfolded_faster_montgomery",
        Replace(
            module="faster_montgomery",
            signal="addr",
            at="gen_now",
            to="{x_i[Unfolding - 1 - i], y_i[0], c[0], s[0]}",
        ),
        "WireS 0",
    ),
    "last iterations": (
        "unfolded_mm42",
        Replace(module="bit_serial_iterations", parameter="Rest", to="Unfolding"),
        "RegS 0",
    ),
    "carry of the compressor": (
        "unfolded_mm42",
        Replace(module="mm42_iteration", signal="carry_1", to="(@) & ~(12'd1 << 7)"),
        "WireS 6",
    ),
    "late unload": (
        "unfolded_mm42",
        Replace(
            module="bit_serial_iterations",
            signal="moves",
            at="gen_now",
            to="{Segments{iterate || control_i.unload}}",
        ),
        "RegS 0",
    ),
    "next after the last bit": (
        "fast_montgomery",
        Replace(module="bit_serial_iterations", signal="next_o", to="(@) || done_o"),
        "TakesY 0",
    ),
    # The interleaved core: the table, k, the bit that is known late, X from the highest bit down.
    "one position of the table": (
        "optimized_interleaved",
        Replace(module="optimized_interleaved_table", signal="entry_3", to="(@) ^ 9'd32"),
        "Entry 5",
    ),
    "k of the next iteration": (
        "optimized_interleaved",
        Replace(
            module="optimized_interleaved", signal="next_k_1", to="{s_n & c_n[1], s_n ^ c_n[1]}"
        ),
        "Pair0 0",
    ),
    "top bit of the entry": (
        "optimized_interleaved",
        Replace(module="optimized_interleaved", signal="late_d", to="next && tops[next_k_0]"),
        "Late 0",
    ),
    "entry with Y": (
        "optimized_interleaved",
        Replace(module="optimized_interleaved", signal="odd_next", to="next && x_i[1]"),
        "Odd 0",
    ),
    "iteration after the last": (
        "optimized_interleaved",
        Replace(module="optimized_interleaved", signal="again", to="step"),
        "Iterates 0",
    ),
}


UNFOLDINGS = {
    "second iteration": 2, "order of the bits of X in a cycle": 3, "last iterations": 4,
    "carry of the compressor": 2, "late unload": 2,
}  # fmt: skip


def _chosen(name: str, unfolding: int = 1, hdl: Path | None = None, **more: int) -> Configuration:
    """A configuration whose segments and cycles do not divide the width."""
    parameters = {"SegmentWidth": 4, **more}
    if "Unfolding" in {parameter.name for parameter in architecture(name).parameters}:
        parameters["Unfolding"] = unfolding
    return configuration(name, WIDTH, parameters, hdl)


def _core(chosen: Configuration, folder: Path) -> Labelled:
    return labelled(elaborate(chosen.what, folder, ProcessGroups()), chosen.theory.wires)


@pytest.mark.parametrize("name, unfolding", CORES)
def test_checked_without_coq(name: str, unfolding: int, tmp_path: Path) -> None:
    prover = Prover(tmp_path, ProcessGroups(), None)
    chosen = _chosen(name, unfolding)
    outcome = prover.prove(chosen)
    assert (outcome.verdict, outcome.why) == (CHECKED, ())
    core = _core(chosen, tmp_path / "simulated")
    products = chosen.theory.products
    assert counterexample(core, chosen.shape, chosen.cycles, products) is None


@with_coq
@pytest.mark.parametrize("name, unfolding", CORES)
def test_proved_in_coq_and_kept(name: str, unfolding: int, coq: Coq, tmp_path: Path) -> None:
    chosen = _chosen(name, unfolding, AddWidth=4)
    prover = Prover(tmp_path, ProcessGroups(), coq)
    outcome = prover.prove(chosen)
    proved = PROVED if chosen.theory.whole_unit else CORE_PROVED
    assert (outcome.verdict, outcome.why) == (proved, ())
    again = prover.prove(chosen)
    assert again.kept and again.verdict == proved


# One fault for each signal whose bit is named, in cores of one and of several iterations a cycle.
@pytest.mark.parametrize(
    "fault",
    representatives(FAULTS, lambda name: (name in UNFOLDINGS, FAULTS[name][2].split()[0]), str),
)
def test_a_fault_is_rejected_and_named(fault: str, tmp_path: Path) -> None:
    name, change, bit = FAULTS[fault]
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [change])
    chosen = _chosen(name, UNFOLDINGS.get(fault, 1), hdl)
    outcome = Prover(tmp_path, ProcessGroups(), None).prove(chosen)
    assert outcome.verdict == REJECTED
    assert any(line.startswith(f"{bit}:") for line in outcome.why), outcome.why
    # All but these change a product; words that leave too early or too late are wrong later.
    assert any("counterexample: X = " in line for line in outcome.why) == ("unload" not in fault)


def test_a_named_wire_that_is_constant_is_named(tmp_path: Path) -> None:
    change = Replace(module="optimized_interleaved_table", signal="value_o", to="(@) & ~9'd32")
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [change])
    outcome = Prover(tmp_path, ProcessGroups(), None).prove(
        _chosen("optimized_interleaved", 1, hdl)
    )
    assert (outcome.verdict, outcome.why) == (
        REJECTED,
        ("entry[5]: a constant, or equal to another bit",),
    )


@pytest.mark.campaign  # test_a_fault_is_rejected_and_named does so at small widths
def test_a_fault_at_one_position_of_1024_is_named(tmp_path: Path) -> None:
    change = Replace(
        module="fast_montgomery", signal="addend_m", term="with_m", to="(@ & ~(1024'd1 << 697))"
    )
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [change])
    chosen = configuration("fast_montgomery", 1024, {}, hdl)
    outcome = Prover(tmp_path, ProcessGroups(), None).prove(chosen)
    assert outcome.verdict == REJECTED
    bits = [line.split(":")[0] for line in outcome.why]
    assert bits == ["RegS 696", "RegC 697", "counterexample"]


@with_coq
@pytest.mark.parametrize(
    "fault",
    ["one position", "last iteration", "unload", "second iteration", "one position of the table"],
)
def test_coq_alone_rejects_a_fault_and_names_it(fault: str, tmp_path: Path, coq: Coq) -> None:
    name, change, bit = FAULTS[fault]
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [change])
    folder = tmp_path / "coq"
    chosen = _chosen(name, UNFOLDINGS.get(fault, 1), hdl)
    text = print_netlist(_core(chosen, folder / "netlist"), chosen.shape)
    why = rejected_by_coq(text, chosen, folder, coq)
    assert any(line.startswith(f"{bit}:") for line in why), why


def test_the_machine_of_another_word_width_is_another(tmp_path: Path) -> None:
    core = _core(_chosen("fast_montgomery"), tmp_path)
    chosen = _chosen("fast_montgomery", AddWidth=4)
    found = differences(core, chosen.theory.machine, chosen.shape)
    assert {difference.bit.signal for difference in found} == {"RegS", "RegC"}


CARRY = Replace(module="word_stream_adder", signal="carry_q", at="StPass", to="1'b0")
ORDER = Replace(module="operand_bits", signal="buffer_q", at="StFill", to="BufferWidth'(reversed)")
BORROW = Replace(module="operand_check", signal="x_carry_q", term="x_difference", to="1'b0")
WORD = Replace(module="parallel_operands", signal="y_loaded", to="{m_in_q, y_q}")
UNLOAD = Replace(module="parallel_control", signal="result_next_o", to="result_o")
BANK = Replace(module="parallel_results", signal="fetched_q", term="bank_i", to="!bank_i")


# Faults, and the lemmas that fail.
BESIDE = (
    (CARRY, {"sums"}),
    (ORDER, {"core_x_0", "buffer_has_x"}),
    pytest.param(BORROW, {"x_first", "x_step"}, marks=pytest.mark.campaign),
    pytest.param(WORD, {"core_y", "register_has_y"}, marks=pytest.mark.campaign),
    pytest.param(UNLOAD, {"unloads"}, marks=pytest.mark.campaign),
    pytest.param(BANK, {"reads_sum", "reads_kept"}, marks=pytest.mark.campaign),
)


@pytest.mark.parametrize(("fault", "lemmas"), BESIDE)
def test_a_fault_beside_the_core_is_rejected_and_the_lemma_named(
    fault: Operator, lemmas: set[str], tmp_path: Path
) -> None:
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [fault])
    joint = prove_joint(
        Shape(WIDTH, 2, 4, 4), 1, 4, hdl, tmp_path / "joints", ProcessGroups(), tmp_path
    )
    assert not joint.proved
    assert any(f"lemma {name}" in joint.detail for name in lemmas), joint.detail


@pytest.mark.parametrize(("fault", "lemmas"), BESIDE)
def test_a_fault_beside_the_core_has_a_counterexample(
    fault: Operator, lemmas: set[str], tmp_path: Path
) -> None:
    """Induction has no operands; the products of a small unit have. The operands of these products
    are legal, so they find no counterexample for a check that accepts too much.
    """
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [fault])
    found = wrong_product("fast_montgomery", hdl, ProcessGroups())
    assert ("counterexample at 6 bits" in found) == (fault is not BORROW), found


def test_a_core_without_a_branch_in_the_lemmas_is_named(tmp_path: Path) -> None:
    core = configuration("optimized_interleaved", WIDTH, {}).core
    joint = prove_joint(
        Shape(WIDTH, 2, 4, 4), core, 4, ROOT / "hdl", tmp_path, ProcessGroups(), tmp_path
    )
    assert not joint.proved
    assert "unit_lemmas.sv has no counter of this core: add a branch" in joint.detail


def test_a_right_unit_has_no_counterexample() -> None:
    assert not wrong_product("fast_montgomery", ROOT / "hdl", ProcessGroups())
