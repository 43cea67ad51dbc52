"""Transaction-level model of a top's loader bus, written from ``hdl/docs/interface.md`` alone.

The model is independent of the RTL and of the checkers of the environment. The caller reports each
granted transfer and its cycle. The model predicts the answer, and ``busy_o`` and ``done_o`` in each
cycle. A subclass adds the operands, the results and the outcome of an operation of one top.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field

from models.independent import ERROR_CODES, STATUS_CODES

CONTROL = 3
FIELD_SHIFT = 4
# Codes of the commands from hdl/docs/interface.md, by name.
COMMAND_CODES: Mapping[str, int] = {
    "START": 1, "START_RAW": 2, "CLEAR": 3, "ZEROISE": 4, "START_BINARY": 5,
}  # fmt: skip


@dataclass(frozen=True)
class Request:
    """A transfer that the host requests; a read ignores ``data``."""

    write: bool
    address: int
    data: int = 0


@dataclass(frozen=True)
class Answer:
    """Answer in the acknowledge cycle: ``err_o`` and ``rdata_o``."""

    rejected: bool
    data: int


class Operand:
    """An operand: the words of one writable address.

    Args:
        name: name in messages and coverage.
        bits: bits of the operand; its words may have more.
        bus_width: bits of a word.
    """

    def __init__(self, name: str, bits: int, bus_width: int) -> None:
        self.name = name
        self.bits = bits
        self.words = -(-bits // bus_width)
        self._bus_width = bus_width
        self.forget()

    def forget(self) -> None:
        """Set the state after a reset: value 0, never written."""
        self.value = 0
        self.counter = 0
        self.supplied = False
        self.ever_written = False

    def write(self, word: int) -> None:
        """Write the next word."""
        shift = self.counter * self._bus_width
        mask = ((1 << self._bus_width) - 1) << shift
        self.value = self.value & ~mask | word << shift
        self.counter += 1
        self.supplied = self.ever_written = True

    @property
    def full(self) -> bool:
        """True if all words are written."""
        return self.counter == self.words

    @property
    def partly_written(self) -> bool:
        """True if some of its words are written, but not all."""
        return 0 < self.counter < self.words

    @property
    def overwide(self) -> bool:
        """True if a bit above the operand's width is 1."""
        return bool(self.value >> self.bits)


@dataclass
class Result:
    """A result: the words of one readable address.

    Attributes:
        name: name in messages and coverage.
        words: number of bus words.
        after: names of the statuses after which the result can be read.
        counter: index of the next word.
    """

    name: str
    words: int
    after: frozenset[str]
    counter: int = 0


@dataclass(frozen=True)
class Outcome:
    """Outcome of an accepted start.

    Attributes:
        status: name of the status at the end.
        cycles: number of busy cycles.
        values: values of the results by address; only those that exist after the status.
    """

    status: str
    cycles: int
    values: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    """An accepted start: granted in cycle ``start``, busy up to and including cycle ``last``."""

    start: int
    command: str
    outcome: Outcome

    @property
    def last(self) -> int:
        """Last busy cycle."""
        return self.start + self.outcome.cycles


class BusModel(ABC):
    """Bus model of one top.

    Attributes:
        operands: operands by address.
        results: results by address.
        commands: names of the top's commands by code.
        operation: the last accepted start; None after a reset or ZEROISE.
        error: the error field.

    Args:
        bus_width: bits of a word.
        operands: operands by address.
        results: results by address.
        commands: names of the top's commands.
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
        """Return the outcome of a start accepted now; update the kept constants."""

    @abstractmethod
    def _written(self, operand: Operand) -> None:
        """Invalidate the kept constants that depend on the operand just written."""

    @abstractmethod
    def _forget_kept(self) -> None:
        """Discard all kept constants, as a reset does."""

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
        """Apply a reset: ``rst_ni`` was low."""
        self._forget()

    def busy(self, cycle: int) -> bool:
        """Return ``busy_o`` in a cycle; all earlier grants must have been reported."""
        operation = self.operation
        return operation is not None and operation.start < cycle <= operation.last

    def done(self, cycle: int) -> bool:
        """Return ``done_o`` in a cycle; all earlier grants must have been reported."""
        return self.operation is not None and cycle > self.operation.last

    def status(self, cycle: int) -> str:
        """Return the name of the status for a transfer granted in a cycle."""
        if self.operation is None:
            return "IDLE"
        return "BUSY" if cycle <= self.operation.last else self.operation.outcome.status

    def ends(self, command: str, values: Mapping[int, int]) -> str:
        """Return the name of the status with which a start would end with other operand values.

        Args:
            command: name of the start command.
            values: other values by address; they do not mark an operand as written.
        """
        other = copy(self)
        other.operands = {address: copy(operand) for address, operand in self.operands.items()}
        for address, value in values.items():
            other.operands[address].value = value
        return other._outcome(command).status

    def rejection(self, request: Request, cycle: int) -> str:
        """Return the name of the reason to reject a request granted in a cycle, or NONE."""
        busy, address = self.status(cycle) == "BUSY", request.address
        if address == CONTROL:
            if not request.write:
                return "NONE"
            command = self.commands.get(request.data)
            if command is None:
                return "UNKNOWN_COMMAND"
            return "START_WHILE_BUSY" if busy and command.startswith("START") else "NONE"
        if address not in (self.operands if request.write else self.results):
            return "UNKNOWN_ADDRESS"
        if busy:
            return "BUSY"
        if request.write:
            return "UNKNOWN_ADDRESS" if self.operands[address].full else "NONE"
        there = self.status(cycle) in self.results[address].after
        return "NONE" if there else "NO_RESULT"

    def grant(self, request: Request, cycle: int) -> Answer:
        """Update the state for a granted request and return the answer."""
        reason = self.rejection(request, cycle)
        if reason != "NONE":
            self.error = reason
            return Answer(True, ERROR_CODES[reason])
        if request.address == CONTROL:
            if request.write:
                self._command(self.commands[request.data], cycle)
                return Answer(False, 0)
            field_code, status = ERROR_CODES[self.error], STATUS_CODES[self.status(cycle)]
            return Answer(False, field_code << FIELD_SHIFT | status)
        if request.write:
            operand = self.operands[request.address]
            operand.write(request.data)
            self._written(operand)
            return Answer(False, 0)
        return Answer(False, self._read(request.address))

    def _read(self, address: int) -> int:
        result, operation = self.results[address], self.operation
        assert operation is not None  # grant() checked that a result exists
        word = operation.outcome.values[address] >> result.counter * self.bus_width
        result.counter = (result.counter + 1) % result.words
        return word & ((1 << self.bus_width) - 1)

    def _command(self, command: str, cycle: int) -> None:
        if command == "ZEROISE":
            self._forget()
            return
        self.error = "NONE"
        if command.startswith("START"):
            self.operation = Operation(cycle, command, self._outcome(command))
            for operand in self.operands.values():
                operand.supplied = False
        self._clear_counters()
