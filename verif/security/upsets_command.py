"""The command ``upsets``: one fault in one register, all registers, all cycles."""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import time
from pathlib import Path
from typing import Any

from rich.table import Table

from regress.cli.options import Call, positive
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say
from regress.run.record import command_line
from verif.security.configuration import (
    PAGES,
    add_configuration,
    configuration_id,
    configured_bench,
    draw_operation,
)
from verif.security.safe_errors import safe_errors
from verif.security.upsets import FAULTS, UpsetCampaign
from verif.security.upsets_report import Expectation, UpsetReport, sampled

OPERATIONS = 3


def add_upsets(commands: Any, _: Project) -> None:
    """Add ``upsets`` to a parser's subcommands."""
    parser = commands.add_parser(
        "upsets",
        help="faults in registers: does an operation notice, and does the next one recover?",
        description="Inject one fault into each register in each cycle of an operation, on the "
        "synthesised netlist, and run two more operations. Fails if the stored expectation of the "
        "configuration has fewer silent errors, hangs, latent faults or safe errors.",
    )
    add_configuration(parser)
    parser.add_argument(
        "--fault", choices=list(FAULTS), default="flip", help="kind of fault (default: flip)"
    )
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="only so many points, drawn at random"
    )
    parser.add_argument(
        "--no-safe-errors", action="store_true", help="skip the search for safe errors"
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        metavar="J",
        help="threads (default: one for each CPU)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts to this file")
    parser.add_argument(
        "--write", action="store_true", help="store the counts as the configuration's expectation"
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="page with pictures (default: in build/security)"
    )
    parser.set_defaults(run=_upsets)


def _upsets(call: Call) -> int:
    if call.write and call.sample:
        raise UsageError("--write with --sample: accepted is the expectation of all points")
    bench = configured_bench(call)
    expectation = Expectation()
    report = _run(call, bench)
    tables = [report.effects_table(), report.module_table(), report.register_table()]
    for table in tables:
        call.console.print(table)
    figures = report.figures()
    if call.json:
        call.json.write_text(json.dumps(figures, indent=1) + "\n")
    name = f"{configuration_id(bench, call.arch)}-{call.fault}"
    key = f"{name}-seed{call.seed}"
    growth = [] if call.write or call.sample else expectation.growth(key, figures)
    lines = [f"FAILED: {line}" for line in growth] or [_remark(call, expectation, key)]
    if call.write:
        expectation.write(key, figures)
    for line in lines:
        say(call.console, f"upsets: {line}")
    _write(call, call.html or PAGES / f"upsets-{name}.html", report, tables, lines)
    return FAILED if growth else PASSED


def _remark(call: Call, expectation: Expectation, key: str) -> str:
    if call.write:
        return f"stored as expectation of {key}"
    if call.sample:
        return "a sample: not compared with an expectation"
    if not expectation.known(key):
        return f"no expectation of {key}; store one with --write"
    return f"no more than the expectation of {key}"


def _write(
    call: Call, page: Path, report: UpsetReport, tables: list[Table], lines: list[str]
) -> None:
    # Slow to load, as matplotlib is.
    from verif.security.page import write_page

    title = f"Upsets: {configuration_id(report.bench, call.arch)}, {call.fault}"
    command = shlex.join(command_line(call.argv))
    write_page(page, title, command, lines, report.pictures(), tables)
    say(call.console, f"upsets: report: {page}")


def _run(call: argparse.Namespace, bench: Any) -> UpsetReport:
    rng = random.Random(call.seed)
    operations = [draw_operation(bench, rng) for _ in range(OPERATIONS)]
    try:
        campaign = UpsetCampaign(bench, operations, call.fault, call.seed, call.jobs)
    except ValueError as error:
        raise UsageError(f"the design is not right: {error}") from None
    points = sampled(campaign.points(), call.sample, call.seed)
    begin = time.monotonic()
    found = campaign.run(points)
    say(call.console, f"upsets: {len(points):,} faults in {time.monotonic() - begin:.1f} s")
    safe = None
    if bench.design.secret is not None and not call.no_safe_errors:
        safe = safe_errors(bench, points, call.fault, call.seed, call.jobs)
    return UpsetReport(bench, points, found, safe)
