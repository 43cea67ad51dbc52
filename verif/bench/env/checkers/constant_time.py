"""Watches that the time of an exponentiation tells nothing but its length; needs no formula."""

from __future__ import annotations

from collections.abc import Hashable


class ConstantTimeWatch:
    """Compares the clocks of operations that may not differ in time."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._first: dict[Hashable, tuple[int, str]] = {}
        self._weights: dict[Hashable, tuple[int, set[int]]] = {}

    def note(self, kind: Hashable, length: int, exponent: int, clocks: int, text: str) -> str:
        """Note one operation.

        Args:
            kind: what the time may depend on; operations of one kind must take equally long.
            length: exponent bits worked off.
            exponent: its weight is noted, see :meth:`missing`.
            clocks: of busy.
            text: names the operation in messages.

        Returns:
            What is wrong with it; empty if it took as long as the first of its kind.
        """
        first, first_text = self._first.setdefault(kind, (clocks, text))
        _, weights = self._weights.setdefault(kind, (length, set()))
        weights.add(exponent.bit_count())
        if clocks == first:
            return ""
        return (
            f"busy for {clocks} clocks, but for {first} with other values of {kind}: {first_text}"
        )

    def missing(self) -> list[str]:
        """What was not compared: each kind needs exponents of weight 1, half and full."""
        found = [] if self._weights else ["nothing was compared"]
        for kind, (length, weights) in self._weights.items():
            lacking = sorted({1, length // 2, length} - weights - {0})
            if lacking:
                found.append(f"no exponent of weight {lacking} was compared for {kind}")
        return found
