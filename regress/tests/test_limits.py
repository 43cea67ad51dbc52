"""What ends a run before its plan does."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.limits import DiskSpace, duration_text, first_reason, time_budget


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
    [(45, "45 s"), (1.25, "1.2 s"), (600, "10 min"), (3600, "1 h"), (7500, "2 h 5 min")],
)
def test_durations_are_readable(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
