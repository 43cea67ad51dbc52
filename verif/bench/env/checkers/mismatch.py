"""How two values that should be equal are told apart by a reader."""

from __future__ import annotations

# Both values are shown in full up to so many bits.
SHOWN_BITS = 64
WORD_BITS = 32
WORD_DIGITS = WORD_BITS // 4


def mismatch(name: str, seen: int, judge: str, expected: int) -> str:
    """One line that says where two values differ.

    Long ones are shown by their lowest 32-bit word that differs, with its neighbours, the highest
    first as in the number itself: both ends may well agree.

    Args:
        name: of the value.
        seen: what it is.
        judge: what says what it should be, with its verb.
        expected: what it should be.
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
    """A word of a value between its neighbours; dots stand for the words that are left out."""
    top, bottom = min(word + 1, last), max(word - 1, 0)
    words = [
        f"{value >> index * WORD_BITS & (1 << WORD_BITS) - 1:0{WORD_DIGITS}x}"
        for index in range(top, bottom - 1, -1)
    ]
    return f"0x{'…' if top < last else ''}{'_'.join(words)}{'…' if bottom else ''}"
