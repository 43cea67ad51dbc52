"""Reads the results of synthesis and timing analysis: area by module, and paths as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

TOP = ""
# Name that ``@registers`` gives a flip-flop: signal and bit. Cells named after it have a suffix.
REGISTER = re.compile(r"^(.*?)_reg_(\d+)(?:_|$)")

PLURALS = {"carry": "carries", "memory": "memories"}


class ModuleArea(BaseModel):
    """Area of one instance of the hierarchy, without the instances inside it."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(description="instance below the top, empty for the top itself")
    module: str = Field(description="its module")
    luts: int = 0
    ffs: int = 0
    multipliers: int = 0
    memories: int = 0
    lut_memories: int = 0
    gates: int = 0
    area_um2: float = 0.0

    @property
    def size(self) -> float:
        """The target's own measure of area: square micrometres, LUTs or gates."""
        return self.area_um2 or self.luts or self.gates


class CriticalPath(BaseModel):
    """The slowest path between two registers."""

    model_config = ConfigDict(extra="forbid")

    start: str = Field(description="register or input it begins at")
    through: list[str] = Field(description="what it goes through, in order: module and cells")
    end: str = Field(description="register or output it ends at")
    delay_ns: float = Field(description="its delay")
    logic_ns: float | None = Field(default=None, description="the share of cells, if known")
    routing_ns: float | None = Field(default=None, description="the share of wires, if known")

    @property
    def text(self) -> str:
        """The path as one sentence."""
        shares = ""
        if self.logic_ns is not None and self.routing_ns is not None:
            shares = f", {self.logic_ns:.1f} logic + {self.routing_ns:.1f} routing"
        middle = f" through {', '.join(self.through)}" if self.through else ""
        return f"from {self.start}{middle} to {self.end} ({self.delay_ns:.2f} ns{shares})"


class Hierarchy:
    """The instances of a design, by path.

    Args:
        top: module of the top.
        instances: module of each instance below the top, by path.
    """

    def __init__(self, top: str, instances: dict[str, str]) -> None:
        """Store the instances."""
        self._modules = {TOP: top, **instances}

    @classmethod
    def read(cls, top: str, path: Path) -> Hierarchy:
        """Read the file that ``@instances`` wrote."""
        rows = [line.split("\t") for line in path.read_text().splitlines()]
        return cls(top, dict(rows))

    def module(self, path: str) -> str:
        """Return the module of an instance."""
        return self._modules[path]

    def owner(self, name: str) -> str:
        """Return the instance to which a cell or net of the flattened netlist counts.

        Flattening adds the instance's path before each name, and ``autoname`` names unnamed cells
        after a neighbour. So a cell made by logic optimisation counts to the instance of the named
        register or wire next to it.
        """
        parts = name.split(".")
        while parts:
            path = ".".join(parts)
            if path in self._modules:
                return path
            parts.pop()
        return TOP

    def area(
        self, cells: Iterable[tuple[str, str]], cost: Callable[[str], dict[str, float]]
    ) -> list[ModuleArea]:
        """Return the area of each instance, without instances of no area.

        Args:
            cells: type and name of every cell.
            cost: function that returns the area of a cell type, by field of :class:`ModuleArea`.
        """
        sums: dict[str, Counter[str]] = {}
        for kind, name in cells:
            for field, amount in cost(kind).items():
                sums.setdefault(self.owner(name), Counter())[field] += amount
        return [
            ModuleArea(path=path, module=self._modules[path], **sums[path])
            for path in sorted(sums)
            if any(sums[path].values())
        ]

    def register(self, cell: str) -> str:
        """Return the signal and bit number that a flip-flop cell of the netlist drives."""
        found = REGISTER.match(cell)
        return f"{found[1]}[{found[2]}]" if found else cell

    def through(self, cells: Iterable[tuple[str, str]]) -> list[str]:
        """Return a sequence of cells (kind, name) as ``module: kinds``, with neighbours merged."""
        owned = [(self._shown(self.owner(name)), kind) for kind, name in cells]
        found = []
        for place, row in groupby(owned, key=lambda pair: pair[0]):
            kinds = Counter(kind for _, kind in row)
            found.append(f"{place}: {', '.join(_counted(n, kind) for kind, n in kinds.items())}")
        return found

    def _shown(self, path: str) -> str:
        return path or self._modules[TOP]


def _counted(number: int, kind: str) -> str:
    if number == 1:
        return f"1 {kind}"
    return f"{number} {PLURALS.get(kind, f'{kind}s')}"


def read_cells(path: Path) -> list[tuple[str, str]]:
    """Return type and name of every cell that ``@cells`` wrote, without hierarchy notes."""
    with path.open() as lines:
        rows = [line.rstrip("\n").split("\t", 1) for line in lines]
    return [(kind, name) for kind, name in rows if kind != "$scopeinfo"]
