"""Exponentiation core over a word-stream core: word transfers and their cycles."""

from __future__ import annotations

from functools import cached_property

from models.architecture import Architecture
from models.conversion import conversion_cycles
from models.exponentiation import Exponentiation
from models.status import Status
from models.timing import DEFAULT_ADD_WIDTH, DEFAULT_BUS_WIDTH

# A core with a scale needs one squaring less: its products are longer, and 32 fewer doublings
# remain to be saved.
MAX_SQUARINGS, MAX_SCALED_SQUARINGS = 7, 6
# Cycles from an adder's last word to its outcome, and from a word of M to the shifted word.
ADDER_CYCLES = 3
ALIGN_CYCLES = 2
# Products of the coherence check after the exit.
VERIFY_PRODUCTS = 4
NOT_STARTED = (Status.OPERAND_INCOMPLETE, Status.LENGTH_RANGE, Status.EXPONENT_RANGE)
REJECTED = (Status.OPERAND_RANGE, Status.MODULUS_EVEN, Status.MODULUS_ZERO_OR_ONE)


class RingExponentiation(Exponentiation):
    """Adds R**2 on chip and all cycle formulas to the steps and values of :class:`Exponentiation`.

    A start converts base and M from bus words in memories to ring words and compares them at the
    same time. It does the same with a supplied R**2, and converts R**2 once more to keep it. The
    result is converted back to bus words. Adder and memories process one ring word per cycle. The
    adder takes the words of the last result as they arrive.

    R**2 on chip (r: bits of R). The core doubles 2**(n-1) to 2**(r+a-b) modulo M*2**k, where k
    moves M's top bit to bit n-1. It appends b zero bits. s squarings give 2**(r + a*2**s). A
    product with 2**f, f = 2r - a*2**s, gives R**2. a is the least value with f <= n; f is not
    negative as long as 2**s <= n. b is the number of bits by which operands may be longer than M,
    in whole words.

    In a core with a scale the last product is a product with 2**scale. A Montgomery reduction by
    the scale gives its residue: u bit by bit, u*M in the ring, and a subtraction. Mhat is the same
    reduction of 1.
    """

    def __init__(
        self,
        entry: Architecture,
        width: int,
        add_width: int = DEFAULT_ADD_WIDTH,
        bus_width: int = DEFAULT_BUS_WIDTH,
        *,
        coherent: bool = False,
    ) -> None:
        """Describe the core built with ``entry`` and a bus of ``bus_width`` bits."""
        super().__init__(entry, width, add_width, coherent=coherent)
        streams = self.derived_parameters()
        self._words = streams["Words"]
        self._word_width = streams["WordWidth"]
        self._bus_width = bus_width
        self._scale = entry.scaling.bits(width) if entry.scaling else 0

    def derived_parameters(self) -> dict[str, int]:
        """Return the parameters of the hardware that feeds the core: see ``exponentiation``."""
        return self.entry.streams.parameters(self.width)

    @property
    def wipe_cycles(self) -> int:
        """Cycles to wipe all memories, one word of each per cycle, if the host writes nothing.

        The queue of a ring has as many words as the next power of two.
        """
        return max(2 * self._words, -(-self.width // self._bus_width)) + 1

    @cached_property
    def squarings(self) -> int:
        """Number s of squarings."""
        largest = MAX_SCALED_SQUARINGS if self._scale else MAX_SQUARINGS
        return min(largest, self.width.bit_length() - 1)

    @cached_property
    def above(self) -> int:
        """Exponent a above r, before the squarings."""
        return -(-(2 * self.radix_bits - self.width) >> self.squarings)

    @cached_property
    def doublings(self) -> int:
        """Number of doublings, from exponent n - 1 to r + a - b."""
        return self.radix_bits + self.above - self.raised - (self.width - 1)

    @property
    def raised(self) -> int:
        """Number b of zero bits appended, in whole words."""
        return self._scale // self._word_width * self._word_width

    @property
    def missing(self) -> int:
        """Exponent f of the last factor 2**f."""
        return 2 * self.radix_bits - (self.above << self.squarings)

    def computed_r_squared(self, m: int) -> int:
        """Return R**2 as the core computes it: congruent to R**2, like any value of a chain."""
        modulus = m << (self.width - m.bit_length())
        value = (1 << (self.width - 1)) * pow(2, self.doublings, modulus) % modulus
        value <<= self.raised
        step = self.product
        for _ in range(self.squarings):
            value = step(value, value, m)
        return step(value, 1 << self.missing, m)

    def positions(self) -> frozenset[int]:
        """Return the positions at which the loop's products can start."""
        return self.entry.chaining.positions(self.width)

    def product_starts(self, length: int) -> list[int]:
        """Return the start position of each product of the loop."""
        position, starts = 0, []
        for _ in range(length):
            _, position = self.entry.chaining.next_start(self.width, position)
            starts.append(position)
        return starts

    def _chain_cycles(self, count: int, position: int = 0) -> tuple[int, int]:
        """Return the cycles of ``count`` chained products to the next start, and its position."""
        total = 0
        for _ in range(count):
            cycles, position = self.entry.chaining.next_start(self.width, position)
            total += cycles
        return total, position

    def r_squared_cycles(self) -> int:
        """Return the cycles of R**2: shift of M, doublings, copy to S, and the products."""
        shift, copy = 2 + self._words + ALIGN_CYCLES, self._words
        passes = shift + self.doublings * (self._words + ADDER_CYCLES) + copy
        chain, _ = self._chain_cycles(self.squarings + 1)
        return passes + chain + self._words

    @property
    def _conversion(self) -> int:
        """Cycles to convert an operand from bus words to ring words."""
        return conversion_cycles(self.width, self._bus_width, self._word_width, self._words)

    @property
    def _split_words(self) -> int:
        """Words of a product, including the words that end below the scale."""
        return -(-self._scale // self._word_width) + self._words

    @property
    def _scale_product(self) -> int:
        """Cycles of u, bit by bit, and of u*M up to the last added word above the scale."""
        product = self.entry.scaling.product_cycles(self.width)
        return self._scale + 1 + product + self._split_words + ADDER_CYCLES

    def _last_product(self, position: int) -> int:
        """Return the cycles of a chained product until its residue is known."""
        cycles, _ = self.entry.chaining.next_start(self.width, position)
        if self._scale:
            subtraction = self._words + ADDER_CYCLES
            return cycles - 1 + self._split_words + self._scale_product + subtraction
        return cycles + self._words + ADDER_CYCLES - 1

    def _coherence_cycles(self) -> int:
        """Return the cycles of the products after the result, until the last residue is known."""
        if not self.coherent:
            return 0
        cycles, _ = self._chain_cycles(VERIFY_PRODUCTS)
        return cycles + self._words + self._check_cycles()

    @property
    def _constant_cycles(self) -> int:
        """Cycles of m', or of Mhat and its comparison with the host's value."""
        if self._scale:
            return self._scale_product + self._conversion + 1
        return self.m_prime_width + 1 if self.m_prime_width else 0

    def last_sum(self, a: int, m: int) -> int:
        """Return the sum that the last conditional subtraction reduces, given A of a chain."""
        value = self.product(a, 1 << self._scale, m)
        radix = 1 << self._scale
        return (value + -value * pow(m, -1, radix) % radix * m) // radix

    def _check_cycles(self) -> int:
        """Return the cycles of both products that check R**2, until the residue is known."""
        first, position = self._chain_cycles(1)
        return first + self._last_product(position)

    def operation_cycles(
        self,
        m: int,
        length: int,
        status: Status = Status.OK,
        *,
        compute_r_squared: bool = True,
        check_r_squared: bool = False,
    ) -> int:
        """Return the busy cycles of one start; they do not depend on operand values."""
        if status in NOT_STARTED:
            return 1
        cycles = (self._conversion + ADDER_CYCLES) * (2 if check_r_squared else 1) + 1
        if status in REJECTED:
            return cycles + 1
        cycles += self._constant_cycles
        if check_r_squared:
            cycles += self._conversion + self._check_cycles()
        elif compute_r_squared:
            cycles += self.r_squared_cycles()
        if status is Status.CONSTANT_INCONSISTENT:
            return cycles + 1
        chain, position = self._chain_cycles(1 + length)
        result = conversion_cycles(self.width, self._word_width, self._bus_width)
        last = self._last_product(position) + self._coherence_cycles()
        return cycles + chain + last + result + 1
