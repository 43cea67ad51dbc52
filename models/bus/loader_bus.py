"""The loader bus of a top, transfer by transfer, written from ``hdl/docs/interface.md`` alone.

It knows neither the RTL nor the checkers of the environment. A caller tells it which transfer was
granted in which clock, and it says how the transfer is answered and what ``busy_o`` and ``done_o``
are in each clock. What a top adds (operands, results, how an operation ends) is in a subclass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field

from models.independent import ERROR_CODES, STATUS_CODES

CONTROL = 3
FIELD_SHIFT = 4
# Commands by name, as the interface gives their codes.
COMMAND_CODES: Mapping[str, int] = {
    "START": 1, "START_RAW": 2, "CLEAR": 3, "ZEROISE": 4, "START_BINARY": 5,
}  # fmt: skip


@dataclass(frozen=True)
class Request:
    """A transfer as the host asks for it: ``data`` means nothing for a read."""

    write: bool
    select: int
    data: int = 0


@dataclass(frozen=True)
class Answer:
    """What comes with the acknowledge: ``err_o`` and ``rdata_o``."""

    refused: bool
    data: int


class Operand:
    """The words of one select that can be written.

    Args:
        name: for messages and coverage.
        bits: of the operand; words may have more.
        bus_width: bits of a word.
    """

    def __init__(self, name: str, bits: int, bus_width: int) -> None:
        self.name = name
        self.bits = bits
        self.words = -(-bits // bus_width)
        self._bus_width = bus_width
        self.forget()

    def forget(self) -> None:
        """As after a reset: 0, and never written."""
        self.value = 0
        self.counter = 0
        self.supplied = False
        self.ever_written = False

    def write(self, word: int) -> None:
        """The next word."""
        shift = self.counter * self._bus_width
        mask = ((1 << self._bus_width) - 1) << shift
        self.value = self.value & ~mask | word << shift
        self.counter += 1
        self.supplied = self.ever_written = True

    @property
    def full(self) -> bool:
        """There is no next word."""
        return self.counter == self.words

    @property
    def partly_written(self) -> bool:
        """Some of its words, not all."""
        return 0 < self.counter < self.words

    @property
    def overwide(self) -> bool:
        """A bit above its width is 1."""
        return bool(self.value >> self.bits)


@dataclass
class Result:
    """A select that can be read.

    Attributes:
        name: for messages and coverage.
        words: bus words.
        after: names of the statuses after which it is there.
        counter: of the next word.
    """

    name: str
    words: int
    after: frozenset[str]
    counter: int = 0


@dataclass(frozen=True)
class Outcome:
    """What a start leads to.

    Attributes:
        status: its name.
        clocks: of busy.
        values: of the results by select; not those that are not there after the status.
    """

    status: str
    clocks: int
    values: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    """An accepted start: granted in clock ``start``, busy up to and including clock ``last``."""

    start: int
    command: str
    outcome: Outcome

    @property
    def last(self) -> int:
        """The last clock of busy."""
        return self.start + self.outcome.clocks


class BusModel(ABC):
    """One top behind its bus.

    Attributes:
        operands: by select.
        results: by select.
        commands: name of each code that the top has.
        operation: the last accepted start, None after reset and ZEROISE.
        error: the error field.

    Args:
        bus_width: bits of a word.
        operands: by select.
        results: by select.
        commands: names of those that the top has.
    """

    def __init__(
        self,
        bus_width: int,
        operands: Mapping[int, Operand],
        results: Mapping[int, Result],
        commands: frozenset[str],
    ) -> None:
        self.bus_width = bus_width
        self.operands = operands
        self.results = results
        self.commands = {COMMAND_CODES[name]: name for name in sorted(commands)}
        self._forget()

    @abstractmethod
    def _outcome(self, command: str) -> Outcome:
        """How a start that is accepted now will end; notes what it keeps and forgets."""

    @abstractmethod
    def _written(self, operand: Operand) -> None:
        """A word of an operand was accepted: what is kept may no longer hold."""

    @abstractmethod
    def _forget_kept(self) -> None:
        """Nothing is kept, as after a reset."""

    def _forget(self) -> None:
        self.operation: Operation | None = None
        self.error = "NONE"
        for operand in self.operands.values():
            operand.forget()
        self._clear_counters()
        self._forget_kept()

    def _clear_counters(self) -> None:
        for counted in (*self.operands.values(), *self.results.values()):
            counted.counter = 0

    def reset(self) -> None:
        """``rst_ni`` was low."""
        self._forget()

    def busy(self, clock: int) -> bool:
        """``busy_o`` in a clock, when everything granted before it is known."""
        operation = self.operation
        return operation is not None and operation.start < clock <= operation.last

    def done(self, clock: int) -> bool:
        """``done_o``, likewise."""
        return self.operation is not None and clock > self.operation.last

    def status(self, clock: int) -> str:
        """Name of the status that a transfer granted in a clock meets."""
        if self.operation is None:
            return "IDLE"
        return "BUSY" if clock <= self.operation.last else self.operation.outcome.status

    def ends(self, command: str, values: Mapping[int, int]) -> str:
        """Name of the status with which a start would end if some operands had other values.

        Args:
            command: the start.
            values: of operands by select; none counts as written by that.
        """
        other = copy(self)
        other.operands = {select: copy(operand) for select, operand in self.operands.items()}
        for select, value in values.items():
            other.operands[select].value = value
        return other._outcome(command).status

    def refusal(self, request: Request, clock: int) -> str:
        """Name of the reason for which a request granted in a clock is refused, or NONE."""
        busy, select = self.status(clock) == "BUSY", request.select
        if select == CONTROL:
            if not request.write:
                return "NONE"
            command = self.commands.get(request.data)
            if command is None:
                return "UNKNOWN_COMMAND"
            return "START_WHILE_BUSY" if busy and command.startswith("START") else "NONE"
        if select not in (self.operands if request.write else self.results):
            return "UNKNOWN_ADDRESS"
        if busy:
            return "BUSY"
        if request.write:
            return "UNKNOWN_ADDRESS" if self.operands[select].full else "NONE"
        there = self.status(clock) in self.results[select].after
        return "NONE" if there else "NO_RESULT"

    def grant(self, request: Request, clock: int) -> Answer:
        """A request was granted: its answer, and the new state."""
        reason = self.refusal(request, clock)
        if reason != "NONE":
            self.error = reason
            return Answer(True, ERROR_CODES[reason])
        if request.select == CONTROL:
            if request.write:
                self._command(self.commands[request.data], clock)
                return Answer(False, 0)
            field_code, status = ERROR_CODES[self.error], STATUS_CODES[self.status(clock)]
            return Answer(False, field_code << FIELD_SHIFT | status)
        if request.write:
            operand = self.operands[request.select]
            operand.write(request.data)
            self._written(operand)
            return Answer(False, 0)
        return Answer(False, self._read(request.select))

    def _read(self, select: int) -> int:
        result, operation = self.results[select], self.operation
        assert operation is not None  # there is a result
        word = operation.outcome.values[select] >> result.counter * self.bus_width
        result.counter = (result.counter + 1) % result.words
        return word & ((1 << self.bus_width) - 1)

    def _command(self, command: str, clock: int) -> None:
        if command == "ZEROISE":
            self._forget()
            return
        self.error = "NONE"
        if command.startswith("START"):
            self.operation = Operation(clock, command, self._outcome(command))
            for operand in self.operands.values():
                operand.supplied = False
        self._clear_counters()
