"""``results.xml``: cocotb's results of the tests of one simulation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Properties, Skipped, TestCase

from regress.core.jobfile import RESULTS_XML
from regress.core.protocol import WAITS

FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE)
# Python files that are not the user's.
FOREIGN = re.compile(r"site-packages|dist-packages|/lib/python3|^<|/regress/run/inside\.py$")
# cocotb's values: a vector's range says nothing that its digits do not.
VECTOR = re.compile(r"Logic(?:Array)?\(('[^']*')(?:, Range\([^)]*\))?\)")
ASSERTION = "AssertionError"
DETAIL_LINES, DETAIL_COLUMNS = 24, 240


@dataclass(frozen=True)
class TestOutcome:
    """One test of ``results.xml``.

    Attributes:
        status: ``passed``, ``failed`` or ``skipped``.
        kind: type of the exception; may be empty.
        message: text of the exception, or why the test was skipped.
        traceback: may be empty.
        place: file and line of the test.
        end_ns: simulated time at the end; None if unknown.
    """

    __test__ = False  # pytest must not collect this class

    name: str
    status: str
    kind: str = ""
    message: str = ""
    traceback: str = ""
    place: tuple[str, int] = ("", 0)
    end_ns: float | None = None

    def text(self, root: Path) -> str:
        """Return the failure in one line: exception, message, file and line."""
        lines = [line for line in self.message.strip().splitlines() if line.strip()]
        what = VECTOR.sub(r"\1", lines[0].strip()) if lines else self._failed_line()
        if self.kind not in ("", ASSERTION) and not what.startswith(self.kind):
            what = f"{self.kind}: {what}" if what else self.kind
        place = self.where(root)
        return " ".join(filter(None, (what or f"test {self.name} failed", place and f"({place})")))

    def where(self, root: Path) -> str:
        """Return file and line of the failure: the user's deepest frame, or the test itself."""
        frames = [match for match in FRAME.finditer(self.traceback) if not _foreign(match["file"])]
        if frames:
            return f"{shown_path(frames[-1]['file'], root)}:{frames[-1]['line']}"
        file, line = self.place
        return f"{shown_path(file, root)}:{line}" if file else ""

    def details(self) -> str:
        """Return the last lines of the traceback, from the user's first frame on."""
        text = self.traceback.strip("\n")
        first = next((m for m in FRAME.finditer(text) if not _foreign(m["file"])), None)
        if first:
            text = text[first.start() :].strip("\n")
        lines = [VECTOR.sub(r"\1", line)[:DETAIL_COLUMNS] for line in text.splitlines()]
        return "\n".join(lines[-DETAIL_LINES:])

    def _failed_line(self) -> str:
        """Return the source line of the deepest frame: an assertion that was not rewritten."""
        frames = [match for match in FRAME.finditer(self.traceback) if not _foreign(match["file"])]
        rest = self.traceback[frames[-1].end() :].splitlines()[1:] if frames else []
        return rest[0].strip() if rest else ""


def _foreign(file: str) -> bool:
    return bool(FOREIGN.search(file))


def shown_path(file: str, root: Path) -> str:
    """Return a path relative to the project; links in the folder of a job are followed."""
    path = Path(file)
    path = path.resolve() if path.exists() else path
    base = root.resolve()
    return str(path.relative_to(base)) if path.is_relative_to(base) else path.name


def parse_results(text: str) -> Sequence[TestOutcome] | None:
    """Return the tests of ``results.xml``; None if the text is not such a file."""
    try:
        cases = [case for suite in JUnitXml.fromstring(text.encode()) for case in suite]
    except (SyntaxError, JUnitXmlError):
        return None
    return [_outcome(case) for case in cases]


def read_results(folder: Path) -> Sequence[TestOutcome]:
    """Return the tests of the file in a job's folder; empty if it is missing or unreadable."""
    try:
        return parse_results((folder / RESULTS_XML).read_text(errors="replace")) or ()
    except OSError:
        return ()


def first_failure(outcomes: Sequence[TestOutcome]) -> TestOutcome | None:
    """Return the first failed test."""
    return next((outcome for outcome in outcomes if outcome.status == "failed"), None)


def _outcome(case: TestCase) -> TestOutcome:
    said = {item.name: item.value for item in case.child(Properties) or ()}
    file, _, line = said.get(WAITS, "").rpartition(":")
    file, line = file or said.get("file", ""), line or said.get("line", "")
    place = (file, int(line) if line.isdigit() else 0)
    try:
        end = float(said["sim_time_stop"])
    except (KeyError, ValueError):
        end = None
    found = {"name": str(case.name), "place": place, "end_ns": end}
    for result in case.result:
        if isinstance(result, Failure | Error):
            return TestOutcome(
                status="failed", kind=result.type or "", message=result.message or "",
                traceback=result.text or "", **found,
            )  # fmt: skip
        if isinstance(result, Skipped):
            return TestOutcome(status="skipped", message=result.message or "", **found)
    return TestOutcome(status="passed", **found)
