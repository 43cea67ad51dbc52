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
    """Algorithm 2: shift, add, at most two subtractions."""

    def loop(self, x: int, y: int, m: int, constants: Sequence[int], width: int) -> tuple[int, int]:
        """P of Algorithm 2 as (P, 0). Two subtractions suffice only for y < m."""
        p = 0
        for i in reversed(range(width)):
            p = 2 * p + (x >> i & 1) * y
            for _ in range(2):
                if p >= m:
                    p -= m
        return p, 0


class Interleaved(Architecture):
    """Shift, add, at most two subtractions, most significant bit first."""

    name = "interleaved"
    title = "Interleaved (Alg. 2)"
    source = "Amanor, thesis 2005, Algorithm 2"
    module = None
    montgomery = False
    published = Part(Published, "n", "thesis, ch. 2.4")
    timing = Part(UnloadedTiming)
    model = Part(InterleavedModel)


class InterleavedCarrySaveModel(Model):
    """Algorithm 4: two carry-save additions an iteration."""

    def loop(self, x: int, y: int, m: int, constants: Sequence[int], width: int) -> tuple[int, int]:
        """Steps (1) to (11): S, C < 2**(n+2)."""
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
    """Algorithm 4: two carry-save additions a step, the bits above n added back as A.

    Step (12) reads S and C in full, bits n and n+1 included: they have not been folded into the
    last A's successor. S div 2**n and C div 2**n stay below 4, so the four bits of step (11) are
    all there are (checked exhaustively in ``models/tests``).
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
