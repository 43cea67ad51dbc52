"""A configuration is proved as it is, and rejected with a fault, by Coq and by truth tables."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import ROOT
from verif.formal.theorems.configuration import configuration
from verif.formal.theorems.coq import Coq
from verif.formal.theorems.counterexample import counterexample
from verif.formal.theorems.elaborate import elaborate
from verif.formal.theorems.joints import prove_joints
from verif.formal.theorems.labels import Labelled, labelled
from verif.formal.theorems.machine import Shape
from verif.formal.theorems.printer import print_netlist
from verif.formal.theorems.prove import CHECKED, PROVED, REJECTED, Prover, rejected_by_coq
from verif.formal.theorems.truth import differences
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator, Replace

FOLDER = ROOT / "build" / "proof" / "tests"
WIDTH = 9
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
    "next after the last bit": (
        "fast_montgomery",
        Replace(module="bit_serial_iterations", signal="next_o", to="(@) || done_o"),
        "TakesY 0",
    ),
}


def _core(name: str, hdl: Path | None, folder: Path) -> Labelled:
    what = configuration(name, WIDTH, {"SegmentWidth": 4}, hdl).what
    return labelled(elaborate(what, folder, ProcessGroups()))


@pytest.mark.parametrize("name", ["fast_montgomery", "faster_montgomery"])
def test_checked_without_coq(name: str) -> None:
    prover = Prover(FOLDER, ProcessGroups(), None)
    outcome = prover.prove(configuration(name, WIDTH, {"SegmentWidth": 4}))
    assert (outcome.verdict, outcome.why) == (CHECKED, ())
    assert counterexample(_core(name, None, FOLDER / f"{name}-simulated"), WIDTH) is None


@pytest.mark.parametrize("name", ["fast_montgomery", "faster_montgomery"])
def test_proved_in_coq_and_kept(name: str, coq: Coq) -> None:
    chosen = configuration(name, WIDTH, {"SegmentWidth": 4, "AddWidth": 4})
    prover = Prover(FOLDER, ProcessGroups(), coq)
    outcome = prover.prove(chosen)
    assert (outcome.verdict, outcome.why) == (PROVED, ())
    again = prover.prove(chosen)
    assert again.kept and again.verdict == PROVED


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_rejected_and_named(fault: str, tmp_path: Path) -> None:
    name, change, bit = FAULTS[fault]
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [change])
    chosen = configuration(name, WIDTH, {"SegmentWidth": 4}, hdl)
    outcome = Prover(FOLDER / "faults", ProcessGroups(), None).prove(chosen)
    assert outcome.verdict == REJECTED
    assert any(line.startswith(f"{bit}:") for line in outcome.why), outcome.why
    # All but one change a product; the core's words that leave too early are wrong later.
    assert any("counterexample: X = " in line for line in outcome.why) == (fault != "unload")


@pytest.mark.parametrize("fault", ["one position", "last iteration", "unload"])
def test_coq_alone_rejects_a_fault_and_names_it(fault: str, tmp_path: Path, coq: Coq) -> None:
    name, change, bit = FAULTS[fault]
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [change])
    folder = FOLDER / "coq"
    core = _core(name, hdl, folder / "netlist")
    chosen = configuration(name, WIDTH, {"SegmentWidth": 4}, hdl)
    text = print_netlist(core, chosen.theory.module, asdict(chosen.shape))
    why = rejected_by_coq(text, chosen.theory.core, folder, coq)
    assert any(line.startswith(f"{bit}:") for line in why), why


def test_the_machine_of_another_word_width_is_another(tmp_path: Path) -> None:
    core = _core("fast_montgomery", None, FOLDER / "words")
    chosen = configuration("fast_montgomery", WIDTH, {"SegmentWidth": 4, "AddWidth": 4})
    found = differences(core, chosen.theory.machine, chosen.shape)
    assert {difference.bit.signal for difference in found} == {"RegS", "RegC"}


CARRY = Replace(module="word_stream_adder", signal="carry_q", at="StPass", to="1'b0")
ORDER = Replace(module="operand_bits", signal="buffer_q", at="StFill", to="BufferWidth'(reversed)")
BORROW = Replace(module="operand_check", signal="x_carry_q", term="x_difference", to="1'b0")
WORD = Replace(module="parallel_operands", signal="y_loaded", to="{m_in_q, y_q}")


@pytest.mark.parametrize(
    "fault, name",
    [
        (CARRY, "adder_pass"),
        (ORDER, "operand_stream"),
        (BORROW, "operand_compare"),
        (WORD, "operand_load"),
    ],
)
def test_a_fault_beside_the_core_is_rejected(fault: Operator, name: str, tmp_path: Path) -> None:
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [fault])
    joints = prove_joints(Shape(WIDTH, 2, 4, 4), hdl, FOLDER / "joints", ProcessGroups(), (name,))
    assert [joint.proved for joint in joints] == [False]
