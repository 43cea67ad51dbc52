"""Coverage tables: complete groups, holes with the tests that reach them, and exclusions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regress.core.runfile import Score
from regress.coverage.code import KINDS, CodeCoverage, Sources
from regress.coverage.functional import Group, goal_hits
from regress.coverage.holes import find_holes
from regress.report.tables import percent_text
from regress.run.reaching import reach_command
from regress.run.record import RunRecord


@dataclass(frozen=True)
class SubjectCoverage:
    """The coverage groups of one subject by name.

    Attributes:
        incomplete: groups whose goal was not reached.
        complete: groups whose goal was reached.
        observed: groups without a goal.
    """

    subject: str
    score: Score
    incomplete: Mapping[str, Group]
    complete: Mapping[str, Group]
    observed: Mapping[str, Group]


def subject_coverage(record: RunRecord) -> list[SubjectCoverage]:
    """Return the coverage of each subject that has groups, incomplete subjects first."""
    found = []
    for subject, groups in sorted(record.coverage.items()):
        if not groups:
            continue
        parts: list[dict[str, Group]] = [{}, {}, {}]
        for name, group in sorted(groups.items()):
            parts[2 if not group.goal else not group.missing][name] = group
        found.append(SubjectCoverage(subject, goal_hits({subject: groups}), *parts))
    return sorted(found, key=lambda entry: not entry.incomplete)


def hole_groups(record: RunRecord) -> list[tuple[str, str, str, str, list[str]]]:
    """Return the holes of a run.

    Returns:
        (subject, group, tests that reach them, command that runs these tests, bins).
    """
    found: dict[tuple[str, str, str, str], list[str]] = {}
    planned = [job.planned for job in record.jobs]
    for hole in find_holes(
        record.project, record.coverage, {}, [job.planned.job for job in record.jobs]
    ):
        tests = ", ".join(hole.tests) or "no known test"
        reached_by = f"{tests}; {hole.note}" if hole.note else tests
        command = reach_command(
            record.project, record.plan.source, planned, hole.subject, hole.tests
        )
        key = (hole.subject, hole.group, reached_by, command)
        found.setdefault(key, []).append(hole.bin)
    return [(*key, bins) for key, bins in found.items()]


@dataclass(frozen=True)
class CodeFile:
    """Code coverage of one source file.

    Attributes:
        holes: relevant points that were not hit, one line each.
    """

    path: str
    scores: Mapping[str, Score]
    holes: Sequence[str]


def code_files(record: RunRecord) -> list[CodeFile]:
    """Return the code coverage by source file over all subjects; empty if not measured."""
    if not record.code:
        return []
    code = CodeCoverage.merged(record.code.values())
    hits: dict[tuple[str, str], list[int]] = defaultdict(list)
    for point in code.points():
        hits[point.file, point.kind].append(code.hits[point])
    sources = Sources(record.project, record.plan.hdl)
    missing: dict[str, list[str]] = defaultdict(list)
    for point in code.holes():
        text = sources.text(point)
        missing[point.file].append(f"line {point.line}, {point.kind} {point.name}: {text}")
    return [
        CodeFile(
            path=file,
            scores={
                kind: Score(sum(1 for count in found if count), len(found))
                for kind in KINDS
                if (found := hits[file, kind])
            },
            holes=missing[file],
        )
        for file in code.files
    ]


def closure_titles(record: RunRecord) -> str:
    """Return the columns of :func:`closure_rows`; see :func:`regress.report.tables.headings`."""
    return f"{record.project.subject.title},Jobs#,Operations#,Time of the jobs#,Required bins#"


def closure_rows(record: RunRecord) -> list[list[str]]:
    """Return the effort each subject needed for all its hits; empty without --until-coverage."""
    if not record.target:
        return []
    return [
        [
            entry.subject, str(entry.jobs), str(entry.operations),
            f"{entry.seconds:.0f} s", f"{entry.hit} of {entry.total}",
        ]
        for entry in record.target.closures()
    ]  # fmt: skip


def code_text(record: RunRecord) -> str:
    """Return the code coverage of the whole run in one line; empty if not measured."""
    if not record.code:
        return ""
    code = CodeCoverage.merged(record.code.values())
    return ", ".join(
        f"{score.hit} of {score.total} {kind} points ({percent_text(score.percent)})"
        for kind in KINDS
        if (score := code.score(kind)).total
    )


def exclusion_rows(record: RunRecord) -> list[tuple[str, str, str]]:
    """Return the exclusions of a run as (excluded item, reason, file and line)."""
    found = record.exclusions
    excused = [*found.bins, *found.code]
    return [(one.label, one.why, f"{found.path.name}:{line}") for line, one in excused]
