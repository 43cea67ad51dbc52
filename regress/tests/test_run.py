"""Real child processes that behave as badly as simulators do."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from regress.core.jobrecord import JobRecord
from regress.core.limits import DiskSpace, Limit
from regress.core.listformat import ExpectedFailure
from regress.core.plan import Plan, PlannedJob
from regress.core.processes import ProcessGroups
from regress.core.runfile import Status
from regress.executors.local import Command, Executor, LocalExecutor
from regress.run.attempts import JobRunner
from regress.run.progress import Display
from regress.run.record import RunRecord
from regress.run.runner import Run
from regress.tests.conftest import CONTEXT, PASSING_CHILD, PROJECT, FakeBuilder, child, make_job

ONLY_XML = PASSING_CHILD.replace('(folder / "result.json")', '(folder / "else.json")')
ONLY_RESULT = PASSING_CHILD.replace('(folder / "results.xml")', '(folder / "else.xml")')
NO_OPERATION = PASSING_CHILD.replace("'operations': 5", "'operations': 0")
# The grandchild is what a simulator's own helper would be.
GRANDCHILD = """
import pathlib, subprocess, sys, time
folder = pathlib.Path(sys.argv[1])
other = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
(folder / "pid").write_text(str(other.pid))
"""
HANG = GRANDCHILD + "time.sleep(60)\n"


def run_one(folder: Path, script: str, planned: PlannedJob | None = None) -> tuple[Status, str]:
    record, _ = attempt_one(folder, script, planned)
    return record.status, record.message


def attempt_one(
    folder: Path,
    script: str,
    planned: PlannedJob | None = None,
    command: Command | None = None,
    groups: ProcessGroups | None = None,
) -> tuple[JobRecord, bool]:
    """The record of one attempt, and whether the infrastructure is to blame."""
    executor = LocalExecutor(PROJECT.root, groups or ProcessGroups(), 1, command or child(script))
    runner = JobRunner(PROJECT, folder, executor)
    attempt = runner.attempt(planned or make_job(), folder)
    return runner.judge(attempt, runner.start(attempt))


def first_attempt(folder: Path, planned: PlannedJob | None = None) -> Path:
    return folder / "jobs" / (planned or make_job()).id / "attempt-1"


def gone(pid: int) -> bool:
    """The process has ended (it may still wait to be reaped)."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_job_that_proves_itself_passes(tmp_path: Path) -> None:
    assert run_one(tmp_path, PASSING_CHILD) == (Status.PASSED, "")
    assert {path.name for path in first_attempt(tmp_path).iterdir()} == {
        "job.json", "log.txt", "operations.jsonl", "results.xml", "result.json"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("", "missing results.xml (exit code 0)"),
        ("print('License expired')", "missing results.xml (exit code 0); the log ends with: "),
        (ONLY_RESULT, "missing results.xml"),
        (ONLY_XML, "result.json is missing"),
        (NO_OPERATION, "no operation checked"),
        (PASSING_CHILD + "sys.exit(3)", "simulator exited with code 3"),
        (PASSING_CHILD + "import os; os.kill(os.getpid(), 11)", "simulator crashed with signal 11"),
        ("import os; os.abort()", "simulator crashed with signal 6 (SIGABRT)"),
    ],
)
def test_a_job_that_does_not_fails(tmp_path: Path, script: str, message: str) -> None:
    status, found = run_one(tmp_path, script)
    assert status is Status.FAILED
    assert found.startswith(message)


def test_a_hanging_job_is_ended_with_its_whole_group(tmp_path: Path) -> None:
    planned = make_job(timeout=5.0)
    start = time.monotonic()
    status, message = run_one(tmp_path, HANG, planned)
    assert (status, message) == (Status.FAILED, "timed out after 5 s")
    assert time.monotonic() - start < 40
    assert gone(int((first_attempt(tmp_path, planned) / "pid").read_text()))


def test_what_a_job_leaves_running_is_ended(tmp_path: Path) -> None:
    run_one(tmp_path, GRANDCHILD)
    assert gone(int((first_attempt(tmp_path) / "pid").read_text()))


def test_a_child_that_cannot_start_fails_its_job(tmp_path: Path) -> None:
    record, infrastructure = attempt_one(
        tmp_path, "", command=lambda folder, build: ["/nowhere/simulator"]
    )
    assert record.status is Status.FAILED
    assert "No such file" in record.message
    assert infrastructure


def test_each_attempt_has_a_folder_of_its_own(tmp_path: Path) -> None:
    folders = [attempt_one(tmp_path, PASSING_CHILD)[0].folder for _ in range(2)]
    assert folders == [f"jobs/{make_job().id}/attempt-{number}" for number in (1, 2)]


