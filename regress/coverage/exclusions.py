"""What need not be covered: only what ``exclusions.yaml`` says, each with its reason or proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from models.registry import hardware_architectures
from regress.coverage.code import FOLDER, KINDS, CodeCoverage, Point, Sources
from regress.errors import not_accepted
from regress.yaml_file import Problems, item_line, line_of, read_yaml
from verif.design import ROOT
from verif.job import JobResult

EXCLUSION_FILE = Path(__file__).resolve().parent / "exclusions.yaml"
WHY = ("reason", "proof")


@dataclass(frozen=True)
class BinExclusion:
    """Functional bins that need not be hit.

    Attributes:
        line: of the file of exclusions.
        architecture: pattern of registry names.
        group: pattern of group names.
        bin: pattern of bin names.
        widths: operand widths in bits; none for all.
        why: the reason, or the proof that no legal operation reaches the bins.
    """

    line: int
    architecture: str
    group: str
    bin: str
    widths: tuple[int, ...]
    why: str

    def concerns(self, architecture: str, width: int) -> bool:
        """Whether it has a say in the jobs of an architecture and width."""
        return fnmatchcase(architecture, self.architecture) and (
            not self.widths or width in self.widths
        )

    def names(self, group: str, bin_name: str) -> bool:
        """Whether it is about a bin."""
        return fnmatchcase(group, self.group) and fnmatchcase(bin_name, self.bin)

    @property
    def text(self) -> str:
        """The exclusion in one line."""
        widths = f" at width {', '.join(map(str, self.widths))}" if self.widths else ""
        return f"{self.architecture} {self.group} {self.bin!r}{widths}"


@dataclass(frozen=True)
class CodeExclusion:
    """A source line of which some points need not be hit.

    Attributes:
        line: of the file of exclusions.
        file: of the design, ``hdl/…``.
        text: the source line without indentation.
        after: a source line that stands once in the file; ``text`` is looked for below it. Empty
            if ``text`` stands once.
        kind: one of :data:`regress.coverage.code.KINDS`.
        point: pattern of point names, for instance ``else``.
        why: the reason, or the proof that nothing reaches it.
    """

    line: int
    file: str
    text: str
    after: str
    kind: str
    point: str
    why: str

    def source_line(self, sources: Sources) -> int | None:
        """Number of the source line; None if it is not there or cannot be told from others."""
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
        """Whether it is about a point, given the number of its source line."""
        return (point.file, point.line, point.kind) == (self.file, line, self.kind) and (
            fnmatchcase(point.name, self.point)
        )

    @property
    def label(self) -> str:
        """The exclusion in one line."""
        return f"{self.file} {self.text!r} {self.kind} {self.point}"


@dataclass(frozen=True)
class Exclusions:
    """All exclusions of a file.

    Attributes:
        path: the file.
        bins: functional ones.
        code: those of source lines.
    """

    path: Path
    bins: tuple[BinExclusion, ...] = ()
    code: tuple[CodeExclusion, ...] = ()

    def applied(self, architecture: str, width: int, result: JobResult) -> JobResult:
        """A job's result whose goals lack the excluded bins; they are listed as ``excluded``."""
        active = [e for e in self.bins if e.concerns(architecture, width)]
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
        for _, points in self._code_points(coverage, sources):
            coverage.excluded.update(points)

    def stale_bins(self, jobs: Iterable[tuple[str, int, JobResult]]) -> list[str]:
        """Exclusions of bins that exclude nothing, or whose bin was hit after all.

        Args:
            jobs: architecture, width and result as simulated; an exclusion for which there is no
                job that collects its group is not judged.
        """
        judged: set[BinExclusion] = set()
        useful: set[BinExclusion] = set()
        hit: dict[BinExclusion, set[str]] = {}
        for architecture, width, result in jobs:
            for exclusion in self.bins:
                if not exclusion.concerns(architecture, width):
                    continue
                for name, group in result.coverage.items():
                    if not fnmatchcase(name, exclusion.group):
                        continue
                    judged.add(exclusion)
                    matching = [b for b in group["goal"] if exclusion.names(name, b)]
                    if matching:
                        useful.add(exclusion)
                    found = {f"{architecture} {b}" for b in matching if group["bins"].get(b)}
                    hit.setdefault(exclusion, set()).update(found)
        stale = []
        for exclusion in self.bins:
            if exclusion in judged and exclusion not in useful:
                stale.append(self._said(exclusion.line, exclusion.text, "excludes nothing"))
            elif hit.get(exclusion):
                found_bins = ", ".join(sorted(hit[exclusion]))
                stale.append(
                    self._said(exclusion.line, exclusion.text, f"was hit after all: {found_bins}")
                )
        return stale

    def stale_code(self, coverage: CodeCoverage, sources: Sources) -> list[str]:
        """Exclusions of source lines that exclude nothing, or whose point was hit after all."""
        stale = []
        files = set(coverage.files)
        for exclusion, points in self._code_points(coverage, sources):
            if exclusion.source_line(sources) is None:
                problem = "no such line, or more than one: excludes nothing"
            elif exclusion.file not in files:
                continue  # nothing was simulated that has this file
            elif not points:
                problem = "no such point: excludes nothing"
            elif any(coverage.hits[point] for point in points):
                problem = "was hit after all"
            else:
                continue
            stale.append(self._said(exclusion.line, exclusion.label, problem))
        return stale

    def _code_points(
        self, coverage: CodeCoverage, sources: Sources
    ) -> Iterable[tuple[CodeExclusion, list[Point]]]:
        for exclusion in self.code:
            line = exclusion.source_line(sources)
            points = [] if line is None else [p for p in coverage.hits if exclusion.names(p, line)]
            yield exclusion, points

    def _said(self, line: int, label: str, problem: str) -> str:
        return f"{self.path}:{line}: exclusion of {label}: {problem}"


