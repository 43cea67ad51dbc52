"""Command ``prove``: prove whole products of a core, for all operands, at the shipped width."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from regress.cli.options import Call
from regress.core.errors import UsageError
from regress.core.processes import ProcessGroups
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, integer
from verif.bench.configuration.design import MAX_WIDTH, ROOT
from verif.formal.theorems.configuration import THEORIES, Configuration, configuration
from verif.formal.theorems.coq import INSTALL, Coq, coq_version
from verif.formal.theorems.joints import NAMES
from verif.formal.theorems.lemmas import PROPERTY, lemma_names
from verif.formal.theorems.prove import CHECKED, PROVED, REJECTED, Outcome, Prover

FOLDER = ROOT / "build" / "proof"
RESULTS_FILE = "results.json"
WIDTHS = (8, 65, 1024)
TIMEOUT = 3600.0
WEAKER = "truth tables are weaker than the proof: they compare each register, no theorem is checked"


def add_prove(commands: Any, _: Project) -> None:
    """Add the command ``prove``."""
    parser = commands.add_parser(
        "prove", help="prove whole products of a core at a width, for all operands"
    )
    add = parser.add_argument
    add("--arch", type=_names, action="extend", default=[], metavar="NAME,…",
        help=f"architectures (default: {', '.join(THEORIES)})")  # fmt: skip
    add("--width", type=_widths, action="extend", default=[], metavar="N,…",
        help=f"operand widths n (default: {', '.join(map(str, WIDTHS))})")  # fmt: skip
    add("--parameter", type=_parameter, action="append", default=[], metavar="NAME=VALUE",
        help="AddWidth or SegmentWidth (repeatable; default: those of the design)")  # fmt: skip
    add("--fast", action="store_true", help=f"no Coq, truth tables alone; {WEAKER}")
    add("--hdl", type=Path, metavar="FOLDER", help="prove this design instead of hdl/")
    add("--jobs", type=lambda text: integer(text, 1, 64), default=1, metavar="N",
        help="configurations at a time (default: 1)")  # fmt: skip
    add("--out", type=Path, default=FOLDER, metavar="FOLDER",
        help="for netlists, terms, logs, results (default: build/proof)")  # fmt: skip
    parser.set_defaults(run=run)


def run(call: Call) -> int:
    """Prove configurations; return the exit code.

    Raises:
        UsageError: an architecture has no theory, or a width or parameter is illegal.
    """
    if call.hdl and not next(call.hdl.rglob("*.sv"), None):
        raise UsageError(f"{call.hdl}: no folder with SystemVerilog files")
    chosen = [
        configuration(name, width, dict(call.parameter), call.hdl)
        for name in call.arch or THEORIES
        for width in call.width or WIDTHS
    ]
    groups = ProcessGroups()
    coq = None
    if not call.fast and coq_version():
        coq = Coq(call.out.resolve(), groups, TIMEOUT)
        _show_theories(call.console, coq)
    elif not call.fast:
        _say(call.console, f"{INSTALL}; {WEAKER}")
    outcomes = _prove(
        chosen, Prover(call.out.resolve(), groups, coq), call.jobs, groups, call.console
    )
    _show(call.console, outcomes)
    if coq:
        _show_assumed(call.console)
    results = call.out / RESULTS_FILE
    results.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1) + "\n")
    _say(call.console, f"results: {results}")
    return FAILED if any(outcome.verdict == REJECTED for outcome in outcomes) else PASSED


def _prove(
    chosen: list[Configuration], prover: Prover, jobs: int, groups: ProcessGroups, console: Console
) -> list[Outcome]:
    def prove(configuration: Configuration) -> Outcome:
        outcome = prover.prove(configuration)
        _say(console, f"{outcome.name}: {outcome.verdict}")
        for line in outcome.why:
            _say(console, f"  {line}")
        return outcome

    with ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(prove, chosen))
        except BaseException:
            groups.cancel()
            pool.shutdown(cancel_futures=True)
            raise


def _show_theories(console: Console, coq: Coq) -> None:
    begin = time.monotonic()
    seconds = coq.theories()
    if seconds:
        names = ", ".join(f"{name} {value:.1f}" for name, value in seconds.items())
        _say(console, f"theories, for every width, in {time.monotonic() - begin:.0f} s: {names}")
    else:
        _say(console, "theories, for every width: proved before, kept")


def _show(console: Console, outcomes: list[Outcome]) -> None:
    table = Table()
    steps = ("elaborate", "truth tables", "Coq")
    for heading in ("configuration", "registers", "gates", *(f"{step}, s" for step in steps)):
        table.add_column(heading)
    table.add_column("lemmas of the unit, s")
    table.add_column("verdict")
    for outcome in outcomes:
        seconds = [
            f"{outcome.seconds[step]:.1f}" if step in outcome.seconds else "" for step in steps
        ]
        beside = [outcome.seconds[name] for name in NAMES if name in outcome.seconds]
        seconds.append(f"{sum(beside):.1f}" if beside else "")
        verdict = f"{outcome.verdict} (kept)" if outcome.kept else outcome.verdict
        table.add_row(outcome.name, str(outcome.registers), str(outcome.gates), *seconds, verdict)
    console.print(table)
    count = dict.fromkeys((PROVED, CHECKED, REJECTED), 0)
    for outcome in outcomes:
        count[outcome.verdict] += 1
    _say(console, ", ".join(f"{number} {verdict}" for verdict, number in count.items() if number))


def _show_assumed(console: Console) -> None:
    names = lemma_names(PROPERTY)
    _say(
        console,
        f"assumed by the theorem of a unit: ports of the core, and {len(names)} lemmas that Yices "
        f"proves of {PROPERTY.name}: {', '.join(names)}",
    )


def _say(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True, markup=False)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _widths(text: str) -> list[int]:
    return [integer(item.strip(), 2, MAX_WIDTH) for item in text.split(",")]


def _parameter(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    if not equals or not value.isdigit():
        raise UsageError(
            f"--parameter {text!r} is not accepted; accepted: NAME=VALUE, VALUE a number"
        )
    return name, int(value)
