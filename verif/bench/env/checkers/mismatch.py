"""Text that shows a reader where two values differ that should be equal."""

from __future__ import annotations

# Values of at most this many bits appear in full.
SHOWN_BITS = 64
WORD_BITS = 32
WORD_DIGITS = WORD_BITS // 4


def mismatch(name: str, seen: int, judge: str, expected: int) -> str:
    """Return one line that shows where two values differ.

    Of a long value, the line shows the lowest 32-bit word that differs and its neighbours, the
    most significant word first, because both ends of the values often agree.

    Args:
        name: name of the value.
        seen: observed value.
        judge: source of the expected value, with a verb, such as "gmpy2 says".
        expected: expected value.
    """
    bits = max(seen.bit_length(), expected.bit_length())
    if bits <= SHOWN_BITS:
        return f"{name} = {seen:#x}, {judge} {expected:#x}"
    difference = seen ^ expected
    lowest = (difference & -difference).bit_length() - 1
    word, last = lowest // WORD_BITS, (bits - 1) // WORD_BITS
    count = difference.bit_count()
    return (
        f"{name} = {_around(seen, word, last)}, {judge} {_around(expected, word, last)} "
        f"({count} bit{'s' if count > 1 else ''} differ{'' if count > 1 else 's'}, "
        f"the lowest is bit {lowest}, in 32-bit word {word} of 0 to {last})"
    )


def _around(value: int, word: int, last: int) -> str:
    """Return a word of a value with its neighbours; dots stand for the words left out."""
    top, bottom = min(word + 1, last), max(word - 1, 0)
    words = [
        f"{value >> index * WORD_BITS & (1 << WORD_BITS) - 1:0{WORD_DIGITS}x}"
        for index in range(top, bottom - 1, -1)
    ]
    return f"0x{'…' if top < last else ''}{'_'.join(words)}{'…' if bottom else ''}"
