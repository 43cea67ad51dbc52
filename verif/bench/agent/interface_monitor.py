"""Monitor of the design's pins: Python wakes when a pin violates the interface."""

from __future__ import annotations

import cocotb
from cocotb.handle import HierarchyObject
from pyuvm import uvm_analysis_port, uvm_component

from verif.bench.agent.interface_rules import RULES
from verif.bench.agent.monitor import VectorMonitor
from verif.bench.agent.vector_layout import VectorLayout
from verif.bench.configuration.config import BenchConfig

# The pins below rdata_o in a report, the least significant first.
FLAGS = ("ack_o", "err_o", "busy_o", "done_o")


def violation(packed: int, bus_width: int) -> str:
    """Return a report of ``interface_monitor.sv`` as one line of text.

    Args:
        packed: the report.
        bus_width: bits of a bus word.
    """
    found_in = VectorLayout.of("report", BusWidth=bus_width).decode(packed)
    clock, expected, rules = (found_in[name] for name in ("clock", "expected", "rules"))
    # Report the lowest rule: rule Unknown is bit 0, and an unknown pin breaks other rules, too.
    rule = RULES[(rules & -rules).bit_length() - 1]
    unknown, flags = found_in["unknown_flags"], found_in["flags"]
    shown = {pin: "x" if unknown >> i & 1 else str(flags >> i & 1) for i, pin in enumerate(FLAGS)}
    word, unknown_bits = found_in["data"], found_in["unknown_data"]
    shown["rdata_o"] = f"{word:#x}" + (f" (unknown bits {unknown_bits:#x})" if unknown_bits else "")
    if not rule.pin:
        found = ", ".join(f"{pin} = {value}" for pin, value in shown.items())
    elif rule.pin in FLAGS:
        found = f"{rule.pin} = {shown[rule.pin]}, expected {1 - int(shown[rule.pin])}"
    elif rule.name == "Outcome":
        found = f"rdata_o = {shown['rdata_o']}"
    else:
        found = f"rdata_o = {shown['rdata_o']}, expected {expected:#x}"
    return f"pins in cycle {clock}: {found}: {rule.name} wants {rule.wants}"


class InterfacePinMonitor(VectorMonitor):
    """Wakes at the first violation; see ``chk_*`` of the bench's top."""

    _signals = ("valid", "report")
    vector = "report"

    def __init__(self, entity: HierarchyObject, bus_width: int) -> None:
        """Attach to the ``chk_*`` signals of the test bench."""
        self._bus_width = bus_width
        super().__init__(entity, "chk", entity.clk)

    def decode(self, packed: int) -> str:
        """Decode the violation."""
        return violation(packed, self._bus_width)


class InterfaceMonitor(uvm_component):
    """Publishes the first violation of the interface on ``problem_ap``."""

    def build_phase(self) -> None:
        """Create the port."""
        self.problem_ap = uvm_analysis_port("problem_ap", self)

    def start_of_simulation_phase(self) -> None:
        """Attach to the bench."""
        config: BenchConfig = self.cdb_get("CONFIG")
        self._where = f"{config.entry.name} {config.width} bits"
        self.monitor = InterfacePinMonitor(cocotb.top, config.bus_width)
        self.monitor.add_callback(self._publish)

    def _publish(self, problem: str) -> None:
        self.problem_ap.write(f"{self._where}: {problem}")
