"""The command ``upsets``: one fault in one register, all registers, all cycles."""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from pathlib import Path
from typing import Any

from regress.cli.options import Call, positive
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say
from verif.security.configuration import (
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
    parser.set_defaults(run=_upsets)


def _upsets(call: Call) -> int:
    if call.write and call.sample:
        raise UsageError("--write with --sample: accepted is the expectation of all points")
    bench = configured_bench(call)
    expectation = Expectation()
    report = _run(call, bench)
    for table in (report.effects_table(), report.module_table(), report.register_table()):
        call.console.print(table)
    figures = report.figures()
    if call.json:
        call.json.write_text(json.dumps(figures, indent=1) + "\n")
    key = f"{configuration_id(bench, call.arch)}-{call.fault}-seed{call.seed}"
    if call.write:
        expectation.write(key, figures)
        say(call.console, f"upsets: stored as expectation of {key}")
        return PASSED
    if call.sample:
        return PASSED
    if not expectation.known(key):
        say(call.console, f"upsets: no expectation of {key}; store one with --write")
        return PASSED
    growth = expectation.growth(key, figures)
    for line in growth:
        say(call.console, f"upsets: FAILED: {line}")
    return FAILED if growth else PASSED


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
