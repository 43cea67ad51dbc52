"""Broken exponentiation cores turn their test red, for the reason that was meant."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from verif.tests.sabotage import SIMULATOR, Sabotage, failures_of, run_list, sabotaged_copy

# Small, so that Icarus is quick, and of several words: on the bus, in the adders, in the ring.
WIDTH = 16
PARAMETERS = "{BusWidth: 8, AddWidth: 8}"
OPERANDS = re.compile(r"base=0x[0-9a-f]+ exponent=0x[0-9a-f]+ modulus=0x[0-9a-f]+ length=\d+")
CORE = "rsa/exponentiation.sv"
CONTROL = "rsa/exponentiation_control.sv"
LOADER = "bus/operand_loader.sv"
RING = "common/systolic_ring.sv"
WRONG = r"result = 0x[0-9a-f]+, gmpy2 says 0x[0-9a-f]+"

VALUES = [
    Sabotage(
        "R**2 off by one",
        "faster_montgomery",
        CORE,
        "(Width + Guard)'(take_power ? power : r_squared_operand);",
        "(Width + Guard)'(take_power ? power + 1'b1 : r_squared_operand);",
        WRONG,
    ),
    Sabotage(
        "R**2 off by one after the squarings",
        "mwrkmm",
        CORE,
        "r_squared_q <= s_product;",
        "r_squared_q <= s_product + 1'b1;",
        WRONG,
    ),
    Sabotage(
        "R**2 of the old modulus kept",
        "mwrkmm",
        CONTROL,
        "r_squared_valid_q && !m_written_i;",
        "r_squared_valid_q;",
        r"R\*\*2 was kept, expected it to be computed",
    ),
    Sabotage(
        "missing last domain exit",
        "mwrkmm",
        CONTROL,
        "state_d = montgomery ? PowerExit : PowerEnd;",
        "state_d = PowerEnd;",
        WRONG,
    ),
    Sabotage(
        "A and S swapped",
        "mwrkmm",
        CORE,
        "(entry || check || plain_first) ? one : a_product;",
        "(entry || check || plain_first) ? one : ends ? s_product : a_product;",
        WRONG,
    ),
    Sabotage(
        "exponent shifted once too often",
        "optimized_interleaved",
        CORE,
        "exponent[index[$clog2(WriteSlot)-1:0]]",
        "exponent[index[$clog2(WriteSlot)-1:0]+1'b1]",
        WRONG,
    ),
    Sabotage(
        "top carry of the final adder lost",
        "fast_montgomery",
        "common/word_serial_modular_adder.sv",
        "carry_q <= sum_word[AddWidth];",
        "carry_q <= sum_word[AddWidth] && (index_q != LastWord - 1'b1);",
        WRONG,
    ),
    Sabotage(
        "one PE delay wrong",
        "mwrkmm",
        "multipliers/mwrkmm_element.sv",
        "assign y_o = y_q[(Latency-1)*WordWidth+:WordWidth];",
        "assign y_o = y_q[(Latency-2)*WordWidth+:WordWidth];",
        WRONG,
    ),
    Sabotage(
        "carry between words of a PE lost",
        "mwrkmm",
        "multipliers/mwrkmm_element.sv",
        "carry_xy_q <= sum_xy[ProductWidth-1:WordWidth];",
        "carry_xy_q <= '0;",
        WRONG,
    ),
    Sabotage(
        "core never ready",
        "mwrkmm",
        RING,
        "assign ready_o = result;",
        "assign ready_o = 1'b0;",
        r"operation not done within \d+ clocks",
    ),
    Sabotage(
        # Nothing depends on the last S: the result is right.
        "last S wrong",
        "mwrkmm",
        CORE,
        ": (entry || square_first) ? r_squared_q : plain_first ? base : s_product;",
        ": (entry || square_first) ? r_squared_q : plain_first ? base "
        ": (index + 16'd1 == length) ? '0 : s_product;",
        r"product \d+: s = 0x0, the model says 0x[0-9a-f]+",
        test="exp_products",
    ),
]
PROTOCOL = [
    Sabotage(
        "length not checked",
        "fast_montgomery",
        CORE,
        "&& (length <= LengthWidth'(Width));",
        ";",
        r"expected LENGTH_RANGE",
        test="exp_bad_input",
    ),
    Sabotage(
        "exponent not checked",
        "fast_montgomery",
        CONTROL,
        "if (!exponent_legal_i) outcome_d = StatusExponentRange;",
        "",
        r"expected EXPONENT_RANGE",
        test="exp_bad_input",
    ),
    Sabotage(
        "wrong R**2 accepted",
        "mwrkmm",
        CONTROL,
        "if (!result_is_one_i) outcome_d = StatusConstantInconsistent;",
        "",
        r"expected CONSTANT_INCONSISTENT",
        test="exp_bad_input",
    ),
    Sabotage(
        "wrong m' accepted",
        "mwrkmm",
        CORE,
        "&& (m_prime != Width'(m_prime_operand))",
        "&& 1'b0",
        r"expected CONSTANT_INCONSISTENT",
        test="exp_bad_input",
    ),
    Sabotage(
        "exponent can be read",
        "fast_montgomery",
        CORE,
        "({96'd0, 16'(Width)})",
        "({80'd0, 16'(Width), 16'(Width)})",
        r"expected UNKNOWN_ADDRESS",
        test="exp_bad_input",
    ),
    Sabotage(
        "operands rewritten while busy",
        "fast_montgomery",
        LOADER,
        "end else if (busy_i) begin",
        "end else if (busy_i && !write_i) begin",
        r"expected BUSY",
        test="exp_bus",
    ),
    # Found by the mutation campaign.
    Sabotage(
        "the first clock after a reset is lost",
        "mwrkmm",
        LOADER,
        "bus_error_q <= BusErrorNone; zeroise_q <= 1'b0;",
        "bus_error_q <= BusErrorNone; zeroise_q <= 1'b1;",
        r"write 0x0 to select 0: answered with NONE, expected UNKNOWN_ADDRESS",
        test="exp_bad_input",
    ),
]
SECRETS = [
    Sabotage(
        "time depends on the exponent",
        "fast_montgomery",
        CONTROL,
        "if (index_next == length_q) state_d",
        "if ((index_next == length_q) || ((index_next == 16'd8) && bit_i)) state_d",
        r"busy for \d+ clocks, but for \d+ with other values of length",
        test="exp_constant_time",
    ),
    Sabotage(
        "operands survive zeroise",
        "fast_montgomery",
        LOADER,
        "assign operand_rst_n = rst_ni && !zeroise_q;",
        "assign operand_rst_n = rst_ni;",
        r"zeroised after \d+ clocks: \d+ signals hold something: \S+value_q",
        test="exp_zeroise",
    ),
    Sabotage(
        "R**2 survives zeroise",
        "mwrkmm",
        CORE,
        "negedge core_rst_n) begin if (!core_rst_n) begin r_squared_q <= '0;",
        "negedge rst_ni) begin if (!rst_ni) begin r_squared_q <= '0;",
        r"zeroised after \d+ clocks: \d+ signals hold something: r_squared_q",
        test="exp_zeroise",
    ),
    Sabotage(
        "products survive a reset",
        "mwrkmm",
        RING,
        "if (!rst_ni) s_q <= '0; else if (delivering",
        "if (!rst_ni) s_q <= s_q; else if (delivering",
        r"signals hold something: \S+s_q",
        test="exp_zeroise",
    ),
    Sabotage(
        "a reset sets bits that the next clocks shift out",
        "mwrkmm",
        "multipliers/mwrkmm_element.sv",
        "last_q <= '0; y_q <= '0;",
        "last_q <= '0; y_q <= '1;",
        r"in a reset after \d+ clocks: \d+ signals hold something: \S+y_q = 1+",
        test="exp_zeroise",
    ),
    Sabotage(
        "a reset does not end ZEROISE",
        "mwrkmm",
        LOADER,
        "bus_error_q <= BusErrorNone; zeroise_q <= 1'b0; end else",
        "bus_error_q <= BusErrorNone; end else",
        r"in a reset \d clocks after the request for ZEROISE: 1 signals hold \S+: \S+zeroise_q = 1",
        test="exp_zeroise",
    ),
    Sabotage(
        "zeroise does not end the operation",
        "mwrkmm",
        CORE,
        "u_control ( .clk_i, .rst_ni (core_rst_n),",
        "u_control ( .clk_i, .rst_ni (rst_ni),",
        r"busy or done a clock after ZEROISE was acknowledged",
        test="exp_reset",
    ),
]
OPERATIONS = {
    "exp_reset": 40,
    "exp_zeroise": 2,
    "exp_constant_time": 1,
    "exp_bad_input": 2,
    "exp_bus": 10,
}


def list_with(test: str, folder: Path) -> Path:
    """A list of one test, on every architecture."""
    path = folder / "one.yaml"
    path.write_text(
        f"description: one job\njobs:\n  - {{test: {test}, architectures: all, widths: [{WIDTH}], "
        f"simulators: [{SIMULATOR}], operations: {OPERATIONS.get(test, 40)}, "
        f"parameters: {PARAMETERS}}}\n"
    )
    return path


def seen(case: Sabotage, folder: Path) -> list[str]:
    """The failures that a sabotage leads to and that say what is meant; not empty."""
    code, run = run_list(
        list_with(case.test, folder),
        folder,
        *("--hdl", str(sabotaged_copy(case, folder)), "--arch", case.architecture),
    )
    (job,) = run["jobs"]
    assert (code, job["status"]) == (1, "failed"), job
    failures = failures_of(job, folder)
    matching = [failure for failure in failures if re.search(case.message, failure)]
    assert matching, failures[:5]
    return matching


def _skip_without_state_elements(test: str) -> None:
    """ZEROISE is judged by every state element. A fast Verilator model hides most of them; Icarus
    Verilog, which is not among the pinned packages, shows all."""
    if test == "exp_zeroise" and SIMULATOR != "icarus":
        pytest.skip("only Icarus Verilog shows every state element")


@pytest.mark.simulation
@pytest.mark.parametrize("case", VALUES, ids=lambda c: c.name.replace(" ", "-"))
def test_a_wrong_value_is_red_and_names_the_operands(case: Sabotage, tmp_path: Path) -> None:
    case = replace(case, test="exp_random") if case.test == "random" else case
    assert any(OPERANDS.search(failure) for failure in seen(case, tmp_path))


@pytest.mark.simulation
@pytest.mark.parametrize("case", PROTOCOL, ids=lambda c: c.name.replace(" ", "-"))
def test_what_must_be_refused_and_is_not_is_red(case: Sabotage, tmp_path: Path) -> None:
    seen(case, tmp_path)


@pytest.mark.simulation
@pytest.mark.parametrize("case", SECRETS, ids=lambda c: c.name.replace(" ", "-"))
def test_a_leak_is_red(case: Sabotage, tmp_path: Path) -> None:
    _skip_without_state_elements(case.test)
    seen(case, tmp_path)


@pytest.mark.simulation
@pytest.mark.parametrize(
    "test", sorted({case.test for case in PROTOCOL + SECRETS} | {"exp_random", "exp_products"})
)
def test_the_untouched_core_is_green(test: str, tmp_path: Path) -> None:
    _skip_without_state_elements(test)
    code, run = run_list(list_with(test, tmp_path), tmp_path, "--arch", "mwrkmm")
    assert (code, len(run["jobs"])) == (0, 1), [job["message"] for job in run["jobs"]]
