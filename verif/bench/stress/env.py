"""Environment of the stress test: driver, monitor, model and coverage on a loader bus."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar

from pyuvm import uvm_env, uvm_sequencer

from regress.core.jobfile import TRACE_FILE
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.interface_monitor import InterfaceMonitor
from verif.bench.coverage.covergroups import CoverageModel, CoverageSubscriber
from verif.bench.coverage.exponentiation import ExponentiationCoverage
from verif.bench.coverage.multiplier import MultiplierCoverage
from verif.bench.stress.driver import StressDriver
from verif.bench.stress.monitor import StressMonitor
from verif.bench.stress.scoreboard import StressScoreboard
from verif.bench.stress.trace import StressTrace


class StressAgent(uvm_env):
    """Sequencer, driver and monitors of one loader bus."""

    def build_phase(self) -> None:
        """Create the components."""
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = StressDriver("driver", self)
        self.monitor = StressMonitor("monitor", self)
        self.pins = InterfaceMonitor("pins", self)

    def connect_phase(self) -> None:
        """Connect the driver to the sequencer."""
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


class StressEnv(uvm_env):
    """Environment of one design with a loader bus.

    Attributes:
        coverage_model: class of the design's coverage model.
    """

    coverage_model: ClassVar[type[CoverageModel]]

    def build_phase(self) -> None:
        """Create the components."""
        self.cdb_set("COVERAGE_MODEL", self.coverage_model, "*")
        self.agent = StressAgent("agent", self)
        self.scoreboard = StressScoreboard("scoreboard", self)
        self.coverage = CoverageSubscriber("coverage", self)

    def connect_phase(self) -> None:
        """Connect the driver and the monitors to the scoreboard."""
        config = self.cdb_get("CONFIG")
        driver, scoreboard = self.agent.driver, self.scoreboard
        driver.begin_ap.connect(scoreboard.begin_export)
        driver.end_ap.connect(scoreboard.end_export)
        self.agent.monitor.ap.connect(scoreboard.event_export)
        self.agent.pins.problem_ap.connect(scoreboard.problem_export)
        scoreboard.new_model = partial(bus_model, config)
        scoreboard.coverage = self.coverage.model.stress
        if config.job.trace:
            scoreboard.trace = StressTrace(Path(TRACE_FILE))

    def final_phase(self) -> None:
        """Close the trace."""
        if self.scoreboard.trace:
            self.scoreboard.trace.close()


class MultiplierStressEnv(StressEnv):
    """Stress environment of a multiplier."""

    coverage_model = MultiplierCoverage


class ExponentiationStressEnv(StressEnv):
    """Stress environment of an exponentiation core."""

    coverage_model = ExponentiationCoverage