def load_exclusions(path: Path = EXCLUSION_FILE, hdl: Path | None = None) -> Exclusions:
    """Read and check a file of exclusions.

    Args:
        path: the file.
        hdl: folder with the design, None for the project's own.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    data = read_yaml(path, "the file", "'bins' and 'code', lists that may be empty")
    problems = Problems(path, "the file")
    for error in Draft202012Validator(_schema()).iter_errors(data):
        problems.add_schema_error(data, error)
    problems.stop_if_any()
    sources = Sources(hdl)
    bins = tuple(
        _bin_exclusion(entry, item_line(data["bins"], index), problems)
        for index, entry in enumerate(data["bins"])
    )
    code = tuple(
        _code_exclusion(entry, item_line(data["code"], index), sources, problems)
        for index, entry in enumerate(data["code"])
    )
    problems.stop_if_any()
    return Exclusions(path, bins, code)


def _schema() -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    why = dict.fromkeys(WHY, text)

    def entries(required: Sequence[str], properties: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": list(required),
                "properties": {**properties, **why},
            },
        }

    widths = {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 1}}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["bins", "code"],
        "properties": {
            "bins": entries(
                ("architecture", "group", "bin"),
                {"architecture": text, "group": text, "bin": text, "widths": widths},
            ),
            "code": entries(
                ("file", "text", "kind"),
                {
                    "file": text,
                    "text": text,
                    "after": text,
                    "kind": {"enum": list(KINDS)},
                    "point": text,
                },
            ),
        },
    }


def _bin_exclusion(entry: Any, line: int, problems: Problems) -> BinExclusion:
    known = hardware_architectures()
    pattern = str(entry["architecture"])
    if not any(fnmatchcase(name, pattern) for name in known):
        problems.add(line_of(entry, ["architecture"]), not_accepted("architecture", pattern, known))
    return BinExclusion(
        line=line,
        architecture=pattern,
        group=str(entry["group"]),
        bin=str(entry["bin"]),
        widths=tuple(int(width) for width in entry.get("widths", ())),
        why=_why(entry, line, problems),
    )


def _code_exclusion(entry: Any, line: int, sources: Sources, problems: Problems) -> CodeExclusion:
    file = str(entry["file"])
    if not file.startswith(f"{FOLDER}/") or not sources.lines(file):
        known = sorted(
            f"{FOLDER}/{p.relative_to(sources.hdl).as_posix()}" for p in sources.hdl.rglob("*.sv")
        )
        problems.add(line_of(entry, ["file"]), not_accepted("file", file, known))
    return CodeExclusion(
        line=line,
        file=file,
        text=str(entry["text"]).strip(),
        after=str(entry.get("after", "")).strip(),
        kind=str(entry["kind"]),
        point=str(entry.get("point", "*")),
        why=_why(entry, line, problems),
    )


def _why(entry: Any, line: int, problems: Problems) -> str:
    """The reason or proof; a proof is ``FILE`` or ``FILE::NAME`` relative to the project."""
    given = [name for name in WHY if name in entry]
    if len(given) != 1:
        problems.add(line, "an exclusion needs either 'reason' or 'proof'")
        return ""
    text = str(entry[given[0]]).strip()
    if given[0] == "proof":
        file, _, name = text.partition("::")
        path = ROOT / file
        if not path.is_file() or name not in path.read_text(encoding="utf-8"):
            problems.add(
                line_of(entry, ["proof"]),
                f"no proof {text!r}; accepted: FILE or FILE::NAME of the project, with NAME in it",
            )
    return text
