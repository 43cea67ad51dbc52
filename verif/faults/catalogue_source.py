"""The catalogue as a source of faults: each fault runs against lists until one finds it."""

from __future__ import annotations

import fnmatch
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from regress.cli.options import Call, chosen, seconds
from regress.core.context import Context
from regress.core.errors import UsageError, not_accepted
from regress.core.plan import PlannedJob
from verif.bench.configuration.design import ROOT
from verif.bench.stress import LONG_VARIABLE
from verif.faults.campaign.chain import JOB_SECONDS, Asked, linked
from verif.faults.campaign.command import words
from verif.faults.campaign.engine import shuffled
from verif.faults.campaign.record import (
    DETECTED,
    MESSAGE_CHARACTERS,
    SURVIVED,
    Result,
    last,
    read_results,
)
from verif.faults.campaign.simulate import alone
from verif.faults.campaign.source import Missing, Source
from verif.faults.campaign.way import Process, Tried
from verif.faults.catalogue import (
    REASONS,
    Fault,
    PythonChange,
    changed_lines,
    faults,
    groups,
    misplaced,
)
from verif.faults.first_list import FIRST_LIST, detected_by, first_list_table
from verif.faults.jobs import HDL, content, jobs_for, plan
from verif.library.edits.altered import altered_copy
from verif.library.edits.places import FaultError

RECORD = Path(__file__).with_name("results") / "catalogue.jsonl"
DEFAULT_LISTS = ("merge",)
# Limit for the rest of a job's process, which copies the project if the fault also changes Python.
MORE_SECONDS = 60.0
COPIED = ("models", "verif", "regress")
WAY = "verif.faults.catalogue_source:tried"


class Catalogue(Source):
    """See :class:`verif.faults.campaign.source.Source`."""

    name = "catalogue"
    noun = "faults"
    table = "<!-- table: faults -->"
    options: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "--group": {"help": "only this file's (repeatable)", **words("G")},
        "--list": {
            "help": "lists in this order, until one finds it (default: merge)", **words("LIST"),
        },
        "--each": {
            "type": seconds, "default": 0.0, "metavar": "TIME",
            "help": "begin no job of a trial after this time of its jobs",
        },
        "--first": {
            "help": "jobs of the lists that are tried before others (patterns with * may be given),"
            " after the one that detected the fault the last time", **words("JOB"),
        },
        "--shrink": {
            "action": "store_true",
            "help": "shrink the stress sequences that find a fault: takes several times as long",
        },
    }  # fmt: skip

    def record(self, call: Call) -> Path:
        """See the base."""
        return RECORD

    def known(self, call: Call) -> Collection[str]:
        """See the base."""
        return faults().keys()

    def chosen(self, call: Call) -> Mapping[str, str]:
        """See the base."""
        known_groups = groups()
        for name in call.group:
            if name not in known_groups:
                raise UsageError(not_accepted("group of faults", name, known_groups))
        known = {
            fault.name: fault
            for name, group in known_groups.items()
            for fault in group.faults
            if not call.group or name in call.group
        }
        on = chosen(call)["architecture"]
        names = [
            name for name in matching(known, call.fault, "fault") if not on or known[name].on in on
        ]
        return {name: known[name].says for name in shuffled(names, call.seed)}

    def listed(self, call: Call, chosen: Mapping[str, str]) -> Iterator[str]:
        """See the base."""
        if call.fault and (lines := misplaced(HDL, [faults()[name] for name in chosen])):
            raise UsageError(*lines)
        for name, group in groups().items():
            shown = [fault for fault in group.faults if fault.name in chosen]
            if shown:
                yield f"{name}: {group.says}"
            for fault in shown:
                yield f"  {fault.name}: {fault.says}"
                if call.fault:
                    yield from changed_lines(HDL, fault)

    def against(self, call: Call, fault: str) -> Sequence[str]:
        """See the base."""
        return call.list or DEFAULT_LISTS

    def jobs(self, call: Call, missing: Missing, folder: Path) -> list[PlannedJob]:
        """See the base."""
        known, context = faults(), call.context
        if lines := misplaced(HDL, [known[name] for name, _ in missing]):
            raise UsageError(*lines)
        _check_first(call, missing)
        before = {name: one.job for name, one in last(read_results(call.record or RECORD)).items()}
        return [
            job
            for name, lists in missing
            for job in trial_jobs(
                context, known[name], lists, folder, call.each, call.keep, call.shrink,
                [before.get(name, ""), *call.first],
            )
        ]  # fmt: skip

    def decided(self, call: Call, missing: Missing) -> Iterator[Result]:
        """Yield the faults that survive a list because it has no job that could find them."""
        known = faults()
        for name, lists in missing:
            for against in lists:
                if not jobs_for(call.context, known[name], against):
                    yield Result(fault=name, against=against, outcome=SURVIVED)

    def restore(self, call: Call, folders: Collection[Path]) -> None:
        """See the base."""
        for folder in folders:
            altered_copy(HDL, folder, faults()[folder.name].changes)

    def content(self, call: Call, result: Result) -> str:
        """See :func:`content_of`."""
        return content_of(call.context, faults()[result.fault], result)

    def untouched(self, call: Call, found: Sequence[Result]) -> dict[str, PlannedJob]:
        """See the base: the jobs that detected a fault."""
        return {
            job.id: job
            for one in found
            if one.outcome == DETECTED
            for job in plan(call.context, one.against)
            if job.id == one.job
        }

    def markdown(self, call: Call, results: Sequence[Result], stale: Collection[str]) -> str:
        """See the base."""
        first = detected_by(call.context, FIRST_LIST, list(last(results).values()))
        return markdown(self, results, stale, first)


