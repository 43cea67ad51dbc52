"""Checks that the duration of an exponentiation reveals only its length; needs no formula."""

from __future__ import annotations

from collections.abc import Hashable


class ConstantTimeWatch:
    """Compares the cycles of operations that must take equally long."""

    def __init__(self) -> None:
        """Start without any operation."""
        self._first: dict[Hashable, tuple[int, str]] = {}
        self._weights: dict[Hashable, tuple[int, set[int]]] = {}

    def note(self, kind: Hashable, length: int, exponent: int, cycles: int, text: str) -> str:
        """Record one operation.

        Args:
            kind: everything that the time may depend on; all operations of one kind must take
                equally long.
            length: number of processed exponent bits.
            exponent: the exponent; :meth:`missing` uses its weight.
            cycles: busy cycles.
            text: name of the operation in messages.

        Returns:
            The error; empty if the operation took as long as the first of its kind.
        """
        first, first_text = self._first.setdefault(kind, (cycles, text))
        _, weights = self._weights.setdefault(kind, (length, set()))
        weights.add(exponent.bit_count())
        if cycles == first:
            return ""
        return (
            f"busy for {cycles} cycles, but for {first} with other values of {kind}: {first_text}"
        )

    def missing(self) -> list[str]:
        """Return the missing comparisons: each kind needs exponents of weight 1, half and full."""
        found = [] if self._weights else ["nothing was compared"]
        for kind, (length, weights) in self._weights.items():
            lacking = sorted({1, length // 2, length} - weights - {0})
            if lacking:
                found.append(f"no exponent of Hamming weight {lacking} was compared for {kind}")
        return found
