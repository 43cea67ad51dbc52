"""Interleaved multiplication, plain and carry-save (source 000, Alg. 2 and 4); model only."""

from __future__ import annotations

from collections.abc import Sequence

from models.architecture import Architecture
from models.bit_true import Model
from models.capability import Part
from models.constant import Reduction
from models.published import Published
from models.timing import UnloadedTiming
from models.words import carry_save_add


class InterleavedModel(Model):
    """Algorithm 2: shift, add, at most two subtractions per iteration."""

    def loop(self, x: int, y: int, m: int, constants: Sequence[int], width: int) -> tuple[int, int]:
        """Return (P, 0), P of Algorithm 2. Two subtractions suffice only for y < m."""
        p = 0
        for i in reversed(range(width)):
            p = 2 * p + (x >> i & 1) * y
            for _ in range(2):
                p -= (p >= m) * m
        return p, 0


class Interleaved(Architecture):
    """Algorithm 2: shift, add, at most two subtractions, most significant bit of X first."""

    name = "interleaved"
    title = "Interleaved (Alg. 2)"
    source = "Amanor, thesis 2005, Algorithm 2"
    module = None
    montgomery = False
    published = Part(Published, "n", "thesis, ch. 2.4")
    timing = Part(UnloadedTiming)
    model = Part(InterleavedModel)


class InterleavedCarrySaveModel(Model):
    """Algorithm 4: two carry-save additions per iteration."""

    def loop(self, x: int, y: int, m: int, constants: Sequence[int], width: int) -> tuple[int, int]:
        """Return (S, C) after steps (1) to (11); S, C < 2**(n+2)."""
        s = c = a = 0
        mask = (1 << width) - 1
        for i in reversed(range(width)):
            s, c = carry_save_add((s & mask) << 1, (c & mask) << 1, (x >> i & 1) * y)
            s, c = carry_save_add(s, c, a << 1)
            top = 2 * (s >> width + 1 & 1) + (s >> width & 1)
            top += 2 * (c >> width + 1 & 1) + (c >> width & 1)
            a = (top << width) % m
        return s, c


class InterleavedCarrySave(Architecture):
    """Algorithm 4: two carry-save additions per step; A adds the bits from n up back, reduced.

    Step (12) reads S and C in full, with bits n and n+1, because no further A adds these bits back.
    S div 2**n and C div 2**n stay below 4, so the four bits of step (11) suffice (checked
    exhaustively in ``models/tests``).
    """

    name = "interleaved_carry_save"
    title = "Interleaved, carry-save (Alg. 4)"
    source = "Amanor, thesis 2005, Algorithm 4"
    module = None
    montgomery = False
    published = Part(Published, "n", "thesis, ch. 3.2")
    final_reduction = Reduction.FULL
    timing = Part(UnloadedTiming)
    model = Part(InterleavedCarrySaveModel)
