"""Environments of the stress test: what plugs into the environment of the loader bus."""

from __future__ import annotations

from verif.bench.coverage.exponentiation import ExponentiationCoverage
from verif.bench.coverage.multiplier import MultiplierCoverage
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
        """Let the checker sample the coverage of sequences."""
        super().connect_phase()
        self.scoreboard.checker.coverage = self.coverage.model.stress

    def final_phase(self) -> None:
        """Close the trace."""
        self.scoreboard.checker.close()


class MultiplierStressEnv(StressEnv):
    """Stress environment of a multiplier."""

    coverage_model = MultiplierCoverage


class ExponentiationStressEnv(StressEnv):
    """Stress environment of an exponentiation core."""

    coverage_model = ExponentiationCoverage
