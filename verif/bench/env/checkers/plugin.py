"""Checkers that plug into a scoreboard: each compares the design with its references."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from regress.core.cases import Case, CaseStatus
from verif.bench.agent.bus_map import BusMap
from verif.bench.agent.item import LoaderItem
from verif.bench.agent.records import OperationRecord
from verif.bench.env.text import grouped


class Fail(Protocol):
    """A function that records a failure."""

    def __call__(self, message: str, time_ns: float | None = None) -> None:
        """Record a failure.

        Args:
            message: one line.
            time_ns: simulated time of the failure; None for the present time.
        """


class CheckerPlugin(ABC):
    """Receives the driven operations and the monitor's records, and reports every difference.

    Attributes:
        unit: what it counts as checked; a job that checks none fails. Empty if it may check none.
        operations: number of checked units.
        cycles: number of busy cycles of the checked operations.

    Args:
        config: the job.
        fail: called for every failure.
    """

    unit: ClassVar[str] = ""

    def __init__(self, config: Any, fail: Fail) -> None:
        self.config = config
        self.fail = fail
        self.operations = 0
        self.cycles = 0

    @abstractmethod
    def driven(self, item: Any) -> None:
        """Take an item that the driver has driven, or begins to drive."""

    def ended(self, item: Any) -> None:
        """Take an item that the driver has driven to its end, if the driver reports that."""
        return None

    @abstractmethod
    def seen(self, record: Any) -> None:
        """Take a record of the monitor."""

    def problem(self, text: str) -> None:
        """Take a problem that driver or monitors report."""
        self.fail(text)

    def flush(self) -> bool:
        """Run the checks that are collected into batches; return True if all pass."""
        return True

    @abstractmethod
    def finish(self) -> None:
        """Run the checks that need the whole job; call it once, at the end."""

    def left_over(self) -> None:
        """Fail for each driven operation without a record, and each record without an operation."""
        return None


class PairChecker(CheckerPlugin):
    """Pairs driven operations with records, in order, and compares each pair.

    An operation without a record and a record without an operation are failures.

    Attributes:
        bus: addresses and values.
    """

    unit = "operation"
    bus: BusMap

    def __init__(self, config: Any, fail: Fail) -> None:
        super().__init__(config, self._failed)
        self._report = fail
        self._items: deque[LoaderItem] = deque()
        self._records: deque[OperationRecord] = deque()
        self._failures: list[str] = []

    @abstractmethod
    def check(self, item: LoaderItem, record: OperationRecord) -> bool:
        """Compare one operation with its record; return whether all immediate checks passed."""

    @abstractmethod
    def where(self, item: LoaderItem, record: OperationRecord) -> str:
        """Return the prefix of a failure message: configuration, time and operation."""

    @abstractmethod
    def operands_text(self, record: OperationRecord) -> str:
        """Return the operands and the command of a record, for messages."""

    def driven(self, item: LoaderItem) -> None:
        """See :class:`CheckerPlugin`."""
        self._items.append(item)
        self._pair()

    def seen(self, record: OperationRecord) -> None:
        """See :class:`CheckerPlugin`."""
        self._records.append(record)
        self._pair()

    def left_over(self) -> None:
        """See :class:`CheckerPlugin`."""
        name = self.config.entry.name
        for item in self._items:
            self.fail(f"{name}: no record of an operation: {item}")
        for record in self._records:
            self.fail(
                f"{name}: record without an operation "
                f"at {record.time_ns:.0f} ns: {self.operands_text(record)}",
                record.time_ns,
            )

    def _failed(self, message: str, time_ns: float | None = None) -> None:
        self._failures.append(message)
        self._report(message, time_ns)

    def _pair(self) -> None:
        while self._items and self._records:
            item, record = self._items.popleft(), self._records.popleft()
            self._failures.clear()
            self.check(item, record)
            if item.name:
                self._write_case(item, record, self._failures)

    def _write_case(
        self, item: LoaderItem, record: OperationRecord, failures: Sequence[str]
    ) -> None:
        """Write the outcome of a vector."""
        # Drop this prefix: the case or its vectors file already has the name and the operands.
        prefix = f"{self.where(item, record)}: "
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
                    result.name: f"{getattr(record, result.name):#x}" for result in self.bus.results
                },
            },
        )
        case.append(Path())
