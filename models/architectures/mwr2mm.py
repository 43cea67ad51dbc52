"""MWR2MM: systolic ring of word-by-bit processing elements (source 002, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.architecture import Parameter
from models.capability import Part
from models.published import Published
from models.ring import Ring, RingChaining, RingCoverage, RingModel, RingStreams

LATENCY = 2


class PublishedByMichalski(Published):
    """Figures of Michalski & Buell, chapter 3."""

    def loop_cycles(self, width: int) -> int:
        """2m + 1 where the elements empty the queue; nothing is said for fewer."""
        full = self.entry.streams.elements(width) * LATENCY >= self.entry.streams.words(width)
        return 2 * width + 1 if full else self.entry.timing.loop_cycles(width)


class Mwr2mmCoverage(RingCoverage):
    """What the ring shows of each bit of X."""

    address_bits = 3
    address_meaning = "carry into the top word, q, through the queue"

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """{carry into the top word, q, came round to element 0} of each bit."""
        top = self.entry.streams.word_width(width) * (self.entry.streams.words(width) - 1)
        elements = self.entry.streams.elements(width)
        s, addresses = 0, []
        for i in range(width):
            x_i = x >> i & 1
            total = s + y if x_i else s
            q = total & 1
            if q:
                total += m
            # What the words below the top one made of it.
            carry = total >> top != (s >> top) + x_i * (y >> top) + q * (m >> top)
            queued = i > 0 and i % elements == 0
            addresses.append(carry << 2 | q << 1 | queued)
            s = total >> 1
        return addresses

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """All, but for rings of one element, or of one for each bit.

        A single element sees the first bit alone directly: S is 0 then, so no carry without M, and
        none at all where Y + M ends below the top word. With m elements nothing comes round.
        """
        elements = self.entry.streams.elements(width)
        direct = {0, 2, 4, 6}
        if elements == 1:
            below_top = self.entry.streams.word_width(width) * (self.entry.streams.words(width) - 1)
            direct = {0, 2, 6} if below_top <= width else {0, 2}
        return frozenset(direct | ({1, 3, 5, 7} if elements < width else set()))

    def names(self) -> dict[int, str]:
        """Names of what table_addr_o says about each bit of X."""
        return {
            a: f"q={a >> 1 & 1}, {'round' if a & 1 else 'next'}, {'' if a & 4 else 'no '}top carry"
            for a in range(8)
        }


class Mwr2mmChaining(RingChaining):
    """Products without a final subtraction between them."""

    def radix_bits(self, width: int) -> int:
        """R = 2**(m + 2)."""
        return width + 2


class Mwr2mmModel(RingModel):
    """Algorithm 1: a bit of X in each element."""

    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """Algorithm 1: (S, 0), S < 2M for operands below M, or below 2M in a chain."""
        s = 0
        for i in range(self.entry.streams.digits(width, chain=chain)):
            s += (x >> i & 1) * y
            s = (s + (s & 1) * m) >> 1
        return s, 0


class Mwr2mmStreams(RingStreams):
    """Bits of X and words of S."""

    def latency(self, width: int) -> int:
        """2 clocks an element."""
        return LATENCY

    def words(self, width: int) -> int:
        """ceil((m + 2)/w)."""
        return -(-(width + 2) // self.word_width(width))

    def digits(self, width: int, *, chain: bool = False) -> int:
        """m bits, or m + 2 in a chain."""
        return width + 2 if chain else width

    def digit_width(self, width: int) -> int:
        """Single bits of X."""
        return 1


class Mwr2mm(Ring):
    """Registry entry C1 (Tenca & Koc).

    One bit of X in each element, m elements' worth of bits in all. With as many elements as half
    the words the queue is empty and a product takes 2m clocks, whatever further elements there are.
    S < 3M during a chained product, so there are words for m + 2 bits, one bit more than the
    paper's e = ceil((m + 1)/w).
    """

    name = "mwr2mm"
    title = "MWR2MM (Tenca & Koc)"
    source = "Michalski & Buell, Algorithm 1"
    module = "mwr2mm"
    published = Part(PublishedByMichalski, "2m + 1 at full parallelism", "Michalski & Buell, ch. 3")
    parameters = (
        Parameter(
            "WordWidth",
            "w: bits of an operand word",
            lambda entry, width: max(2, min(16, width // 2)),
        ),
        # As many as empty the queue.
        Parameter(
            "Elements",
            "p: processing elements, 1 to m",
            lambda entry, width: min(width, -(-entry.streams.words(width) // LATENCY)),
        ),
    )
    coverage = Part(Mwr2mmCoverage)
    chaining = Part(Mwr2mmChaining)
    model = Part(Mwr2mmModel)
    streams = Part(Mwr2mmStreams)

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """2 <= w <= m + 1, 1 <= p <= m.

        Raises:
            ValueError: it is not so.
        """
        where = f"{self.name} at {width} bits"
        if not 2 <= values["WordWidth"] <= width + 1:
            raise ValueError(
                f"WordWidth = {values['WordWidth']} of {where}: accepted are 2 to {width + 1}"
            )
        if not 1 <= values["Elements"] <= width:
            raise ValueError(
                f"Elements = {values['Elements']} of {where}: accepted are 1 to {width}"
            )

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """As any ring's; more elements than the words fill, up to one for each bit."""
        words, elements = self.streams.words(width), self.streams.elements(width)
        return super().parameter_classes(width) | {
            "more elements than words fill": LATENCY * elements >= words + LATENCY,
            "an element for each bit": elements == width,
            "words of 2 bits": self.streams.word_width(width) == 2,
            "2 words": words == 2,
        }
