"""``python -m regress trials``: check that each injected fault is detected, without false alarms.

Each fault of each example core is injected, and the core is checked as a user would check it: all
classes and claims at the widths of list smoke, the narrowest first, until something is broken. The
correct cores are checked with several master seeds; nothing may be broken.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from regress.cli.options import Call, positive
from regress.cli.session import execute
from regress.cli.workspace import Workspace
from regress.core.cases import CaseStatus
from regress.core.errors import MissingFile, UsageError, not_accepted
from regress.core.formats.files import read_json
from regress.core.formats.model import Format, as_json
from regress.core.plan import Plan, PlannedJob
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say
from regress.run.record import RunRecord
from regress.simulators import DEFAULT
from verif.bench.configuration.design import ROOT
from verif.library.marked import write_table
from verif.own_core.check import widths_of
from verif.own_core.core import Core
from verif.own_core.defects import Defect, defects_of, example_cores, planted
from verif.own_core.jobs import check_jobs
from verif.own_core.plan import brief_widths, check_widths

BEGIN = "<!-- table: trials -->"
RECORD = "trials.json"
VERDICTS = (CaseStatus.PASSED, CaseStatus.FAILED)
COMMAND = "python -m regress trials"


class DefectTrial(Format):
    """Result for one fault."""

    core: str
    defect: str
    says: str
    width: int
    """Where it was found, in bits; 0 if nowhere."""
    broken: tuple[str, ...]
    """Classes and claims that were broken there, the first one first."""
    operations: int
    """Up to the end of the first broken one, all widths before it included."""
    seconds: float
    """Of the wall, compiling included."""


class CorrectTrial(Format):
    """Result for a correct core."""

    core: str
    widths: tuple[int, ...]
    seeds: int
    cases: int
    """Classes and claims that were tried, at all widths with all seeds."""
    operations: int
    alarms: tuple[str, ...]
    """What was said to be broken."""
    seconds: float


class Record(Format):
    """All trials."""

    command: str = COMMAND
    defects: tuple[DefectTrial, ...]
    correct: tuple[CorrectTrial, ...]


def run_jobs(workspace: Workspace, core: Core, plan: Sequence[PlannedJob], out: Path) -> RunRecord:
    """Check a core as the command does, without output.

    Raises:
        UsageError: the run was interrupted.
    """
    asked = Plan(
        name=core.description.name,
        source=str(core.path),
        description="trial",
        seed=plan[0].job.seed,
        jobs=tuple(plan),
        waves=False,
        apart="trial",
    )
    record = execute(asked, workspace, Console(quiet=True), workers=1, out=out)
    if record.stopped or record.interrupted:
        raise UsageError(f"{core.description.name}: interrupted, so these trials say nothing")
    return record


def try_defect(workspace: Workspace, core: Core, defect: Defect, out: Path) -> DefectTrial:
    """Check a core with a fault until something is broken."""
    begin, operations = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="defect-") as folder:
        broken = planted(core, defect, Path(folder) / core.folder.name)
        for width in check_widths(core.description, deep=False):
            brief = brief_widths(core.description, [width])
            plan = check_jobs(
                workspace.context, broken, [width], (DEFAULT,), "smoke", 1, brief=brief
            )
            record = run_jobs(
                workspace, broken, plan, out / f"{core.description.name}-{defect.name}-{width}"
            )
            found = []
            for case in (case for job in record.jobs for case in job.cases):
                operations += 0 if found else case.facts.get("operations", 0)
                if case.status is CaseStatus.FAILED:
                    found.append(case.name)
            if found:
                break
        else:
            width, found = 0, []
    seconds = round(time.monotonic() - begin, 1)
    return DefectTrial(
        core=core.description.name, defect=defect.name, says=defect.says, width=width,
        broken=tuple(found), operations=operations, seconds=seconds,
    )  # fmt: skip


def try_correct(
    workspace: Workspace, core: Core, seeds: int, out: Path, widths: Sequence[int] = ()
) -> CorrectTrial:
    """Check a correct core with several master seeds, at the widths of list smoke or at others."""
    begin, context = time.monotonic(), workspace.context
    widths = widths or check_widths(core.description, deep=False)
    brief = brief_widths(core.description, widths)
    plan = [
        job
        for seed in range(1, seeds + 1)
        for job in check_jobs(
            context, core, widths, (DEFAULT,), "smoke", seed, index=seed, brief=brief
        )
    ]
    record = run_jobs(workspace, core, plan, out / core.description.name)
    return CorrectTrial(
        core=core.description.name,
        widths=tuple(widths),
        seeds=seeds,
        cases=sum(case.status in VERDICTS for job in record.jobs for case in job.cases),
        operations=record.operations,
        alarms=tuple(f"{job.planned.id}: {job.message}" for job in record.problems),
        seconds=round(time.monotonic() - begin, 1),
    )


def markdown(record: Record) -> str:
    """Return the tables of the page."""
    return "\n".join(_rows(record)) + "\n"


def _rows(record: Record) -> Iterator[str]:
    found = sum(bool(trial.width) for trial in record.defects)
    alarms = sum(len(trial.alarms) for trial in record.correct)
    said = f"`{COMMAND}`: {found} of {len(record.defects)} defects found"
    said += f", {alarms} false alarms on {len(record.correct)} correct cores" * bool(record.correct)
    yield f"{said}."
    yield from ("", "| Core | Defect | At | Found in | Operations | Time |")
    yield "| --- | --- | ---: | --- | ---: | ---: |"
    for trial in record.defects:
        more = f" and {len(trial.broken) - 1} more" if len(trial.broken) > 1 else ""
        where = f"{trial.broken[0]}{more}" if trial.broken else "**nothing**"
        yield (
            f"| `{trial.core}` | {trial.says} | {trial.width} bits | {where} | {trial.operations} "
            f"| {trial.seconds:.0f} s |"
        )
    if not record.correct:
        return
    yield from ("", "| Correct core | Widths | Seeds | Verdicts | Operations | Alarms | Time |")
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for one in record.correct:
        widths = ", ".join(map(str, one.widths))
        yield (
            f"| `{one.core}` | {widths} | {one.seeds} | {one.cases} | {one.operations} "
            f"| {len(one.alarms)} | {one.seconds:.0f} s |"
        )


def add_trials(commands: Any, _: Project) -> None:
    """Add the command ``trials``."""
    parser = commands.add_parser(
        "trials", help="faults in example cores: does check find each, with no false alarm?"
    )
    add = parser.add_argument
    add("--core", action="append", default=[], metavar="NAME", help="only this core (repeatable)")
    add("--seeds", type=positive, default=10, metavar="K", help="of the correct cores (10)")
    add("--width", type=widths_of, default=(), metavar="N,…", help="of the correct cores")
    add("--no-defects", action="store_true", help="try the correct cores alone")
    add("--no-correct", action="store_true", help="try the defects alone")
    add("--report", type=Path, action="append", default=[], metavar="DIR",
        help="with what these trials found (repeatable)")  # fmt: skip
    add("--out", type=Path, metavar="DIR", help="folder (default: below runs/)")
    add("--write", type=Path, metavar="FILE", help=f"put the tables after {BEGIN!r} in this file")
    parser.set_defaults(run=_run)


def _run(call: Call) -> int:
    """Run the trials; return 0 if all faults were detected and nothing else was broken."""
    cores = {core.description.name: core for core in example_cores()}
    for name in call.core:
        if name not in cores:
            raise UsageError(not_accepted("core", name, cores))
    stamp = time.strftime("%Y%m%d-%H%M%S")
    out = (call.out or ROOT / "runs" / f"trials-{stamp}").absolute()
    if (out / RECORD).exists():
        raise UsageError(f"{out} holds trials already; choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    tried = _trials(call, [cores[name] for name in call.core or cores], out)
    for folder in call.report:
        tried = [*tried, *_read(folder)]
    record = Record(
        defects=tuple(one for one in tried if isinstance(one, DefectTrial)),
        correct=tuple(one for one in tried if isinstance(one, CorrectTrial)),
    )
    (out / RECORD).write_text(json.dumps(as_json(record), indent=1) + "\n")
    if call.write:
        write_table(call.write, markdown(record), BEGIN)
    missed = [trial for trial in record.defects if not trial.width]
    alarms = [trial for trial in record.correct if trial.alarms]
    return FAILED if missed or alarms else PASSED


def _read(folder: Path) -> list[DefectTrial | CorrectTrial]:
    try:
        found = read_json(folder / RECORD, Record, "the record of trials")
    except MissingFile:
        raise UsageError(f"{folder}: no {RECORD} there") from None
    return [*found.defects, *found.correct]


def _trials(call: Call, cores: Sequence[Core], out: Path) -> list[DefectTrial | CorrectTrial]:
    console, workspace = call.console, call.workspace
    found: list[DefectTrial | CorrectTrial] = []
    for core in cores:
        for defect in () if call.no_defects else defects_of(core):
            trial = try_defect(workspace, core, defect, out)
            found.append(trial)
            where = f" at {trial.width} bits in {', '.join(trial.broken)}" if trial.width else ""
            say(
                console,
                f"{'found' if trial.width else 'MISSED'} {trial.core} {trial.defect}{where} "
                f"after {trial.operations} operations, {trial.seconds:.0f} s",
            )
    for core in () if call.no_correct else cores:
        one = try_correct(workspace, core, call.seeds, out, call.width)
        found.append(one)
        say(
            console,
            f"{one.core}: {len(one.alarms)} false alarms in {one.cases} verdicts, "
            f"{one.operations} operations, {one.seconds:.0f} s",
        )
        for alarm in one.alarms:
            say(console, f"  {alarm}", "red")
    return found
