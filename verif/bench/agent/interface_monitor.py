"""Monitor of the design's pins: Python wakes when a pin violates the interface."""

from __future__ import annotations

from dataclasses import dataclass

import cocotb
from cocotb.handle import HierarchyObject
from pyuvm import uvm_analysis_port, uvm_component

from verif.bench.agent.monitor import VectorMonitor
from verif.bench.agent.vector_layout import VectorLayout
from verif.bench.configuration.config import BenchConfig

# The pins below rdata_o in a report, the least significant first.
FLAGS = ("ack_o", "err_o", "busy_o", "done_o")


@dataclass(frozen=True)
class Rule:
    """A rule of ``interface_checks.sv``: its pin, empty for all pins, and its requirement."""

    name: str
    pin: str
    wants: str


# In the order of wrong_o, bit 0 first.
RULES = (
    Rule("Unknown", "", "0 or 1 on every output"),
    Rule("InReset", "", "0 on every output while rst_ni is low"),
    Rule("AckMissing", "ack_o", "an acknowledge in the cycle after a request without wait_i"),
    Rule(
        "AckUnasked",
        "ack_o",
        "no acknowledge without request, for two cycles running, or in reset",
    ),
    Rule("Err", "err_o", "an error just where the transfer is to be rejected"),
    Rule("Delivery", "err_o", "a result given just after the outcomes that have it"),
    Rule("Answer", "rdata_o", "the reason of a rejection, 0 for a write"),
    Rule("Status", "rdata_o", "the status word: last bus error, phase or outcome seen before"),
    Rule("Outcome", "rdata_o", "an outcome that this operation can have"),
    Rule("Unused", "rdata_o", "0 above a result's bits"),
    Rule("ErrSteady", "err_o", "no change without an acknowledge"),
    Rule("DataSteady", "rdata_o", "no change without an acknowledge"),
    Rule("Busy", "busy_o", "busy from the acknowledge of a start to the operation's end"),
    Rule("Done", "done_o", "done from an operation's end to the next start, ZEROISE or reset"),
)


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
