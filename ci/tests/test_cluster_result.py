"""The verdict on a run with a lost worker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ci.cluster_result import main


def job(status: str = "passed", lost: int = 0) -> dict[str, Any]:
    reasons = ["cannot run the job: worker two is gone"] * lost
    return {"planned": {"id": "random-mm42"}, "status": status, "lost": reasons}


@pytest.mark.parametrize(
    ("jobs", "lost", "code"),
    [
        ([job(), job(lost=1)], 1, 0),
        ([job(), job()], 0, 0),
        ([job(), job()], 1, 1),
        ([job(), job(lost=1)], 0, 1),
        ([job(), job("failed", lost=1)], 1, 1),
        ([job(), job(lost=2)], 1, 1),
        ([], 0, 1),
    ],
)
def test_a_run_comes_through_only_with_the_retries_of_what_was_lost(
    tmp_path: Path, jobs: list[dict[str, Any]], lost: int, code: int
) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"jobs": jobs}))
    assert main([str(tmp_path), "--lost", str(lost)]) == code
