"""Scoreboard: pairs what was driven with what was seen, and has every operation checked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from cocotb.simtime import get_sim_time
from pyuvm import uvm_analysis_export, uvm_component

from regress.core.cases import Case, CaseStatus
from verif.bench.agent.item import LoaderItem, OperationRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.env.checkers.checker import Checker
from verif.bench.env.text import grouped

# Letters of a failure in the log: all operands of 1024 bits.
MAX_LOGGED = 2000


class Export(uvm_analysis_export):
    """An analysis export that calls a method of its parent."""

    def __init__(self, name: str, parent: uvm_component, method: Callable[[object], None]) -> None:
        super().__init__(name, parent)
        self._method = method

    def write(self, item: object) -> None:
        """Hand over what was published."""
        self._method(item)


class Scoreboard(uvm_component):
    """Pairs announced operations with records, in order, and has them checked.

    An operation without a record, a record without an operation, and a job in which nothing was
    checked are failures.
    """

    def build_phase(self) -> None:
        """Create exports and checker."""
        self.failures: list[str] = []
        self.failure_times: list[float] = []
        self._items: deque[LoaderItem] = deque()
        self._records: deque[OperationRecord] = deque()
        self.config: BenchConfig = self.cdb_get("CONFIG")
        self.checker: Checker = self.cdb_get("CHECKER")(self.config, self.fail)
        self.item_export = Export("item_export", self, self._add_item)
        self.record_export = Export("record_export", self, self._add_record)
        self.problem_export = Export("problem_export", self, self.fail)

    @property
    def operations(self) -> int:
        """Checked operations."""
        return self.checker.operations

    @property
    def clocks(self) -> int:
        """Their clocks of busy."""
        return self.checker.clocks

    def flush(self) -> None:
        """Finish checks that wait for others of their kind."""
        self.checker.flush()

    def fail(self, message: str, time_ns: float | None = None) -> None:
        """Note a failure, see :class:`verif.bench.env.checkers.checker.Fail`."""
        self.failures.append(message)
        self.failure_times.append(get_sim_time("ns") if time_ns is None else time_ns)
        self.logger.error(message[:MAX_LOGGED])

    def _add_item(self, item: LoaderItem) -> None:
        self._items.append(item)
        self._pair()

    def _add_record(self, record: OperationRecord) -> None:
        self._records.append(record)
        self._pair()

    def _pair(self) -> None:
        while self._items and self._records:
            item, record = self._items.popleft(), self._records.popleft()
            known = len(self.failures)
            self.checker.check(item, record)
            if item.name:
                self._write_case(item, record, self.failures[known:])

    def _write_case(
        self, item: LoaderItem, record: OperationRecord, failures: Sequence[str]
    ) -> None:
        """Write down what became of a vector."""
        # The name and the operands stand beside it, or in the file it comes from.
        prefix = f"{self.checker.where(item, record)}: "
        refused = item.rejected and not failures
        clocks = f"{grouped(record.busy_clocks)} clocks"
        case = Case(
            name=item.name,
            status=CaseStatus.FAILED if failures else CaseStatus.PASSED,
            message="; ".join(failure.removeprefix(prefix) for failure in failures),
            note=f"rejected with {record.status_name}, {clocks}" if refused else clocks,
            facts={
                "status": record.status_name,
                "clocks": record.busy_clocks,
                "rejected": refused,
                **{
                    result.name: f"{getattr(record, result.name):#x}"
                    for result in self.checker.bus.results
                },
            },
        )
        case.append(Path())

    def check_phase(self) -> None:
        """Nothing may be left over, and something must have been checked."""
        self.checker.finish()
        for item in self._items:
            self.fail(f"{self.config.entry.name}: no record of an operation: {item}")
        for record in self._records:
            self.fail(
                f"{self.config.entry.name}: record without an operation "
                f"at {record.time_ns:.0f} ns: {self.checker.operands_text(record)}",
                record.time_ns,
            )
        if not self.checker.operations:
            self.fail("no operation was checked")
