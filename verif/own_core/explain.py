"""Find the k that explains the results of a product, at one width and at several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from verif.own_core.draw import Operation
from verif.own_core.fit import formula_among, simple_formulas
from verif.own_core.formula import Formula

# The search for k ends at this factor times the width, plus MOST_MORE.
MOST_FACTOR, MOST_MORE = 2, 64
# A k must explain this share of the results, because a core with a bug may be wrong sometimes.
SHARE = 0.75


@dataclass(frozen=True)
class Seen:
    """One operation and its outcome; ``result`` and ``cycles`` are None if it did not end."""

    operation: Operation
    result: int | None
    cycles: int | None


def most_k(width: int) -> int:
    """Return the largest k of the search."""
    return MOST_FACTOR * width + MOST_MORE


def explaining(one: Seen, width: int) -> set[int]:
    """Return the values of k with which a result is X·Y·2^-k mod M."""
    if one.result is None:
        return set()
    x, y, m, _ = one.operation
    found, value = set(), one.result % m
    for k in range(most_k(width) + 1):
        if value == x * y % m:
            found.add(k)
        value = 2 * value % m
    return found


class Explanations:
    """Values of k at several widths.

    Args:
        seen: operations with odd M by width.
    """

    def __init__(self, seen: Mapping[int, Iterable[Seen]]) -> None:
        seen = {width: list(some) for width, some in seen.items() if some}
        self._total = {width: len(some) for width, some in seen.items()}
        self.counts = {
            width: Counter(k for one in some for k in explaining(one, width))
            for width, some in seen.items()
        }

    @property
    def choices(self) -> dict[int, set[int]]:
        """Return the best values of k, for the widths whose results they explain."""
        found = {}
        for width, counts in self.counts.items():
            best = max(counts.values(), default=0)
            if best and best >= SHARE * self._total[width]:
                found[width] = {k for k, count in counts.items() if count == best}
        return found

    def formula(self) -> str | None:
        """Return the simplest formula that holds at all explained widths, or None."""
        choices = self.choices
        return formula_among(choices) if choices else None

    def best(self) -> str:
        """Return the formula that explains most results of all widths; empty if none does."""
        shares = {text: sum(self.explained(text).values()) for text in simple_formulas()}
        best = max(shares, key=lambda text: shares[text])
        return best if shares[best] else ""

    def explained(self, text: str) -> dict[int, float]:
        """Return the share of the results that a formula explains, by width."""
        formula = Formula(text)
        return {
            width: counts[formula(n=width)] / self._total[width]
            for width, counts in self.counts.items()
        }

    def shares(self, text: str) -> str:
        """Return in words how many results a formula explains at each width."""
        found = self.explained(text)
        return ", ".join(
            f"{round(found[width] * self._total[width])} of {self._total[width]} at {width}"
            for width in sorted(found)
        )
