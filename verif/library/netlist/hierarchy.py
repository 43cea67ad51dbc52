"""Reads what synthesis and timing left: area by module, and paths in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

TOP = ""
# How ``@registers`` names a flip-flop: signal and bit. A cell named after it has more behind.
REGISTER = re.compile(r"^(.*?)_reg_(\d+)(?:_|$)")

PLURALS = {"carry": "carries", "memory": "memories"}


class ModuleArea(BaseModel):
    """What one instance of the hierarchy takes, the instances inside it not counted."""

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
        """The path in one sentence."""
        shares = ""
        if self.logic_ns is not None and self.routing_ns is not None:
            shares = f", {self.logic_ns:.1f} logic + {self.routing_ns:.1f} routing"
        middle = f" through {', '.join(self.through)}" if self.through else ""
        return f"from {self.start}{middle} to {self.end} ({self.delay_ns:.2f} ns{shares})"


class Hierarchy:
    """The instances of a design, by path.

    Args:
        top: its module.
        instances: module of each instance below it, by path.
    """

    def __init__(self, top: str, instances: dict[str, str]) -> None:
        """Keep them."""
        self._modules = {TOP: top, **instances}

    @classmethod
    def read(cls, top: str, path: Path) -> Hierarchy:
        """Read what ``@instances`` wrote."""
        rows = [line.split("\t") for line in path.read_text().splitlines()]
        return cls(top, dict(rows))

    def module(self, path: str) -> str:
        """Module of an instance."""
        return self._modules[path]

    def owner(self, name: str) -> str:
        """The instance that a cell or net of the flattened netlist is counted to.

        Flattening puts an instance's path in front of each name; what has no name of its own was
        named after its neighbour by ``autoname``. So a cell made by logic optimisation counts to
        the instance whose named register or wire is next to it.
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
        """What each instance takes, those with nothing left out.

        Args:
            cells: type and name of every cell.
            cost: what a cell of a type takes, by field of :class:`ModuleArea`.
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
        """The signal that a flip-flop's cell in the netlist drives, with the bit's number."""
        found = REGISTER.match(cell)
        return f"{found[1]}[{found[2]}]" if found else cell

    def through(self, cells: Iterable[tuple[str, str]]) -> list[str]:
        """A row of cells (kind, name) as ``module: kinds``, neighbours put together."""
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
    """Type and name of every cell, as ``@cells`` wrote them; notes of the hierarchy left out."""
    with path.open() as lines:
        rows = [line.rstrip("\n").split("\t", 1) for line in lines]
    return [(kind, name) for kind, name in rows if kind != "$scopeinfo"]
