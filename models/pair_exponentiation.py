"""The exponentiation core over two bit-serial cores, which read and write words like a ring."""

from __future__ import annotations

from models.bit_serial import MORE_BITS
from models.conversion import conversion_cycles
from models.ring_exponentiation import ADDER_CLOCKS, NOT_STARTED, REFUSED, RingExponentiation
from models.status import Status

# A bit-serial core's products wait for the words of their operands.
MOST_PAIR_WORDS = 10


class PairExponentiation(RingExponentiation):
    """Over two bit-serial Montgomery cores in the place of rings (``bit_serial_pair.sv``).

    A product takes in its operands by words before it begins, each as the one before gives it.
    """

    def facts(self) -> dict[str, int]:
        """Words of the adder's bits, or more for long operands: two to ten, in whole digits."""
        bits, longest = self.entry.timing.iterations_per_cycle(self.width), self._longest
        least = max(self._least_word, -(-longest // MOST_PAIR_WORDS))
        digits = -(-min(least, -(-longest // 2)) // bits)
        return {
            "WordWidth": digits * bits,
            "DigitWidth": bits,
            "Words": -(-longest // (digits * bits)),
            "RadixBits": self.radix_bits,
            "MPrimeBits": 0,
            "ScaleBits": 0,
        }

    @property
    def _least_word(self) -> int:
        """Bits that a word has unless the operands are too short or too long for it."""
        return self.add_width

    @property
    def _longest(self) -> int:
        """Bits of S and C."""
        return self.width + MORE_BITS + self.entry.model.guard_bits(self.width)

    def _chain_cycles(self, count: int, position: int = 0) -> tuple[int, int]:
        total, position = super()._chain_cycles(count, position)
        return total + count * self._words, position

    def _last_product(self, position: int) -> int:
        return super()._last_product(position) + self._words


class InterleavedExponentiation(PairExponentiation):
    """Over two interleaved cores in the place of rings (``interleaved_pair.sv``).

    R = 1, so that the way into the Montgomery domain and out of it are products with 1. Each
    product is reduced: it takes as long as one of ``parallel_unit.sv``, and two clocks more until
    its first word is there.
    """

    @property
    def _longest(self) -> int:
        """Bits of S + C."""
        return self.width + self.entry.model.guard_bits(self.width) + 1

    @property
    def _least_word(self) -> int:
        """Three times the adder's bits: each product makes eight passes of them and more."""
        return 3 * self.add_width

    def computed_r_squared(self, m: int) -> int:
        """1."""
        return 1

    def product(self, x: int, y: int, m: int) -> int:
        """Below M."""
        return sum(self.entry.model.product(x, y, m, self.width)) % m

    def r_squared_cycles(self) -> int:
        """It is known."""
        return 0

    def product_cycles(self, m: int, *, fresh_modulus: bool = False) -> int:
        """From a product's start to where the next may start."""
        return 2 + self.entry.timing.operation_cycles(
            m, self.width, fresh_modulus=fresh_modulus, add_width=self._word_width
        )

    def product_starts(self, length: int) -> list[int]:
        """Always in the same place."""
        return [0] * length

    def positions(self) -> frozenset[int]:
        """Where in the core the loop's products can start."""
        return frozenset({0})

    def operation_cycles(
        self,
        m: int,
        length: int,
        status: Status = Status.OK,
        *,
        compute_r_squared: bool = True,
        check_r_squared: bool = False,
    ) -> int:
        """Clocks that ``busy`` is high for one start; the length of M has a say in it."""
        if status in NOT_STARTED:
            return 1
        clocks = self._conversion + ADDER_CLOCKS + 1
        if status in REFUSED:
            return clocks + 1
        clocks += self.product_cycles(m, fresh_modulus=True)
        clocks += (length + 1) * self.product_cycles(m) + self._words + ADDER_CLOCKS - 1
        return clocks + conversion_cycles(self.width, self._word_width, self._bus_width) + 1
