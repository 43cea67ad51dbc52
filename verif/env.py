"""The verification environment: agent, scoreboard, coverage."""

from __future__ import annotations

from pyuvm import uvm_env

from verif.bus.agent import LoaderAgent
from verif.coverage.covergroups import CoverageSubscriber
from verif.scoreboard import Scoreboard


class MultiplierEnv(uvm_env):
    """One multiplier behind a loader bus."""

    def build_phase(self) -> None:
        """Create the components."""
        self.agent = LoaderAgent("agent", self)
        self.scoreboard = Scoreboard("scoreboard", self)
        self.coverage = CoverageSubscriber("coverage", self)

    def connect_phase(self) -> None:
        """Driver announces, monitor records, both report broken promises."""
        driver, monitor = self.agent.driver, self.agent.monitor
        driver.ap.connect(self.scoreboard.item_export)
        driver.problem_ap.connect(self.scoreboard.problem_export)
        monitor.problem_ap.connect(self.scoreboard.problem_export)
        monitor.ap.connect(self.scoreboard.record_export)
        monitor.ap.connect(self.coverage.analysis_export)
