"""Clocks of ``word_converter.sv``."""

from __future__ import annotations

REGISTERS = 2  # clocks between the control and the converter, and behind it


def conversion_cycles(
    bits: int, in_width: int, out_width: int, out_words: int | None = None
) -> int:
    """Clocks in which a value in words of one width becomes one in words of another.

    In each clock the converter takes a word, gives one, or does both, a word as soon as its bits
    are there; a clock earlier it is told to begin, and a clock later the word is out.

    Args:
        bits: of the value.
        in_width: bits of a word that comes.
        out_width: bits of a word that goes.
        out_words: words that go, if more than the value has.
    """
    comes, goes = -(-bits // in_width), out_words or -(-bits // out_width)
    if in_width >= out_width:
        return goes + 1 + REGISTERS
    return comes + goes - (comes - 1) * in_width // out_width + REGISTERS
