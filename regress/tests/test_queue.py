"""The order in which jobs start."""

from __future__ import annotations

from pathlib import Path

from regress.run.queue import JobQueue
from regress.tests.conftest import make_job

FIRST, SECOND, THIRD = (
    make_job("icarus", architecture=name, width=16)
    for name in ("fast_montgomery", "mm42", "mwrkmm")
)
BUILD = Path("build")


def test_jobs_start_in_the_order_of_the_plan_after_their_builds() -> None:
    queue = JobQueue([FIRST, SECOND])
    assert queue.next_job(build_too=True) == FIRST.point
    assert queue.next_job(build_too=True) == SECOND.point
    assert queue.next_job(build_too=True) is None
    queue.builds[SECOND.point] = BUILD
    assert queue.next_job(build_too=True) == (SECOND, BUILD)


def test_greater_use_comes_first_and_none_never() -> None:
    uses = {FIRST.id: 0, SECOND.id: 1, THIRD.id: 2}
    queue = JobQueue([FIRST, SECOND, THIRD], lambda job: uses[job.id])
    assert queue.next_build() == THIRD.point
    assert queue.next_build() == SECOND.point
    assert queue.next_build() is None
    queue.builds = dict.fromkeys((job.point for job in (FIRST, SECOND, THIRD)), BUILD)
    assert queue.next_job(build_too=True) == (THIRD, BUILD)
    assert queue.next_job(build_too=True) == (SECOND, BUILD)
    assert queue.next_job(build_too=True) is None
    assert list(queue.waiting) == [FIRST]
