"""The commands ``leakage`` and ``upsets``: attack one configuration in all lanes."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from typing import Any

from regress.cli.options import Call, positive
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import FAILED, say
from verif.bench.configuration.design import ROOT
from verif.library.lanes.uniform import DifferenceError
from verif.security.attacks import Leakage, Upsets
from verif.security.blinding import MIN_WIDTH
from verif.security.configuration import add_attack, configured_bench
from verif.security.leakage import SECRETS, check_width
from verif.security.leakage_report import record
from verif.security.outcome import show
from verif.security.upsets import FAULTS
from verif.security.upsets_report import Expectation

DEFAULT_TRACES = 100_000
# Folder of the campaigns' pages.
PAGES = ROOT / "build" / "security"


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
        type=_noise,
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
    add_attack(parser, "record the figures for the table of hardening options")
    parser.set_defaults(run=_leakage)


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
    add_attack(parser, "store the counts as the configuration's expectation")
    parser.set_defaults(run=_upsets)


def _noise(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; accepted: a number from 0 on")
    return value


def _leakage(call: Call) -> int:
    secret = SECRETS[call.secret]
    if call.design != secret.design:
        raise UsageError(f"--secret {call.secret}: accepted with --design {secret.design} only")
    check_width(call.width)
    if call.blind and call.secret not in ("exponent", "base"):
        raise UsageError(f"--blind --secret {call.secret}: accepted are exponent and base")
    if call.blind and call.width < MIN_WIDTH:
        raise UsageError(f"--blind --width {call.width}: accepted are widths from {MIN_WIDTH} on")
    attack = Leakage(call.secret, call.traces, call.seed, call.noise, call.jobs, call.blind)
    return _run(call, attack, record)


def _upsets(call: Call) -> int:
    _check_written(call, sample=call.sample, no_safe_errors=call.no_safe_errors)
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
    return _run(call, attack, expectation.write)


def _check_written(call: Call, **options: object) -> None:
    """Reject ``--write`` with options whose figures are not those of the whole attack."""
    for name, value in options.items():
        if call.write and value:
            option = name.replace("_", "-")
            raise UsageError(f"--write with --{option}: accepted are figures of the whole attack")


def _run(
    call: Call, attack: Leakage | Upsets, store: Callable[[str, Mapping[str, Any]], None]
) -> int:
    """Attack, store the figures with ``--write``, and show the outcome; return the exit code."""
    if call.write and call.hdl:
        raise UsageError("--write with --hdl: accepted are figures of the project's design")
    bench = configured_bench(call)
    command = attack.command
    try:
        outcome = attack.run(bench)
    except DifferenceError as error:
        say(call.console, f"{command}: FAILED: {error}")
        return FAILED
    if call.write:
        store(attack.key(bench), outcome.figures)
        say(call.console, f"{command}: stored as {attack.key(bench)}")
    return show(call, command, outcome, PAGES / f"{command}-{attack.name(bench)}.html")
