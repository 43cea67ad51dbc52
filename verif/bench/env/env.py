"""The verification environments: agent, scoreboard and coverage on a design's loader bus."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pyuvm import uvm_env

from regress.core.jobfile import TRACE_FILE
from verif.bench.agent.agent import LoaderAgent
from verif.bench.agent.product_monitor import ProductMonitor
from verif.bench.agent.records import ExponentiationRecord, MultiplierRecord, OperationRecord
from verif.bench.coverage.covergroups import CoverageModel, CoverageSubscriber
from verif.bench.coverage.exponentiation import ExponentiationCoverage
from verif.bench.coverage.multiplier import MultiplierCoverage
from verif.bench.env.checkers.checker import Checker
from verif.bench.env.checkers.exponentiation import ExponentiationChecker
from verif.bench.env.checkers.multiplier import MultiplierChecker
from verif.bench.env.scoreboard import Scoreboard
from verif.bench.env.trace import OperationTrace


class LoaderEnv(uvm_env):
    """Environment of one design with a loader bus.

    Attributes:
        record: class of the records that the bench reports.
        checker: class that compares records with the references.
        coverage_model: class that counts coverage.
    """

    record: ClassVar[type[OperationRecord]]
    checker: ClassVar[type[Checker]]
    coverage_model: ClassVar[type[CoverageModel]]

    def build_phase(self) -> None:
        """Create the components."""
        self.cdb_set("RECORD", self.record, "*")
        self.cdb_set("CHECKER", self.checker, "*")
        self.cdb_set("COVERAGE_MODEL", self.coverage_model, "*")
        self.agent = LoaderAgent("agent", self)
        self.scoreboard = Scoreboard("scoreboard", self)
        self.coverage = CoverageSubscriber("coverage", self)
        job = self.cdb_get("CONFIG").job
        self.trace = OperationTrace("trace", self, Path(TRACE_FILE)) if job.trace else None

    def connect_phase(self) -> None:
        """Connect driver and monitors to the scoreboard and coverage."""
        driver, monitor = self.agent.driver, self.agent.monitor
        driver.ap.connect(self.scoreboard.item_export)
        driver.problem_ap.connect(self.scoreboard.problem_export)
        monitor.problem_ap.connect(self.scoreboard.problem_export)
        self.agent.pins.problem_ap.connect(self.scoreboard.problem_export)
        monitor.ap.connect(self.scoreboard.record_export)
        monitor.ap.connect(self.coverage.analysis_export)
        if self.trace:
            monitor.ap.connect(self.trace.analysis_export)


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
