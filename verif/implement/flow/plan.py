"""The plan of a run of ``implement``: points, and a job for each of their seeds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from regress.core.errors import UsageError
from verif.implement.flow.project import Subject

from verif.implement.job import RECIPE_FILE
from verif.implement.measure import MeasureJob
from verif.implement.targets import target

PLAN_FILE = "implement-plan.json"
RECIPES_FOLDER = "recipes"
# What a job may take beside its tools: setting them up, reading and writing.
SPARE_SECONDS = 1500.0


class PlannedPoint(BaseModel):
    """A subject on a target.

    Its recipe is in a folder of the run by the name of the subject.
    """

    model_config = ConfigDict(extra="forbid")

    id: str
    subject: str
    design: str
    parameters: dict[str, int]
    facts: dict[str, Any]
    target: str
    sources: str = Field(description="SHA-256 of the sources")


class PlannedMeasurement(BaseModel):
    """One point with one seed: a job."""

    model_config = ConfigDict(extra="forbid")

    id: str
    point: str
    job: MeasureJob

    @property
    def program(self) -> str:
        """See :class:`regress.executors.local.Runnable`."""
        return "verif.implement.job"

    @property
    def timeout(self) -> float:
        """Seconds after which the job is ended: synthesis, place and route, and some to spare."""
        return 2 * self.job.seconds + SPARE_SECONDS


class ImplementPlan(BaseModel):
    """What a run was asked."""

    model_config = ConfigDict(extra="forbid")

    command: list[str]
    started: datetime
    commit: str
    hdl: str = Field(default="", description="folder of an altered design; empty: the project's")
    points: list[PlannedPoint]
    jobs: list[PlannedMeasurement]

    def write(self, folder: Path) -> None:
        """Write it down, so that the run can be finished by another process."""
        (folder / PLAN_FILE).write_text(self.model_dump_json(indent=1) + "\n")

    @classmethod
    def read(cls, folder: Path) -> ImplementPlan:
        """The plan of an earlier run.

        Raises:
            UsageError: the file is missing or cannot be read.
        """
        path = folder / PLAN_FILE
        try:
            return cls.model_validate_json(path.read_text())
        except FileNotFoundError:
            raise UsageError(f"{folder} is no run of implement: it has no {PLAN_FILE}") from None
        except (OSError, ValidationError) as error:
            raise UsageError(f"{path} cannot be read: {str(error).splitlines()[0]}") from None

    def recipe_folder(self, folder: Path, point: str) -> Path:
        """Where in the folder of the run the recipe of a point is."""
        subject = next(planned.subject for planned in self.points if planned.id == point)
        return folder / RECIPES_FOLDER / subject


def planned(
    subjects: Sequence[Subject],
    targets: Sequence[str],
    seeds: Sequence[int],
    settings: MeasureJob,
) -> tuple[list[PlannedPoint], list[PlannedMeasurement]]:
    """The points and jobs of some subjects on some targets.

    The first seed of every point comes before the second of any: a run that is cut short has then
    seen all points, and no two jobs wait for the same synthesis.

    Args:
        subjects: in the order in which they are to be measured.
        targets: names.
        seeds: of targets that have any; the others get the first.
        settings: of every job; target and seed are filled in.
    """
    points = [
        PlannedPoint(
            id=f"{subject.id}-{name}",
            subject=subject.id,
            design=subject.design,
            parameters=dict(subject.parameters),
            facts=dict(subject.facts),
            target=name,
            sources=subject.recipe.sources_hash,
        )
        for name in targets
        for subject in subjects
    ]
    jobs = [
        PlannedMeasurement(
            id=f"{point.id}-s{seed}",
            point=point.id,
            job=settings.model_copy(update={"target": point.target, "seed": seed}),
        )
        for seed in seeds
        for point in points
        if seed == seeds[0] or (target(point.target).seeded and not settings.area_only)
    ]
    return points, jobs


def write_recipes(folder: Path, subjects: Sequence[Subject]) -> None:
    """Write what every job of a run is built from."""
    for subject in subjects:
        place = folder / RECIPES_FOLDER / subject.id
        place.mkdir(parents=True)
        (place / RECIPE_FILE).write_text(subject.recipe.model_dump_json(indent=1) + "\n")
