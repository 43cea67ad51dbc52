"""MWRkMM: systolic ring of word-by-digit processing elements (source 002, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.architecture import Parameter
from models.capability import Part
from models.constant import Constant, Reduction
from models.published import Published
from models.ring import Ring, RingChaining, RingCoverage, RingModel, RingStreams

MAX_DEFAULT_DIGIT = 16
MAX_DIGIT = 64
PE_LATENCIES = (3, 4, 5, 6)
EXTRA_WORD_LATENCY = 6


def default_digit(entry: Mwrkmm, width: int) -> int:
    """Return the largest divisor of m that is at most 16 and m/2."""
    largest = min(MAX_DEFAULT_DIGIT, width // 2)
    return max(w for w in range(1, largest + 1) if width % w == 0)


class PublishedByMichalski(Published):
    """Figures of Michalski & Buell, chapter 6 and tables 1 and 2."""

    def loop_cycles(self, width: int) -> int:
        """Return equation (14) or (15), with this entry's words in place of floor(m/v) + 2."""
        digits, words = self.entry.streams.digits(width), self.entry.streams.words(width)
        turns, rest = divmod(digits, self.entry.streams.elements(width))
        if rest:
            return turns * words + self.entry.streams.latency(width) * rest
        return turns * words + words

    def product_cycles(self, width: int) -> int | None:
        """Return 311 or 373: one product with reload and restart (3730 ns at 100 MHz)."""
        return {(1024, 17, 16, 20, 3): 311, (1024, 17, 16, 15, 4): 373}.get(self._point(width))

    def exponentiation_cycles(self, width: int) -> int | None:
        """Return the cycles of 3.82 ms at 83.5 MHz (p = 20), 3.829 ms at 100 MHz (p = 15)."""
        points = {(1024, 17, 16, 20, 3): 318_600, (1024, 17, 16, 15, 4): 382_900}
        return points.get(self._point(width))

    def points(self) -> tuple[dict[str, int], ...]:
        """Return the parameters of the two cores in the paper's tables 1 and 2."""
        names = [parameter.name for parameter in self.entry.parameters]
        return tuple(
            dict(zip(names, values, strict=True)) for values in ((17, 16, 20, 3), (17, 16, 15, 4))
        )

    def _point(self, width: int) -> tuple[int, ...]:
        return (width, *(self.entry.parameter(p.name, width) for p in self.entry.parameters))


