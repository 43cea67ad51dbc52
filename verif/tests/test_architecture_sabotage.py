"""Two broken designs an architecture: one in the datapath, one in control; each is seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.registry import hardware_architectures
from verif.tests.sabotage import SIMULATOR, Sabotage, failures_of, run_list, sabotaged_copy

WIDTH = 16
VALUE = r"P = 0x|not congruent|the model says|not the product in GF"
CLOCKS = r"the formula( for GF\(2\*\*n\))? says"
RING = "common/systolic_ring.sv"
ITERATIONS = "common/bit_serial_iterations.sv"

DATAPATH = [
    Sabotage("S loses a bit", "fast_montgomery", "multipliers/fast_montgomery.sv",
             "= sum_m[Width:1];", "= {sum_m[Width:2], 1'b0};", VALUE),
    Sabotage("carry one place too low", "faster_montgomery", "multipliers/faster_montgomery.sv",
             "= carry[Width:1];", "= carry[Width-1:0];", VALUE),
    Sabotage("k forgets a carry", "optimized_interleaved", "multipliers/optimized_interleaved.sv",
             "s_q[Width] ^ c_q[Width], x_q", "s_q[Width], x_q", VALUE),
    Sabotage("last clock does no iteration", "unfolded_fast_montgomery", ITERATIONS,
             "s_q <= ends ? s_i[(Rest-1)*Width+:Width] :", "s_q <= ends ? s_o :", VALUE),
    Sabotage("iterations share a table address", "unfolded_faster_montgomery",
             "multipliers/faster_montgomery.sv", "{x[i], y_i[0],", "{x[0], y_i[0],", VALUE),
    Sabotage("operand bit without its carry", "mm42", "multipliers/mm42.sv",
             "assign x = x1[i] ^ x2[i] ^ x_carry[i];", "assign x = x1[i] ^ x2[i];",
             r"result = |not congruent", test="exp_random"),
    Sabotage("D2 left out", "unfolded_mm42", "multipliers/mm42.sv",
             "v2 = x ? (q ? d2 : y2)", "v2 = x ? (q ? '0 : y2)", VALUE),
    Sabotage("q without x*Y", "mwr2mm", "multipliers/mwr2mm_element.sv",
             "(s_i[0] ^ (digit_i & y_i[0]))", "s_i[0]", VALUE),
    Sabotage("m' of the wrong word", "mwrkmm", "multipliers/mwrkmm_element.sv",
             "assign factor = first_i ? m_prime_i : u;", "assign factor = u;", VALUE),
    Sabotage("quotient digit used too early", "quotient_pipelined",
             "multipliers/quotient_pipelined_element.sv",
             "Pipelined ? q_i : s_i[DigitWidth-1:0]", "s_i[DigitWidth-1:0]", VALUE),
    Sabotage("carry cut to a digit", "parallel_high_radix",
             "multipliers/quotient_pipelined_element.sv",
             "carry_q <= sum[SumWidth-1:WordWidth];",
             "carry_q <= (DigitWidth + 1)'(sum[SumWidth-2:WordWidth]);", VALUE),
    Sabotage("carry above the highest word lost", "dual_radix", "multipliers/dual_radix.sv",
             "+ SumWidth'(top_q);", ";", VALUE),
    Sabotage("addition with carries in GF(2**n)", "dual_radix", "multipliers/dual_radix.sv",
             "sum = field_i ? (addend ^ product)", "sum = field_i ? (addend + product)", VALUE),
]  # fmt: skip

CONTROL = [
    Sabotage("one iteration too many", "fast_montgomery", "common/bit_serial_control.sv",
             "LastCount = CountWidth'(Iterations - 1);", "LastCount = CountWidth'(Iterations);",
             rf"{CLOCKS}|{VALUE}|not done"),
    Sabotage("last iteration not taken over", "faster_montgomery", ITERATIONS,
             "end else if (iterate) begin", "end else if (iterate && !last) begin", VALUE),
    Sabotage("stops an iteration early", "optimized_interleaved",
             "common/bit_serial_control.sv",
             "if (count_q == LastCount) state_d", "if (count_q == LastCount - 1'b1) state_d",
             rf"{CLOCKS}|{VALUE}"),
    Sabotage("start clock not used", "unfolded_fast_montgomery", ITERATIONS,
             "assign first = Early && load;", "assign first = 1'b0;", VALUE),
    Sabotage("last clock not noticed", "unfolded_faster_montgomery",
             "common/bit_serial_control.sv",
             "if (count_q == LastCount) state_d", "if (count_q == LastCount - 1'b1) state_d",
             rf"{CLOCKS}|{VALUE}"),
    Sabotage("chain length for single products", "mm42", "multipliers/mm42.sv",
             "assign chain = start_i ? chain_i : chain_q;", "assign chain = 1'b1;",
             rf"{CLOCKS}|{VALUE}"),
    Sabotage("kept product overwritten", "unfolded_mm42", "multipliers/mm42.sv",
             "if (last && !keep_q) begin", "if (last) begin", r"result = ", test="exp_random"),
    Sabotage("one bit of X too few", "mwr2mm", "multipliers/mwr2mm.sv",
             "DigitIndexWidth'(Width);", "DigitIndexWidth'(Width - 1);", rf"{CLOCKS}|{VALUE}"),
    Sabotage("fed one word too few", "mwrkmm", RING,
             "LastWord = WordIndexWidth'(Words - 1);", "LastWord = WordIndexWidth'(Words - 2);",
             rf"{CLOCKS}|{VALUE}"),
    Sabotage("queue too short", "quotient_pipelined", RING,
             "queue_q[(ShortQueue-1)*QueueWidth+:QueueWidth]", "queue_in",
             rf"{CLOCKS}|{VALUE}"),
    Sabotage("zero digit left out", "parallel_high_radix", "multipliers/quotient_pipelined.sv",
             "Digits = XDigits + Stages + 1;", "Digits = XDigits + Stages;",
             rf"{CLOCKS}|{VALUE}"),
    Sabotage("a digit too few", "dual_radix", "multipliers/dual_radix.sv",
             "if (digit_q == last_digit)", "if (digit_q == last_digit - 1'b1)",
             rf"{CLOCKS}|{VALUE}"),
    Sabotage("inverse of the other field kept", "dual_radix", "common/multiplier_control.sv",
             "&& (constants_field_q == field_q)", "", rf"{CLOCKS}|{VALUE}"),
]  # fmt: skip

# What the default parameters of a small operand would not show.
PARAMETERS = {
    "mwr2mm": "{WordWidth: 6, Elements: 2}",
    "mwrkmm": "{WordWidth: 4, DigitWidth: 4, Elements: 1}",
    "quotient_pipelined": "{WordWidth: 4, DigitWidth: 2, Elements: 2}",
    "parallel_high_radix": "{WordWidth: 4, DigitWidth: 4, Elements: 2}",
    "dual_radix": "{UnitWidth: 4, Units: 2}",
    "unfolded_fast_montgomery": "{Unfolding: 3}",
    "unfolded_faster_montgomery": "{Unfolding: 3}",
}


def list_for(case: Sabotage, folder: Path) -> Path:
    parameters = PARAMETERS.get(case.architecture, "{}")
    path = folder / "list.yaml"
    path.write_text(
        f"description: {case.name}\njobs:\n"
        f"  - {{test: {case.test}, architectures: [{case.architecture}], widths: [{WIDTH}], "
        f"simulators: [{SIMULATOR}], operations: 60, parameters: {parameters}}}\n"
    )
    return path


@pytest.mark.parametrize("cases", [DATAPATH, CONTROL], ids=["datapath", "control"])
def test_every_architecture_has_a_case(cases: list[Sabotage]) -> None:
    assert {case.architecture for case in cases} == set(hardware_architectures())


@pytest.mark.parametrize(
    "case", [*DATAPATH, *CONTROL], ids=lambda case: f"{case.architecture}: {case.name}"
)
def test_a_broken_architecture_is_seen(case: Sabotage, tmp_path: Path) -> None:
    hdl = sabotaged_copy(case, tmp_path)
    code, run = run_list(list_for(case, tmp_path), tmp_path, "--hdl", str(hdl))
    assert code == 1
    failures = [line for job in run["jobs"] for line in failures_of(job, tmp_path)]
    assert any(re.search(case.message, line) for line in failures), failures[:3]


@pytest.mark.parametrize("name", hardware_architectures())
def test_the_design_itself_passes(name: str, tmp_path: Path) -> None:
    case = next(case for case in DATAPATH if case.architecture == name)
    code, run = run_list(list_for(case, tmp_path), tmp_path)
    assert code == 0, run["jobs"]
