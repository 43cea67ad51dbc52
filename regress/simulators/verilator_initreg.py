"""Verilator with random initial values in every register, to find missing resets."""

from __future__ import annotations

from regress.simulators.base import BuildOptions, RunOptions
from regress.simulators.verilator import Verilator


class VerilatorInitreg(Verilator):
    """A register without a reset starts with a value drawn from the job's seed, not with 0."""

    name = "verilator_initreg"

    def build_arguments(self, options: BuildOptions) -> list[str]:
        """See :meth:`Simulator.build_arguments`."""
        unique = ["--x-assign", "unique", "--x-initial", "unique"]
        return [*super().build_arguments(options), *unique]

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        # Verilator takes seed 0 as the time of day.
        seed = max(1, options.seed)
        random = ["+verilator+rand+reset+2", f"+verilator+seed+{seed}"]
        return [*super().run_arguments(options), *random]
