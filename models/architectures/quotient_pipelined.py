"""Very-high-radix scalable multipliers with quotient pipelining (source 004)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.architecture import Parameter
from models.capability import Part
from models.constant import Constant, Reduction
from models.published_by_jiang import PublishedByJiang
from models.ring import (
    ADDER_CYCLES,
    Ring,
    RingChaining,
    RingCoverage,
    RingModel,
    RingScaling,
    RingStreams,
    RingTiming,
)

LATENCIES = (2, 3, 4)
MAX_SCALE = 64


class QuotientPipelinedCoverage(RingCoverage):
    """The ring reports one table address per digit of X."""

    address_bits = 3
    address_meaning = "quotient digit, through the queue"

    def carry_words(self, width: int) -> int:
        """Return the words of a single product, :meth:`short_words`."""
        return self.entry.streams.short_words(width)

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """Return {class of the quotient digit used, passed the queue to element 0} per digit."""
        (mhat,) = self.entry.model.constant_values(y, m, width)
        v, p = self.entry.streams.digit_width(width), self.entry.streams.elements(width)
        mask = (1 << v) - 1
        z, pending, addresses = 0, [0] * self.entry.stages, []
        for i in range(self.entry.streams.digits(width)):
            pending.append(z & mask)
            q = pending.pop(0)
            quotient = 0 if q == 0 else 1 if q == mask else 2 + q % 2
            addresses.append(quotient << 1 | (i > 0 and i % p == 0))
            z = (z >> v) + q * mhat + (x & mask) * y
            x >>= v
        return addresses

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Return the reachable addresses.

        One-bit quotient digits are 0 or all ones. A single element gets only the first digit
        directly. If there are few digits, no digit returns to element 0, or only one with q = 0.
        """
        digits, elements = self.entry.streams.digits(width), self.entry.streams.elements(width)
        quotients = (0, 1) if self.entry.streams.digit_width(width) == 1 else (0, 1, 2, 3)
        first = self.entry.stages + 1  # the first digit whose q need not be 0
        direct = any(i % elements for i in range(first, digits))
        rounds = list(range(elements, digits, elements))
        return frozenset(
            quotient << 1 | wrap
            for quotient in quotients
            for wrap in (0, 1)
            if (rounds if wrap else True)
            and (quotient == 0 or (any(i >= first for i in rounds) if wrap else direct))
        )

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """Return operands for which q is all ones in element 0 and in element 1.

        One digit of X is 1 and the low digit of Y is all ones, so the low digit of Z is all ones
        one digit later.
        """
        v, p = self.entry.streams.digit_width(width), self.entry.streams.elements(width)
        m = (1 << width) - 1
        y = (1 << v) - 1
        places = {0, (-1 - self.entry.stages) % p, -self.entry.stages % p}
        return tuple((1 << v * i, y, m) for i in sorted(places) if 1 << v * i < m and y < m)

    def names(self) -> dict[int, str]:
        """Return the names of the values of table_addr_o."""
        quotients = ("q=0", "q=all ones", "q even", "q odd")
        return {a: f"{quotients[a >> 1]}, {'round' if a & 1 else 'next'}" for a in range(8)}


class QuotientPipelinedChaining(RingChaining):
    """Products without a final subtraction between them."""

    def radix_bits(self, width: int) -> int:
        """Return v*k', the bits of R = 2**(v*k') > 4*Mtilde."""
        streams = self.entry.streams
        return streams.digit_width(width) * streams.x_digits(width, chain=True)


