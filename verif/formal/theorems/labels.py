"""Names that the theorem's machine has for the bits of a bit-serial core: ports and registers.

Wrong register names cannot make a wrong core pass, because each register and everything that reads
it is compared under its name. Port names define what the theorem is about, so they are trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verif.formal.theorems.netlist import Netlist, NetlistError


@dataclass(frozen=True, order=True)
class Label:
    """The machine's name of a bit: a constructor of ``signal`` in ``Logic.v``, and a number."""

    signal: str
    bit: int

    def __str__(self) -> str:
        return f"{self.signal} {self.bit}"


# Fields of each port, lowest bit first; None: all remaining bits of the port.
PORTS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "x_i": (("X", None),),
    "y_i": (("Y", None),),
    "m_i": (("M", None),),
    "const_i": (("Constant", None),),
    "control_i": (("Unload", 1), ("Start", 1)),
    "s_o": (("OutS", None),),
    "c_o": (("OutC", None),),
    "status_o": (("Next", 1), ("Done", 1), ("Busy", 1)),
    "view_o": (("OutState", 2), ("TableAddr", 16), ("TableValid", 4)),
    "description_o": (("Description", None),),
}

# In the order of machine_registers in Machine.v. The group is the number of a copy.
SEGMENT = r"\.gen_segment\[(\d+)\]\.copy_q"
REGISTERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("RegS", re.compile(r"u_iterations\.s_q")),
    ("RegC", re.compile(r"u_iterations\.c_q")),
    ("TakesY", re.compile(r"gen_iteration\[0\]\.gen_ahead\.u_with_y" + SEGMENT)),
    ("TakesM", re.compile(r"gen_iteration\[0\]\.gen_ahead\.u_with_m" + SEGMENT)),
    ("Moves", re.compile(r"u_iterations\.gen_ahead\.u_moves" + SEGMENT)),
    ("Iterates", re.compile(r"u_iterations\.gen_ahead\.u_iterates" + SEGMENT)),
    ("State", re.compile(r"u_iterations\.u_control\.state_q")),
    ("Count", re.compile(r"u_iterations\.u_control\.count_q")),
    ("Last", re.compile(r"u_iterations\.u_control\.last_q")),
)
# In the order of machine_outputs in Machine.v.
OUTPUTS = (
    "OutS", "OutC", "Busy", "Done", "Next", "TableValid", "TableAddr", "OutState", "Description",
)  # fmt: skip


@dataclass(frozen=True)
class Labelled:
    """A netlist with the names of the machine.

    Attributes:
        netlist: the gates.
        sources: wire and label of each input in use and of each register.
        registers: label and wire of the next value of each register, in the machine's order.
        outputs: label and wire of each output, in the machine's order.
    """

    netlist: Netlist
    sources: Sequence[tuple[int, Label]]
    registers: Sequence[tuple[Label, int]]
    outputs: Sequence[tuple[Label, int]]


def labelled(netlist: Netlist) -> Labelled:
    """Return a core's netlist with labels.

    Raises:
        NetlistError: the machine does not have a port or a register of the netlist.
    """
    inputs = {wire: label for label, wire in _ports(netlist.inputs.items())}
    inputs |= {wire: Label("Unknown", bit) for bit, wire in enumerate(netlist.unknown)}
    outputs = sorted(_ports(netlist.outputs.items()), key=lambda item: _place(OUTPUTS, item[0]))
    held = {
        wire: _register(*netlist.names.get(wire, (f"wire {wire}", 0))) for wire in netlist.registers
    }
    order = tuple(name for name, _ in REGISTERS)
    registers = sorted(
        ((held[wire], following) for wire, following in netlist.registers.items()),
        key=lambda item: _place(order, item[0]),
    )
    read = {wire for gate in netlist.gates for wire in gate.inputs}
    read |= {wire for _, wire in (*registers, *outputs)}
    sources = [(wire, label) for wire, label in inputs.items() if wire in read]
    return Labelled(netlist, [*sources, *held.items()], registers, outputs)


def _place(order: Sequence[str], label: Label) -> tuple[int, int]:
    return order.index(label.signal), label.bit


def _ports(ports: Iterable[tuple[str, tuple[int, ...]]]) -> list[tuple[Label, int]]:
    found = []
    for name, wires in ports:
        if name not in PORTS:
            raise NetlistError(
                f"port {name}: no bit-serial core has one; it has {', '.join(PORTS)}"
            )
        rest = list(wires)
        for signal, size in PORTS[name]:
            count = len(rest) if size is None else size
            found += [(Label(signal, bit), wire) for bit, wire in enumerate(rest[:count])]
            del rest[:count]
    return found


def _register(path: str, bit: int) -> Label:
    for signal, pattern in REGISTERS:
        if match := pattern.fullmatch(path):
            return Label(signal, int(match[1]) if match.groups() else bit)
    raise NetlistError(f"register {path}: the machine of the theorem has none of this name")
