"""Unified dual-radix multiplier for GF(P) and GF(2**n) (source 003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.architecture import Architecture, Parameter
from models.binary_field import BinaryField, carryless_product
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
# What operands and results of a chain have beside the modulus' bits.
CHAIN_BITS = 2


class PublishedByTanimura(Published):
    """Figures of Tanimura et al."""

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """165 and 45 clocks at n = 256."""
        return (
            ("GF(P), 256 bits", self.entry.timing.loop_cycles(256), 165),
            ("GF(2^n), 256 bits", self.entry.binary.loop_cycles(256), 45),
        )

    def loop_cycles(self, width: int) -> int:
        """165 at n = 256; nothing is said for other n."""
        return 165 if width == 256 else self.entry.timing.loop_cycles(width)


class DualRadixCoverage(Coverage):
    """What the core shows of each digit: all, as one place processes them."""

    address_bits = 3
    address_meaning = "field, t = 0, carry above the highest word"

    def carry_words(self, width: int) -> int:
        """Words of a GF(2**n) digit each; carries are a matter of GF(P)."""
        return self.entry.streams.digits(width, binary=True)

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """In GF(P); C has a bit above its words only if the operand fills them.

        With t = 0 (address 3) that happens, too, but in an exponentiation nothing directs it.
        """
        full = width % self.entry.streams.digit_bits(width, binary=True) == 0
        return frozenset((0, 1, 2) if full else (0, 2))

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """X = 0: t = 0 for every digit, in both fields."""
        return ((0, 1, (1 << width) - 1),)

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """{0, t = 0, carry above the highest word} of each digit in GF(P)."""
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
    """Digits of a word each: products in GF(2**n) take fewer of them."""

    def radix_bits(self, width: int) -> int:
        """R = x**(64*ceil(n/64)) in GF(2**n)."""
        return self.entry.streams.digits_bits(width, binary=True)

    def m_prime_width(self, width: int) -> int:
        """In GF(2**n) that is a word."""
        return self.entry.streams.word_width(width)

    def product(self, x: int, y: int, m: int, width: int) -> int:
        """FIOS in GF(2**n): X*Y/R mod M, of degree below M's."""
        bits = self.entry.streams.digit_bits(width, binary=True)
        mask = (1 << bits) - 1
        c = 0
        for _ in range(self.entry.streams.digits(width, binary=True)):
            c ^= carryless_product(x & mask, y)
            # The multiple of M that clears the digit, bit by bit: no inverse is needed.
            for i in range(bits):
                if c >> i & 1:
                    c ^= m << i
            c >>= bits
            x >>= bits
        return c

    def loop_cycles(self, width: int) -> int:
        """The same with fewer digits: 41 at n = 256."""
        return self.entry.timing.cycles_of(width, self.entry.streams.digits(width, binary=True))

    def addresses(self, width: int) -> frozenset[int]:
        """No carries."""
        return frozenset((4, 6))


class DualRadixChaining(RingChaining):
    """Products without a final subtraction between them."""

    arcs = ()

    def radix_bits(self, width: int) -> int:
        """Bits of R of a chain, in GF(P)."""
        return self.entry.streams.digits_bits(width, chain=True)

    def next_start(self, width: int, position: int) -> tuple[int, int]:
        """A cycle after the first word of the result; there is but one place to start."""
        digits = self.entry.streams.digits(width, chain=True)
        return self.entry.timing.cycles_of(width, digits) + 1, 0


