"""The engine: runs the faults without a valid verdict, records the verdicts and reports them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from regress.cli.options import Call, common, executor_from
from regress.cli.session import execute, load, resume
from regress.core.errors import UsageError
from regress.core.plan import Plan
from regress.core.runfile import Status
from regress.core.terminal import FAILED, INTERRUPTED, PASSED, say
from regress.run.record import RunRecord, command_line
from verif.faults.campaign.record import (
    DECIDED,
    DETECTED,
    FINAL,
    UNDECIDED,
    Result,
    add_results,
    last,
    measured_commit,
    read_results,
)
from verif.faults.campaign.source import Source
from verif.library.marked import write_table

DESIGNS_FOLDER, BUILDS_FOLDER, BASELINE = "designs", "simulations", "baseline"
# Options of a run: the commit that a campaign measures, and its source.
COMMIT, SOURCE = "faults", "source"
APART = "changes of the design"


class Campaign:
    """One call of the command.

    Args:
        source: where the faults come from.
        call: the command line.
    """

    def __init__(self, source: Source, call: Call) -> None:
        self._source = source
        self._call = call
        self._path: Path = call.record or source.record(call)

    @cached_property
    def _chosen(self) -> Mapping[str, str]:
        found = dict(self._source.chosen(self._call))
        if not found:
            raise UsageError(f"no {self._source.noun} are selected")
        return found

    def run(self) -> int:
        """Try the faults, or only list or report them; return FAILED if one was not found."""
        call, source = self._call, self._source
        if call.show:
            for line in source.listed(call, self._chosen):
                call.console.print(line, soft_wrap=True, markup=False)
            return PASSED
        chosen = self._chosen
        interrupted = not call.report and self._run()
        known = source.known(call)
        recorded = [one for one in read_results(self._path) if one.fault in known]
        stale = {one.fault for one in last(recorded).values() if not self.holds(one)}
        self._show(chosen, recorded, stale)
        if call.write:
            write_table(call.write, source.markdown(call, recorded, stale), source.table)
        if interrupted:
            return INTERRUPTED
        ends = last(recorded)
        found = all(name in ends and ends[name].outcome in source.good for name in chosen)
        return PASSED if found else FAILED

    def holds(self, result: Result) -> bool:
        """Return True if a result is decided and a new one would be the same."""
        if result.outcome not in DECIDED or not result.content:
            return False
        try:
            return self._source.content(self._call, result) == result.content
        except UsageError:  # the list no longer exists
            return False

    def _run(self) -> bool:
        """Run the missing trials and record them; return True if interrupted."""
        call, source, problems = self._call, self._source, []
        if call.resume:
            record: RunRecord | None = self._resumed()
            found = list(source.results(record)) if record else []
        else:
            record, found = self._executed()
        commit = measured_commit(but=self._path)
        if record:
            commit = record.plan.options[COMMIT]
            found, problems = self.checked(found, record, commit)
            if not call.keep and not record.interrupted:
                for name in (DESIGNS_FOLDER, BUILDS_FOLDER):
                    shutil.rmtree(record.folder / name, ignore_errors=True)
        known = source.known(call)
        whole = [
            one.model_copy(update={"commit": commit, "content": source.content(call, one)})
            for one in found
            if one.fault in known
        ]
        add_results(self._path, whole)
        for number, one in enumerate(whole, 1):
            say(call.console, _line(one, number, len(whole)))
        say(call.console, f"record: {self._path}")
        if record:
            say(call.console, f"report: {record.folder}/report.html")
        if problems:
            raise UsageError(*problems)
        return bool(record and record.interrupted)

    def _missing(self) -> list[tuple[str, list[str]]]:
        """Return the faults with what to run on each, until something finds the fault."""
        call = self._call
        known = {(one.fault, one.against): one for one in read_results(self._path)}
        missing = []
        for fault in self._chosen:
            wanted = []
            for name in self._source.against(call, fault):
                result = known.get((fault, name))
                if call.again or result is None or not self.holds(result):
                    wanted.append(name)
                elif result.outcome in FINAL:
                    break
            if wanted:
                missing.append((fault, wanted))
        return missing

    def _executed(self) -> tuple[RunRecord | None, list[Result]]:
        """Run the jobs of all trials; return the run, if there are jobs, and the results."""
        call, source = self._call, self._source
        out = call.out or call.workspace.runs / f"{source.name}-{datetime.now():%Y%m%d-%H%M%S}"
        out = out.absolute()
        if (out / DESIGNS_FOLDER).exists():
            raise UsageError(f"{out} holds a run already; --resume {out}, or another --out")
        missing = self._missing()
        jobs = source.jobs(call, missing, out / DESIGNS_FOLDER) if missing else []
        found = list(source.decided(call, missing))
        if not jobs:
            return None, found
        record = self._execute(
            out,
            name=source.name,
            description=f"{len(missing)} {source.noun}",
            command=command_line(call.argv),
            options={COMMIT: measured_commit(but=self._path), SOURCE: source.name},
            jobs=tuple(jobs),
            budget=call.budget,
        )
        return record, [*found, *source.results(record)]

    def _execute(self, out: Path, **asked: Any) -> RunRecord:
        plan = Plan(waves=False, apart=APART, **asked)
        workspace = self._source.workspace(self._call)
        if out.name != BASELINE:  # builds of the unchanged design serve other runs, too
            workspace = replace(workspace, builds=out / BUILDS_FOLDER)
        places = {**common(self._call), "workspace": workspace, "out": out}
        return execute(plan, explicit_simulators=False, **places)

    def _resumed(self) -> RunRecord:
        """Run the remaining jobs of a run; a finished run is only loaded."""
        call, now = self._call, measured_commit(but=self._path)
        folder = call.resume.absolute()
        asked = Plan.read(call.context, folder)
        if asked.options.get(SOURCE) != self._source.name:
            raise UsageError(f"{call.resume}: no run of {self._source.noun}")
        if asked.options[COMMIT] != now:
            raise UsageError(
                f"{call.resume} is of {asked.options[COMMIT]}, this is {now}: begin anew"
            )
        folders = {Path(planned.job.hdl) for planned in asked.jobs if planned.job.hdl}
        self._source.restore(call, [one for one in folders if not one.exists()])
        record = load(call.context, folder)
        if record.finished and not record.stopped:
            return record
        workspace = replace(self._source.workspace(call), builds=folder / BUILDS_FOLDER)
        return resume(folder, call.jobs, workspace, call.console, executor_from(call))

    def checked(
        self, found: Sequence[Result], record: RunRecord, commit: str
    ) -> tuple[list[Result], list[str]]:
        """Run the jobs that detected a fault on the unchanged design, except jobs known to pass.

        Returns:
            (results, messages). A result becomes undecided if its job did not end. A result is left
            out if its job also fails without the fault, because then the failure means nothing;
            ``messages`` has a line for each of these jobs.
        """
        by_id = self._source.untouched(self._call, found)
        if commit[-1] != "+":
            # Jobs that found another fault at this commit already passed without a fault.
            for one in read_results(self._path):
                if (one.outcome, one.commit) == (DETECTED, commit):
                    by_id.pop(one.job, None)
        if not by_id:
            return list(found), []
        if record.interrupted:
            return [one for one in found if one.job not in by_id], []
        out = record.folder / BASELINE
        shutil.rmtree(out, ignore_errors=True)
        ended = self._execute(
            out, name=self._source.name, description="without a fault", jobs=tuple(by_id.values())
        )
        jobs = {job.planned.id: job for job in ended.jobs}
        good, problems = [], []
        for one in found:
            job = jobs.get(one.job)
            if not job or job.status is Status.PASSED:
                good.append(one)
            elif job.status is Status.INTERRUPTED:
                continue  # --resume runs it
            elif job.status is not Status.FAILED or job.message.startswith("timed out"):
                message = f"{one.job} without the fault: {job.message}"
                good.append(one.model_copy(update={"outcome": UNDECIDED, "message": message}))
            else:
                problems.append(f"{one.job} fails without a fault, too: {job.message}")
        return good, problems

    def _show(
        self, chosen: Mapping[str, str], results: Sequence[Result], stale: Collection[str]
    ) -> None:
        """Print each selected fault that was tried and not found, and a summary."""
        call, source = self._call, self._source
        ends = {name: one for name, one in last(results).items() if name in chosen}
        table = Table(title="not detected")
        for column in ("fault", "against", "outcome", "jobs", "what is wrong"):
            table.add_column(column)
        for name, says in chosen.items():
            one = ends.get(name)
            if one and one.outcome not in source.good:
                why = f"{says} ({one.message})" if one.message else says
                table.add_row(*map(escape, (name, one.against, one.outcome, str(one.jobs), why)))
        if table.row_count:
            call.console.print(table)
        mine = [one for one in results if one.fault in chosen]
        summary = source.summary(mine, len(chosen), stale)
        call.console.print(summary, soft_wrap=True, markup=False)


def shuffled(names: Sequence[str], seed: int | None) -> list[str]:
    """Return names in an order chosen by a seed; unchanged without one."""
    found = list(names)
    if seed is not None:
        random.Random(seed).shuffle(found)
    return found


def _line(one: Result, number: int, total: int) -> str:
    by = f" by {one.job}" if one.job else f", {one.jobs} jobs"
    return (
        f"[{number}/{total}] {one.outcome}  {one.fault}  {one.against}{by}  "
        f"{one.seconds:.0f} s  {one.message}"
    )
