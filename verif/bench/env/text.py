"""Readable formats of numbers."""

from __future__ import annotations


def grouped(value: float) -> str:
    """Return a number without decimals, its digits in groups of three: ``1 136 196``."""
    return f"{round(value):,}".replace(",", " ")


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 build``, ``1 136 builds``."""
    return f"{grouped(count)} {noun}{'' if count == 1 else 's'}"
