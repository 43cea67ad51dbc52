"""Compares every register and pin of a design, cycle by cycle, with other simulators."""

from __future__ import annotations

import platform
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.registry import architecture
from verif.bench.configuration.design import DESIGNS
from verif.library.lanes import build
from verif.library.lanes.bench import LaneBench, Operation, Planned, Planner
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.generate import Generator
from verif.library.lanes.host import differing
from verif.library.lanes.machine import Machine, Observers
from verif.library.lanes.tests.simulated import Bench, Icarus, Reference, Verilator

pytestmark = pytest.mark.simulation
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


def run(machine: Machine, planned: Planned, seen: Observers | None = None) -> Any:
    """Run a program, with words of each lane or the same in all; return the lanes that differ."""
    words = planned.words[:, :, np.newaxis]
    words = np.broadcast_to(words, (*words.shape[:-1], machine.lanes))
    prepared = machine.prepare(planned.program, planned.prediction.edges)
    ran = machine.run(prepared, words, observers=seen)
    answers = planned.prediction.answers[:, :, np.newaxis]
    return differing(ran, answers)[0]


def bench_of(design: str, name: str) -> LaneBench:
    return LaneBench.build(DESIGNS[design], architecture(name), WIDTH, {"BusWidth": 8})


@dataclass(frozen=True)
class Bit:
    """A flip-flop or an output pin in the dump of a simulator."""

    name: str
    bit: int

    def of(self, values: Mapping[str, str]) -> str:
        """Return its value: 0, 1, x or z."""
        return values[self.name][-1 - self.bit]


def bits_of(machine: Machine) -> list[Bit]:
    """Return the flip-flops, then the output pins."""
    registers = [Bit(register.name, register.bit) for register in machine.registers]
    return [*registers, *(Bit(*output) for output in machine.outputs)]


def begin(machine: Machine, values: Mapping[str, str]) -> None:
    """Give flip-flops the values of a simulator; unknown ones are random in each lane."""
    machine.randomise(np.random.default_rng(1))
    state = machine.state
    for index, bit in enumerate(bits_of(machine)[: len(machine.registers)]):
        if (value := bit.of(values)) in "01":
            state[index] = np.iinfo(np.uint64).max if value == "1" else 0
    machine.state = state


def first_difference(
    reference: Reference, bench: LaneBench, folder: Path
) -> tuple[str, NDArray[np.int64]]:
    """Compare every flip-flop and pin in all lanes with a simulator, in each cycle.

    Returns:
        the first bit that differs and its cycle, empty if none does; and the number of cycles in
        which the simulator knows each bit.
    """
    machine, operations = bench.machine, plan(bench, 1, seed=1)
    memories = sorted({r.name for r in machine.registers if MEMORY_WORD.search(r.name)})
    programs = [(each.program, each.words[:, 0, 0].tolist()) for each in operations]
    states = list(reference.states(Bench(bench.recipe, programs, memories), folder))
    begin(machine, states[0])
    found = []
    for each in operations:
        cycles = each.program.cycles
        seen = Observers(trace=machine.trace_of(1, cycles), outputs=machine.outputs_of(1, cycles))
        run(machine, each, seen)
        found.append(np.concatenate([seen.trace[0], seen.outputs[0]], axis=1))
    lanes = np.concatenate(found)
    # Whether a bit is 0 in all lanes, and whether it is 1, by cycle and bit.
    low, high = ((each == 0).all(axis=2).tolist() for each in (lanes, ~lanes))
    bits = bits_of(machine)
    known = np.zeros(len(bits), np.int64)
    for cycle, (values, *agrees) in enumerate(zip(states, low, high, strict=True)):
        for index, bit in enumerate(bits):
            if (value := bit.of(values)) in "01":
                known[index] += 1
                if cycle >= reference.first and not agrees[int(value)][index]:
                    return f"{bit.name}[{bit.bit}] in cycle {cycle}", known
    return "", known


DESIGNS_COMPARED = (
    ("multiplier", "faster_montgomery"),
    ("multiplier", "mwr2mm"),
    ("exponentiation", "mwrkmm"),
)


