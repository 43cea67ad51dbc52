"""JUnit XML for CI systems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from junitparser import Attr, Error, Failure, JUnitXml, Properties, Property, Skipped
from junitparser import TestCase as Case
from junitparser import TestSuite as Suite

from regress.core.cases import CaseStatus
from regress.core.formats.files import write_text
from regress.core.jobfile import Job
from regress.core.jobrecord import Bucket, JobCase, JobRecord
from regress.core.plan import Plan
from regress.core.project import Project
from regress.core.runfile import Status
from regress.report.tables import bucket_note
from regress.run.record import RunRecord
from regress.run.reruns import command_of

JUNIT_FILE = "junit.xml"
# Buckets by job id and case name; the case name is empty for the whole job.
Buckets = Mapping[tuple[str, str], Bucket]
KINDS = {
    Status.FAILED: Failure,
    Status.BUILD_ERROR: Error,
    Status.INTERRUPTED: Error,
    Status.EXPECTED_FAILURE: Skipped,
    Status.SKIPPED: Skipped,
    Status.NOT_RUN: Skipped,
}


def write_junit(record: RunRecord) -> Path:
    """Write one suite for each subject, one for the goals and one for the disagreements.

    Each job is a test case, and so is each case of a job. The type of a failure is its bucket, so
    that CI systems group failures by it. A job that failed as expected counts as skipped.

    Raises:
        OSError: the file cannot be written.
    """
    buckets: dict[tuple[str, str], Bucket] = {}
    for bucket in record.buckets:
        buckets |= {(job.planned.id, ""): bucket for job in bucket.jobs}
        buckets |= {it.place: bucket for it in bucket.cases}
    suites: dict[str, list[Case]] = {}
    for job in record.jobs:
        case = _job(record.project, record.plan, job, buckets)
        suites.setdefault(job.planned.job.subject, []).append(case)
    for found in record.cases:
        suites[found.record.planned.job.subject].append(_part(record.project, found, buckets))
    suites |= {"coverage": list(_coverage(record)), "simulators": list(_disagreements(record))}
    xml = JUnitXml(record.plan.name)
    for name, cases in suites.items():
        suite = Suite(name)
        suite.timestamp = record.plan.started.isoformat(timespec="seconds")
        # Add all cases at once: each call counts the whole suite again.
        suite.add_testcases(cases)
        if cases:
            xml.add_testsuite(suite)
    xml.update_statistics()
    path = record.folder / JUNIT_FILE
    # Indent here, because the library's own indentation takes ten times as long.
    root = ElementTree.fromstring(xml.tostring())
    ElementTree.indent(root, " ")
    write_text(path, ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n")
    return path


class _LocatedCase(Case):
    file = Attr()
    line = Attr()


def _case(
    name: str, classname: str, place: tuple[str, str] | None = None, **properties: str
) -> Case:
    """Make a test case with the non-empty properties; for a job, with the location of its test."""
    case = _LocatedCase(_printable(name), classname=classname)
    if place:
        case.file, case.line = place
    known = Properties()
    for key, value in properties.items():
        if value:
            known.add_property(Property(key.replace("_", " "), _printable(value)))
    case.append(known)
    return case


def _ends(case: Case, kind: type, message: str, title: str, body: str = "") -> Case:
    result = kind(_printable(message), _printable(title))
    if body:
        result.text = "\n".join(map(_printable, body.splitlines()))
    case.result = [result]
    return case


def _place(project: Project, job: Job) -> tuple[str, str]:
    test = project.tests[job.test]
    if test.place:
        file, _, line = test.place.rpartition(":")
        return file, line
    return _place_of(test.module, test.name, project.root)


def _job(project: Project, plan: Plan, record: JobRecord, buckets: Buckets) -> Case:
    job, bucket = record.planned.job, buckets.get((record.planned.id, ""))
    said = {"seed": str(job.seed), **_said(bucket), "lost_attempts": "; ".join(record.lost)}
    said["warning"] = record.warning
    if bucket and record is not bucket.record:
        said["command"] = command_of(project, record, plan)
    case = _case(record.planned.id, f"{job.subject}.{job.test}", _place(project, job), **said)
    case.time = record.seconds
    if record.status in KINDS:
        title = bucket.key if bucket else record.status.value
        _ends(case, KINDS[record.status], record.message, title, record.details)
    if record.log:
        case.system_out = f"log: {record.log}"
    return case


def _part(project: Project, found: JobCase, buckets: Buckets) -> Case:
    """Make the test case for a case of a job. The case name comes first: users search for it."""
    planned, case = found.record.planned, found.case
    bucket = buckets.get(found.place)
    classname = f"{planned.job.subject}.{planned.job.test}.cases"
    said = _said(bucket) or {"note": case.note}
    part = _case(f"{case.name} [{planned.id}]", classname, _place(project, planned.job), **said)
    if case.status is CaseStatus.FAILED:
        _ends(part, Failure, case.message, bucket.key if bucket else case.status.value)
    elif case.status is CaseStatus.NOT_RUN:
        _ends(part, Skipped, f"not run: {found.record.message}", case.status.value)
    return part


def _said(bucket: Bucket | None) -> dict[str, str]:
    """Return the properties that describe the bucket of a failure."""
    if bucket is None:
        return {}
    return {"bucket": bucket.key, "command": bucket.command, "note": bucket_note(bucket)}


def _coverage(record: RunRecord) -> Iterator[Case]:
    """Yield one test case for each goal and one for each coverage problem."""
    for goal in record.goals:
        case = _case(f"{goal.subject}-{goal.group}", "coverage.goals")
        yield case if goal.met else _ends(case, Failure, goal.message, "goal not met")
    for line in record.problems_of_coverage:
        yield _ends(_case(line, "coverage.problems"), Failure, line, "problem of coverage")


def _disagreements(record: RunRecord) -> Iterator[Case]:
    """Yield one test case for each pair of jobs that differ, and one for all pairs that agree."""
    jobs = {job.planned.id: job.planned.job for job in record.jobs}
    for item in record.disagreements:
        job = jobs[item.jobs[0]]
        case = _case(" and ".join(item.jobs), f"simulators.{job.test}", _place(record.project, job))
        yield _ends(case, Failure, item.message, "simulators disagree")
    agree = record.compared - len(record.disagreements)
    if agree > 0:
        yield _case(f"{agree} pairs of jobs agree", "simulators.agree")


def _printable(text: str) -> str:
    """Replace control characters: XML forbids them, but a crashing tool may print them."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


@cache
def _place_of(module: str, test: str, root: Path) -> tuple[str, str]:
    """Return path and line of a test; the path is relative to ``root`` if it is below ``root``.

    The module is read and not imported, because it runs only in a simulator.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return module, "1"
    path = Path(spec.origin)
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"^(async def|def|class) {test}\b", text, re.MULTILINE)
    line = text.count("\n", 0, found.start()) + 1 if found else 1
    return str(path.relative_to(root) if path.is_relative_to(root) else path), str(line)
