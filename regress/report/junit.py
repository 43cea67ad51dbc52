"""JUnit XML for CI systems."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from junitparser import Attr, Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from regress.catalogue import location_of_test
from regress.record import JobRecord, RunRecord, Status

JUNIT_FILE = "junit.xml"


def write_junit(record: RunRecord) -> Path:
    """Write one suite for each architecture and one test case for each job."""
    # Every job of a test is at the same place.
    locate = cache(location_of_test)
    suites: dict[str, TestSuite] = {}
    for job in record.jobs:
        name = job.planned.job.architecture
        suites.setdefault(name, TestSuite(name)).add_testcase(_case(job, locate))
    if record.goals:
        suites["coverage"] = _goals(record)
    xml = JUnitXml(record.name)
    for suite in suites.values():
        suite.timestamp = record.started.isoformat(timespec="seconds")
        suite.update_statistics()
        xml.add_testsuite(suite)
    xml.update_statistics()
    path = record.folder / JUNIT_FILE
    xml.write(str(path), pretty=True)
    return path


class _LocatedCase(TestCase):
    """A test case that says where its test is written."""

    file = Attr()
    line = Attr()


def _case(record: JobRecord, locate: Callable[[str], tuple[str, int]]) -> TestCase:
    job = record.planned.job
    case = _LocatedCase(
        record.planned.id, classname=f"{job.architecture}.{job.test}", time=record.seconds
    )
    file, line = locate(job.test)
    case.file, case.line = file, str(line)
    kinds = {
        Status.FAILED: Failure,
        Status.BUILD_ERROR: Error,
        Status.INTERRUPTED: Error,
        Status.SKIPPED: Skipped,
    }
    if record.status in kinds:
        case.result = [kinds[record.status](_printable(record.message), record.status.value)]
    if record.log:
        case.system_out = f"log: {record.log}"
    return case


def _goals(record: RunRecord) -> TestSuite:
    suite = TestSuite("coverage")
    for goal in record.goals:
        case = TestCase(f"{goal.architecture}-{goal.group}", classname="coverage.goals")
        if not goal.met:
            case.result = [Failure(_printable(goal.message), "goal not met")]
        suite.add_testcase(case)
    return suite


def _printable(text: str) -> str:
    """XML has no place for control characters, which a crashing tool may well print."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
