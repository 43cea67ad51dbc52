"""Runs that fail, are cut off and are resumed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime, timezone
from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.core.limits import Limit
from regress.core.processes import Ended
from regress.core.terminal import Parser
from regress.executors.local import WorkerLost
from verif.implement.flow.command import implement_command
from verif.implement.flow.plan import ImplementPlan, PlannedMeasurement, planned, write_recipes
from verif.implement.flow.project import ImplementProject, Subject
from verif.implement.flow.record import PointStatus
from verif.implement.flow.session import ImplementSession
from verif.implement.job import JOB_FILE, MEASURED_FILE
from verif.implement.measure import Measured, MeasureJob
from verif.implement.targets.base import Area, Timing
from verif.library.netlist.hierarchy import CriticalPath
from verif.library.netlist.recipe import Recipe
from verif.tests.context import PROJECT

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
SETTINGS = MeasureJob(target="", seconds=10, memory=1 << 30)


class Project(ImplementProject):
    """Nothing of its own."""

    def add_arguments(self, parser: object) -> None:
        """No options."""

    def subjects(self, arguments: object, hdl: Path | None) -> list[Subject]:
        """Two subjects."""
        recipe = Recipe(top="t", clock="clk_i", sources={"t.sv": ""})
        return [Subject(name, "d", {"Width": 8}, recipe) for name in ("one", "two")]


class FakeExecutor:
    """Measures at once; ``broken`` has what some jobs do instead."""

    local = True
    slots = 1
    limits: Sequence[Limit] = ()

    def __init__(self, broken: dict[str, object] | None = None) -> None:
        self.broken = broken or {}
        self.started: list[str] = []
        self.cancelled = False

    def start(self, planned: PlannedMeasurement, folder: Path, build: Path) -> Future[Ended]:
        self.started.append(planned.id)
        future: Future[Ended] = Future()
        assert (folder / JOB_FILE).is_file()
        assert build.is_dir()
        does = self.broken.get(planned.id)
        if isinstance(does, BaseException):
            future.set_exception(does)
            return future
        if isinstance(does, Ended):
            future.set_result(does)
            return future
        measured = does if isinstance(does, Measured) else answer(planned.job.seed)
        (folder / MEASURED_FILE).write_text(measured.model_dump_json())
        future.set_result(Ended(0, False, False, 1.0))
        return future

    def cancel(self) -> None:
        self.cancelled = True

    def close(self) -> None:
        """Nothing is open."""


def answer(seed: int) -> Measured:
    path = CriticalPath(start="a", through=[], end="b", delay_ns=10 / seed)
    return Measured(
        key="k",
        tools={"yosys": "1"},
        area=Area(luts=100, ffs=10, multipliers=0, memories=0, cells={}, modules=[]),
        timing=Timing(seed=seed, fmax_mhz=100.0 * seed, critical_path=path),
        date=NOW,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    subjects = Project().subjects(None, None)
    points, jobs = planned(subjects, ["ecp5"], (1, 2, 3), SETTINGS)
    write_recipes(tmp_path, subjects)
    plan = ImplementPlan(command=["x"], started=NOW, commit="c", points=points, jobs=jobs)
    plan.write(tmp_path)
    return tmp_path


def session(folder: Path, lines: list[str] | None = None) -> ImplementSession:
    said = [] if lines is None else lines
    return ImplementSession(ImplementPlan.read(folder), folder, Project(), said.append)


def test_the_first_seed_of_every_point_comes_first(folder: Path) -> None:
    ids = [job.id for job in ImplementPlan.read(folder).jobs]
    assert ids[:3] == ["one-ecp5-s1", "two-ecp5-s1", "one-ecp5-s2"]
    assert len(ids) == 6


@pytest.mark.parametrize(("text", "seeds"), [("1", (1,)), ("3", (1, 2, 3)), ("2-4", (2, 3, 4))])
def test_seeds_are_a_number_or_a_range(text: str, seeds: tuple[int, ...]) -> None:
    assert parsed("--seeds", text).seeds == seeds


@pytest.mark.parametrize("text", ["0", "100", "x", "5-2", "0-3", "-", "2-100"])
def test_other_seeds_are_one_line(text: str) -> None:
    with pytest.raises(UsageError, match=f"'{text}' is not accepted; accepted: 1 to 99, or a ran"):
        parsed(f"--seeds={text}")


def parsed(*argv: str) -> argparse.Namespace:
    parser = Parser()
    implement_command(Project())(parser.add_subparsers(), PROJECT)
    return parser.parse_args(["implement", *argv])


def test_a_target_without_seeds_gets_one_job_of_any_range() -> None:
    subjects = Project().subjects(None, None)
    _, jobs = planned(subjects, ["gates", "ecp5"], (2, 3), SETTINGS)
    assert [job.id for job in jobs] == [
        "one-gates-s2", "two-gates-s2", "one-ecp5-s2", "two-ecp5-s2", "one-ecp5-s3", "two-ecp5-s3",
    ]  # fmt: skip


def test_a_point_has_median_and_range_of_its_seeds(folder: Path) -> None:
    sitting = session(folder)
    sitting.run(FakeExecutor())
    one, two = sitting.record(finished=True).points
    assert one.status is two.status is PointStatus.DONE
    assert (one.fmax_mhz.median, one.fmax_mhz.min, one.fmax_mhz.max) == (200.0, 100.0, 300.0)
    assert one.fmax_mhz.seeds == [1, 2, 3]
    assert one.fmax_mhz.by_seed == {1: 100.0, 2: 200.0, 3: 300.0}
    assert one.critical_path.delay_ns == 5  # of the median seed
    assert (one.luts, one.provenance.commit) == (100, "c")


@pytest.mark.parametrize(
    ("does", "message"),
    [
        (Ended(-9, False, False, 1.0), "the job ended with exit code -9"),
        (Ended(-9, True, False, 1.0), "the job did not come to an end in"),
        (
            Measured(problem="nextpnr ran out of memory", date=NOW, area=answer(1).area),
            "nextpnr ran out of memory",
        ),
    ],
)
def test_a_job_that_breaks_is_named_and_the_others_go_on(
    folder: Path, does: object, message: str
) -> None:
    sitting = session(folder)
    sitting.run(FakeExecutor({f"one-ecp5-s{seed}": does for seed in (1, 2, 3)}))
    one, two = sitting.record(finished=True).points
    assert message in one.message
    assert one.status in (PointStatus.FAILED, PointStatus.AREA_ONLY)
    assert two.status is PointStatus.DONE
    assert not two.message


def test_a_lost_worker_is_no_failure_the_first_time(folder: Path) -> None:
    lines: list[str] = []
    sitting = session(folder, lines)
    executor = FakeExecutor({"two-ecp5-s2": WorkerLost("worker gone")})
    sitting.run(executor)
    assert executor.started.count("two-ecp5-s2") == 2
    assert any("again: two-ecp5-s2: worker gone" in line for line in lines)
    two = sitting.record(finished=True).points[1]
    assert two.message == "cannot run the job: worker gone"
    assert two.fmax_mhz.seeds == [1, 3]


def test_nothing_that_has_ended_is_done_again(folder: Path) -> None:
    first = FakeExecutor({"one-ecp5-s2": KeyboardInterrupt()})
    sitting = session(folder)
    with pytest.raises(KeyboardInterrupt):
        sitting.run(first)
    assert first.cancelled
    record = sitting.record(finished=False)
    assert [point.fmax_mhz.seeds for point in record.points] == [[1], [1]]

    second = FakeExecutor()
    again = session(folder)
    again.run(second)
    assert set(first.started[:2]) & set(second.started) == set()
    assert second.started[0] == "one-ecp5-s2"
    assert all(point.status is PointStatus.DONE for point in again.record(finished=True).points)
    assert session(folder).left == []
