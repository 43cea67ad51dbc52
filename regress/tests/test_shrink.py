"""A failing configuration is simplified while it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path

from regress.core.jobfile import Job
from regress.core.jobrecord import Bucket
from regress.core.plan import Plan, PlannedJob, planned_job
from regress.core.processes import ProcessGroups
from regress.executors.local import LocalExecutor
from regress.report.tables import shrunk_text
from regress.run.attempts import JobRunner
from regress.run.buckets import buckets
from regress.run.record import RunRecord
from regress.run.reruns import name_commands
from regress.run.shrink import ALL_SECONDS, Shrinker, simpler_jobs
from regress.tests.conftest import CONTEXT, PASSING_CHILD, PROJECT, FakeBuilder, child
from regress.tests.stand_in import point_of

# From 10 bits on one kind of failure, from 7 bits on another; passes below.
FAILING = (
    PASSING_CHILD
    + """
if job["point"]["width"] >= 7:
    (folder / "results.xml").unlink()
    print("carry lost" if job["point"]["width"] >= 10 else "something else")
"""
)


def job_of(width: int) -> PlannedJob:
    job = Job("random", point_of("fast_montgomery", width), "icarus", seed=1)
    return planned_job(CONTEXT, replace(job, point=PROJECT.resolved("random", job.point)), 1, 20.0)


def narrower(planned: PlannedJob) -> Iterable[tuple[PlannedJob, str]]:
    """Half, and then one less."""
    for width in (planned.job.point["width"] // 2, planned.job.point["width"] - 1):
        yield job_of(width), f"fast_montgomery {width}"


def shrunk(
    folder: Path,
    width: int = 40,
    clock: Callable[[], float] = lambda: 0.0,
    script: str = FAILING,
) -> tuple[Bucket, FakeBuilder]:
    executor = LocalExecutor(PROJECT.root, ProcessGroups(), 1, child(script))
    runner = JobRunner(PROJECT, folder, executor)
    attempt = runner.attempt(job_of(width), folder)
    failed, _ = runner.judge(attempt, runner.start(attempt))
    record = RunRecord(CONTEXT, Plan(name="list"), folder, {})
    record.buckets = buckets(PROJECT, [failed])
    builder = FakeBuilder(folder)
    Shrinker(record, builder.build, executor, narrower, clock).run()
    name_commands(PROJECT, record.buckets, record.plan)
    return record.buckets[0], builder


def test_the_simplest_configuration_that_fails_in_the_same_way_is_found(tmp_path: Path) -> None:
    bucket, _ = shrunk(tmp_path)
    assert "carry lost" in bucket.message
    assert bucket.shrunk is not None
    # 20 and 10 fail in the same way, 5 passes, 9 fails in another way.
    assert (bucket.shrunk.configuration, bucket.shrunk.tries) == ("fast_montgomery 10", 4)
    assert bucket.shown.planned.job.point["width"] == 10
    assert " random fast_montgomery 10 icarus --seed 1 " in bucket.command
    assert shrunk_text(bucket) == (
        "fails in the same way at fast_montgomery 10 (4 tries, no simpler configuration fails)"
    )
    assert (tmp_path / bucket.shown.folder / "job.json").is_file()
    assert bucket.entry.shrunk.configuration == "fast_montgomery 10"


def test_what_cannot_be_simplified_stays_as_it_is(tmp_path: Path) -> None:
    bucket, builder = shrunk(tmp_path, width=10)
    assert bucket.shrunk is None
    assert len(builder.points) == 2
    assert bucket.shown is bucket.record
    assert " fast_montgomery 10 " in bucket.command
    assert shrunk_text(bucket) == ""


def test_it_ends_in_time(tmp_path: Path) -> None:
    ticks = count(0, ALL_SECONDS / 10)
    bucket, builder = shrunk(tmp_path, clock=lambda: next(ticks))
    assert len(builder.points) < 4
    assert bucket.shrunk is not None
    assert "time was up" in shrunk_text(bucket)


def test_a_simulation_that_hangs_is_left_alone(tmp_path: Path) -> None:
    hang = "import time\ntime.sleep(600)"
    planned = replace(job_of(40), timeout=0.5)
    executor = LocalExecutor(PROJECT.root, ProcessGroups(), 1, child(hang))
    runner = JobRunner(PROJECT, tmp_path, executor)
    attempt = runner.attempt(planned, tmp_path)
    failed, _ = runner.judge(attempt, runner.start(attempt))
    record = RunRecord(CONTEXT, Plan(name="list"), tmp_path, {})
    record.buckets = buckets(PROJECT, [failed])
    builder = FakeBuilder(tmp_path)
    Shrinker(record, builder.build, executor, narrower).run()
    assert builder.points == []


def test_simpler_jobs_keep_test_seed_and_simulator() -> None:
    point = point_of("mwrkmm", 24, {"BusWidth": 8, "WordWidth": 14})
    job = Job("exp_random", PROJECT.resolved("exp_random", point), "icarus", 7, 3)
    first, text = next(iter(simpler_jobs(CONTEXT, planned_job(CONTEXT, job, 1, 300.0))))
    assert text == "mwrkmm 24"
    assert (first.job.test, first.job.seed, first.job.operations) == ("exp_random", 7, 3)
    assert first.point.point == point_of("mwrkmm", 24)
    assert first.timeout == 60.0
