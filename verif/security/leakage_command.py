"""The command ``leakage``: which registers and cycles give a secret away."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from regress.cli.options import Call, positive
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say
from regress.run.record import command_line
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.uniform import DifferenceError
from verif.security.configuration import (
    PAGES,
    add_configuration,
    configuration_id,
    configured_bench,
)
from verif.security.leakage import (
    FALSE_ALARM,
    MAX_WIDTH,
    SECRETS,
    LeakageCampaign,
    traces_needed,
)
from verif.security.leakage_report import ALL, BIT_TRACES, LeakageReport, bit_table
from verif.security.roles import Role

DEFAULT_TRACES = 100_000


def add_leakage(commands: Any, _: Project) -> None:
    """Add ``leakage`` to a parser's subcommands."""
    parser = commands.add_parser(
        "leakage",
        help="fixed against random: which registers give a secret away?",
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
        "--jobs",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        metavar="J",
        help="threads (default: one for each CPU)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="page with pictures (default: in build/security)"
    )
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
    try:
        report, tables = _measured(call, bench)
    except DifferenceError as error:
        say(call.console, f"leakage: FAILED: {error}")
        return FAILED
    for table in tables:
        call.console.print(table)
    figures = report.figures()
    if call.json:
        call.json.write_text(json.dumps(figures, indent=1) + "\n")
    failed = [f"FAILED: {line}" for line in _failures(call, report, figures)]
    lines = [*_remarks(call, report, figures), *failed]
    for line in lines:
        say(call.console, f"leakage: {line}")
    page = call.html or PAGES / f"leakage-{configuration_id(bench, call.arch)}-{call.secret}.html"
    _write(call, page, report, tables, lines)
    return FAILED if failed else PASSED


def _write(
    call: Call, page: Path, report: LeakageReport, tables: list[Table], lines: list[str]
) -> None:
    # Slow to load, as matplotlib is.
    from verif.security.page import write_page

    title = f"Leakage of the {call.secret}: {configuration_id(report.bench, call.arch)}"
    write_page(page, title, shlex.join(command_line(call.argv)), lines, report.pictures(), tables)
    say(call.console, f"leakage: report: {page}")


def _measured(call: argparse.Namespace, bench: LaneBench) -> tuple[LeakageReport, list[Table]]:
    begin = time.monotonic()
    secret = SECRETS[call.secret]
    campaign = LeakageCampaign(bench, secret, call.seed, call.jobs)
    counts = campaign.run(call.traces, null=False)
    null = campaign.run(call.traces, null=True)
    report = LeakageReport(bench, counts, null, call.noise, campaign.window)
    seconds = time.monotonic() - begin
    say(call.console, f"leakage: 2 x {int(counts.traces.sum()):,} traces in {seconds:.1f} s")
    tables = [report.role_table(), report.module_table(), report.register_table()]
    if secret.one_bit:
        tables.append(bit_table(_by_bit(call, bench), call.noise))
    return report, tables


def _by_bit(call: argparse.Namespace, bench: LaneBench) -> dict[int, int]:
    needed = {}
    for bit in range(bench.width):
        campaign = LeakageCampaign(bench, SECRETS[call.secret], call.seed, call.jobs, bit)
        counts = campaign.run(min(call.traces, BIT_TRACES), null=False)
        found = LeakageReport(bench, counts, counts, call.noise, campaign.window)
        traces = int(counts.traces.sum())
        needed[bit] = traces_needed(float(abs(found.distances[ALL]).max()), traces)
    return needed


def _remarks(call: Call, report: LeakageReport, figures: dict[str, Any]) -> Iterator[str]:
    limit = report.limit
    yield f"limit |z| {limit:.2f}: chance exceeds it somewhere with probability {FALSE_ALARM:g}"
    if needed := figures["traces_needed"]:
        noise = f" with noise of sigma {call.noise:g}" if call.noise else ""
        yield (
            f"total number of toggles: max |t| {figures['distance']:.1f}; five sigma after "
            f"{needed:,} traces{noise}"
        )
    if figures["without_role"]:
        names = ", ".join(figures["without_role"])
        yield f"no role in verif/security/roles.py, tested as control: {names}"


def _failures(call: Call, report: LeakageReport, figures: dict[str, Any]) -> Iterator[str]:
    for name, cycles in figures["differing_control"].items():
        yield f"{name} is not equal in all lanes: {len(cycles)} cycles from {cycles[0]} on"
    if figures["max_score"][Role.CONTROL.value] > report.limit:
        yield f"control or addresses depend on the {call.secret}"
    if figures["null"] > report.limit or figures["null_sums"] > report.sum_limit:
        yield "the null test finds a difference: registers keep something of the class"
