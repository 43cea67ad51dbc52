"""Names that the theorem's machine has for the bits of a bit-serial core: ports and registers.

Wrong register names cannot make a wrong core pass, because each register and everything that reads
it is compared under its name. Port names define what the theorem is about, so they are trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from verif.formal.theorems.netlist import FALSE, TRUE, Gate, Netlist, NetlistError, in_order


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

# In the order of machine_registers in Machine.v, Unfolded.v and Interleaved.v. The group is the
# number of a copy.
SEGMENT = r"\.gen_segment\[(\d+)\]\.copy_q"
REGISTERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("RegS", re.compile(r"(?:u_iterations\.)?s_q")),
    ("RegC", re.compile(r"(?:u_iterations\.)?c_q")),
    ("TakesY", re.compile(r"gen_iteration\[0\]\.gen_ahead\.u_with_y" + SEGMENT)),
    ("TakesM", re.compile(r"gen_iteration\[0\]\.gen_ahead\.u_with_m" + SEGMENT)),
    ("Moves", re.compile(r"(?:u_iterations\.gen_ahead\.)?u_moves" + SEGMENT)),
    ("Iterates", re.compile(r"(?:u_iterations\.gen_ahead\.)?u_iterates" + SEGMENT)),
    ("Unloads", re.compile(r"u_iterations\.gen_now\.unload_q")),
    ("State", re.compile(r"(?:u_iterations\.)?u_control\.state_q")),
    ("Count", re.compile(r"(?:u_iterations\.)?u_control\.count_q")),
    ("Last", re.compile(r"(?:u_iterations\.)?u_control\.last_q")),
    ("Odd", re.compile(r"u_odd" + SEGMENT)),
    *((f"Pair{k}", re.compile(rf"gen_pair\[{k}\]\.u_pair" + SEGMENT)) for k in range(4)),
    ("Late", re.compile(r"late_q")),
)
# In the order of machine_outputs in Machine.v.
OUTPUTS = (
    "OutS", "OutC", "Busy", "Done", "Next", "TableValid", "TableAddr", "OutState", "Description",
)  # fmt: skip

# Wires that a theory names: nets of the core, in the order of machine_wires in Unfolded.v and
# Interleaved.v. They need no trust, like registers.
WIRES = {"behind_s": "WireS", "behind_c": "WireC"}
ENTRY = {"entry": "Entry"}


@dataclass(frozen=True)
class Labelled:
    """A netlist with the names of the machine.

    Attributes:
        netlist: the gates.
        sources: wire and label of each input in use and of each register.
        registers: label and wire of the next value of each register, in the machine's order.
        outputs: label and wire of each output, in the machine's order.
        wires: label and driver of each named wire, in the machine's order. Gates NAME give them
            a wire of their own, which everything else reads.
        names: label by the wire that a gate NAME drives.
    """

    netlist: Netlist
    sources: Sequence[tuple[int, Label]]
    registers: Sequence[tuple[Label, int]]
    outputs: Sequence[tuple[Label, int]]
    wires: Sequence[tuple[Label, int]] = ()
    names: Mapping[int, Label] = field(default_factory=dict)


def labelled(netlist: Netlist, wires: Mapping[str, str] | None = None) -> Labelled:
    """Return a core's netlist with labels.

    Args:
        netlist: the core.
        wires: signal of the machine by net of the core, for wires with a name.

    Raises:
        NetlistError: the machine does not have a port or a register of the netlist, or the netlist
            does not have a named wire.
    """
    named = _named(netlist, wires or {})
    names = {wire: label for label, (_, wire) in named.items()}
    # By number: each name after the names that its driver reads.
    following = sorted(named, key=lambda label: (label.bit, label.signal))
    netlist = _with_names(netlist, dict(named[label] for label in following))
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
    drivers = [(label, driver) for label, (driver, _) in named.items()]
    return Labelled(netlist, [*sources, *held.items()], registers, outputs, drivers, names)


def _named(netlist: Netlist, wires: Mapping[str, str]) -> dict[Label, tuple[int, int]]:
    """Return driver and new wire of each named wire."""
    free = max((gate.output for gate in netlist.gates), default=TRUE) + 1
    free = max(free, *netlist.registers, *netlist.unknown, 0) + 1
    named: dict[Label, tuple[int, int]] = {}
    drivers = {FALSE, TRUE}
    for net, signal in wires.items():
        if net not in netlist.nets:
            raise NetlistError(f"net {net}: the core has none of this name")
        for bit, driver in enumerate(netlist.nets[net]):
            if driver in drivers:
                raise NetlistError(f"{net}[{bit}]: a constant, or equal to another bit")
            drivers.add(driver)
            named[Label(signal, bit)] = driver, free + len(named)
    return named


def _with_names(netlist: Netlist, new: Mapping[int, int]) -> Netlist:
    """Return the netlist in which everything reads the new wire of a driver."""
    if not new:
        return netlist
    gates = [Gate("NAME", wire, (driver,)) for driver, wire in new.items()]
    gates += [
        replace(gate, inputs=tuple(new.get(wire, wire) for wire in gate.inputs))
        for gate in netlist.gates
    ]
    return replace(
        netlist,
        outputs={
            name: tuple(new.get(wire, wire) for wire in wires)
            for name, wires in netlist.outputs.items()
        },
        gates=in_order(gates),
        registers={wire: new.get(d, d) for wire, d in netlist.registers.items()},
    )


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
