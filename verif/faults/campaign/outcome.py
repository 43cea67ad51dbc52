"""Results of a run of a campaign."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from regress.core.cases import Case, CaseStatus
from regress.core.jobrecord import JobRecord
from regress.core.runfile import Status
from regress.run.record import RunRecord
from verif.faults.campaign.chain import Asked
from verif.faults.campaign.record import (
    BROKEN,
    DETECTED,
    MESSAGE_CHARACTERS,
    NOT_FINISHED,
    SURVIVED,
    UNDECIDED,
    Result,
)

Fields = dict[str, Any]


def results(record: RunRecord) -> Iterator[Result]:
    """Yield the results of a run, without those that it did not finish."""
    building = {build.point: build.seconds for build in record.builds}
    for chain in _chains(record):
        given = chain[0][1].planned.job.cases
        for against, some in groupby(chain, key=lambda pair: pair[0].against):
            jobs = list(some)
            found = [{case.name: case for case in job.cases} for _, job in jobs]
            ran = [job for _, job in jobs if job.folder]
            points = {job.planned.point for job in ran}
            wall = sum(building.get(point, 0.0) for point in points)
            wall += sum(job.seconds for job in ran)
            for name in (str(case["name"]) for case in given):
                mine = [cases.get(name) for cases in found]
                fields = _outcome(jobs, mine, against)
                if not fields:
                    continue
                facts = next((case.facts for case in reversed(mine) if case and case.facts), {})
                yield Result(
                    fault=name,
                    against=against,
                    seconds=round(wall if len(given) == 1 else facts.get("seconds", 0.0), 2),
                    jobs=sum(case is not None and bool(job.folder)
                             for case, (_, job) in zip(mine, jobs, strict=True)),
                    **fields,
                )  # fmt: skip


def _chains(record: RunRecord) -> list[list[tuple[Asked, JobRecord]]]:
    first: dict[str, str] = {}
    chains: dict[str, list[tuple[Asked, JobRecord]]] = {}
    for job in record.jobs:
        planned = job.planned
        if asked := Asked.of(planned.job):
            root = first[planned.id] = first.get(planned.after, planned.id)
            chains.setdefault(root, []).append((asked, job))
    return list(chains.values())


def _outcome(
    jobs: Sequence[tuple[Asked, JobRecord]], cases: Sequence[Case | None], against: str
) -> Fields:
    """Return the fields of a fault's result against one list; empty if they did not end."""
    records = [job for _, job in jobs]
    for (asked, _), case in zip(jobs, cases, strict=True):
        if case and case.status is CaseStatus.PASSED:
            outcome = case.facts.get("outcome", DETECTED)
            job = asked.job if outcome == DETECTED else ""
            failures = (_named(text, records) for text in case.facts.get("failures", ()))
            return {
                "outcome": outcome, "job": job, "message": _named(case.note, records),
                "failures": tuple(text[:MESSAGE_CHARACTERS] for text in failures),
            }  # fmt: skip
    if message := _said(records, "build failed"):
        return {"outcome": BROKEN, "message": _named(message, records)}
    if not any(job.folder for job in records):
        return {}  # another list found it, or the run was interrupted
    if message := _said(records, "the entry's time budget"):
        return {"outcome": NOT_FINISHED, "message": message}
    if any(job.status in (Status.INTERRUPTED, Status.NOT_RUN) for job in records):
        return {}
    ended = [case for case in cases if case]
    late = [text for case in ended for of, text in case.facts.get("undecided", ()) if of == against]
    lost = [job.message for job in records if _lost(job)]
    if lost or late or not ended:
        return {"outcome": UNDECIDED, "message": [*lost, *late, ""][0]}
    final = ended[-1]
    outcome, message = final.facts.get("outcome", SURVIVED), final.facts.get("why", "")
    # The facts accumulate: each job also has those of the jobs before it.
    if same := list(final.facts.get("without", ())).count(against):
        message = message or f"{same} of {len(jobs)} jobs are on builds that do not have it"
    return {"outcome": outcome, "message": message}


def _named(message: str, jobs: Sequence[JobRecord]) -> str:
    """Return a message that names files in the design, without the folder of the temporary copy."""
    folder = jobs[0].planned.job.hdl
    if not folder:  # the job is of no altered design
        return message
    # A message names files from the root or from the working directory.
    for name in (folder, os.path.relpath(folder)):
        message = message.replace(f"{name}/", "")
    return message


def _said(jobs: Sequence[JobRecord], begin: str) -> str:
    """Return the first message of a job not run that starts with ``begin``."""
    found = (job.message for job in jobs if job.status is Status.NOT_RUN)
    return next((message for message in found if message.startswith(begin)), "")


def _lost(job: JobRecord) -> bool:
    """Return True if a job failed for a reason other than its faults: it has no verdict on them."""
    statuses = {case.status for case in job.cases}
    failed = job.status is Status.FAILED and CaseStatus.FAILED not in statuses
    crashed = bool(job.folder) and CaseStatus.NOT_RUN in statuses
    return failed or crashed or job.status is Status.BUILD_ERROR
