"""Two broken designs an architecture: one in the datapath, one in control; each is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import hardware_architectures
from verif.library.edits.operators import Drop, Replace, Swap
from verif.tests.injected import (
    SIMULATOR,
    InjectedFault,
    matching,
    on_ring,
    representatives,
    run_list,
    tried,
)

WIDTH = 16
VALUE = r"P = 0x|not congruent|the model says|not the product in GF"
TABLE = r"table addresses that are (seen and not read|read and not seen): 0x"
CYCLES = r"the formula( for GF\(2\*\*n\))? says"
RING = "cores/ring/systolic_ring.sv"
ITERATIONS = "cores/bit_serial/bit_serial_iterations.sv"

DATAPATH = [
    InjectedFault(
        "S loses a bit",
        "fast_montgomery",
        (
            Replace(
                module="fast_montgomery", signal="next_s", term="sum_m", to="{sum_m[Width:2], 1'b0}"
            ),
        ),
        VALUE,
    ),
    InjectedFault(
        "carry one place too low",
        "faster_montgomery",
        (
            Replace(
                module="faster_montgomery", signal="next_c", term="carry", to="carry[Width-1:0]"
            ),
        ),
        VALUE,
    ),
    InjectedFault(
        "k forgets a carry",
        "optimized_interleaved",
        (Drop(module="optimized_interleaved", signal="next_k_1", operator="^", term="c_n"),),
        VALUE,
    ),
    InjectedFault(
        "last cycle does no iteration",
        "unfolded_fast_montgomery",
        (
            Replace(
                module="bit_serial_iterations",
                signal="iterated_s",
                term="Rest s_i",
                to="s_o",
            ),
        ),
        VALUE,
    ),
    InjectedFault(
        "iterations share a table address",
        "unfolded_faster_montgomery",
        (
            Replace(
                module="faster_montgomery", signal="addr", reading="c s", term="x_i", to="x_i[0]"
            ),
        ),
        VALUE,
    ),
    InjectedFault(
        "words of S and C without their carry",
        "mm42",
        (Drop(module="bit_serial_dual", signal="word", term="add_carry_q"),),
        r"result = |not congruent",
        test="exp_random",
    ),
    InjectedFault(
        "D2 left out",
        "unfolded_mm42",
        (Replace(module="mm42_iteration", signal="v2", term="d2_i", to="'0"),),
        VALUE,
    ),
    InjectedFault(
        "q without x*Y",
        "mwr2mm",
        (Drop(module="mwr2mm_element", signal="q", term="digit_i y_i"),),
        VALUE,
    ),
    InjectedFault(
        "m' of the wrong word",
        "mwrkmm",
        (Replace(module="mwrkmm_element", signal="word_q", to="m_i"),),
        VALUE,
    ),
    InjectedFault(
        "quotient digit used too early",
        "quotient_pipelined",
        (
            Replace(
                module="quotient_pipelined_element",
                signal="use_q",
                term="q_i",
                to="s_i[DigitWidth-1:0]",
            ),
        ),
        VALUE,
    ),
    InjectedFault(
        "carry cut to a digit",
        "parallel_high_radix",
        (
            Replace(
                module="quotient_pipelined_element",
                signal="carry_q",
                term="sum",
                to="(DigitWidth + 1)'(sum[SumWidth-2:WordWidth])",
            ),
        ),
        VALUE,
    ),
    InjectedFault(
        "carry above the highest word lost",
        "dual_radix",
        (Drop(module="dual_radix", signal="prime_top", term="top_q"),),
        VALUE,
    ),
    InjectedFault(
        "addition with carries in GF(2**n)",
        "dual_radix",
        (Swap(module="dual_radix", signal="sum", operator="^", to="+"),),
        VALUE,
    ),
]

CONTROL = [
    InjectedFault(
        "one iteration too many",
        "fast_montgomery",
        (
            Replace(
                module="bit_serial_control", parameter="LastCount", to="CountWidth'(Iterations)"
            ),
        ),
        rf"{CYCLES}|{VALUE}|not done",
    ),
    InjectedFault(
        "last iteration not taken over",
        "faster_montgomery",
        (Replace(module="bit_serial_iterations", guard="s_q", reading="moves", to="(@) && !last"),),
        VALUE,
    ),
    InjectedFault(
        "stops an iteration early",
        "optimized_interleaved",
        (
            Replace(
                module="bit_serial_control",
                guard="state_d",
                at="StateRunning",
                reading="last_o",
                to="count_q == LastCount - 1'b1",
            ),
        ),
        rf"{CYCLES}|{VALUE}",
    ),
    InjectedFault(
        "start clock not used",
        "unfolded_fast_montgomery",
        (Replace(module="bit_serial_iterations", signal="first", to="1'b0"),),
        VALUE,
    ),
    InjectedFault(
        "last cycle not noticed",
        "unfolded_faster_montgomery",
        (
            Replace(
                module="bit_serial_control",
                guard="state_d",
                at="StateRunning",
                reading="last_o",
                to="count_q == LastCount - 1'b1",
            ),
        ),
        rf"{CYCLES}|{VALUE}",
    ),
    InjectedFault(
        "length of single products in a chain",
        "mm42",
        (Replace(module="bit_serial_dual", parameter="CoreWidth", to="Width"),),
        r"result = |cycles",
        test="exp_random",
    ),
    InjectedFault(
        "kept product overwritten",
        "unfolded_mm42",
        (Drop(module="exponentiation_multipliers", signal="write_a", term="exponent_i present"),),
        r"result = ",
        test="exp_random",
    ),
    InjectedFault(
        "one bit of X too few",
        "mwr2mm",
        (Replace(module="mwr2mm", signal="digits", term="Width", to="Width - 1"),),
        rf"{CYCLES}|{VALUE}",
    ),
    InjectedFault(
        "fed one word too few",
        "mwrkmm",
        (Replace(module="systolic_ring", parameter="LastWord", to="IndexWidth'(Words - 2)"),),
        rf"{CYCLES}|{VALUE}",
    ),
    InjectedFault(
        "queue too short",
        "quotient_pipelined",
        (
            Replace(
                module="systolic_ring",
                parameter="Queue",
                to="(@) - 1",
            ),
        ),
        rf"{CYCLES}|{VALUE}",
    ),
    InjectedFault(
        "zero digit left out",
        "parallel_high_radix",
        (Replace(module="quotient_pipelined", parameter="Digits", to="XDigits + Stages"),),
        rf"{CYCLES}|{VALUE}",
    ),
    InjectedFault(
        "a digit too few",
        "dual_radix",
        (
            Replace(
                module="dual_radix",
                signal="ends",
                term="last_digit",
                to="(@ - 1'b1)",
            ),
        ),
        rf"{CYCLES}|{VALUE}",
    ),
    InjectedFault(
        "inverse of the other field kept",
        "dual_radix",
        (
            Drop(
                module="ring_unit_control",
                signal="constant_d",
                at="StJudge",
                term="constant_field_q",
            ),
        ),
        rf"{CYCLES}|{VALUE}",
    ),
]

# What the default parameters of a small operand would not show.
PARAMETERS = {
    "mwr2mm": "{WordWidth: 6, Elements: 1}",
    "mwrkmm": "{WordWidth: 4, DigitWidth: 4, Elements: 1}",
    "quotient_pipelined": "{WordWidth: 4, DigitWidth: 2, Elements: 2}",
    "parallel_high_radix": "{WordWidth: 4, DigitWidth: 4, Elements: 2}",
    "dual_radix": "{UnitWidth: 4, Units: 2}",
    "unfolded_fast_montgomery": "{Unfolding: 3}",
    "unfolded_faster_montgomery": "{Unfolding: 3}",
}


def list_for(folder: Path, *cases: InjectedFault) -> Path:
    path = folder / "list.yaml"
    path.write_text(
        "description: the jobs that detect faults\njobs:\n"
        + "".join(
            f"  - {{test: {case.test}, architectures: [{case.architecture}], widths: [{WIDTH}], "
            f"simulators: [{SIMULATOR}], operations: 60, parameters: "
            f"{case.parameters or PARAMETERS.get(case.architecture, '{}')}}}\n"
            for case in cases
        )
    )
    return path


# What coverage counts is what happened: the design works, and shows something else.
OBSERVED = [
    InjectedFault(
        "the place in the table of the iteration that follows",
        "optimized_interleaved",
        (
            Replace(
                module="optimized_interleaved",
                signal="view_o",
                reading="table_addr",
                to="TableAddrBits'({next_k_0, odd[0]})",
            ),
        ),
        TABLE,
    ),
    InjectedFault(
        "all iterations of a cycle show the first one's address",
        "unfolded_faster_montgomery",
        (
            Replace(
                module="faster_montgomery",
                signal="view_o",
                reading="table_addr",
                to="TableAddrBits'({Unfolding{table_addr[TableAddressWidth-1:0]}})",
            ),
        ),
        TABLE,
    ),
    InjectedFault(
        "the class of a digit when the next one is in its register",
        "mwrkmm",
        (Replace(module="systolic_ring", signal="classify", reading="last", to="report[i]"),),
        TABLE,
        parameters="{WordWidth: 4, DigitWidth: 4, Elements: 1, Latency: 4}",
    ),
]


@pytest.mark.parametrize("cases", [DATAPATH, CONTROL], ids=["datapath", "control"])
def test_every_architecture_has_a_case(cases: list[InjectedFault]) -> None:
    assert {case.architecture for case in cases} == set(hardware_architectures())


CASES = representatives(
    [*DATAPATH, *CONTROL, *OBSERVED],
    lambda case: (case.message == TABLE, on_ring(case)),
    lambda case: f"{case.architecture}: {case.name}",
)


@pytest.mark.parametrize("case", CASES)
def test_a_broken_architecture_is_seen(case: InjectedFault, tmp_path: Path) -> None:
    matching(case, tried(case, list_for(tmp_path, case), tmp_path))


FIRST = {case.architecture: case for case in reversed(DATAPATH)}


@pytest.mark.campaign  # list smoke runs these tests on the unchanged design
def test_the_design_itself_passes(tmp_path: Path) -> None:
    cases = [FIRST[name] for name in sorted(FIRST)]
    code, run = run_list(list_for(tmp_path, *cases), tmp_path)
    assert (code, len(run["jobs"])) == (0, len(cases)), run["jobs"]
