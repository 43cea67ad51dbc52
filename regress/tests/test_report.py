"""Reports with content that tries to break them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regress.core.archive import read_run
from regress.core.errors import UsageError
from regress.core.formats.model import as_json
from regress.core.jobfile import JobResult
from regress.core.jobrecord import Bucket, JobRecord
from regress.core.plan import Plan
from regress.core.runfile import RUN_FILE, Disagreement, Rerun, Status
from regress.core.templates import template_cache
from regress.coverage.functional import Group, check_goals
from regress.coverage.holes import find_holes
from regress.history.database import HistoryView, NightlyRun
from regress.history.marks import Mark, MarkedPoint, Point
from regress.report.console import show_run
from regress.report.html import MAX_PICTURE_BYTES, templates, write_html
from regress.report.junit import write_junit
from regress.report.markdown import MAX_BYTES, write_markdown
from regress.report.plots import LEAST_JOBS, history_plots, run_plots
from regress.report.tables import matrix, percent_text, result_rows
from regress.run.buckets import buckets
from regress.run.progress import Display, job_line
from regress.run.record import RunRecord
from regress.tests.conftest import CONTEXT, PASSING_RESULT, PROJECT, make_job
from regress.tests.coverage_files import merge
from regress.tests.sample_report import sample_record

HOSTILE = "<script>alert(1)</script> [red] & \x1b[31m 'x=0x5' | `id` @all \"</style>{{ 7 * 7 }}"


def make_record(folder: Path, *jobs: JobRecord, **changes: Any) -> RunRecord:
    plan = Plan(name="list", source="list.yaml", description="for tests", command=("python",))
    fields = {"finished": True, "jobs": list(jobs), "buckets": buckets(PROJECT, jobs), **changes}
    return RunRecord(CONTEXT, plan, folder, {}, **fields)


def passed(**changes: Any) -> JobRecord:
    result = JobResult(**PASSING_RESULT)
    return JobRecord(make_job(**changes), Status.PASSED, "", 1.0, "jobs/x", result)


def failed(message: str = HOSTILE, **changes: Any) -> JobRecord:
    return JobRecord(make_job(**changes), Status.FAILED, message, 1.0, "jobs/y")


def html(record: RunRecord, history: HistoryView | None = None) -> str:
    return write_html(record, history).read_text()


def terminal(record: RunRecord, folder: Path) -> str:
    console = Console(record=True, width=100, file=(folder / "out").open("w"))
    show_run(console, record)
    return console.export_text()


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """A run in which everything happened that a report can show."""
    return sample_record(tmp_path_factory.mktemp("run"), 200, 6, 3, eventful=True)


def test_the_page_is_self_contained_and_escapes_messages(tmp_path: Path) -> None:
    page = html(make_record(tmp_path, failed(), passed(width=64)))
    assert page.count("<script") == 1
    assert "&lt;script&gt;alert" in page
    assert page.count("</style>") == 1
    assert "49" not in re.sub(r"\d{3,}", "", page[page.index("alert") :][:200])
    assert "http" not in page.replace("http-equiv", "")
    assert page.index("Failures") < page.index("Results")


def test_only_its_own_script_may_run(tmp_path: Path) -> None:
    page = html(make_record(tmp_path, passed()))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src 'none'" in policy[1]
    assert "script-src 'sha256-" in policy[1]


def test_the_page_of_a_passing_run_has_no_failures(tmp_path: Path) -> None:
    page = html(make_record(tmp_path, passed()))
    assert "<h2>Failures</h2>" not in page
    assert "<strong>passed</strong>" in page
    assert "1 passed; 5 operations checked" in page


@pytest.mark.parametrize(("failures", "kinds"), [(0, 1), (1, 1), (300, 22)])
def test_the_page_stays_small(tmp_path: Path, failures: int, kinds: int) -> None:
    record = sample_record(tmp_path, 1500, failures, kinds, 150_000, eventful=bool(failures))
    page = html(record)
    assert len(page.encode()) < 5_000_000
    assert page.count('<article class="failure"') == min(failures, kinds) + bool(failures)
    assert page.count("data:image/svg+xml") >= min(failures, 15)
    if failures > 1:
        assert "The picture is too large for this page" in page


def test_pictures_and_texts_without_measure_do_not_make_the_page_large(tmp_path: Path) -> None:
    picture = tmp_path / "large.svg"
    picture.write_text("<svg>" + "<path/>" * (MAX_PICTURE_BYTES // 7) + "</svg>")
    job = failed("f" * 100_000)
    rerun = Rerun(Status.FAILED, "", "jobs/y", picture.name)
    record = make_record(tmp_path, job, buckets=[Bucket("f" * 100_000, [job], rerun, True)])
    page = html(record)
    assert len(page) < 100_000
    assert 'href="large.svg"' in page


def test_a_picture_is_in_the_page(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg onload='alert(1)'><text>S &amp; C</text></svg>")
    rerun = Rerun(Status.FAILED, "", "jobs/y", "a.svg", "w.fst")
    record = make_record(tmp_path, failed(), buckets=[Bucket("k", [failed()], rerun, True)])
    page = html(record)
    assert 'src="data:image/svg+xml,' in page
    assert "onload=" not in re.sub(r'src="[^"]*"', "", page)
    assert 'href="w.fst"' in page


def test_what_did_not_fail_again_is_called_an_error_of_the_environment(tmp_path: Path) -> None:
    job = failed("m")
    rerun = Rerun(Status.PASSED, "", "jobs/y")
    bucket = Bucket("m", [job], rerun, False, "regress job x")
    record = make_record(tmp_path, job, buckets=[bucket])
    for text in (html(record), write_markdown(record).read_text(), terminal(record, tmp_path)):
        assert "not reproducible, an error of the environment" in text
        assert "regress job x" in text
    same = make_record(tmp_path, job, buckets=[replace(bucket, reproducible=True)])
    assert "not reproducible" not in html(same)


def test_everything_that_happened_is_shown(eventful: RunRecord) -> None:
    text = html(eventful)
    for expected in (
        "time budget of 60 min used up", "expected failure", "an open defect of the core",
        "Icarus Verilog not found", "the worker tcp://10.0.0.7:4021 was lost", "1 lost",
        "Disagreements between simulators", "41 cycles on verilator", "Coverage goals not met",
        "table_address 63", "Exclusions", "Holes in the code", "not run", "line 30, branch branch",
        "invariant of verif/formal", "The waves say:",
    ):  # fmt: skip
        assert expected in text, expected


def test_a_run_that_goes_on_has_a_cheap_page_that_says_so(tmp_path: Path) -> None:
    record = sample_record(tmp_path, 60)
    record.finished = False
    page = html(record)
    assert "This page was written while the run went on: 60 of 60" in page
    assert "<svg" not in page
    assert html(replace(record, finished=True)).count("<svg") == 3


def test_an_interrupted_run_says_how_to_finish_it(tmp_path: Path) -> None:
    page = html(make_record(tmp_path, passed(), interrupted=True))
    assert f"regress run --resume {tmp_path}" in page


def test_holes_come_with_what_reaches_them(tmp_path: Path) -> None:
    record = make_record(tmp_path, passed())
    record.coverage = {"mm42": {"modulus": Group({"full": 1}, {"full", "three"})}}
    page = html(record)
    assert "1 bin not hit in 1 group" in page
    hole = find_holes(PROJECT, record.coverage, {}, [])[0]
    assert f"<td>{hole.tests[0]}" in page
    record.coverage["mm42"]["modulus"].bins["three"] = 1
    assert "not hit in" not in html(record)


def test_problems_of_coverage_are_shown_everywhere(tmp_path: Path, eventful: RunRecord) -> None:
    (line,) = eventful.problems_of_coverage
    assert line in html(eventful)
    assert line in terminal(eventful, tmp_path)
    assert line in write_markdown(eventful).read_text()
    root = ElementTree.parse(write_junit(eventful)).getroot()
    kinds = [failure.get("type") for failure in root.iter("failure")]
    assert kinds.count("problem of coverage") == 1


def test_plots_need_data(tmp_path: Path) -> None:
    assert run_plots(make_record(tmp_path)) == []
    tests = ("random", "corners") * (LEAST_JOBS // 2)
    jobs = [passed(width=4 + number, test=test) for number, test in enumerate(tests)]
    assert run_plots(make_record(tmp_path, *jobs[1:])) == []
    (times,) = run_plots(make_record(tmp_path, *jobs))
    assert times.title == "Run time of the jobs by subject and test"
    assert history_plots([]) == []
    night = NightlyRun.of(make_record(tmp_path, passed()))
    assert history_plots([night, night]) == []
    assert [plot.title for plot in history_plots([night, night, night])] == [
        "Pass rate, %", "Required bins hit, %", "Run time, minutes"
    ]  # fmt: skip


def test_marks_are_shown(tmp_path: Path) -> None:
    job = failed("m")
    point = Point("random", "faster_montgomery", "faster_montgomery 32", "verilator")
    view = HistoryView(marks=[MarkedPoint(point, Mark.NEW_FAILURE, (True, True, False))])
    record = make_record(tmp_path, job)
    page = html(record, view)
    assert page.count('"mark new-failure"') == 2
    assert "●●✗" in page
    text = write_markdown(record, view).read_text()
    assert "| new failure | random faster_montgomery 32 verilator |" in text
    note = HistoryView(note="history.sqlite cannot be used")
    assert "history.sqlite cannot be used" in html(record, note)


def test_cells_of_the_matrix(tmp_path: Path) -> None:
    left_out = JobRecord(make_job(test="corners"), Status.NOT_RUN, "time budget used up")
    record = make_record(tmp_path, passed(), failed(width=64), left_out)
    subjects, tests = matrix(record)
    assert subjects == ["faster_montgomery"]
    assert [name for name, _ in tests] == ["corners", "random"]
    page = html(record)
    assert '<td class="none"' in page
    assert '<td class="fail"' in page
    assert '<td class="pass"' not in page


def test_markdown_escapes_and_is_short(tmp_path: Path, eventful: RunRecord) -> None:
    text = write_markdown(make_record(tmp_path, failed())).read_text()
    assert "<script>" not in text
    assert "@all" not in text
    assert all(line.count(" | ") == 4 for line in text.splitlines() if "&#60;script" in line)
    text = write_markdown(eventful).read_text()
    assert "time budget of 60 min used up" in text
    assert "Simulators that disagree" in text
    jobs = [failed("é" * 5000 + letter, seed=n) for n, letter in enumerate("abcdefghijklmnopqrst")]
    record = make_record(tmp_path, *jobs)
    for bucket in record.buckets:
        bucket.command = "é" * 5000
    assert write_markdown(record).stat().st_size < MAX_BYTES


def test_junit_points_at_our_tests(tmp_path: Path) -> None:
    jobs = [passed(), failed(architecture="fast_montgomery"),
            JobRecord(make_job("icarus"), Status.SKIPPED, "not found"),
            JobRecord(make_job(width=64), Status.BUILD_ERROR, "build failed")]  # fmt: skip
    goals = check_goals(PROJECT, merge([]), ["g"], [("fast_montgomery", "multiplier")])
    root = ElementTree.parse(write_junit(make_record(tmp_path, *jobs, goals=goals))).getroot()
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {"faster_montgomery", "fast_montgomery", "coverage"}
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == (
        "5", "2", "1", "1"
    )  # fmt: skip
    case = suites["faster_montgomery"].find("testcase")
    assert case is not None
    assert case.get("file") == "bench.py"
    assert int(case.get("line", 0)) > 1
    failure = suites["fast_montgomery"].find("testcase/failure")
    assert failure is not None
    assert "'x=0x5'" in failure.get("message", "")


def test_junit_names_buckets_limits_and_disagreements(eventful: RunRecord) -> None:
    root = ElementTree.parse(write_junit(eventful)).getroot()
    failures = [case for case in root.iter("testcase") if case.find("failure") is not None]
    bucket = eventful.buckets[0]
    mine = next(case for case in failures if case.get("name") == bucket.jobs[0].planned.id)
    failure = mine.find("failure")
    assert failure is not None
    assert failure.get("type") == bucket.key
    assert mine.find(f"properties/property[@name='command'][@value='{bucket.command}']") is not None
    skipped = {skip.get("type"): skip.get("message") for skip in root.iter("skipped")}
    assert set(skipped) == {"not_run", "skipped", "expected_failure"}
    assert "an open defect" in (skipped["expected_failure"] or "")
    suite = root.find("testsuite[@name='simulators']")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert "41 cycles" in suite.findall("testcase/failure")[0].get("message", "")
    assert any(item.get("name") == "lost attempts" for item in root.iter("property"))


def test_run_json_follows_its_schema(tmp_path: Path, eventful: RunRecord) -> None:
    for record in (
        eventful,
        make_record(tmp_path),
        make_record(tmp_path, failed(), passed(), interrupted=True),
    ):
        record.write()
        assert read_run(CONTEXT, record.folder) == record.file


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 4}, "the run is of schema 4; accepted: 5"),
        ({"status": "fine"}, "unknown status 'fine'; accepted: passed, failed, interrupted, run"),
        ({"jobs": [{}]}, "jobs[0]: missing 'planned', 'status'"),
        ({"growth": [[1, 2]]}, "growth[0]: missing "),
        ({"more": 1}, "unknown key 'more'; accepted: schema, plan, "),
        ({"summary": {"fine": 1}}, "summary: unknown "),
        ({"seconds": -1}, "seconds: should be greater than or equal to 0, found -1"),
    ],
)
def test_the_format_is_strict(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    data = as_json(make_record(tmp_path, passed()).file)
    (tmp_path / RUN_FILE).write_text(json.dumps({**data, **change}))
    with pytest.raises(UsageError) as caught:
        read_run(CONTEXT, tmp_path)
    assert caught.value.lines[0].startswith(f"{tmp_path}/run.json: {said}")


@pytest.mark.parametrize(
    ("jobs", "changes", "verdict"),
    [
        ([passed()], {}, "passed"),
        ([passed(), failed(width=64)], {}, "failed"),
        ([passed(), JobRecord(make_job("icarus"), Status.SKIPPED)], {}, "passed"),
        ([JobRecord(make_job(), Status.SKIPPED)], {}, "failed"),
        ([passed(), JobRecord(make_job(width=64), Status.BUILD_ERROR)], {}, "failed"),
        ([passed()], {"goals": check_goals(PROJECT, {}, ["g"], [("a", "multiplier")])}, "failed"),
        ([passed()], {"disagreements": [Disagreement(("a", "b"), "differ")]}, "failed"),
        ([passed()], {"interrupted": True}, "interrupted"),
        ([], {}, "failed"),
    ],
)
def test_verdicts(
    tmp_path: Path, jobs: list[JobRecord], changes: dict[str, Any], verdict: str
) -> None:
    record = make_record(tmp_path, *jobs, **changes)
    assert record.verdict == verdict
    assert as_json(record.file)["status"] == verdict


def test_results_are_taken_together_by_top_architecture_width_and_simulator(tmp_path: Path) -> None:
    jobs = [passed(), passed(test="corners"), failed(), passed(width=64), passed(test="exp_random")]
    other, first, second = result_rows(make_record(tmp_path, *jobs))
    assert (other.top, other.jobs) == ("exponentiation", 1)
    assert (first.others, first.jobs, first.passed, first.failed) == ((32,), 3, 2, 1)
    assert (first.operations, first.clock_rate) == (10, 1000.0)
    assert (second.others, second.jobs) == ((64,), 1)


def test_the_terminal_shows_messages_as_they_are(tmp_path: Path) -> None:
    text = terminal(make_record(tmp_path, failed("x=[red] " + "f" * 300)), tmp_path)
    assert "x=[red] " + "f" * 300 in text
    assert f"report: {tmp_path}/report.html" in text


def test_the_terminal_shows_kinds_of_failure_and_incomplete_coverage(
    tmp_path: Path, eventful: RunRecord
) -> None:
    text = terminal(eventful, tmp_path)
    bucket = eventful.buckets[0]
    assert bucket.rerun
    assert f"  reproduce: {bucket.command}" in text
    assert f"  waveform: {eventful.folder / bucket.rerun.picture}" in text
    assert text.count("  first: ") == 3
    assert "simulators disagree: " in text
    assert "stopped: time budget of 60 min used up, 20 jobs not run" in text
    assert "functional coverage: 47 of 48 groups complete" in text
    assert re.search(r"code coverage: \d+ of \d+ line points \(\d+\.\d %\), ", text)
    assert "core_state_arc" not in text


def test_almost_everything_is_not_100_percent() -> None:
    assert percent_text(100.0) == "100 %"
    assert percent_text(100.0 * 9999 / 10000) == "99.9 %"


@pytest.mark.parametrize("terminal", [True, False])
def test_the_display_fits_the_console(tmp_path: Path, terminal: bool) -> None:
    with (tmp_path / "out").open("w") as file:
        display = Display(Console(file=file, width=100, force_terminal=terminal))
        display.start(0, 2, 0)
        display.done(passed())
        display.done(failed("x=[red]"))
        display.stop()
    shown = (tmp_path / "out").read_text()
    assert "[2/2] FAIL" in shown
    assert "x=[red]" in shown
    assert ("[1/2] PASS" in shown) is not terminal


def test_a_job_in_one_line() -> None:
    assert job_line(passed()) == f"PASS {make_job().id} 1.0 s 5 operations"
    assert job_line(failed("x=1")) == f"FAIL {make_job().id} 1.0 s: x=1"


def test_compiled_templates_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    templates.cache_clear()
    templates().get_template("page.js")
    templates.cache_clear()
    assert list((tmp_path / "cocotb-regress" / "templates").iterdir())
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert template_cache() is None
