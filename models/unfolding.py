"""Unfolding: what the entries with several iterations a clock have in common (source 001)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from models.architecture import Architecture, Parameter
from models.capability import Part
from models.published import Published
from models.timing import Timing

MAX_UNFOLDING = 4


class PublishedUnfolding(Published):
    """Figures of a core with several iterations a cycle."""

    def loop_cycles(self, width: int) -> int:
        """n, n/2 for J = 2, read as ceil(n/J); one more where the first clock only loads."""
        return self.entry.timing.cycles_of(width, width)


class UnfoldedTiming(Timing):
    """J iterations a cycle, the first J in the cycle of the start."""

    start_iterates: ClassVar[bool] = False

    def iterations_per_cycle(self, width: int) -> int:
        """J."""
        return self.entry.parameter("Unfolding", width)

    def cycles_of(self, iterations: int, width: int) -> int:
        """Clocks from the start that so many iterations take; the last clock does what is left."""
        unfolding = self.entry.parameter("Unfolding", width)
        loading = unfolding == 1 and not self.start_iterates
        return -(-iterations // unfolding) + loading

    def loop_cycles(self, width: int) -> int:
        """ceil(n/J), one more where the first clock only loads."""
        return self.cycles_of(width, width)


class Unfolding(Architecture):
    """Base of the entries whose core makes J iterations a clock, the first in that of the start.

    Attributes:
        default_unfolding: J where none is given.
        start_iterates: the clock of the start makes an iteration even for J = 1; else it only loads
            the operands then.
    """

    parameters = (
        Parameter(
            "Unfolding",
            "J: iterations a clock, 1 to 4",
            lambda entry, width: entry.default_unfolding,
        ),
    )
    default_unfolding: ClassVar[int] = 2
    timing = Part(UnfoldedTiming)

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """1 <= J <= 4, 2*J <= n.

        Raises:
            ValueError: it is not so.
        """
        unfolding = values["Unfolding"]
        largest = min(MAX_UNFOLDING, width // 2)
        if not 1 <= unfolding <= largest:
            raise ValueError(
                f"Unfolding = {unfolding} of {self.name} at {width} bits: "
                f"accepted are 1 to {largest}"
            )

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """J, and how many iterations are left for the last clock."""
        unfolding = self.parameter("Unfolding", width)
        return {
            f"J = {j}, n mod J = {rest}": (unfolding, width % unfolding) == (j, rest)
            for j in range(1, MAX_UNFOLDING + 1)
            for rest in range(j)
        }
