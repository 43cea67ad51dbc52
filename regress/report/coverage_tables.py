"""Coverage as rows: what is complete, what is missing and what reaches it, what is excluded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regress.coverage.code import KINDS, CodeCoverage, Score, Sources
from regress.coverage.holes import Hole, find_holes
from regress.point import Point
from regress.project import project
from regress.record import RunRecord
from regress.report.tables import percent_text


@dataclass(frozen=True)
class CoverageRow:
    """One coverage group of one subject; ``percent`` is None without a goal."""

    subject: str
    group: str
    hit: int
    goal: int
    percent: float | None
    missing: str
    bins_hit: int


def coverage_rows(record: RunRecord) -> list[CoverageRow]:
    """Coverage by subject and group."""
    return [
        CoverageRow(
            subject=subject,
            group=name,
            hit=group.hit,
            goal=len(group.goal),
            percent=group.percent,
            missing=group.missing_text,
            bins_hit=sum(1 for hits in group.bins.values() if hits),
        )
        for subject, groups in sorted(record.coverage.items())
        for name, group in sorted(groups.items())
    ]


@dataclass(frozen=True)
class SubjectCoverage:
    """The coverage of one subject.

    Attributes:
        subject: value on the first axis.
        hit: goal bins that were hit.
        goal: goal bins.
        incomplete: groups with a goal that was not reached.
        complete: groups with a goal that was reached.
        observed: groups without a goal.
    """

    subject: str
    hit: int
    goal: int
    incomplete: Sequence[CoverageRow]
    complete: Sequence[CoverageRow]
    observed: Sequence[CoverageRow]

    @property
    def percent(self) -> float | None:
        """Share of the goal bins; None without a goal."""
        return 100.0 * self.hit / self.goal if self.goal else None


def subject_coverage(record: RunRecord) -> list[SubjectCoverage]:
    """Coverage by subject, the incomplete ones first."""
    rows: dict[str, list[CoverageRow]] = {}
    for row in coverage_rows(record):
        rows.setdefault(row.subject, []).append(row)
    found = [
        SubjectCoverage(
            subject=name,
            hit=sum(row.hit for row in groups),
            goal=sum(row.goal for row in groups),
            incomplete=[row for row in groups if row.goal and row.hit < row.goal],
            complete=[row for row in groups if row.goal and row.hit == row.goal],
            observed=[row for row in groups if not row.goal],
        )
        for name, groups in rows.items()
    ]
    return sorted(found, key=lambda entry: not entry.incomplete)


def holes(record: RunRecord) -> list[Hole]:
    """The goal bins of a run that were not hit, and the tests that reach them."""
    points: dict[str, set[Point]] = defaultdict(set)
    for job in record.jobs:
        points[job.planned.job.subject].add(job.planned.job.point)
    return find_holes(record.coverage, {}, points)


@dataclass(frozen=True)
class HoleGroup:
    """Holes of one group that the same stimulus reaches.

    Attributes:
        subject: value on the first axis.
        group: coverage group.
        bins: their names.
        reached_by: the tests that reach them, for people.
    """

    subject: str
    group: str
    bins: Sequence[str]
    reached_by: str


def hole_groups(holes: Iterable[Hole]) -> list[HoleGroup]:
    """Holes by subject, group and what reaches them."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for hole in holes:
        key = (hole.subject, hole.group, _reached_by(hole))
        found.setdefault(key, []).append(hole.bin)
    return [
        HoleGroup(subject, group, bins, reached_by)
        for (subject, group, reached_by), bins in found.items()
    ]


def _reached_by(hole: Hole) -> str:
    """What the stimulus must be to hit a hole."""
    tests = ", ".join(hole.tests) or "no known test"
    return f"{tests}; {hole.note}" if hole.note else tests


@dataclass(frozen=True)
class CodeFile:
    """Code coverage of one source file.

    Attributes:
        path: ``hdl/…``.
        scores: by kind.
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
    hdl = record.options.get("hdl")
    sources = Sources(Path(hdl) if hdl else None)
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


def closure_titles() -> str:
    """Columns of :func:`closure_rows`; see :func:`regress.report.tables.headings`."""
    return f"{project().subject.title},Jobs#,Operations#,Time of the jobs#,Goal bins#"


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
    scores = {kind: code.score(kind) for kind in KINDS}
    return ", ".join(
        f"{score.hit} of {score.total} {kind} points ({percent_text(score.percent)})"
        for kind, score in scores.items()
        if score.total
    )


@dataclass(frozen=True)
class ExclusionRow:
    """What need not be covered.

    Attributes:
        what: bins or a source line.
        why: the reason, or where the proof is.
        place: file and line of the exclusion.
    """

    what: str
    why: str
    place: str


def exclusion_rows(record: RunRecord) -> list[ExclusionRow]:
    """The exclusions a run was judged with."""
    found = record.exclusions
    return [
        *(ExclusionRow(e.text, e.why, f"{found.path.name}:{e.line}") for e in found.bins),
        *(ExclusionRow(e.label, e.why, f"{found.path.name}:{e.line}") for e in found.code),
    ]
