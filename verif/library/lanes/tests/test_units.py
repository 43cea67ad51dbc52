"""Tests of the parts of the engine that need neither Yosys nor a compiler."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.bus.multiplier_bus import MultiplierBus, ProductDescription
from models.registry import architecture
from verif.library.lanes import build, sections
from verif.library.lanes.bench import Operation, Planner
from verif.library.lanes.generate import ALL, INPUT_TABLES, Generator, expressions
from verif.library.lanes.host import Host
from verif.library.lanes.program import Program, numbers_of, packed_numbers, rows_of
from verif.library.netlist import gates
from verif.library.netlist.cache import FolderCache
from verif.library.netlist.gates import ONE, ZERO, FlipFlop, GateNetlist, Lut, read_netlist
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.workplace import Workplace

RECIPE = Recipe(top="t", clock="clk_i", sources={})


def test_every_table_has_an_expression() -> None:
    for table, text in enumerate(expressions()):
        for letter, value in (("<a>", 0xAA), ("<b>", 0xCC), ("<c>", 0xF0)):
            assert INPUT_TABLES[value] == letter[1]
            text = text.replace(letter, str(value))
        assert eval(text.replace("zero", "0").replace("ones", str(ALL))) & ALL == table


@pytest.mark.parametrize(
    ("bus_width", "words"), [(8, 1), (8, 5), (12, 3), (32, 4), (40, 2), (64, 3)]
)
def test_numbers_become_words_and_words_numbers(bus_width: int, words: int) -> None:
    values = [(1 << bus_width * words) - 1, 0, 0x123456789ABCDEF % (1 << bus_width * words)]
    rows = rows_of(values, words, bus_width)
    assert numbers_of(rows, bus_width) == values
    assert (rows_of(packed_numbers(values), words, bus_width) == rows).all()
    if bus_width * words <= 64:
        assert (rows_of(np.array(values, np.uint64), words, bus_width) == rows).all()


def netlist(luts: list[Lut], registers: list[FlipFlop]) -> GateNetlist:
    return GateNetlist({"a": (2,)}, {"y": (3,)}, luts, registers)


def test_source_of_a_small_netlist() -> None:
    """y = a and q; q takes not a, and 0 while a is 0."""
    register = FlipFlop("u.r_q", 0, 5, 4, 2, 0, "t.sv:1")
    source = Generator(netlist([Lut(0b1000, (2, 4), 3), Lut(0b01, (2,), 5)], [register])).source()
    assert "const vec n3 = (in[0] & q[0]);" in source and "out[0] = n3;" in source
    assert "d[0] = n5 & reset[0];" in source and "q[0] = q[0] & reset[0];" in source
    constant = Generator(netlist([], [FlipFlop("r", 0, ONE, 4, None, 0, "")])).source
    with pytest.raises(ToolError, match="nothing drives net 3"):
        constant()


def test_tables_that_lead_to_the_same_words_are_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    """Table 13 feeds 12, and 12 feeds 10 and 11, which lead to two words."""
    order = [Lut(0b10, (net,), output) for net, output in ((2, 13), (13, 12), (12, 10), (12, 11))]
    words = {10: 0b01, 11: 0b10}
    for size, expected in ((1, [[13, 12], [10], [11]]), (3, [[13, 12, 10], [11]])):
        monkeypatch.setattr(sections, "SIZE", size)
        found = sections.divided(order, words)
        assert [[lut.output for lut in part] for part in found] == expected


def test_a_section_wakes_the_readers_of_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register b takes input a in the first section, and y shows b in the second one."""
    monkeypatch.setattr(sections, "SIZE", 1)
    register = FlipFlop("b", 0, 2, 4, None, 0, "")
    source = Generator(GateNetlist({"a": (2,)}, {"y": (4,)}, [], [register])).source()
    assert "const int32_t kSections = 2;" in source
    assert "const int32_t kMember[] = {0};" in source
    assert "const int32_t kReader[] = {1};" in source
    assert "const int32_t kInputReader[] = {0};" in source


