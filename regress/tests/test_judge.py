"""Every way in which a job can fail to prove that it passed."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import NOT_ENDED, JobResult, Launch
from regress.core.processes import Ended
from regress.run.judge import MAX_MESSAGE, Evidence, judge
from regress.tests.conftest import PASSING_RESULT, PASSING_XML, PROJECT, make_job
from regress.tests.stand_in import StandIn


def ended(returncode: int = 0, timed_out: bool = False) -> Ended:
    return Ended(returncode, timed_out, cancelled=False, seconds=1.0)


def evidence(**changes: Any) -> Evidence:
    fields: dict[str, Any] = {
        "ended": ended(),
        "timeout": 30.0,
        "results_xml": PASSING_XML,
        "result": JobResult(**PASSING_RESULT),
    }
    return Evidence(**{**fields, **changes})


def test_complete_evidence_passes() -> None:
    verdict = judge(PROJECT, make_job().job, evidence())
    assert verdict.passed
    assert verdict.message == ""


def xml(inside: str) -> str:
    return f'<testsuites><testsuite><testcase name="t">{inside}</testcase></testsuite></testsuites>'


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ended": ended(-9, timed_out=True)}, "timed out after 30 s"),
        (
            {"ended": ended(-9, timed_out=True), "result": JobResult(failures=["x=1 is wrong"])},
            "x=1 is wrong; then timed out after 30 s",
        ),
        (
            {"ended": ended(-9, timed_out=True), "result": JobResult(failures=[NOT_ENDED])},
            f"timed out after 30 s; first failure: {NOT_ENDED}",
        ),
        ({"ended": ended(-signal.SIGSEGV)}, "simulator crashed with signal 11 (SIGSEGV)"),
        ({"ended": ended(128 + signal.SIGABRT)}, "simulator crashed with signal 6 (SIGABRT)"),
        (
            {"ended": ended(-signal.SIGVTALRM)},
            "simulated time stood still, as in a loop of signals without a clock",
        ),
        ({"ended": ended(3)}, "simulator exited with code 3"),
        (
            {"results_xml": None, "last_line": "ImportError: x"},
            "missing results.xml (exit code 0); the log ends with: ImportError: x",
        ),
        ({"results_xml": "<testsuites"}, "results.xml is not readable"),
        ({"results_xml": "<html/>"}, "results.xml is not readable"),
        ({"results_xml": "<testsuites/>"}, "results.xml has no test case"),
        ({"results_xml": xml('<failure message="wrong"/>')}, "wrong"),
        ({"results_xml": xml('<error message="raised"/>')}, "raised"),
        (
            {"results_xml": xml('<failure type="KeyError" message="no a"/>')},
            "KeyError: no a",
        ),
        (
            {
                "results_xml": xml('<failure type="KeyError" message="no a"/>'),
                "result": JobResult(operations=5, failures=["x=1"]),
            },
            "KeyError: no a; first failure: x=1",
        ),
        (
            {
                "results_xml": xml('<failure type="AssertionError" message="2 failures: x=1"/>'),
                "result": JobResult(operations=5, failures=["x=1", "x=2"]),
            },
            "x=1 (and 1 more)",
        ),
        (
            {
                "results_xml": xml('<failure type="SimFailure" message="ended prematurely"/>'),
                "complaint": "%Error-DIDNOTCONVERGE: a.sv:9: Active region did not converge",
            },
            "%Error-DIDNOTCONVERGE: a.sv:9: Active region did not converge",
        ),
        ({"results_xml": xml("<failure/>")}, "test t failed"),
        ({"results_xml": xml("<skipped/>")}, "test t was skipped"),
        ({"result": None, "result_problem": "result.json is missing"}, "result.json is missing"),
        ({"result": JobResult()}, "no operation checked"),
        ({"result": JobResult(operations=5, failures=["x=1"])}, "x=1"),
        ({"result": JobResult(operations=5, failures=["x=1", "x=2"])}, "x=1 (and 1 more)"),
    ],
)
def test_incomplete_evidence_fails(changes: dict[str, Any], message: str) -> None:
    verdict = judge(PROJECT, make_job().job, evidence(**changes))
    assert not verdict.passed
    assert verdict.message == message


def test_a_skip_fails_a_plain_job_only_alone() -> None:
    both = xml("<skipped/>").replace("</testsuite>", '<testcase name="u"/></testsuite>', 1)
    job = make_job().job
    plain = replace(job, launch=Launch("m", "", "x", plain=True))
    assert judge(PROJECT, plain, evidence(results_xml=both)).passed
    assert judge(PROJECT, job, evidence(results_xml=both)).message == "test t was skipped"
    assert judge(PROJECT, plain, evidence(results_xml=xml("<skipped/>"))).skipped


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("ERROR: a.sv:2: illegal state", True),
        ("FATAL: a.sv:2: illegal state", True),
        ("[35] %Error: a.sv:2: Assertion failed in top.a: illegal state", True),
        ("a.vhd:9:5:@5ns:(assertion error): illegal state", True),
        ("a.vhd:9:5:@5ns:(report failure): illegal state", True),
        ("** Error: 5ns+0: Assertion Failure", True),
        ("xmsim: *E,ASRTST (./a.sv,2): (time 5 NS) Assertion has failed", True),
        ("a.vhd:9:5:@0ms:(assertion warning): metavalue detected", False),
        ("WARNING: a.sv:2: odd", False),
        ("ERROR: no such vector", False),
        ("     5.00ns ERROR    test   a.sv:2: x", False),
    ],
)
def test_an_error_of_the_design_is_a_warning_or_fails(
    tmp_path: Path, line: str, counts: bool
) -> None:
    (tmp_path / "result.json").write_text(json.dumps(PASSING_RESULT))
    (tmp_path / "results.xml").write_text(PASSING_XML)
    (tmp_path / "log.txt").write_text(f"first\n{line}\n" + 9999 * "other\n")
    found = Evidence.collect(PROJECT, tmp_path, ended(), 30.0)
    verdict = judge(PROJECT, make_job().job, found)
    assert (verdict.passed, verdict.warning) == (True, line if counts else "")
    strict = StandIn(PROJECT.root)
    strict.errors_fail = True
    verdict = judge(strict, make_job().job, found)
    assert (verdict.passed, verdict.message) == (not counts, line if counts else "")
    assert not verdict.warning


def test_a_crash_still_names_the_first_mismatch() -> None:
    result = JobResult(operations=5, failures=["x=1"])
    verdict = judge(PROJECT, make_job().job, evidence(ended=ended(-11), result=result))
    assert verdict.message == "simulator crashed with signal 11 (SIGSEGV); first failure: x=1"


def test_the_message_is_one_line_of_limited_length() -> None:
    result = JobResult(operations=5, failures=["x\n  y " + "f" * 1000])
    message = judge(PROJECT, make_job().job, evidence(result=result)).message
    assert message.startswith("x y f")
    assert len(message) == MAX_MESSAGE


def test_long_operands_do_not_hide_what_is_wrong() -> None:
    number = "0x12345678" + "0" * 500 + "abcd"
    failure = f"fast_montgomery 2048 bits at 5 ns: x={number} y={number} m={number}: P = {number}"
    message = judge(
        PROJECT, make_job().job, evidence(result=JobResult(operations=5, failures=[failure]))
    )
    assert message.message.endswith("m=0x12345678…abcd: P = 0x12345678…abcd")


def case(name: str, message: str = "") -> Case:
    return Case(name, CaseStatus.FAILED if message else CaseStatus.PASSED, message)


@pytest.mark.parametrize(
    ("cases", "message", "statuses"),
    [
        ((), "a: no outcome", ["not_run", "not_run"]),
        ((case("b"), case("c")), "a: no outcome", ["not_run", "passed"]),
        ((case("a"), case("a"), case("b")), "a: 2 outcomes, expected one", ["failed", "passed"]),
        ((case("a"), case("b", "P = 0x2")), "b: P = 0x2", ["passed", "failed"]),
        ((case("a", "y"), case("b", "z")), "a: y (and 1 more)", ["failed", "failed"]),
        ((case("b"), case("a")), "", ["passed", "passed"]),
    ],
)
def test_every_case_needs_its_outcome(
    cases: tuple[Case, ...], message: str, statuses: list[str]
) -> None:
    job = make_job(test="vectors", cases=({"name": "a"}, {"name": "b"})).job
    verdict = judge(PROJECT, job, evidence(result=JobResult(operations=1), cases=cases))
    assert verdict.message == message
    assert verdict.passed == (not message)
    assert [found.name for found in verdict.cases] == ["a", "b"]
    assert [found.status.value for found in verdict.cases] == statuses


def test_a_job_that_dies_keeps_the_cases_it_has_finished() -> None:
    job = make_job(test="vectors", cases=({"name": "a"}, {"name": "b"}, {"name": "c"})).job
    found = (case("a"), case("b", "P = 0x2"))
    verdict = judge(PROJECT, job, evidence(ended=ended(-11), result=None, cases=found))
    crash = "simulator crashed with signal 11 (SIGSEGV); first failure: b: P = 0x2"
    assert verdict.message == crash
    assert [found.status.value for found in verdict.cases] == ["passed", "failed", "not_run"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "result.json is missing"),
        ("{", "result.json cannot be read"),
        ("[]", "result.json: the result: should be a mapping, found a list"),
        ('{"surprise": 1}', "result.json: unknown key 'surprise'; accepted: operations, "),
        ('{"operations": "5"}', "result.json: operations: should be a valid integer, found '5'"),
        (
            '{"coverage": {"g": {"bins": {"a": -1}, "goal": []}}}',
            "result.json: coverage.g.bins: a: should be greater than or equal to 0, found -1",
        ),
        ('{"coverage": {"g": {}}}', "result.json: coverage.g: missing 'bins', 'goal'"),
    ],
)
def test_an_unreadable_result_is_named(tmp_path: Path, content: str | None, problem: str) -> None:
    if content is not None:
        (tmp_path / "result.json").write_text(content)
    (tmp_path / "results.xml").write_text(PASSING_XML)
    found = Evidence.collect(PROJECT, tmp_path, ended(), 30.0)
    assert found.result is None
    assert problem in judge(PROJECT, make_job().job, found).message


def test_evidence_is_read_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text(json.dumps(PASSING_RESULT))
    (tmp_path / "results.xml").write_text(PASSING_XML)
    (tmp_path / "log.txt").write_text("first\n%Error: a.sv:9: stopped\nlast\n\n")
    found = Evidence.collect(PROJECT, tmp_path, ended(), 30.0)
    assert found.last_line == "last"
    assert found.complaint == "%Error: a.sv:9: stopped"
    assert judge(PROJECT, make_job().job, found).passed


def test_a_file_that_icarus_cannot_read_is_the_message(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("/b/sim.vvp:25: syntax error\nCommand failed: 1\n")
    found = Evidence.collect(PROJECT, tmp_path, ended(1), 30.0)
    message = judge(PROJECT, make_job().job, found).message
    assert message.startswith("sim.vvp:25: syntax error: Icarus cannot read what it compiled")


@pytest.mark.parametrize(
    ("log", "complaint"),
    [
        (
            "[30] %Error: d.v:3: Assertion failed in d: illegal\n%Error: d.v:3: Verilog $stop\n",
            "%Error: d.v:3: Assertion failed in d: illegal",
        ),
        ("%Error: d.v:3: Verilog $stop\n", "%Error: d.v:3: Verilog $stop"),
    ],
)
def test_a_stop_after_an_error_is_not_the_complaint(
    tmp_path: Path, log: str, complaint: str
) -> None:
    (tmp_path / "log.txt").write_text(log)
    assert Evidence.collect(PROJECT, tmp_path, ended(), 30.0).complaint == complaint
