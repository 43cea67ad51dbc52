"""Cycles of ``word_converter.sv``."""

from __future__ import annotations

REGISTERS = 2  # one cycle between control and converter, one after the converter


def conversion_cycles(
    bits: int, in_width: int, out_width: int, out_words: int | None = None
) -> int:
    """Return the cycles to convert a value from words of one width to words of another.

    In each cycle the converter takes a word, delivers a word, or both. It delivers a word as soon
    as it has the word's bits. The control starts the converter a cycle before, and a word appears
    at the output a cycle after.

    Args:
        bits: bits of the value.
        in_width: bits of an input word.
        out_width: bits of an output word.
        out_words: number of output words, if more than the value has.
    """
    comes, goes = -(-bits // in_width), out_words or -(-bits // out_width)
    if in_width >= out_width:
        return goes + 1 + REGISTERS
    return comes + goes - (comes - 1) * in_width // out_width + REGISTERS
