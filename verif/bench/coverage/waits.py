"""Coverage of time in which nothing happens: how long, in which state, and who makes it last."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from verif.bench.agent.step import MAX_WAIT
from verif.bench.coverage.covergroups import Covergroup

# The host asks for nothing, or its request is held off by wait states.
SILENT, HELD_OFF = "host silent", "request held off"
HOWS = (SILENT, HELD_OFF)
# Cycles, the least of each order.
LONGEST = "thousands"
ORDERS = {"tens": 10, "hundreds": 100, LONGEST: 1000}


def order_of(cycles: int) -> str:
    """Of a duration; empty if it is shorter than all."""
    return next((name for name, least in reversed(ORDERS.items()) if cycles >= least), "")


def span(order: str) -> range:
    """The durations of an order."""
    ends = [*ORDERS.values(), MAX_WAIT + 1]
    least = ORDERS[order]
    return range(least, ends[ends.index(least) + 1])


class WaitCoverage:
    """How long x who x state of the operation and of the operands when it begins.

    Attributes:
        group: the bins.

    Args:
        states: the states of operation and operands that there can be.
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
        """A wait of so many cycles began in a state."""
        if order := order_of(cycles):
            self.group.sample(f"{order}, {how}, {self._named(operation, operands)}")

    def missing(self, operation: str, operands: str) -> list[tuple[str, str]]:
        """(order, how) of the waits that did not yet begin in a state, the longest first."""
        state = self._named(operation, operands)
        return [
            (order, how)
            for order, how in product(reversed(ORDERS), HOWS)
            if (name := f"{order}, {how}, {state}") in self.group.goal and not self.group.hits[name]
        ]

    @property
    def complete(self) -> bool:
        """Nothing is missing."""
        return set(self.group.goal) <= set(self.group.hits)
