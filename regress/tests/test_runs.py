"""The folder that holds the runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.run.folders import find_job


def make_run(runs: Path, name: str) -> Path:
    folder = runs / name
    (folder / "jobs" / "random-a-32").mkdir(parents=True)
    (folder / "plan.json").write_text("{}")
    return folder


def test_a_job_is_found_by_path_by_file_and_by_id(tmp_path: Path) -> None:
    run = make_run(tmp_path, "run-1")
    (tmp_path / "latest").symlink_to("run-1")
    folder = run / "jobs" / "random-a-32"
    for name in (str(folder), str(folder / "attempt-1" / "log.txt"), "random-a-32"):
        assert find_job(name, tmp_path) == folder


def test_an_unknown_job_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown job 'random-b-32'; accepted: the folder"):
        find_job("random-b-32", tmp_path)
