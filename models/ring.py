"""Base classes of the entries whose core is a systolic ring."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from models.architecture import Architecture
from models.bit_true import Model
from models.capability import Part
from models.chaining import Chaining
from models.conversion import conversion_cycles
from models.coverage import Coverage
from models.scaling import Scaling
from models.status import Status
from models.streams import WordStreams
from models.timing import DEFAULT_ADD_WIDTH, DEFAULT_BUS_WIDTH, Timing

ADDER_CYCLES = 3  # cycles of stream_adder.sv, from the last word to the outcome

# The ring reports the digits of this many elements for coverage.
OBSERVED_ELEMENTS = 3


class RingStreams(WordStreams):
    """Words and digits of a ring of elements."""

    def latency(self, width: int) -> int:
        """Return the latency of an element in cycles."""
        return self.entry.parameter("Latency", width)

    def elements(self, width: int) -> int:
        """Return the number of elements of the ring."""
        return self.entry.parameter("Elements", width)


class RingCoverage(Coverage):
    """The ring reports the digits of its first elements, and carries between words."""

    state_arcs: ClassVar[tuple[str, ...]] = (
        "starting>starting", "starting>running", "running>running", "running>finished",
        "finished>finished", "finished>starting", "running>starting",
    )  # fmt: skip

    def carry_words(self, width: int) -> int:
        """Return the number of words of a product of n-bit operands."""
        return self.entry.streams.words(width)

    def shown_iterations(self, width: int) -> tuple[int, int]:
        """Return (3, p): the ring reports the element after the queue and the next two, of p."""
        return OBSERVED_ELEMENTS, self.entry.streams.elements(width)


class RingChaining(Chaining):
    """The next product starts one cycle after the first word of the result appears."""

    arcs: ClassVar[tuple[str, ...]] = ("finished>running",)

    def product(self, x: int, y: int, m: int, width: int) -> int:
        """Return one product of a chain without final subtractions."""
        constants = self.entry.model.constant_values(y, m, width)
        return self.entry.model.loop(x, y, m, constants, width, chain=True)[0]

    def next_start(self, width: int, position: int) -> tuple[int, int]:
        """Return (cycles from a chained product's start to the next start, next first element).

        The next product starts one cycle after the first word of this product's result appears.
        """
        digits = self.entry.streams.digits(width, chain=True)
        elements = self.entry.streams.elements(width)
        cycles = self.entry.timing.ring_cycles(width, digits, position) + 1
        return cycles, (position + digits) % elements

    def positions(self, width: int) -> frozenset[int]:
        """Return the elements in which the products of a long chain start."""
        found: set[int] = set()
        position = 0
        while position not in found:
            found.add(position)
            _, position = self.next_start(width, position)
        return frozenset(found)


class RingTiming(Timing):
    """Words pass through the elements, one per cycle."""

    def ring_cycles(
        self, width: int, digits: int, position: int = 0, *, words: int | None = None
    ) -> int:
        """Return the cycles from the first word of a digit to that of the digit ``digits`` later.

        Each element adds its latency. Each pass from the last element to the first adds the queue.

        Args:
            width: n.
            digits: number of digits between the two.
            position: element that the first digit enters.
            words: words that circulate; None for the words of a chained product.
        """
        streams = self.entry.streams
        latency, elements = streams.latency(width), streams.elements(width)
        queue = max(0, (streams.words(width) if words is None else words) - latency * elements)
        return latency * digits + queue * ((position + digits) // elements)

    def loop_cycles(self, width: int) -> int:
        """Return the cycles from the start to the first word of the result."""
        return self.ring_cycles(width, self.entry.streams.digits(width))

    def done_cycles(self, width: int) -> int:
        """Return the cycles from the start to the last word of the result."""
        return self.loop_cycles(width) + self.entry.streams.words(width)

    def residue_cycles(self, width: int) -> int:
        """Return the cycles of a product up to its residue, after all words of a sum below 2M."""
        sums = -(-(width + 1) // self.entry.streams.word_width(width))
        return self.loop_cycles(width) + sums + ADDER_CYCLES - 1

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
        """See :meth:`Timing.operation_cycles`; control is ``ring_unit_control.sv``, M is unused."""
        if status is Status.OPERAND_INCOMPLETE:
            return 1
        word = self.entry.streams.word_width(width)
        load = conversion_cycles(width, bus_width, word)
        cycles = load + 1
        if status not in (Status.OK, Status.RAW):
            return cycles + 1
        scaling = self.entry.scaling
        constants = self.entry.constants
        m_prime = self.entry.streams.m_prime_width(width) if constants else 0
        inverse = (scaling.bits(width) if scaling else m_prime) + 1
        if constants and fresh_modulus:
            cycles += inverse
        cycles += 1 + (self.done_cycles(width) if scaling else self.residue_cycles(width))
        if scaling:
            cycles += scaling.cycles(width, fresh_modulus)
            cycles += inverse
        result = conversion_cycles(width + self.entry.model.guard_bits(width), word, bus_width)
        return cycles + result + 1


class RingScaling(Scaling):
    """Montgomery reductions by the scale; each is a product in the ring."""

    def _reduction_cycles(self, width: int, digits: int, words: int) -> int:
        """Return the cycles of a product of ``digits`` digits and ``words`` words.

        They end with the last word above the scale, the last word of a sum below 3M.
        """
        word = self.entry.streams.word_width(width)
        below, above = -(-self.bits(width) // word), -(-(width + 2) // word)
        return self.entry.timing.ring_cycles(width, digits, words=words) + below + above


class RingModel(Model):
    """The loop of a single or a chained product."""

    @abstractmethod
    def loop(
        self, x: int, y: int, m: int, constants: Sequence[int], width: int, *, chain: bool = False
    ) -> tuple[int, int]:
        """Return (S, C) as :meth:`Model.loop` does; ``chain`` selects a chained product."""


class Ring(Architecture):
    """Base class of the entries whose core is a ``systolic_ring``.

    A subclass adds the number of words and digits, the latency of an element, and the loop.
    """

    montgomery: ClassVar[bool] = True
    wave_signals: ClassVar[tuple[str, ...]] = (
        "u_ring.digit_q", "u_ring.digit_i", "u_ring.arrival", "u_ring.quotient",
        "u_ring.report_class", "u_ring.ring_s", "u_ring.ring_y", "u_ring.ring_m",
        "u_ring.delivering_q", "u_ring.result_index_q", "u_ring.word_o",
    )  # fmt: skip
    coverage = Part(RingCoverage)
    timing = Part(RingTiming)

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Return classes of the elements, of the queue (last to first element) and last word."""
        word, elements = self.streams.word_width(width), self.streams.elements(width)
        queue = self.streams.words(width) - self.streams.latency(width) * elements
        digits = self.streams.digits(width, chain=True)
        turns = self.streams.digits(width) % elements, digits % elements
        return {
            "one element": elements == 1,
            "several elements": elements > 1,
            "queue empty": queue == 0,
            "queue shorter than an element's latency": 0 < queue < self.streams.latency(width),
            "queue longer than half the words": 2 * queue > self.streams.words(width),
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
        """Return at least p*p*w: each of p elements updates vectors of p words of w bits."""
        elements = self.streams.elements(width)
        return max(width, elements * elements * self.streams.word_width(width))
