"""MM42: carry-save operands and result, 4-to-2 compressors (source 001, reference [12] there)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.bit_serial import BitSerialChaining
from models.bit_true import IteratedModel, Iteration
from models.capability import Part
from models.coverage import Coverage
from models.unfolding import PublishedUnfolding, UnfoldedTiming, Unfolding
from models.words import Word, bit, carry_save_add, choose, complement, low_bits


class Mm42Coverage(Coverage):
    """The table address selects the addends."""

    address_bits = 2
    address_meaning = "x_i, q_i"

    def transitions(self, width: int) -> frozenset[tuple[int, int]]:
        """Return all 16 pairs."""
        return frozenset((a, b) for a in range(4) for b in range(4))


class Mm42Timing(UnfoldedTiming):
    """The start cycle computes an iteration, even for J = 1."""

    start_iterates = True


class Mm42Model(IteratedModel):
    """Two carry-save additions per iteration: a 4-to-2 compressor."""

    bit_sliced = True

    def iterations(
        self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int
    ) -> Iterator[Iteration[Word]]:
        """Yield S1, S2, address {x_i, q_i} of steps 1 to 14, Y1 = Y, Y2 = 0: S1 + S2 < Y + M."""
        return self._iterate(x, y, y ^ y, m, width, width)

    def _iterate(
        self, x: Word, y1: Word, y2: Word, m: Word, width: int, iterations: int
    ) -> Iterator[Iteration[Word]]:
        bits = width + 2
        d1, d2 = carry_save_add(y1, y2, m)
        d2 = low_bits(d2, bits)
        s1 = s2 = x & 0
        y_0 = bit(y1, 0) ^ bit(y2, 0)
        for i in range(iterations):
            x_i = bit(x, i)
            q = bit(s1, 0) ^ bit(s2, 0) ^ (x_i & y_0)
            no_x, no_q = complement(x_i), complement(q)
            v1 = choose((x_i & no_q, y1), (no_x & q, m), (x_i & q, d1))
            v2 = choose((x_i & no_q, y2), (x_i & q, d2))
            s1, s2 = carry_save_add(s1, s2, v1)
            s2 = low_bits(s2, bits + 1)
            s1, s2 = carry_save_add(s1, s2, v2)
            s1, s2 = low_bits(s1, bits + 1) >> 1, low_bits(s2, bits + 1) >> 1
            yield s1, s2, (x_i, q)


class Mm42(Unfolding):
    """Registry entry B3: one iteration per cycle.

    With n iterations, R = 2**n, and operands below M give a result below 2M. With n + 2 iterations,
    R = 2**(n+2) > 4M, and operands below 2M give a result below 2M without a final subtraction.
    Source 001 feeds S1 and S2 unchanged into the next product, so no carry propagates through them.
    Here words move between products; each word is the sum of a word of S1 and a word of S2.
    """

    name = "mm42"
    title = "MM42 (4-to-2 compressors)"
    source = "Gajbhiye & Joshi 2018, 'MM42_Multiplier' (Kuang et al. 2012); n + 2: Walter 1999"
    module = "mm42"
    montgomery = True
    published = Part(PublishedUnfolding, "n/J; n + 2 in a chain", "Gajbhiye & Joshi 2018")
    wave_signals = ("x_i",)
    default_unfolding = 1
    coverage = Part(Mm42Coverage)
    chaining = Part(BitSerialChaining)
    timing = Part(Mm42Timing)
    model = Part(Mm42Model)


class UnfoldedMm42(Mm42):
    """Registry entry B4: two iterations per cycle."""

    name = "unfolded_mm42"
    title = "MM42, unfolded"
    source = "Gajbhiye & Joshi 2018, 'MM42_Multiplier with proposed unfolding', figure 8"
    default_unfolding = 2
