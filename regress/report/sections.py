"""What a report may show beyond the run's own record; each part is left out where it is None."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regress.history.database import HistoryView


@dataclass(frozen=True)
class HoleRow:
    """A goal bin that was not hit.

    Attributes:
        architecture: registry name.
        group: coverage group.
        bin: name of the bin.
        reached_by: the stimulus that reaches it, for people; empty if unknown.
    """

    architecture: str
    group: str
    bin: str
    reached_by: str = ""


@dataclass(frozen=True)
class Share:
    """How many of some points were hit."""

    hit: int
    total: int

    @property
    def percent(self) -> float | None:
        """None without points."""
        return 100.0 * self.hit / self.total if self.total else None


@dataclass(frozen=True)
class CodeFile:
    """Code coverage of one source file.

    Attributes:
        path: relative to the project.
        shares: by kind (``line``, ``branch``, ``toggle`` …).
        holes: what was not hit, one line each, for instance ``line 31: else of "if (start_i)"``.
    """

    path: str
    shares: Mapping[str, Share]
    holes: Sequence[str] = ()


@dataclass(frozen=True)
class CodeCoverageSection:
    """Code coverage of a run.

    Attributes:
        kinds: columns of the table, in this order.
        files: sorted by path.
        note: what was measured, for people (widths, simulator).
    """

    kinds: Sequence[str]
    files: Sequence[CodeFile]
    note: str = ""


@dataclass(frozen=True)
class ExclusionRow:
    """What need not be covered.

    Attributes:
        what: bins or source line.
        why: the reason, or where the proof is.
        place: file and line of the exclusion.
        stale: it excludes nothing, or what was hit after all.
    """

    what: str
    why: str
    place: str = ""
    stale: bool = False


@dataclass(frozen=True)
class Extras:
    """What is known about a run besides its record.

    Attributes:
        history: of earlier runs.
        holes: goal bins that were not hit; None to name those of the record's coverage.
        code: code coverage.
        exclusions: from coverage.
    """

    history: HistoryView | None = None
    holes: Sequence[HoleRow] | None = None
    code: CodeCoverageSection | None = None
    exclusions: Sequence[ExclusionRow] | None = None
