"""The command ``leakage``: which registers and cycles give a secret away."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from regress.cli.options import Call, positive
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.uniform import DifferenceError
from verif.security.configuration import add_configuration, configured_bench
from verif.security.leakage import (
    FALSE_ALARM,
    MAX_WIDTH,
    SECRETS,
    LeakageCampaign,
)
from verif.security.leakage_report import LeakageReport
from verif.security.roles import Role

DEFAULT_TRACES = 100_000


def add_leakage(commands: Any, _: Project) -> None:
    """Add ``leakage`` to a parser's subcommands."""
    parser = commands.add_parser(
        "leakage",
        help="fixed against random: which registers give a secret away?",
        description="Count the toggles of every flip-flop of the synthesised netlist in every "
        "cycle, for a fixed and for a random secret, and test whether they differ. Fails if "
        "control or addresses depend on the secret, or if the null test finds anything.",
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
        "--jobs",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        metavar="J",
        help="threads (default: one for each CPU)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    parser.set_defaults(run=_leakage)


def _leakage(call: Call) -> int:
    secret = SECRETS[call.secret]
    if call.design != secret.design:
        raise UsageError(f"--secret {call.secret}: accepted with --design {secret.design} only")
    if call.width > MAX_WIDTH:
        raise UsageError(f"--width {call.width}: accepted are widths up to {MAX_WIDTH}")
    if call.noise < 0:
        raise UsageError(f"--noise {call.noise}: accepted are numbers from 0 on")
    bench = configured_bench(call)
    report = _measured(call, bench)
    call.console.print(report.role_table())
    call.console.print(report.register_table())
    return _verdict(call, report)


def _measured(call: argparse.Namespace, bench: LaneBench) -> LeakageReport:
    begin = time.monotonic()
    try:
        campaign = LeakageCampaign(bench, SECRETS[call.secret], call.seed, call.jobs)
        counts = campaign.run(call.traces, null=False)
        null = campaign.run(call.traces, null=True)
    except DifferenceError as error:
        raise UsageError(f"the design is not right: {error}") from None
    report = LeakageReport(bench, counts, null, call.noise, campaign.window)
    seconds = time.monotonic() - begin
    say(call.console, f"leakage: 2 x {int(counts.traces.sum()):,} traces in {seconds:.1f} s")
    return report


def _verdict(call: Call, report: LeakageReport) -> int:
    figures = report.figures()
    if call.json:
        call.json.write_text(json.dumps(figures, indent=1) + "\n")
    limit = report.limit
    say(
        call.console,
        f"leakage: limit |z| {limit:.2f}: chance exceeds it somewhere with probability "
        f"{FALSE_ALARM:g}",
    )
    if needed := figures["traces_needed"]:
        noise = f" with noise of sigma {call.noise:g}" if call.noise else ""
        say(
            call.console,
            f"leakage: total number of toggles: max |t| {figures['distance']:.1f}; five sigma "
            f"after {needed:,} traces{noise}",
        )
    for name, cycles in figures["differing_control"].items():
        shown = f"{len(cycles)} cycles from {cycles[0]} on"
        say(call.console, f"leakage: {name} is not equal in all lanes: {shown}")
    failed = []
    if figures["max_score"][Role.CONTROL.value] > limit:
        failed.append(f"control or addresses depend on the {call.secret}")
    if figures["null"] > limit:
        failed.append("the null test finds a difference: registers keep something of the class")
    for line in failed:
        say(call.console, f"leakage: FAILED: {line}")
    return FAILED if failed else PASSED
