"""The figures of one configuration on one target, and the metrics that regressions compare."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import Self

from regress.core.metrics import Metric
from verif.implement.measure import KEY_LENGTH, Measured
from verif.library.netlist.hierarchy import ModuleArea

MHZ = "MHz"
PICOJOULE = "pJ"
# Fields that only a run with --energy has.
ENERGY_FIELDS = ("energy_pj", "clock_pj", "energy_cycles", "leakage_uw")
SUMMARY_SEEDS = (1, 2, 3, 4, 5)
CARRIES = "CCU2C"
# Name of each count of an area, in the order of tables, and the field that has it.
COUNTS = {
    "LUT": "luts",
    "FF": "ffs",
    "18×18": "multipliers",
    "block RAM": "memories",
    "LUT RAM": "lut_memories",
    "gates": "gates",
    "depth": "depth",
    "µm²": "area_um2",
}
# Counts that are compared with earlier runs. Memories of LUTs are part of the LUTs.
COMPARED = ("LUT", "FF", "18×18", "block RAM", "gates", "depth")
# Counts that grow with the width.
A_BIT = ("LUT", "FF")


@dataclass(frozen=True)
class Fmax:
    """Highest clock frequency over the seeds, in MHz.

    Attributes:
        seeds: the seeds that were placed and routed.
    """

    median: float
    min: float
    max: float
    seeds: tuple[int, ...]

    @classmethod
    def over(cls, mhz: Mapping[int, float]) -> Fmax:
        """Return median and range of at least one seed, from the frequency of each."""
        median = round(statistics.median(mhz.values()), 2)
        return cls(median, min(mhz.values()), max(mhz.values()), tuple(sorted(mhz)))


class Figures(BaseModel):
    """Measured figures of a configuration on a target; None where the target has no such count."""

    model_config = ConfigDict(extra="forbid")

    luts: int | None = Field(default=None, description="LUT4s, with those of carry chains")
    ffs: int | None = None
    multipliers: int | None = Field(default=None, description="18 x 18 bits")
    memories: int | None = Field(default=None, description="block memories")
    lut_memories: int | None = Field(
        default=None, description="memories of 16 x 4 bits made of LUTs, which `luts` has, too"
    )
    carries: int | None = Field(default=None, description="carry cells of two bits")
    gates: int | None = Field(default=None, description="gates of the target, without flip-flops")
    depth: int | None = Field(default=None, description="gates on the longest path")
    area_um2: float | None = None
    kilo_gate_equivalents: float | None = None
    modules: dict[str, float] = Field(
        default_factory=dict, description="size by module, instances inside it not counted"
    )
    mhz: dict[int, float] = Field(default_factory=dict, description="clock by seed")
    mhz_summary: tuple[float, float, float] | None = Field(
        default=None, description="median, lowest and highest of seeds 1 to 5, if not known by seed"
    )
    path_end: str = Field(default="", description="where the slowest path ends")
    path_ns: float | None = Field(default=None, description="its delay")
    energy_pj: float | None = Field(
        default=None, description="of an operation, without leakage, wires and clock tree"
    )
    clock_pj: float | None = Field(default=None, description="the share of the clock pins")
    energy_cycles: int | None = Field(default=None, description="cycles of that operation")
    leakage_uw: float | None = Field(default=None, description="leakage of all cells")
    key: str = Field(default="", description="hash of all that has a say in the synthesis")
    message: str = Field(default="", description="why there is no figure, or not all of them")

    @property
    def by_seed(self) -> Mapping[int, float]:
        """The clock by seed; of a summary, the seeds are not those of the values."""
        if not self.mhz_summary:
            return self.mhz
        median, low, high = self.mhz_summary
        return dict(zip(SUMMARY_SEEDS, (low, median, median, median, high), strict=True))

    @property
    def fmax_mhz(self) -> Fmax | None:
        """The clock; None without a time."""
        return Fmax.over(self.by_seed) if self.by_seed else None

    def with_clock(self, mhz: Mapping[int, float]) -> Self:
        """Return these figures with another clock for each seed."""
        return self.model_copy(update={"mhz": dict(mhz), "mhz_summary": None})

    @property
    def unit(self) -> str:
        """Unit of :attr:`size`."""
        return next((name for name in ("µm²", "LUT", "gates") if self.count(name) is not None), "")

    @property
    def size(self) -> float | None:
        """The target's own measure of area: square micrometres, LUTs or gates."""
        return float(self.count(self.unit) or 0) if self.unit else None

    def count(self, name: str) -> float | None:
        """Return the count of this name, see :data:`COUNTS`."""
        return getattr(self, COUNTS[name])


def figures_of(found: Measured) -> Figures:
    """Return the figures of a measurement."""
    area, timing = found.area, found.timing
    given = area.model_dump(exclude={"seconds", "cells", "modules"}) if area else {}
    if area:
        given["modules"] = by_module(area.modules)
        given["carries"] = area.cells.get(CARRIES)
    if timing:
        given["mhz"] = {timing.seed: timing.fmax_mhz}
        given["path_end"] = timing.critical_path.end
        given["path_ns"] = timing.critical_path.delay_ns
    if found.energy:
        given |= found.energy.model_dump(include=set(ENERGY_FIELDS))
        given["energy_cycles"] = found.energy.cycles
    return Figures(**given, key=found.key[:KEY_LENGTH], message=found.problem)


def by_module(instances: Iterable[ModuleArea]) -> dict[str, float]:
    """Return the size of each module over its instances, without modules of no size."""
    sums: Counter[str] = Counter()
    for instance in instances:
        sums[instance.module] += instance.size
    return {module: round(size, 3) for module, size in sums.items() if size}


def metrics_of(figures: Figures, width: int) -> dict[str, Metric]:
    """Return the metrics of a measurement, by name.

    Args:
        figures: figures of at most one seed, or of several.
        width: operand width in bits.
    """
    return dict(_metrics(figures, width))


def _metrics(figures: Figures, width: int) -> Iterator[tuple[str, Metric]]:
    for name in COUNTS:
        value = figures.count(name)
        if value is None:
            continue
        # Square micrometres have everything in them.
        compared = name == figures.unit or (name in COMPARED and figures.unit != "µm²")
        parts = figures.modules if name == figures.unit else {}
        better = "less" if compared else ""
        yield name, Metric(float(value), better, figures.key, parts)
        if name in A_BIT:
            yield f"{name} a bit", Metric(round(value / width, 2))
    if figures.energy_pj is not None:
        yield PICOJOULE, Metric(figures.energy_pj, "less", figures.key)
    if fmax := figures.fmax_mhz:
        where = f"the critical path ends in {figures.path_end}" if figures.path_end else ""
        yield MHZ, Metric(fmax.median, "more", figures.key, {}, where)
