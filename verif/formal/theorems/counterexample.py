"""Find operands for which a rejected core is wrong: simulate its netlist, many products at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
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


@dataclass(frozen=True)
class Products:
    """Operands and results of a kind of core.

    Attributes:
        odd: M must be odd.
        downwards: the bits of X come from the highest one down.
        constants: constants of the core, the first one lowest, each Width + 1 bits.
        problem: returns the error of S + C; empty if S + C is right. Arguments: S + C, X, Y, M,
            Width.
    """

    odd: bool
    downwards: bool
    constants: Callable[[int, int, int], Sequence[int]]
    problem: Callable[[int, int, int, int, int], str]


def _montgomery(total: int, x: int, y: int, m: int, width: int) -> str:
    if total < 2 * m and not ((total << width) - x * y) % m:
        return ""
    product = x * y * pow(1 << width, -1, m) % m
    return f"S + C = {total:#x}; it must be {product:#x} modulo M, below 2*M"


def _interleaved(total: int, x: int, y: int, m: int, width: int) -> str:
    if total < 5 << width and not (total - x * y) % m:
        return ""
    return f"S + C = {total:#x}; it must be {x * y % m:#x} modulo M, below 5*2**{width}"


def _entries(y: int, m: int, width: int) -> list[int]:
    """Return entries 2, 4, 6, 3, 5, 7 of the table."""
    return [((k << (width + 1)) + odd * y) % m for odd in (0, 1) for k in (1, 2, 3)]


MONTGOMERY = Products(True, False, lambda y, m, width: [y + m], _montgomery)
INTERLEAVED = Products(False, True, _entries, _interleaved)


def counterexample(
    core: Labelled, shape: Shape, cycles: int, products: Products = MONTGOMERY
) -> Counterexample | None:
    """Return a wrong product; None if random operands give no wrong product in time.

    Args:
        core: the netlist.
        shape: its parameters.
        cycles: cycles from the start to done.
        products: operands and results of the core.

    Every product starts directly after a reset; X and Y are below M, and M has its top bit set.
    """
    width = shape.width
    if (cycles + 2) * len(core.netlist.gates) > MAX_EVALUATIONS:
        return None
    generator = random.Random(width)
    top = 1 << (width - 1)
    operands = []
    for _ in range(LANES):
        m = generator.randrange(top + 1, 2 * top, 1 + products.odd)
        operands.append((generator.randrange(m), generator.randrange(m), m))
    simulated = _simulate(core, operands, shape, cycles, products)
    return _first_wrong(simulated, operands, shape, cycles, products)


def _first_wrong(
    simulated: Iterator[Mapping[Label, int]],
    operands: list[tuple[int, int, int]],
    shape: Shape,
    cycles: int,
    products: Products,
) -> Counterexample | None:
    """Return the first wrong product in the first cycle that has one."""
    width = shape.width
    takes = -(-width // shape.unfolding)
    for cycle, values in enumerate(simulated):
        expected = {"Next": cycle < takes, "Done": cycle == cycles, "Busy": cycle > 0}
        for lane, (x, y, m) in enumerate(operands):
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
                if problem := products.problem(total, x, y, m, width):
                    return Counterexample(x, y, m, problem)
    return None


def _simulate(
    core: Labelled,
    operands: list[tuple[int, int, int]],
    shape: Shape,
    cycles: int,
    products: Products,
) -> Iterator[Mapping[Label, int]]:
    """Yield the outputs of each cycle from start to done; the first is the cycle after reset."""
    width = shape.width
    ones = (1 << len(operands)) - 1

    def vector(numbers: Sequence[int], bit: int) -> int:
        return sum((number >> bit & 1) << lane for lane, number in enumerate(numbers))

    xs, ys, ms = map(list, zip(*operands, strict=True))
    steady = {Label("Y", bit): vector(ys, bit) for bit in range(width)}
    steady |= {Label("M", bit): vector(ms, bit) for bit in range(width)}
    constants = [products.constants(y, m, width) for y, m in zip(ys, ms, strict=True)]
    for slot, numbers in enumerate(zip(*constants, strict=True)):
        first = slot * (width + 1)
        steady |= {Label("Constant", first + bit): vector(numbers, bit) for bit in range(width + 1)}
    held = {label: 0 for label, _ in core.registers}
    for cycle in range(cycles + 1):
        bits = [cycle * shape.unfolding + j for j in range(shape.unfolding)]
        if products.downwards:
            bits = [max(0, width - 1 - bit) for bit in bits]
        inputs = {
            **steady,
            **held,
            **{Label("X", j): vector(xs, bit) for j, bit in enumerate(bits)},
            Label("Start", 0): ones if cycle == 0 else 0,
        }
        wires = {FALSE: 0, TRUE: ones}
        wires |= {wire: inputs.get(label, 0) for wire, label in core.sources}
        for gate in core.netlist.gates:
            wires[gate.output] = evaluate(gate, [wires[pin] for pin in gate.inputs], ones)
        yield {label: wires[wire] for label, wire in core.outputs}
        held = {label: wires[wire] for label, wire in core.registers}
