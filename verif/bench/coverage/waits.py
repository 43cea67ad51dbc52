"""Coverage of waits on the bus: their length, their kind, and the state in which they begin."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from verif.bench.agent.step import MAX_WAIT
from verif.bench.coverage.covergroups import Covergroup

# Kinds of waits: the host makes no request, or wait states hold off its request.
SILENT, HELD_OFF = "host silent", "request held off"
HOWS = (SILENT, HELD_OFF)
# Orders of magnitude: minimum number of cycles of each.
LONGEST = "thousands"
ORDERS = {"tens": 10, "hundreds": 100, LONGEST: 1000}


def order_of(cycles: int) -> str:
    """Return the order of a duration; empty if it is below the smallest order."""
    return next((name for name, least in reversed(ORDERS.items()) if cycles >= least), "")


def span(order: str) -> range:
    """Return the durations of an order."""
    ends = [*ORDERS.values(), MAX_WAIT + 1]
    least = ORDERS[order]
    return range(least, ends[ends.index(least) + 1])


class WaitCoverage:
    """Covers length x kind x state of operation and operands at the begin of a wait.

    Attributes:
        group: the bins.

    Args:
        states: the possible states of operation and operands.
    """

    def __init__(self, states: Iterable[tuple[str, str]]) -> None:
        named = dict.fromkeys(self._named(*pair) for pair in states)
        self.group = Covergroup(
            f"{order}, {how}, {state}" for order, how, state in product(ORDERS, HOWS, named)
        )

    @staticmethod
    def _named(operation: str, operands: str) -> str:
        return f"{operation}, operands {operands}"

    def sample(self, how: str, cycles: int, operation: str, operands: str) -> None:
        """Count a wait of ``cycles`` cycles that began in a state."""
        if order := order_of(cycles):
            self.group.sample(f"{order}, {how}, {self._named(operation, operands)}")

    def missing(self, operation: str, operands: str) -> list[tuple[str, str]]:
        """Return (order, how) of the waits not yet covered in a state, the longest first."""
        state = self._named(operation, operands)
        return [
            (order, how)
            for order, how in product(reversed(ORDERS), HOWS)
            if (name := f"{order}, {how}, {state}") in self.group.goal and not self.group.hits[name]
        ]

    @property
    def complete(self) -> bool:
        """Whether all bins are hit."""
        return set(self.group.goal) <= set(self.group.hits)
