"""Tables and figures of a leakage campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from verif.library.lanes.bench import LaneBench
from verif.security.leakage import (
    Counts,
    corrected_limit,
    group_scores,
    negative_log10_p,
    proportion_scores,
    traces_needed,
)
from verif.security.outcome import write_record
from verif.security.roles import Role, role_of, without_role

WORST = 12
# Recorded figures by configuration and test.
LEAKAGE = Path(__file__).with_name("leakage.json")
BITS = "bits"  # traces for each exponent bit: only of the secret `bit`
RECORDED = ("traces", "limit", "max_score", "distance", "sum_limit", "traces_needed", BITS)
# Name of all registers together.
ALL = "all"
# Traces from which those for each exponent bit are calculated.
BIT_TRACES = 10_000


@dataclass(frozen=True)
class LeakageReport:
    """Results of a leakage campaign.

    Attributes:
        bench: the design.
        counts: counts of the test.
        null: counts of the null test.
        noise: sigma of a measurement.
        window: cycles of the operation.
    """

    bench: LaneBench
    counts: Counts
    null: Counts
    noise: float
    window: range

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """z of each register in each cycle of the operation; 0 in cycles outside the operation."""
        return self._in_window(proportion_scores(self.counts))

    @cached_property
    def null_scores(self) -> NDArray[np.float64]:
        """z of each register in each cycle of the operation, in the null test."""
        return self._in_window(proportion_scores(self.null))

    @cached_property
    def roles(self) -> NDArray[np.str_]:
        """Value of the role of each register."""
        return np.array([role_of(each).value for each in self.bench.machine.registers])

    def _in_window(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        # Before it the host writes the secret, which the bus cannot hide.
        scores[: self.window.start] = scores[self.window.stop :] = 0
        return scores

    @property
    def tests(self) -> int:
        """Cells that toggle in some trace and not in all."""
        return int(np.count_nonzero(self.scores))

    @property
    def limit(self) -> float:
        """Corrected for :attr:`tests`."""
        return corrected_limit(self.tests)

    def of_role(self, role: Role) -> NDArray[np.float64]:
        """Scores of the registers of a role, [cycles][registers]."""
        return np.abs(self.scores[:, self.roles == role.value])

    def _groups(self, counts: Counts, sums: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
        """Return t of each module's sum by cycle of the operation, that of all registers first."""
        scores = group_scores(counts.traces, sums, self.noise)[:, self._window]
        return dict(zip((ALL, *self.bench.modules()), scores, strict=True))

    @property
    def _window(self) -> slice:
        return slice(self.window.start, self.window.stop)

    @cached_property
    def distances(self) -> dict[str, NDArray[np.float64]]:
        """t of the Hamming distance to the cycle before, by module and cycle of the operation."""
        return self._groups(self.counts, self.counts.distances)

    @cached_property
    def weights(self) -> dict[str, NDArray[np.float64]]:
        """t of the Hamming weight, by module and cycle of the operation."""
        return self._groups(self.counts, self.counts.weights)

    @cached_property
    def null_sums(self) -> dict[str, NDArray[np.float64]]:
        """The larger |t| of both in the null test."""
        null = self.null
        found = [self._groups(null, sums) for sums in (null.distances, null.weights)]
        return {name: np.maximum(*(abs(each[name]) for each in found)) for name in found[0]}

    @property
    def sum_limit(self) -> float:
        """Limit of :attr:`distances` and :attr:`weights`, corrected for their number."""
        tests = sum(map(np.count_nonzero, (*self.distances.values(), *self.weights.values())))
        return corrected_limit(int(tests))

    def by_module(self) -> dict[str, NDArray[np.float64]]:
        """Return the largest absolute score of each module's registers, by cycle of the window."""
        scores = np.abs(self.scores[self._window])
        modules = self.bench.modules()
        return {module: scores[:, indices].max(axis=1) for module, indices in modules.items()}

    def pictures(self) -> dict[str, str]:
        """Return the pictures of the page: SVG by title."""
        # Slow to load, as matplotlib is.
        from verif.security.page import heat_map, over_time

        first = self.window.start
        sums = {name: abs(scores) for name, scores in self.distances.items()}
        return {
            "Largest |z| of a register, by module and cycle (grey: below the limit)": heat_map(
                self.by_module(), first, "|z|", self.limit
            ),
            "|t| of the Hamming distance, by module and cycle (grey: below the limit)": heat_map(
                sums, first, "|t|", self.sum_limit
            ),
            "t of the total number of toggles": over_time(
                self.distances[ALL], first, corrected_limit(len(self.window))
            ),
        }

    def differing_control(self) -> dict[str, list[int]]:
        """Control registers that are not equal in all lanes, with the cycles of the operation."""
        found: dict[str, list[int]] = {}
        window = self.counts.differing[self.window.start : self.window.stop]
        for index in np.flatnonzero((self.roles == Role.CONTROL.value) & window.any(axis=0)):
            cycles = np.flatnonzero(window[:, index]) + self.window.start
            found[self.bench.machine.registers[index].label] = cycles.tolist()
        return found

    def figures(self) -> dict[str, Any]:
        """For a file."""
        distance = np.abs(self.distances[ALL]).max()
        worst = {role.value: float(self.of_role(role).max(initial=0)) for role in Role}
        traces = int(self.counts.traces.sum())
        return {
            "traces": traces,
            "tests": self.tests,
            "limit": round(self.limit, 3),
            "null": round(float(np.abs(self.null_scores).max()), 3),
            "max_score": {name: round(score, 3) for name, score in worst.items()},
            "distance": round(float(distance), 3),
            "sum_limit": round(self.sum_limit, 3),
            "null_sums": round(max(float(each.max()) for each in self.null_sums.values()), 3),
            "traces_needed": traces_needed(float(distance), traces),
            "without_role": without_role(self.bench.machine.registers),
            "differing_control": self.differing_control(),
        }

    def role_table(self) -> Table:
        """The largest score of each role."""
        table = Table(title=f"{int(self.counts.traces.sum()):,} traces, {self.tests:,} tests")
        for column in ("registers", "flip-flops", "max |z|", "-log10 p", "cells above the limit"):
            table.add_column(column, justify="left" if column == "registers" else "right")
        rows = [(role.value, self.of_role(role)) for role in Role]
        rows.append(("null test: both classes random", np.abs(self.null_scores)))
        for title, scores in rows:
            worst = float(scores.max(initial=0))
            p, above = negative_log10_p(worst), int((scores > self.limit).sum())
            table.add_row(title, str(scores.shape[1]), f"{worst:.1f}", f"{p:.1f}", f"{above:,}")
        return table

    def module_table(self) -> Table:
        """The Hamming distance and the Hamming weight of each module."""
        table = Table(title=f"Hamming distance and weight by module, limit {self.sum_limit:.2f}")
        table.add_column("module")
        columns = ("flip-flops", "distance, max |t|", "in cycle", "weight, max |t|", "in cycle")
        for column in (*columns, "null, max |t|"):
            table.add_column(column, justify="right")
        sizes = {ALL: len(self.bench.machine.registers)}
        sizes |= {module: len(indices) for module, indices in self.bench.modules().items()}
        for module in sorted(sizes, key=lambda name: -abs(self.distances[name]).max()):
            cells = []
            for scores in (self.distances[module], self.weights[module]):
                cells += [f"{abs(scores).max():.1f}", str(self.window[int(abs(scores).argmax())])]
            null = f"{self.null_sums[module].max():.1f}"
            table.add_row(module, f"{sizes[module]:,}", *cells, null)
        return table

    def register_table(self) -> Table:
        """The registers that depend most on the secret, with module, cycle and source."""
        table = Table(title="worst registers")
        for column in ("register", "module", "role", "source", "cycle", "max |z|", "cells"):
            table.add_column(column)
        scores = np.abs(self.scores)
        worst: dict[str, int] = {}
        for index in np.argsort(-scores.max(axis=0), kind="stable"):
            if scores[:, index].max() > self.limit:
                worst.setdefault(self.bench.machine.registers[index].name, index)
        for name, index in islice(worst.items(), WORST):
            register, mine = self.bench.machine.registers[index], scores[:, index]
            module = self.bench.module_of(register)
            # Synthesis gives the words of a memory no line.
            source = register.source or f"{module}.sv"
            words = (name, module, self.roles[index], source, str(int(mine.argmax())))
            table.add_row(*words, f"{mine.max():.1f}", str(int((mine > self.limit).sum())))
        return table


def record(key: str, figures: Mapping[str, Any], path: Path = LEAKAGE) -> None:
    """Record figures of a test.

    Args:
        key: configuration, secret, blinding and seed.
        figures: of :meth:`LeakageReport.figures`.
        path: JSON file.

    Raises:
        UsageError: the file cannot be read.
    """
    write_record(path, key, {name: figures[name] for name in RECORDED if name in figures})


def bit_table(needed: Mapping[int, int], noise: float) -> Table:
    """Return the traces that show each exponent bit with five sigma in the number of toggles.

    Args:
        needed: traces by bit; 0: nothing shows.
        noise: sigma of a measurement.
    """
    table = Table(title=f"traces for one exponent bit at five sigma, noise of sigma {noise:g}")
    table.add_column("bit", justify="right")
    table.add_column("traces", justify="right")
    for bit, traces in needed.items():
        table.add_row(str(bit), f"{traces:,}" if traces else f"more than {BIT_TRACES:,}")
    return table
