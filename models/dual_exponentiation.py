"""Exponentiation core over two bit-serial cores, which read and write words like a ring."""

from __future__ import annotations

from models.bit_serial import MORE_BITS
from models.conversion import conversion_cycles
from models.ring_exponentiation import ADDER_CYCLES, NOT_STARTED, REJECTED, RingExponentiation
from models.status import Status

# A product of a bit-serial core starts only after all words of its operands, so limit the words.
MOST_DUAL_WORDS = 10


class DualExponentiation(RingExponentiation):
    """Exponentiation over two bit-serial Montgomery cores (``bit_serial_dual.sv``), not rings.

    A product reads its operands word by word before it starts, while the product before it
    delivers them.
    """

    def derived_parameters(self) -> dict[str, int]:
        """Return the core's parameters: 2 to 10 words of whole digits.

        A word has at least the bits of the adder, unless the operands are too short.
        """
        bits, longest = self.entry.timing.iterations_per_cycle(self.width), self._longest
        least = max(self._least_word, -(-longest // MOST_DUAL_WORDS))
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
        """Default bits of a word, unless the operands are too short or too long for it."""
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


class InterleavedExponentiation(DualExponentiation):
    """Exponentiation over two interleaved cores (``interleaved_dual.sv``), not rings.

    R = 1, so entry into and exit from the Montgomery domain are products with 1. Each product is
    reduced. It takes the cycles of a product of ``parallel_unit.sv`` and two more until its first
    word.
    """

    @property
    def _longest(self) -> int:
        """Bits of S + C."""
        return self.width + self.entry.model.guard_bits(self.width) + 1

    @property
    def _least_word(self) -> int:
        """Three times the adder's bits, because each product needs eight or more adder passes."""
        return 3 * self.add_width

    def computed_r_squared(self, m: int) -> int:
        """Return 1, because R = 1."""
        return 1

    def product(self, x: int, y: int, m: int) -> int:
        """Return the product, reduced below M."""
        return sum(self.entry.model.product(x, y, m, self.width)) % m

    def r_squared_cycles(self) -> int:
        """Return 0: R**2 = 1 needs no computation."""
        return 0

    def product_cycles(self, m: int, *, fresh_modulus: bool = False) -> int:
        """Return the cycles from a product's start to the earliest start of the next."""
        return 2 + self.entry.timing.operation_cycles(
            m, self.width, fresh_modulus=fresh_modulus, add_width=self._word_width
        )

    def product_starts(self, length: int) -> list[int]:
        """Return the start position of each product of the loop, always 0."""
        return [0] * length

    def positions(self) -> frozenset[int]:
        """Return the positions at which the loop's products can start."""
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
        """Return the busy cycles of one start; they depend on the length of M."""
        if status in NOT_STARTED:
            return 1
        cycles = self._conversion + ADDER_CYCLES + 1
        if status in REJECTED:
            return cycles + 1
        cycles += self.product_cycles(m, fresh_modulus=True)
        cycles += (length + 1) * self.product_cycles(m) + self._words + ADDER_CYCLES - 1
        return cycles + conversion_cycles(self.width, self._word_width, self._bus_width) + 1
