"""Toggles and energy of a tiny netlist are those counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from verif.implement.energy.cells import read_cell
from verif.implement.energy.estimate import compiled, energy_of
from verif.implement.energy.liberty import Library, read_library, truth_table, variable
from verif.implement.energy.simulate import LANES, Mapped, Simulator, read_mapped, used_cells
from verif.library.netlist.process import Limits, ToolError
from verif.library.netlist.workplace import Workplace

# Every energy is a small integer in fJ; a toggle of a load of 2 fF at 1 V costs 1 fJ.
LIBERTY = """
library (tiny) {
  voltage_unit : "1V"; leakage_power_unit : "1nW"; capacitive_load_unit (1,ff);
  nom_voltage : 1.0;
  power_lut_template (two) {
    variable_1 : input_transition_time; variable_2 : total_output_net_capacitance;
  }
  power_lut_template (one) { variable_1 : input_transition_time; }
  cell (INV) {
    cell_leakage_power : 10;
    pin (A) { direction : input; capacitance : 2.0; }
    pin (Z) { direction : output; function : "!A";
      internal_power () { related_pin : "A";
        rise_power (two) { index_1 ("1,2,3"); index_2 ("0,4"); values ("9,9", "4,8", "9,9"); }
        fall_power (two) { index_1 ("1,2,3"); index_2 ("0,4"); values ("9,9", "2,6", "9,9"); }
      }
    }
  }
  cell (DFF) {
    cell_leakage_power : 100;
    ff ("IQ", "IQN") { next_state : "D"; clocked_on : "CK"; clear : "!R"; }
    pin (D) { direction : input; capacitance : 4.0;
      internal_power () { when : "CK"; rise_power (one) { values ("1,1,1"); }
                                       fall_power (one) { values ("1,1,1"); } }
      internal_power () { when : "!CK"; rise_power (one) { values ("50,50,50"); }
                                        fall_power (one) { values ("50,50,50"); } }
    }
    pin (R) { direction : input; capacitance : 1.0; }
    pin (CK) { direction : input; capacitance : 3.0;
      internal_power () { when : "(D & Q) | (!D & !Q)"; rise_power (one) { values ("5,6,7"); }
                                                        fall_power (one) { values ("3,4,5"); } }
      internal_power () { when : "D ^ Q"; rise_power (scalar) { values ("0.0"); }
                                          fall_power (one) { values ("6,7,8"); } }
    }
    pin (Q) { direction : output; function : "IQ";
      internal_power () { related_pin : "CK"; rise_power (scalar) { values ("20"); }
                                              fall_power (scalar) { values ("30"); } }
      internal_power () { related_pin : "R"; fall_power (scalar) { values ("999"); } }
    }
  }
  cell (DARK) {
    pin (A) { direction : input; capacitance : 1.0; }
    pin (Z) { direction : output; function : "A"; }
  }
  cell (LATCH) { latch ("IQ", "IQN") { enable : "G"; data_in : "D"; } }
}
"""
CLOCK, D, RESET, Q, FIRST, LAST = range(2, 8)


def netlist(chain: str = "INV") -> dict[str, Any]:
    """A flip-flop and two inverters after it."""

    def cell(kind: str, **pins: int) -> dict[str, Any]:
        return {"type": kind, "connections": {pin: [net] for pin, net in pins.items()}}

    ports = {"clk_i": CLOCK, "d_i": D, "rst_ni": RESET, "q_o": LAST}
    return {
        "ports": {name: {"bits": [net]} for name, net in ports.items()},
        "cells": {
            "second": cell(chain, A=FIRST, Z=LAST),
            "first": cell("INV", A=Q, Z=FIRST),
            "state": cell("DFF", D=D, CK=CLOCK, R=RESET, Q=Q),
        },
    }


def library_of(folder: Path, *names: str) -> Library:
    path = folder / "tiny.lib"
    path.write_text(LIBERTY)
    return read_library(path, names)


def mapped_of(folder: Path, module: dict[str, Any]) -> Mapped:
    library = library_of(folder, *used_cells(module))
    cells = {name: read_cell(group, library) for name, group in library.cells.items()}
    return read_mapped(module, "clk_i", cells)


def lanes(*ones: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array([sum(1 << lane for lane in ones)], np.uint64)


def simulator_of(folder: Path, mapped: Mapped) -> Simulator:
    place = Workplace(Limits(60, 1 << 30))
    simulator = Simulator(mapped, compiled(folder, place))
    simulator.drive("rst_ni", lanes())
    simulator.run(2)
    simulator.drive("rst_ni", lanes(*range(LANES)))
    simulator.run(1)
    return simulator


def test_toggles_and_energy_of_a_chain_are_those_by_hand(tmp_path: Path) -> None:
    mapped = mapped_of(tmp_path, netlist())
    simulator = simulator_of(tmp_path, mapped)
    # In all lanes D rises, and falls two cycles later: Q rises and falls in four cycles.
    simulator.counting = True
    for value in (lanes(*range(LANES)), lanes(*range(LANES)), lanes(), lanes()):
        simulator.drive("d_i", value)
        simulator.run(1)
    simulator.counting = False
    assert int(simulator.read("q_o")[0]) == 0
    found = energy_of(mapped, simulator, 1.0)
    assert (found.operations, found.cycles) == (LANES, 4)
    # Four cycles of the clock pin: 3 fF, and 10 idle or 7 before a change.
    clock = 4 * 3 + 2 * 10 + 2 * 7
    # D: 1 a toggle. Q: 25 and 1 for the load of 2 fF. First inverter: mean of 3 at no load and 7 at
    # 4 fF, so 5, and 1 for the load; second: 3 without a load.
    logic = 2 * 1 + 2 * (25 + 1) + 2 * (5 + 1) + 2 * 3
    assert found.clock_pj == pytest.approx(clock / 1000)
    assert found.energy_pj == pytest.approx((clock + logic) / 1000)
    assert found.leakage_uw == pytest.approx(0.12)


def test_lanes_count_on_their_own(tmp_path: Path) -> None:
    simulator = simulator_of(tmp_path, mapped_of(tmp_path, netlist()))
    simulator.counting = True
    simulator.drive("d_i", lanes(0, 5, 63))
    simulator.run(2)
    assert int(simulator.toggles.max()) == 3
    assert simulator.read("q_o")[0] == lanes(0, 5, 63)[0]


def test_a_reset_acts_without_a_clock(tmp_path: Path) -> None:
    simulator = simulator_of(tmp_path, mapped_of(tmp_path, netlist()))
    simulator.drive("d_i", lanes(1))
    simulator.run(1)
    assert simulator.read("q_o")[0] == lanes(1)[0]
    simulator.drive("rst_ni", lanes())
    assert simulator.read("q_o")[0] == 0


def test_a_cell_without_an_energy_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"^the cell DARK has no energy table .* output Z$"):
        mapped_of(tmp_path, netlist("DARK"))


def test_an_unknown_cell_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"^tiny\.lib does not have the cell NAND9$"):
        mapped_of(tmp_path, netlist("NAND9"))


def test_a_latch_is_named(tmp_path: Path) -> None:
    library = library_of(tmp_path, "LATCH")
    with pytest.raises(ToolError, match=r"^the cell LATCH has a latch, which cannot be simulated$"):
        read_cell(library.cells["LATCH"], library)


def test_a_second_clock_is_named(tmp_path: Path) -> None:
    module = netlist()
    module["cells"]["state"]["connections"]["CK"] = [D]
    with pytest.raises(ToolError, match="the flip-flop state is not clocked by clk_i"):
        mapped_of(tmp_path, module)


def test_a_loop_is_reported(tmp_path: Path) -> None:
    module = netlist()
    module["cells"]["first"]["connections"]["A"] = [LAST]
    with pytest.raises(ToolError, match="combinational loop"):
        Simulator(mapped_of(tmp_path, module), tmp_path / "none")


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("!(A | (B & C))", lambda a, b, c: not (a or (b and c))),
        ("(A&!B) | (!A&B)", lambda a, b, c: a != b),
        ("A B' + C", lambda a, b, c: (a and not b) or c),
        ("A ^ B ^ C", lambda a, b, c: (a + b + c) % 2),
        ("1", lambda a, b, c: True),
    ],
)
def test_functions_are_read(function: str, expected: Any) -> None:
    names = {name: variable(i, 3) for i, name in enumerate("ABC")}
    table = truth_table(function, names, 3)
    for row in range(8):
        bits = [bool(row >> i & 1) for i in range(3)]
        assert bool(table >> row & 1) == bool(expected(*bits))


def test_an_unknown_name_in_a_function_is_reported() -> None:
    with pytest.raises(ToolError, match="unknown name 'B'"):
        truth_table("A & B", {"A": variable(0, 1)}, 1)
