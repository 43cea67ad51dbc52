"""The bench of a core from outside: the loader's agent, and what else is done to a core."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import cocotb
from cocotb.triggers import Event, SimTimeoutError, with_timeout
from pyuvm import (
    uvm_agent,
    uvm_component,
    uvm_env,
    uvm_sequencer,
)

from models.status import Status
from regress.jobfile import Job
from verif.blackbox.classes import Operation
from verif.blackbox.core_module import hit_bits, watch_group, watch_places
from verif.blackbox.facts import FACTS_VARIABLE, Facts
from verif.blackbox.reference import constants, expected
from verif.bus.bus_map import LENGTH_BITS, BusMap, Operand, Result, bus_map
from verif.bus.driver import LoaderDriver
from verif.bus.item import LoaderItem, OperationRecord
from verif.bus.monitor import LoaderBusMonitor, LoaderMonitor, RecordFormat
from verif.checkers.mismatch import mismatch
from verif.config import seeded
from verif.scoreboard import Export

BUS_WIDTH = 32
SELECTS = {"first": 0, "second": 1, "modulus": 2, "r_squared": 4, "m_prime": 5, "length": 6}
RECORD_NS = 1000
# Clocks that a core may take for an operation whose latency nobody claims.
MOST_CLOCKS = 20_000_000


@dataclass(frozen=True)
class BlackBoxConfig:
    """One job on a core from outside.

    Attributes:
        job: as asked for.
        facts: of the core.
        width: n in bits.
    """

    job: Job
    facts: Facts
    width: int

    @classmethod
    def from_job(cls, job: Job) -> BlackBoxConfig:
        """The facts come in a variable, as the core's folder need not be on this machine."""
        facts = Facts.model_validate_json(os.environ[FACTS_VARIABLE])
        return cls(job, facts, job.point["width"])

    @property
    def design(self) -> str:
        """What messages call it."""
        return self.facts.name

    def random(self, purpose: str, *indices: int) -> Random:
        """A generator of its own for each purpose, derived from the job's seed."""
        return seeded(self.job.seed, purpose, *indices)

    @cached_property
    def bus(self) -> BusMap:
        """Selects and slots of ``black_box_tb``."""
        n, facts = self.width, self.facts
        bits = dict.fromkeys(SELECTS, n)
        bits |= {"m_prime": facts.m_prime_width(n), "length": LENGTH_BITS}
        operands = tuple(
            Operand(name, select, bits[name], -(-bits[name] // BUS_WIDTH))
            for name, select in SELECTS.items()
        )
        words = operands[0].words
        return BusMap(
            bus_width=BUS_WIDTH,
            operands=operands,
            results=(Result("result", 0, words, frozenset((Status.OK,))),),
            slot_words=max(operand.words for operand in operands),
            clock_limit=self.clock_limit,
        )

    @property
    def clock_limit(self) -> int:
        """Clocks after which an operation counts as hung."""
        n = self.width
        claimed = self.facts.latency(n, n)
        guess = n * n + 1000 if self.facts.is_product else 3 * n * (n + 100) + 1000
        return min(MOST_CLOCKS, 2 * claimed[1] + 1000 if claimed else 2 * guess)


@bus_map.register
def _black_box_bus(config: BlackBoxConfig) -> BusMap:
    return config.bus


class BlackBoxItem(LoaderItem):
    """One operation of a core from outside.

    Attributes:
        operation: what it is to compute.
        scramble: its operands change in the clock behind the start.
        restart: clocks after the start at which it is started again, 0 never.
    """

    def __init__(
        self,
        config: BlackBoxConfig,
        operation: Operation,
        *,
        scramble: bool = False,
        restart: int = 0,
    ) -> None:
        facts = config.facts
        r_squared, m_prime = constants(facts, config.width, operation.m) if operation.m else (0, 0)
        used = {
            "first": operation.first,
            "second": operation.second,
            "modulus": operation.m,
            "r_squared": r_squared,
            "m_prime": m_prime,
            "length": operation.length if facts.length else None,
        }
        super().__init__(sum(1 << SELECTS[name] for name in used if used[name] is not None))
        for name, value in used.items():
            setattr(self, name, value)
        self.operation, self.scramble, self.restart = operation, scramble, restart


@dataclass(slots=True, kw_only=True)
class BlackBoxRecord(OperationRecord):
    """One operation of a core from outside.

    Attributes:
        code: the core's own status.
        hits: values seen of the watched signals, a bit each.
    """

    first: int
    second: int
    modulus: int
    r_squared: int
    m_prime: int
    length: int
    result: int
    result_words: int
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
        """As in ``black_box_tb.sv``; ``positions`` is the number of hit bits."""
        return [("busy_clocks", 32), ("code", 8), ("hits", positions)]


class BlackBoxDriver(LoaderDriver):
    """Drives the loader, and what else ``black_box_tb`` can do to a core."""

    async def _drive(self, item: Any) -> None:
        if isinstance(item, BlackBoxItem):
            self.top.box_scramble.value = int(item.scramble)
            self.top.box_restart.value = item.restart
        await super()._drive(item)


class BlackBoxMonitor(LoaderMonitor):
    """Publishes what the recorder saw."""

    def start_of_simulation_phase(self) -> None:
        """Attach to the recorder."""
        config: BlackBoxConfig = self.cdb_get("CONFIG")
        layout = RecordFormat(BlackBoxRecord, config.bus, 0, hit_bits(config.facts))
        self.monitor = LoaderBusMonitor(cocotb.top, layout)
        self.monitor.add_callback(self._publish)


class BlackBoxAgent(uvm_agent):
    """Sequencer, driver and monitor."""

    def build_phase(self) -> None:
        """Create the three."""
        super().build_phase()
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = BlackBoxDriver("driver", self)
        self.monitor = BlackBoxMonitor("monitor", self)

    def connect_phase(self) -> None:
        """Let the driver draw from the sequencer."""
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


class BlackBoxScoreboard(uvm_component):
    """What one operation after the other led to, and whether that is right.

    Attributes:
        operations: checked so far.
        clocks: of all of them.
        hits: values seen of the watched signals.
        problem_time_ns: simulated time of the last operation.
    """

    def build_phase(self) -> None:
        """Create the exports."""
        self.config: BlackBoxConfig = self.cdb_get("CONFIG")
        self.operations = self.clocks = self.hits = 0
        self._seen: list[BlackBoxRecord] = []
        self._trouble: list[str] = []
        self._arrived = Event()
        self.record_export = Export("record_export", self, self._add)
        self.problem_export = Export("problem_export", self, self._complain)
        self.item_export = Export("item_export", self, lambda item: None)

    def expect(self) -> None:
        """Forget what was before the operation that comes now."""
        self._seen.clear()
        self._trouble.clear()
        self._arrived.clear()

    async def outcome(self, item: BlackBoxItem) -> tuple[BlackBoxRecord | None, list[str]]:
        """What the hardware made of an operation the driver has finished, and what is wrong."""
        if not self._seen and not self._trouble:
            try:  # the record comes a moment behind the last transfer
                await with_timeout(self._arrived.wait(), RECORD_NS, "ns")
            except SimTimeoutError:
                return None, ["no record of the operation was seen"]
        if self._trouble:
            return None, [self._plain(text) for text in self._trouble]
        record = self._seen[-1]
        self.operations += 1
        self.clocks += record.busy_clocks
        self.hits |= record.hits
        return record, self._problems(item.operation, record)

    def _problems(self, operation: Operation, record: BlackBoxRecord) -> list[str]:
        facts, width = self.config.facts, self.config.width
        status = facts.status
        if status and record.code in status.refused:
            return [f"refused with status {record.code}"]
        problems = []
        if status and record.code != status.ok:
            problems.append(f"status {record.code}, right is {status.ok}")
        right = expected(facts, width, operation.first, operation.second, operation.m)
        found = record.result
        if not facts.claims.reduced and found % operation.m == right:
            found = right
        if found != right:
            problems.append(mismatch("result", found, "gmpy2 says", right))
        claimed = facts.latency(width, operation.length)
        if claimed and not claimed[0] <= record.busy_clocks <= claimed[1]:
            least, most = claimed
            text = f"{least}" if least == most else f"{least} to {most}"
            problems.append(f"took {record.busy_clocks} clocks, claimed are {text}")
        return problems

    def coverage(self) -> Mapping[str, Any]:
        """Values seen of each watched signal, as covergroups."""
        groups = {}
        places = watch_places(self.config.facts)
        for watch in self.config.facts.watch:
            values = self.hits >> places[watch.name]
            seen = {str(v): 1 for v in range(1 << watch.bits) if values >> v & 1}
            groups[watch_group(self.config.facts, watch.name)] = {
                "bins": seen,
                "goal": [str(value) for value in watch.goal],
            }
        return groups

    @staticmethod
    def _plain(text: str) -> str:
        return text.partition(": ")[0] if text.startswith("operation not done") else text

    def _add(self, record: BlackBoxRecord) -> None:
        self._seen.append(record)
        self._arrived.set()

    def _complain(self, text: str) -> None:
        self._trouble.append(text)
        self._arrived.set()


class BlackBoxEnv(uvm_env):
    """A core from outside behind the loader."""

    def build_phase(self) -> None:
        """Create the components."""
        self.agent = BlackBoxAgent("agent", self)
        self.scoreboard = BlackBoxScoreboard("scoreboard", self)

    def connect_phase(self) -> None:
        """Driver and monitor report to the scoreboard."""
        driver, monitor = self.agent.driver, self.agent.monitor
        driver.ap.connect(self.scoreboard.item_export)
        driver.problem_ap.connect(self.scoreboard.problem_export)
        monitor.problem_ap.connect(self.scoreboard.problem_export)
        monitor.ap.connect(self.scoreboard.record_export)