def test_the_environment_of_a_job_is_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COCOTB_TEST_FILTER", "something else")
    monkeypatch.setenv("WAVES", "1")
    script = "import os; print(sorted(n for n in os.environ if n[:6] in ('COCOTB', 'WAVES')))"
    run_one(tmp_path, script)
    assert (first_attempt(tmp_path) / "log.txt").read_text() == "[]\n"


def make_run(
    folder: Path,
    script: str,
    broken: str = "",
    workers: int = 2,
    limits: Sequence[Limit] = (),
    executor: Executor | None = None,
    console: Console | None = None,
    use: Callable[[PlannedJob], int] = lambda _: 1,
) -> tuple[Run, RunRecord]:
    record = RunRecord(CONTEXT, Plan(name="list", goals=("table_address",)), folder, {})
    run = Run(
        record=record,
        builder=FakeBuilder(folder, broken).build,
        executor=executor or LocalExecutor(PROJECT.root, ProcessGroups(), workers, child(script)),
        display=Display(console or Console(quiet=True)),
        workers=workers,
        limits=limits,
        use=use,
    )
    return run, record


def test_a_failed_build_fails_its_jobs_and_the_others_go_on(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, PASSING_CHILD, broken="-64-")
    run.execute([make_job(), make_job(width=64), make_job(width=64, test="corners")], {})
    assert [job.status for job in record.jobs] == [
        Status.PASSED, Status.BUILD_ERROR, Status.BUILD_ERROR
    ]  # fmt: skip
    assert record.jobs[1].message == "build failed: %Error: no such wire"
    assert not record.passed


def test_jobs_of_one_build_share_it(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, PASSING_CHILD)
    run.execute([make_job(), make_job(test="corners"), make_job("icarus")], {})
    assert len(record.builds) == 2
    assert record.passed


def test_a_run_in_which_no_job_ran_has_not_passed(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, PASSING_CHILD)
    run.execute([make_job("icarus")], {"icarus": "not found"})
    assert record.jobs[0].status is Status.SKIPPED
    assert not record.passed


def test_an_interrupt_ends_the_jobs_and_leaves_a_complete_record(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, HANG, workers=1)
    first = make_job()

    def interrupt() -> None:
        pid_file = first_attempt(tmp_path, first) / "pid"
        while not (pid_file.exists() and pid_file.read_text()):
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    run.execute([first, make_job(test="corners")], {})
    assert record.interrupted
    assert record.verdict == "interrupted"
    assert [job.status for job in record.jobs] == [Status.INTERRUPTED] * 2
    assert gone(int((first_attempt(tmp_path, first) / "pid").read_text()))


def test_nothing_is_started_after_an_interrupt(tmp_path: Path) -> None:
    groups = ProcessGroups()
    groups.cancel()
    record, infrastructure = attempt_one(tmp_path, PASSING_CHILD, groups=groups)
    assert record.status is Status.INTERRUPTED
    assert not infrastructure
    assert not (first_attempt(tmp_path) / "results.xml").exists()


# The first attempt is killed from outside; the second one finds its mark.
KILLED_ONCE = (
    """
import os, pathlib, sys
mark = pathlib.Path(sys.argv[1]).parent / "mark"
if not mark.exists():
    mark.write_text("")
    os.kill(os.getpid(), 9)
"""
    + PASSING_CHILD
)
WRONG = PASSING_CHILD.replace("'wall_seconds'", "'failures': ['x=0x5: P = 0x1'], 'wall_seconds'")


def test_a_job_that_was_killed_gets_a_second_attempt(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, KILLED_ONCE)
    run.execute([make_job()], {})
    (job,) = record.jobs
    assert job.status is Status.PASSED
    assert job.lost == ("simulator crashed with signal 9 (SIGKILL)",)
    assert job.folder.endswith("attempt-2")


def test_a_job_that_is_killed_each_time_has_failed(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, "import os; os.kill(os.getpid(), 9)")
    run.execute([make_job()], {})
    (job,) = record.jobs
    assert job.status is Status.FAILED
    assert job.message.startswith("infrastructure failure, 2 attempts: simulator crashed")


def test_a_test_failure_is_never_tried_again(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, WRONG)
    run.execute([make_job()], {})
    (job,) = record.jobs
    assert (job.status, job.message, job.lost) == (Status.FAILED, "x=0x5: P = 0x1", ())
    assert not (tmp_path / "jobs" / make_job().id / "attempt-2").exists()