class DualRadixTiming(RingTiming):
    """One place processes the digits, one after the other."""

    def cycles_of(self, width: int, digits: int) -> int:
        """Cycles of so many digits, to the first word of the result."""
        words = -(-width // self.entry.streams.digit_bits(width, binary=True))
        return digits * (2 + 2 * words) + 1

    def loop_cycles(self, width: int) -> int:
        """2 + 2W clocks a digit and one to finish: 161 at n = 256."""
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
        """As in GF(P), with the loop and the inverse of the other digit."""
        clocks = super().operation_cycles(
            m, width, status, raw=raw, fresh_modulus=fresh_modulus, add_width=add_width,
            bus_width=bus_width,
        )  # fmt: skip
        if binary and status is Status.OK:
            clocks += self.entry.binary.loop_cycles(width) - self.loop_cycles(width)
            if fresh_modulus:
                streams = self.entry.streams
                clocks += streams.digit_bits(width, binary=True) - streams.digit_bits(width)
        return clocks


class DualRadixModel(RingModel):
    """Finely integrated operand scanning in GF(P)."""

    def radix(self, width: int) -> int:
        """R = 2**(16*ceil(n/16)) in GF(P)."""
        return 1 << self.entry.streams.digits_bits(width)

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """m' = -1/M mod 2**d."""
        radix = 1 << self.entry.streams.digit_bits(width)
        return (-pow(m, -1, radix) % radix,)

    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """FIOS in GF(P): (C, 0), C < 2M for operands below M, in a chain below 2M."""
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
    """A digit in GF(2**n) is a word; one in GF(P) is a part of it."""

    word_serial = False

    def digit_bits(self, width: int, *, binary: bool = False) -> int:
        """Bits of a digit of X."""
        unit = self.entry.parameter("UnitWidth", width)
        return unit * self.entry.parameter("Units", width) if binary else unit

    def digits(self, width: int, *, chain: bool = False, binary: bool = False) -> int:
        """Digits of X; in a chain R > 4*M keeps results below 2*M (Walter 1999)."""
        return -(-(width + (CHAIN_BITS if chain else 0)) // self.digit_bits(width, binary=binary))

    def digits_bits(self, width: int, *, chain: bool = False, binary: bool = False) -> int:
        """Bits of all digits of X together."""
        bits = self.digit_bits(width, binary=binary)
        return bits * self.digits(width, chain=chain, binary=binary)

    def word_width(self, width: int) -> int:
        """A digit in GF(2**n)."""
        return self.digit_bits(width, binary=True)

    def digit_width(self, width: int) -> int:
        """X comes word by word."""
        return self.word_width(width)

    def words(self, width: int) -> int:
        """Of a value below 4*M."""
        return -(-(width + CHAIN_BITS) // self.word_width(width))

    def m_prime_width(self, width: int) -> int:
        """m' has a digit's bits; exponentiation is a matter of GF(P)."""
        return self.digit_bits(width)


class DualRadix(Architecture):
    """Registry entry D1: finely integrated operand scanning in both fields.

    GF(P) has digits of 16 bits and four 16x16 units, GF(2**n) digits of 64 bits and one 64x64
    unit: a clock multiplies a digit and a 64-bit word either way, and each digit of X takes
    2 + 2W clocks.
    R is 2**(16*ceil(n/16)), x**(64*ceil(n/64)), in a chain 2**(16*ceil((n+2)/16)).
    It has no ring: words of Y, M and C stay where they are. They come and go as those of a ring do.
    """

    name = "dual_radix"
    title = "Unified dual-radix, GF(P) and GF(2^n)"
    source = "Tanimura et al., ASP-DAC 2008; FIOS"
    module = "dual_radix"
    montgomery = True
    published = Part(
        PublishedByTanimura, "165 in GF(P), 45 in GF(2^n) at n = 256", "Tanimura et al."
    )
    constants = (Constant("m' = -1/M mod 2**16", Reduction.NONE, per_modulus=True, inverse=True),)
    wave_signals = (
        "phase_q", "digit_q", "word_q", "x_q", "t_q", "sum_q", "z_q", "shifted", "word_o",
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
        """2 <= UnitWidth, 1 <= Units, UnitWidth*Units <= n and 64.

        Raises:
            ValueError: it is not so.
        """
        unit, units = values["UnitWidth"], values["Units"]
        where = f"{self.name} at {width} bits"
        largest = min(width, 64)
        if not 2 <= unit <= largest:
            raise ValueError(f"UnitWidth = {unit} of {where}: accepted are 2 to {largest}")
        if not 1 <= units <= largest // unit:
            raise ValueError(f"Units = {units} of {where}: accepted are 1 to {largest // unit}")

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Units, and what the last digit of each field holds."""
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