class MwrkmmCoverage(RingCoverage):
    """The ring reports one table address per digit of X."""

    address_bits = 4
    address_meaning = "carry into the top word, quotient digit, through the ring delay"

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """Return {carry into the top word of S + u*M, class of u, passed the delay} per digit."""
        w, p = self.entry.streams.digit_width(width), self.entry.streams.elements(width)
        top = self.entry.streams.word_width(width) * self.entry.streams.carry_word(width)
        mask = (1 << w) - 1
        (m_prime,) = self.entry.model.constant_values(y, m, width)
        s, addresses = 0, []
        for i in range(self.entry.streams.digits(width)):
            u = m_prime * (s & mask) & mask
            total = s + u * m
            carry = total >> top > s >> top
            quotient = 0 if u == 0 else 1 if u == mask else 2 + u % 2
            addresses.append(carry << 3 | quotient << 1 | (i > 0 and i % p == 0))
            s = (total >> w) + (x & mask) * y
            x >>= w
        return addresses

    def class_lead(self, width: int) -> int:
        """Return by how many cycles the class of u precedes the carry into the top word."""
        return {3: 0, 4: 2, 5: 2, 6: 3}[self.entry.streams.latency(width)]

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Return the reachable addresses.

        u = 0 gives no carry, and a carry into the top word needs a long enough u*M. One-bit digits
        are 0 or all ones. A single element gets every digit through the ring except the first,
        whose u is 0.
        """
        v, w = self.entry.streams.word_width(width), self.entry.streams.digit_width(width)
        quotients = (0, 1) if w == 1 else (0, 1, 2, 3)
        carries = (0, 1) if width + w >= v * self.entry.streams.carry_word(width) else (0,)
        direct = (0,) if self.entry.streams.elements(width) == 1 else quotients
        return frozenset(
            carry << 3 | quotient << 1 | wrap
            for carry in carries
            for wrap, possible in ((0, direct), (1, quotients))
            for quotient in possible
            if not (carry and quotient == 0)
        )

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """Return operands for which u is all ones in elements 1 and 0, with and without a carry.

        The digit reaches element 0 through the ring. X has one digit x that is not 0. For the next
        digit S = x*Y = M modulo 2**w, so u = m'*S = -1 modulo 2**w. Without a carry: x = 1 and
        Y = M = 1 modulo 2**w, M short enough. With the largest sums: x = -1 and Y = -M = 1.
        """
        w, p = self.entry.streams.digit_width(width), self.entry.streams.elements(width)
        top = self.entry.streams.word_width(width) * self.entry.streams.carry_word(width)
        digit, large = (1 << w) - 1, (1 << width) - 1
        short = (1 << max(w, min(width - 1, top - w - 2))) + 1
        candidates = ((1, 1, short), (digit, (large - 2 >> w << w) + 1, large))
        return tuple(
            (x << w * i, y, m)
            for x, y, m in candidates
            for i in (0, p - 1)
            if m <= large and x << w * i < m
        )

    def names(self) -> dict[int, str]:
        """Return the names of the values of table_addr_o."""
        quotients = ("u=0", "u=all ones", "u even", "u odd")
        return {
            carry << 3 | quotient << 1 | wrap: ", ".join(
                (
                    quotients[quotient],
                    "through the ring delay" if wrap else "from the element before",
                    "carry into the top word" if carry else "no carry into the top word",
                )
            )
            for carry in (0, 1)
            for quotient in range(4)
            for wrap in (0, 1)
        }


class MwrkmmChaining(RingChaining):
    """Products without a final subtraction between them."""

    def radix_bits(self, width: int) -> int:
        """Return the bits of a chained product's R = 2**(w*ceil((m + 2)/w)) >= 4*2**m."""
        w = self.entry.streams.digit_width(width)
        return w * (self.entry.streams.digits(width, chain=True) - 1)


class MwrkmmModel(RingModel):
    """Algorithm 2: each element processes a digit of X."""

    def radix(self, width: int) -> int:
        """Return R = 2**(w*ceil(m/w))."""
        return 1 << self.entry.streams.digit_width(width) * (self.entry.streams.digits(width) - 1)

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """Return (m',): m' = -1/M mod 2**w."""
        radix = 1 << self.entry.streams.digit_width(width)
        return (-pow(m, -1, radix) % radix,)

    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """Return (S, 0) of Algorithm 2; S < 2M for operands below M, or below 2M in a chain.

        One addition here replaces the words and carries of the paper's inner loop, because an
        element neither drops nor saves a carry.
        """
        (m_prime,) = constants
        w = self.entry.streams.digit_width(width)
        mask = (1 << w) - 1
        s = 0
        for _ in range(self.entry.streams.digits(width, chain=chain)):
            u = m_prime * (s & mask) & mask
            s = (s + u * m >> w) + (x & mask) * y
            x >>= w
        return s, 0