@pytest.mark.parametrize(
    ("reference", "design", "name"),
    [
        *(
            pytest.param(Icarus(), *design, id=f"icarus-{'-'.join(design)}")
            for design in DESIGNS_COMPARED
        ),
        # Verilator builds a model of each netlist: `make test` has one of them.
        *(
            pytest.param(
                Verilator(),
                *design,
                id=f"verilator-{'-'.join(design)}",
                marks=[pytest.mark.campaign] if design[1] != "mwr2mm" else [],
            )
            for design in DESIGNS_COMPARED
        ),
    ],
)
def test_every_register_and_pin_is_as_simulated(
    tmp_path: Path, reference: Reference, design: str, name: str
) -> None:
    """In all lanes, and for any initial value of registers without a reset."""
    bench = bench_of(design, name)
    differs, known = first_difference(reference, bench, tmp_path)
    assert not differs
    cycles = sum(each.program.cycles for each in plan(bench, 1, seed=1))
    # Every bit is known from some cycle on, most of them from the reset on.
    assert known.all()
    assert known.sum() > reference.known * cycles * len(known)


def test_a_netlist_with_another_flip_flop_is_not_as_simulated(tmp_path: Path) -> None:
    """A register bit that takes the value of its neighbour differs from Icarus."""
    bench = bench_of("multiplier", "mwr2mm")
    builder = LaneBuilder.of_project()
    netlist = builder.netlist(bench.recipe)
    registers = list(netlist.registers)
    names = [register.label for register in registers]
    (index,) = (
        i
        for i, name in enumerate(names)
        if name.endswith("gen_element[0].gen_mwr2mm.u_element.s_q[1]")
    )
    registers[index] = replace(registers[index], d=registers[index - 1].d)
    mutant = replace(netlist, registers=registers)
    changed = replace(bench, machine=Machine(builder.library(bench.recipe, mutant), mutant))
    differs, _ = first_difference(Icarus(), changed, tmp_path)
    assert differs.startswith(names[index])


@pytest.mark.parametrize("design", ["multiplier", "exponentiation"])
def test_every_lane_has_operands_and_an_outcome_of_its_own(design: str) -> None:
    bench = bench_of(design, "mwrkmm")
    bench.machine.randomise(np.random.default_rng(2))
    for each in plan(bench, bench.machine.lanes, seed=2, count=3):
        assert not run(bench.machine, each).any()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names processors of that kind")
@pytest.mark.parametrize(("processor", "lanes"), [("x86-64", 128), ("x86-64-v3", 256)])
def test_every_number_of_lanes_is_right(processor: str, lanes: int) -> None:
    """Also without the instruction for any function of three words, and with fewer lanes."""
    bench = bench_of("multiplier", "faster_montgomery")
    machine = Machine.of(bench.recipe, LaneBuilder.of_project(processor))
    assert machine.lanes == lanes
    machine.randomise(np.random.default_rng(4))
    for each in plan(bench, lanes, seed=4):
        assert not run(machine, each).any()


def test_a_wrong_netlist_differs() -> None:
    """A single wrong bit in a lookup table is detected in some lane."""
    bench = bench_of("multiplier", "mwrkmm")
    builder = LaneBuilder.of_project()
    netlist = builder.netlist(bench.recipe)

    def differs(index: int) -> bool:
        luts = list(netlist.luts)
        luts[index] = replace(luts[index], table=luts[index].table ^ 1)
        mutant = replace(netlist, luts=luts)
        machine = Machine(builder.library(bench.recipe, mutant), mutant)
        return any(run(machine, each).any() for each in plan(bench, machine.lanes, 3))

    # Some bits belong to entries that nothing reads.
    assert any(map(differs, random.Random(1).sample(range(len(netlist.luts)), 3)))


def test_sections_that_nothing_wakes_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """A register that changes must wake the sections that read it."""

    class Asleep(Generator):
        """Writes the first section as the only reader of every register."""

        def source(self) -> str:
            def first(found: re.Match[str]) -> str:
                return re.sub(r"\d+", "0", found[0])

            return re.sub(r"kReader\[\] = .*", first, super().source())

    bench = bench_of("multiplier", "mwr2mm")
    builder = LaneBuilder.of_project()
    netlist = builder.netlist(bench.recipe)
    monkeypatch.setattr(build, "Generator", Asleep)
    machine = Machine(builder.library(bench.recipe, netlist), netlist)
    assert any(run(machine, each).any() for each in plan(bench, machine.lanes, 3))
