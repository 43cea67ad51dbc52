"""Code coverage as Verilator counts it: lines, branches, expressions and toggles.

The first line of ``coverage.dat`` contains the name of the format. After it, Verilator 5 writes one
line of text per point: ``C '<attributes>' <hits>``. An attribute is ``\\x01 <key> \\x02 <value>``.
The keys are those of ``verilated_cov_key.h``: ``f`` file, ``l`` line, ``n`` column, ``t`` type,
``page`` type and module, ``o`` the kind of point (``if``, ``else``, ``block``, ``signal:0->1`` …),
``h`` instances. The hits of all instances are already added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.jobfile import CODE_KINDS
from regress.core.project import Project
from regress.core.runfile import Score

HEADER = "# SystemC::Coverage-3"
KINDS = CODE_KINDS
LINE, BRANCH, EXPRESSION, TOGGLE = KINDS
# Kinds whose holes are always shown. A list states the kinds that it must complete (`code_goals`).
GOAL_KINDS = (LINE, BRANCH)
ENTRY = re.compile(r"C '(\x01[^']*)' (\d+)\n")


@dataclass(frozen=True, order=True)
class Point:
    """A place in the source whose executions or changes are counted.

    All instances of a module share their points, even with different parameters.

    Attributes:
        file: path relative to the folder above the design's, ``hdl/…``.
        line: line of the source, 1 for the first.
        column: distinguishes points in one line.
        name: the counted item, for instance ``else`` or ``start:0->1``.
    """

    file: str
    line: int
    column: int
    kind: str
    name: str


@dataclass
class CodeCoverage:
    """Points and their hits."""

    hits: dict[Point, int] = field(default_factory=dict)
    excluded: set[Point] = field(default_factory=set)

    @classmethod
    def merged(cls, parts: Iterable[CodeCoverage]) -> CodeCoverage:
        """Return the sum of several coverages."""
        total = cls()
        for part in parts:
            total.add(part)
        return total

    def add(self, other: CodeCoverage) -> None:
        """Add the hits of ``other``."""
        for point, hits in other.hits.items():
            self.hits[point] = self.hits.get(point, 0) + hits
        self.excluded |= other.excluded

    @property
    def files(self) -> list[str]:
        """Files with points, sorted."""
        return sorted({point.file for point in self.hits})

    def points(self, kind: str | None = None, file: str | None = None) -> Iterator[Point]:
        """Yield the points that count: all, or those of a kind or a file."""
        return (
            point
            for point in self.hits
            if kind in (None, point.kind)
            and file in (None, point.file)
            and point not in self.excluded
        )

    def score(self, kind: str, file: str | None = None) -> Score:
        """Return how many points of a kind were hit, in all files or in one."""
        hits = [self.hits[point] for point in self.points(kind, file)]
        return Score(sum(1 for count in hits if count), len(hits))

    def holes(self, kinds: Iterable[str] = GOAL_KINDS) -> list[Point]:
        """Return the points that count and were not hit, in the order of the source."""
        wanted = set(kinds)
        return sorted(
            point for point in self.points() if point.kind in wanted and not self.hits[point]
        )


class Sources:
    """The source text of the design.

    Args:
        project: provides the folder of the design.
        hdl: folder with the design; None for the project's own.
    """

    def __init__(self, project: Project, hdl: Path | None = None) -> None:
        self.hdl = (hdl or project.hdl_folder).resolve()
        self.folder = project.hdl_folder.name
        self._lines: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        """Return the lines of a file named as in :class:`Point`; empty if it does not exist."""
        if file not in self._lines:
            path = self.hdl / Path(file).relative_to(self.folder)
            found = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            self._lines[file] = found.splitlines()
        return self._lines[file]

    def text(self, point: Point) -> str:
        """Return the source line of a point without indentation; empty if it does not exist."""
        lines = self.lines(point.file)
        return lines[point.line - 1].strip() if 0 < point.line <= len(lines) else ""

    def name(self, path: str) -> str | None:
        """Return the name of a design file as in :class:`Point`; None for any other file.

        A simulation may have been built in another folder or on another machine. Therefore only the
        part of the path after the design's folder counts.
        """
        parts = Path(path).parts
        if Path(path).is_relative_to(self.hdl):
            return f"{self.folder}/{Path(path).relative_to(self.hdl).as_posix()}"
        for index in range(len(parts) - 1, -1, -1):
            rest = Path(*parts[index + 1 :])
            if parts[index] == self.folder and (self.hdl / rest).is_file():
                return f"{self.folder}/{rest.as_posix()}"
        return None


class CodeCoverageReader:
    """Reads coverage files. Points that occur in many files are created once.

    Args:
        sources: the design; points of other files, such as the test bench, are ignored.
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._names: dict[str, str | None] = {}
        self._points: dict[str, Point | None] = {}

    def read(self, path: Path) -> CodeCoverage:
        """Read one file.

        Raises:
            UsageError: the file is missing, empty or corrupt, or has no point of the design.
        """
        try:
            with path.open(encoding="utf-8", newline="\n") as file:
                lines = file.readlines()
        except FileNotFoundError:
            raise UsageError(f"{path} is missing") from None
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path} cannot be read: {error}") from None
        if [line.rstrip("\n") for line in lines[:1]] != [HEADER]:
            raise UsageError(f"{path}:1: not a Verilator coverage file; it starts with {HEADER}")
        coverage = CodeCoverage()
        for number, line in enumerate(lines[1:], 2):
            entry = ENTRY.fullmatch(line)
            if entry is None:
                cut = "" if line.endswith("\n") else " (the file ends in mid-line)"
                raise UsageError(f"{path}:{number}: not a coverage point{cut}")
            try:
                point = self._point(entry[1])
            except ValueError as error:
                raise UsageError(f"{path}:{number}: not a coverage point: {error}") from None
            if point is not None:
                coverage.hits[point] = coverage.hits.get(point, 0) + int(entry[2])
        if not coverage.hits:
            raise UsageError(f"{path}: no point of the design in {self._sources.hdl}")
        return coverage

    def _point(self, text: str) -> Point | None:
        """Return the point that the attributes describe; None outside the design.

        Raises:
            ValueError: an attribute is missing or malformed.
        """
        if text in self._points:
            return self._points[text]
        values: dict[str, str] = {}
        for attribute in text[1:].split("\x01"):
            key, separator, values[key] = attribute.partition("\x02")
            if not separator:
                raise ValueError(f"attribute {attribute!r} has no value")
        missing = [key for key in ("f", "l", "n", "page") if key not in values]
        if missing:
            raise ValueError(f"no attribute {', '.join(missing)}")
        path = values["f"]
        if path not in self._names:
            self._names[path] = self._sources.name(path)
        name = self._names[path]
        kind = values["page"].partition("/")[0].removeprefix("v_")
        point = None
        if name is not None and kind in KINDS:
            point = Point(name, int(values["l"]), int(values["n"]), kind, values.get("o", ""))
        self._points[text] = point
        return point
