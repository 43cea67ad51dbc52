"""Exclusions from coverage. Each entry of ``exclusions.yaml`` has a reason or a proof."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import create_model

from regress.core.errors import not_accepted
from regress.core.formats.files import Document, read_yaml
from regress.core.formats.model import Format, Line, Text, among
from regress.core.hdlsources import LANGUAGES
from regress.core.jobfile import JobResult
from regress.core.point import NamedAxis
from regress.core.point import Point as Place
from regress.core.project import Project
from regress.coverage.code import KINDS, TOGGLE, CodeCoverage, Point, Sources
from regress.coverage.excused import Excused
from regress.coverage.toggles import ToggleExclusions, ToggleFormat


class BinFormat(Excused):
    """Functional bins. It may also name values, or patterns of names, on each axis."""

    group: Text
    """Pattern of group names."""
    bin: Text
    """Pattern of bin names."""

    @cached_property
    def where(self) -> dict[str, tuple[str, ...]]:
        """Patterns by axis; a point must match one of each axis. Empty for all points."""
        axes = [name for name in type(self).model_fields if name not in BinFormat.model_fields]
        given = {name: getattr(self, name) for name in axes if name in self.model_fields_set}
        return {
            name: tuple(map(str, value if isinstance(value, tuple) else [value]))
            for name, value in given.items()
        }

    def concerns(self, point: Place) -> bool:
        """Return whether the exclusion applies to jobs at a point."""
        return all(
            any(fnmatchcase(str(point[axis]), pattern) for pattern in patterns)
            for axis, patterns in self.where.items()
        )

    def names(self, group: str, bin_name: str) -> bool:
        """Return whether the exclusion matches a bin."""
        return fnmatchcase(group, self.group) and fnmatchcase(bin_name, self.bin)

    @property
    def label(self) -> str:
        """The exclusion in one line."""
        places = [f"{axis} {' or '.join(known)}" for axis, known in self.where.items()]
        return " ".join([*places, self.group, repr(self.bin)])


class CodeFormat(Excused):
    """A line of the design's source."""

    file: Annotated[Text, among("file", "files")]
    """File of the design."""
    text: Line
    """The line without indentation."""
    kind: Literal[KINDS]
    """Kind of point."""
    after: Line = ""
    """A line that occurs once in the file; `text` is searched below it."""
    point: Text = "*"
    """Pattern of point names, for instance `else`."""

    def source_line(self, sources: Sources) -> int | None:
        """Return the number of the source line; None if it is missing or ambiguous."""
        lines = [line.strip() for line in sources.lines(self.file)]
        start = 0
        if self.after:
            if lines.count(self.after) != 1:
                return None
            start = lines.index(self.after) + 1
        elif lines.count(self.text) != 1:
            return None
        rest = lines[start:]
        return start + rest.index(self.text) + 1 if self.text in rest else None

    def names(self, point: Point, line: int) -> bool:
        """Return whether the exclusion matches a point, given the number of its source line."""
        return (point.file, point.line, point.kind) == (self.file, line, self.kind) and (
            fnmatchcase(point.name, self.point)
        )

    @property
    def label(self) -> str:
        """The exclusion in one line."""
        return f"{self.file} {self.text!r} {self.kind} {self.point}"


class ExclusionsFormat(Format):
    """Exclusions from coverage: lists that may be empty."""

    bins: tuple[BinFormat, ...]
    """Functional bins."""
    code: tuple[CodeFormat, ...]
    """Source lines."""
    toggles: tuple[ToggleFormat, ...] = ()
    """Signals whose toggles need not be covered."""


@cache
def exclusions_format(of: Project) -> type[ExclusionsFormat]:
    """Return the format with a project's axes."""
    item = str | int | tuple[str | int, ...] | None
    values: dict[str, Any] = {axis.name: (item, None) for axis in of.axes}
    entry = create_model("BinFormat", __base__=BinFormat, **values)
    return create_model(
        "ExclusionsFormat", __base__=ExclusionsFormat, bins=(tuple[entry, ...], ...)
    )


