"""Cycles of a word converter against one that is played through."""

from __future__ import annotations

import pytest

from models.conversion import REGISTERS, conversion_cycles


def played(bits: int, in_width: int, out_width: int, out_words: int | None) -> int:
    """Cycle by cycle: a word goes as soon as its bits are there, or no more will come."""
    comes, goes = -(-bits // in_width), out_words or -(-bits // out_width)
    taken = given = held = cycles = 0
    while given < goes:
        cycles += 1
        valid = taken == comes or held >= out_width
        if valid:
            given, held = given + 1, max(0, held - out_width)
        if taken < comes and held < out_width:
            taken, held = taken + 1, held + in_width
    assert taken == comes
    return cycles + REGISTERS


@pytest.mark.parametrize("more", [0, 3])
def test_conversion_cycles(more: int) -> None:
    for bits in (4, 5, 17, 32, 61, 1024):
        for in_width in (2, 3, 8, 16, 17, 32, 64):
            for out_width in (2, 3, 8, 16, 17, 32, 64):
                words = -(-bits // out_width) + more
                expected = played(bits, in_width, out_width, words)
                assert conversion_cycles(bits, in_width, out_width, words) == expected
