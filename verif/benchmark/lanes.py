"""The lane engine beside the bare C++ harness: the same operations, loaded, read and compared.

Rates are operations per second of processor time, so that other work on the machine does not count.
"""

from __future__ import annotations

import resource
import shlex
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rich.console import Console
from rich.table import Table

from models.registry import architecture
from verif.benchmark.benches import Measured, Run, prepare_harness
from verif.benchmark.workload import Exponentiations, Products, Workload
from verif.library.lanes.bench import LaneBench, Operation
from verif.library.lanes.program import packed_numbers
from verif.library.lanes.uniform import UniformOperations

# The engine must be as many times as fast as the harness.
AIM = 30.0
# Default widths: the engine is made for small designs.
WIDTHS = {Products: (8, 16, 32, 64, 128), Exponentiations: (8, 16, 32, 64)}
USUAL = {Products: "faster_montgomery", Exponentiations: "mwrkmm"}
# Batches at a time: their words stay in the processor's cache.
BATCHES = 16
# Cycles of the harness in a round, and of all lanes together.
HARNESS_CYCLES, LANE_CYCLES = 2_000_000, 100_000_000


@dataclass(frozen=True)
class LaneFigures:
    """Checked operations per second, one value for each round.

    Attributes:
        design: multiplier or exponentiation.
        architecture: registry name.
        width: operand width n.
        cycles: cycles of an operation on the bus, transfers included.
        lanes: lanes of the engine.
        harness: rates of one Verilator model in C++.
        engine: rates of the lane engine.
    """

    design: str
    architecture: str
    width: int
    cycles: int
    lanes: int
    harness: Sequence[float]
    engine: Sequence[float]

    @property
    def ratio(self) -> float:
        """Median over the rounds of the engine's rate over the harness's."""
        pairs = zip(self.engine, self.harness, strict=True)
        return statistics.median(engine / harness for engine, harness in pairs)


def measure(
    workload: Workload, name: str, width: int, rounds: int, say: Callable[[str], None]
) -> LaneFigures:
    """Measure one design, the two in turn.

    Raises:
        ToolError: the netlist cannot be made.
        SystemExit: a result is wrong, or the harness does not build.
    """
    measured = Measured(workload, architecture(name), width, {})
    say(f"building lanes of {workload.design.name} with {name}, {width} bits")
    bench = LaneBench.build(workload.design, measured.entry, width, {})
    with tempfile.TemporaryDirectory(prefix="benchmark-") as temporary:
        folder = Path(temporary)
        few = workload.write(measured.entry, width, 1, folder / "one")
        cycles = _uniform(bench, _operations(few)[0]).planned.program.cycles
        lanes = bench.machine.lanes
        batches = max(1, LANE_CYCLES // (cycles * lanes))
        many = workload.write(measured.entry, width, lanes * batches, folder / "lanes")
        fewer = max(2, HARNESS_CYCLES // cycles)
        some = workload.write(measured.entry, width, fewer, folder / "harness-operands")
        say(f"building harness for {workload.design.name} with {name}, {width} bits")
        (folder / "harness").mkdir()
        runs = {
            "harness": _by_processor(prepare_harness(measured, some, folder / "harness"), fewer),
            "engine": prepare_lanes(bench, many),
        }
        rates = {key: [] for key in runs}
        for _ in range(rounds):
            for key, run in runs.items():
                rates[key].append(run())
    return LaneFigures(
        workload.design.name, name, width, cycles, lanes, rates["harness"], rates["engine"]
    )


def prepare_lanes(bench: LaneBench, operands: Path) -> Run:
    """Read operands; returns a function that runs them in all lanes and compares every answer."""
    operations = _operations(operands)
    uniform = _uniform(bench, operations[0])
    columns = list(zip(*operations, strict=True))
    values = {0: columns[3]}
    if places := bench.design.core_results:
        pairs = bench.made.core.model.products(list(zip(*columns[:3], strict=True)), bench.width)
        values |= dict(zip(places, zip(*pairs, strict=True), strict=True))
    loads = {address: packed_numbers(columns[address]) for address in range(3)}
    results = {address: packed_numbers(numbers) for address, numbers in values.items()}
    step = BATCHES * bench.machine.lanes

    def run() -> float:
        begin = time.process_time()
        for start in range(0, len(operations), step):
            part = slice(start, start + step)
            words = uniform.words({address: loads[address][part] for address in loads})
            answers = uniform.answers({address: results[address][part] for address in results})
            if uniform.run(words, answers).any():
                raise SystemExit(f"benchmark: {bench.recipe.top}: a lane is wrong")
        return len(operations) / (time.process_time() - begin)

    return run


def _by_processor(run: Run, operations: int) -> Run:
    """The operations of a child process per second of processor time."""

    def measured() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return operations / seconds

    return measured


def _uniform(bench: LaneBench, operation: Sequence[int]) -> UniformOperations:
    operands = {address: [operation[address]] for address in range(3)}
    reads = (*bench.design.core_results, 0)
    return UniformOperations(bench, Operation(operands, reads=reads))


def _operations(path: Path) -> list[list[int]]:
    return [[int(field, 16) for field in line.split()] for line in path.read_text().splitlines()]


def lane_benchmark(
    name: str | None, widths: Sequence[int] | None, rounds: int, console: Console
) -> list[LaneFigures]:
    """Products and exponentiations at small widths; prints a table.

    Args:
        name: architecture; None: :data:`USUAL`.
        widths: operand bits; None: :data:`WIDTHS`.
        rounds: number of measurements of each design.
        console: shows the progress.
    """

    def say(text: str) -> None:
        console.print(f"benchmark: {text}", highlight=False)

    found = [
        measure(kind(), name or USUAL[kind], width, rounds, say)
        for kind, usual in WIDTHS.items()
        for width in (widths or usual)
    ]
    table = Table(title="checked operations per second of processor time, one thread")
    table.add_column("design")
    for column in ("width", "cycles", "lanes", "lane engine", "harness", "/ harness"):
        table.add_column(column, justify="right")
    for each in found:
        table.add_row(
            f"{each.design} {each.architecture}",
            *(str(number) for number in (each.width, each.cycles, each.lanes)),
            f"{statistics.median(each.engine):,.0f}",
            f"{statistics.median(each.harness):,.0f}",
            f"{each.ratio:.0f}",
        )
    console.print(table)
    console.print(f"median of {rounds} rounds; aim: {AIM:g} x harness")
    return found


def lane_markdown(found: Sequence[LaneFigures], rounds: int, argv: Sequence[str]) -> str:
    """Return the figures as the table of a page.

    Args:
        found: figures of each design and width.
        rounds: number of measurements of each design.
        argv: the command that measured them, without the program.
    """
    rows = [
        "| Design | Width | lane engine | harness | / harness |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for each in found:
        rates = (f"{statistics.median(values):,.0f}" for values in (each.engine, each.harness))
        cells = (f"{each.design} `{each.architecture}`", str(each.width), *rates)
        rows.append(f"| {' | '.join(cells)} | {each.ratio:.0f} |")
    made = f"`{shlex.join(['python', '-m', 'regress', *argv])}`, {date.today()}"
    lanes = ", ".join(map(str, sorted({each.lanes for each in found})))
    what = f"Checked operations per second of processor time, {lanes} lanes, median of {rounds}"
    unit = "round" if rounds == 1 else "rounds"
    return "\n".join([*rows, "", f"{what} {unit}: {made}."]) + "\n"
