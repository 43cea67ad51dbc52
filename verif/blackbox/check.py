"""``python -m regress check FILE``: does a core from outside do what its file of facts says?"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from regress.cases import Case, CaseStatus
from regress.errors import UsageError, not_accepted
from regress.jobfile import Job
from regress.lists import DEFAULT_SEED
from regress.options import add_common, add_simulators, add_waves, common
from regress.plan import PlannedJob, derived_seed, planned_job
from regress.point import Point
from regress.project import project
from regress.record import RunRecord, command_line
from regress.session import Request, Workspace, execute, exit_code
from regress.simulators import DEFAULT
from verif.blackbox.core_module import watch_group
from verif.blackbox.facts import Core, Facts
from verif.blackbox.plan import check_widths, claimed_behaviours, claimed_classes, every_name
from verif.blackbox.project import TEST

LISTS = {"smoke": 20, "deep": 200}
# Simulated clocks that a case may cost at one width; at least one operation is run.
CLOCKS_PER_CASE = 1_000_000
JOB_SECONDS = 600.0
WORDS = {CaseStatus.PASSED: "[green]held", CaseStatus.FAILED: "[red]broken"}
NOT_CLAIMED, NOT_RUN = "[dim]not claimed", "[yellow]not run"


def add_check(commands: Any) -> None:
    """Mount the command."""
    parser = commands.add_parser("check", help="verify a core from outside by its file of facts")
    parser.add_argument("file", type=Path, metavar="FILE", help="file of facts (YAML)")
    parser.add_argument(
        "--list", choices=LISTS, default="smoke", help="how much to try (default: smoke)"
    )
    parser.add_argument(
        "--width", type=_widths, default=(), metavar="N,…", help="instead of the list's own"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="CASE", help="only this class or claim"
    )
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="master seed")
    add_simulators(parser, f"simulators to run on (default: {DEFAULT})")
    add_common(parser)
    add_waves(parser)
    parser.set_defaults(run=_check)


def _widths(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not accepted; accepted: widths in bits, with commas between"
        ) from None


def _check(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    core = Core.read(arguments.file)
    facts = core.facts
    for name in arguments.only:
        if name not in every_name(facts):
            raise UsageError(not_accepted("case", name, every_name(facts)))
    for width in arguments.width:
        core.check_width(width)
    widths = arguments.width or check_widths(facts, arguments.list == "deep")
    simulators = arguments.sim or (DEFAULT,)
    record = execute(
        Request(
            name=facts.name,
            source=str(arguments.file),
            description=f"{facts.computes} core {facts.name}, {', '.join(map(str, widths))} bits",
            command=command_line(argv),
            options={"list": arguments.list, "only": arguments.only},
            seed=arguments.seed,
            plan=check_jobs(
                core, widths, simulators, LISTS[arguments.list], arguments.seed, arguments.only
            ),
            goals=[watch_group(facts, watch.name) for watch in facts.watch],
            explicit_simulators=True,
            waves=arguments.waves,
            apart=f"core of {arguments.file}",
            **common(arguments),
        ),
        workspace,
        console,
    )
    show_verdict(console, facts, record)
    return exit_code(record)


def check_jobs(
    core: Core,
    widths: Sequence[int],
    simulators: Iterable[str],
    operations: int,
    seed: int,
    only: Sequence[str] = (),
) -> list[PlannedJob]:
    """One job a width and simulator, with every class and claim as a case.

    Raises:
        UsageError: nothing of ``only`` is claimed at any of the widths.
    """
    facts = core.facts
    name = project().black_boxes.keep(core)
    jobs = []
    for width in widths:
        cases = [*claimed_classes(facts, width), *claimed_behaviours(facts)]
        cases = [case for case in cases if not only or case in only]
        if not cases:
            continue
        point = Point({"architecture": name, "width": width, "parameters": {}})
        for simulator in simulators:
            job = Job(
                test=TEST,
                point=point,
                simulator=simulator,
                seed=derived_seed(seed, [TEST, facts.name, width], 1),
                operations=max(1, min(operations, CLOCKS_PER_CASE // _clocks(facts, width))),
                cases=tuple({"name": case} for case in cases),
            )
            jobs.append(planned_job(job, 1, JOB_SECONDS))
    if not jobs:
        raise UsageError(f"nothing of {', '.join(only)} is claimed of {facts.name} at these widths")
    return jobs


def _clocks(facts: Facts, width: int) -> int:
    """About how many clocks an operation takes."""
    claimed = facts.latency(width, width)
    if claimed:
        return max(1, claimed[1])
    return 4 * width if facts.is_product else 3 * width * width


def show_verdict(console: Console, facts: Facts, record: RunRecord) -> None:
    """The verdict matrix, and for each broken row its smallest failing example."""
    cells: dict[tuple[str, int], Case] = {}
    for job in record.jobs:
        for case in job.cases:
            cells.setdefault((case.name, job.planned.job.point["width"]), case)
            if case.status is CaseStatus.FAILED:
                cells[case.name, job.planned.job.point["width"]] = case
    widths = sorted({width for _, width in cells})
    table = Table(title=f"{facts.name}: classes of operands and claims, by width in bits")
    table.add_column("class or claim")
    for width in widths:
        table.add_column(str(width))
    for name in every_name(facts):
        found = [cells.get((name, width)) for width in widths]
        table.add_row(name, *(_cell(case) for case in found))
    console.print(table)
    for name in every_name(facts):
        broken = [
            (width, cells[name, width])
            for width in widths
            if (name, width) in cells and cells[name, width].status is CaseStatus.FAILED
        ]
        if broken:
            width, case = broken[0]
            console.print(f"broken: {name}, {width} bits: {case.message}", highlight=False)
            console.print(
                f"        python -m regress check {record.source} --width {width} "
                f"--only '{name}' --seed {record.seed}",
                highlight=False, soft_wrap=True,
            )  # fmt: skip


def _cell(case: Case | None) -> str:
    if case is None:
        return NOT_CLAIMED
    return WORDS.get(case.status, NOT_RUN)
