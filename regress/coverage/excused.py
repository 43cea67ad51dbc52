"""The common part of every exclusion from coverage: a reason or a proof."""

from __future__ import annotations

from pydantic import model_validator
from typing_extensions import Self

from regress.core.formats.model import Format, Text


class Excused(Format):
    """An exclusion from coverage, with its reason or proof."""

    reason: Text | None = None
    """Why."""
    proof: Text | None = None
    """Instead of a reason: FILE or FILE::NAME of the project that proves that nothing does."""

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if (self.reason is None) is (self.proof is None):
            raise ValueError("an exclusion needs either 'reason' or 'proof'")
        return self

    @property
    def why(self) -> str:
        """The reason, or the proof."""
        return (self.reason or self.proof or "").strip()
