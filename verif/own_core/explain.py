"""Which k explains the results of a product, at one width and over several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from verif.own_core.draw import Operation
from verif.own_core.fit import formula_among, simple_formulas
from verif.own_core.formula import Formula

# k is looked for up to so many times the width, and somewhat.
MOST_FACTOR, MOST_MORE = 2, 64
# A core with a defect is wrong now and then; what explains this share of its results is its k.
SHARE = 0.75


@dataclass(frozen=True)
class Seen:
    """One operation and what came of it; ``result`` and ``clocks`` None: it did not end."""

    operation: Operation
    result: int | None
    clocks: int | None


def most_k(width: int) -> int:
    """Largest k that is looked for."""
    return MOST_FACTOR * width + MOST_MORE


def explaining(one: Seen, width: int) -> set[int]:
    """Values of k with which a result is X·Y·2^-k mod M."""
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
        """The best values of k, at the widths whose results they explain."""
        found = {}
        for width, counts in self.counts.items():
            best = max(counts.values(), default=0)
            if best and best >= SHARE * self._total[width]:
                found[width] = {k for k, count in counts.items() if count == best}
        return found

    def formula(self) -> str | None:
        """The simplest formula that holds at all widths with an explanation; None if none does."""
        choices = self.choices
        return formula_among(choices) if choices else None

    def best(self) -> str:
        """The formula that explains most results of all widths; empty if none explains one."""
        shares = {text: sum(self.explained(text).values()) for text in simple_formulas()}
        best = max(shares, key=lambda text: shares[text])
        return best if shares[best] else ""

    def explained(self, text: str) -> dict[int, float]:
        """Share of the results that a formula explains, by width."""
        formula = Formula(text)
        return {
            width: counts[formula(n=width)] / self._total[width]
            for width, counts in self.counts.items()
        }

    def shares(self, text: str) -> str:
        """How many results a formula explains at each width, in words."""
        found = self.explained(text)
        return ", ".join(
            f"{round(found[width] * self._total[width])} of {self._total[width]} at {width}"
            for width in sorted(found)
        )
