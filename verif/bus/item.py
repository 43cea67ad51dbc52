"""Sequence items and records of the loader bus."""

from __future__ import annotations

from dataclasses import dataclass

from pyuvm import uvm_sequence_item

from models.status import BusError, Command, Select, Status


class LoaderItem(uvm_sequence_item):
    """One operation through the loader: load, start, wait, read back.

    Attributes:
        x: multiplier the hardware is to work on, loaded or kept from before.
        y: multiplicand, likewise.
        m: modulus, likewise.
        load: which of X, Y, M are written, as flags 1, 2, 4; the others keep their values.
        raw: start raw (operands need not be below the modulus).
        gap: probability, in 1/256, of an idle clock before each request.
        stall: probability, in 1/256, of a wait state before each acknowledge.
        seed: of the gaps and stalls, 32 bits.
        disturbances: transfers made while the operation runs; word by word only.
        incomplete: of the operands to load only the lowest word is written; the start must be
            refused. Word by word only.
        word_by_word: driven by Python on the bus pins instead of by the transactor.
        name: of the vector it comes from, for messages.
        expected: values of p, s, c that a vector gives, checked beside the references.
        rejected: the vector expects the hardware to refuse it.
    """

    def __init__(self, x: int, y: int, m: int, *, load: int = 7, raw: bool = False) -> None:
        """An operation that loads what ``load`` says and starts."""
        super().__init__("loader_item")
        self.x, self.y, self.m = x, y, m
        self.load = load
        self.raw = raw
        self.gap = 0
        self.stall = 0
        self.seed = 1
        self.disturbances: tuple[TransferItem, ...] = ()
        self.incomplete = False
        self.word_by_word = False
        self.name = ""
        self.expected: dict[str, int] = {}
        self.rejected = False

    @property
    def command(self) -> Command:
        """The command that starts it."""
        return Command.START_RAW if self.raw else Command.START

    def __str__(self) -> str:
        raw = " raw" if self.raw else ""
        return f"x={self.x:#x} y={self.y:#x} m={self.m:#x}{raw}"


class TransferItem(uvm_sequence_item):
    """One bus transfer, made by Python on the bus pins.

    Attributes:
        write: a write; else a read.
        select: operand select, any value of the bus's select width.
        data: word to write; after a read, the word read.
        error: the refusal the loader must answer with; NONE for a transfer that must succeed.
        expected_data: what a read must return; ``None`` for anything.
    """

    def __init__(
        self,
        write: bool,
        select: int,
        data: int = 0,
        error: BusError = BusError.NONE,
        expected_data: int | None = None,
    ) -> None:
        """A transfer and the answer it must get."""
        super().__init__("transfer_item")
        self.write = write
        self.select = select
        self.data = data
        self.error = error
        self.expected_data = expected_data

    @classmethod
    def command(cls, command: int, error: BusError = BusError.NONE) -> TransferItem:
        """A write to the control select."""
        return cls(True, Select.CONTROL, command, error)

    def __str__(self) -> str:
        kind = f"write {self.data:#x} to" if self.write else "read"
        return f"{kind} select {self.select}"


class ResetItem(uvm_sequence_item):
    """An operation that a reset cuts off.

    Attributes:
        operation: what is started; it must leave no record.
        after: clocks from its first request to the reset.
    """

    def __init__(self, operation: LoaderItem, after: int) -> None:
        """Reset ``after`` clocks into ``operation``."""
        super().__init__("reset_item")
        self.operation = operation
        self.after = after


@dataclass(slots=True)
class OperationRecord:
    """What the recorder and the observer saw of one operation.

    Operands and results are images of the transferred words, so they can be wider than n bits.
    ``core_arcs`` and ``control_arcs`` are bit vectors, see ``multiplier_observer.sv``.
    """

    x: int
    y: int
    m: int
    p: int
    s: int
    c: int
    s_words: int
    c_words: int
    p_words: int
    refused: int
    lost: int
    fresh_modulus: bool
    raw: bool
    status_seen: bool
    status: int
    bus_error: int
    protocol_broken: bool
    stalled: bool
    table_hit: int
    table_transition: int
    core_arcs: int
    control_arcs: int
    loop_clocks: int
    busy_clocks: int
    core_busy_wrong: bool
    result_added: bool
    subtracted: bool
    exact: bool
    time_ns: float

    @property
    def status_name(self) -> str:
        """Name of the status, or its number if there is none."""
        try:
            return Status(self.status).name
        except ValueError:
            return f"code {self.status}"
