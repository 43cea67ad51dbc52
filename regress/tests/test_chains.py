"""Jobs that pass their unfinished cases to the next job, and jobs without a simulation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from regress.cli import command_line as cli
from regress.cli.session import execute, load, resume
from regress.cli.workspace import Workspace
from regress.core.archive import finished_jobs
from regress.core.cases import CaseStatus
from regress.core.errors import UsageError
from regress.core.jobfile import Launch
from regress.core.plan import Plan, PlannedJob
from regress.core.runfile import Status
from regress.run.record import RunRecord
from regress.tests.conftest import CONTEXT, FakeBuilder, make_job, make_workspace

# Detects the fault of the case with its seed; the request stays in the folder.
FINDS_ITS_SEED = """
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
job = json.loads((folder / "job.json").read_text())
with (folder / "cases.jsonl").open("w") as file:
    for case in job["cases"]:
        last = job["launch"]["environment"]
        other = "failed" if last else "open"
        status = "passed" if case["number"] == job["seed"] else other
        seen = case.get("seen", 0) + 1
        line = {"name": case["name"], "status": status, "facts": {**case, "seen": seen}}
        line["message"] = "nothing finds it" if status == "failed" else ""
        file.write(json.dumps(line) + "\\n")
if job["seed"] == 9:
    print("nothing works here")
    sys.exit(3)
