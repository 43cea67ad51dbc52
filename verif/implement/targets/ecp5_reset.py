"""The resets of an ECP5's registers on wires that reach them all: those of the clock network.

nextpnr routes a reset like any other wire, to every slice. At 1024 bits it is every sixth wire of a
design and may enter a tile in few places, so that the router lays it again and again; and its
many ends draw all cells into the middle. Vendors' tools take a global wire, too; nextpnr does so
for what comes out of a clock buffer.

Measured, 1024 bits, router1: of optimized_interleaved with seeds 2 to 5 none was routed in 30
minutes, and half of what seed 2 laid again near the end was the reset; with a buffer seeds 2 and 3
were routed in two to five, with 109.6 and 105.3 MHz. The exponentiation core with words of 54 bits,
144 multipliers, was routed only with every third row of slices left free and with router2: 53.6 MHz
(seed 1); with a buffer it needs neither, and has 66.8. fast_montgomery resets its core between
operations, a second wire: 109.6 and 106.1 MHz without a buffer for it (seeds 1 and 2), 108.9 and
110.5 with one, which lie as far apart as seeds do.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

FLIP_FLOP, FLIP_FLOP_RESET = "TRELLIS_FF", "LSR"
# Registers inside a multiplier block have the same kind of reset.
MULTIPLIER, MULTIPLIER_RESETS = "MULT18X18D", ("RST0", "RST1", "RST2", "RST3")
BUFFER = "DCCA"
# A reset of fewer registers stays where it is.
FEWEST = 100


def use_clock_network(design: dict[str, Any], top: str) -> None:
    """Put a clock buffer into each large reset of a netlist (Yosys, ``write_json``)."""
    module = design["modules"][top]
    cells = module["cells"]
    resets = [
        (cell["connections"], port)
        for cell in cells.values()
        for port in _reset_ports(cell)
        if port in cell["connections"]
    ]
    users = Counter(connections[port][0] for connections, port in resets)
    # A wire of a netlist is a number.
    wires = [wire for wire, count in users.items() if isinstance(wire, int) and count >= FEWEST]
    used = (bit for cell in cells.values() for bits in cell["connections"].values() for bit in bits)
    free = 1 + max((bit for bit in used if isinstance(bit, int)), default=0)
    buffered = dict(zip(wires, range(free, free + len(wires)), strict=True))
    for connections, port in resets:
        (wire,) = connections[port]
        if wire in buffered:
            connections[port] = [buffered[wire]]
    for wire, output in buffered.items():
        cells[f"$reset_buffer{wire}"] = {
            "hide_name": 1,
            "type": BUFFER,
            "parameters": {},
            "attributes": {},
            "port_directions": {"CLKI": "input", "CLKO": "output", "CE": "input"},
            "connections": {"CLKI": [wire], "CLKO": [output], "CE": ["1"]},
        }


def _reset_ports(cell: dict[str, Any]) -> tuple[str, ...]:
    if cell["type"] == FLIP_FLOP:
        return (FLIP_FLOP_RESET,)
    return MULTIPLIER_RESETS if cell["type"] == MULTIPLIER else ()
