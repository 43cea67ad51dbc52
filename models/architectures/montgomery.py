"""Montgomery multiplication with carry-propagate adders (source 000, Algorithm 1a); model only."""

from __future__ import annotations

from collections.abc import Sequence

from models.architecture import Architecture
from models.bit_true import Model
from models.capability import Part
from models.published import Published
from models.timing import UnloadedTiming


class MontgomeryModel(Model):
    """Algorithm 1a: S holds the whole result, C = 0."""

    def loop(self, x: int, y: int, m: int, constants: Sequence[int], width: int) -> tuple[int, int]:
        """Return (P, 0) after steps (1) to (5), before the conditional subtraction of step (6)."""
        p = 0
        for i in range(width):
            p += (x >> i & 1) * y
            p += (p & 1) * m
            p >>= 1
        return p, 0


class Montgomery(Architecture):
    """Baseline of the thesis: S holds the whole result, C = 0."""

    name = "montgomery"
    title = "Montgomery (Alg. 1a)"
    source = "Amanor, thesis 2005, Algorithm 1a"
    module = None
    montgomery = True
    published = Part(Published, "n", "thesis, ch. 2.3")
    timing = Part(UnloadedTiming)
    model = Part(MontgomeryModel)
