"""Base classes of the entries with several iterations per cycle (unfolding, source 001)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from models.architecture import Architecture, Parameter
from models.capability import Part
from models.published import Published
from models.timing import Timing

MAX_UNFOLDING = 4


class PublishedUnfolding(Published):
    """Figures of a core with several iterations per cycle."""

    def loop_cycles(self, width: int) -> int:
        """Return ceil(n/J), which the source prints as n or n/2; plus 1 if cycle 1 only loads."""
        return self.entry.timing.cycles_of(width, width)


class UnfoldedTiming(Timing):
    """J iterations per cycle; the start cycle computes the first J."""

    start_iterates: ClassVar[bool] = False

    def iterations_per_cycle(self, width: int) -> int:
        """Return J."""
        return self.entry.parameter("Unfolding", width)

    def cycles_of(self, iterations: int, width: int) -> int:
        """Return the cycles of ``iterations`` iterations; the last cycle may do fewer than J."""
        unfolding = self.entry.parameter("Unfolding", width)
        loading = unfolding == 1 and not self.start_iterates
        return -(-iterations // unfolding) + loading

    def loop_cycles(self, width: int) -> int:
        """Return ceil(n/J), plus 1 if the first cycle only loads."""
        return self.cycles_of(width, width)


class Unfolding(Architecture):
    """Base class of the entries whose core computes J iterations per cycle from the start cycle on.

    Attributes:
        default_unfolding: default of J.
        start_iterates: True if the start cycle computes an iteration even for J = 1; otherwise it
            only loads the operands for J = 1.
    """

    parameters = (
        Parameter(
            "Unfolding",
            "J: iterations a cycle, 1 to 4",
            lambda entry, width: entry.default_unfolding,
        ),
    )
    default_unfolding: ClassVar[int] = 2
    timing = Part(UnfoldedTiming)

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """Check 1 <= J <= 4 and 2*J <= n.

        Raises:
            ValueError: a condition does not hold.
        """
        unfolding = values["Unfolding"]
        largest = min(MAX_UNFOLDING, width // 2)
        if not 1 <= unfolding <= largest:
            raise ValueError(
                f"Unfolding = {unfolding} of {self.name} at {width} bits: "
                f"accepted are 1 to {largest}"
            )

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Return classes of J and of the iterations left for the last cycle."""
        unfolding = self.parameter("Unfolding", width)
        return {
            f"J = {j}, n mod J = {rest}": (unfolding, width % unfolding) == (j, rest)
            for j in range(1, MAX_UNFOLDING + 1)
            for rest in range(j)
        }
