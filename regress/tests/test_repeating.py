"""What follows the jobs of a failing run: a simpler failure, waves, the time of all of it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regress.cli import session
from regress.core.buildrecord import BuildOutcome
from regress.core.jobrecord import Bucket, JobRecord
from regress.core.plan import BuildPoint, Plan
from regress.core.processes import ProcessGroups
from regress.core.runfile import Status
from regress.executors.local import LocalExecutor
from regress.report.console import show_run
from regress.run.progress import Display
from regress.run.record import RunRecord
from regress.run.reruns import Reruns
from regress.tests.conftest import CONTEXT, PROJECT, make_job, make_workspace
from regress.tests.test_cli import FAILING, LIST, run
from regress.waves.document import WaveDocument

SLOW_SECONDS = 0.7


@pytest.fixture
def shrunk(monkeypatch: pytest.MonkeyPatch) -> list[RunRecord]:
    """The records that were shrunk, which takes :data:`SLOW_SECONDS`."""
    found: list[RunRecord] = []

    class Slow:
        def __init__(self, record: RunRecord, *_: object, **__: Any) -> None:
            self._record = record

        def run(self) -> None:
            time.sleep(SLOW_SECONDS)
            found.append(self._record)

    monkeypatch.setattr(session, "Shrinker", Slow)
    return found


def test_the_time_of_a_run_has_the_shrinking_in_it(tmp_path: Path, shrunk: list[RunRecord]) -> None:
    (tmp_path / "my.yaml").write_text(LIST)
    words = ("run", tmp_path / "my.yaml", "--out", tmp_path / "out")
    started = time.monotonic()
    assert run(make_workspace(tmp_path, FAILING), *words) == 1
    total = time.monotonic() - started
    assert len(shrunk) == 1
    data = json.loads((tmp_path / "out" / "run.json").read_text())
    jobs_ended = max((point["seconds"] for point in data["growth"]), default=0.0)
    assert jobs_ended + SLOW_SECONDS <= data["seconds"] <= total


def test_no_shrink_leaves_failures_as_they_are(tmp_path: Path, shrunk: list[RunRecord]) -> None:
    (tmp_path / "my.yaml").write_text(LIST)
    words = ("run", tmp_path / "my.yaml", "--no-shrink", "--out", tmp_path / "out")
    assert run(make_workspace(tmp_path, FAILING), *words) == 1
    assert not shrunk
    assert json.loads((tmp_path / "out" / "run.json").read_text())["plan"]["shrink"] is False


def test_a_job_that_ran_with_waves_shows_its_own(tmp_path: Path) -> None:
    """``debug`` once showed the waves of a simpler job that it had run after the one asked for."""
    planned = make_job()
    planned = replace(planned, job=replace(planned.job, waves=True))
    failed = JobRecord(planned, Status.FAILED, "P = 1", 1.0, f"jobs/{planned.id}/attempt-1")
    record = RunRecord(CONTEXT, Plan(name="debug"), tmp_path, {}, finished=True, jobs=[failed])
    record.buckets = [Bucket("P = #", [failed])]

    def build(point: BuildPoint) -> BuildOutcome:
        raise AssertionError(f"{point.name} was built again")

    def draw(folder: Path) -> WaveDocument:
        return WaveDocument(folder / "wave.svg", folder / "waves.fst", 9.0, "P = 1", "S is wrong")

    executor = LocalExecutor(PROJECT.root, ProcessGroups(), 1)
    Reruns(record, build, executor, draw).run()
    executor.close()
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    show_run(console, record)
    shown = console.export_text()
    assert f"waveform: {tmp_path}/jobs/{planned.id}/attempt-1/wave.svg" in shown
    assert f"waves: {tmp_path}/jobs/{planned.id}/attempt-1/waves.fst" in shown


@pytest.mark.parametrize(
    ("builds", "jobs", "cases", "said"),
    [(1, 1, 0, "1 build, 1 job\n"), (2, 3, 1, "2 builds, 3 jobs, 1 case\n")],
)
def test_singular_and_plural(tmp_path: Path, builds: int, jobs: int, cases: int, said: str) -> None:
    with (tmp_path / "out").open("w") as file:
        display = Display(Console(file=file, width=100))
        display.start(builds, jobs, cases)
        display.stop()
    assert (tmp_path / "out").read_text().startswith(said)
