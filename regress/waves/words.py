"""Texts in a picture: shortened, and broken into lines."""

from __future__ import annotations

import re
import textwrap

OPERAND_CHARS = 21
LONG_NUMBER = re.compile(r"\b0x[0-9a-f]{20,}\b")


def abbreviated(text: str, room: int) -> str:
    """Shorten ``text`` to ``room`` characters by omitting its middle."""
    if len(text) <= room:
        return text
    if room < 3:
        return "…" if room >= 1 else ""
    head = room // 2
    return f"{text[:head]}…{text[len(text) - (room - 1 - head) :]}"


def short_operands(text: str) -> str:
    """Omit the middle of long numbers in ``text``."""
    return LONG_NUMBER.sub(lambda number: abbreviated(number[0], OPERAND_CHARS), text)


def lines_of(text: str, room: int, count: int) -> list[str]:
    """Break ``text`` into at most ``count`` lines of ``room`` characters."""
    return textwrap.wrap(abbreviated(text, room * count), room, max_lines=count, placeholder=" …")
