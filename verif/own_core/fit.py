"""Find the formula of numbers that were measured at several widths."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from verif.own_core.formula import Formula

# WORDS: widths of words, the likeliest first. ADDED: bits that a core may add to an operand before
# it splits the operand into words.
WORDS = (8, 16, 32, 64, 4, 2, 17, 34, *(w for w in range(3, 64) if w not in (4, 8, 16, 17, 32, 34)))
ADDED = (0, 1, 2, 3, 4)
MOST_ADDED = 16
# A formula is believable if there are this many more measurements than coefficients.
SPARE = 2
# A number that grows with the width is believable from this many measurements on.
LEAST_MEASURED = 2 + SPARE
# Word widths of a core whose bus words differ from its arithmetic words.
PAIRED = (2, 4, 8, 16, 32)
TOLERANCE = 1e-6

Values = Mapping[str, int]


def formula_among(choices: Mapping[int, Collection[int]]) -> str | None:
    """Return the simplest formula of ``n`` whose value is among the choices at each width.

    Args:
        choices: accepted values by width.
    """
    return next(
        (
            text
            for text in simple_formulas()
            if all(Formula(text)(n=width) in found for width, found in choices.items())
        ),
        None,
    )


def simple_formulas() -> Iterator[str]:
    """Yield candidate formulas for k, the simplest first."""
    yield "0"
    for factor in ("n", "2*n"):
        yield from (_sum([factor, str(added)]) for added in range(MOST_ADDED + 1))
        yield from (f"{factor} - {less}" for less in ADDED[1:])
    for word in WORDS:
        for added in ADDED:
            yield f"{word} * {_words(word, added)}"


def fitted(measured: Sequence[tuple[Values, int]]) -> str | None:
    """Return the simplest formula that gives every number exactly; None if none is believable.

    Args:
        measured: values of ``n`` (and ``length``), each with the number measured there.
    """
    with_length = any("length" in values for values, _ in measured)
    columns: dict[str, list[int]] = {}
    for terms in _terms(with_length):
        if len(measured) < len(terms) + SPARE:
            continue
        for term in terms:
            if term not in columns:
                formula = Formula(term, ("n", "length"))
                columns[term] = [formula(**{"length": 0, **values}) for values, _ in measured]
        rows = list(zip(*(columns[term] for term in terms), strict=True))
        found = _whole_solution(rows, [number for _, number in measured])
        if found:
            return _sum(
                _product(factor, term) for factor, term in zip(found, terms, strict=True) if factor
            )
    return None


def _terms(with_length: bool) -> Iterator[list[str]]:
    """Yield the terms whose sums are candidate formulas, the simplest first."""
    if with_length:
        yield from (["1"], ["n", "1"], ["length", "1"], ["n", "length", "1"])
        yield from (["n*length", "length", "n", "1"],)
    else:
        yield from (["1"], ["n", "1"], ["n**2", "n", "1"])
    for word in WORDS:
        for added in ADDED:
            words = _words(word, added)
            if with_length:
                yield [f"length*{words}", "length", words, "1"]
                yield [f"length*{words}**2", f"length*{words}", "length", words, "1"]
            else:
                yield from ([words, "1"], [f"{words}**2", words, "1"], [f"n*{words}", "n", "1"])
                yield [f"n*{words}**2", f"n*{words}", "n", words, "1"]
    if not with_length:
        several = [_words(word, added) for word in PAIRED for added in ADDED]
        yield from ([one, other, "1"] for one, other in combinations(several, 2))


def _words(word: int, added: int) -> str:
    return f"ceil((n + {added})/{word})" if added else f"ceil(n/{word})"


def _whole_solution(rows: Sequence[Sequence[int]], numbers: list[int]) -> list[int] | None:
    """Return integer coefficients that give the number of every row, or None."""
    matrix = np.array(rows, dtype=float)
    solution, _, rank, _ = np.linalg.lstsq(matrix, np.array(numbers, dtype=float), rcond=None)
    if rank < matrix.shape[1]:
        return None
    whole = [round(value) for value in solution]
    if any(abs(a - b) > TOLERANCE * max(1, abs(a)) for a, b in zip(whole, solution, strict=True)):
        return None
    exact = all(
        sum(a * b for a, b in zip(whole, row, strict=True)) == number
        for row, number in zip(rows, numbers, strict=True)
    )
    return whole if exact else None


def _product(factor: int, term: str) -> str:
    if term == "1":
        return str(factor)
    return term if factor == 1 else f"{factor}*{term}"


def _sum(parts: Iterator[str] | Sequence[str]) -> str:
    kept = [part for part in parts if part != "0"] or ["0"]
    return " + ".join(kept).replace("+ -", "- ")
