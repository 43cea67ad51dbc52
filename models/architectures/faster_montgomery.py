"""Faster Montgomery multiplication: one carry-save adder, 16-entry table (source 000, Alg. 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.architecture import Architecture
from models.bit_serial import BitSerialChaining
from models.bit_true import IteratedModel, Iteration
from models.capability import Part
from models.constant import Constant, Reduction
from models.coverage import Coverage
from models.published import PublishedByAmanor
from models.words import Word, bit, carry_save_add, choose, complement


class FasterMontgomeryCoverage(Coverage):
    """The table has 16 addresses."""

    address_bits = 4
    address_meaning = "x_i, y_0, c_0, s_0"

    def transitions(self, width: int) -> frozenset[tuple[int, int]]:
        """Return 64 pairs: y_0 never changes, and the address determines the next c_0.

        S + C + I is even, so the lowest full adder's carry is 1 exactly if one of its inputs is 1.
        So the next c_0 is 0 after addresses with c_0 = s_0 = 0 (I is then even), and 1 after all
        others. n = 4 is too short for four of the pairs. Checked exhaustively for n = 4, 5, 6.
        """
        pairs = {
            (a, b)
            for a in range(16)
            for b in range(16)
            if (a ^ b) & 4 == 0 and (b >> 1 & 1) == int(a & 3 != 0)
        }
        if width < 5:
            pairs -= {(a, b) for a in (6, 14) for b in (6, 14)}
        return frozenset(pairs)


class FasterMontgomeryModel(IteratedModel):
    """Algorithm 3: one carry-save addition of a table entry per iteration."""

    bit_sliced = True

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """Return (Y + M,), the constant R of n + 1 bits."""
        return (y + m,)

    def iterations(
        self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int
    ) -> Iterator[Iteration[Word]]:
        """Yield S, C, address {x_i, y_0, c_0, s_0} of steps (1) to (8); S, C < 2**n."""
        (r,) = constants
        s = c = x & 0
        y_0 = bit(y, 0)
        for i in range(width):
            x_i = bit(x, i)
            address = x_i, y_0, bit(c, 0), bit(s, 0)
            odd = bit(s, 0) ^ bit(c, 0) ^ (x_i & y_0)
            no_x, even = complement(x_i), complement(odd)
            s, c = carry_save_add(s, c, choose((x_i & even, y), (no_x & odd, m), (x_i & odd, r)))
            s, c = s >> 1, c >> 1
            yield s, c, address


class FasterMontgomery(Architecture):
    """Registry entry A4, without register I (thesis, ch. 5.3).

    Gajbhiye & Joshi's Table I prints Y in row 0011; steps (3) to (6) of Algorithm 3 need 0 there.
    """

    name = "faster_montgomery"
    title = "Faster Montgomery (Alg. 3)"
    source = "Amanor, thesis 2005, Algorithm 3; Gajbhiye & Joshi 2018, 'pre-computed'"
    module = "faster_montgomery"
    montgomery = True
    published = Part(PublishedByAmanor, "n + 1", "thesis, ch. 6.3", 2)
    constants = (Constant("R = Y + M", Reduction.NONE),)
    wave_signals = ("x_i", "gen_iteration[0].entry")
    coverage = Part(FasterMontgomeryCoverage)
    chaining = Part(BitSerialChaining)
    model = Part(FasterMontgomeryModel)
