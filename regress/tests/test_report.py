"""Reports with content that tries to break them."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regress.coverage import check_goals, merge
from regress.progress import LiveDisplay, PlainDisplay, display_for, job_line
from regress.record import JobRecord, RunRecord, Status
from regress.report.console import show_run
from regress.report.html import write_html
from regress.report.junit import write_junit
from regress.report.tables import percent_text, result_rows
from regress.tests.conftest import PASSING_RESULT, make_job
from verif.job import JobResult

HOSTILE = "<script>alert(1)</script> [red] & \x1b[31m 'x=0x5'"


def make_record(folder: Path, *jobs: JobRecord, **changes: Any) -> RunRecord:
    return RunRecord(
        name="list", source="list.yaml", description="for tests", command=["python"], options={},
        seed=1, folder=folder, simulators={}, started=datetime.now().astimezone(), finished=True,
        jobs=list(jobs), **changes,
    )  # fmt: skip


def passed(**changes: Any) -> JobRecord:
    result = JobResult(**PASSING_RESULT)
    return JobRecord(make_job(**changes), Status.PASSED, "", 1.0, "jobs/x", result)


def failed(message: str = HOSTILE, **changes: Any) -> JobRecord:
    return JobRecord(make_job(**changes), Status.FAILED, message, 1.0, "jobs/y")


def test_the_page_is_self_contained_and_escapes_messages(tmp_path: Path) -> None:
    page = write_html(make_record(tmp_path, failed(), passed(width=64))).read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page
    assert page.index("Failures") < page.index("Results")


def test_the_page_of_a_green_run_has_no_failures(tmp_path: Path) -> None:
    page = write_html(make_record(tmp_path, passed())).read_text()
    assert "<h2>Failures</h2>" not in page
    assert "PASSED: 1 passed" in page


def test_three_hundred_failures_fit(tmp_path: Path) -> None:
    jobs = [failed("f" * 400, seed=seed) for seed in range(300)]
    assert write_html(make_record(tmp_path, *jobs)).stat().st_size < 1_000_000


def test_junit_points_at_our_tests(tmp_path: Path) -> None:
    jobs = [passed(), failed(architecture="fast_montgomery"),
            JobRecord(make_job("icarus"), Status.SKIPPED, "not found"),
            JobRecord(make_job(width=64), Status.BUILD_ERROR, "build failed")]  # fmt: skip
    goals = check_goals(merge([]), ["g"], [("fast_montgomery", "multiplier")])
    root = ElementTree.parse(write_junit(make_record(tmp_path, *jobs, goals=goals))).getroot()
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {"faster_montgomery", "fast_montgomery", "coverage"}
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == (
        "5", "2", "1", "1"
    )  # fmt: skip
    case = suites["faster_montgomery"].find("testcase")
    assert case is not None
    assert case.get("file") == "verif/tests/multiplier_tests.py"
    assert int(case.get("line", 0)) > 1
    failure = suites["fast_montgomery"].find("testcase/failure")
    assert failure is not None
    assert "'x=0x5'" in failure.get("message", "")


@pytest.mark.parametrize(
    ("jobs", "changes", "verdict"),
    [
        ([passed()], {}, "passed"),
        ([passed(), failed(width=64)], {}, "failed"),
        ([passed(), JobRecord(make_job("icarus"), Status.SKIPPED)], {}, "passed"),
        ([JobRecord(make_job(), Status.SKIPPED)], {}, "failed"),
        ([passed(), JobRecord(make_job(width=64), Status.BUILD_ERROR)], {}, "failed"),
        ([passed()], {"goals": check_goals({}, ["g"], [("a", "multiplier")])}, "failed"),
        ([passed()], {"interrupted": True}, "interrupted"),
        ([], {}, "failed"),
    ],
)
def test_verdicts(
    tmp_path: Path, jobs: list[JobRecord], changes: dict[str, Any], verdict: str
) -> None:
    record = make_record(tmp_path, *jobs, **changes)
    assert record.verdict == verdict
    assert record.as_json()["status"] == verdict


def test_results_are_taken_together_by_top_architecture_width_and_simulator(tmp_path: Path) -> None:
    jobs = [passed(), passed(test="corners"), failed(), passed(width=64), passed(test="exp_random")]
    other, first, second = result_rows(make_record(tmp_path, *jobs))
    assert (other.design, other.jobs) == ("exponentiation", 1)
    assert (first.width, first.jobs, first.passed, first.failed) == (32, 3, 2, 1)
    assert (first.operations, first.clock_rate) == (10, 1000.0)
    assert (second.width, second.jobs) == (64, 1)


def test_the_terminal_shows_messages_as_they_are(tmp_path: Path) -> None:
    console = Console(record=True, width=100, quiet=False, file=(tmp_path / "out").open("w"))
    show_run(console, make_record(tmp_path, failed("x=[red] " + "f" * 300)))
    text = console.export_text()
    assert "x=[red] " + "f" * 300 in text
    assert f"report: {tmp_path}/report.html" in text


def test_almost_everything_is_not_100_percent() -> None:
    assert percent_text(100.0) == "100 %"
    assert percent_text(100.0 * 9999 / 10000) == "99.9 %"


def test_the_display_fits_the_console(tmp_path: Path) -> None:
    plain = Console(file=(tmp_path / "plain").open("w"))
    terminal = Console(file=(tmp_path / "terminal").open("w"), force_terminal=True)
    assert isinstance(display_for(plain), PlainDisplay)
    live = display_for(terminal)
    assert isinstance(live, LiveDisplay)
    live.start(0, 2)
    live.done(passed())
    live.done(failed("x=[red]"))
    live.stop()
    terminal.file.flush()
    assert "x=[red]" in (tmp_path / "terminal").read_text()
    assert "PASS" not in (tmp_path / "terminal").read_text()


def test_a_job_in_one_line() -> None:
    assert job_line(passed()) == f"PASS {make_job().id} 1.0 s 5 operations"
    assert job_line(failed("x=1")) == f"FAIL {make_job().id} 1.0 s: x=1"
