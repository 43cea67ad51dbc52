"""Broken designs turn the smallest list red, with a message that names the operands.

Each sabotage is one edit of a copy of ``hdl``; a list that would stay green on it would be worth
nothing. The list runs on Icarus where it is installed (it builds in a fraction of a second), else
on Verilator.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from models.registry import hardware_architectures
from verif.design import ROOT

SIMULATOR = "icarus" if shutil.which("iverilog") else "verilator"
OPERANDS = re.compile(r"x=0x[0-9a-f]+ y=0x[0-9a-f]+ m=0x[0-9a-f]+")
DROPPED_ACKNOWLEDGE = """\
      ack_q <= accept && (dropped_q || !(write_i && (select == SelectYS)));
      if (accept && write_i && (select == SelectYS)) dropped_q <= 1'b1;
"""


@dataclass(frozen=True)
class Sabotage:
    """One edit: ``old`` becomes ``new``, exactly once, in ``file`` below hdl."""

    name: str
    architecture: str
    file: str
    old: str
    new: str
    message: str


SABOTAGES = [
    Sabotage(
        "wrong table entry",
        "faster_montgomery",
        "multipliers/faster_montgomery_table.sv",
        "4'b0011: value_o = '0;",
        "4'b0011: value_o = {1'b0, y_i};",  # as source 001 prints it
        r"P = |not congruent",
    ),
    Sabotage(
        "wrong interleaved table entry",
        "optimized_interleaved",
        "multipliers/optimized_interleaved_table.sv",
        "3'd5: value_o = entry_5;",
        "3'd5: value_o = entry_4;",
        r"P = |not congruent",
    ),
    Sabotage(
        "> for >= in the final subtraction",
        "fast_montgomery",
        "common/word_serial_modular_adder.sv",
        "if (reduce_q && !borrow_q) begin",
        "if (reduce_q && !borrow_q && !zero_q) begin",
        r"P = ",
    ),
    Sabotage(
        "lost top carry of the carry-save adder",
        "fast_montgomery",
        "multipliers/fast_montgomery.sv",
        "c_q <= carry_m[Width:1];",
        "c_q <= {1'b0, carry_m[Width-1:1]};",
        r"not congruent|the model says",
    ),
    Sabotage(
        "lost carry between words of the final addition",
        "faster_montgomery",
        "common/word_serial_modular_adder.sv",
        "<= sum_word[AddWidth];",
        "<= 1'b0;",
        r"P = ",
    ),
    Sabotage(
        "counter one short",
        "fast_montgomery",
        "common/bit_serial_control.sv",
        "CountWidth'(Iterations - 1)",
        "CountWidth'(Iterations - 2)",
        r"loop took 32 clocks, the formula says 33",
    ),
    Sabotage(
        "acknowledge dropped once",
        "fast_montgomery",
        "bus/operand_loader.sv",
        "      ack_q <= accept;\n",
        DROPPED_ACKNOWLEDGE,
        r"lost, doubled or changed|transfers refused|status",
    ),
    Sabotage(
        "acknowledge never comes for M",
        "fast_montgomery",
        "bus/operand_loader.sv",
        "      ack_q <= accept;\n",
        "      ack_q <= accept && (select != SelectMC);\n",
        r"no acknowledge within \d+ clocks",
    ),
    Sabotage(
        "acknowledge without a request",
        "fast_montgomery",
        "bus/operand_loader.sv",
        "      ack_q <= accept;\n",
        "      ack_q <= accept || (busy_i && !req_i && !ack_q);\n",
        r"acknowledge without request",
    ),
    Sabotage(
        "wait states ignored",
        "fast_montgomery",
        "bus/operand_loader.sv",
        "req_i && !ack_q && !wait_i;",
        "req_i && !ack_q;",
        r"asked for wait states, none was seen",
    ),
    Sabotage(
        "core never busy",
        "fast_montgomery",
        "multipliers/fast_montgomery.sv",
        "(state_o != StateStarting);",
        "1'b0;",
        r"the core's busy did not last",
    ),
    Sabotage(
        "core never done",
        "optimized_interleaved",
        "common/bit_serial_control.sv",
        "if (count_q == LastCount) state_d = StateFinished;",
        "if (count_q == LastCount) state_d = StateRunning;",
        r"operation not done within \d+ clocks",
    ),
    Sabotage(
        "S and C exchanged",
        "faster_montgomery",
        "multiplier.sv",
        ".s_o               (s),\n    .c_o               (c),",
        ".s_o               (c),\n    .c_o               (s),",
        r"the model says",
    ),
    Sabotage(
        "operand range not checked",
        "fast_montgomery",
        "common/multiplier_control.sv",
        "else if (out_of_range_d && !raw_q) outcome_d = StatusOperandRange;",
        "else if (1'b0) outcome_d = StatusOperandRange;",
        r"expected OPERAND_RANGE",
    ),
    Sabotage(
        "start while busy accepted",
        "fast_montgomery",
        "bus/operand_loader.sv",
        "refusal = BusErrorStartWhileBusy;",
        "refusal = BusErrorNone;",
        r"expected START_WHILE_BUSY",
    ),
    Sabotage(
        "constants of the old modulus kept",
        "optimized_interleaved",
        "common/multiplier_control.sv",
        "constants_valid_q && !m_written_i;",
        "constants_valid_q;",
        r"busy for|P = ",
    ),
    Sabotage(
        "S not cleared by a start",
        "faster_montgomery",
        "multipliers/faster_montgomery.sv",
        "      x_q <= x_i;\n      s_q <= '0;",
        "      x_q <= x_i;",
        r"not congruent",
    ),
]
# One is about a single transfer, one about the whole job.
ABOUT_NO_OPERATION = {"start while busy accepted", "wait states ignored"}
# The test that should see it, where it is not the list's own.
OTHER_TESTS = {"operand range not checked": "bad_input", "start while busy accepted": "bus"}


def sabotage(case: Sabotage, folder: Path) -> Path:
    """A copy of ``hdl`` with the edit made; the edit must apply exactly once."""
    hdl = folder / "hdl"
    shutil.copytree(ROOT / "hdl", hdl)
    path = hdl / case.file
    text = path.read_text()
    assert text.count(case.old) == 1, f"{case.file} has {case.old!r} {text.count(case.old)} times"
    text = text.replace(case.old, case.new)
    if "dropped_q" in case.new:
        text = text.replace("  logic ack_q, err_q;", "  logic ack_q, err_q, dropped_q;")
        text = text.replace("      ack_q       <= 1'b0;", "      ack_q <= 0; dropped_q <= 0;")
    path.write_text(text)
    return hdl


def run_list(name: str | Path, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Run a list from the command line; exit code and ``run.json``."""
    out = folder / "run"
    command = [sys.executable, "-m", "regress", "run", str(name), "--out", str(out), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (out / "run.json").is_file(), done.stdout + done.stderr
    return done.returncode, json.loads((out / "run.json").read_text())


def list_for(case: Sabotage, folder: Path) -> str | Path:
    """The quick list, or one like it with the test that should see the sabotage."""
    test = OTHER_TESTS.get(case.name)
    if test is None:
        return "quick"
    path = folder / "one.yaml"
    path.write_text(
        f"description: one job\njobs:\n  - {{test: {test}, architectures: all, widths: [32], "
        f"simulators: [{SIMULATOR}], operations: 20}}\n"
    )
    return path


@pytest.mark.simulation
@pytest.mark.parametrize("case", SABOTAGES, ids=lambda c: c.name.replace(" ", "-"))
def test_sabotage_is_red_and_names_the_operands(case: Sabotage, tmp_path: Path) -> None:
    code, run = run_list(
        list_for(case, tmp_path),
        tmp_path,
        *("--hdl", str(sabotage(case, tmp_path)), "--arch", case.architecture),
        *("--sim", SIMULATOR),
    )
    assert code == 1
    (job,) = run["jobs"]
    assert job["status"] == "failed", job
    result = json.loads((tmp_path / "run" / "jobs" / job["id"] / "result.json").read_text())
    matching = [failure for failure in result["failures"] if re.search(case.message, failure)]
    assert matching, result["failures"][:5]
    if case.name not in ABOUT_NO_OPERATION:
        assert any(OPERANDS.search(failure) for failure in matching), matching[:5]


@pytest.mark.simulation
def test_the_untouched_design_is_green_and_both_simulators_agree(tmp_path: Path) -> None:
    """Same seed, same stimulus: operations, clocks and coverage are equal, job by job."""
    simulators = ("verilator", "icarus") if SIMULATOR == "icarus" else ("verilator",)
    results: dict[str, list[dict[str, Any]]] = {}
    for simulator in simulators:
        folder = tmp_path / simulator
        folder.mkdir()
        code, run = run_list("quick", folder, "--sim", simulator)
        assert code == 0, run["jobs"]
        results[simulator] = [
            json.loads((folder / "run" / "jobs" / job["id"] / "result.json").read_text())
            for job in run["jobs"]
        ]
        assert len(results[simulator]) == len(hardware_architectures())
    if len(simulators) == 2:
        for verilator, icarus in zip(*results.values(), strict=True):
            for fact in ("operations", "clocks", "coverage", "failures"):
                assert verilator[fact] == icarus[fact]
