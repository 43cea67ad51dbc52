"""Results of a campaign of upsets: tables, worst registers, and the stored expectation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from rich.table import Table

from verif.library.lanes.bench import LaneBench
from verif.library.netlist.gates import FlipFlop
from verif.security.kept import Kept
from verif.security.outcome import read_records, write_record
from verif.security.safe_errors import SafeError
from verif.security.upsets import TITLES, Effect, Found, Point

EXPECTATION = Path(__file__).with_name("upsets.json")
NEXT_WRONG, SAFE_ERRORS, EXPERIMENTS = "next_wrong", "safe_errors", "experiments"
DETECTED, DURATION, OTHER_STATUS = "detected", "duration", "other_status"
KEPT_WRONG, CONSTANT_STAYS = "kept_wrong", "constant_stays"
NEXT = {
    NEXT_WRONG: "the next operation wrong, its status does not report it",
    OTHER_STATUS: "ended with another status that does not report an upset",
    KEPT_WRONG: "right, and the next operation with the same operands wrong",
    CONSTANT_STAYS: "reported, and the next operation with the same operands makes no new R**2",
}
# Harmful effects, and all counted ones, by name in the stored expectation.
BAD = {"silent": Effect.SILENT, "hang": Effect.HANG, "latent": Effect.LATENT}
COUNTED = {**BAD, DETECTED: Effect.DETECTED, DURATION: Effect.DURATION}
# Counts that must not increase.
COMPARED = (*BAD, DURATION, *NEXT, SAFE_ERRORS)
WORST = 12


@dataclass(frozen=True)
class UpsetReport:
    """The outcome of a campaign.

    Attributes:
        bench: the design.
        points: points of the experiments.
        found: effect of the fault at each point.
        kept: the same if the host keeps its operands.
        safe: safe errors; None without a secret or without the option.
    """

    bench: LaneBench
    points: Sequence[Point]
    found: Found
    kept: Kept
    safe: Sequence[SafeError] | None

    def figures(self) -> dict[str, int]:
        """The counts that are compared with the expectation."""
        counts = {name: self._count(kind) for name, kind in COUNTED.items()}
        counts[NEXT_WRONG] = int(self.found.next_wrong.sum())
        counts[OTHER_STATUS] = int(self.found.other_status.sum())
        counts[KEPT_WRONG] = int(self.kept.wrong.sum())
        if self.bench.design.secret is not None:
            counts[CONSTANT_STAYS] = int(self.kept.stays.sum())
        if self.safe is not None:
            counts[SAFE_ERRORS] = len({error.point for error in self.safe})
        return {EXPERIMENTS: len(self.points), **counts}

    def _count(self, kind: Effect) -> int:
        return int((self.found.effects == kind).sum())

    def effects_table(self) -> Table:
        """Return the table of effects and their shares."""
        table = Table(title=f"{len(self.points):,} faults")
        table.add_column("effect")
        table.add_column("faults", justify="right")
        table.add_column("share", justify="right")
        rows = [(TITLES[kind], self._count(kind)) for kind in Effect]
        figures = self.figures()
        rows += [(title, figures[name]) for name, title in NEXT.items() if name in figures]
        if self.safe is not None:
            for value in (0, 1):
                points = {error.point for error in self.safe if error.right_if == value}
                rows.append((f"safe error: right if an exponent bit is {value}", len(points)))
        for title, count in rows:
            table.add_row(title, f"{count:,}", f"{count / len(self.points):.2%}")
        return table

    def module_table(self) -> Table:
        """Effects by module."""
        return self._table("module", self._by_module)

    @cached_property
    def _by_module(self) -> Mapping[str, Counter[Effect]]:
        return self._counted(self.bench.module_of)

    def _counted(self, name: Callable[[FlipFlop], str]) -> Mapping[str, Counter[Effect]]:
        """Return the effects by a name of the registers."""
        hit = (point.registers[0] for point in self.points)
        found = Counter(zip(hit, self.found.effects.tolist(), strict=True))
        counts: dict[str, Counter[Effect]] = defaultdict(Counter)
        for (register, effect), count in found.items():
            counts[name(self.bench.machine.registers[register])][Effect(effect)] += count
        return counts

    def pictures(self) -> dict[str, str]:
        """Return the pictures of the page: SVG by title."""
        # Slow to load, as matplotlib is.
        from verif.security.page import heat_map, stacked

        kinds = [kind for kind in Effect if kind is not Effect.NONE]
        counts = {
            module: [found[kind] for kind in kinds] for module, found in self._by_module.items()
        }
        first = min(point.cycle for point in self.points)
        cycles = 1 + max(point.cycle for point in self.points) - first
        bad = {module: np.zeros(cycles) for module in counts}
        modules = [self.bench.module_of(register) for register in self.bench.machine.registers]
        harmful = np.isin(self.found.effects, list(BAD.values()))
        for index in np.flatnonzero(harmful):
            point = self.points[index]
            bad[modules[point.registers[0]]][point.cycle - first] += 1
        names = [kind.name.lower() for kind in kinds]
        return {
            "Effects by module": stacked(counts, names),
            "Silent errors, hangs and latent faults by module and cycle": heat_map(
                bad, first, "faults", limit=0
            ),
        }

    def register_table(self) -> Table:
        """The registers with the most silent errors, hangs and latent faults, and their source."""
        counts = self._counted(lambda register: f"{register.name} ({register.source})")

        def harm(name: str) -> int:
            return sum(counts[name][kind] for kind in BAD.values())

        worst = sorted(counts, key=harm, reverse=True)[:WORST]
        return self._table("worst registers", {name: counts[name] for name in worst})

    def _table(self, title: str, counts: Mapping[str, Counter[Effect]]) -> Table:
        table = Table(title=f"share of each effect by {title}")
        table.add_column(title)
        table.add_column("faults", justify="right")
        for kind in Effect:
            table.add_column(kind.name.lower(), justify="right")
        for name, found in sorted(counts.items(), key=lambda item: -item[1].total()):
            shares = (f"{found[kind] / found.total():.1%}" for kind in Effect)
            table.add_row(name, f"{found.total():,}", *shares)
        return table


class Expectation:
    """The stored counts by configuration.

    Args:
        path: JSON file; if it is missing, the result is empty.

    Raises:
        UsageError: it cannot be read.
    """

    def __init__(self, path: Path = EXPECTATION) -> None:
        self._path, self._stored = path, read_records(path)

    def known(self, key: str) -> bool:
        """There are counts of a configuration."""
        return key in self._stored

    def growth(self, key: str, figures: Mapping[str, int]) -> list[str]:
        """A line for each count that is larger than the stored one."""
        stored = self._stored.get(key, {})
        return [
            f"{key}: {name} {figures[name]:,}, expected at most {stored[name]:,}"
            for name in COMPARED
            if name in figures and name in stored and figures[name] > stored[name]
        ]

    def write(self, key: str, figures: Mapping[str, int]) -> None:
        """Store counts."""
        write_record(self._path, key, figures)


def sampled(points: Sequence[Point], count: int | None, seed: int) -> Sequence[Point]:
    """Some points drawn at random; all of them if ``count`` is None or not fewer."""
    if count is None or count >= len(points):
        return points
    chosen = np.random.default_rng(seed).choice(len(points), count, replace=False)
    return [points[index] for index in sorted(chosen)]
