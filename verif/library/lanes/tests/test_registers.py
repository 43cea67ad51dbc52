"""Compares every register of a design, cycle by cycle, with another simulator."""

from __future__ import annotations

import platform
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.registry import architecture
from verif.bench.configuration.design import DESIGNS
from verif.library.lanes.bench import LaneBench, Operation, Planned, Planner
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.host import differing
from verif.library.lanes.machine import Machine, Observers, unpacked
from verif.library.lanes.tests.icarus import states

pytestmark = [pytest.mark.tools, pytest.mark.simulation]
MEMORY_WORD = re.compile(r"\[\d+\]$")
WIDTH = 8
OPERATIONS = 2


def plan(bench: LaneBench, lanes: int, seed: int, count: int = OPERATIONS) -> list[Planned]:
    """Plan operations with random, mostly legal operands, one after the other."""
    rng = random.Random(seed)
    model = bench.bus_model()
    planner = Planner(model, lanes)
    found = []
    for _ in range(count):
        numbers = [[rng.getrandbits(WIDTH - 1) for _ in range(lanes)] for _ in range(2)]
        moduli = [rng.getrandbits(WIDTH) for _ in range(lanes)]
        legal = [rng.random() < 0.9 or lanes == 1 for _ in range(lanes)]
        top = 1 << WIDTH - 1 | 1
        moduli = [m | top if fits else m for m, fits in zip(moduli, legal, strict=True)]
        operands = dict(enumerate([*numbers, moduli]))
        found.append(planner.plan(Operation(operands, reads=sorted(model.results))))
    return found


def run(machine: Machine, planned: Planned, *, traced: bool) -> tuple[Any, Any]:
    """Return the state of every cycle, [cycles][registers][lanes], and the lanes that differ."""
    trace = machine.trace_of(1, planned.program.cycles) if traced else None
    words = planned.words[:, :, np.newaxis]
    words = np.broadcast_to(words, (*words.shape[:-1], machine.lanes))
    prepared = machine.prepare(planned.program, planned.prediction.edges)
    ran = machine.run(prepared, words, observers=Observers(trace=trace))
    answers = planned.prediction.answers[:, :, np.newaxis]
    return trace, differing(ran, answers)[0]


def bench_of(design: str, name: str) -> LaneBench:
    return LaneBench.build(DESIGNS[design], architecture(name), WIDTH, {"BusWidth": 8})


@pytest.mark.parametrize(
    ("design", "name"),
    [
        ("multiplier", "faster_montgomery"),
        ("multiplier", "mwr2mm"),
        ("exponentiation", "mwrkmm"),
    ],
)
def test_every_register_is_as_icarus_has_it(tmp_path: Path, design: str, name: str) -> None:
    """Known bits are equal in all lanes, for any initial value of registers without a reset."""
    bench = bench_of(design, name)
    machine = bench.machine
    machine.randomise(np.random.default_rng(1))
    operations = plan(bench, 1, seed=1)
    traces, programs = [], []
    for each in operations:
        trace, differs = run(machine, each, traced=True)
        assert not differs.any()
        traces.append(unpacked(trace[0], machine.lanes))
        programs.append((each.program, each.words[:, 0, 0].tolist()))
    found = np.concatenate(traces)
    memories = sorted({r.name for r in machine.registers if MEMORY_WORD.search(r.name)})
    known = np.zeros(len(machine.registers), int)
    for cycle, values in enumerate(states(bench.recipe, programs, memories, tmp_path)):
        for index, register in enumerate(machine.registers):
            bit = values[register.name][-1 - register.bit]
            if bit in "01":
                known[index] += 1
                equal = (found[cycle, index] == (bit == "1")).all()
                assert equal, f"{register.label} in cycle {cycle}"
    # Every register has a known value at the end, most registers already after the reset.
    assert known.all()
    assert known.sum() > 0.8 * len(found) * len(machine.registers)


@pytest.mark.parametrize("design", ["multiplier", "exponentiation"])
def test_every_lane_has_operands_and_an_outcome_of_its_own(design: str) -> None:
    bench = bench_of(design, "mwrkmm")
    bench.machine.randomise(np.random.default_rng(2))
    for each in plan(bench, bench.machine.lanes, seed=2, count=3):
        _, differs = run(bench.machine, each, traced=False)
        assert not differs.any()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names processors of that kind")
@pytest.mark.parametrize(("processor", "lanes"), [("x86-64", 128), ("x86-64-v3", 256)])
def test_every_number_of_lanes_is_right(processor: str, lanes: int) -> None:
    """Also without the instruction for any function of three words, and with fewer lanes."""
    bench = bench_of("multiplier", "faster_montgomery")
    machine = Machine.of(bench.recipe, LaneBuilder.of_project(processor))
    assert machine.lanes == lanes
    machine.randomise(np.random.default_rng(4))
    for each in plan(bench, lanes, seed=4):
        _, differs = run(machine, each, traced=False)
        assert not differs.any()


def test_a_wrong_netlist_differs() -> None:
    """A single wrong bit in a lookup table is detected in some lane."""
    bench = bench_of("multiplier", "mwrkmm")
    builder = LaneBuilder.of_project()
    netlist = builder.netlist(bench.recipe)
    found = []
    for index in random.Random(1).sample(range(len(netlist.luts)), 3):
        luts = list(netlist.luts)
        luts[index] = replace(luts[index], table=luts[index].table ^ 1)
        mutant = replace(netlist, luts=luts)
        machine = Machine(builder.library(bench.recipe, mutant), mutant)
        found += [
            run(machine, each, traced=False)[1].any() for each in plan(bench, machine.lanes, 3)
        ]
    assert any(found)
