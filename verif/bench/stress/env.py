"""Environments of the stress test: what plugs into the environment of the loader bus."""

from __future__ import annotations

from pyuvm import uvm_driver

from verif.bench.coverage.exponentiation import ExponentiationCoverage
from verif.bench.coverage.multiplier import MultiplierCoverage
from verif.bench.env.checkers.plugin import CheckerPlugin
from verif.bench.env.env import LoaderEnv
from verif.bench.stress.checker import WalkChecker
from verif.bench.stress.driver import StressDriver
from verif.bench.stress.monitor import StressMonitor


class StressEnv(LoaderEnv):
    """Environment of sequences on one design with a loader bus."""

    driver = StressDriver
    monitor = StressMonitor
    checker = WalkChecker
    samples = False
    traced = False

    def connect_phase(self) -> None:
        """Connect the coverage of sequences to the checker."""
        super().connect_phase()
        checker, model = self.scoreboard.checker, self.coverage.model
        if model.front:  # what happens on the loader bus is up to the front
            checker.accesses = model.front
            self.agent.driver.attach(checker, model.front)
        else:
            checker.coverage = model.stress

    def behind_front(self) -> tuple[type[uvm_driver], type[CheckerPlugin]]:
        """See :class:`LoaderEnv`."""
        # Import here, because only a front needs the masters of the standard buses.
        from verif.bench.stress.front_checker import FrontStressChecker
        from verif.bench.stress.front_driver import FrontStressDriver

        return FrontStressDriver, FrontStressChecker

    def final_phase(self) -> None:
        """Close the trace."""
        self.scoreboard.checker.close()


class MultiplierStressEnv(StressEnv):
    """Stress environment of a multiplier."""

    coverage_model = MultiplierCoverage


class ExponentiationStressEnv(StressEnv):
    """Stress environment of an exponentiation core."""

    coverage_model = ExponentiationCoverage
