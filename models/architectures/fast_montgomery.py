"""Fast Montgomery multiplication: two carry-save adders (source 000, Algorithm 1b)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.architecture import Architecture
from models.bit_serial import BitSerialChaining
from models.bit_true import IteratedModel, Iteration
from models.capability import Part
from models.coverage import Coverage
from models.published import PublishedByAmanor
from models.words import Word, bit, carry_save_add, choose


class FastMontgomeryCoverage(Coverage):
    """The table address selects the addends."""

    address_bits = 2
    address_meaning = "x_i, q_i: which of Y and M are added"

    def transitions(self, width: int) -> frozenset[tuple[int, int]]:
        """Return all 16 pairs; each is reachable for n >= 4 (checked exhaustively)."""
        return frozenset((a, b) for a in range(4) for b in range(4))


class FastMontgomeryModel(IteratedModel):
    """Algorithm 1b: two carry-save additions per iteration."""

    bit_sliced = True

    def iterations(
        self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int
    ) -> Iterator[Iteration[Word]]:
        """Yield S, C and the address {x_i, q_i} of steps (1) to (5); S, C < 2**n."""
        s = c = x & 0
        for i in range(width):
            x_i = bit(x, i)
            s, c = carry_save_add(s, c, choose((x_i, y)))
            q_i = bit(s, 0)
            s, c = carry_save_add(s, c, choose((q_i, m)))
            s, c = s >> 1, c >> 1
            yield s, c, (x_i, q_i)


class FastMontgomery(Architecture):
    """Registry entry A2.

    Step (4) tests s_0 alone: c_0 is 0 directly after a carry-save adder, so s_0 is the parity of
    S + C.
    """

    name = "fast_montgomery"
    title = "Fast Montgomery (Alg. 1b)"
    source = "Amanor, thesis 2005, Algorithm 1b; Gajbhiye & Joshi 2018, 'two-CSA'"
    module = "fast_montgomery"
    montgomery = True
    published = Part(PublishedByAmanor, "n + 1", "thesis, ch. 6.3", 2)
    wave_signals = ("x_i", "gen_iteration[0].addend_y", "gen_iteration[0].addend_m")
    coverage = Part(FastMontgomeryCoverage)
    chaining = Part(BitSerialChaining)
    model = Part(FastMontgomeryModel)
