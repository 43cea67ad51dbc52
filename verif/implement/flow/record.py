"""What is written down of a point: the format of ``implement.json``.

A project knows what its designs are for, so it may add fields in a subclass of
:class:`PointRecord` (cycles of an operation, and with the clock frequency its time).
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from verif.library.netlist.hierarchy import CriticalPath, ModuleArea

IMPLEMENT_FILE = "implement.json"
VERSION = 1


class PointStatus(str, Enum):
    """What became of a point.

    ``area_only``: synthesised, but no seed has a time; ``message`` says why.
    """

    DONE = "done"
    AREA_ONLY = "area_only"
    DOES_NOT_FIT = "does_not_fit"
    FAILED = "failed"
    NOT_RUN = "not_run"


class Fmax(BaseModel):
    """Highest clock frequency over the seeds, in MHz."""

    model_config = ConfigDict(extra="forbid")

    median: float
    min: float
    max: float
    seeds: list[int] = Field(description="the seeds that were placed and routed")
    each: list[float] = Field(
        default_factory=list, description="of each of `seeds`; empty if not known one by one"
    )

    @classmethod
    def over(cls, mhz: Mapping[int, float]) -> Fmax | None:
        """Median and range of some seeds, given the frequency of each; None without any."""
        if not mhz:
            return None
        seeds = sorted(mhz)
        return cls(
            median=round(statistics.median(mhz.values()), 2),
            min=min(mhz.values()),
            max=max(mhz.values()),
            seeds=seeds,
            each=[mhz[seed] for seed in seeds],
        )

    @property
    def by_seed(self) -> dict[int, float]:
        """The frequency of each seed; empty if the record does not say."""
        known = self.each or ([self.median] if len(self.seeds) == 1 else [])
        return dict(zip(self.seeds, known, strict=True)) if known else {}


class Provenance(BaseModel):
    """What a figure was made from: enough to make it again."""

    model_config = ConfigDict(extra="forbid")

    commit: str = Field(description="of the design, with -dirty if files were changed")
    sources: str = Field(description="SHA-256 of the names and texts of the sources")
    key: str = Field(description="SHA-256 of all that has a say in the result")
    tools: dict[str, str] = Field(description="tools and libraries with their versions")
    options: list[str] = Field(description="passes of the synthesis and options of the tools")
    date: datetime = Field(description="when it was measured, not when it was looked up")
    seconds: float = Field(description="time of the tools, all seeds together")


class Worsening(BaseModel):
    """A figure that is worse than in the last run of the same point."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: str = Field(description="the figure, with its unit")
    before: float = Field(description="its value in the last run")
    now: float = Field(description="its value in this one")
    since: str = Field(description="commit of the last run")
    where: str = Field(description="the instance that grew most, or the critical path")

    @property
    def text(self) -> str:
        """In one line."""
        change = 100 * (self.now / self.before - 1)
        return (
            f"{self.what} {self.before:g} -> {self.now:g} ({change:+.1f} %) "
            f"since {self.since[:10]}: {self.where}"
        )


class PointRecord(BaseModel):
    """One point: a design with its parameters on a target."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="unique in the file; the same in the next run")
    design: str
    parameters: dict[str, int] = Field(description="every parameter, defaults too")
    target: str
    stage: str = Field(description="what the times are: post-route, pre-layout, or empty: none")
    status: PointStatus
    message: str = Field(default="", description="why there is no figure, or not all of them")
    luts: int | None = Field(default=None, description="LUT4s, with those of carry chains")
    ffs: int | None = None
    multipliers: int | None = Field(default=None, description="18 x 18 bits")
    memories: int | None = Field(default=None, description="block memories")
    lut_memories: int | None = Field(
        default=None, description="memories of 16 x 4 bits made of LUTs, which `luts` has, too"
    )
    gates: int | None = Field(default=None, description="gates of the target, without flip-flops")
    depth: int | None = Field(default=None, description="gates on the longest path")
    area_um2: float | None = None
    kilo_gate_equivalents: float | None = None
    cells: dict[str, int] = Field(default_factory=dict, description="cells by type")
    fmax_mhz: Fmax | None = None
    critical_path: CriticalPath | None = Field(
        default=None,
        description="of the seed with the median frequency, or the nearest whose path is known",
    )
    critical_path_text: str = ""
    modules: list[ModuleArea] = Field(
        default_factory=list,
        description="area by instance of the hierarchy, what is inside another counted there",
    )
    provenance: Provenance | None = None
    regressions: list[Worsening] = Field(
        default_factory=list, description="what is worse than in the last run of the point"
    )

    @property
    def bits(self) -> int | None:
        """What area is divided by to compare widths; None if the project knows no such thing."""
        return None

    @property
    def measured(self) -> bool:
        """It has all that was asked for."""
        return self.status in (PointStatus.DONE, PointStatus.AREA_ONLY) and not self.message

    def same_synthesis(self, other: PointRecord) -> bool:
        """Whether both are of one netlist: their cycles differ by seeds alone."""
        if self.provenance is None or other.provenance is None:
            return False
        return self.provenance.key == other.provenance.key

    @property
    def unit(self) -> str:
        """Of :attr:`size`."""
        if self.area_um2 is not None:
            return "µm²"
        return "LUT" if self.luts is not None else "gates" if self.gates is not None else ""

    @property
    def size(self) -> float | None:
        """The target's own measure of area: square micrometres, LUTs or gates."""
        for value in (self.area_um2, self.luts, self.gates):
            if value is not None:
                return float(value)
        return None


class ImplementRecord(BaseModel):
    """A run of ``regress implement``: what was asked, and a record for each point."""

    model_config = ConfigDict(extra="forbid")

    version: int = VERSION
    command: list[str]
    started: datetime
    seconds: float
    finished: bool
    commit: str
    points: list[Any]

    @property
    def regressions(self) -> list[str]:
        """What is worse than in the last run of the same points, a line each."""
        return [f"{point.id}: {one.text}" for point in self.points for one in point.regressions]

    def write(self, folder: Path) -> None:
        """Write it, whole or not at all."""
        path = folder / IMPLEMENT_FILE
        temporary = path.with_suffix(".new")
        temporary.write_text(self.model_dump_json(indent=1) + "\n")
        temporary.replace(path)
