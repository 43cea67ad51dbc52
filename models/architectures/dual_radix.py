"""Unified dual-radix multiplier for GF(P) and GF(2**n) (source 003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.architecture import Architecture, Parameter
from models.binary_field import BinaryField, Number, carryless_product
from models.capability import Part
from models.constant import Constant, Reduction
from models.coverage import Coverage
from models.published import Published
from models.ring import RingChaining, RingModel, RingTiming
from models.status import Status
from models.streams import WordStreams
from models.timing import DEFAULT_ADD_WIDTH, DEFAULT_BUS_WIDTH

MAX_UNITS = 4
MAX_UNIT_WIDTH = 16
# Bits that operands and results of a chain have above the bits of the modulus.
CHAIN_BITS = 2


class PublishedByTanimura(Published):
    """Figures of Tanimura et al."""

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """Return the published 165 and 45 cycles at n = 256."""
        return (
            ("GF(P), 256 bits", self.entry.timing.loop_cycles(256), 165),
            ("GF(2^n), 256 bits", self.entry.binary.loop_cycles(256), 45),
        )

    def loop_cycles(self, width: int) -> int:
        """Return 165 at n = 256; the source has no figure for other n."""
        return 165 if width == 256 else self.entry.timing.loop_cycles(width)


class DualRadixCoverage(Coverage):
    """The core reports every digit of X, because one unit processes all digits."""

    address_bits = 3
    address_meaning = "field, t = 0, carry above the highest word"

    def carry_words(self, width: int) -> int:
        """Return the number of words, one GF(2**n) digit each; only GF(P) has carries."""
        return self.entry.streams.digits(width, binary=True)

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Return the reachable addresses in GF(P).

        C has a bit above its words only if the operand fills the words. Address 3, which is that
        bit together with t = 0, is excluded: no operand of an exponentiation is directed at it.
        """
        full = width % self.entry.streams.digit_bits(width, binary=True) == 0
        return frozenset((0, 1, 2) if full else (0, 2))

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """Return X = 0, for which t = 0 for every digit in both fields."""
        return ((0, 1, (1 << width) - 1),)

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """Return {0, t = 0, carry above the highest word} per digit in GF(P)."""
        (m_prime,) = self.entry.model.constant_values(y, m, width)
        bits = self.entry.streams.digit_bits(width)
        mask = (1 << bits) - 1
        above = self.entry.streams.digits_bits(width, binary=True)
        c, addresses = 0, []
        for _ in range(self.entry.streams.digits(width)):
            c += (x & mask) * y
            t = c * m_prime & mask
            c = (c + t * m) >> bits
            addresses.append((t == 0) << 1 | (c >> above & 1))
            x >>= bits
        return addresses


class DualRadixBinaryField(BinaryField):
    """Digits in GF(2**n) are whole words, so a product takes fewer digits than in GF(P)."""

    def radix_bits(self, width: int) -> int:
        """Return 64*ceil(n/64), the degree of R in GF(2**n), for words of 64 bits."""
        return self.entry.streams.digits_bits(width, binary=True)

    def m_prime_width(self, width: int) -> int:
        """Return the bits of a word, the width of m' in GF(2**n)."""
        return self.entry.streams.word_width(width)

    def product(self, x: Number, y: Number, m: int, width: int) -> Number:
        """Return X*Y/R mod M by operand scanning in GF(2**n); its degree is below that of M."""
        bits = self.entry.streams.digit_bits(width, binary=True)
        c = 0
        for _ in range(self.entry.streams.digits(width, binary=True)):
            c ^= carryless_product(y, x, bits)
            # Add the multiple of M that clears the digit, bit by bit; this needs no inverse.
            for i in range(bits):
                c ^= (c >> i & 1) * (m << i)
            c >>= bits
            x = x >> bits  # an array of the caller stays
        return c

    def loop_cycles(self, width: int) -> int:
        """Return the formula of GF(P) for the fewer digits of GF(2**n): 38 at n = 256."""
        return self.entry.timing.cycles_of(width, self.entry.streams.digits(width, binary=True))

    def addresses(self, width: int) -> frozenset[int]:
        """Return the addresses without a carry; GF(2**n) has no carries."""
        return frozenset((4, 6))


