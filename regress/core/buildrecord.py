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
    """The configuration of the build."""
    folder: Path | None
    """Folder of the compiled simulation; null if the build failed."""
    cached: bool
    """The build came from the cache."""
    seconds: Seconds
    """Wall-clock time."""
    errors: tuple[str, ...] = ()
    """First error lines of the tool."""
    log: Path | None = None
    """The tool's output; null for a cached build without one."""
