"""What earlier versions of the manager left behind can still be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from regress import cli
from regress.session import Workspace, load

# Written before jobs had points, by the commit that its run.json names.
OLD = Path(__file__).parent / "data" / "run_of_schema_2"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return shutil.copytree(OLD, tmp_path / "runs" / "old")


def test_a_run_of_schema_2_is_loaded(run: Path) -> None:
    record = load(run)
    assert record.passed
    (job,) = record.jobs
    assert dict(job.planned.job.point)["architecture"] == "fast_montgomery"
    assert job.planned.job.launch and job.planned.job.launch.toplevel == "multiplier_tb"
    assert record.operations == 3 and record.coverage["fast_montgomery"]


def test_its_reports_are_written_again(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["report", str(run)], Workspace(runs=run.parent)) == 0
    assert "PASSED: 1 passed; 3 operations checked" in capsys.readouterr().out
    assert "fast_montgomery" in (run / "report.html").read_text()
    assert cli.main(["holes", str(run)], Workspace(runs=run.parent)) == 1
    assert "functional holes" in capsys.readouterr().out
