"""Cycles of a product: the loop of the core, and the whole operation."""

from __future__ import annotations

from models.capability import Capability
from models.constant import Reduction
from models.status import Status

DEFAULT_ADD_WIDTH = 32
DEFAULT_BUS_WIDTH = 32


class Timing(Capability):
    """Cycle formulas of a core with parallel operands; ``width`` is n in bits."""

    def loop_cycles(self, width: int) -> int:
        """Return the cycles from the core's start to its result, or to the first result word."""
        return width + 1

    def done_cycles(self, width: int) -> int:
        """Return the cycles from the core's start to its complete result."""
        return self.loop_cycles(width)

    def iterations_per_cycle(self, width: int) -> int:
        """Return the table addresses that the core reports per cycle, one per iteration."""
        return 1

    def addition_words(self, width: int, add_width: int) -> int:
        """Return the cycles of one pass of the word-serial modular adder."""
        return -(-(width + self.entry.model.guard_bits(width) + 1) // add_width)

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
        """Return the busy cycles of one start; of the operands only the modulus changes them.

        Args:
            m: modulus.
            width: n.
            status: status at the end of the operation.
            raw: True for a raw start.
            fresh_modulus: True if M was written after the last computation of the per-modulus
                constants.
            add_width: bits that the word-serial modular adder adds per cycle.
            bus_width: bits of a bus word; they change the cycle count of ring cores only.
            binary: True for a product in GF(2**n).
        """
        if status is Status.OPERAND_INCOMPLETE:
            return 1
        # Every step of the control takes one cycle, and so does the end.
        words = self.addition_words(width, add_width)
        load = words + 1
        if status not in (Status.OK, Status.RAW):
            return load + 1
        cycles, last = load, 0
        for index, constant in enumerate(self.entry.constants):
            if index == 0 and constant.reduction is Reduction.NONE:
                continue  # computed while the operands are loaded
            cycles += 1
            if fresh_modulus or not constant.per_modulus:
                cycles += self.pass_cycles(constant.reduction, m, width, add_width, raw)
                last = 1 + words + 1  # copies the last constant from the adder to its register
        cycles += last + 1 + self.done_cycles(width)
        reduction = Reduction.NONE if status is Status.RAW else self.entry.final_reduction
        return cycles + 1 + self.pass_cycles(reduction, m, width, add_width, raw) + 1

    def pass_cycles(
        self, reduction: Reduction, m: int, width: int, add_width: int, raw: bool
    ) -> int:
        """Return the cycles of one addition of the word-stream adder, ``word_stream_adder.sv``."""
        words = self.addition_words(width, add_width)
        if reduction is Reduction.OPERAND:
            reduction = Reduction.FULL if raw else Reduction.ONCE
        if reduction is not Reduction.FULL:
            return words + 1
        shift = width + self.entry.model.guard_bits(width) + 1 - m.bit_length()
        return (shift + 1) * (words + 2)


class UnloadedTiming(Timing):
    """The start cycle computes the first iteration."""

    def loop_cycles(self, width: int) -> int:
        """Return n: one iteration per cycle."""
        return width
