"""Optimized interleaved multiplication: one CSA, 8-entry table (source 000, Algorithm 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.architecture import Architecture
from models.bit_true import IteratedModel, Iteration
from models.capability import Part
from models.constant import Constant, Reduction
from models.coverage import Coverage
from models.published import PublishedByAmanor
from models.words import Word, bit, carry_save_add, choose, complement, low_bits


class OptimizedInterleavedCoverage(Coverage):
    """The table has 8 addresses."""

    address_bits = 3
    address_meaning = "k = s_n + 2*c_(n+1) + c_n (2 bits), x_i"

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Return all 8 addresses; at n = 4, k = 3 is unreachable (checked exhaustively)."""
        return frozenset(range(8 if width > 4 else 6))

    def transitions(self, width: int) -> frozenset[tuple[int, int]]:
        """Return the reachable pairs: all 64 for n >= 9; k = 3 twice in a row needs n >= 9.

        Checked exhaustively: all operand triples of n = 4 ... 9.
        """
        pairs = {(a, b) for a in range(8) for b in range(8)}
        if width < 9:
            pairs -= {(a, b) for a in (6, 7) for b in (6, 7)}
        if width < 6:
            pairs -= {(a, b) for a in (6, 7) for b in range(6)}
            pairs -= {(a, b) for a in (0, 4, 5) for b in (6, 7)}
        if width < 5:
            pairs -= {(3, 5), (4, 4), (4, 5), *((5, b) for b in (1, 3, 4, 5))}
            pairs -= {(a, b) for a in range(8) for b in range(8) if max(a, b) > 5}
        return frozenset(pairs)

    def special_moduli(self, width: int) -> tuple[int, ...]:
        """Return M near 6*2**n / k, for which LookUp(6) = 6*2**n mod M is near 0 or M."""
        moduli = ((6 << width) // k + offset for k in range(7, 12) for offset in (-1, 0, 1))
        return tuple(m for m in moduli if 1 < m < 1 << width)

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """Return operands with k = 3 twice in a row, for each pair of X bits, and a large S + C.

        Exhaustive search at n = 9 found the first ones, at n = 7 the last one, whose S + C has
        n + 3 bits. Only one product in a thousand sets that top bit, of weight 4*2**n. Scaling Y
        and M by a power of two scales every value of the loop, so the operands work at any larger
        width. X is scaled, too, where the final S and C do not matter.
        """
        if width < 7:
            return ()
        largest = (0x3F, 0x73 << width - 7, 0x7C << width - 7)
        if width < 9:
            return (largest,)
        solutions = (
            (0x1A4, 0x130, 0x1C1), (0x1A5, 0x130, 0x1C1),
            (0x18E, 0x0F1, 0x1B1), (0x18F, 0x0F1, 0x1B1),
        )  # fmt: skip
        scaled = tuple((x << width - 9, y << width - 9, m << width - 9) for x, y, m in solutions)
        return (*scaled, largest)


class OptimizedInterleavedModel(IteratedModel):
    """Algorithm 5: one carry-save addition of a table entry per bit of X, highest bit first."""

    bit_sliced = True

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """Return LookUp(2), (4), (6), (3), (5), (7), each below M."""
        return tuple(((k << (width + 1)) + x * y) % m for x in (0, 1) for k in (1, 2, 3))

    def iterations(
        self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int
    ) -> Iterator[Iteration[Word]]:
        """Yield S < 2**(n+1), C < 2**(n+2) and the address 2*k + x_i of steps (1) to (10)."""
        t2, t4, t6, t3, t5, t7 = constants
        s = c = x & 0
        for i in reversed(range(width)):
            x_i = bit(x, i)
            # k = s_n + c_n + 2*c_(n+1) <= 3 (proved in source [1] of the thesis), so the upper bit
            # of k is the OR of its two contributions.
            k_0 = bit(s, width) ^ bit(c, width)
            k_1 = bit(c, width + 1) | (bit(s, width) & bit(c, width))
            no_x, k_is_0, k_is_1 = complement(x_i), complement(k_0 | k_1), k_0 & complement(k_1)
            k_is_2, k_is_3 = k_1 & complement(k_0), k_1 & k_0
            entry = choose(
                (k_is_0 & x_i, y), (k_is_1 & no_x, t2), (k_is_1 & x_i, t3), (k_is_2 & no_x, t4),
                (k_is_2 & x_i, t5), (k_is_3 & no_x, t6), (k_is_3 & x_i, t7),
            )  # fmt: skip
            s, c = carry_save_add(low_bits(s, width) << 1, low_bits(c, width) << 1, entry)
            yield s, c, (k_1, k_0, x_i)


class OptimizedInterleaved(Architecture):
    """Registry entry A6.

    LookUp(x) = x*Y with Y as given, and LookUp(2k + x) = (k*2**(n+1) + x*Y) mod M for k = 1, 2, 3.
    This reading reproduces figure 9 of the thesis bit for bit. The printed steps read the table one
    iteration early into A. Model and hardware read the table in the iteration that adds its entry:
    S and C stay the same, and register A is not needed.

    S, C < 2**n before they are doubled, so S + C < 2*2**n + 2*2**n + 2**n = 5*2**n after the last
    iteration. That is up to ten times M if M has n bits, and any multiple of a shorter M.
    """

    name = "optimized_interleaved"
    title = "Optimized Interleaved (Alg. 5)"
    source = "Amanor, thesis 2005, Algorithm 5"
    module = "optimized_interleaved"
    montgomery = False
    published = Part(PublishedByAmanor, "n + 1", "thesis, ch. 6.3", 0)
    constants = (
        Constant("LookUp(2)", Reduction.FULL, per_modulus=True),
        Constant("LookUp(4)", Reduction.ONCE, per_modulus=True),
        Constant("LookUp(6)", Reduction.ONCE, per_modulus=True),
        Constant("LookUp(3)", Reduction.OPERAND),
        Constant("LookUp(5)", Reduction.OPERAND),
        Constant("LookUp(7)", Reduction.OPERAND),
    )
    final_reduction = Reduction.FULL
    wave_signals = ("x_i", "entry")
    coverage = Part(OptimizedInterleavedCoverage)
    model = Part(OptimizedInterleavedModel)
