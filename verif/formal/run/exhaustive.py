"""Run every legal operand triple of a small width on the netlist, to complement the proofs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from models.architecture import Architecture
from models.exhaustive import moduli
from models.words import Column
from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import MULTIPLIER
from verif.library.lanes.bench import LaneBench, Operation
from verif.library.lanes.uniform import DifferenceError, UniformOperations
from verif.library.netlist.process import ToolError

# Batches at a time: their words stay in the processor's cache.
BATCHES = 16
Values = NDArray[np.uint64]


@dataclass(frozen=True)
class Simulation:
    """Result of one architecture.

    Attributes:
        architecture: name of the registry entry.
        width: n.
        operations: number of compared operand triples.
        cycles: cycles of these operations.
        seconds: wall-clock time of the simulation, without the build.
        finding: the difference with its operands; empty without a difference.
    """

    architecture: str
    width: int
    operations: int
    cycles: int
    seconds: float
    finding: str = ""


@dataclass(frozen=True)
class _Block:
    """All pairs of one modulus: operands by address, and results by address."""

    m: int
    binary: bool
    operands: dict[int, Values]
    results: dict[int, Values]


def simulate(
    entry: Architecture,
    width: int,
    hdl: Path | None,
    groups: ProcessGroups,
    parameters: Mapping[str, int] = MappingProxyType({}),
) -> Simulation:
    """Simulate all X, Y < M for every legal M of up to ``width`` bits, and all such polynomials.

    The lane engine compares status, P, S and C of every operation, and every pin in every cycle.

    Args:
        entry: registry entry.
        width: n, at most 8.
        hdl: folder with the design; None: the project's.
        groups: ends the simulation if it is cancelled.
        parameters: parameters of the multiplier and of the core; missing ones take their defaults.
    """
    try:
        bench = LaneBench.build(MULTIPLIER, entry, width, parameters, hdl)
    except ToolError as error:
        return Simulation(entry.name, width, 0, 0, 0.0, str(error))
    return simulate_on(bench, groups)


def simulate_on(bench: LaneBench, groups: ProcessGroups) -> Simulation:
    """Simulate a multiplier as :func:`simulate` does.

    Args:
        bench: the multiplier, of at most 8 bits.
        groups: ends the simulation if it is cancelled.
    """
    entry, width = bench.made.core, bench.width
    bench.machine.randomise(np.random.default_rng(1))
    begin = time.monotonic()
    operations = cycles = 0
    for block in _blocks(entry, width):
        if groups.cancelled:
            return Simulation(entry.name, width, 0, 0, time.monotonic() - begin, "interrupted")
        count = len(block.operands[0])
        finding, length = _run(bench, block)
        if finding:
            return Simulation(entry.name, width, 0, 0, time.monotonic() - begin, finding)
        operations += count
        cycles += count * length
    return Simulation(entry.name, width, operations, cycles, time.monotonic() - begin)


def _run(bench: LaneBench, block: _Block) -> tuple[str, int]:
    """Return the finding of a modulus, and the cycles of an operation on the bus."""
    field = "GF(2^n), " if block.binary else ""
    leader = {address: [int(values[-1])] for address, values in block.operands.items()}
    command = "START_BINARY" if block.binary else "START"
    count = len(block.operands[0])
    # The last batch is filled with the first pairs.
    size = -(-count // bench.machine.lanes) * bench.machine.lanes
    indices = np.resize(np.arange(count), size)
    try:
        uniform = UniformOperations(bench, Operation(leader, command, tuple(block.results)))
    except DifferenceError as error:
        return f"{field}M = {block.m}: {error}", 0
    step = BATCHES * bench.machine.lanes
    for first in range(0, size, step):
        part = indices[first : first + step]
        words = uniform.words({k: values[part] for k, values in block.operands.items()})
        answers = uniform.answers({k: values[part] for k, values in block.results.items()})
        wrong = uniform.run(words, answers).reshape(-1)
        if wrong.any():
            index = part[int(wrong.argmax())]
            x, y = (int(block.operands[address][index]) for address in (0, 1))
            p = int(block.results[0][index])
            return (
                f"{field}X = {x}, Y = {y}, M = {block.m}: an answer is wrong; expected P = {p}"
            ), 0
    return "", uniform.planned.program.cycles


def _blocks(entry: Architecture, width: int) -> Iterator[_Block]:
    places = MULTIPLIER.core_results
    inverse = entry.model.radix(width) if entry.montgomery else 1
    for m in moduli(entry, width):
        x, y = _pairs(m)
        columns = entry.model.columns(x, y, m, width)
        results = {0: x * y * pow(inverse, -1, m) % m}
        results |= dict(zip(places, columns, strict=True))
        yield _block(m, False, x, y, results)
    if entry.binary:
        for m in range(3, 1 << width, 2):
            x, y = _pairs(1 << m.bit_length() - 1)
            values = entry.binary.product(x, y, m, width)
            results = {0: values} | dict(zip(places, (values, np.zeros_like(x)), strict=True))
            yield _block(m, True, x, y, results)


def _pairs(bound: int) -> tuple[Column, Column]:
    """Return all pairs of X and Y below a bound."""
    values = np.arange(bound)
    return np.repeat(values, bound), np.tile(values, bound)


def _block(m: int, binary: bool, x: Column, y: Column, results: Mapping[int, Column]) -> _Block:
    operands = enumerate((x, y, np.full_like(x, m)))
    return _Block(
        m,
        binary,
        {address: values.astype(np.uint64) for address, values in operands},
        {address: values.astype(np.uint64) for address, values in results.items()},
    )
