"""The folder that holds the runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from regress.errors import UsageError
from regress.runs import SECONDS_PER_DAY, find_job, prune

NOW = 1_000_000_000.0


def make_run(runs: Path, name: str, days: float = 0.0) -> Path:
    folder = runs / name
    (folder / "jobs" / "random-a-32").mkdir(parents=True)
    (folder / "plan.json").write_text("{}")
    age = NOW - days * SECONDS_PER_DAY
    os.utime(folder / "plan.json", (age, age))
    return folder


def test_old_runs_are_removed_and_the_newest_kept(tmp_path: Path) -> None:
    for number, days in enumerate((1, 40, 50, 60)):
        make_run(tmp_path, f"run-{number}", days)
    (tmp_path / "history.sqlite").write_text("")
    (tmp_path / "somebody's").mkdir()
    removed, kept = prune(tmp_path, keep=2, days=30, now=NOW)
    assert [folder.name for folder in removed] == ["run-2", "run-3"]
    assert kept == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "history.sqlite", "run-0", "run-1", "somebody's"
    ]  # fmt: skip


def test_young_runs_are_kept_however_many(tmp_path: Path) -> None:
    for number in range(4):
        make_run(tmp_path, f"run-{number}", days=1)
    assert prune(tmp_path, keep=1, days=30, now=NOW) == ([], 4)


def test_a_job_is_found_by_path_by_file_and_by_id(tmp_path: Path) -> None:
    run = make_run(tmp_path, "run-1")
    (tmp_path / "latest").symlink_to("run-1")
    folder = run / "jobs" / "random-a-32"
    for name in (str(folder), str(folder / "attempt-1" / "log.txt"), "random-a-32"):
        assert find_job(name, tmp_path) == folder


def test_an_unknown_job_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown job 'random-b-32'; accepted: the folder"):
        find_job("random-b-32", tmp_path)