class QuotientPipelinedScaling(RingScaling):
    """Mtilde is v(d+1) bits longer than M; one reduction by the scale gives a residue of M."""

    def bits(self, width: int) -> int:
        """Return v(d+1), the bits of Mtilde above M."""
        return self.entry.streams.digit_width(width) * (self.entry.stages + 1)

    def product_cycles(self, width: int) -> int:
        """Return the cycles of a product of d + 1 digits and the words of a single product."""
        words = self.entry.streams.short_words(width)
        return self.entry.timing.ring_cycles(width, self.entry.stages + 1, words=words)

    def cycles(self, width: int, fresh_modulus: bool) -> int:
        """Return the cycles of the product without zero digits, of u*M for P, and u*M for Mhat.

        The core computes Mhat only for a fresh modulus.
        """
        streams = self.entry.streams
        words, word = streams.short_words(width), streams.word_width(width)
        short = self._reduction_cycles(width, streams.x_digits(width), words)
        reduction = self._reduction_cycles(width, self.entry.stages + 1, words) + ADDER_CYCLES
        cycles = short + reduction + -(-(width + 2) // word) + ADDER_CYCLES
        return cycles + (reduction + 1 if fresh_modulus else 0)


class QuotientPipelinedTiming(RingTiming):
    """A single product has fewer words than a chained product."""

    def loop_cycles(self, width: int) -> int:
        """Return the cycles from the start to the first word of the result."""
        streams = self.entry.streams
        return self.ring_cycles(width, streams.digits(width), words=streams.short_words(width))

    def done_cycles(self, width: int) -> int:
        """Return the cycles from the start to the last result word: eq. (2), or less than (3)."""
        return self.loop_cycles(width) + self.entry.streams.short_words(width)


class QuotientPipelinedModel(RingModel):
    """Figure 2: the core uses a quotient digit ``stages`` digits later."""

    def guard_bits(self, width: int) -> int:
        """Return v(d+1) + 1: S < 2*Mtilde < 2**(n + v(d+1) + 1)."""
        return self.entry.scaling.bits(width) + 1

    def radix(self, width: int) -> int:
        """Return R = 2**(v*ceil(n/v))."""
        return 1 << self.entry.streams.digit_width(width) * self.entry.streams.x_digits(width)

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """Return (Mhat,): Mhat = (Mtilde + 1)/2**(v(d+1)) = 2**-(v(d+1)) mod M."""
        return (pow(2, -self.entry.scaling.bits(width), m),)

    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """Return (S, 0) of figure 2 for X that is not prescaled; S < 2*Mtilde."""
        (mhat,) = constants
        return self._digits(x, y, mhat, width, self.entry.streams.digits(width, chain=chain)), 0

    def _digits(self, x: int, y: int, mhat: int, width: int, digits: int) -> int:
        """Return S after ``digits`` digits of X."""
        v, stages = self.entry.streams.digit_width(width), self.entry.stages
        mask = (1 << v) - 1
        z, pending = 0, [0] * stages
        for _ in range(digits):
            pending.append(z & mask)
            z = (z >> v) + pending.pop(0) * mhat + (x & mask) * y
            x >>= v
        return z << v | pending[0] if stages else z

    def final_sum(self, x: int, y: int, m: int, product: tuple[int, int], width: int) -> int:
        """Return S' without the zero digits, Montgomery-reduced by the scale; it is below 3M."""
        (mhat,) = self.constant_values(y, m, width)
        short = self._digits(x, y, mhat, width, self.entry.streams.x_digits(width))
        radix = 1 << self.entry.scaling.bits(width)
        return (short + -short * pow(m, -1, radix) % radix * m) // radix


class QuotientPipelinedStreams(RingStreams):
    """Digits of X, and words of Z in single and in chained products."""

    def x_digits(self, width: int, *, chain: bool = False) -> int:
        """Return the number of digits of X without the zero digits."""
        bits = width + self.entry.scaling.bits(width) + 2 if chain else width
        return -(-bits // self.digit_width(width))

    def digits(self, width: int, *, chain: bool = False) -> int:
        """Return the number of digits of X plus the d + 1 zero digits."""
        return self.x_digits(width, chain=chain) + self.entry.stages + 1

    def m_prime_width(self, width: int) -> int:
        """Return n: the host may supply Mhat, which has n bits."""
        return width

    def words(self, width: int) -> int:
        """Return the words of a chained product: Z < 2**v*(Mhat + Y)."""
        bits = width + self.entry.scaling.bits(width) + self.digit_width(width) + 2
        return -(-bits // self.word_width(width))

    def short_words(self, width: int) -> int:
        """Return the words of a product of n-bit operands: e of the source, e + 1 for v = w."""
        bits = width + self.digit_width(width) + 1
        return -(-bits // self.word_width(width))


class QuotientPipelined(Ring):
    """Registry entry E1: Orup's Algorithm 4 with d = 1.

    The core adds Mtilde instead of M. Mtilde is a multiple of M that is -1 modulo 2**(v(d+1)), so
    the quotient digit is the digit shifted out of Z. An element uses it d elements later. The
    source computes X*Y*2**-(n-v) for its prescaled X (its loop runs to f, with f = n/v + 2). Here X
    is not prescaled: it has k = ceil(n/v) digits, d + 1 zero digits follow, and R = 2**(v*k).

    The result is a residue modulo Mtilde below 2*Mtilde, which is v(d+1) bits longer than M. In a
    chain the operands have that size too; R = 2**(v*k') > 4*Mtilde keeps them below 2*Mtilde.
    """

    name = "quotient_pipelined"
    title = "Quotient-pipelined (d = 1)"
    source = "Jiang & Harris, figures 2 to 5; Orup 1995, Algorithm 4"
    module = "quotient_pipelined"
    published = Part(PublishedByJiang, "eq. (2), (3)", "Jiang & Harris, ch. IV-B")
    final_reduction = Reduction.FULL
    constants = (Constant("Mhat = 2**-(v(d+1)) mod M", Reduction.ONCE, per_modulus=True),)
    parameters = (
        Parameter(
            "WordWidth",
            "w: bits of an operand word",
            lambda entry, width: max(2, entry.parameter("DigitWidth", width)),
        ),
        Parameter(
            "DigitWidth",
            "v: bits of a digit of X, v <= w",
            lambda entry, width: max(1, min(16, width // 2)),
        ),
        # At most 16, and no more than needed for an empty queue.
        Parameter(
            "Elements",
            "p: processing elements",
            lambda entry, width: min(
                16, -(-entry.streams.words(width) // entry.streams.latency(width))
            ),
        ),
        Parameter(
            "Stages",
            "d: elements between a quotient digit and its use, 0 or 1",
            lambda entry, width: entry.stages,
            minimum=0,
        ),
        Parameter(
            "Latency",
            "cycles an element needs: 2; 3 and 4 with registers in it",
            lambda entry, width: min(LATENCIES),
        ),
    )
    stages = 1
    coverage = Part(QuotientPipelinedCoverage)
    chaining = Part(QuotientPipelinedChaining)
    scaling = Part(QuotientPipelinedScaling)
    timing = Part(QuotientPipelinedTiming)
    model = Part(QuotientPipelinedModel)
    streams = Part(QuotientPipelinedStreams)

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """Check 1 <= v <= w, v(d+1) <= 64, 1 <= p <= 255, d = d of the entry, Latency 2 to 4.

        Raises:
            ValueError: a condition does not hold.
        """
        v, w, d = values["DigitWidth"], values["WordWidth"], values["Stages"]
        where = f"{self.name} at {width} bits"
        if values["Latency"] not in LATENCIES:
            raise ValueError(f"Latency = {values['Latency']} of {where}: accepted are 2 to 4")
        if d != self.stages:
            raise ValueError(f"Stages = {d} of {where}: accepted is {self.stages}")
        if w < 2:
            raise ValueError(f"WordWidth = {w} of {where}: accepted are 2 and more")
        largest = min(w, MAX_SCALE // (d + 1))
        if not 1 <= v <= largest:
            raise ValueError(f"DigitWidth = {v} of {where}: accepted are 1 to {largest}")
        if self.streams.short_words(width) < 2:
            raise ValueError(f"WordWidth = {w} of {where}: an operand must have 2 words or more")
        if not 1 <= values["Elements"] <= 255:
            raise ValueError(f"Elements = {values['Elements']} of {where}: accepted are 1 to 255")

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Add classes of the queue in single products, of the latency and of digit against word."""
        streams = self.streams
        v, w, latency = (
            streams.digit_width(width),
            streams.word_width(width),
            streams.latency(width),
        )
        filled = latency * streams.elements(width)
        queue = streams.short_words(width) - filled
        return super().parameter_classes(width) | {
            "more elements than words fill": queue < -latency,
            "queue empty in a single product": queue == 0,
            "queue empty in single products alone": queue <= 0 < streams.words(width) - filled,
            **{f"{cycles} cycles an element": latency == cycles for cycles in LATENCIES},
            "digits of 1 bit": v == 1,
            "digit as wide as the word": v == w,
            "digit narrower than the word": 1 < v < w,
            "n a multiple of the digit": v > 1 and width % v == 0,
            "n one bit more than digits": v > 1 and width % v == 1,
        }
