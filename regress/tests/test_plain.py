"""Plain cocotb tests in all their forms, and every way in which one can fail."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from regress.core.errors import UsageError
from regress.core.selecting import Expression, checked
from regress.run.reruns import python_path
from regress.tests.forked import regress
from regress.tests.test_samples import needs_icarus

DESIGN = """\
module dut (input logic clk, fin, fat, bad);
  always @(posedge bad) $error("state %0d", 3);
  always @(posedge fin) $finish;
  always @(posedge fat) $fatal(1, "no luck with %0d", 7);
endmodule
"""
FORMS = """\
import os
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer

@cocotb.test()
@cocotb.parametrize(step=[1, 3])
async def steps(dut, step):
    await Timer(step, "ns")
    assert step != 3, f"step {step}"

@cocotb.test()
async def two(dut):
    value = 6
    await Timer(20, "ns")
    assert value == 7

@cocotb.skipif(True, reason="not today")
@cocotb.test()
async def not_here(dut):
    assert False

@cocotb.test(expect_error=ValueError, name="renamed")
async def original(dut):
    raise ValueError("x")

@cocotb.xfail(raises=AssertionError)
@cocotb.test(stage=2)
async def known(dut):
    assert False

@cocotb.test()
async def finishes(dut):
    dut.fin.value = 0
    await Timer(5, "ns")
    dut.fin.value = 1
    await Timer(5, "ns")

@cocotb.test()
async def fatals(dut):
    dut.fat.value = 0
    await Timer(5, "ns")
    dut.fat.value = 1
    await Timer(5, "ns")

@cocotb.test()
async def errs(dut):
    dut.bad.value = 0
    await Timer(5, "ns")
    dut.bad.value = 1
    await Timer(5, "ns")

@cocotb.test()
async def exits(dut):
    os._exit(0)

@cocotb.test()
async def waits(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    await RisingEdge(dut.fin)

@cocotb.test()
async def spins(dut):
    while True:
        pass
"""
BROKEN = "import cocotb\nimport no_such_helper\n@cocotb.test()\nasync def one(dut):\n    pass\n"
# Modules that cocotb's variables must serve: one can be imported only in a simulation.
NAMED = """\
import os
import cocotb
assert os.environ["COCOTB_TOPLEVEL"] == "dut"
assert os.environ["COCOTB_TEST_MODULES"] == "test_named"
@cocotb.test()
async def named(dut):
    pass
"""
SIMULATED = NAMED.replace("named", "simulated") + 'os.environ["COCOTB_RESULTS_FILE"]\n'
LIST = """\
description: all
jobs:
  - {test: "*", simulators: [icarus], time_limit: 1us, timeout: 30s}
  - {test: spins, simulators: [icarus], timeout: 4s}
"""
# The message of each failure, by test; an empty one for a pass.
MESSAGES = {
    "steps/step=1": "",
    "steps/step=3": "step 3 (test_forms.py:10)",
    "two": "assert 6 == 7 (test_forms.py:16)",
    "not_here": "skipped by cocotb: not today",
    "renamed": "",
    "known": "",
    "finishes": "$finish in the design ended the simulation at 5 ns, before test finishes did",
    "fatals": "FATAL: dut.sv:4: no luck with 7",
    "errs": "",
    "named": "",
    "simulated": "",
    "exits": "ProcessExit: os._exit(0) ended the simulation (test_forms.py:55)",
    "waits": "SimTimeoutError: time_limit of the list reached at 1 us, the test still waits "
    "(test_forms.py:60)",
    "spins": "timed out after 4 s at 0 ns: Python runs without an await (test_forms.py:6",
    "test_broken": "ModuleNotFoundError: No module named 'no_such_helper' (test_broken.py:2)",
}


@needs_icarus
@pytest.mark.simulation
def test_every_form_of_a_test_is_a_job_and_every_failure_has_its_message(tmp_path: Path) -> None:
    (tmp_path / "dut.sv").write_text(DESIGN)
    (tmp_path / "test_forms.py").write_text(FORMS)
    (tmp_path / "test_broken.py").write_text(BROKEN)
    (tmp_path / "test_named.py").write_text(NAMED)
    (tmp_path / "test_simulated.py").write_text(SIMULATED)
    assert regress(tmp_path, "init").returncode == 0
    (tmp_path / "lists" / "quick.yaml").write_text(LIST)
    done = regress(tmp_path, "run", "quick", "--no-waves", "--jobs", "2", "--out", "out")
    assert done.returncode == 1, done.stderr
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    found = {job["planned"]["job"]["test"]: job for job in record["jobs"]}
    assert found.keys() == MESSAGES.keys()
    for name, message in MESSAGES.items():
        assert found[name]["message"].startswith(message), found[name]["message"]
        assert bool(found[name]["message"]) == bool(message), found[name]["message"]
    assert found["not_here"]["status"] == "skipped"
    assert found["two"]["failed_at_ns"] == 20.0
    assert found["errs"]["warning"] == "ERROR: dut.sv:2: state 3"
    assert "1 job passed although the design reported: ERROR: dut.sv:2: state 3" in done.stdout
    failures = [message for message in MESSAGES.values() if message and "skipped" not in message]
    assert len(record["buckets"]) == len(failures)
    junit = ElementTree.parse(tmp_path / "out" / "junit.xml").getroot()
    commands = {
        case.get("name"): [
            said.get("value") for said in case.iter("property") if said.get("name") == "command"
        ]
        for case in junit.iter("testcase")
    }
    (command,) = commands["steps.step=3-icarus-s1"]
    assert command.startswith("regress job steps/step=3 icarus --seed ")
    assert not (tmp_path / "runs" / "quick").exists()
    assert (tmp_path / "runs" / "latest").resolve() == (tmp_path / "out").resolve()
    assert "Operations" not in done.stdout


def selected(text: str) -> list[str]:
    names = ["steps/n=4", "steps/n=8", "steps_more", "reset"]
    return [name for name in names if Expression(text).selects(name)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("steps", ["steps/n=4", "steps/n=8", "steps_more"]),
        ("steps/*", ["steps/n=4", "steps/n=8"]),
        ("STEPS and not n=8", ["steps/n=4", "steps_more"]),
        ("reset or (steps and n=8)", ["steps/n=8", "reset"]),
        ("nothing", []),
    ],
)
def test_an_expression_selects_tests_as_pytest_does(text: str, names: list[str]) -> None:
    assert selected(text) == names


@pytest.mark.parametrize("text", ["and", "a or", "(a", "a b", ""])
def test_an_incomplete_expression_is_one_line(text: str) -> None:
    with pytest.raises(UsageError, match=r"-k '.*': .*; accepted: words with and, or, not"):
        Expression(text)


def test_an_unknown_test_names_the_known_ones() -> None:
    assert checked("test", "s*", ["steps", "reset"]) == ["steps"]
    with pytest.raises(UsageError, match="unknown test 'x'; accepted: steps, reset"):
        checked("test", "x", ["steps", "reset"])


def test_the_reproduction_command_has_the_python_path_that_the_run_needs(tmp_path: Path) -> None:
    package = str(Path(__file__).parents[2])
    value = f"{package}:{tmp_path / 'lib'}:/elsewhere:{tmp_path}"
    assert python_path(tmp_path, value) == "lib:/elsewhere"
    assert python_path(tmp_path, "") == ""
