"""Moves the register after an ECP5 multiplier into the block; runs in ``yosys_child.py``.

A multiplier block has its own registers, but Yosys does not use them. Without this pass, each block
needs 36 flip-flops and wires to them, which are long because blocks are far apart. This file
does not import the project.
"""

from __future__ import annotations

from pyosys import libyosys as ys

MULTIPLIER, FLIP_FLOP = "\\MULT18X18D", "\\TRELLIS_FF"
PRODUCT = tuple(f"\\P{i}" for i in range(36))
# Ports that must be equal in all flip-flops of a product.
CONTROLS = ("\\CLK", "\\LSR")
WANTED = {"\\CEMUX": "1", "\\CLKMUX": "CLK", "\\LSRMUX": "LSR", "\\REGSET": "RESET"}
WANTED |= {"\\SRMODE": "ASYNC"}
USED = {"\\REG_OUTPUT_CLK": "CLK0", "\\REG_OUTPUT_CE": "CE0", "\\REG_OUTPUT_RST": "RST0"}
USED |= {"\\RESETMODE": "ASYNC"}


def port(cell: ys.Cell, name: str) -> ys.SigSpec:
    """Return the connection of a port."""
    return cell.getPort(ys.IdString(name))


def has(cell: ys.Cell, values: dict[str, str]) -> bool:
    """Return whether a cell has these parameters."""
    found = {str(name): value.decode_string() for name, value in cell.parameters.items()}
    return all(found.get(name) == value for name, value in values.items())


def run(design: ys.Design) -> None:
    """Move every register that takes a whole product, if nothing else uses this product."""
    top = design.top_module()
    cells = list(top.cells_.values())
    multipliers = [cell for cell in cells if str(cell.type) == MULTIPLIER]
    readers: dict[ys.SigBit, list[tuple[ys.Cell | None, str]]] = {
        bit: []
        for cell in multipliers
        for name in PRODUCT
        if cell.hasPort(ys.IdString(name))
        for bit in port(cell, name).bits()
    }
    for cell in cells:
        product = PRODUCT if str(cell.type) == MULTIPLIER else ()
        for name, signal in cell.connections_.items():
            if str(name) not in product:
                for bit in signal.bits():
                    if bit in readers:
                        readers[bit].append((cell, str(name)))
    for wire in top.wires_.values():
        if wire.port_output:
            for bit in ys.SigSpec(wire).bits():
                if bit in readers:
                    readers[bit].append((None, ""))
    moved = 0
    for cell in multipliers:
        moved += absorb(top, cell, readers)
    print(f"registers of {moved} of {len(multipliers)} multipliers moved into them", flush=True)


def absorb(
    top: ys.Module, cell: ys.Cell, readers: dict[ys.SigBit, list[tuple[ys.Cell | None, str]]]
) -> bool:
    """Move the register after one multiplier; return False if no suitable register exists."""
    registers: dict[str, ys.Cell] = {}
    for name in PRODUCT:
        if not cell.hasPort(ys.IdString(name)):
            continue
        of_bit = readers[port(cell, name).as_bit()]
        if not of_bit:
            continue
        reader, pin = of_bit[0]
        if len(of_bit) > 1 or reader is None or pin != "\\DI" or str(reader.type) != FLIP_FLOP:
            return False
        registers[name] = reader
    if not registers or not all(has(register, WANTED) for register in registers.values()):
        return False
    controls = {
        tuple(port(register, name).as_bit() for name in CONTROLS) for register in registers.values()
    }
    if len(controls) > 1:
        return False
    clock, reset = (port(next(iter(registers.values())), name) for name in CONTROLS)
    for name, register in registers.items():
        cell.setPort(ys.IdString(name), port(register, "\\Q"))
        top.remove(register)
    cell.setPort(ys.IdString("\\CLK0"), clock)
    cell.setPort(ys.IdString("\\RST0"), reset)
    cell.setPort(ys.IdString("\\CE0"), ys.SigSpec(ys.State.S1, 1))
    for name, value in USED.items():
        cell.setParam(ys.IdString(name), ys.Const(value))
    return True