class DualRadixChaining(RingChaining):
    """Products without a final subtraction between them."""

    arcs = ()

    def radix_bits(self, width: int) -> int:
        """Return the bits of R of a chain in GF(P)."""
        return self.entry.streams.digits_bits(width, chain=True)

    def next_start(self, width: int, position: int) -> tuple[int, int]:
        """Return one cycle after the first result word, and 0, the only start position."""
        digits = self.entry.streams.digits(width, chain=True)
        return self.entry.timing.cycles_of(width, digits) + 1, 0


class DualRadixTiming(RingTiming):
    """One unit processes the digits, one after the other."""

    def cycles_of(self, width: int, digits: int) -> int:
        """Return the cycles of ``digits`` digits, up to the first word of the result."""
        words = -(-width // self.entry.streams.digit_bits(width, binary=True))
        return digits * (5 + words if words < 3 else 2 * words + 1) + 2

    def loop_cycles(self, width: int) -> int:
        """Return 2W + 1 cycles per digit (W < 3: W + 5) and two final cycles: 146 at n = 256."""
        return self.cycles_of(width, self.entry.streams.digits(width))

    def operation_cycles(
        self,
        m: int,
        width: int,
        status: Status = Status.OK,
        *,
        raw: bool = False,
        fresh_modulus: bool = True,
        add_width: int = DEFAULT_ADD_WIDTH,
        bus_width: int = DEFAULT_BUS_WIDTH,
        binary: bool = False,
    ) -> int:
        """Return the cycles of GF(P); in GF(2**n) with the loop and inverse of its digits."""
        cycles = super().operation_cycles(
            m, width, status, raw=raw, fresh_modulus=fresh_modulus, add_width=add_width,
            bus_width=bus_width,
        )  # fmt: skip
        if binary and status is Status.OK:
            cycles += self.entry.binary.loop_cycles(width) - self.loop_cycles(width)
            if fresh_modulus:
                streams = self.entry.streams
                cycles += streams.digit_bits(width, binary=True) - streams.digit_bits(width)
        return cycles


class DualRadixModel(RingModel):
    """Operand scanning in GF(P)."""

    def radix(self, width: int) -> int:
        """Return R = 2**(16*ceil(n/16)) in GF(P), for digits of 16 bits."""
        return 1 << self.entry.streams.digits_bits(width)

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """Return (m',): m' = -1/M mod 2**d."""
        radix = 1 << self.entry.streams.digit_bits(width)
        return (-pow(m, -1, radix) % radix,)

    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """Return (C, 0) in GF(P); C < 2M for operands below M, or below 2M in a chain."""
        (m_prime,) = constants
        bits = self.entry.streams.digit_bits(width)
        mask = (1 << bits) - 1
        c = 0
        for _ in range(self.entry.streams.digits(width, chain=chain)):
            c += (x & mask) * y
            c = (c + (c * m_prime & mask) * m) >> bits
            x >>= bits
        return c, 0


class DualRadixStreams(WordStreams):
    """A digit in GF(2**n) is a whole word; a digit in GF(P) is a part of a word."""

    word_serial = False

    def digit_bits(self, width: int, *, binary: bool = False) -> int:
        """Return the bits of a digit of X."""
        unit = self.entry.parameter("UnitWidth", width)
        return unit * self.entry.parameter("Units", width) if binary else unit

    def digits(self, width: int, *, chain: bool = False, binary: bool = False) -> int:
        """Return the digits of X; in a chain R > 4*M keeps results below 2*M (Walter 1999)."""
        return -(-(width + (CHAIN_BITS if chain else 0)) // self.digit_bits(width, binary=binary))

    def digits_bits(self, width: int, *, chain: bool = False, binary: bool = False) -> int:
        """Return the total bits of all digits of X."""
        bits = self.digit_bits(width, binary=binary)
        return bits * self.digits(width, chain=chain, binary=binary)

    def word_width(self, width: int) -> int:
        """Return the bits of a word, which is a digit in GF(2**n)."""
        return self.digit_bits(width, binary=True)

    def digit_width(self, width: int) -> int:
        """Return the bits of a word: X arrives word by word."""
        return self.word_width(width)

    def words(self, width: int) -> int:
        """Return the words of a value below 4*M."""
        return -(-(width + CHAIN_BITS) // self.word_width(width))

    def m_prime_width(self, width: int) -> int:
        """Return the bits of m', a GF(P) digit; only GF(P) has exponentiation."""
        return self.digit_bits(width)


class DualRadix(Architecture):
    """Registry entry D1: coarsely integrated operand scanning in both fields.

    GF(P) has digits of 16 bits and four 16x16 units. GF(2**n) has digits of 64 bits and one 64x64
    unit. In both fields one cycle multiplies a digit and a 64-bit word, and each digit of X takes
    2W + 1 cycles. R is 2**(16*ceil(n/16)) in GF(P), x**(64*ceil(n/64)) in GF(2**n), and
    2**(16*ceil((n+2)/16)) in a chain. The core has no ring: words of Y, M and C stay in place. Its
    inputs and outputs are word streams like those of a ring.
    """

    name = "dual_radix"
    title = "Unified dual-radix, GF(P) and GF(2^n)"
    source = "Tanimura et al., ASP-DAC 2008; CIOS"
    module = "dual_radix"
    montgomery = True
    published = Part(
        PublishedByTanimura, "165 in GF(P), 45 in GF(2^n) at n = 256", "Tanimura et al."
    )
    constants = (Constant("m' = -1/M mod 2**16", Reduction.NONE, per_modulus=True, inverse=True),)
    wave_signals = (
        "phase_q", "digit_q", "word_q", "x_q", "t_q", "sum_q", "top_q", "shifted", "word_o",
    )  # fmt: skip
    parameters = (
        Parameter(
            "UnitWidth",
            "bits of a GF(P) digit and of a unit",
            lambda entry, width: min(MAX_UNIT_WIDTH, width),
        ),
        Parameter(
            "Units",
            "units in parallel; UnitWidth*Units are a word and a GF(2**n) digit",
            lambda entry, width: max(1, min(MAX_UNITS, width // entry.streams.digit_bits(width))),
        ),
    )
    coverage = Part(DualRadixCoverage)
    binary = Part(DualRadixBinaryField)
    chaining = Part(DualRadixChaining)
    timing = Part(DualRadixTiming)
    model = Part(DualRadixModel)
    streams = Part(DualRadixStreams)

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """Check 2 <= UnitWidth, 1 <= Units, UnitWidth*Units <= min(n, 64).

        Raises:
            ValueError: a condition does not hold.
        """
        unit, units = values["UnitWidth"], values["Units"]
        where = f"{self.name} at {width} bits"
        largest = min(width, 64)
        if not 2 <= unit <= largest:
            raise ValueError(f"UnitWidth = {unit} of {where}: accepted are 2 to {largest}")
        if not 1 <= units <= largest // unit:
            raise ValueError(f"Units = {units} of {where}: accepted are 1 to {largest // unit}")

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Return classes of the units and of the last digit in each field."""
        unit, units = self.parameter("UnitWidth", width), self.parameter("Units", width)
        word = unit * units
        return {
            "one unit": units == 1,
            "2 to 4 units": 2 <= units <= 4,
            "more than 4 units": units > 4,
            "units, no power of two of them": units & (units - 1) != 0,
            "units of 2 bits": unit == 2,
            "units of more than 16 bits": unit > 16,
            "an operand of one word": width == word,
            "n a multiple of the unit, not of the word": width % unit == 0 and width % word > 0,
            "n a multiple of the word": width > word and width % word == 0,
            "n one bit more than words": width % word == 1,
            "n one bit less than words": (width + 1) % word == 0,
        }
