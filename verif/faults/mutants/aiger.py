"""Binary AIGER netlists: replace inputs by other inputs.

Format: Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", FMV report 11/2, 2011. A literal is twice
a variable, plus 1 for its complement. Inputs are the first variables. The file encodes an AND gate
as the distances of its operands, the larger operand first, seven bits per byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def join_inputs(path: Path, same: Mapping[int, int]) -> None:
    """Replace inputs of a netlist by other inputs.

    Args:
        path: file of the netlist, without properties and constraints; it is overwritten.
        same: maps the number of a replaced input, from 0, to the number of the input to read
            instead, which must be lower.
    """
    data = path.read_bytes()
    start = data.index(b"\n") + 1
    _, inputs, latches, outputs, gates = map(int, data[:start].split()[1:6])
    by_literal = {2 * (old + 1): 2 * (new + 1) for old, new in same.items()}

    def joined(literal: int) -> int:
        return by_literal.get(literal & ~1, literal & ~1) | literal & 1

    lines = data[start:].split(b"\n", latches + outputs)
    position = len(data) - len(lines[-1])
    written = bytearray(data[:start])
    for line in lines[:-1]:
        next_value, *rest = map(int, line.split())
        written += " ".join(map(str, (joined(next_value), *rest))).encode() + b"\n"
    for gate in range(gates):
        literal = 2 * (inputs + latches + gate + 1)
        distance, position = _number(data, position)
        between, position = _number(data, position)
        operands = joined(literal - distance), joined(literal - distance - between)
        written += _bytes(literal - max(operands)) + _bytes(max(operands) - min(operands))
    path.write_bytes(written)


def _number(data: bytes, position: int) -> tuple[int, int]:
    """Return the number at ``position`` and the position of the next one."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, position


def _bytes(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