"""
CASES = tuple({"name": f"case {number}", "number": number} for number in (1, 2, 3))


def chain(*seeds: int, may_break: bool = False, **changes: object) -> list[PlannedJob]:
    """A job a seed, each after the one before; the first has the cases."""
    jobs: list[PlannedJob] = []
    for seed in seeds:
        planned = make_job(seed=seed, **changes)
        environment = {"LAST": "1"} if seed == seeds[-1] else {}
        launch = Launch("module", "test", "top", environment, program="some.program")
        job = replace(planned.job, cases=() if jobs else CASES, launch=launch)
        after = jobs[-1].id if jobs else ""
        jobs.append(replace(planned, id=f"{seed}", job=job, after=after, may_break=may_break))
    return jobs


def run(jobs: list[PlannedJob], workspace: Workspace, out: Path, **changes: object) -> RunRecord:
    plan = Plan(name="chain", seed=1, jobs=tuple(jobs), waves=False, **changes)
    return execute(plan, workspace, Console(quiet=True), workers=2, out=out)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path, FINDS_ITS_SEED)


def outcomes(record: RunRecord) -> dict[str, tuple[str, str]]:
    return {it.case.name: (it.case.status.value, it.record.planned.id) for it in record.cases}


def test_each_case_goes_on_until_a_job_decides_it(tmp_path: Path, workspace: Workspace) -> None:
    record = run(chain(1, 7, 2, 3), workspace, tmp_path / "run")
    assert record.passed
    assert outcomes(record) == {f"case {n}": ("passed", f"{n}") for n in (1, 2, 3)}
    seen = {it.case.name: it.case.facts["seen"] for it in record.cases}
    assert seen == {"case 1": 1, "case 2": 3, "case 3": 4}, (
        "a job passes its results to the next job"
    )
    asked = json.loads((tmp_path / "run/jobs/3/attempt-1/job.json").read_text())["cases"]
    assert [case["name"] for case in asked] == ["case 3"]


def test_what_the_last_job_leaves_has_failed(tmp_path: Path, workspace: Workspace) -> None:
    record = run(chain(1, 2), workspace, tmp_path / "run")
    assert not record.passed
    assert outcomes(record)["case 3"] == ("failed", "2")
    assert [bucket.first for bucket in record.buckets] == ["case 3 in 2"]
    text = (tmp_path / "run" / "junit.xml").read_text()
    assert text.count('name="case ') == 3, "once each"


def test_a_job_that_is_left_nothing_is_not_run(tmp_path: Path, workspace: Workspace) -> None:
    jobs = chain(1, 2, 3, 4, 5)
    record = run(jobs, workspace, tmp_path / "run")
    assert record.passed
    assert [job.status for job in record.jobs] == [Status.PASSED] * 3 + [Status.NOT_RUN] * 2
    assert not (tmp_path / "run/jobs/4").exists()
    assert load(CONTEXT, tmp_path / "run").passed, (
        "what was not run for a reason was not interrupted"
    )


def test_a_chain_is_resumed_with_what_was_left(tmp_path: Path, workspace: Workspace) -> None:
    run(chain(1, 7, 2, 3), workspace, tmp_path / "run")
    for name in ("2", "3"):
        (tmp_path / f"run/jobs/{name}/status.json").unlink()
    loaded = load(CONTEXT, tmp_path / "run")
    done = {job.planned.id: job for job in finished_jobs(CONTEXT, tmp_path / "run", chain(1, 7))}
    assert [case.status for case in done["7"].cases] == [CaseStatus.OPEN] * 2
    assert outcomes(loaded)["case 3"] == ("not_run", "7")
    record = resume(tmp_path / "run", 1, workspace, Console(quiet=True))
    assert record.passed
    assert outcomes(record) == {f"case {n}": ("passed", f"{n}") for n in (1, 2, 3)}
    assert {it.case.facts["seen"] for it in record.cases} == {1, 3, 4}


def test_a_build_that_may_break_fails_nothing(tmp_path: Path) -> None:
    workspace = replace(
        make_workspace(tmp_path, FINDS_ITS_SEED),
        make_builder=lambda **settings: FakeBuilder(tmp_path, broken="64"),
    )
    jobs = chain(1, 2, 3, may_break=True)
    jobs[1] = replace(jobs[1], job=replace(jobs[1].job, point=make_job(width=64).job.point))
    record = run(jobs, workspace, tmp_path / "run")
    assert [job.status for job in record.jobs] == [Status.PASSED, Status.NOT_RUN, Status.FAILED]
    assert "no such wire" in record.jobs[1].message
    assert outcomes(record)["case 2"] == ("failed", "3"), "it was left to the job after"


def test_a_broken_build_far_down_a_chain_waits_for_what_is_left_to_it(tmp_path: Path) -> None:
    workspace = replace(
        make_workspace(tmp_path, FINDS_ITS_SEED),
        make_builder=lambda **settings: FakeBuilder(tmp_path, broken="64"),
    )
    jobs = chain(1, 7, 2, 8, 3, may_break=True)
    for number in (1, 3):  # the build of the second is that of the fourth
        point = make_job(width=64).job.point
        jobs[number] = replace(jobs[number], job=replace(jobs[number].job, point=point))
    record = run(jobs, workspace, tmp_path / "run")
    assert [job.status is Status.NOT_RUN for job in record.jobs] == [
        False,
        True,
        False,
        True,
        False,
    ]
    assert outcomes(record) == {f"case {n}": ("passed", f"{n}") for n in (1, 2, 3)}


def test_a_program_fails_by_its_exit_code(tmp_path: Path, workspace: Workspace) -> None:
    record = run(chain(9, 1, 2, 3), workspace, tmp_path / "run")
    assert not record.passed
    assert [(job.planned.id, job.message) for job in record.problems] == [
        ("9", "nothing works here")
    ]
    assert outcomes(record)["case 3"] == ("passed", "3"), "the others go on with its cases"


def test_a_failed_job_runs_again_after_the_jobs_whose_cases_it_takes_over(
    tmp_path: Path, workspace: Workspace
) -> None:
    run(chain(1, 2), workspace, tmp_path / "run")
    out = tmp_path / "again"
    assert cli.main(["rerun", str(tmp_path / "run"), "--failed", "--out", str(out)], workspace) == 1
    again = load(CONTEXT, out)
    assert [job.planned.id for job in again.problems] == ["2"]
    assert outcomes(again)["case 3"] == ("failed", "2")


def test_a_job_of_a_chain_is_debugged_with_the_cases_that_it_had(
    tmp_path: Path, workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    run(chain(1, 2), workspace, tmp_path / "run")
    out = tmp_path / "debug"
    words = ["debug", str(tmp_path / "run/jobs/2"), "--out"]
    assert cli.main([*words, str(out)], workspace) == 1
    assert set(outcomes(load(CONTEXT, out))) == {"case 2", "case 3"}
    (tmp_path / "run/jobs/2/status.json").unlink()
    assert cli.main([*words, str(tmp_path / "other")], workspace) == 2
    assert "takes over the cases of job 1" in capsys.readouterr().err


def test_a_plan_has_each_job_once_and_the_jobs_before_it(
    tmp_path: Path, workspace: Workspace
) -> None:
    first, second = chain(1, 2)
    with pytest.raises(UsageError, match="job 2 takes over the cases of job 1, which is not in"):
        run([second], workspace, tmp_path / "run")
    with pytest.raises(UsageError, match="job 1 is in the plan twice"):
        run([first, first], workspace, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_job_on_a_design_of_its_own(tmp_path: Path) -> None:
    planned = make_job()
    other = replace(planned, job=replace(planned.job, hdl="/somewhere/altered"))
    assert other.point != planned.point
    assert other.point.name == f"{planned.point.name}-altered"
