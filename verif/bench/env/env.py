"""The verification environments: agent, scoreboard and coverage on a design's loader bus."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pyuvm import uvm_component, uvm_driver, uvm_env, uvm_subscriber

from regress.core.jobfile import TRACE_FILE
from verif.bench.agent.agent import LoaderAgent
from verif.bench.agent.driver import LoaderDriver
from verif.bench.agent.monitor import LoaderMonitor
from verif.bench.agent.product_monitor import ProductMonitor
from verif.bench.agent.records import ExponentiationRecord, MultiplierRecord, OperationRecord
from verif.bench.coverage.covergroups import CoverageModel
from verif.bench.coverage.exponentiation import ExponentiationCoverage
from verif.bench.coverage.multiplier import MultiplierCoverage
from verif.bench.env.checkers.exponentiation import ExponentiationChecker
from verif.bench.env.checkers.multiplier import MultiplierChecker
from verif.bench.env.checkers.plugin import CheckerPlugin
from verif.bench.env.scoreboard import Scoreboard
from verif.bench.env.trace import OperationTrace


class CoverageSubscriber(uvm_subscriber):
    """Samples the coverage model with every record from the monitor."""

    def build_phase(self) -> None:
        """Create the model."""
        super().build_phase()
        self.model: CoverageModel = self.cdb_get("COVERAGE_MODEL")(self.cdb_get("CONFIG"))

    def write(self, record: OperationRecord) -> None:
        """Sample one record."""
        self.model.sample(record)


class LoaderEnv(uvm_env):
    """Environment of one design with a loader bus. Subclasses choose what plugs into it.

    Attributes:
        driver: class of the driver.
        monitor: class of the monitor.
        pins: whether the rules of the interface are checked in every cycle.
        checker: class of the plug-in that compares the design with its references.
        record: class of the records that the bench reports; None if the monitor has its own.
        coverage_model: class that counts coverage; None for no coverage.
        samples: whether coverage samples every record; if not, the checker samples.
        traced: whether a job may trace the records.
    """

    driver: ClassVar[type[uvm_driver]] = LoaderDriver
    monitor: ClassVar[type[uvm_component]] = LoaderMonitor
    pins: ClassVar[bool] = True
    checker: ClassVar[type[CheckerPlugin]]
    record: ClassVar[type[OperationRecord] | None] = None
    coverage_model: ClassVar[type[CoverageModel] | None] = None
    samples: ClassVar[bool] = True
    traced: ClassVar[bool] = True

    def behind_front(self) -> tuple[type[uvm_driver], type[CheckerPlugin]]:
        """Return the classes of driver and checker of a design with a bus front."""
        # Import here, because only a front needs the masters of the standard buses.
        from verif.bench.agent.front_driver import FrontDriver

        return FrontDriver, self.checker

    def build_phase(self) -> None:
        """Create the components."""
        front = self.cdb_get("CONFIG").front
        driver, checker = self.behind_front() if front else (self.driver, self.checker)
        for name, part in (
            ("DRIVER", driver),
            ("MONITOR", self.monitor),
            ("PINS", self.pins),
            ("RECORD", self.record),
            ("CHECKER", checker),
            ("COVERAGE_MODEL", self.coverage_model),
        ):
            self.cdb_set(name, part, "*")
        self.agent = LoaderAgent("agent", self)
        self.scoreboard = Scoreboard("scoreboard", self)
        self.coverage = CoverageSubscriber("coverage", self) if self.coverage_model else None
        traced = self.traced and self.cdb_get("CONFIG").job.trace
        self.trace = OperationTrace("trace", self, Path(TRACE_FILE)) if traced else None

    def connect_phase(self) -> None:
        """Connect driver and monitors to the scoreboard and coverage."""
        scoreboard, agent = self.scoreboard, self.agent
        agent.driver.ap.connect(scoreboard.item_export)
        agent.driver.end_ap.connect(scoreboard.end_export)
        agent.monitor.ap.connect(scoreboard.record_export)
        for part in filter(None, (agent.driver, agent.monitor, agent.pins)):
            part.problem_ap.connect(scoreboard.problem_export)
        if self.coverage and self.samples:
            agent.monitor.ap.connect(self.coverage.analysis_export)
        if self.trace:
            agent.monitor.ap.connect(self.trace.analysis_export)


class MultiplierEnv(LoaderEnv):
    """Environment of a multiplier."""

    record = MultiplierRecord
    checker = MultiplierChecker
    coverage_model = MultiplierCoverage


class ExponentiationEnv(LoaderEnv):
    """Environment of an exponentiation core."""

    record = ExponentiationRecord
    checker = ExponentiationChecker
    coverage_model = ExponentiationCoverage


class ProductsEnv(ExponentiationEnv):
    """Environment of an exponentiation core that checks each product, for debugging."""

    def build_phase(self) -> None:
        """Create the components."""
        super().build_phase()
        self.products = ProductMonitor("products", self)

    def connect_phase(self) -> None:
        """Connect the product monitor to the checker, which then expects every product."""
        super().connect_phase()
        checker = self.scoreboard.checker
        checker.compare_products = True
        self.products.publish = checker.add_product
        self.products.fail = self.scoreboard.fail
