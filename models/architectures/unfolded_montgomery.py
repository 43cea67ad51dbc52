"""Fast and Faster Montgomery unfolded by J: J iterations a clock (source 001)."""

from __future__ import annotations

from collections.abc import Mapping

from models.architecture import Parameter, Published
from models.architectures.fast_montgomery import FastMontgomery
from models.architectures.faster_montgomery import FasterMontgomery

MAX_UNFOLDING = 4


def check_unfolding(name: str, values: Mapping[str, int], width: int) -> None:
    """Raise ``ValueError`` unless J goes with the width."""
    unfolding = values["Unfolding"]
    largest = min(MAX_UNFOLDING, width // 2)
    if not 1 <= unfolding <= largest:
        raise ValueError(
            f"Unfolding = {unfolding} of {name} at {width} bits: accepted are 1 to {largest}"
        )


class UnfoldedFastMontgomery(FastMontgomery):
    """Registry entry B1: Algorithm 1b, J iterations a clock.

    The last clock does the n mod J iterations that are left, so R stays 2**n for every n and J.
    """

    name = "unfolded_fast_montgomery"
    title = "Fast Montgomery, unfolded (Alg. 1b)"
    source = "Gajbhiye & Joshi 2018, 'Two-CSA with proposed unfolding', figures 4 to 6"
    published = Published("n/J", "Gajbhiye & Joshi 2018, 'K/2 cycles'")
    parameters = (Parameter("Unfolding", "J: iterations a clock, 1 to 4"),)

    def default_parameter(self, name: str, width: int) -> int:
        """J = 2."""
        return 2

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """1 <= J <= 4, 2*J <= n.

        Raises:
            ValueError: it is not so.
        """
        check_unfolding(self.name, values, width)

    def iterations_per_clock(self, width: int) -> int:
        """J."""
        return self.parameter("Unfolding", width)

    def loop_clocks(self, width: int) -> int:
        """ceil(n/J): the first J iterations fall into the clock of the start; n + 1 for J = 1."""
        unfolding = self.parameter("Unfolding", width)
        return -(-width // unfolding) if unfolding > 1 else width + 1

    def published_loop_clocks(self, width: int) -> int:
        """n/2 for J = 2, read as ceil(n/J); n + 1 without unfolding."""
        return self.loop_clocks(width)

    def published_exponentiation_clocks(self, width: int) -> int | None:
        """None given."""
        return None


class UnfoldedFasterMontgomery(FasterMontgomery):
    """Registry entry B2: Algorithm 3, J iterations and J tables a clock."""

    name = "unfolded_faster_montgomery"
    title = "Faster Montgomery, unfolded (Alg. 3)"
    source = "Gajbhiye & Joshi 2018, 'Pre-computed with proposed unfolding', figure 7"
    published = Published("n/J", "Gajbhiye & Joshi 2018, 'K/2 cycles'")
    parameters = UnfoldedFastMontgomery.parameters
    default_parameter = UnfoldedFastMontgomery.default_parameter
    check_parameters = UnfoldedFastMontgomery.check_parameters
    iterations_per_clock = UnfoldedFastMontgomery.iterations_per_clock
    loop_clocks = UnfoldedFastMontgomery.loop_clocks
    published_loop_clocks = UnfoldedFastMontgomery.published_loop_clocks
    published_exponentiation_clocks = UnfoldedFastMontgomery.published_exponentiation_clocks
