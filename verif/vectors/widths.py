"""Widths that the vectors of a file run at: each width costs a build for each architecture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType

from regress.core.errors import UsageError
from verif.library.vectors.line import Vector

AUTO, EXACT = "auto", "exact"
# Most widths for each test, for every file.
FEW = 4

# Chooses widths from the vectors' own widths and their numbers of vectors; there is at least one.
Choice = Callable[[Counter[int]], Iterable[int]]


def place(vectors: Sequence[Vector], path: Path, choose: Choice) -> list[Vector]:
    """The vectors, each at the width it runs at.

    A vector keeps its own width if its line states a width, or values that are right only at
    this width.

    Args:
        vectors: the vectors at their own widths.
        path: path of the vector file, for messages.
        choose: chooses the widths of the vectors of a test.

    Raises:
        UsageError: a vector is wider than every chosen width; one line for each such vector.
    """
    placed: list[Vector] = []
    for test in dict.fromkeys(vector.test for vector in vectors):
        group = [vector for vector in vectors if vector.test == test]
        free = Counter(vector.width for vector in group if not vector.pinned)
        chosen = sorted(choose(free)) if free else []
        too_wide = {v.line: v for v in group if not v.pinned and v.width > max(chosen)}
        if too_wide:
            raise UsageError(
                *(
                    f"{path}:{vector.line}: {vector.title} has {vector.width} bits, more than "
                    f"--width {','.join(map(str, chosen))}"
                    for vector in too_wide.values()
                )
            )
        placed += [
            vector if vector.pinned else vector.at(min(w for w in chosen if w >= vector.width))
            for vector in group
        ]
    return placed


def few(count: Counter[int]) -> Iterable[int]:
    """Choose at most :data:`FEW` of the vectors' own widths.

    The choice has the least sum of squared widths: a product at n bits takes about n
    cycles, and the time to simulate a cycle grows with n.
    """
    widths = sorted(count)
    vectors = [0, *accumulate(count[width] for width in widths)]
    # best[k]: cost and choice for the k narrowest widths.
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())] * (len(widths) + 1)
    for groups in range(FEW):
        best = [
            min(
                (
                    best[low][0] + (vectors[high] - vectors[low]) * widths[high - 1] ** 2,
                    (*best[low][1], widths[high - 1]),
                )
                # One group holds all; of more, each new one follows another.
                for low in (range(high) if groups else [0])
            )
            if high
            else (0, ())
            for high in range(len(widths) + 1)
        ]
    return best[-1][1]


def widths_reader(read: Callable[[str], int]) -> Callable[[str], Choice]:
    """Reads ``auto``, ``exact`` or widths with commas between them.

    Args:
        read: one width.
    """

    def reader(text: str) -> Choice:
        if text in NAMED:
            return NAMED[text]
        try:
            given = [read(item.strip()) for item in text.split(",")]
        except (UsageError, ValueError) as error:
            raise UsageError(f"{error}; also {AUTO} and {EXACT}") from None
        return lambda count: given

    return reader


NAMED: Mapping[str, Choice] = MappingProxyType({AUTO: few, EXACT: lambda count: count})
