"""What ends a run before its plan does."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from regress.core.limits import (
    MOST_STRETCH,
    DiskSpace,
    duration_text,
    first_reason,
    outlasts,
    time_budget,
)

SLEEPS = "import time; time.sleep(60)"
# Work of a fifth of a second on the processor that all of them share.
WORKS = """
import os, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
while time.process_time() < 0.2: pass
"""


def test_a_time_budget_runs_out() -> None:
    now = [100.0]
    budget = time_budget(60.0, lambda: now[0])
    assert budget.reason() == ""
    now[0] = 160.0
    assert budget.reason() == "time budget of 60 s used up"


def test_a_full_disk_is_fatal_and_says_which(tmp_path: Path) -> None:
    free = [10_000_000]
    disk = DiskSpace(tmp_path, lambda path: free[0])
    assert first_reason([time_budget(60.0), disk.limit]) == ("", False)
    free[0] = 500_000
    reason, fatal = first_reason([time_budget(60.0), disk.limit])
    assert fatal
    assert reason == f"the disk of {tmp_path} is full (0.5 MB left)"


def test_the_reserve_is_given_back(tmp_path: Path) -> None:
    disk = DiskSpace(tmp_path)
    disk.open()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) == 8_000_000
    disk.release()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (45, "45 s"),
        (1.25, "1.2 s"),
        (291, "4 min 51 s"),
        (600, "10 min"),
        (3600, "1 h"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations_are_readable(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def child(script: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", script])


def test_a_process_that_sleeps_ends_at_its_limit() -> None:
    with child(SLEEPS) as process:
        begin = time.monotonic()
        assert outlasts(process, 0.3)
        assert time.monotonic() - begin < 0.3 * MOST_STRETCH
        process.kill()


def test_time_without_a_processor_does_not_count() -> None:
    waits = iter([0.2, 0.4, 0.4])
    with child(SLEEPS) as process:
        begin = time.monotonic()
        assert outlasts(process, 0.1, lambda _: next(waits))
        assert time.monotonic() - begin >= 0.5
        begin = time.monotonic()
        assert outlasts(process, 0.05, lambda _: 1e9)
        assert time.monotonic() - begin >= 0.05 * MOST_STRETCH  # not for ever
        process.kill()


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not say")
def test_a_loaded_machine_ends_no_job() -> None:
    """Sixteen that share a processor take three seconds, each for a fifth of one."""
    crowd = [child(WORKS) for _ in range(16)]
    try:
        begin = time.monotonic()
        assert not any(outlasts(process, 1.0) for process in crowd)
        assert time.monotonic() - begin > 1.0
    finally:
        for process in crowd:
            process.kill()
            process.wait()
