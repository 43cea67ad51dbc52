"""``python -m regress check FILE``: check the user's own core against its core description."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from regress.cli.options import Call, add_common, add_simulators, add_waves, common, seconds, seed
from regress.cli.session import execute, exit_code
from regress.core.cases import Case
from regress.core.errors import UsageError, not_accepted
from regress.core.jobrecord import JobRecord
from regress.core.listformat import DEFAULT_SEED
from regress.core.plan import Plan
from regress.core.project import Project
from regress.core.terminal import say
from regress.report.console import show_end, show_problems, show_waves
from regress.report.tables import bucket_count, bucket_title
from regress.run.record import RunRecord, command_line
from regress.simulators import DEFAULT
from verif.own_core.core import Core
from verif.own_core.core_module import watch_group
from verif.own_core.description import CoreDescription
from verif.own_core.fit import formula_among
from verif.own_core.icarus_limits import check_simulators
from verif.own_core.jobs import check_jobs
from verif.own_core.plan import (
    brief_widths,
    check_widths,
    every_name,
)
from verif.own_core.ports import show_ports
from verif.own_core.probing import probe
from verif.own_core.project import LISTS, check_words
from verif.own_core.reference import CONGRUENT, WRONG
from verif.own_core.verdicts import BROKEN, HELD, NOT_CLAIMED, NOT_RUN, Verdicts, is_broken

# Extra width of a table column: a line, and a space on either side.
EDGES = 3
STYLES = {HELD: "green", BROKEN: "bold red", NOT_CLAIMED: "dim", NOT_RUN: "yellow"}


def add_check(commands: Any, project: Project) -> None:
    """Add the command ``check``."""
    parser = commands.add_parser("check", help="verify a core from outside by its core description")
    parser.add_argument("file", type=Path, metavar="FILE", help="core description (YAML)")
    parser.add_argument(
        "--list",
        choices=LISTS,
        default="smoke",
        help="number of operations and widths (default: smoke)",
    )
    parser.add_argument(
        "--width", type=widths_of, default=(), metavar="N,…", help="instead of the list's own"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="CASE", help="check only this class or claim"
    )
    parser.add_argument(
        "--probe",
        action="store_true",
        help="measure the missing properties, and write a proposal beside the file",
    )
    parser.add_argument("--seed", type=seed, default=DEFAULT_SEED, help="master seed")
    parser.add_argument(
        "--budget", type=seconds, metavar="TIME", help="start no job after this time, such as 10m"
    )
    add_simulators(parser, f"simulators to run on (default: {DEFAULT})")
    add_common(parser, project)
    add_waves(parser)
    parser.set_defaults(run=_check)


def widths_of(text: str) -> tuple[int, ...]:
    """Parse widths separated by commas."""
    try:
        return tuple(dict.fromkeys(int(word) for word in text.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not accepted; accepted: widths in bits, with commas between"
        ) from None


def _check(call: Call) -> int:
    core = Core.read(call.file)
    description = core.description
    for name in call.only:
        if name not in every_name(description):
            raise UsageError(not_accepted("case", name, every_name(description)))
    for width in call.width:
        core.check_width(width)
    if call.probe:
        return probe(call, core)
    deep = call.list == "deep"
    widths = call.width or check_widths(description, deep)
    for width in widths:
        core.check_width(width)
    show_ports(call.console, core, widths)
    simulators = call.sim or (DEFAULT,)
    check_simulators(core, simulators)
    record = execute(
        Plan(
            name=description.name,
            source=str(call.file),
            description=f"{description.computes} core {description.name}, "
            f"{', '.join(map(str, widths))} bits",
            command=command_line(call.argv),
            options={"list": call.list, "only": call.only},
            seed=call.seed,
            jobs=tuple(
                check_jobs(
                    call.context,
                    core,
                    widths,
                    simulators,
                    call.list,
                    call.seed,
                    call.only,
                    brief=brief_widths(description, () if call.width or deep else widths),
                )
            ),
            # A subset of the cases need not reach every goal.
            goals=()
            if call.only
            else tuple(watch_group(description, one.name) for one in description.watch),
            budget=call.budget or 0.0,
            waves=call.waves,
            hdl=call.hdl,
            apart=f"core of {call.file}",
        ),
        **common(call),
    )
    show_verdict(call.console, description, record)
    return exit_code(record)


def show_verdict(console: Console, description: CoreDescription, record: RunRecord) -> None:
    """Print the verdict matrix, and the smallest failing example of each broken row."""
    verdicts = Verdicts(description, record)
    cells, widths, names = verdicts.cells, verdicts.widths, verdicts.names
    rows = {
        name: {width: _marked(verdicts.cell(name, width)) for width in widths} for name in names
    }
    title = f"{description.name}: verdict and cycles of an operation, by width in bits"
    for some in fitting(rows, widths, console.width):
        table = Table(title=title)
        table.add_column("class or claim")
        for width in some:
            table.add_column(str(width), no_wrap=True)
        for name, found in rows.items():
            table.add_row(name, *(found[width] for width in some))
        console.print(table)
    show_k(console, description, record)
    unreduced = show_reduction(console, verdicts)
    broken: dict[tuple[object, ...], list[tuple[JobRecord, Case]]] = {}
    for name in names:
        for width in widths:
            failed = [one for one in cells.get((name, width), []) if is_broken(one[1])]
            if failed:
                job, case = failed[0]
                example = width, job.planned.job.simulator, case.message
                key = (CONGRUENT,) if unreduced and CONGRUENT in case.message else example
                broken.setdefault(key, []).append(failed[0])
                break
    for same in broken.values():
        _show_broken(console, record, *same[0])
        if others := [case.name for _, case in same[1:]]:
            say(console, f"  it also breaks: {'; '.join(others)}")
    show_problems(console, record, cases=False)
    show_end(console, record)


def show_k(console: Console, description: CoreDescription, record: RunRecord) -> None:
    """Print the k with which results are right, if they are wrong with the claimed k."""
    found = {
        job.planned.job.point["width"]: {case.facts["k"]}
        for job in record.jobs
        for case in job.cases
        if "k" in case.facts
    }
    if found:
        formula = formula_among(found) if len(found) > 1 else None
        least = ", ".join(f"{min(k)} at {width}" for width, k in sorted(found.items()))
        shown = f"{formula} ({least} bits)" if formula else f"{least} bits"
        text = f"one cause: k is {description.k}, and results are right for k = {shown}"
        say(console, text, "bold")


def show_reduction(console: Console, verdicts: Verdicts) -> bool:
    """Print and return whether wrong results lack a reduction alone: all are right modulo M."""
    wrong = [case for case in verdicts.broken if WRONG in case.message]
    alone = len(wrong) > 1 and all(CONGRUENT in case.message for case in wrong)
    if alone:
        text = "one cause: each wrong result is right modulo M, and not below M (claims.reduced)"
        say(console, text, "bold")
    return alone


def fitting(
    rows: Mapping[str, Mapping[int, str]], widths: Sequence[int], room: int
) -> Iterator[list[int]]:
    """Yield the widths of each table: as many as fit next to the names, at least one."""
    names = min(max(map(len, rows)), room // 2) + EDGES
    some: list[int] = []
    used = names
    for width in widths:
        cells = (cell_len(Text.from_markup(found[width]).plain) for found in rows.values())
        needed = max(len(str(width)), *cells) + EDGES
        if some and used + needed >= room:
            yield some
            some, used = [], names
        some.append(width)
        used += needed
    yield some


def _show_broken(console: Console, record: RunRecord, job: JobRecord, case: Case) -> None:
    """Print the smallest failing example of a class or claim, its command and its waves."""
    place = job.planned.id, case.name
    bucket = next((one for one in record.buckets if one.place == place), None)
    if bucket and bucket.shown_case:
        job, case = bucket.shown, bucket.shown_case
    planned = job.planned.job
    where = f"{planned.point['width']} bits"
    where += f" on {planned.simulator}" if len(record.simulators) > 1 else ""
    say(console, f"broken: {case.name}, {where}: {case.message}")
    words = [*check_words(planned, record.plan.source), "--only", case.name]
    words += ["--sim", planned.simulator] if planned.simulator != DEFAULT else []
    say(console, f"  {shlex.join(['python', '-m', 'regress', *words])}")
    if bucket and bucket.rerun:
        say(console, f"  bucket: {bucket_title(bucket)} ({bucket_count(bucket)})")
        show_waves(console, record, bucket.rerun)


def _marked(cell: tuple[str, str]) -> str:
    """Return a verdict and its cycles with the console's colours."""
    verdict, cycles = cell
    return f"[{STYLES[verdict]}]{verdict}[/] {cycles}".strip()
