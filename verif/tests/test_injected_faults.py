"""The smallest list fails on each injected fault, with a message that names the operands.

Each fault is one edit of a copy of ``hdl``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from models.registry import hardware_architectures
from verif.bench.agent.driver import PATIENCE
from verif.library.edits.operators import Drop, Insert, Remove, Replace
from verif.tests.injected import (
    QUICK,
    SIMULATOR,
    InjectedFault,
    dashed,
    matching,
    reported_by,
    representatives,
    run_list,
    tried,
)

OPERANDS = re.compile(r"x=0x[0-9a-f]+ y=0x[0-9a-f]+ m=0x[0-9a-f]+")
# With a table, a ring; they share their builds with README.md.
KINDS = ("faster_montgomery", "mwrkmm")
OTHERS = tuple(name for name in hardware_architectures() if name not in KINDS)
NO_ANSWER = re.compile(r"(no acknowledge|not done) within")
DROPPED_ACKNOWLEDGE = """\
ack_q <= accept && (dropped_q || !(write_i && (addr_i == AddressWidth'(AddressYS))));
      if (accept && write_i && (addr_i == AddressWidth'(AddressYS))) dropped_q <= 1'b1;
"""
INJECTED = [
    InjectedFault(
        "wrong table entry",
        "faster_montgomery",
        (
            Replace(
                module="faster_montgomery_table",
                signal="entry_o",
                to="(addr_i == 4'b0011) ? 2'b10 : @",
            ),
        ),  # as source 001 prints it
        r"P = |not congruent",
    ),
    InjectedFault(
        "wrong interleaved table entry",
        "optimized_interleaved",
        (
            Replace(
                module="optimized_interleaved_table", signal="value_o", term="entry_5", to="entry_4"
            ),
        ),
        r"P = |not congruent",
    ),
    InjectedFault(
        "> for >= in the final subtraction",
        "fast_montgomery",
        (
            Replace(
                module="word_stream_adder",
                signal="kept",
                to="@ && (difference_q != '0)",
            ),
        ),
        r"P = ",
    ),
    InjectedFault(
        "lost top carry of the carry-save adder",
        "fast_montgomery",
        (
            Replace(
                module="fast_montgomery",
                signal="next_c",
                term="carry_m",
                to="{1'b0, carry_m[Width-1:1]}",
            ),
        ),
        r"not congruent|the model says",
    ),
    InjectedFault(
        "lost carry between words of the final addition",
        "faster_montgomery",
        (Replace(module="word_stream_adder", signal="carry_q", at="StPass", to="1'b0"),),
        r"P = ",
    ),
    InjectedFault(
        "counter one short",
        "fast_montgomery",
        (
            Replace(
                module="bit_serial_control", parameter="LastCount", to="CountWidth'(Iterations - 2)"
            ),
        ),
        r"loop took 32 cycles, the formula says 33",
    ),
    InjectedFault(
        "acknowledge dropped once",
        "fast_montgomery",
        (
            Replace(
                module="operand_loader",
                signal="ack_q",
                to="@ && (dropped_q || !(write_i && (addr_i == AddressWidth'(AddressYS))))",
            ),
            Insert(
                module="operand_loader",
                signal="zeroise_q",
                at="else rst_ni",
                text="if (accept && write_i && (addr_i == AddressWidth'(AddressYS)))"
                " dropped_q <= 1'b1;",
            ),
            Insert(module="operand_loader", text="logic dropped_q;", where="before"),
            Insert(
                module="operand_loader", signal="zeroise_q", at="reset", text="dropped_q <= 1'b0;"
            ),
        ),
        r"lost, doubled or changed|transfers rejected|status",
    ),
    InjectedFault(
        "acknowledge never comes for M",
        "fast_montgomery",
        (
            Replace(
                module="operand_loader",
                signal="ack_q",
                to="@ && (addr_i != AddressWidth'(AddressMC))",
            ),
        ),
        r"no acknowledge within \d+ cycles",
    ),
    InjectedFault(
        "acknowledge without a request",
        "fast_montgomery",
        (Replace(module="operand_loader", signal="ack_q", to="@ || (busy_i && !req_i && !ack_q)"),),
        r"acknowledge without request",
    ),
    InjectedFault(
        "wait states ignored",
        "fast_montgomery",
        (Drop(module="operand_loader", signal="accept", term="wait_i"),),
        r"asked for wait states, but none occurred",
    ),
    InjectedFault(
        "core never busy",
        "fast_montgomery",
        (Replace(module="parallel_unit", signal="view_o", reading="busy", to="1'b0"),),
        r"the core's busy did not last",
    ),
    InjectedFault(
        "core never done",
        "optimized_interleaved",
        (
            Replace(
                module="bit_serial_control",
                signal="state_d",
                at="StateRunning / if last_o",
                to="StateRunning",
            ),
        ),
        r"operation not done within \d+ cycles",
    ),
    InjectedFault(
        "S and C exchanged",
        "faster_montgomery",
        (
            Replace(module="parallel_unit", signal="stored_words", term="c_word", to="s_word"),
            Replace(module="parallel_unit", signal="stored_words", term="s_word", to="c_word"),
        ),
        r"the model says",
    ),
    InjectedFault(
        "operand range not checked",
        "fast_montgomery",
        (
            Replace(
                module="parallel_control",
                guard="outcome_d",
                at="StLoad",
                reading="raw_q",
                to="1'b0",
            ),
        ),
        r"expected OPERAND_RANGE",
        test="bad_input",
    ),
    InjectedFault(
        "start while busy accepted",
        "fast_montgomery",
        (
            Replace(
                module="operand_loader",
                signal="rejection",
                at="if control / if is_start busy_i",
                to="BusErrorNone",
            ),
        ),
        r"expected START_WHILE_BUSY",
        test="bus",
    ),
    InjectedFault(
        "error shown outside the acknowledge",
        "fast_montgomery",
        (
            Insert(
                module="operand_loader",
                signal="zeroise_q",
                at="else rst_ni",
                text="if (ack_q && busy_i) err_q <= 1'b1;",
            ),
        ),
        r"fast_montgomery 32 bits: pins in cycle \d+: err_o = 1, expected 0: ErrSteady wants",
        test="bus",
    ),
    # Found by the mutation campaign: they survived until the bench had a look.
    InjectedFault(
        "a read obeyed as a command",
        "fast_montgomery",
        (Drop(module="operand_loader", signal="command", term="write_i"),),
        r"start rejected with START_WHILE_BUSY",
        test="bad_input",
    ),
    InjectedFault(
        "top bit of a command ignored",
        "fast_montgomery",
        (
            Replace(
                module="operand_loader",
                signal="is_start",
                term="wdata_i CommandStart",
                to="(wdata_i << 1) == (BusWidth'(CommandStart) << 1)",
            ),
        ),
        r"expected UNKNOWN_COMMAND",
        test="bad_input",
    ),
    InjectedFault(
        "polynomials of equal degree not checked",
        "dual_radix",
        (Replace(module="degree_check", signal="below_degree", to="smeared"),),
        r"expected OPERAND_RANGE",
        test="bad_input",
    ),
    InjectedFault(
        "bus error kept over a reset",
        "fast_montgomery",
        (
            Insert(
                module="operand_loader",
                signal="bus_error_q",
                at="reset",
                text="bus_error_q <= bus_error_q;",
            ),
        ),
        r"read address 3: returned 0x20, expected 0x0",
        test="bad_input",
    ),
    InjectedFault(
        "reads do not start again after the last word",
        "fast_montgomery",
        (
            Replace(
                module="operand_loader",
                signal="pointer_q",
                at="gen_result / if read",
                to="pointer_q + 1'b1",
            ),
        ),
        r"read address 0: returned|unknown bits",
        test="bad_input",
    ),
    InjectedFault(
        "a write answered with the result",
        "fast_montgomery",
        (Remove(module="operand_loader", signal="answer", at="if write_i"),),
        r"write 0x[0-9a-f]+ to address \d: answered with 0x[0-9a-f]+, expected 0",
        test="bus",
    ),
    InjectedFault(
        "done before anything was started",
        "fast_montgomery",
        (Drop(module="parallel_control", signal="done_o", term="status_q"),),
        r"busy or done in a reset",
        test="reset",
    ),
    InjectedFault(
        "constants of the old modulus kept",
        "optimized_interleaved",
        (
            Drop(
                module="parallel_control",
                signal="constants_valid_d",
                reading="m_written_i",
                term="m_written_i",
            ),
        ),
        r"busy for|P = ",
    ),
    InjectedFault(
        "S not cleared by the words that leave it",
        "faster_montgomery",
        (
            Replace(
                module="bit_serial_iterations",
                signal="s_d",
                to="@ | (iterates[0] ? '0 : s_q << (Width - WordWidth))",
            ),
        ),
        r"not congruent",
    ),
]
# About single transfers, resets, or the whole job.
ABOUT_NO_OPERATION = {
    "error shown outside the acknowledge",
    "start while busy accepted",
    "wait states ignored",
    "a read obeyed as a command",
    "top bit of a command ignored",
    "bus error kept over a reset",
    "reads do not start again after the last word",
    "a write answered with the result",
    "done before anything was started",
}
LEFT = InjectedFault(
    "operands stay in a register over a reset",
    "fast_montgomery",
    (
        Replace(
            module="parallel_operands",
            signal="y_q",
            at="gen_word / reset",
            to="(y_q[i*WordWidth+:WordWidth] === 'x) ? '0 : y_q[i*WordWidth+:WordWidth]",
        ),
    ),
    r"in a reset after \d+ cycles: \d+ signals hold something: \S+y_q = ",
    test="reset",
)


def list_for(case: InjectedFault, folder: Path) -> str | Path:
    """The quick list, or one like it with the test that should detect the fault."""
    if case.test == "random":
        return QUICK
    path = folder / "one.yaml"
    path.write_text(
        f"description: one job\njobs:\n  - {{test: {case.test}, architectures: all, widths: [32], "
        f"simulators: [{SIMULATOR}], operations: 20}}\n"
    )
    return path


@pytest.mark.simulation
@pytest.mark.parametrize("case", representatives(INJECTED, reported_by, dashed))
def test_a_fault_fails_and_names_the_operands(case: InjectedFault, tmp_path: Path) -> None:
    failures = tried(case, list_for(case, tmp_path), tmp_path)
    reported = matching(case, failures)
    if case.name not in ABOUT_NO_OPERATION:
        assert any(OPERANDS.search(failure) for failure in reported), reported[:5]
    # What does not answer is not waited for in every operation of the job.
    assert sum(bool(NO_ANSWER.search(failure)) for failure in failures) <= PATIENCE


@pytest.mark.simulation
@pytest.mark.skipif(SIMULATOR != "icarus", reason="only Icarus Verilog shows every register")
def test_state_that_survives_a_reset_fails(tmp_path: Path) -> None:
    matching(LEFT, tried(LEFT, list_for(LEFT, tmp_path), tmp_path))


@pytest.mark.campaign  # README.md runs KINDS, regress/tests/test_cross_check.py compares
@pytest.mark.simulation
@pytest.mark.parametrize("names", [KINDS, OTHERS], ids=["kinds", "others"])
def test_the_unchanged_design_passes_and_both_simulators_agree(
    names: Sequence[str], tmp_path: Path
) -> None:
    """Same seed, same stimulus: operations, cycles and coverage are equal, job by job."""
    simulators = ("verilator", "icarus") if SIMULATOR == "icarus" else ("verilator",)
    results: dict[str, list[dict[str, Any]]] = {}
    for simulator in simulators:
        folder = tmp_path / simulator
        folder.mkdir()
        code, run = run_list("quick", folder, "--sim", simulator, "--arch", ",".join(names))
        assert code == 0, run["jobs"]
        results[simulator] = [
            json.loads((folder / "run" / job["folder"] / "result.json").read_text())
            for job in run["jobs"]
        ]
        assert len(results[simulator]) == len(names)
    if len(simulators) == 2:
        for verilator, icarus in zip(*results.values(), strict=True):
            for fact in ("operations", "cycles", "coverage", "failures"):
                assert verilator[fact] == icarus[fact]
