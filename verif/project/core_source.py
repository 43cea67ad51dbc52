"""Example cores as a source of faults: ``check`` finds each fault, and nothing without one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from regress.cli.options import Call, positive
from regress.core.errors import UsageError, not_accepted
from regress.core.formats.model import as_json
from regress.core.jobrecord import JobRecord
from regress.core.plan import PlannedJob
from regress.core.runfile import Status
from regress.run.record import RunRecord
from regress.simulators import DEFAULT
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.chain import Asked, linked
from verif.faults.campaign.command import words
from verif.faults.campaign.engine import shuffled
from verif.faults.campaign.record import ALARM, DETECTED, NO_ALARM, Result, last
from verif.faults.campaign.source import Missing, Source
from verif.faults.catalogue_source import matching, row, verdict_cells
from verif.own_core.core import Core
from verif.own_core.correct import LIST, Checked, correct_jobs
from verif.own_core.defects import Defect, defects_of, example_cores, planted
from verif.own_core.jobs import JOB_SECONDS, check_jobs
from verif.own_core.plan import brief_widths, check_widths

RECORD = ROOT / "verif" / "faults" / "results" / "cores.jsonl"
CHECK, CORRECT = "check", "correct"
WAY = "verif.faults.campaign.simulate:alone"
MORE_SECONDS = 60.0


class ExampleCores(Source):
    """See :class:`verif.faults.campaign.source.Source`.

    Each fault of each core is checked as a user would check the core: all classes and claims at the
    widths of list smoke, the narrowest first. A correct core is checked with several master seeds.
    """

    name = "cores"
    noun = "faults of example cores"
    table = "<!-- table: trials -->"
    good = (DETECTED, NO_ALARM)
    options: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "--core": {"help": "only this core (repeatable)", **words("NAME")},
        "--seeds": {
            "type": positive, "default": 10, "metavar": "K", "help": "of the correct cores (10)",
        },
        "--no-defects": {"action": "store_true", "help": "check the correct cores alone"},
        "--no-correct": {"action": "store_true", "help": "check the faults alone"},
    }  # fmt: skip

    def record(self, call: Call) -> Path:
        """See the base."""
        return RECORD

    def known(self, call: Call) -> Collection[str]:
        """See the base."""
        return [*_faults(), *_cores()]

    def chosen(self, call: Call) -> Mapping[str, str]:
        """See the base."""
        for name in call.core:
            if name not in _cores():
                raise UsageError(not_accepted("core", name, _cores()))
        faults = {name: defect.says for name, (_, defect) in _faults().items()}
        correct = dict.fromkeys(_cores(), "correct: nothing may be broken")
        known = {**({} if call.no_defects else faults), **({} if call.no_correct else correct)}
        names = matching(known, call.fault, "fault") if call.fault else list(known)
        names = [name for name in names if not call.core or name.split("/")[0] in call.core]
        return {name: known[name] for name in shuffled(names, call.seed)}

    def against(self, call: Call, fault: str) -> Sequence[str]:
        """See the base."""
        return (CHECK if "/" in fault else CORRECT,)

    def jobs(self, call: Call, missing: Missing, folder: Path) -> list[PlannedJob]:
        """See the base."""
        found: list[PlannedJob] = []
        for name, _ in missing:
            if "/" in name:
                core, defect = _faults()[name]
                found += fault_jobs(call, core, defect, name, folder)
            else:
                found += correct_jobs(call.context, _cores()[name], call.seeds, call.width)
        return found

    def restore(self, call: Call, folders: Collection[Path]) -> None:
        """See the base: ``check`` keeps the cores itself."""

    def results(self, record: RunRecord) -> Iterator[Result]:
        """See the base; the jobs without a fault are those of correct cores."""
        yield from super().results(record)
        correct: dict[str, list[JobRecord]] = {}
        for job in record.jobs:
            if not Asked.of(job.planned.job):
                name = job.planned.job.point["architecture"].rpartition("-")[0]
                correct.setdefault(name, []).append(job)
        for name, jobs in correct.items():
            if all(job.status in (Status.PASSED, Status.FAILED) for job in jobs):
                yield _judged(name, jobs)

    def content(self, call: Call, result: Result) -> str:
        """See the base: the core, the fault and the widths; the bench is that of the commit."""
        name, _, _ = result.fault.partition("/")
        core, changes = _cores()[name], []
        if "/" in result.fault:
            changes = [as_json(change) for change in _faults()[result.fault][1].changes]
        files = sorted(path for path in core.folder.rglob("*") if path.suffix in (".v", ".sv"))
        texts = [[path.name, path.read_text()] for path in [*files, core.path]]
        data = json.dumps([texts, changes, check_widths(core.description, deep=False)])
        return hashlib.sha256(data.encode()).hexdigest()[:16]

    def markdown(self, call: Call, results: Sequence[Result], stale: Collection[str]) -> str:
        """See the base."""
        return markdown(self, results, stale)


@cache
def _cores() -> Mapping[str, Core]:
    return {core.description.name: core for core in example_cores()}


@cache
def _faults() -> Mapping[str, tuple[Core, Defect]]:
    """Return core and fault by ``core/fault``."""
    return {
        f"{name}/{defect.name}": (core, defect)
        for name, core in _cores().items()
        for defect in defects_of(core)
    }


def fault_jobs(call: Call, core: Core, defect: Defect, name: str, folder: Path) -> list[PlannedJob]:
    """Return the chain of a fault: a job at each width, until something is broken."""
    broken = planted(core, defect, folder / name.replace("/", "-") / core.folder.name)
    widths = check_widths(core.description, deep=False)
    brief = brief_widths(core.description, widths)
    jobs = check_jobs(call.context, broken, widths, (DEFAULT,), LIST, 1, brief=brief)
    seconds = JOB_SECONDS[LIST]
    asked = [
        Asked(
            source=ExampleCores.name, against=CHECK, way=WAY, seconds=seconds, keep=call.keep,
            job=f"{planned.job.point['width']} bits", cases=planned.job.cases,
        )
        for planned in jobs
    ]  # fmt: skip
    case = {"name": name, "says": defect.says}
    return linked(jobs, asked, defect.name, [case], timeout=seconds + MORE_SECONDS)


def _judged(name: str, jobs: Sequence[JobRecord]) -> Result:
    """Return the result of a correct core: an alarm if a verdict is broken."""
    checked = Checked.of(jobs)
    seeds = len({job.planned.job.seed for job in jobs})
    widths = ", ".join(map(str, sorted({job.planned.job.point["width"] for job in jobs})))
    text = f"{checked.cases} verdicts at {widths} bits with {seeds} seeds"
    return Result(
        fault=name,
        against=CORRECT,
        outcome=ALARM if checked.alarms else NO_ALARM,
        message="; ".join(checked.alarms) or f"{text}, {checked.operations} operations",
        seconds=checked.seconds,
        jobs=len(jobs),
    )


def markdown(source: Source, results: Sequence[Result], stale: Collection[str]) -> str:
    """Return the tables of the page."""
    ends, faults, cores = last(results), _faults(), _cores()
    found = [name for name in faults if name in ends and ends[name].outcome == DETECTED]
    alarms = [name for name in cores if name in ends and ends[name].outcome == ALARM]
    lines = [
        f"`python -m regress trials`: {len(found)} of {len(faults)} faults detected, {len(alarms)} "
        f"correct cores with a false alarm. † marks a verdict of an earlier core.",
        "",
        "| Core | Fault | Found by | After | At | It says |",
        "| --- | --- | --- | ---: | --- | --- |",
    ]
    for name, (core, defect) in faults.items():
        cells = verdict_cells(ends.get(name), name in stale)
        lines.append(row([f"`{core.description.name}`", defect.says, *cells]))
    lines += ["", "| Correct core | Result | Time | At | It says |"]
    lines += ["| --- | --- | ---: | --- | --- |"]
    for name in cores:
        if one := ends.get(name):
            commit = one.commit + (" †" if name in stale else "")
            lines.append(row([f"`{name}`", one.outcome, f"{one.seconds:.0f} s", commit,
                              one.message]))  # fmt: skip
    return "\n".join([*lines, ""])