@pytest.mark.parametrize(
    ("script", "pattern", "status", "message"),
    [
        (WRONG, "P = ", Status.EXPECTED_FAILURE, "ticket 7: x=0x5: P = 0x1"),
        (WRONG, "timed out", Status.FAILED, "failed otherwise than expected ('timed out'): x=0x5"),
        (PASSING_CHILD, "P = ", Status.FAILED, "passed, but was expected to fail: ticket 7"),
    ],
)
def test_an_expected_failure_must_match(
    tmp_path: Path, script: str, pattern: str, status: Status, message: str
) -> None:
    planned = replace(make_job(), expected=ExpectedFailure("ticket 7", pattern))
    run, record = make_run(tmp_path, script)
    run.execute([planned], {})
    (job,) = record.jobs
    assert job.status is status
    assert job.message.startswith(message)
    assert record.passed == (status is Status.EXPECTED_FAILURE)


class After:
    """A limit that is reached after so many jobs."""

    def __init__(self, run: Path, jobs: int, fatal: bool = False) -> None:
        self.fatal = fatal
        self._run = run
        self._jobs = jobs

    def reason(self) -> str:
        ended = len(list(self._run.glob("jobs/*/status.json")))
        return "enough" if ended >= self._jobs else ""


@pytest.mark.parametrize("fatal", [False, True])
def test_a_limit_leaves_the_rest_of_the_plan_undone(tmp_path: Path, fatal: bool) -> None:
    run, record = make_run(tmp_path, PASSING_CHILD, workers=1, limits=[After(tmp_path, 2, fatal)])
    run.execute([make_job(seed=seed, width=16 + seed) for seed in range(5)], {})
    assert [job.status for job in record.jobs] == [Status.PASSED] * 2 + [Status.NOT_RUN] * 3
    assert record.stopped == "enough"
    assert record.passed == (not fatal)


def test_what_fails_on_a_full_disk_has_not_failed(tmp_path: Path) -> None:
    full = DiskSpace(tmp_path, lambda path: 0 if (tmp_path / "jobs").exists() else 10**9)
    run, record = make_run(tmp_path, ONLY_XML, workers=1, limits=[full.limit])
    run.execute([make_job(), make_job(test="corners")], {})
    assert [job.status for job in record.jobs] == [Status.NOT_RUN] * 2
    assert all("is full (0.0 MB left)" in job.message for job in record.jobs)
    assert not record.passed


def test_a_row_ends_with_its_time(tmp_path: Path) -> None:
    entry = [
        replace(make_job(seed=seed, width=16 + seed), entry="my.yaml:3", budget=0.001)
        for seed in range(4)
    ]
    other = replace(make_job(test="corners"), entry="my.yaml:9")
    run, record = make_run(tmp_path, PASSING_CHILD, workers=1)
    run.execute([*entry, other], {})
    assert [job.status for job in record.jobs] == [
        Status.PASSED, Status.NOT_RUN, Status.NOT_RUN, Status.NOT_RUN, Status.PASSED
    ]  # fmt: skip
    assert record.passed


def test_jobs_start_in_the_order_of_the_plan(tmp_path: Path) -> None:
    """A run that is cut short has seen every build's first seed before any second one."""
    run, record = make_run(tmp_path, PASSING_CHILD, workers=1, limits=[After(tmp_path, 3)])
    points = [make_job(width=width) for width in (16, 32, 64)]
    again = [make_job(width=width, test="corners") for width in (16, 32, 64)]
    run.execute([*points, *again], {})
    assert [job.status for job in record.jobs] == [Status.PASSED] * 3 + [Status.NOT_RUN] * 3


def test_finished_jobs_are_not_run_again(tmp_path: Path) -> None:
    first, second = make_job(), make_job(test="corners")
    run, record = make_run(tmp_path, PASSING_CHILD)
    run.execute([first], {})
    earlier = JobRecord.read(CONTEXT, tmp_path, first.id)
    assert earlier is not None and earlier.status is Status.PASSED
    run, record = make_run(tmp_path, WRONG)
    run.execute([first, second], {}, [earlier])
    assert [job.status for job in record.jobs] == [Status.PASSED, Status.FAILED]
    record.check_goals()
    assert record.goals[0].met  # by what the first part had covered


def test_jobs_of_no_use_do_not_run(tmp_path: Path) -> None:
    """Until enough is covered, those that cannot add to it are left out."""
    jobs = [make_job(seed=seed, width=16 + seed) for seed in range(3)]

    def use(planned: PlannedJob) -> int:
        return 0 if planned.id == jobs[0].id else 2 if planned.id == jobs[2].id else 1

    run, record = make_run(tmp_path, PASSING_CHILD, workers=1, use=use)
    run.execute(jobs, {})
    assert [(job.status, job.message) for job in record.jobs] == [
        (Status.NOT_RUN, "all bins that it can cover are hit"),
        (Status.PASSED, ""),
        (Status.PASSED, ""),
    ]
