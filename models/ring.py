"""Clocks of a systolic ring: what every word-serial entry derives from its parameters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from models.architecture import DEFAULT_ADD_WIDTH, DEFAULT_BUS_WIDTH, Architecture
from models.capability import Part
from models.conversion import conversion_clocks
from models.coverage import Coverage
from models.status import Status

ADDER_CLOCKS = 3  # of stream_adder.sv, from the last word to the outcome

# Elements of which a ring shows the digits.
OBSERVED_ELEMENTS = 3


class RingCoverage(Coverage):
    """The ring shows the digits of its first elements, and the words between which carries run."""

    state_arcs: ClassVar[tuple[str, ...]] = (
        "starting>starting", "starting>running", "running>running", "running>finished",
        "finished>finished", "finished>starting", "running>starting",
    )  # fmt: skip

    def carry_words(self, width: int) -> int:
        """The words of a product of n-bit operands."""
        return self.entry.words(width)

    def shown_iterations(self, width: int) -> tuple[int, int]:
        """Those of three elements: the one behind the queue and the two after it."""
        return OBSERVED_ELEMENTS, self.entry.parameter("Elements", width)


class Ring(Architecture):
    """Base of the entries whose core is a ``systolic_ring``.

    A subclass says how many words, digits and clocks an element there are, and its loop.
    """

    montgomery: ClassVar[bool] = True
    chainable: ClassVar[bool] = True
    word_serial: ClassVar[bool] = True
    word_streams: ClassVar[bool] = True
    chain_arcs: ClassVar[tuple[str, ...]] = ("finished>running",)
    wave_signals: ClassVar[tuple[str, ...]] = (
        "u_ring.digit_q", "u_ring.digit_i", "u_ring.arrival", "u_ring.quotient",
        "u_ring.report_class", "u_ring.ring_s", "u_ring.ring_y", "u_ring.ring_m",
        "u_ring.delivering_q", "u_ring.result_index_q", "u_ring.word_o",
    )  # fmt: skip
    coverage = Part(RingCoverage)

    def latency(self, width: int) -> int:
        """Clocks an element needs."""
        return self.parameter("Latency", width)

    @abstractmethod
    def words(self, width: int) -> int:
        """Words of an operand in the ring."""

    def word_width(self, width: int) -> int:
        """Bits of a word."""
        return self.parameter("WordWidth", width)

    @abstractmethod
    def digits(self, width: int, *, chain: bool = False) -> int:
        """Digits of X in one product, those included that are always zero."""

    @abstractmethod
    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """The bit-true loop, see :class:`Architecture`; with ``chain`` as in a chain."""

    def chain_product(self, x: int, y: int, m: int, width: int) -> int:
        """One product of a chain without final subtractions."""
        return self.loop(x, y, m, self.constant_values(y, m, width), width, chain=True)[0]

    def digit_width(self, width: int) -> int:
        """Bits of a digit of X."""
        return self.parameter("DigitWidth", width)

    def stream_parameters(self, width: int) -> dict[str, int]:
        """Facts about the core, for the hardware that gives it its words and digits.

        Bits of m' that the core takes beside them, and bits of a scale if it takes 2**-scale mod M
        in the place of M.
        """
        scaled = self.scale(width) > 0
        return {
            "WordWidth": self.word_width(width),
            "DigitWidth": self.digit_width(width),
            "Words": self.words(width),
            "RadixBits": self.chain_radix_bits(width),
            "MPrimeBits": 0 if scaled else self.m_prime_width(width),
            "ScaleBits": self.scale(width),
            "BinaryBits": self.binary.m_prime_width(width) if self.binary else 0,
        }

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Elements, what waits in the queue between the last and the first, and the last word."""
        word, elements = self.parameter("WordWidth", width), self.parameter("Elements", width)
        queue = self.words(width) - self.latency(width) * elements
        digits = self.digits(width, chain=True)
        turns = self.digits(width) % elements, digits % elements
        return {
            "one element": elements == 1,
            "several elements": elements > 1,
            "queue empty": queue == 0,
            "queue shorter than an element's latency": 0 < queue < self.latency(width),
            "queue longer than half the words": 2 * queue > self.words(width),
            "a product ends in the last element": elements > 1 and turns[0] == 0,
            "a product ends elsewhere": turns[0] > 0,
            "a chained product ends in the last element": elements > 1 and turns[1] == 0,
            "a chained product ends elsewhere": turns[1] > 0,
            "a power of two digits in a chained product": digits & (digits - 1) == 0,
            "n a multiple of the word": width % word == 0,
            "n one bit more than words": width % word == 1,
            "n one bit less than words": (width + 1) % word == 0,
            "n two bits less than words": (width + 2) % word == 0,
        }

    def simulation_weight(self, width: int) -> int:
        """Every element changes vectors as long as all of them together."""
        elements = self.parameter("Elements", width)
        return max(width, elements * elements * self.parameter("WordWidth", width))

    def ring_clocks(
        self, width: int, digits: int, position: int = 0, *, words: int | None = None
    ) -> int:
        """Clocks from the first word of digit 0 entering element ``position`` to that of a digit
        ``digits`` later: latency an element, and the queue at each way from last to first.

        ``words`` go round, all of :meth:`words` unless it is given.
        """
        latency, elements = self.latency(width), self.parameter("Elements", width)
        queue = max(0, (self.words(width) if words is None else words) - latency * elements)
        return latency * digits + queue * ((position + digits) // elements)

    def loop_clocks(self, width: int) -> int:
        """Start to the first word of the result."""
        return self.ring_clocks(width, self.digits(width))

    def done_clocks(self, width: int) -> int:
        """Start to the last word of the result."""
        return self.loop_clocks(width) + self.words(width)

    def residue_clocks(self, width: int) -> int:
        """A product up to the residue: the adder has every word of a sum below 2M behind it."""
        sums = -(-(width + 1) // self.word_width(width))
        return self.loop_clocks(width) + sums + ADDER_CLOCKS - 1

    def reduction_clocks(self, width: int, digits: int, words: int) -> int:
        """A product of ``digits`` digits and ``words`` words, up to the last word above the scale.

        That is the last of a sum below 3M.
        """
        word = self.parameter("WordWidth", width)
        below, above = -(-self.scale(width) // word), -(-(width + 2) // word)
        return self.ring_clocks(width, digits, words=words) + below + above

    def operation_clocks(
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
        """As :meth:`Architecture.operation_clocks`, of ``ring_unit_control.sv``; M has no say."""
        if status is Status.OPERAND_INCOMPLETE:
            return 1
        word = self.word_width(width)
        load = conversion_clocks(width, bus_width, word)
        clocks = load + 1
        if status not in (Status.OK, Status.RAW):
            return clocks + 1
        scale = self.scale(width)
        inverse = (scale or (self.m_prime_width(width) if self.constants else 0)) + 1
        if self.constants and fresh_modulus:
            clocks += inverse
        clocks += 1 + (self.done_clocks(width) if scale else self.residue_clocks(width))
        if scale:
            clocks += self.scale_clocks(width, fresh_modulus)
            clocks += inverse
        result = conversion_clocks(width + self.guard_bits(width), word, bus_width)
        return clocks + result + 1

    def scale_product_clocks(self, width: int) -> int:
        """Start of a product of a scale's digits to the first word of its result.

        Raises:
            NotImplementedError: the entry has no scale, and is not asked.
        """
        raise NotImplementedError(f"{self.name} has no scale")

    def scale_clocks(self, width: int, fresh_modulus: bool) -> int:
        """Products of the Montgomery reductions by the scale, and the subtraction behind the last.

        Raises:
            NotImplementedError: the entry has no scale, and is not asked.
        """
        raise NotImplementedError(f"{self.name} has no scale")

    def chain_next(self, width: int, position: int) -> tuple[int, int]:
        """(clocks from a chained product's start to the next one's, its first element).

        The next product starts one clock after the first word of this one's result appeared.
        """
        digits = self.digits(width, chain=True)
        elements = self.parameter("Elements", width)
        clocks = self.ring_clocks(width, digits, position) + 1
        return clocks, (position + digits) % elements

    def chain_positions(self, width: int) -> frozenset[int]:
        """First elements that the products of a long chain have."""
        found: set[int] = set()
        position = 0
        while position not in found:
            found.add(position)
            _, position = self.chain_next(width, position)
        return frozenset(found)
