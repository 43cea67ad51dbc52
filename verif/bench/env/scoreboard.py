"""Scoreboard: pairs each driven operation with its record and passes both to the checker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from cocotb.simtime import get_sim_time
from pyuvm import uvm_analysis_export, uvm_component

from regress.core.cases import Case, CaseStatus
from verif.bench.agent.item import LoaderItem
from verif.bench.agent.records import OperationRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.env.checkers.checker import Checker
from verif.bench.env.text import grouped

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
    """Pairs driven operations with records, in order, and passes each pair to the checker.

    These are failures: an operation without a record, a record without an operation, and a job
    without any checked operation.
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
        """Number of checked operations."""
        return self.checker.operations

    @property
    def cycles(self) -> int:
        """Sum of the busy cycles of the checked operations."""
        return self.checker.cycles

    def flush(self) -> None:
        """Run the checks that the checker has collected into batches."""
        self.checker.flush()

    def fail(self, message: str, time_ns: float | None = None) -> None:
        """Record a failure, see :class:`verif.bench.env.checkers.checker.Fail`."""
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
        """Write the outcome of a vector."""
        # Drop this prefix: the case or its vectors file already has the name and the operands.
        prefix = f"{self.checker.where(item, record)}: "
        rejected = item.rejected and not failures
        cycles = f"{grouped(record.busy_cycles)} cycles"
        case = Case(
            name=item.name,
            status=CaseStatus.FAILED if failures else CaseStatus.PASSED,
            message="; ".join(failure.removeprefix(prefix) for failure in failures),
            note=f"rejected with {record.status_name}, {cycles}" if rejected else cycles,
            facts={
                "status": record.status_name,
                "cycles": record.busy_cycles,
                "rejected": rejected,
                **{
                    result.name: f"{getattr(record, result.name):#x}"
                    for result in self.checker.bus.results
                },
            },
        )
        case.append(Path())

    def check_phase(self) -> None:
        """Fail if an operation or a record is unpaired, or if no operation was checked."""
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
