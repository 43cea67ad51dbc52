"""Simulate the hardware with every operand triple of a small width, to complement the proofs."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from models.architecture import Architecture
from models.exhaustive import moduli
from regress.core.processes import ProcessGroups
from regress.simulators import BuildOptions
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import MULTIPLIER
from verif.library.harness import build_harness

HARNESS = Path(__file__).with_name("exhaustive_harness.cpp")
TIMEOUT = 3600.0


@dataclass(frozen=True)
class Simulation:
    """Result of one architecture.

    Attributes:
        architecture: name of the registry entry.
        width: n.
        operations: number of compared operand triples.
        cycles: cycles of these operations.
        seconds: wall-clock time of the simulation, without model and compiler.
        finding: the difference with its operands; empty without a difference.
    """

    architecture: str
    width: int
    operations: int
    cycles: int
    seconds: float
    finding: str = ""


def simulate(
    entry: Architecture, width: int, hdl: Path, folder: Path, groups: ProcessGroups
) -> Simulation:
    """Simulate all X, Y < M for every legal M of up to ``width`` bits, and all such polynomials.

    The harness compares P with its own arithmetic, and S and C with the model.

    Args:
        entry: registry entry.
        width: n, at most 8.
        hdl: folder with the design.
        folder: folder for a temporary folder, which exists only during the simulation.
        groups: runs the child process.

    Raises:
        SystemExit: the harness does not compile.
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{entry.name}-", dir=folder) as temporary:
        scratch = Path(temporary).resolve()
        program = build_harness(MULTIPLIER, entry, width, {}, HARNESS, scratch, hdl)
        operands, log = scratch / "operands", scratch / "log"
        write_operands(entry, width, operands, lambda: groups.cancelled)
        radix_bits = entry.model.radix(width).bit_length() - 1
        binary_radix_bits = entry.binary.radix_bits(width) if entry.binary else 0
        ended = groups.run(
            [str(program), str(operands), str(radix_bits), str(binary_radix_bits)],
            cwd=scratch,
            env=Verilator.find().build_environment(BuildOptions()),
            log=log,
            timeout=TIMEOUT,
        )
        output = log.read_text(errors="replace").strip()
    if ended.returncode:
        finding = f"no end after {TIMEOUT:g} s" if ended.timed_out else output or "interrupted"
        return Simulation(entry.name, width, 0, 0, ended.seconds, finding)
    operations, cycles, seconds = output.split()
    return Simulation(entry.name, width, int(operations), int(cycles), float(seconds))


def write_operands(
    entry: Architecture, width: int, file: Path, cancelled: Callable[[], bool]
) -> None:
    """Write moduli and the model's S and C in the harness's layout; stop early if cancelled."""
    with file.open("wb") as output:
        for m in moduli(entry, width):
            if cancelled():
                return
            triples = [(x, y, m) for x in range(m) for y in range(m)]
            words = array("I", (m, 0, m))
            for s, c in entry.model.products(triples, width):
                words.extend((s, c))
            words.tofile(output)
        if entry.binary:
            for m in range(3, 1 << width, 2):
                if cancelled():
                    return
                bound = 1 << m.bit_length() - 1
                words = array("I", (m, 1, bound))
                for x in range(bound):
                    for y in range(bound):
                        words.extend((entry.binary.product(x, y, m, width), 0))
                words.tofile(output)
