"""Rows of an ECP5 in which no slice is used, so that a large design can be routed.

nextpnr packs a design as densely as it can, however empty the rest of the device is, and then the
wires in and out of its tiles do not suffice. Dummy lookup tables without wires, fixed to all slices
of some rows, hold it back. Whole rows, as a carry chain goes on in the next tile of its row.

Measured (mwrkmm exponentiation of 1024 bits, words and digits of 36 bits): without them 4 300 wires
were used twice after 13 rounds of the router, and a few less after each; with every third row
blocked the design was routed in nine minutes; with every second one in as many, and 9 % slower.
A design that is just large enough wants less: optimized_interleaved of 1024 bits, 11 312 LUT4, had
87.7 MHz without, and 95.0 with every fifth row blocked.
"""

from __future__ import annotations

from typing import Any

# From so many LUT4 on one of so many rows. Smaller designs are routed without, and are faster.
EVERY = {12_000: 3, 11_000: 5}
MOST_LUTS = 45_000
# Of the LFE5U-85F: tiles with slices. Rows in between are memories and multipliers.
COLUMNS = range(2, 125)
ROWS = tuple(row for row in range(2, 94) if row % 12 != 10)
TABLES = tuple(f"SLICE{slice_}.K{table}" for slice_ in "ABCD" for table in (0, 1))


def blocked_of(luts: int) -> int:
    """One of how many rows is blocked for a design of so many LUT4; 0: none."""
    fitting = [every for fewest, every in EVERY.items() if fewest <= luts <= MOST_LUTS]
    return fitting[0] if fitting else 0


def blocked_sites(every: int) -> list[str]:
    """The lookup tables of one of ``every`` rows, as nextpnr calls them."""
    rows = [row for row in ROWS if row % every == 1]
    return [f"X{column}/Y{row}/{table}" for row in rows for column in COLUMNS for table in TABLES]


def block_rows(design: dict[str, Any], top: str, every: int) -> None:
    """Put a dummy lookup table into every blocked site of a netlist (Yosys, ``write_json``)."""
    cells = design["modules"][top]["cells"]
    for number, site in enumerate(blocked_sites(every)):
        cells[f"$blockage${number}"] = {
            "hide_name": 1,
            "type": "LUT4",
            "parameters": {"INIT": "0" * 16},
            "attributes": {"BEL": site},
            "port_directions": {},
            "connections": {},
        }