@dataclass(frozen=True)
class Exclusions:
    """All exclusions of a file, each with its line number."""

    path: Path
    bins: tuple[tuple[int, BinFormat], ...] = ()
    code: tuple[tuple[int, CodeFormat], ...] = ()
    toggles: ToggleExclusions = field(default_factory=ToggleExclusions)

    def applied(self, point: Place, result: JobResult) -> JobResult:
        """Return a job's result with the excluded bins moved from its goals to ``excluded``."""
        active = [e for _, e in self.bins if e.concerns(point)]
        if not active:
            return result
        coverage: dict[str, dict[str, Any]] = {}
        for name, group in result.coverage.items():
            out = [b for b in group["goal"] if any(e.names(name, b) for e in active)]
            kept = [b for b in group["goal"] if b not in set(out)]
            coverage[name] = {**group, "goal": kept, "excluded": out}
        return replace(result, coverage=coverage)

    def exclude_code(self, coverage: CodeCoverage, sources: Sources) -> None:
        """Mark the excluded points of ``coverage``."""
        for _, _, points in self._code_points(coverage, sources):
            coverage.excluded.update(points)
        for *_, points in self.toggles.points(coverage):
            coverage.excluded.update(points)

    def stale_bins(self, jobs: Iterable[tuple[Place, JobResult]]) -> list[str]:
        """Return the bin exclusions that exclude nothing, or whose bin was hit.

        Args:
            jobs: point and result as simulated. An exclusion is not checked if no job collects its
                group.
        """
        jobs = list(jobs)
        stale = []
        for line, exclusion in self.bins:
            collected, useful, hit = False, False, set()
            for point, result in jobs:
                for name, group in result.coverage.items() if exclusion.concerns(point) else ():
                    collected = collected or fnmatchcase(name, exclusion.group)
                    matching = [b for b in group["goal"] if exclusion.names(name, b)]
                    useful = useful or bool(matching)
                    hit.update(f"{point.subject} {b}" for b in matching if group["bins"].get(b))
            if collected and not useful:
                stale.append(self._said(line, exclusion.label, "excludes nothing"))
            elif hit:
                problem = f"was hit after all: {', '.join(sorted(hit))}"
                stale.append(self._said(line, exclusion.label, problem))
        return stale

    def stale_code(
        self, coverage: CodeCoverage, sources: Sources, goals: Iterable[str] = ()
    ) -> list[str]:
        """Return the exclusions of code that exclude nothing, or whose point was hit.

        Args:
            coverage: hits of all jobs.
            sources: source text of the design.
            goals: kinds of points that the whole list must cover. Exclusions of toggles depend on
                the configurations that run, and are checked if toggles are among them.
        """
        stale = []
        files = set(coverage.files)
        for line, exclusion, points in self._code_points(coverage, sources):
            if exclusion.source_line(sources) is None:
                problem = "no such line, or more than one: excludes nothing"
            elif exclusion.file not in files:
                continue  # no simulation contained this file
            elif not points:
                problem = "no such point: excludes nothing"
            elif any(coverage.hits[point] for point in points):
                problem = "was hit after all"
            else:
                continue
            stale.append(self._said(line, exclusion.label, problem))
        if TOGGLE in goals:
            for line, pattern, problem in self.toggles.stale(coverage):
                stale.append(self._said(line, f"toggles of {pattern}", problem))
        return stale

    def _code_points(
        self, coverage: CodeCoverage, sources: Sources
    ) -> Iterable[tuple[int, CodeFormat, list[Point]]]:
        for place, exclusion in self.code:
            line = exclusion.source_line(sources)
            points = [] if line is None else [p for p in coverage.hits if exclusion.names(p, line)]
            yield place, exclusion, points

    def _said(self, line: int, label: str, problem: str) -> str:
        return f"{self.path}:{line}: exclusion of {label}: {problem}"


def load_exclusions(
    project: Project, path: Path | None = None, hdl: Path | None = None
) -> Exclusions:
    """Read and check a file of exclusions.

    Args:
        project: project with the axes, design and proofs that the file may name.
        path: the file; None for the project's own, which is optional.
        hdl: folder with the design; None for the project's own.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    if path is None:
        path = project.root / project.exclusions
        if not path.exists():
            return Exclusions(path)
    sources = Sources(project, hdl)
    files = {
        f"{sources.folder}/{p.relative_to(sources.hdl).as_posix()}"
        for p in sources.hdl.rglob("*")
        if p.suffix in LANGUAGES
    }
    accepted = {"files": sorted(files)}
    document = read_yaml(path, exclusions_format(project), "the file", accepted)
    found = document.value
    for number, entry in enumerate(found.bins):
        _check_names(project, document, number, entry)
        _check_proof(project, document, ("bins", number), entry)
    for number, excused in enumerate(found.code):
        _check_proof(project, document, ("code", number), excused)
    for number, excused in enumerate(found.toggles):
        _check_proof(project, document, ("toggles", number), excused)
    document.stop_if_any()
    bins = tuple((document.line("bins", n), entry) for n, entry in enumerate(found.bins))
    code = tuple((document.line("code", n), entry) for n, entry in enumerate(found.code))
    toggles = tuple((document.line("toggles", n), entry) for n, entry in enumerate(found.toggles))
    return Exclusions(path, bins, code, ToggleExclusions(toggles))


def _check_names(
    project: Project, document: Document[ExclusionsFormat], number: int, entry: BinFormat
) -> None:
    for name, patterns in entry.where.items():
        axis = project.axis(name)
        known = list(axis.names()) if isinstance(axis, NamedAxis) else []
        for pattern in patterns:
            if known and not any(fnmatchcase(one, pattern) for one in known):
                message = not_accepted(name, pattern, known)
                document.complain(("bins", number, name), message)


def _check_proof(
    project: Project,
    document: Document[ExclusionsFormat],
    place: tuple[str | int, ...],
    entry: Excused,
) -> None:
    if entry.proof is None:
        return
    file, _, name = entry.proof.strip().partition("::")
    path = project.root / file
    if not path.is_file() or name not in path.read_text(encoding="utf-8"):
        document.complain(
            (*place, "proof"),
            f"no proof {entry.proof!r}; "
            "accepted: FILE or FILE::NAME of the project, with NAME in it",
        )
