"""The command ``upsets``: one fault in one register, all registers, all cycles."""

from __future__ import annotations

import os
from typing import Any

from regress.cli.options import Call, positive
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import say
from verif.security.attacks import DesignFault, Upsets
from verif.security.configuration import (
    PAGES,
    add_configuration,
    configured_bench,
)
from verif.security.outcome import add_output, show
from verif.security.upsets import FAULTS
from verif.security.upsets_report import Expectation


def add_upsets(commands: Any, _: Project) -> None:
    """Add ``upsets`` to a parser's subcommands."""
    parser = commands.add_parser(
        "upsets",
        help="inject faults into registers, and count wrong results, hangs and latent faults",
        description="Inject one fault into each register in each cycle of an operation, on the "
        "synthesised netlist, and run two more operations. Fails if the stored expectation of the "
        "configuration has fewer silent errors, hangs, latent faults, wrong durations, wrong next "
        "operations (operands written anew, or kept), other statuses or safe errors.",
    )
    add_configuration(parser)
    parser.add_argument(
        "--fault", choices=list(FAULTS), default="flip", help="kind of fault (default: flip)"
    )
    parser.add_argument(
        "--sample",
        type=positive,
        metavar="N",
        help="number of points to draw at random (default: all)",
    )
    parser.add_argument(
        "--idle",
        action="store_true",
        help="inject the faults while the core is idle: after an operation, until the first write",
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
    parser.add_argument(
        "--write", action="store_true", help="store the counts as the configuration's expectation"
    )
    add_output(parser)
    parser.set_defaults(run=_upsets)


def _upsets(call: Call) -> int:
    if call.write and call.sample:
        raise UsageError("--write with --sample: accepted is the expectation of all points")
    bench = configured_bench(call)
    expectation = Expectation()
    attack = Upsets(
        call.fault,
        call.sample,
        call.seed,
        call.jobs,
        search=not call.no_safe_errors,
        expectation=None if call.write else expectation,
        idle=call.idle,
    )
    try:
        outcome = attack.run(bench)
    except DesignFault as error:
        raise UsageError(str(error)) from None
    if call.write:
        expectation.write(attack.key(bench), outcome.figures)
        say(call.console, f"upsets: stored as expectation of {attack.key(bench)}")
    page = PAGES / f"upsets-{attack.name(bench)}.html"
    return show(call, "upsets", outcome, page)
