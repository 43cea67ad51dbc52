"""Coverage of finished runs: read, merged, and rejected when something is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regress.cli.session import load
from regress.core.errors import UsageError
from regress.coverage.exclusions import BinFormat, Exclusions
from regress.coverage.store import coverage_of_run, merge_runs
from regress.tests.conftest import CONTEXT
from regress.tests.coverage_files import (
    hits,
    make_design,
    make_run,
    run_file,
    stored_job,
    write_dat,
)

NONE = Exclusions(Path("exclusions.yaml"))
ONE = hits({"0": 1}, ["0", "1"])
TWO = hits({"0": 2, "1": 1}, ["0", "1"])


def test_functional_and_code_coverage_of_a_run(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {"a": ONE, "b": TWO}, hdl=make_design(tmp_path))
    found = coverage_of_run(CONTEXT, run, NONE)
    group = found.merged.functional["faster_montgomery"]["table_address"]
    assert group.bins == {"0": 3, "1": 1}
    assert found.merged.total_code is not None
    assert sorted(found.merged.total_code.hits.values()) == [0, 2, 6, 8]
    assert [job.planned.id for job in found.jobs] == ["a", "b"]
    assert not found.problems


def test_jobs_that_failed_do_not_count(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {"a": ONE, "b": TWO})
    data = json.loads((run / "run.json").read_text())
    data["jobs"][1]["status"] = "failed"
    (run / "run.json").write_text(json.dumps(data))
    found = coverage_of_run(CONTEXT, run, NONE)
    assert found.merged.functional["faster_montgomery"]["table_address"].missing == ["1"]


def test_exclusions_are_applied_and_stale_ones_noticed(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {"a": ONE})
    good = (3, BinFormat(group="table_address", bin="1", reason="why"))
    found = coverage_of_run(CONTEXT, run, Exclusions(Path("e.yaml"), (good,)))
    group = found.merged.functional["faster_montgomery"]["table_address"]
    assert (group.missing, group.excluded) == ([], {"1"})
    stale = Exclusions(
        Path("e.yaml"), (good, (9, BinFormat(group="table_address", bin="0", reason="why")))
    )
    (line,) = found.stale_exclusions(stale)
    assert line.startswith("e.yaml:9: ")


def test_a_killed_run_has_what_its_jobs_left(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {"a": ONE})
    data = json.loads((run / "run.json").read_text())
    (run / "jobs" / "a" / "status.json").write_text(json.dumps(stored_job("a")))
    (run / "run.json").write_text(json.dumps({**data, "jobs": []}))
    assert coverage_of_run(CONTEXT, run, NONE).merged.functional


def test_a_run_whose_jobs_were_cleaned_up_has_what_it_wrote_down(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {})
    data = json.loads((run / "run.json").read_text())
    coverage = {"faster_montgomery": ONE.coverage}
    data.update(jobs=[stored_job("a")], coverage=coverage)
    (run / "run.json").write_text(json.dumps(data))
    found = coverage_of_run(CONTEXT, run, NONE).merged.functional
    assert found["faster_montgomery"]["table_address"].missing == ["1"]


def remove_result(run: Path) -> None:
    (run / "jobs" / "a" / "result.json").unlink()


def cut_result(run: Path) -> None:
    path = run / "jobs" / "a" / "result.json"
    path.write_text(path.read_text()[:40])


def corrupt_result(run: Path) -> None:
    path = run / "jobs" / "a" / "result.json"
    path.write_text(path.read_text().replace('"0": 1', '"0": -1'))


def empty_code(run: Path) -> None:
    (run / "jobs" / "a" / "coverage.dat").write_text("")


def cut_code_between_lines(run: Path) -> None:
    path = run / "jobs" / "b" / "coverage.dat"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))


BROKEN = [
    (remove_result, r"jobs/a/result\.json is missing"),
    (cut_result, r"jobs/a/result\.json cannot be read"),
    (corrupt_result, r"jobs/a/result\.json: coverage.*found -1"),
    (empty_code, r"jobs/a/coverage\.dat:1: not a Verilator coverage file"),
    (cut_code_between_lines, r"jobs/b/coverage\.dat: 2 points, but .*/a/coverage\.dat .* has 4"),
]


@pytest.mark.parametrize(("corrupt", "message"), BROKEN)
def test_a_file_that_is_wrong_is_named(tmp_path: Path, corrupt: object, message: str) -> None:
    run = make_run(tmp_path / "run", {"a": ONE, "b": TWO}, hdl=make_design(tmp_path))
    corrupt(run)
    with pytest.raises(UsageError, match=message) as error:
        coverage_of_run(CONTEXT, run, NONE)
    assert len(error.value.lines) == 1
    # A report can still be made of the rest.
    lenient = coverage_of_run(CONTEXT, run, NONE, lenient=True)
    assert lenient.problems == list(error.value.lines)
    assert lenient.merged.functional["faster_montgomery"]["table_address"].bins


def test_a_job_that_measured_code_coverage_must_have_left_it(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {"a": ONE}, code_coverage=True)
    with pytest.raises(UsageError, match=r"coverage\.dat is missing"):
        coverage_of_run(CONTEXT, run, NONE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "run.json is missing: .* is not a run"),
        ("{", "run.json cannot be read"),
        ("[]", "run.json: the run: should be a mapping, found a list"),
        ('{"name": "x"}', "run.json: the run is of schema None; accepted: 5"),
        ('{"schema": 5}', "run.json: missing 'plan'"),
        (json.dumps(run_file(plan={"name": "x", "started": "today"})), "run.json: plan: started: "),
        (json.dumps(run_file()), "nothing can be merged"),
        (json.dumps(run_file(jobs=[{}])), r"run.json: jobs\[0\]: missing 'planned'"),
    ],
)
def test_what_is_no_run_is_rejected(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=message):
        coverage_of_run(CONTEXT, tmp_path, NONE)


def test_runs_are_merged(tmp_path: Path) -> None:
    runs = [
        make_run(tmp_path / "1", {"a": ONE}),
        make_run(tmp_path / "2", {"a": TWO}),
        make_run(tmp_path / "3", {"a": ONE}, architecture="mwrkmm"),
    ]
    together = merge_runs(CONTEXT, runs, NONE).functional
    assert together["faster_montgomery"]["table_address"].bins == {"0": 3, "1": 1}
    assert list(together) == ["faster_montgomery", "mwrkmm"]


def test_merging_no_runs_is_an_error() -> None:
    with pytest.raises(UsageError, match="no run is given; accepted: one folder"):
        merge_runs(CONTEXT, [], NONE)


def test_code_coverage_of_different_sources_is_not_merged(tmp_path: Path) -> None:
    hdl = make_design(tmp_path)
    runs = [
        make_run(tmp_path / "1", {"a": ONE}, hdl=hdl),
        make_run(tmp_path / "2", {"a": ONE}, hdl=hdl, sources="def"),
    ]
    with pytest.raises(UsageError, match="of def cannot be merged with that of abc"):
        merge_runs(CONTEXT, runs, NONE)


def test_code_coverage_of_runs_on_the_same_sources_is_merged(tmp_path: Path) -> None:
    hdl = make_design(tmp_path)
    runs = [make_run(tmp_path / str(i), {"a": ONE}, hdl=hdl) for i in (1, 2)]
    write_dat(runs[1] / "jobs" / "a" / "coverage.dat", hdl, (0, 9, 0, 0))
    total = merge_runs(CONTEXT, runs, NONE).total_code
    assert total is not None
    assert not total.holes()


def test_reading_a_run_with_code_coverage_leaves_its_file(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run", {"a": ONE}, hdl=make_design(tmp_path), sources="abc", code_coverage=True
    )
    data = json.loads((run / "run.json").read_text())
    (run / "plan.json").write_text(
        json.dumps({**data["plan"], "jobs": [job["planned"] for job in data["jobs"]]})
    )
    before = (run / "run.json").read_text()
    assert any(planned.job.code_coverage for planned in load(CONTEXT, run).plan.jobs)
    assert (run / "run.json").read_text() == before