def test_a_netlist_is_made_again_if_what_names_its_registers_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, place = FolderCache(tmp_path / "cache"), Workplace(build.LIMITS)
    monkeypatch.setattr(cache, "fill", lambda *_: True)
    first = gates.synthesise(cache, place, RECIPE)
    assert gates.synthesise(cache, place, RECIPE) == first
    changed = tmp_path / "child.py"
    changed.write_text(gates.CHILD.read_text() + "# changed\n")
    monkeypatch.setattr(gates, "CHILD", changed)
    assert gates.synthesise(cache, place, RECIPE) != first


def test_what_cannot_be_simulated_is_reported(tmp_path: Path) -> None:
    loop = netlist([Lut(0b1000, (2, 5), 3), Lut(0b01, (3,), 5)], [])
    with pytest.raises(ToolError, match="combinational loop"):
        Generator(loop).source()
    resets = [FlipFlop("a", 0, ZERO, 4, 6, 0, ""), FlipFlop("b", 0, ZERO, 6, 4, 0, "")]
    with pytest.raises(ToolError, match="resets of the netlist depend on each other"):
        Generator(netlist([Lut(0b10, (2,), 3)], resets)).source()
    path = tmp_path / "netlist.json"
    clock = {"direction": "input", "bits": [7]}

    def read(cell: dict) -> GateNetlist:
        module = {"ports": {"clk_i": clock}, "cells": {"c": cell}}
        path.write_text(json.dumps({"modules": {"t": module}}))
        return read_netlist(path, RECIPE)

    with pytest.raises(ToolError, match=r"c of t is a \$_DLATCH_P_, which cannot be simulated"):
        read({"type": "$_DLATCH_P_", "connections": {}})
    nets = {"C": [8], "D": [1], "Q": [2]}
    flip_flop = {"type": "$_DFF_P_", "attributes": {}, "connections": nets}
    with pytest.raises(ToolError, match="c of t is not clocked by clk_i"):
        read(flip_flop)
    nets |= {"C": [7], "D": ["x"]}
    (register,) = read(flip_flop).registers
    assert register.d == ZERO and register.reset is None


def model() -> MultiplierBus:
    entry = architecture("faster_montgomery")
    return MultiplierBus(ProductDescription(entry, 8, 32, {}, 8), 8)


def edges(host: Host, program: Program, words: np.ndarray) -> list[tuple[int, int, list[int]]]:
    found = host.predict(program, words).edges
    return [
        (int(cycle), int(pin), np.flatnonzero(found.masks[mask]).tolist())
        for cycle, pin, mask in found.table
    ]


def test_lanes_with_other_outcomes_part() -> None:
    """Lane 1 has an even modulus, so its status, duration and result differ from the others."""
    planned = Planner(model(), 2).plan(Operation({0: [3, 3], 1: [5, 5], 2: [0x81, 0x82]}))
    (phase,) = planned.phases
    status = planned.prediction.answers[phase.status, 0]
    assert status.tolist() == [2, 5]
    (result,) = planned.prediction.answers[phase.results[0], 0]
    assert result[0] == 3 * 5 * pow(2, -8, 0x81) % 0x81
    assert result[1] == 5  # NoResult
    assert [place.word for place in planned.prediction.results] == [0]


def test_pins_of_a_program() -> None:
    """The program reads the status, writes an unknown command and ends with a reset."""
    program = Program()
    program.reset(1)
    program.wait(1)
    program.read(3)
    row = program.write(3)
    program.reset(1)
    words = np.full((1, 1, 2), 99, np.uint32)
    found = edges(Host(model(), 2), program, words)
    ack, err, both = 0, 1, [0, 1]
    assert row == 0
    assert found == [
        (3, ack, both),
        (4, ack, both),
        (5, ack, both),
        (5, err, both),
        (6, ack, both),
        (6, err, both),
    ]
