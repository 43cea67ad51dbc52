"""Monitor of the loader bus: a cocotb-bus monitor on the recorder, a pyuvm component on top."""

from __future__ import annotations

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.simtime import get_sim_time
from cocotb.triggers import Timer, ValueChange
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_analysis_port, uvm_component

from verif.bus.item import OperationRecord
from verif.config import BenchConfig


def unpack(value: int, *widths: int) -> list[int]:
    """Split a packed vector into fields, most significant first."""
    fields = []
    for width in reversed(widths):
        fields.append(value & ((1 << width) - 1))
        value >>= width
    return fields[::-1]


class LoaderBusMonitor(BusMonitor):
    """Wakes once an operation, when ``loader_bus_recorder`` has a complete record.

    The record is stable from the rising clock edge before ``valid`` toggles at a falling edge, so
    both simulators read the same values without waiting for a read-only phase.
    """

    _signals = ("valid", "record")

    def __init__(self, entity: HierarchyObject, config: BenchConfig) -> None:
        """Attach to the ``rec_*`` signals of the test bench."""
        operand = config.operand_words * config.bus_width
        result = config.result_words * config.bus_width
        table = 1 << max(1, config.entry.table_address_bits)
        self._fields = (96, 152, table * table, table, result, result, *(operand,) * 4)
        super().__init__(entity, "rec", entity.clk)

    async def _monitor_recv(self) -> None:
        bus = self.bus
        changed = ValueChange(bus.valid)
        await Timer(1, "ns")  # past the initial values: from unknown to 0 is not a record
        while True:
            await changed
            self._recv(self.record())

    def record(self) -> OperationRecord | str:
        """The current record; a message when the hardware delivered unknown values."""
        value = self.bus.record.value
        try:
            packed = int(value)
        except ValueError:
            return f"unknown bits (X or Z) in the record of an operation: {value}"
        info, observed, transition, hit, c, s, p, m, y, x = unpack(packed, *self._fields)
        (
            s_words,
            c_words,
            p_words,
            refused,
            lost,
            fresh,
            raw,
            seen,
            broken,
            status,
            bus_error,
            stalled,
            _,
        ) = unpack(info, 16, 16, 16, 16, 16, 1, 1, 1, 1, 4, 4, 1, 3)
        (
            core_arcs,
            control_arcs,
            loop_clocks,
            busy_clocks,
            added,
            subtracted,
            exact,
            busy_wrong,
            _,
        ) = unpack(observed, 16, 64, 32, 32, 1, 1, 1, 1, 4)
        return OperationRecord(
            x=x, y=y, m=m, p=p, s=s, c=c,
            s_words=s_words, c_words=c_words, p_words=p_words, refused=refused, lost=lost,
            fresh_modulus=bool(fresh), raw=bool(raw), status_seen=bool(seen),
            status=status, bus_error=bus_error, protocol_broken=bool(broken), stalled=bool(stalled),
            table_hit=hit, table_transition=transition,
            core_arcs=core_arcs, control_arcs=control_arcs,
            loop_clocks=loop_clocks, busy_clocks=busy_clocks,
            core_busy_wrong=bool(busy_wrong), result_added=bool(added),
            subtracted=bool(subtracted), exact=bool(exact),
            time_ns=get_sim_time("ns"),
        )  # fmt: skip


class LoaderMonitor(uvm_component):
    """Publishes every record on ``ap``, and unreadable ones on ``problem_ap``."""

    def build_phase(self) -> None:
        """Create the ports."""
        self.ap = uvm_analysis_port("ap", self)
        self.problem_ap = uvm_analysis_port("problem_ap", self)

    def start_of_simulation_phase(self) -> None:
        """Attach to the recorder."""
        self.monitor = LoaderBusMonitor(cocotb.top, self.cdb_get("CONFIG"))
        self.monitor.add_callback(self._publish)

    def _publish(self, record: OperationRecord | str) -> None:
        if isinstance(record, str):
            self.problem_ap.write(record)
        else:
            self.ap.write(record)
