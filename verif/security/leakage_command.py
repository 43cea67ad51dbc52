"""The command ``leakage``: find the registers and cycles that depend on a secret."""

from __future__ import annotations

import os
from typing import Any

from regress.cli.options import Call, positive
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import FAILED, say
from verif.security.attacks import DesignFault, Leakage
from verif.security.blinding import MIN_WIDTH
from verif.security.configuration import (
    PAGES,
    add_configuration,
    configuration_id,
    configured_bench,
)
from verif.security.leakage import MAX_WIDTH, SECRETS
from verif.security.leakage_report import record
from verif.security.outcome import add_output, show

DEFAULT_TRACES = 100_000


def add_leakage(commands: Any, _: Project) -> None:
    """Add ``leakage`` to a parser's subcommands."""
    parser = commands.add_parser(
        "leakage",
        help="find the registers that depend on a secret, on the synthesised netlist",
        description="Count the toggles of every flip-flop of the synthesised netlist in every "
        "cycle, for a fixed and for a random secret, and test whether they differ. Fails if "
        "control or addresses depend on the secret or differ in any lane, if a duration depends "
        "on an operand, or if the null test finds anything.",
    )
    add_configuration(parser)
    parser.add_argument(
        "--secret",
        choices=list(SECRETS),
        default="exponent",
        help="what is fixed or random; bit: only the middle bit of the exponent (exponent)",
    )
    parser.add_argument(
        "--traces",
        type=positive,
        default=DEFAULT_TRACES,
        metavar="N",
        help=f"operations of each test (default: {DEFAULT_TRACES})",
    )
    parser.add_argument(
        "--noise",
        type=float,
        default=0.0,
        metavar="SIGMA",
        help="of a measurement of the total number of toggles (0)",
    )
    parser.add_argument(
        "--blind",
        action="store_true",
        help="the host blinds exponent and base; the modulus has half the width, and all exponents "
        "have the same lowest two bits. Also fails if exponent registers or the total number of "
        "toggles depend on the secret",
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        metavar="J",
        help="number of threads (default: one for each CPU)",
    )
    parser.add_argument(
        "--write", action="store_true", help="record the figures for the table of hardening options"
    )
    add_output(parser)
    parser.set_defaults(run=_leakage)


def _leakage(call: Call) -> int:
    secret = SECRETS[call.secret]
    if call.design != secret.design:
        raise UsageError(f"--secret {call.secret}: accepted with --design {secret.design} only")
    if call.width > MAX_WIDTH:
        raise UsageError(f"--width {call.width}: accepted are widths up to {MAX_WIDTH}")
    if call.noise < 0:
        raise UsageError(f"--noise {call.noise}: accepted are numbers from 0 on")
    if call.blind and call.secret not in ("exponent", "base"):
        raise UsageError(f"--blind --secret {call.secret}: accepted are exponent and base")
    if call.blind and call.width < MIN_WIDTH:
        raise UsageError(f"--blind --width {call.width}: accepted are widths from {MIN_WIDTH} on")
    bench = configured_bench(call)
    attack = Leakage(call.secret, call.traces, call.seed, call.noise, call.jobs, call.blind)
    try:
        outcome = attack.run(bench)
    except DesignFault as error:
        say(call.console, f"leakage: FAILED: {error}")
        return FAILED
    blind = "-blind" if call.blind else ""
    noise = f"-noise{call.noise:g}" if call.noise else ""
    name = f"{configuration_id(bench)}-{call.secret}{blind}{noise}"
    if call.write:
        record(f"{name}-seed{call.seed}", outcome.figures)
    page = PAGES / f"leakage-{name}.html"
    return show(call, "leakage", outcome, page)
