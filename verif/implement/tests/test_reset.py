"""Each large reset goes over the clock network, and nothing else changes."""

import copy
from typing import Any

import pytest

from verif.implement.targets import ecp5_reset

RESET, ENABLE, OTHER_RESET = 7, 8, 9


def flip_flop(number: int, **connections: int) -> dict[str, Any]:
    bits = {"CLK": [2], "DI": [1000 + number], "Q": [3000 + number]}
    bits |= {port: [bit] for port, bit in connections.items()}
    return {"type": ecp5_reset.FLIP_FLOP, "connections": bits}


def netlist(registers: int) -> dict[str, Any]:
    """A design of so many registers with one reset, five with another, and one without."""
    cells = {f"a{i}": flip_flop(i, LSR=RESET, CE=ENABLE) for i in range(registers)}
    cells |= {f"b{i}": flip_flop(500 + i, LSR=OTHER_RESET) for i in range(5)}
    cells["c"] = flip_flop(600)
    cells["d"] = {"type": ecp5_reset.FLIP_FLOP, "connections": {"LSR": ["0"], "Q": [3900]}}
    cells["product"] = {
        "type": ecp5_reset.MULTIPLIER,
        "connections": {"A0": [4000], "RST0": [RESET], "RST1": ["0"]},
    }
    cells["inverter"] = {"type": "LUT4", "connections": {"A": [3], "Z": [RESET]}}
    cells["reader"] = {"type": "LUT4", "connections": {"A": [RESET], "Z": [ENABLE]}}
    return {"modules": {"t": {"cells": cells}}}


def test_the_reset_of_many_registers_has_a_clock_buffer() -> None:
    design = netlist(ecp5_reset.FEWEST)
    wanted = copy.deepcopy(design)
    ecp5_reset.use_clock_network(design, "t")
    cells = design["modules"]["t"]["cells"]
    buffer = cells.pop(f"$reset_buffer{RESET}")
    assert buffer["type"] == "DCCA"
    assert buffer["connections"]["CLKI"] == [RESET]
    (buffered,) = buffer["connections"]["CLKO"]
    before = wanted["modules"]["t"]["cells"]
    bits = {b for cell in before.values() for bits in cell["connections"].values() for b in bits}
    assert buffered not in bits
    for name, cell in before.items():
        if name.startswith("a"):
            cell["connections"]["LSR"] = [buffered]
    before["product"]["connections"]["RST0"] = [buffered]
    assert design == wanted


@pytest.mark.parametrize("registers", [0, ecp5_reset.FEWEST - 2])
def test_few_registers_keep_their_reset(registers: int) -> None:
    """The multiplier counts, too."""
    design = netlist(registers)
    wanted = copy.deepcopy(design)
    ecp5_reset.use_clock_network(design, "t")
    assert design == wanted
