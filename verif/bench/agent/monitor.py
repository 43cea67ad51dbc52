"""Monitor of the loader bus: a cocotb-bus monitor on the recorder, a pyuvm component above it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.simtime import get_sim_time
from cocotb.triggers import Timer, ValueChange
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_analysis_port, uvm_component

from verif.bench.agent.bus_map import BusMap, bus_map
from verif.bench.agent.record_fields import RECORD_FIELDS
from verif.bench.agent.records import OperationRecord
from verif.bench.agent.vector_layout import VectorLayout
from verif.bench.configuration.config import BenchConfig


class RecordFormat:
    """Position of each field of an :class:`OperationRecord` in the bench's record vector.

    Args:
        record: class of the records.
        bus: addresses and slots.
        table_bits: number of values of the core's observation port.
        positions: number of values that the port shows in one cycle.
        carry_words: number of words between which the port shows carries.
    """

    def __init__(
        self,
        record: type[OperationRecord],
        bus: BusMap,
        table_bits: int,
        positions: int = 1,
        carry_words: int = 0,
    ) -> None:
        """Build the layout; the bench's top and ``loader_bus_recorder.sv`` define it."""
        operands = {operand.address: operand.name for operand in bus.operands}
        results = {result.address: result.name for result in bus.results}
        reads, writes = range(bus.read_addresses), range(bus.write_addresses)
        self._record = record
        fields = [
            *record.observed_fields(table_bits, positions, carry_words),
            *((f"{results[i]}_words" if i in results else "_", 16) for i in reversed(reads)),
            ("written", bus.write_addresses),
            *RECORD_FIELDS,
            *((results.get(i, "_"), bus.slot_bits) for i in reversed(reads)),
            *((operands.get(i, "_"), bus.slot_bits) for i in reversed(writes)),
        ]  # fmt: skip
        self._layout = VectorLayout(fields)
        self._flags = {name for name, width in fields if width == 1} - {"_"}
        self.bits = self._layout.bits

    def decode(self, packed: int, time_ns: float) -> OperationRecord:
        """Decode a vector of :attr:`bits` bits into a record; 1-bit fields become booleans."""
        values = self._layout.decode(packed)
        flags = {name: bool(values[name]) for name in self._flags}
        return self._record(**{**values, **flags}, time_ns=time_ns)


class VectorMonitor(BusMonitor, ABC):
    """Decodes a vector and passes it on whenever the bench toggles ``valid``.

    ``valid`` toggles at a falling clock edge. The vector is stable from the rising edge before
    that, so both simulators read the same values without a wait for a read-only phase.

    Attributes:
        vector: name of the vector among the monitor's signals.
    """

    vector: ClassVar[str]

    @abstractmethod
    def decode(self, packed: int) -> object:
        """Decode the vector."""

    async def _monitor_recv(self) -> None:
        changed = ValueChange(self.bus.valid)
        await Timer(1, "ns")  # ignore the first change of ``valid``, from unknown to 0
        while True:
            await changed
            value = getattr(self.bus, self.vector).value
            try:
                packed = int(value)
            except ValueError:
                self._recv(f"unknown bits (X or Z) in a {self.vector}: {value}")
            else:
                self._recv(self.decode(packed))


class LoaderBusMonitor(VectorMonitor):
    """Wakes once per operation, when ``loader_bus_recorder`` has completed a record."""

    _signals = ("valid", "record")
    vector = "record"

    def __init__(self, entity: HierarchyObject, layout: RecordFormat) -> None:
        """Attach to the ``rec_*`` signals of the test bench."""
        self._layout = layout
        super().__init__(entity, "rec", entity.clk)

    def decode(self, packed: int) -> OperationRecord:
        """Decode the record, with the present simulated time."""
        return self._layout.decode(packed, get_sim_time("ns"))


class LoaderMonitor(uvm_component):
    """Publishes every record on ``ap``, and reports records with unknown bits on ``problem_ap``."""

    def build_phase(self) -> None:
        """Create the ports."""
        self.ap = uvm_analysis_port("ap", self)
        self.problem_ap = uvm_analysis_port("problem_ap", self)

    def start_of_simulation_phase(self) -> None:
        """Attach to the recorder."""
        config: BenchConfig = self.cdb_get("CONFIG")
        table_bits = 1 << max(1, config.entry.coverage.address_bits)
        entry, width = config.entry, config.width
        layout = RecordFormat(
            self.cdb_get("RECORD"), bus_map(config), table_bits,
            entry.timing.iterations_per_cycle(width), entry.coverage.carry_words(width),
        )  # fmt: skip
        self.monitor = LoaderBusMonitor(cocotb.top, layout)
        self.monitor.add_callback(self._publish)

    def _publish(self, record: OperationRecord | str) -> None:
        if isinstance(record, str):
            self.problem_ap.write(record)
        else:
            self.ap.write(record)
