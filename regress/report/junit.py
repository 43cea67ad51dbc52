"""JUnit XML for CI systems."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from junitparser import Attr, Error, Failure, JUnitXml, Properties, Property, Skipped
from junitparser import TestCase as Case
from junitparser import TestSuite as Suite

from regress.cases import Case as JobCase
from regress.cases import CaseStatus
from regress.formats.files import write_text
from regress.jobrecord import Bucket, JobRecord
from regress.project import project
from regress.record import RunRecord
from regress.report.tables import bucket_note, bucket_title
from regress.runfile import Status

JUNIT_FILE = "junit.xml"
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
Locate = Callable[[str], tuple[str, int]]
KINDS = {
    Status.FAILED: Failure,
    Status.BUILD_ERROR: Error,
    Status.INTERRUPTED: Error,
    Status.EXPECTED_FAILURE: Skipped,
    Status.SKIPPED: Skipped,
    Status.NOT_RUN: Skipped,
}


def write_junit(record: RunRecord) -> Path:
    """Write a suite for each subject, one for the goals and one for the disagreements.

    A job is a test case, and so is each case of a job. The type of a failure is its bucket, by
    which CI systems sort failures; a job that failed as expected counts as skipped.

    Raises:
        OSError: it cannot be written.
    """
    # Every job of a test is at the same place.
    locate = cache(location_of_test)
    kinds = {job.planned.id: bucket for bucket in record.buckets for job in bucket.jobs}
    parts = {
        (found.record.planned.id, found.case.name): bucket
        for bucket in record.buckets
        for found in bucket.cases
    }
    cases: dict[str, list[Case]] = {}
    for job in record.jobs:
        suite_cases = cases.setdefault(job.planned.job.subject, [])
        suite_cases.append(_case(job, locate, kinds))
    for found in record.cases:
        suite_cases = cases[found.record.planned.job.subject]
        suite_cases.append(_part(found.record, found.case, locate, parts))
    if record.goals or record.problems_of_coverage:
        cases["coverage"] = _coverage(record)
    if record.compared or record.disagreements:
        cases["simulators"] = _disagreements(record, locate)
    xml = JUnitXml(record.plan.name)
    for name, found in cases.items():
        suite = Suite(name)
        suite.timestamp = record.plan.started.isoformat(timespec="seconds")
        # One by one they would be counted anew each time.
        suite.add_testcases(found)
        xml.add_testsuite(suite)
    xml.update_statistics()
    path = record.folder / JUNIT_FILE
    # The library's own indentation takes ten times as long.
    root = ElementTree.fromstring(xml.tostring())
    ElementTree.indent(root, " ")
    write_text(path, ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n")
    return path


class _LocatedCase(Case):
    file = Attr()
    line = Attr()


def _located(name: str, classname: str, test: str, locate: Locate) -> Case:
    case = _LocatedCase(name, classname=classname)
    file, line = locate(test)
    case.file, case.line = file, str(line)
    return case


def _case(record: JobRecord, locate: Locate, kinds: Mapping[str, Bucket]) -> Case:
    job = record.planned.job
    case = _located(record.planned.id, f"{job.subject}.{job.test}", job.test, locate)
    case.time = record.seconds
    bucket = kinds.get(record.planned.id)
    lost = "; ".join(record.lost)
    _add_properties(case, {"seed": str(job.seed), **_said(bucket), "lost attempts": lost})
    if record.status in KINDS:
        name = bucket_title(bucket) if bucket else record.status.value
        case.result = [KINDS[record.status](_printable(record.message), _printable(name))]
    if record.log:
        case.system_out = f"log: {record.log}"
    return case


def _part(
    record: JobRecord, case: JobCase, locate: Locate, kinds: Mapping[tuple[str, str], Bucket]
) -> Case:
    """A case of a job: its name first, by which it is looked for."""
    job = record.planned.job
    name = f"{case.name} [{record.planned.id}]"
    part = _located(_printable(name), f"{job.subject}.{job.test}.cases", job.test, locate)
    bucket = kinds.get((record.planned.id, case.name))
    _add_properties(part, _said(bucket) or {"note": case.note})
    if case.status is CaseStatus.FAILED:
        title = bucket_title(bucket) if bucket else case.status.value
        part.result = [Failure(_printable(case.message), _printable(title))]
    elif case.status is CaseStatus.NOT_RUN:
        part.result = [Skipped(_printable(f"not run: {record.message}"), case.status.value)]
    return part


def _said(bucket: Bucket | None) -> dict[str, str]:
    """What the bucket of a failure says about it."""
    if bucket is None:
        return {}
    return {"bucket": bucket_title(bucket), "command": bucket.command, "note": bucket_note(bucket)}


def _add_properties(case: Case, properties: Mapping[str, str]) -> None:
    element = Properties()
    for name, value in properties.items():
        if value:
            element.add_property(Property(name, _printable(value)))
    case.append(element)


def _coverage(record: RunRecord) -> list[Case]:
    """One case for each goal, and one for each problem."""
    cases = []
    for goal in record.goals:
        case = Case(f"{goal.subject}-{goal.group}", classname="coverage.goals")
        if not goal.met:
            case.result = [Failure(_printable(goal.message), "goal not met")]
        cases.append(case)
    for line in record.problems_of_coverage:
        case = Case(_printable(line), classname="coverage.problems")
        case.result = [Failure(_printable(line), "problem of coverage")]
        cases.append(case)
    return cases


def _disagreements(record: RunRecord, locate: Locate) -> list[Case]:
    """One case for each pair of jobs that differ, and one for all pairs that agree."""
    cases: list[Case] = []
    jobs = {job.planned.id: job.planned.job for job in record.jobs}
    for item in record.disagreements:
        test = jobs[item.jobs[0]].test
        case = _located(" and ".join(item.jobs), f"simulators.{test}", test, locate)
        case.result = [Failure(_printable(item.message), "simulators disagree")]
        cases.append(case)
    agree = record.compared - len(record.disagreements)
    if agree > 0:
        cases.append(Case(f"{agree} pairs of jobs agree", classname="simulators.agree"))
    return cases


def _printable(text: str) -> str:
    """XML has no place for control characters, which a crashing tool may well print."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def location_of_test(test: str) -> tuple[str, int]:
    """Path relative to the project, and line.

    The module is read, not imported: it belongs into a simulator.
    """
    wanted = project().tests[test]
    spec = find_spec(wanted.module)
    if spec is None or spec.origin is None:
        return wanted.module, 1
    path = Path(spec.origin)
    lines = (
        node.lineno
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, DEFINITIONS) and node.name == wanted.name
    )
    root = project().root
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    return str(shown), next(lines, 1)
