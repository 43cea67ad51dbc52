"""Rows of an ECP5 in which no slice is used, so that a large design can be routed.

nextpnr packs a design as densely as it can, however empty the rest of the device is, and then the
wires in and out of its tiles do not suffice. Dummy lookup tables without wires, fixed to all slices
of some rows, hold it back. Whole rows, as a carry chain goes on in the next tile of its row.

Measured with router2 (mwrkmm exponentiation of 1024 bits, words and digits of 36 bits): without
them 4 300 wires were used twice after 13 rounds of the router, and a few less after each; with
every third row blocked the design was routed in nine minutes; with every second one in as many, and
9 % slower. A smaller design is faster without: optimized_interleaved of 1024 bits, 11 318 LUT4, had
a median of 87.7 MHz (three seeds) without, and of 84.6 with every third row blocked.
"""

from __future__ import annotations

from typing import Any

# One of so many rows, in designs of so many LUT4. Smaller ones are routed without, and are faster.
EVERY = 3
FEWEST_LUTS = 12_000
MOST_LUTS = 45_000
# Of the LFE5U-85F: tiles with slices. Rows in between are memories and multipliers.
COLUMNS = range(2, 125)
ROWS = tuple(row for row in range(2, 94) if row % 12 != 10)
TABLES = tuple(f"SLICE{slice_}.K{table}" for slice_ in "ABCD" for table in (0, 1))


def is_dense(luts: int) -> bool:
    """Does a design of so many LUT4 need blocked rows, and leave room for them?"""
    return FEWEST_LUTS <= luts <= MOST_LUTS


def blocked_sites() -> list[str]:
    """The lookup tables of the blocked rows, as nextpnr calls them."""
    rows = [row for row in ROWS if row % EVERY == 1]
    return [f"X{column}/Y{row}/{table}" for row in rows for column in COLUMNS for table in TABLES]


def block_rows(design: dict[str, Any], top: str) -> None:
    """Put a dummy lookup table into every blocked site of a netlist (Yosys, ``write_json``)."""
    cells = design["modules"][top]["cells"]
    for number, site in enumerate(blocked_sites()):
        cells[f"$blockage${number}"] = {
            "hide_name": 1,
            "type": "LUT4",
            "parameters": {"INIT": "0" * 16},
            "attributes": {"BEL": site},
            "port_directions": {},
            "connections": {},
        }
