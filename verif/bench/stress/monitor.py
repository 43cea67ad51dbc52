"""Monitor of the stress test: reads the pin events that ``loader_bus_watch`` reports."""

from __future__ import annotations

from dataclasses import dataclass

import cocotb
from cocotb.handle import HierarchyObject
from pyuvm import uvm_analysis_port, uvm_component

from models.bus.loader_bus import Request
from verif.bench.agent.monitor import VectorMonitor
from verif.bench.agent.vector_layout import VectorLayout
from verif.bench.configuration.config import BenchConfig


@dataclass(frozen=True)
class PinEvent:
    """One cycle with an event, see ``loader_bus_watch.sv``.

    Attributes:
        cycle: number of the cycle since the simulation began.
        request: transfer granted in the previous cycle; None if no transfer was granted.
        out_of_reset: ``rst_ni`` was high at the end of the cycle.
        ack: ``ack_o``.
        rejected: ``err_o``.
        data: ``rdata_o``.
        busy: ``busy_o``.
        done: ``done_o``.
    """

    cycle: int
    request: Request | None
    out_of_reset: bool
    ack: bool
    rejected: bool
    data: int
    busy: bool
    done: bool


class PinMonitor(VectorMonitor):
    """Wakes once per transfer, and at every change of busy, done and reset."""

    _signals = ("enable", "valid", "event")
    vector = "event"

    def __init__(self, entity: HierarchyObject, config: BenchConfig) -> None:
        """Attach to the ``watch_*`` signals and switch the watch on."""
        self._layout = VectorLayout.of(
            "event", BusWidth=config.bus_width, AddressWidth=config.address_width
        )
        super().__init__(entity, "watch", entity.clk)
        self.bus.enable.value = 1

    def decode(self, packed: int) -> PinEvent:
        """Decode the event."""
        seen = self._layout.decode(packed)
        request = Request(bool(seen["write"]), seen["address"], seen["wdata"])
        return PinEvent(
            cycle=seen["clock"],
            request=request if seen["granted"] else None,
            out_of_reset=bool(seen["out_of_reset"]),
            ack=bool(seen["ack"]),
            rejected=bool(seen["rejected"]),
            data=seen["data"],
            busy=bool(seen["busy"]),
            done=bool(seen["done"]),
        )


class StressMonitor(uvm_component):
    """Publishes every event on ``ap``; an event with unknown bits as a text that reports them."""

    def build_phase(self) -> None:
        """Create the ports."""
        self.ap = uvm_analysis_port("ap", self)
        self.problem_ap = uvm_analysis_port("problem_ap", self)

    def start_of_simulation_phase(self) -> None:
        """Attach to the watch."""
        self.monitor = PinMonitor(cocotb.top, self.cdb_get("CONFIG"))
        self.monitor.add_callback(self.ap.write)