def matching(known: Iterable[str], patterns: Sequence[str], what: str) -> list[str]:
    """Return the names that match one of the patterns; all without a pattern.

    Raises:
        UsageError: a pattern matches nothing.
    """
    names = list(known)
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            raise UsageError(not_accepted(what, pattern, names))
    return [n for n in names if not patterns or any(fnmatch.fnmatch(n, p) for p in patterns)]


def trial_jobs(
    context: Context,
    fault: Fault,
    lists: Sequence[str],
    folder: Path,
    each: float = 0.0,
    keep: bool = False,
    shrink: bool = False,
    first: Sequence[str] = (),
) -> list[PlannedJob]:
    """Return the jobs of a fault's trials; empty if no job of the lists can detect it.

    Args:
        context: context that has the lists.
        fault: fault to detect.
        lists: names of the lists, in the order of the trials.
        folder: folder for the changed design.
        each: limit in seconds for all jobs of one trial; 0 for no limit.
        keep: True to keep the files of the simulations.
        shrink: True to shrink a stress sequence that detects the fault to the shortest one.
        first: names or patterns (with *) of jobs that are tried before others.

    Raises:
        UsageError: a list does not exist, or the fault's place is not in the design.
    """

    def place(planned: PlannedJob) -> int:
        named = (at for at, one in enumerate(first) if fnmatch.fnmatch(planned.id, one))
        return next(named, len(first))

    jobs, asked = [], []
    for name in lists:
        for planned in sorted(jobs_for(context, fault, name), key=place):
            entry = f"{fault.name} against {name}"
            own = replace(planned, id=f"{planned.id}-{Path(name).stem}", entry=entry, budget=each)
            jobs.append(own)
            asked.append(
                Asked(
                    source=Catalogue.name, against=name, way=WAY, job=planned.id,
                    top=planned.point.top, seconds=JOB_SECONDS, keep=keep,
                    environment={} if shrink else {LONG_VARIABLE: "1"},
                )
            )  # fmt: skip
    if not jobs:
        return []
    try:
        hdl = altered_copy(HDL, folder / fault.name, fault.changes)
        for change in fault.python:
            changed(change)
    except FaultError as error:
        raise UsageError(f"fault {fault.name!r}: {error}") from None
    case = {"name": fault.name, "says": fault.says}
    timeout = JOB_SECONDS + MORE_SECONDS
    return linked(jobs, asked, fault.name, [case], hdl=str(hdl), timeout=timeout)


def tried(process: Process, cases: Sequence[Mapping[str, Any]]) -> dict[str, Tried]:
    """Try a fault in a job's process, see :mod:`verif.faults.campaign.child`."""
    fault = faults()[cases[0]["name"]]
    return alone(process, cases, _project(fault) if fault.python else None)


