"""A target: the way from a recipe to area and time."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from verif.implement.energy.estimate import Energy
from verif.implement.energy.stimulus import Stimulus
from verif.implement.toolbox import Toolbox, Workshop
from verif.library.netlist.hierarchy import CriticalPath, Hierarchy, ModuleArea
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe import Recipe
from verif.library.yosys import yosys_version

NETLIST = "netlist.v"
INSTANCES = "instances.tsv"
CELLS = "cells.tsv"
# The netlist for simulation. Most names are numbers, because some simulators reject long names.
SIMULATION = "simulation.v"
# Simulation models of the netlist's cells; the file is missing if the netlist needs none.
MODELS = "models.v"


class DoesNotFit(Exception):
    """The design is larger than the device; the message names the resource."""


class Area(BaseModel):
    """Area of a design after synthesis; None where the target does not count so."""

    model_config = ConfigDict(extra="forbid")

    luts: int | None = None
    ffs: int | None = None
    multipliers: int | None = None
    memories: int | None = None
    lut_memories: int | None = None
    gates: int | None = None
    depth: int | None = Field(default=None, description="gates on the longest path")
    area_um2: float | None = None
    kilo_gate_equivalents: float | None = Field(
        default=None, description="area over that of the smallest NAND of two inputs, in thousands"
    )
    cells: dict[str, int] = Field(description="cells by type")
    modules: list[ModuleArea] = Field(description="area by instance of the hierarchy")
    seconds: float = 0.0


def area_of(
    cells: Sequence[tuple[str, str]],
    hierarchy: Hierarchy,
    cost: Callable[[str], dict[str, float]],
    *fields: str,
) -> Area:
    """Return the area of a design: cells by type, and some fields by instance and as sums.

    Args:
        cells: type and name of every cell.
        hierarchy: the instances.
        cost: area of a cell type, by field of :class:`ModuleArea`.
        fields: the fields that have a sum.
    """
    modules = hierarchy.area(cells, cost)
    sums = {field: sum(getattr(module, field) for module in modules) for field in fields}
    kinds = Counter(kind for kind, _ in cells)
    return Area(**sums, cells=dict(sorted(kinds.items())), modules=modules)


class Timing(BaseModel):
    """Times of a design with one seed."""

    model_config = ConfigDict(extra="forbid")

    seed: int
    fmax_mhz: float
    critical_path: CriticalPath
    seconds: float = 0.0


class Target(ABC):
    """A way to make hardware from a recipe. Each target is a subclass in a file of this folder.

    Attributes:
        name: name on the command line.
        title: name in tables and pictures.
        stage: kind of the times: ``post-route``, ``pre-layout``, or empty without times.
        seeded: the times depend on a seed.
        simulated: the netlist can be simulated, with :data:`MODELS` if the target has them.
        energies: the target has the energy of cells.
        revision: number to increase if a change of the code changes the result of the same passes.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    stage: ClassVar[str]
    seeded: ClassVar[bool] = False
    simulated: ClassVar[bool] = False
    energies: ClassVar[bool] = False
    revision: ClassVar[int] = 1

    @abstractmethod
    def passes(self, recipe: Recipe) -> list[str]:
        """The Yosys passes after those that read the design and write its hierarchy."""

    def simulation_passes(self, recipe: Recipe) -> list[str]:
        """The passes that write :data:`SIMULATION`; none for a netlist without models."""
        return []

    @abstractmethod
    def area(self, hierarchy: Hierarchy, folder: Path, place: Workshop) -> Area:
        """Count what synthesis left in a folder."""

    def time(
        self, recipe: Recipe, synthesis: Path, folder: Path, seed: int, place: Workshop
    ) -> Timing:
        """Place, route and time a synthesised design.

        Args:
            recipe: recipe of the synthesised design.
            synthesis: folder that :meth:`synthesise` filled; not to be changed.
            folder: folder for the tools' files.
            seed: seed of every random choice.
            place: workplace with the tools.

        Raises:
            ToolError: a tool failed, or the target has no times.
            DoesNotFit: the device is too small.
        """
        raise ToolError(f"{self.name} has no times")

    def energy(
        self,
        recipe: Recipe,
        synthesis: Path,
        folder: Path,
        stimulus: Stimulus,
        place: Workshop,
    ) -> Energy:
        """Estimate the energy of an operation.

        Args:
            recipe: recipe of the synthesised design.
            synthesis: folder that :meth:`synthesise` filled; not to be changed.
            folder: folder for the tools' files.
            stimulus: random operations.
            place: workplace with the tools.

        Raises:
            ToolError: a tool failed, or a cell or the whole target has no energy.
        """
        raise ToolError(f"{self.name} has no energy of cells")

    def check_fit(self, area: Area) -> None:
        """Raise :class:`DoesNotFit` if the device is too small; by default every design fits."""
        return None

    def prepare(self, toolbox: Toolbox) -> None:
        """Install the tools that only this target needs; by default none.

        Raises:
            ToolError: one cannot be installed; the message states what to do.
        """
        return None

    def versions(self, toolbox: Toolbox) -> dict[str, str]:
        """Tools and libraries that determine the result."""
        return {"pyosys": yosys_version()}

    def options(self, recipe: Recipe) -> list[str]:
        """Inputs of the result besides the sources and the tools."""
        return [*self.read_passes(recipe, []), *self.passes(recipe)]

    def read_passes(self, recipe: Recipe, sources: Sequence[Path]) -> list[str]:
        """The passes that read the sources.

        The hierarchy is kept so that names survive; the target flattens it. A register that the
        source says to keep stays, equal to another one or not.
        """
        values = " ".join(f"-G {name}={value}" for name, value in recipe.parameters.items())
        files = " ".join(path.name for path in sources)
        return [
            f"read_slang --threads 1 --keep-hierarchy --single-unit --top {recipe.top} {values} "
            f"{files}".strip(),
            f"hierarchy -check -top {recipe.top}",
            "setattr -set keep 1 w:* a:keep %i %ci1 t:$* %i",
        ]

    def synthesise(self, recipe: Recipe, folder: Path, place: Workshop) -> Area:
        """Synthesise a recipe; leaves the netlist in ``folder``.

        Raises:
            ToolError: a tool failed.
        """
        sources = recipe.write_sources(folder)
        passes = [
            *self.read_passes(recipe, sources),
            f"@instances {INSTANCES}",
            *self.passes(recipe),
            f"@cells {CELLS}",
            *self.simulation_passes(recipe),
        ]
        seconds = place.yosys(passes, folder)
        hierarchy = Hierarchy.read(recipe.top, folder / INSTANCES)
        area = self.area(hierarchy, folder, place)
        area.seconds = seconds
        accept_parameters(folder / SIMULATION, recipe)
        return area


def accept_parameters(netlist: Path, recipe: Recipe) -> None:
    """Let a netlist be instantiated with every parameter of the module it was made from.

    It then takes the design's place in a bench as it is. The netlist uses no value.
    """
    names = [*recipe.parameters, *parameters_of(recipe)]
    if not (netlist.is_file() and names):
        return
    values = ", ".join(
        f"parameter {name} = {recipe.parameters.get(name, 0)}" for name in dict.fromkeys(names)
    )
    head = f"module {recipe.top}("
    text = netlist.read_text()
    if f"\n{head}" not in text:
        raise ToolError(f"{netlist.name} has no {head!r}")
    netlist.write_text(text.replace(f"\n{head}", f"\nmodule {recipe.top} #({values}) (", 1))


def parameters_of(recipe: Recipe) -> list[str]:
    """Return the names of the top's parameters, as its source declares them."""
    head = re.compile(rf"^module {recipe.top}\b(.*?)^\) \(", re.M | re.S)
    heads = [found[1] for text in recipe.sources.values() if (found := head.search(text))]
    return re.findall(r"^\s*parameter (?:\w+ )?(\w+) =", "".join(heads), re.M)
