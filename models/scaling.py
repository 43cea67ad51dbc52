"""Results modulo a multiple of M that is longer than M, and their reduction to M."""

from __future__ import annotations

from abc import ABC, abstractmethod

from models.capability import Capability


class Scaling(Capability, ABC):
    """Results are longer than M by a scale of s bits; the core's constant is 2**-s mod M."""

    @abstractmethod
    def bits(self, width: int) -> int:
        """Return s, the bits of the scale."""

    @abstractmethod
    def product_cycles(self, width: int) -> int:
        """Return the cycles of a product of the scale's digits, to the first result word."""

    @abstractmethod
    def cycles(self, width: int, fresh_modulus: bool) -> int:
        """Return the cycles of the Montgomery reductions by the scale and the last subtraction."""
