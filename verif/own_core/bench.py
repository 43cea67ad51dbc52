"""Bench of the user's own core: the loader's agent, and disturbances of the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import Event, RisingEdge, SimTimeoutError, Timer, with_timeout

from verif.bench.agent.driver import LoaderDriver
from verif.bench.agent.item import BusItem, LoaderItem
from verif.bench.agent.monitor import LoaderBusMonitor, LoaderMonitor, RecordFormat
from verif.bench.agent.records import OperationRecord
from verif.bench.agent.vector_layout import fields_of
from verif.bench.configuration.config import CLOCK_PERIOD_NS
from verif.bench.env.checkers.mismatch import mismatch
from verif.bench.env.checkers.plugin import CheckerPlugin, Fail
from verif.bench.env.env import LoaderEnv
from verif.own_core.config import ADDRESSES, BlackBoxConfig
from verif.own_core.core_module import hit_bits, watch_group, watch_places
from verif.own_core.draw import Operation
from verif.own_core.reference import CONGRUENT, WRONG, constants, expected, is_defined

RECORD_NS = 1000
# First words of the driver's message for an operation that did not end.
NOT_DONE = "operation not done"
# First words of the monitor's message for a record with unknown bits.
UNKNOWN = "unknown bits (X or Z)"


class BlackBoxItem(LoaderItem):
    """One operation of the core.

    Attributes:
        operation: operands of the operation.
        scramble: True to change its operands in the cycle after the start.
        restart: cycles from the start to a second start; 0 for no second start.
        before: Y (or exponent) of an operation that runs first; this one then starts in the cycle
            after its done. None for no such operation.
        limit: cycles after which it counts as hung; 0 for the limit of the configuration.
    """

    def __init__(
        self,
        config: BlackBoxConfig,
        operation: Operation,
        *,
        scramble: bool = False,
        restart: int = 0,
        before: int | None = None,
        limit: int = 0,
    ) -> None:
        description = config.description
        supplied = constants(description, config.width, operation.m) if operation.m else 0
        used = {
            "first": operation.first,
            "second": operation.second,
            "modulus": operation.m,
            "constants": supplied if description.constants else None,
            "length": operation.length if description.length else None,
            "before": before,
        }
        super().__init__(sum(1 << ADDRESSES[name] for name in used if used[name] is not None))
        for name, value in used.items():
            setattr(self, name, value)
        self.operation, self.scramble, self.restart = operation, scramble, restart
        self.limit = limit


class CutItem(BusItem):
    """A reset, alone or during an operation.

    Attributes:
        operation: operation that the reset aborts; it must not create a record unless it ended
            before. None for a reset without an operation.
        after: cycles from the core's start to the reset, which comes between two clock edges.
    """

    def __init__(self, operation: BlackBoxItem | None = None, after: int = 0) -> None:
        super().__init__("cut_item")
        self.operation, self.after = operation, after


@dataclass(slots=True, kw_only=True)
class BlackBoxRecord(OperationRecord):
    """Record of one operation of the core.

    Attributes:
        restarted: True if a second start came before done.
        code: the core's own status.
        hits: observed values of the watched signals, one bit per value.
    """

    first: int
    second: int
    modulus: int
    constants: int
    length: int
    before: int
    result: int
    result_words: int
    restarted: bool
    code: int
    hits: int
    control_arcs: int = 0
    result_added: bool = False
    subtracted: bool = False
    exact: bool = False

    @classmethod
    def observed_fields(
        cls, table_bits: int, positions: int = 1, carry_words: int = 0
    ) -> list[tuple[str, int]]:
        """See ``records.yaml``; ``positions`` is the number of hit bits."""
        return fields_of("black_box_observed", Hits=positions)


@dataclass(frozen=True)
class Outcome:
    """Outcome of one operation.

    Attributes:
        record: the observed record; None if the operation did not end.
        wrong: message about a wrong result or status; empty if both are right.
        late: message about wrong cycles; empty if they are as claimed, or if none are claimed.
        unreduced: message if the result is congruent but not below M although that is claimed.
        rejected: True if the core's status rejects the operands.
        hung: True if the operation did not end.
    """

    record: BlackBoxRecord | None = None
    wrong: str = ""
    late: str = ""
    unreduced: str = ""
    rejected: bool = False
    hung: bool = False

    @property
    def cycles(self) -> int:
        """Cycles from the start to done; 0 if it did not end."""
        return self.record.busy_cycles if self.record else 0

    @property
    def result(self) -> int | None:
        """Result of the core; None if the operation did not end."""
        return self.record.result if self.record else None


def judged(config: BlackBoxConfig, operation: Operation, record: BlackBoxRecord) -> Outcome:
    """Compare a completed operation with gmpy2 and with the core description."""
    description, width, cycles = config.description, config.width, record.busy_cycles
    status = description.status
    if status and record.code in status.rejected:
        said = f"rejected with status {record.code}"
        return Outcome(record, said, rejected=True)
    late = wrong = unreduced = ""
    claimed = description.latency(width, operation.length)
    if claimed and not claimed[0] <= cycles <= claimed[1]:
        least, most = claimed
        text = f"{least}" if least == most else f"{least} to {most}"
        late = f"took {cycles} cycles, claimed are {text}"
    if status and record.code != status.ok:
        wrong = f"status {record.code}, right is {status.ok}"
    if not is_defined(description, width, operation.m):
        return Outcome(record, wrong, late)
    right = expected(description, width, operation.first, operation.second, operation.m)
    if record.result != right:
        said = mismatch("result", record.result, WRONG, right)
        congruent = record.result % operation.m == right
        if congruent:
            said = f"{said}, {CONGRUENT}"
        if description.claims.reduced or not congruent:
            wrong = "; ".join(filter(None, (wrong, said)))
        if description.claims.reduced and congruent:
            unreduced = said
    return Outcome(record, wrong, late, unreduced)


class BlackBoxDriver(LoaderDriver):
    """Drives the loader and the disturbances of ``black_box_tb``."""

    def choose_clock(self) -> None:
        """Do nothing: the user's core has an ordinary clock."""

    async def _drive(self, item: Any) -> None:
        if isinstance(item, CutItem):
            await self._cut(item)
            return
        if isinstance(item, BlackBoxItem):
            self.transactor.cycle_limit = item.limit
            self.top.box_scramble.value = int(item.scramble)
            self.top.box_restart.value = item.restart
            self.top.box_again.value = int(item.before is not None)
        await super()._drive(item)

    async def _cut(self, item: CutItem) -> None:
        if item.operation:
            for signal in (self.top.box_scramble, self.top.box_restart, self.top.box_again):
                signal.value = 0
            self.transactor.begin(item.operation)
            await RisingEdge(self.top.box_started)
            # Reset between two edges, so that it is clear whether the operation ended before.
            await Timer(item.after * CLOCK_PERIOD_NS + CLOCK_PERIOD_NS // 4, "ns")
            if self.transactor.idle:
                self.ap.write(item.operation)
        await self.reset()


class BlackBoxMonitor(LoaderMonitor):
    """Publishes the records of the recorder."""

    def start_of_simulation_phase(self) -> None:
        """Attach to the recorder."""
        config: BlackBoxConfig = self.cdb_get("CONFIG")
        layout = RecordFormat(BlackBoxRecord, config.bus, 0, hit_bits(config.description))
        self.monitor = LoaderBusMonitor(cocotb.top, layout)
        self.monitor.add_callback(self._publish)


class BlackBoxChecker(CheckerPlugin):
    """Checks the operations one after the other; a sequence asks for each outcome.

    Attributes:
        hits: observed values of the watched signals.
    """

    config: BlackBoxConfig

    def __init__(self, config: BlackBoxConfig, fail: Fail) -> None:
        """Create the checker for ``config``."""
        super().__init__(config, fail)
        self.hits = 0
        self._seen: list[BlackBoxRecord] = []
        self._trouble: list[str] = []
        self._arrived = Event()

    def expect(self) -> None:
        """Discard everything before the operation that comes next."""
        self._seen.clear()
        self._trouble.clear()
        self._arrived.clear()

    async def outcome(self, item: BlackBoxItem) -> Outcome:
        """Return the outcome of an operation that the driver has finished."""
        if not self._seen and not self._trouble:
            try:  # the record arrives just after the last transfer
                await with_timeout(self._arrived.wait(), RECORD_NS, "ns")
            except SimTimeoutError:
                return Outcome(wrong="no record of the operation was seen")
        if self._trouble:
            said = "; ".join(self._plain(text) for text in self._trouble)
            return Outcome(wrong=said, hung=said.startswith(NOT_DONE))
        record = self._seen[-1]
        self.operations += 1
        self.cycles += record.busy_cycles
        self.hits |= record.hits
        return judged(self.config, item.operation, record)

    def coverage(self) -> Mapping[str, Any]:
        """Return the observed values of each watched signal as covergroups."""
        groups = {}
        places = watch_places(self.config.description)
        for watch in self.config.description.watch:
            values = self.hits >> places[watch.name]
            seen = {watch.bin(v): 1 for v in range(1 << watch.bits) if values >> v & 1}
            groups[watch_group(self.config.description, watch.name)] = {
                "bins": seen,
                "goal": [watch.bin(value) for value in watch.goal],
            }
        return groups

    @staticmethod
    def _plain(text: str) -> str:
        if text.startswith(UNKNOWN):
            return f"{UNKNOWN} in the result or the status"
        return text.partition(": ")[0] if text.startswith(NOT_DONE) else text

    def driven(self, item: BlackBoxItem) -> None:
        """Do nothing: the sequence has its item."""

    def seen(self, record: BlackBoxRecord) -> None:
        """Store the record of an operation."""
        self._seen.append(record)
        self._arrived.set()

    def problem(self, text: str) -> None:
        """Store a problem of the driver or the monitor."""
        self._trouble.append(text)
        self._arrived.set()

    def finish(self) -> None:
        """Do nothing: every operation has been judged."""


class BlackBoxEnv(LoaderEnv):
    """Environment of the user's core with the loader."""

    driver = BlackBoxDriver
    monitor = BlackBoxMonitor
    checker = BlackBoxChecker
    pins = False
    traced = False