@contextmanager
def _project(fault: Fault) -> Iterator[Path]:
    """Yield a copy of the project in which Python is changed, too."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        copy = Path(folder)
        for name in COPIED:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        altered_copy(HDL, copy / HDL.name, fault.changes)
        shutil.copy(ROOT / "pyproject.toml", copy)
        for change in fault.python:
            (copy / change.file).write_text(changed(change))
        yield copy


def changed(change: PythonChange) -> str:
    """Return the text of a file after a change.

    Raises:
        FaultError: the text to replace does not occur exactly once.
    """
    path = ROOT / change.file
    text = path.read_text() if path.is_file() else ""
    if text.count(change.was) != 1:
        raise FaultError(f"{change.file} has {change.was!r} {text.count(change.was)} times")
    return text.replace(change.was, change.to)


def content_of(context: Context, fault: Fault, result: Result) -> str:
    """Return the hash of a result for the present design; empty if the job does not exist.

    A detected fault stays detected as long as the fault, its modules and the job do not change;
    other tests check that the rest of the design still behaves the same. A fault that survived a
    list may be detected as soon as anything in the builds changes.

    Raises:
        UsageError: the list does not exist.
    """
    if result.outcome == SURVIVED:
        return content(fault, jobs_for(context, fault, result.against), whole=True)
    found = [planned for planned in plan(context, result.against) if planned.id == result.job]
    return content(fault, found, whole=False) if found else ""


def _check_first(call: Call, missing: Missing) -> None:
    if not call.first:
        return
    known = {
        job.id
        for name, lists in missing
        for against in lists
        for job in jobs_for(call.context, faults()[name], against)
    }
    for pattern in call.first:
        if not fnmatch.filter(known, pattern):
            some = f"; one of them is {min(known)!r}" if known else ""
            raise UsageError(f"--first {pattern}: none of {len(known)} jobs has this name{some}")


def markdown(
    source: Source,
    results: Sequence[Result],
    stale: Collection[str],
    first: Collection[str] = (),
) -> str:
    """Return the tables of the page; ``first``: faults that the short list detects, too."""
    ends, every = last(results), faults()
    lines = [f"{source.summary(results, len(every), stale)}.", ""]
    lines += ["| Why it may survive | Faults | Found | Found by |", "| --- | ---: | ---: | --- |"]
    for reason, why in REASONS.items():
        of_it = [name for name, fault in every.items() if fault.hides == reason]
        found = [ends[n] for n in of_it if n in ends and ends[n].outcome == DETECTED]
        lists = dict.fromkeys(one.against for one in found)
        by = ", ".join(f"{name} {sum(one.against == name for one in found)}" for name in lists)
        lines.append(f"| {why} | {len(of_it)} | {len(found)} | {by} |")
    lines += first_list_table(groups(), ends, first)
    for name, group in groups().items():
        lines += ["", f"### {name}: {group.says}", ""]
        lines += ["| Fault | Comes from | On | Found by | After | At | It says |"]
        lines += ["| --- | --- | --- | --- | ---: | --- | --- |"]
        lines += [_row(fault, ends.get(fault.name), fault.name in stale) for fault in group.faults]
    return "\n".join(lines)


def _row(fault: Fault, result: Result | None, stale: bool) -> str:
    cells = [f"`{fault.name}`: {fault.says}", fault.origin, fault.on]
    return row([*cells, *verdict_cells(result, stale)])


def verdict_cells(result: Result | None, stale: bool) -> list[str]:
    """Return the cells of a table: the job that found a fault, the jobs before it, the commit."""
    if result is None:
        return ["not tried", "", "", ""]
    found = result.outcome == DETECTED
    by = (
        f"{result.against}: `{result.job}`" if found else f"**{result.outcome}** ({result.against})"
    )
    after = f"{result.seconds:.0f} s" + (f", {result.jobs} jobs" if result.jobs else "")
    text = re.sub(r"\s+", " ", result.message).replace("<", "&lt;").replace("*", "\\*")
    if len(text) > MESSAGE_CHARACTERS:
        text = text[:MESSAGE_CHARACTERS] + " …"
    return [by, after, result.commit + (" †" if stale else ""), text]


def row(cells: Iterable[str]) -> str:
    """Return a row of a table in Markdown."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
