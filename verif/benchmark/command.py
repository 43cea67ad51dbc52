"""``python -m regress bench``: checked operations per second at 1024 bits.

environment  the pyuvm environment as the lists run it (transactor, scoreboard, coverage)
polling      cocotb's default build, every cycle polled from Python, P checked with gmpy2's value
harness      bare C++ around the same RTL (-O3 -march=native), the result compared

All make the same bus transfers for each operation and run in turn, ``--rounds`` times; ratios are
taken round by round, so a drift of the machine's speed falls out. First products of every
multiplier, then full-length exponentiations of the fastest core.

``--lanes`` measures the lane engine of ``verif/library/lanes`` beside the harness, at small widths.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.table import Table

from models.exponentiation_core import exponentiation
from models.registry import architecture, hardware_architectures
from regress.cli.options import Call
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED
from verif.bench.configuration.design import MAX_PARAMETER, SEGMENT, DesignError
from verif.benchmark.benches import (
    Measured,
    Run,
    prepare_environment,
    prepare_harness,
    prepare_polling,
)
from verif.benchmark.lanes import AIM, lane_benchmark, lane_markdown
from verif.benchmark.workload import Exponentiations, Products, Workload
from verif.library.marked import marked_table, write_table
from verif.library.netlist.process import ToolError

# Least ratios of the environment's rate to the rates of the other benches; largest ratio of times.
BEGIN = "<!-- table: speed -->"
LANES = "<!-- table: lanes -->"
RATE_AIMS = {"polling": 10.0, "harness": 0.5}
TIME_AIM = 1.15
POLLED_SHARE = 100
# Ratios on one machine differ by a tenth between days. A mistake in the environment costs more:
# with one call of the model for each product instead of each batch, 0.57 becomes 0.33.
LEAST_SHARE = 0.75


class Benchmark:
    """Measures one workload after the other.

    Args:
        width: operand bits.
        rounds: runs of each test bench.
        segment: positions of a wide register that share a copy, see ``multiplier_pkg.sv``.
        console: shows the progress.
    """

    def __init__(self, width: int, rounds: int, segment: int, console: Console) -> None:
        self._width = width
        self._parameters = {SEGMENT: segment}
        self._rounds = rounds
        self._console = console

    def rates(
        self, workload: Workload, name: str, operations: int, *, polling: bool
    ) -> dict[str, list[float]]:
        """Operations per second of each test bench, one value a round."""
        entry = architecture(name)
        with tempfile.TemporaryDirectory(prefix="benchmark-") as temporary:
            folder = Path(temporary)
            many = workload.write(entry, self._width, operations, folder / "many")
            few = workload.write(
                entry, self._width, max(4, operations // POLLED_SHARE), folder / "few"
            )
            benches: dict[str, Run] = {}
            for bench in ("environment", *(["polling"] if polling else []), "harness"):
                self._say(f"building {bench} for {workload.design.name} with {name}")
                (folder / bench).mkdir()
                measured = Measured(workload, entry, self._width, self._parameters)
                if bench == "environment":
                    benches[bench] = prepare_environment(measured, operations, folder / bench)
                elif bench == "polling":
                    benches[bench] = prepare_polling(measured, few, folder / bench)
                else:
                    benches[bench] = prepare_harness(measured, many, folder / bench)
            rates: dict[str, list[float]] = {bench: [] for bench in benches}
            for index in range(self._rounds):
                for bench, run in benches.items():
                    rates[bench].append(run())
                self._say(f"round {index + 1} of {self._rounds} done")
        return rates

    def products(self, names: list[str], count: int) -> dict[str, object]:
        """Products of every architecture, against polling and harness; prints a table."""
        table = _table(
            f"checked products per second, {self._width} bits",
            *("environment", "polling", "harness", "/ polling", "/ harness"),
        )
        figures: dict[str, object] = {}
        for name in names:
            rates = self.rates(Products(), name, count, polling=True)
            ratios = {bench: _ratio(rates["environment"], rates[bench]) for bench in RATE_AIMS}
            table.add_row(
                name,
                *(f"{statistics.median(values):.1f}" for values in rates.values()),
                *(f"{ratio:.2f}" for ratio in ratios.values()),
            )
            figures[name] = {"rates": rates, "ratios": ratios}
        self._console.print(table)
        aims = ", ".join(f"{value:g} x {bench}" for bench, value in RATE_AIMS.items())
        self._console.print(f"median of {self._rounds} rounds; aims: {aims}")
        return figures

    def exponentiations(self, names: list[str], count: int) -> dict[str, object]:
        """Exponentiations against the harness; prints a table."""
        table = _table(
            f"seconds for a checked exponentiation, {self._width} bits",
            *("environment", "harness", "/ harness"),
        )
        figures: dict[str, object] = {}
        for name in names:
            rates = self.rates(Exponentiations(), name, count, polling=False)
            ratio = _ratio(rates["harness"], rates["environment"])
            table.add_row(
                name,
                *(f"{1 / statistics.median(values):.3f}" for values in rates.values()),
                f"{ratio:.3f}",
            )
            figures[name] = {"rates": rates, "time_ratio": ratio}
        self._console.print(table)
        self._console.print(f"median of {self._rounds} rounds; aim: at most {TIME_AIM} x harness")
        return figures

    def _say(self, text: str) -> None:
        self._console.print(f"benchmark: {text}", highlight=False)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    table.add_column("architecture")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _ratio(first: list[float], second: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(first, second, strict=True))


def markdown(products: Mapping[str, Any], width: int, rounds: int, argv: Sequence[str]) -> str:
    """The figures of products as the table of a page.

    Args:
        products: as :meth:`Benchmark.products` returned them.
        width: operand bits.
        rounds: runs of each test bench.
        argv: the command that measured them, without the program.
    """
    rows = [
        "| Architecture | environment | polling | harness | / polling | / harness |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, found in products.items():
        rates = (f"{statistics.median(values):.1f}" for values in found["rates"].values())
        ratios = (f"{ratio:.2f}" for ratio in found["ratios"].values())
        rows.append(f"| `{name}` | {' | '.join([*rates, *ratios])} |")
    made = f"`{shlex.join(['python', '-m', 'regress', *argv])}`, {date.today()}"
    what = f"Checked products per second, {width} bits, medians of {rounds} rounds"
    cores = len(os.sched_getaffinity(0))
    return "\n".join([*rows, "", f"{what}: {made}, {cores} cores."]) + "\n"


def published_ratios(page: Path) -> dict[str, float]:
    """Return the rate of the environment divided by that of the harness, by architecture.

    Raises:
        UsageError: the page cannot be read, or has no such table.
    """
    ratios = re.findall(r"^\| `(\w+)` \|.* ([\d.]+) \|$", marked_table(page, BEGIN), re.MULTILINE)
    if not ratios:
        raise UsageError(f"{page}: the table after {BEGIN!r} has no architecture")
    return {name: float(ratio) for name, ratio in ratios}


def slower(products: Mapping[str, Any], published: Mapping[str, float]) -> list[str]:
    """A line for each architecture whose environment has become slower beside its harness."""
    return [
        f"{name}: {ratio:.2f} of the harness, {published[name]:.2f} on the page"
        for name, found in products.items()
        if (ratio := found["ratios"]["harness"]) < LEAST_SHARE * published[name]
    ]


def _fastest(names: list[str], width: int) -> str:
    """The architecture whose full-length exponentiation takes the fewest cycles."""
    modulus = (1 << width) - 1
    return min(
        names,
        key=lambda name: exponentiation(architecture(name), width).operation_cycles(modulus, width),
    )


def add_parser(commands: Any, project: Project) -> None:
    """Mount the command ``bench``."""
    parser = commands.add_parser("bench", help="measure checked operations per second")
    known = list(hardware_architectures())
    parser.add_argument("--arch", choices=known, action="append", help="repeatable (all)")
    parser.add_argument("--width", type=int, default=1024, help="operand bits (1024)")
    parser.add_argument("--products", type=int, default=4096, help="products a run, or 0 (4096)")
    parser.add_argument(
        "--exponentiations", type=int, default=4, help="exponentiations a run, or 0 (4)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="runs of each test bench (3)")
    parser.add_argument(
        "--segment-width",
        type=int,
        default=MAX_PARAMETER,
        help=f"positions of a wide register that share a copy ({MAX_PARAMETER}: all)",
    )
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="PAGE",
        help=f"put the products after {BEGIN!r} in this page; those of --lanes after {LANES!r}",
    )
    parser.add_argument(
        "--check",
        type=Path,
        metavar="PAGE",
        help=f"exit code 1 if the environment is below {LEAST_SHARE} of the page's ratio to the "
        "harness",
    )
    parser.add_argument(
        "--lanes",
        type=int,
        nargs="*",
        metavar="WIDTH",
        help="the lane engine beside the harness instead, at these or its usual widths",
    )
    parser.set_defaults(run=_run)


def _run(call: Call) -> int:
    """Measure, print tables and the ratios; exit code 1 if ``--check`` finds one too low."""
    if call.lanes is not None:
        return _lanes(call)
    names = call.arch or list(hardware_architectures())
    published = {}
    if call.write:
        marked_table(call.write, BEGIN)  # before hours of measuring
    if call.check:
        published = published_ratios(call.check)
    if call.check and not call.products:
        raise UsageError("--check compares products: --products must not be 0")
    if call.check and (missing := sorted(set(names) - set(published))):
        raise UsageError(
            f"{call.check}: no ratio of {', '.join(missing)} to check; it has "
            f"{', '.join(published)}"
        )
    console = call.console
    benchmark = Benchmark(call.width, call.rounds, call.segment_width, console)
    begin = time.monotonic()
    figures: dict[str, object] = {}
    if call.products:
        figures["products"] = benchmark.products(names, call.products)
    if call.exponentiations:
        # The other benches would show the same about the environment in five times the time.
        chosen = [_fastest(names, call.width)]
        figures["exponentiations"] = benchmark.exponentiations(chosen, call.exponentiations)
    console.print(f"{time.monotonic() - begin:.0f} s in all")
    if call.write and call.products:
        table = markdown(cast(Any, figures["products"]), call.width, call.rounds, call.argv)
        write_table(call.write, table, BEGIN)
    if call.json:
        call.json.write_text(json.dumps(figures, indent=1) + "\n")
    found = slower(cast(Any, figures.get("products", {})), published) if published else []
    for line in found:
        console.print(f"benchmark: FAILED: {line}", highlight=False)
    return FAILED if found else PASSED


def _lanes(call: Call) -> int:
    """Exit code 1 if the engine is below its aim somewhere."""
    if call.check:
        raise UsageError("--lanes: accepted with --arch, --rounds, --write and --json only")
    if call.write:
        marked_table(call.write, LANES)  # before minutes of measuring
    found = []
    try:
        for name in call.arch or [None]:
            found += lane_benchmark(name, call.lanes, call.rounds, call.console)
    except (DesignError, ToolError) as error:
        raise UsageError(str(error)) from None
    if call.json:
        figures = [asdict(each) | {"ratio": each.ratio} for each in found]
        call.json.write_text(json.dumps(figures, indent=1) + "\n")
    if call.write:
        write_table(call.write, lane_markdown(found, call.rounds, call.argv), LANES)
    slow = [each for each in found if each.ratio < AIM]
    for each in slow:
        call.console.print(
            f"benchmark: FAILED: lanes of {each.design} {each.architecture} at {each.width} bits: "
            f"{each.ratio:.1f} x harness",
            highlight=False,
        )
    return FAILED if slow else PASSED
