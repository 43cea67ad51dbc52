"""The exponentiation core over a word-stream core: how words move, and the cycles they take."""

from __future__ import annotations

from functools import cached_property

from models.architecture import Architecture
from models.conversion import conversion_cycles
from models.exponentiation import Exponentiation
from models.status import Status
from models.timing import DEFAULT_ADD_WIDTH, DEFAULT_BUS_WIDTH

# Products of a core with a scale are longer, and 32 doublings fewer are left to be saved.
MAX_SQUARINGS, MAX_SCALED_SQUARINGS = 7, 6
# Clocks from an adder's last word to its outcome, and a word of M to the same word shifted up.
ADDER_CLOCKS = 3
ALIGN_CLOCKS = 2
NOT_STARTED = (Status.OPERAND_INCOMPLETE, Status.LENGTH_RANGE, Status.EXPONENT_RANGE)
REFUSED = (Status.OPERAND_RANGE, Status.MODULUS_EVEN, Status.MODULUS_ZERO_OR_ONE)


class RingExponentiation(Exponentiation):
    """Steps and values as :class:`Exponentiation` has them; R**2 and all clocks are its own.

    A start takes base and M out of memories in words of the bus into words of the ring and compares
    them on the way; so it does with a supplied R**2, and once more to keep it. The result goes back
    in the same manner. Adder and memories work off a word of the ring in a clock, and the adder
    takes the last result as it comes.

    R**2 on chip, r the bits of R: 2**(n-1) is doubled to 2**(r+a-b) modulo M*2**k, M's top bit in
    place, b zeros are put below it, s squarings make 2**(r + a*2**s) of it, and a product with 2**f
    is R**2 where f = 2r - a*2**s. a is the least with f <= n, so f is not negative as long as
    2**s <= n. b: what operands may be longer than M, in whole words.

    Of a core with a scale the last product is one with 2**scale, and its residue a Montgomery
    reduction by the scale: u bit by bit, u*M in the ring, and a subtraction. Mhat is the same of 1.
    """

    def __init__(
        self,
        entry: Architecture,
        width: int,
        add_width: int = DEFAULT_ADD_WIDTH,
        bus_width: int = DEFAULT_BUS_WIDTH,
    ) -> None:
        """Describe the core built with ``entry`` behind a bus of ``bus_width`` bits."""
        super().__init__(entry, width, add_width)
        streams = self.facts()
        self._words = streams["Words"]
        self._word_width = streams["WordWidth"]
        self._bus_width = bus_width
        self._scale = entry.scaling.bits(width) if entry.scaling else 0

    def facts(self) -> dict[str, int]:
        """About the core, for the hardware that gives it its words: see ``exponentiation``."""
        return self.entry.streams.parameters(self.width)

    @property
    def wipe_cycles(self) -> int:
        """A word of every memory in a clock, as long as the host writes nothing.

        The queue of a ring has as many words as the next power of two.
        """
        return max(2 * self._words, -(-self.width // self._bus_width)) + 1

    @cached_property
    def squarings(self) -> int:
        """s."""
        largest = MAX_SCALED_SQUARINGS if self._scale else MAX_SQUARINGS
        return min(largest, self.width.bit_length() - 1)

    @cached_property
    def above(self) -> int:
        """a."""
        return -(-(2 * self.radix_bits - self.width) >> self.squarings)

    @cached_property
    def doublings(self) -> int:
        """From n - 1 to r + a - b."""
        return self.radix_bits + self.above - self.raised - (self.width - 1)

    @property
    def raised(self) -> int:
        """b."""
        return self._scale // self._word_width * self._word_width

    @property
    def missing(self) -> int:
        """f."""
        return 2 * self.radix_bits - (self.above << self.squarings)

    def computed_r_squared(self, m: int) -> int:
        """R**2 as the core computes it: congruent to R**2, as any value of a chain."""
        modulus = m << (self.width - m.bit_length())
        value = (1 << (self.width - 1)) * pow(2, self.doublings, modulus) % modulus
        value <<= self.raised
        step = self.product
        for _ in range(self.squarings):
            value = step(value, value, m)
        return step(value, 1 << self.missing, m)

    def positions(self) -> frozenset[int]:
        """Where in the core the loop's products can start."""
        return self.entry.chaining.positions(self.width)

    def product_starts(self, length: int) -> list[int]:
        """Where in the core each of the loop's products starts."""
        position, starts = 0, []
        for _ in range(length):
            _, position = self.entry.chaining.next_start(self.width, position)
            starts.append(position)
        return starts

    def _chain_cycles(self, count: int, position: int = 0) -> tuple[int, int]:
        """Clocks from the first start of ``count`` chained products to where the next may start."""
        total = 0
        for _ in range(count):
            clocks, position = self.entry.chaining.next_start(self.width, position)
            total += clocks
        return total, position

    def r_squared_cycles(self) -> int:
        """Shift of M, doublings, copy to S, and products up to the last word."""
        shift, copy = 2 + self._words + ALIGN_CLOCKS, self._words
        passes = shift + self.doublings * (self._words + ADDER_CLOCKS) + copy
        chain, _ = self._chain_cycles(self.squarings + 1)
        return passes + chain + self._words

    @property
    def _conversion(self) -> int:
        """An operand in words of the bus becomes one in words of the ring."""
        return conversion_cycles(self.width, self._bus_width, self._word_width, self._words)

    @property
    def _split_words(self) -> int:
        """Words of a product, those included that end below the scale."""
        return -(-self._scale // self._word_width) + self._words

    @property
    def _scale_product(self) -> int:
        """u bit by bit, and u*M up to the last word above the scale that is added."""
        product = self.entry.scaling.product_cycles(self.width)
        return self._scale + 1 + product + self._split_words + ADDER_CLOCKS

    def _last_product(self, position: int) -> int:
        """A product of a chain up to the clock in which its residue is known."""
        clocks, _ = self.entry.chaining.next_start(self.width, position)
        if self._scale:
            subtraction = self._words + ADDER_CLOCKS
            return clocks - 1 + self._split_words + self._scale_product + subtraction
        return clocks + self._words + ADDER_CLOCKS - 1

    @property
    def _constant_cycles(self) -> int:
        """m', or Mhat and its comparison with the host's."""
        if self._scale:
            return self._scale_product + self._conversion + 1
        return self.m_prime_width + 1 if self.m_prime_width else 0

    def last_sum(self, a: int, m: int) -> int:
        """What the last conditional subtraction makes a residue of, given the A of a chain."""
        value = self.product(a, 1 << self._scale, m)
        radix = 1 << self._scale
        return (value + -value * pow(m, -1, radix) % radix * m) // radix

    def _check_cycles(self, m: int) -> int:
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
        """Clocks that ``busy`` is high for one start; no value has a say in it."""
        if status in NOT_STARTED:
            return 1
        clocks = (self._conversion + ADDER_CLOCKS) * (2 if check_r_squared else 1) + 1
        if status in REFUSED:
            return clocks + 1
        clocks += self._constant_cycles
        if check_r_squared:
            clocks += self._conversion + self._check_cycles(m)
        elif compute_r_squared:
            clocks += self.r_squared_cycles()
        if status is Status.CONSTANT_INCONSISTENT:
            return clocks + 1
        chain, position = self._chain_cycles(1 + length)
        result = conversion_cycles(self.width, self._word_width, self._bus_width)
        return clocks + chain + self._last_product(position) + result + 1
