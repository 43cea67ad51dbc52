"""The history of runs: its content, its marks, and a broken database."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from regress.cli.command_line import main
from regress.cli.session import execute
from regress.core.jobrecord import Bucket, JobRecord
from regress.core.plan import Plan
from regress.core.runfile import Rerun, Status
from regress.core.terminal import sparkline
from regress.history.database import HISTORY_FILE, VERSION, History, HistoryError
from regress.history.marks import (
    Mark,
    Outcome,
    Point,
    Stimulus,
    comparable_sources,
    mark,
    outcomes,
    point_of,
)
from regress.report.html import HTML_FILE
from regress.run.record import RunRecord
from regress.tests.conftest import PASSING_CHILD, make_job, make_workspace
from regress.tests.sample_report import sample_record

HERE = Stimulus("abc", 1, 3)
GOOD, BAD = Outcome(True, HERE), Outcome(False, HERE, 1)
FAILING_CHILD = PASSING_CHILD.replace('"name": "t"', '"name": "u"') + "\nraise SystemExit(3)"


def other_sources(outcome: Outcome) -> Outcome:
    return replace(outcome, stimulus=replace(HERE, sources="def"))


@pytest.mark.parametrize(
    ("now", "earlier", "expected"),
    [
        (GOOD, [], None),
        (BAD, [], Mark.NEW_FAILURE),
        (GOOD, [GOOD], None),
        (BAD, [GOOD], Mark.NEW_FAILURE),
        (BAD, [BAD], Mark.KNOWN),
        (GOOD, [BAD], Mark.FIXED),
        (BAD, [BAD, GOOD], Mark.FLAKY),
        (GOOD, [GOOD, BAD], Mark.FLAKY),
        # Other sources, or other seeds, may well have another outcome.
        (GOOD, [GOOD, other_sources(BAD)], Mark.FIXED),
        (BAD, [other_sources(BAD), other_sources(GOOD)], Mark.NEW_FAILURE),
        (GOOD, [GOOD, replace(BAD, stimulus=replace(HERE, seed=2))], Mark.FIXED),
        (GOOD, [GOOD, replace(BAD, stimulus=replace(HERE, jobs=9))], Mark.FIXED),
        # Too long ago.
        (BAD, [BAD, GOOD] + [GOOD] * 20, Mark.NEW_FAILURE),
    ],
)
def test_marks(now: Outcome, earlier: list[Outcome], expected: Mark | None) -> None:
    assert mark(now, earlier) is expected


def test_what_changes_without_a_commit_is_not_called_flaky() -> None:
    unknown = Stimulus(comparable_sources("abc-dirty"), 1, 3)
    now, past = Outcome(False, unknown), [Outcome(False, unknown), Outcome(True, unknown)]
    assert mark(now, past) is Mark.NEW_FAILURE
    assert comparable_sources("unknown") is None
    assert comparable_sources("abc") == "abc"


def test_what_did_not_fail_again_is_flaky() -> None:
    assert mark(BAD, [BAD], reproducible=False) is Mark.FLAKY


def nightly(folder: Path, night: int, *statuses: Status, name: str = "nightly") -> RunRecord:
    """A run with one job for each status; the first one fails in bucket "b"."""
    jobs = [
        JobRecord(make_job(width=8 * (number + 1)), status, "m", 1.0, "jobs/x")
        for number, status in enumerate(statuses)
    ]
    record = sample_record(folder / f"{name}-{night}", 1, night=night)
    bad = [job for job in jobs if job.status is Status.FAILED]
    plan = replace(record.plan, name=name)
    return replace(record, plan=plan, jobs=jobs, buckets=[Bucket("b", bad)] if bad else [])


def marks(history: History, record: RunRecord) -> list[tuple[int, str]]:
    return [
        (int(entry.point.place.split()[1]), entry.mark.value)
        for entry in history.view(record).marks
    ]


def test_nights_are_kept_and_compared(tmp_path: Path) -> None:
    history = History(tmp_path / HISTORY_FILE)
    first = nightly(tmp_path, 0, Status.PASSED, Status.FAILED, Status.FAILED, Status.PASSED)
    assert marks(history, first) == []
    assert not (tmp_path / HISTORY_FILE).exists()
    history.add(first)
    second = nightly(tmp_path, 1, Status.FAILED, Status.FAILED, Status.PASSED, Status.NOT_RUN)
    assert marks(history, second) == [(8, "new failure"), (16, "known"), (24, "fixed")]
    history.add(second)
    # The test that did not run last night is compared with the night before.
    third = nightly(tmp_path, 2, Status.PASSED, Status.PASSED, Status.PASSED, Status.FAILED)
    assert (32, "new failure") in marks(history, third)
    assert [night.folder for night in history.view(third).nightly_runs] == [
        "nightly-0", "nightly-1", "nightly-2"
    ]  # fmt: skip
    night = history.nightly_runs()[0]
    assert (night.pass_rate, night.ended, night.failed, night.buckets) == (50.0, 4, 2, 1)
    assert night.coverage_percent == 100.0
    assert night.started == first.plan.started
    tests = history.tests(history.nightly_runs())
    entries = tests[point_of(make_job(width=16))]
    assert [outcome.bucket for _, outcome in entries] == ["b", "b"]


def test_a_run_that_is_added_again_replaces_itself(tmp_path: Path) -> None:
    history = History(tmp_path / HISTORY_FILE)
    history.add(nightly(tmp_path, 0, Status.FAILED, Status.INTERRUPTED))
    again = nightly(tmp_path, 0, Status.FAILED, Status.PASSED)
    assert marks(history, again) == []
    history.add(again)
    (night,) = history.nightly_runs()
    assert (night.ended, night.failed) == (2, 1)
    assert len(history.tests([night])) == 2


def test_a_run_that_is_named_by_a_link_is_the_same_run(tmp_path: Path) -> None:
    history = History(tmp_path / HISTORY_FILE)
    record = nightly(tmp_path, 0, Status.PASSED)
    history.add(record)
    (tmp_path / "latest").symlink_to(record.folder.name)
    history.add(replace(record, folder=tmp_path / "latest"))
    assert [night.folder for night in history.nightly_runs()] == [record.folder.name]


def test_other_lists_and_later_runs_say_nothing(tmp_path: Path) -> None:
    history = History(tmp_path / HISTORY_FILE)
    history.add(nightly(tmp_path, 0, Status.FAILED, name="smoke"))
    history.add(nightly(tmp_path, 9, Status.FAILED))
    altered = nightly(tmp_path, 1, Status.FAILED)
    altered.plan = replace(altered.plan, apart="design of /altered")
    history.add(altered)
    assert marks(history, nightly(tmp_path, 3, Status.FAILED)) == []
    history.add(nightly(tmp_path, 2, Status.PASSED))
    assert marks(history, nightly(tmp_path, 3, Status.FAILED)) == [(8, "new failure")]


def test_a_failure_that_did_not_come_again_is_flaky(tmp_path: Path) -> None:
    record = nightly(tmp_path, 0, Status.FAILED)
    record.buckets[0].rerun = Rerun(Status.PASSED, "", "x")
    record.buckets[0].reproducible = False
    assert marks(History(tmp_path / HISTORY_FILE), record) == [(8, "flaky")]


def test_a_point_is_as_good_as_its_worst_seed(tmp_path: Path) -> None:
    jobs = [
        JobRecord(make_job(seed=seed), status, "", 2.0)
        for seed, status in enumerate(
            [Status.PASSED, Status.FAILED, Status.NOT_RUN, Status.EXPECTED_FAILURE]
        )
    ]
    (outcome,) = outcomes(replace(nightly(tmp_path, 0), jobs=jobs), "abc").values()
    assert (outcome.passed, outcome.failed, outcome.stimulus.jobs) == (False, 1, 3)
    assert outcome.seconds == 6.0


def test_runs_that_end_at_once_are_all_kept(tmp_path: Path) -> None:
    records = [nightly(tmp_path, night, Status.PASSED) for night in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda record: History(tmp_path / HISTORY_FILE).add(record), records))
    assert len(History(tmp_path / HISTORY_FILE).nightly_runs()) == 8


def break_it(path: Path, how: str) -> None:
    if how == "corrupt":
        path.write_bytes(b"no database" * 200)
    elif how == "too new":
        with sqlite3.connect(path) as database:
            database.execute(f"PRAGMA user_version = {VERSION + 1}")
    elif how == "a folder":
        path.mkdir()
    elif how == "another's":
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE runs (x)")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("corrupt", "file is not a database"),
        ("too new", f"has version {VERSION + 1}, so there is no history; accepted: {VERSION}"),
        ("a folder", "unable to open database file"),
        ("another's", "table runs already exists"),
    ],
)
def test_a_database_that_cannot_be_used(tmp_path: Path, how: str, message: str) -> None:
    path = tmp_path / HISTORY_FILE
    break_it(path, how)
    with pytest.raises(HistoryError, match=message) as caught:
        History(path).add(nightly(tmp_path, 0, Status.PASSED))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_locked_database(tmp_path: Path) -> None:
    path = tmp_path / HISTORY_FILE
    History(path).add(nightly(tmp_path, 0, Status.PASSED))
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(HistoryError, match="database is locked"):
            History(path, busy_seconds=0.1).add(nightly(tmp_path, 1, Status.PASSED))
    History(path).add(nightly(tmp_path, 1, Status.PASSED))


def run_once(folder: Path, script: str = PASSING_CHILD, out: Path | None = None) -> str:
    """Run one job; what the terminal shows."""
    workspace = make_workspace(folder, script)
    console = Console(file=StringIO(), width=200)
    plan = Plan(name="mine", seed=1, jobs=(make_job(),), waves=False)
    execute(plan, workspace, console, workers=1, out=out)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_runs_add_themselves(tmp_path: Path) -> None:
    run_once(tmp_path)
    run_once(tmp_path, FAILING_CHILD)
    run_once(tmp_path, out=tmp_path / "elsewhere")
    first, second = History(tmp_path / "runs" / HISTORY_FILE).nightly_runs("mine")
    assert (first.verdict, second.verdict) == ("passed", "failed")
    page = (tmp_path / "runs" / second.folder / HTML_FILE).read_text()
    assert "new failure" in page
    assert "The last 2 runs of mine" in page


def test_a_broken_history_costs_one_line_and_no_report(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    path = tmp_path / "runs" / HISTORY_FILE
    break_it(path, "corrupt")
    said = run_once(tmp_path)
    assert said.count("so there is no history") == 1
    page = (tmp_path / "runs" / "latest" / HTML_FILE).read_text()
    assert "so there is no history: file is not a database" in page
    assert "<strong>passed</strong>" in page


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = make_workspace(tmp_path)
    assert main(["history"], workspace) == 0
    assert "no runs in" in capsys.readouterr().out
    workspace.runs.mkdir()
    history = History(workspace.runs / HISTORY_FILE)
    for night, status in enumerate([Status.PASSED, Status.FAILED, Status.FAILED]):
        history.add(nightly(tmp_path, night, status))
    assert main(["history", "--last", "2"], workspace) == 0
    out = capsys.readouterr().out
    assert "nightly-2" in out
    assert "nightly-0" not in out
    assert "nightly: 0 of 2 runs passed" in out
    assert main(["history", "--test", "random", "--list", "nightly"], workspace) == 0
    out = capsys.readouterr().out
    assert "●✗✗" in out
    assert "known" in out
    assert "33.3 %" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--list", "nigthly"], "unknown list in the history 'nigthly'; accepted: nightly; did"),
        (["--test", "x"], "unknown test in these runs 'x'; accepted: random"),
        (["--last", "0"], "'0' is not accepted; accepted: an integer from 1"),
    ],
)
def test_wrong_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    workspace = make_workspace(tmp_path)
    workspace.runs.mkdir()
    History(workspace.runs / HISTORY_FILE).add(nightly(tmp_path, 0, Status.PASSED))
    assert main(["history", *arguments], workspace) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_the_command_on_a_broken_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path)
    workspace.runs.mkdir()
    break_it(workspace.runs / HISTORY_FILE, "corrupt")
    assert main(["history"], workspace) == 2
    assert "file is not a database" in capsys.readouterr().err


def test_sparklines() -> None:
    assert sparkline([0.0, None, 7.0]) == "▁·█ 0 … 7"
    assert sparkline([3.0, 3.0]) == "██ 3"
    assert sparkline([None]) == "·"


def test_points_say_what_they_are() -> None:
    assert Point("random", "mm42", "mm42 8 K=2", "icarus").name == "random mm42 8 K=2 icarus"
