"""What a registry entry says about an architecture.

Everything else (build, stimulus, scoreboard, coverage, cycle check, regression matrix, report
tables) derives from it. A new architecture is one SystemVerilog file and one subclass of
:class:`Architecture` in ``models/architectures/``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from models.status import Status
from models.words import BitSlices, Word

DEFAULT_ADD_WIDTH = 32
REDUCTION_HEADROOM = 3


class Reduction(Enum):
    """How far the word-serial modular adder reduces a sum.

    NONE: plain sum. ONCE: one conditional subtraction. FULL: as many as a sum below 2**(n+3) may
    need. OPERAND: ONCE when X, Y < M is known, FULL for a raw start.
    """

    NONE = "none"
    ONCE = "once"
    FULL = "full"
    OPERAND = "operand"


@dataclass(frozen=True)
class Constant:
    """A value the top computes, word by word, before the core may run.

    Attributes:
        name: the name used in the source document.
        reduction: the reduction its addition needs.
        per_modulus: it depends on M alone and is kept while M is not rewritten.
    """

    name: str
    reduction: Reduction
    per_modulus: bool = False


@dataclass(frozen=True)
class Published:
    """A figure printed in a source document: clocks per product as a formula in words."""

    clocks: str
    source: str


class Architecture(ABC):
    """One architecture: the single place where its facts are written down.

    A subclass writes :meth:`loop` on plain integers; with the operations of :mod:`models.words` it
    also runs on bit-sliced lanes, says so in :attr:`bit_sliced`, and is checked far faster.

    Widths are in bits, times in clocks. ``width`` (n) is the operand width of the hardware; the
    modulus may be shorter.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    module: ClassVar[str | None]
    montgomery: ClassVar[bool]
    published: ClassVar[Published]
    min_width: ClassVar[int] = 4
    bit_sliced: ClassVar[bool] = False
    constants: ClassVar[tuple[Constant, ...]] = ()
    final_reduction: ClassVar[Reduction] = Reduction.ONCE
    table_address_bits: ClassVar[int] = 0
    table_address_meaning: ClassVar[str] = ""

    @abstractmethod
    def loop(self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int) -> tuple:
        """The bit-true loop: (S, C) after the last iteration.

        Args:
            x: multiplier, n bits (need not be below m).
            y: multiplicand, n bits (need not be below m).
            m: modulus, n bits.
            constants: the values of :meth:`constant_values`, in order.
            width: n.
        """

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """Values of :attr:`constants` for one multiplicand and modulus."""
        return ()

    def table_addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """The lookup-table address of every iteration, in order; empty without a table."""
        return []

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Table addresses that some legal operands reach at this width."""
        return frozenset(range(1 << self.table_address_bits if self.table_address_bits else 0))

    def table_transitions(self, width: int) -> frozenset[tuple[int, int]]:
        """Address pairs (before, after) that consecutive iterations can produce."""
        return frozenset()

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """Operand triples (x, y, m) that reach what random ones rarely reach; directed corners."""
        return ()

    def special_moduli(self, width: int) -> tuple[int, ...]:
        """Moduli that strain this architecture beyond the corners of all; directed and random."""
        return ()

    def product(self, x: int, y: int, m: int, width: int) -> tuple[int, int]:
        """The redundant product (S, C) of one operand triple."""
        return self.loop(x, y, m, self.constant_values(y, m, width), width)

    def products(self, triples: Sequence[tuple[int, int, int]], width: int) -> list[tuple]:
        """(S, C) of many operand triples (x, y, m), one bit-sliced lane each where that works."""
        if not self.bit_sliced:
            return [self.product(*triple, width) for triple in triples]
        lanes = len(triples)
        # One bit more than the largest constant (Y + M) keeps all words of one width.
        pack_width = width + 2
        x, y, m = (BitSlices.pack(column, pack_width) for column in zip(*triples, strict=True))
        values = [self.constant_values(t[1], t[2], width) for t in triples]
        constants = [BitSlices.pack(column, pack_width) for column in zip(*values, strict=True)]
        s, c = self.loop(x, y, m, constants, width)
        return list(zip(s.unpack(lanes), c.unpack(lanes), strict=True))

    def radix(self, width: int) -> int:
        """R of P = X*Y/R mod M; 1 for an architecture outside the Montgomery domain."""
        return 1 << width if self.montgomery else 1

    def loop_clocks(self, width: int) -> int:
        """Clocks from the core's start to its result being valid."""
        return width + 1

    def operand_status(self, x: int, y: int, m: int, width: int, raw: bool = False) -> Status:
        """Status a start with these operands ends with.

        Args:
            x: multiplier as loaded.
            y: multiplicand as loaded.
            m: modulus as loaded.
            width: n; an operand of more bits is out of range even for a raw start.
            raw: the operands need not be below the modulus.
        """
        if max(x, y, m) >> width:
            return Status.OPERAND_RANGE
        if m <= 1:
            return Status.MODULUS_ZERO_OR_ONE
        if self.montgomery and m % 2 == 0:
            return Status.MODULUS_EVEN
        if x >= m or y >= m:
            return Status.RAW if raw else Status.OPERAND_RANGE
        return Status.OK

    def addition_clocks(
        self, reduction: Reduction, m: int, width: int, add_width: int, raw: bool
    ) -> int:
        """Clocks of one word-serial modular addition.

        A pass handles every word of the sum and one more clock to keep or drop the difference;
        a full reduction first aligns M below the largest sum, one bit a clock.
        """
        words = -(-(width + REDUCTION_HEADROOM) // add_width)
        if reduction is Reduction.OPERAND:
            reduction = Reduction.FULL if raw else Reduction.ONCE
        if reduction is not Reduction.FULL:
            return words + 2
        shift = width + REDUCTION_HEADROOM - m.bit_length()
        return (shift + 1) + (words + 1) * (shift + 1) + 1

    def operation_clocks(
        self,
        m: int,
        width: int,
        status: Status = Status.OK,
        *,
        raw: bool = False,
        fresh_modulus: bool = True,
        add_width: int = DEFAULT_ADD_WIDTH,
    ) -> int:
        """Clocks that ``busy`` is high for one start. No operand but the modulus has a say in it.

        Args:
            m: modulus.
            width: n.
            status: how the operation ends.
            raw: the operation was started raw.
            fresh_modulus: M was written since the per-modulus constants were last computed.
            add_width: bits the word-serial modular adder handles in a clock.
        """
        if status is Status.OPERAND_INCOMPLETE:
            return 1
        # Every step of the control takes a clock of its own; so do a check's start and the end.
        clocks = 2 * (1 + self.addition_clocks(Reduction.ONCE, m, width, add_width, raw)) + 1
        if status not in (Status.OK, Status.RAW):
            return clocks
        for constant in self.constants:
            clocks += 1
            if fresh_modulus or not constant.per_modulus:
                clocks += self.addition_clocks(constant.reduction, m, width, add_width, raw)
        clocks += 1 + self.loop_clocks(width)
        if status is Status.RAW:
            return clocks
        result = self.addition_clocks(self.final_reduction, m, width, add_width, raw)
        return clocks + 1 + result + 1
