"""How numbers are written for people."""

from __future__ import annotations


def grouped(value: float) -> str:
    """A number without decimals, its digits in groups of three: ``1 136 196``."""
    return f"{round(value):,}".replace(",", " ")
