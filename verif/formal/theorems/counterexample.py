"""Find operands for which a rejected core is wrong: simulate its netlist, many products at once."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from verif.formal.theorems.labels import Label, Labelled
from verif.formal.theorems.machine import Shape
from verif.formal.theorems.netlist import FALSE, TRUE
from verif.formal.theorems.truth import evaluate

# Number of parallel products; each is one bit of an integer.
LANES = 64
# A simulated cycle evaluates each gate once in Python; this many evaluations take about 10 seconds.
MAX_EVALUATIONS = 40_000_000


@dataclass(frozen=True)
class Counterexample:
    """A wrong product.

    Attributes:
        x, y, m: operands.
        problem: what is wrong with the product.
    """

    x: int
    y: int
    m: int
    problem: str

    def __str__(self) -> str:
        return f"X = {self.x:#x}, Y = {self.y:#x}, M = {self.m:#x}: {self.problem}"


def counterexample(core: Labelled, shape: Shape, cycles: int) -> Counterexample | None:
    """Return a wrong product; None if random operands give no wrong product in time.

    Args:
        core: the netlist.
        shape: its parameters.
        cycles: cycles from the start to done.

    Every product starts directly after a reset; Y is below M, and M is odd with its top bit set.
    """
    width = shape.width
    if (cycles + 2) * len(core.netlist.gates) > MAX_EVALUATIONS:
        return None
    generator = random.Random(width)
    top = 1 << (width - 1)
    products = []
    for _ in range(LANES):
        m = generator.randrange(top + 1, 2 * top, 2)
        products.append((generator.randrange(m), generator.randrange(m), m))
    return _first_wrong(_simulate(core, products, shape, cycles), products, shape, cycles)


def _first_wrong(
    simulated: Iterator[Mapping[Label, int]],
    products: list[tuple[int, int, int]],
    shape: Shape,
    cycles: int,
) -> Counterexample | None:
    """Return the first wrong product in the first cycle that has one."""
    width = shape.width
    takes = -(-width // shape.unfolding)
    for cycle, values in enumerate(simulated):
        expected = {"Next": cycle < takes, "Done": cycle == cycles, "Busy": cycle > 0}
        for lane, (x, y, m) in enumerate(products):
            for signal, value in expected.items():
                if values[Label(signal, 0)] >> lane & 1 != value:
                    problem = f"{signal} is {int(not value)} in cycle {cycle} after the start"
                    return Counterexample(x, y, m, problem)
            if cycle == cycles:
                total = sum(
                    (values[Label(signal, bit)] >> lane & 1) << bit
                    for signal in ("OutS", "OutC")
                    for bit in range(width + shape.guard)
                )
                if total >= 2 * m or ((total << width) - x * y) % m:
                    product = x * y * pow(1 << width, -1, m) % m
                    problem = f"S + C = {total:#x}; it must be {product:#x} modulo M, below 2*M"
                    return Counterexample(x, y, m, problem)
    return None


def _simulate(
    core: Labelled, products: list[tuple[int, int, int]], shape: Shape, cycles: int
) -> Iterator[Mapping[Label, int]]:
    """Yield the outputs of each cycle from start to done; the first is the cycle after reset."""
    width = shape.width
    ones = (1 << len(products)) - 1

    def vector(numbers: list[int], bit: int) -> int:
        return sum((number >> bit & 1) << lane for lane, number in enumerate(numbers))

    xs, ys, ms = map(list, zip(*products, strict=True))
    steady = {Label("Y", bit): vector(ys, bit) for bit in range(width)}
    steady |= {Label("M", bit): vector(ms, bit) for bit in range(width)}
    sums = [y + m for y, m in zip(ys, ms, strict=True)]
    steady |= {Label("Constant", bit): vector(sums, bit) for bit in range(width + 1)}
    held = {label: 0 for label, _ in core.registers}
    for cycle in range(cycles + 1):
        inputs = {
            **steady,
            **held,
            **{
                Label("X", j): vector(xs, cycle * shape.unfolding + j)
                for j in range(shape.unfolding)
            },
            Label("Start", 0): ones if cycle == 0 else 0,
        }
        wires = {FALSE: 0, TRUE: ones}
        wires |= {wire: inputs.get(label, 0) for wire, label in core.sources}
        for gate in core.netlist.gates:
            wires[gate.output] = evaluate(gate, [wires[pin] for pin in gate.inputs], ones)
        yield {label: wires[wire] for label, wire in core.outputs}
        held = {label: wires[wire] for label, wire in core.registers}