class MwrkmmStreams(RingStreams):
    """Digits of X and words of S."""

    def words(self, width: int) -> int:
        """Return the words of an operand in the ring, including the zero word."""
        v, w = self.word_width(width), self.digit_width(width)
        more = self.latency(width) == EXTRA_WORD_LATENCY
        return width // v + 2 + (more or 2 * v - width % v < w + 2)

    def carry_word(self, width: int) -> int:
        """Return the word whose carry the core reports: the lowest word above u*M."""
        extra = self.latency(width) == EXTRA_WORD_LATENCY
        return self.words(width) - 1 - extra

    def digits(self, width: int, *, chain: bool = False) -> int:
        """Return the digits of X in one product, including the zero digit."""
        bits = width + 2 if chain else width
        return -(-bits // self.digit_width(width)) + 1

    def m_prime_width(self, width: int) -> int:
        """Return w, the bits of m'."""
        return self.digit_width(width)


class Mwrkmm(Ring):
    """Registry entry C2 (Latency 3) and C3 (sub-pipelined, Latency 4).

    Each of p processing elements reduces the sum from the element before it, and then adds one
    w-bit digit of X times all words of Y. Words pass through the ring, one per cycle. A product of
    operands below M takes k = ceil(m/w) digits and one zero digit, and R = 2**(w*k). In a chain of
    products without final subtractions the operands stay below 2M if R >= 4*2**m (Walter), so a
    chained product has k = ceil((m + 2)/w).

    The paper's floor(m/v) + 2 words also suffice for the chain, except if w = v and
    m mod v = v - 1: the sums have m + w + 2 bits, and the words m - (m mod v) + 2v.
    """

    name = "mwrkmm"
    title = "MWRkMM (Alg. 2)"
    source = "Michalski & Buell, Algorithm 2, eq. (13) to (15); 4 cycles an element: ch. 7"
    module = "mwrkmm"
    published = Part(PublishedByMichalski, "eq. (14), (15)", "Michalski & Buell, ch. 6")
    constants = (Constant("m' = -1/M mod 2**w", Reduction.NONE, per_modulus=True, inverse=True),)
    parameters = (
        Parameter(
            "WordWidth",
            "v: bits of an operand word",
            lambda entry, width: entry.parameter("DigitWidth", width) + 1,
        ),
        Parameter("DigitWidth", "w: bits of a digit of X, and reduced, w <= v", default_digit),
        # Default: as many elements as the ring holds.
        Parameter(
            "Elements",
            "p: processing elements, at most words / latency",
            lambda entry, width: max(
                1, entry.streams.words(width) // entry.parameter("Latency", width)
            ),
        ),
        Parameter(
            "Latency",
            "cycles an element needs, 3 to 6: stages at its multipliers",
            lambda entry, width: min(PE_LATENCIES),
        ),
    )
    coverage = Part(MwrkmmCoverage)
    chaining = Part(MwrkmmChaining)
    model = Part(MwrkmmModel)
    streams = Part(MwrkmmStreams)

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """Check w <= v, m > 2w unless w divides m, p <= p_max (eq. 13), Latency 3 to 6.

        Raises:
            ValueError: a condition does not hold.
        """
        v, w, p = values["WordWidth"], values["DigitWidth"], values["Elements"]
        where = f"{self.name} at {width} bits"
        if values["Latency"] not in PE_LATENCIES:
            raise ValueError(f"Latency = {values['Latency']} of {where}: accepted are 3 to 6")
        if v < 2:
            raise ValueError(f"WordWidth = {v} of {where}: accepted are 2 and more")
        if not 1 <= w <= min(v, MAX_DIGIT):
            raise ValueError(
                f"DigitWidth = {w} of {where}: accepted are 1 to {min(v, MAX_DIGIT)}, "
                f"no more than WordWidth = {v} and {MAX_DIGIT}"
            )
        if width % w and width <= 2 * w:
            divisors = ", ".join(str(d) for d in range(1, v + 1) if width % d == 0)
            raise ValueError(
                f"DigitWidth = {w} of {where}: accepted are less than half the width, "
                f"and {divisors}"
            )
        if self.streams.words(width) < values["Latency"]:
            raise ValueError(
                f"WordWidth = {v} of {where}: an operand of {self.streams.words(width)} words does "
                f"not fill one element of {values['Latency']} cycles; accepted are smaller ones"
            )
        largest = self.streams.words(width) // values["Latency"]
        if not 1 <= p <= largest:
            raise ValueError(
                f"Elements = {p} of {where}: accepted are 1 to {largest}, the "
                f"{self.streams.words(width)} words of an operand divided by Latency"
            )

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Add classes of the latency, the number of elements, and of digit against word."""
        v, w = self.streams.word_width(width), self.streams.digit_width(width)
        latency, elements = self.streams.latency(width), self.streams.elements(width)
        largest = self.streams.words(width) // latency
        return super().parameter_classes(width) | {
            "digits of 1 bit": w == 1,
            "digit as wide as the word": w == v,
            "digit narrower than the word": 1 < w < v,
            **{f"{cycles} cycles an element": latency == cycles for cycles in PE_LATENCIES},
            "as many of several elements as fit": elements == largest > 1,
            "n a multiple of the digit": w > 1 and width % w == 0,
            "n no multiple of the digit": width % w > 0,
        }
