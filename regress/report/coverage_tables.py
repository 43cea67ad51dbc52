"""Coverage as rows: what is complete, what is missing and what reaches it, what is excluded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regress.core.runfile import Score
from regress.coverage.code import KINDS, CodeCoverage, Sources
from regress.coverage.functional import Group, goal_hits
from regress.coverage.holes import find_holes
from regress.report.tables import percent_text
from regress.run.record import RunRecord


@dataclass(frozen=True)
class SubjectCoverage:
    """The coverage of one subject: its groups by name.

    Attributes:
        incomplete: groups with a goal that was not reached.
        complete: groups with a goal that was reached.
        observed: groups without a goal.
    """

    subject: str
    score: Score
    incomplete: Mapping[str, Group]
    complete: Mapping[str, Group]
    observed: Mapping[str, Group]


def subject_coverage(record: RunRecord) -> list[SubjectCoverage]:
    """Coverage by subject, the incomplete ones first."""
    found = []
    for subject, groups in sorted(record.coverage.items()):
        parts: list[dict[str, Group]] = [{}, {}, {}]
        for name, group in sorted(groups.items()):
            parts[2 if not group.goal else not group.missing][name] = group
        found.append(SubjectCoverage(subject, goal_hits({subject: groups}), *parts))
    return sorted(found, key=lambda entry: not entry.incomplete)


def hole_groups(record: RunRecord) -> list[tuple[str, str, str, list[str]]]:
    """The holes of a run as (subject, group, what reaches them, their bins)."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for hole in find_holes(
        record.project, record.coverage, {}, [job.planned.job for job in record.jobs]
    ):
        tests = ", ".join(hole.tests) or "no known test"
        reached_by = f"{tests}; {hole.note}" if hole.note else tests
        found.setdefault((hole.subject, hole.group, reached_by), []).append(hole.bin)
    return [(*key, bins) for key, bins in found.items()]


@dataclass(frozen=True)
class CodeFile:
    """Code coverage of one source file.

    Attributes:
        holes: what was not hit and counts, one line each.
    """

    path: str
    scores: Mapping[str, Score]
    holes: Sequence[str]


def code_files(record: RunRecord) -> list[CodeFile]:
    """Code coverage by source file, over all subjects; none if it was not measured."""
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
    """Columns of :func:`closure_rows`; see :func:`regress.report.tables.headings`."""
    return f"{record.project.subject.title},Jobs#,Operations#,Time of the jobs#,Goal bins#"


def closure_rows(record: RunRecord) -> list[list[str]]:
    """What it took each subject to hit all that it hit; none without --until-coverage."""
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
    """Code coverage of the whole run in one line; empty if it was not measured."""
    if not record.code:
        return ""
    code = CodeCoverage.merged(record.code.values())
    return ", ".join(
        f"{score.hit} of {score.total} {kind} points ({percent_text(score.percent)})"
        for kind in KINDS
        if (score := code.score(kind)).total
    )


def exclusion_rows(record: RunRecord) -> list[tuple[str, str, str]]:
    """The exclusions a run was judged with: what need not be covered, why, and file and line."""
    found = record.exclusions
    excused = [*found.bins, *found.code]
    return [(one.label, one.why, f"{found.path.name}:{line}") for line, one in excused]
