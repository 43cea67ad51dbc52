"""The result of a build."""

from __future__ import annotations

from pathlib import Path

from regress.core.formats.model import described
from regress.core.plan import BuildPoint
from regress.core.runfile import Seconds


@described()
class BuildOutcome:
    """One build; jobs share it."""

    point: BuildPoint
    """What it is made for."""
    folder: Path | None
    """The simulation; null if it failed."""
    cached: bool
    """It was there already."""
    seconds: Seconds
    """Wall-clock time."""
    errors: tuple[str, ...] = ()
    """First error lines of the tool."""
    log: Path | None = None
    """The tool's output; null for a cached build without one."""
