"""Measures one point with one seed, or finds it measured: the work of a job."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from verif.implement.energy.estimate import REVISION, Energy
from verif.implement.energy.stimulus import Stimulus
from verif.implement.targets import target
from verif.implement.targets.base import Area, DoesNotFit, Target, Timing
from verif.implement.toolbox import Toolbox, Workshop
from verif.library.netlist.cache import FolderCache
from verif.library.netlist.process import Limits, ToolError
from verif.library.netlist.recipe import Recipe, digest

# Below the project's folder.
CACHE = Path("build") / "implement"
# Limit of one call of a tool.
DEFAULT_SECONDS, DEFAULT_GIB = 900, 8
AREA_FILE = "area.json"
TIMING_FILE = "timing.json"
ENERGY_FILE = "energy.json"
KEY_LENGTH = 16
Kept = TypeVar("Kept", bound=BaseModel)


class MeasureJob(BaseModel):
    """One measurement of a job: synthesis, and timing with one seed."""

    model_config = ConfigDict(extra="forbid")

    target: str
    seed: int = 1
    area_only: bool = Field(default=False, description="synthesis alone, no time")
    energy: bool = Field(default=False, description="energy of an operation, too")
    seconds: float = Field(description="that one call of a tool may take")
    memory: int = Field(description="bytes that one call of a tool may hold")


class Measured(BaseModel):
    """Result of a job; ``problem`` states in one line why a figure is missing."""

    model_config = ConfigDict(extra="forbid")

    key: str = ""
    tools: dict[str, str] = Field(default_factory=dict)
    options: list[str] = Field(default_factory=list)
    area: Area | None = None
    timing: Timing | None = None
    energy: Energy | None = None
    problem: str = ""
    fits: bool = True
    date: datetime
    cached: bool = Field(default=False, description="nothing had to be computed")


class Measurer:
    """Measures points, and keeps the measurements by content.

    Args:
        cache: folder shared by all runs; safe for many processes at once.
        toolbox: the tools.
    """

    def __init__(self, cache: Path, toolbox: Toolbox) -> None:
        """Nothing is measured yet."""
        self._cache = FolderCache(cache)
        self._toolbox = toolbox
        self._computed = False

    def measure(
        self, job: MeasureJob, recipe: Recipe, stimulus: Callable[[], Stimulus] | None = None
    ) -> Measured:
        """Make the measurements of a job; a tool's failure is part of the result.

        Args:
            job: what to measure.
            recipe: the design.
            stimulus: returns the operations whose energy is measured; unused without energy.
        """
        found = Measured(date=datetime.now().astimezone())
        chosen = target(job.target)
        self._computed = False
        try:
            place = Workshop(Limits(job.seconds, job.memory), self._toolbox)
            found.tools = chosen.versions(self._toolbox)
            found.options = chosen.options(recipe)
            found.key = self._key(chosen, recipe)
            synthesis = self._synthesise(chosen, recipe, found.key, place)
            found.area = _read(Area, synthesis / AREA_FILE)
            found.date = datetime.fromtimestamp(
                (synthesis / AREA_FILE).stat().st_mtime
            ).astimezone()
            chosen.check_fit(found.area)
            if not job.area_only:
                found.timing = self._time(chosen, recipe, job.seed, synthesis, place)
            if job.energy and stimulus:
                found.energy = self._energy(chosen, recipe, stimulus, synthesis, place)
        except DoesNotFit as problem:
            found.problem, found.fits = str(problem), False
        except ToolError as problem:
            found.problem = str(problem)
        found.cached = not self._computed
        return found

    def _key(self, chosen: Target, recipe: Recipe) -> str:
        """Return the key of a synthesis; different for different syntheses."""
        tools = chosen.versions(self._toolbox)
        about = [chosen.name, chosen.revision, tools, chosen.options(recipe)]
        return digest([*about, recipe.model_dump()])

    def synthesis(self, chosen: Target, recipe: Recipe, limits: Limits) -> Path:
        """Folder with the netlist of a recipe, made if it is not there.

        Raises:
            ToolError: it cannot be made.
        """
        place = Workshop(limits, self._toolbox)
        return self._synthesise(chosen, recipe, self._key(chosen, recipe), place)

    def _synthesise(self, chosen: Target, recipe: Recipe, key: str, place: Workshop) -> Path:
        folder = self._cache.root / f"{chosen.name}-{recipe.top}-{key[:KEY_LENGTH]}"
        self._fill(folder, AREA_FILE, lambda work: chosen.synthesise(recipe, work, place))
        return folder

    def _time(
        self, chosen: Target, recipe: Recipe, seed: int, synthesis: Path, place: Workshop
    ) -> Timing | None:
        if not chosen.stage:
            return None
        folder = synthesis.with_name(f"{synthesis.name}-seed{seed}")
        self._fill(
            folder, TIMING_FILE, lambda work: chosen.time(recipe, synthesis, work, seed, place)
        )
        return _read(Timing, folder / TIMING_FILE)

    def _energy(
        self,
        chosen: Target,
        recipe: Recipe,
        stimulus: Callable[[], Stimulus],
        synthesis: Path,
        place: Workshop,
    ) -> Energy:
        folder = synthesis.with_name(f"{synthesis.name}-energy{REVISION}")
        self._fill(
            folder,
            ENERGY_FILE,
            lambda work: chosen.energy(recipe, synthesis, work, stimulus(), place),
        )
        return _read(Energy, folder / ENERGY_FILE)

    def _fill(self, folder: Path, file: str, make: Callable[[Path], BaseModel]) -> None:
        """Keep what ``make`` returns in a file of a folder, unless it is there."""

        def write(work: Path) -> None:
            (work / file).write_text(make(work).model_dump_json(indent=1) + "\n")

        self._computed |= self._cache.fill(folder.name, file, write)


def _read(kind: type[Kept], path: Path) -> Kept:
    """Read the kept measurements.

    Raises:
        ToolError: it cannot be read; the message states what to remove.
    """
    try:
        return kind.model_validate_json(path.read_text())
    except (OSError, ValidationError) as error:
        raise ToolError(f"{path} cannot be read, remove {path.parent}: {error}") from None
