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
        """Return 2m + 1 if the elements empty the queue; the paper has no formula for fewer."""
        full = self.entry.streams.elements(width) * LATENCY >= self.entry.streams.words(width)
        return 2 * width + 1 if full else self.entry.timing.loop_cycles(width)


class Mwr2mmCoverage(RingCoverage):
    """The ring reports one table address per bit of X."""

    address_bits = 3
    address_meaning = "carry into the top word, q, through the queue"

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """Return {carry into the top word, q, passed the queue to element 0} per bit."""
        top = self.entry.streams.word_width(width) * (self.entry.streams.words(width) - 1)
        elements = self.entry.streams.elements(width)
        s, addresses = 0, []
        for i in range(width):
            x_i = x >> i & 1
            total = s + y if x_i else s
            q = total & 1
            if q:
                total += m
            # The words below the top word produced a carry.
            carry = total >> top != (s >> top) + x_i * (y >> top) + q * (m >> top)
            queued = i > 0 and i % elements == 0
            addresses.append(carry << 2 | q << 1 | queued)
            s = total >> 1
        return addresses

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Return all addresses, except for rings of one element or of m elements.

        A single element gets only the first bit directly. S is 0 then, so there is no carry without
        M, and none at all if Y + M ends below the top word. With m elements no bit passes the
        queue.
        """
        elements = self.entry.streams.elements(width)
        direct = {0, 2, 4, 6}
        if elements == 1:
            below_top = self.entry.streams.word_width(width) * (self.entry.streams.words(width) - 1)
            direct = {0, 2, 6} if below_top <= width else {0, 2}
        return frozenset(direct | ({1, 3, 5, 7} if elements < width else set()))

    def names(self) -> dict[int, str]:
        """Return the names of the values of table_addr_o."""
        return {
            a: f"q={a >> 1 & 1}, {'round' if a & 1 else 'next'}, {'' if a & 4 else 'no '}top carry"
            for a in range(8)
        }


class Mwr2mmChaining(RingChaining):
    """Products without a final subtraction between them."""

    def radix_bits(self, width: int) -> int:
        """Return m + 2: R = 2**(m + 2)."""
        return width + 2


class Mwr2mmModel(RingModel):
    """Algorithm 1: each element processes a bit of X."""

    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """Return (S, 0) of Algorithm 1; S < 2M for operands below M, or below 2M in a chain."""
        s = 0
        for i in range(self.entry.streams.digits(width, chain=chain)):
            s += (x >> i & 1) * y
            s = (s + (s & 1) * m) >> 1
        return s, 0


class Mwr2mmStreams(RingStreams):
    """Bits of X and words of S."""

    def latency(self, width: int) -> int:
        """Return 2, the cycles of an element."""
        return LATENCY

    def words(self, width: int) -> int:
        """Return ceil((m + 2)/w)."""
        return -(-(width + 2) // self.word_width(width))

    def digits(self, width: int, *, chain: bool = False) -> int:
        """Return m, or m + 2 in a chain: one digit per bit."""
        return width + 2 if chain else width

    def digit_width(self, width: int) -> int:
        """Return 1: a digit is one bit of X."""
        return 1


class Mwr2mm(Ring):
    """Registry entry C1 (Tenca & Koc).

    Each element processes one bit of X; X has m bits. If the elements are at least half as many as
    the words, the queue is empty, and a product takes 2m cycles; more elements do not change that.
    S < 3M during a chained product, so the words hold m + 2 bits, one bit more than the paper's
    e = ceil((m + 1)/w).
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
        # Default: as many elements as needed for an empty queue.
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
        """Check 2 <= w <= m + 1 and 1 <= p <= m.

        Raises:
            ValueError: a condition does not hold.
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
        """Add classes of many elements (up to one per bit) and of short and few words."""
        words, elements = self.streams.words(width), self.streams.elements(width)
        return super().parameter_classes(width) | {
            "more elements than words fill": LATENCY * elements >= words + LATENCY,
            "an element for each bit": elements == width,
            "words of 2 bits": self.streams.word_width(width) == 2,
            "2 words": words == 2,
        }
