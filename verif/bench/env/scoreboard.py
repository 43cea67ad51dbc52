"""The scoreboard of every environment: failures, and the exports of its checker."""

from __future__ import annotations

from collections.abc import Callable

from cocotb.simtime import get_sim_time
from pyuvm import uvm_analysis_export, uvm_component

from verif.bench.env.checkers.plugin import CheckerPlugin

# Maximum length of a failure message in the log: all operands of 1024 bits fit.
MAX_LOGGED = 2000


class Export(uvm_analysis_export):
    """An analysis export that calls a method of its parent."""

    def __init__(self, name: str, parent: uvm_component, method: Callable[[object], None]) -> None:
        super().__init__(name, parent)
        self._method = method

    def write(self, item: object) -> None:
        """Pass the published object to the method."""
        self._method(item)


class Scoreboard(uvm_component):
    """Passes items, records and problems to its checker, and collects the failures.

    Attributes:
        checker: the plug-in that compares; see :class:`CheckerPlugin`.
        failures: one line per failure.
        failure_times: simulated time of each failure in ns.
    """

    def build_phase(self) -> None:
        """Create the checker and the exports."""
        self.failures: list[str] = []
        self.failure_times: list[float] = []
        checker: CheckerPlugin = self.cdb_get("CHECKER")(self.cdb_get("CONFIG"), self.fail)
        self.checker = checker
        self.item_export = Export("item_export", self, checker.driven)
        self.end_export = Export("end_export", self, checker.ended)
        self.record_export = Export("record_export", self, checker.seen)
        self.problem_export = Export("problem_export", self, checker.problem)

    @property
    def operations(self) -> int:
        """Number of checked operations or transfers."""
        return self.checker.operations

    @property
    def cycles(self) -> int:
        """Sum of the busy cycles of the checked operations."""
        return self.checker.cycles

    def flush(self) -> None:
        """Run the checks that the checker has collected into batches."""
        self.checker.flush()

    def fail(self, message: str, time_ns: float | None = None) -> None:
        """Record a failure, see :class:`verif.bench.env.checkers.plugin.Fail`."""
        self.failures.append(message)
        self.failure_times.append(get_sim_time("ns") if time_ns is None else time_ns)
        self.logger.error(message[:MAX_LOGGED])

    def check_phase(self) -> None:
        """Fail if something has no counterpart, or if nothing was checked."""
        self.checker.finish()
        self.checker.left_over()
        if self.checker.unit and not self.operations:
            self.fail(f"no {self.checker.unit} was checked")
