"""What is wrong with coverage that was left behind."""

from __future__ import annotations

from regress.errors import UsageError


class CoverageError(UsageError):
    """Coverage is missing, corrupt, or nothing at all; each line names the file."""
