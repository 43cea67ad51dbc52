"""Sequence items and records of the loader bus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from pyuvm import uvm_sequence_item

from models.status import BusError, Command, ExponentiationSelect, Select, Status


class BusItem(uvm_sequence_item):
    """What a sequence asks the driver of a loader bus for.

    Attributes:
        given_up: set by the driver when the hardware has left too much without an answer for
            anything more to be learnt: its sequence is over.
    """

    given_up = False


class LoaderItem(BusItem):
    """One operation through the loader: load, start, wait, read back.

    A subclass has an attribute for each operand of its design's bus map.

    Attributes:
        load: selects to write, as flags ``1 << select``; the others keep their values.
        command: what starts it.
        idle: probability, in 1/256, of an idle clock before each request.
        stall: probability, in 1/256, of a wait state before each acknowledge.
        seed: of the idle cycles and stalls, 32 bits.
        disturbances: transfers made while the operation runs; word by word only.
        incomplete: of the operands to load only the lowest word is written; the start must be
            refused. Word by word only.
        word_by_word: driven by Python on the bus pins instead of by the transactor.
        name: of the vector it comes from, for messages.
        expected: values of results that a vector gives, checked beside the references.
        rejected: the vector expects the hardware to refuse it.
        judge: says what is wrong with the first result, ``None`` if it is right; asked beside the
            references when the operation ended well.
    """

    def __init__(self, load: int, command: Command = Command.START) -> None:
        """An operation that loads what ``load`` says and starts."""
        super().__init__("loader_item")
        self.load = load
        self.command = command
        self.idle = 0
        self.stall = 0
        self.seed = 1
        self.disturbances: tuple[TransferItem, ...] = ()
        self.incomplete = False
        self.word_by_word = False
        self.name = ""
        self.expected: dict[str, int] = {}
        self.rejected = False
        self.judge: Callable[[int], str | None] | None = None


class MultiplierItem(LoaderItem):
    """One product.

    Attributes:
        x: multiplier the hardware is to work on, loaded or kept from before.
        y: multiplicand, likewise.
        m: modulus, likewise.
        raw: the operands need not be below the modulus.
        binary: they are polynomials over GF(2), bit i the coefficient of x**i.
    """

    def __init__(
        self,
        x: int,
        y: int,
        m: int,
        *,
        load: int = 7,
        raw: bool = False,
        binary: bool = False,
    ) -> None:
        """A product that loads what ``load`` says and starts."""
        command = Command.START_RAW if raw else Command.START
        super().__init__(load, Command.START_BINARY if binary else command)
        self.x, self.y, self.m = x, y, m
        self.raw, self.binary = raw, binary

    def __str__(self) -> str:
        raw = " raw" if self.raw else " in GF(2**n)" if self.binary else ""
        return f"x={self.x:#x} y={self.y:#x} m={self.m:#x}{raw}"


class ExponentiationItem(LoaderItem):
    """One exponentiation.

    Attributes:
        base: data the hardware is to work on, loaded or kept from before.
        exponent: likewise.
        modulus: likewise.
        length: exponent bits to work off, loaded or kept; the width if none was ever loaded.
        r_squared: R**2 mod M that the host supplies with this operation; None: it does not.
        m_prime: m' likewise.
    """

    OPERANDS: ClassVar[tuple[ExponentiationSelect, ...]] = (
        ExponentiationSelect.DATA_RESULT,
        ExponentiationSelect.EXPONENT,
        ExponentiationSelect.MODULUS,
        ExponentiationSelect.LENGTH,
    )

    def __init__(
        self,
        base: int,
        exponent: int,
        modulus: int,
        length: int,
        *,
        r_squared: int | None = None,
        m_prime: int | None = None,
        keep: tuple[ExponentiationSelect, ...] = (),
    ) -> None:
        """An exponentiation that loads every operand except those in ``keep``, and starts.

        R**2 and m' are loaded if they are given.
        """
        load = sum(1 << select for select in self.OPERANDS if select not in keep)
        load |= (r_squared is not None) << ExponentiationSelect.R_SQUARED
        load |= (m_prime is not None) << ExponentiationSelect.M_PRIME
        super().__init__(load)
        self.base, self.exponent, self.modulus = base, exponent, modulus
        self.length = length
        self.r_squared, self.m_prime = r_squared, m_prime

    def __str__(self) -> str:
        constants = "".join(
            f" {name}={value:#x}"
            for name, value in (("r_squared", self.r_squared), ("m_prime", self.m_prime))
            if value is not None
        )
        return (
            f"base={self.base:#x} exponent={self.exponent:#x} modulus={self.modulus:#x} "
            f"length={self.length}{constants}"
        )


class TransferItem(BusItem):
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
        """A write to the control select, which is the same in every design."""
        return cls(True, Select.CONTROL, command, error)

    @classmethod
    def status(cls, expected: int | None = None) -> TransferItem:
        """A read of the status word, {bus error, status}."""
        return cls(False, Select.CONTROL, expected_data=expected)

    def __str__(self) -> str:
        kind = f"write {self.data:#x} to" if self.write else "read"
        return f"{kind} select {self.select}"


class ResetItem(BusItem):
    """An operation that a reset cuts off.

    Attributes:
        operation: what is started; it must leave no record unless it ended before.
        after: clocks from its first request to the reset.
        first: transfer that is asked for before the reset ends, and so granted in the first clock
            behind it; None for no such.
    """

    def __init__(
        self, operation: LoaderItem, after: int, first: TransferItem | None = None
    ) -> None:
        """Reset ``after`` clocks into ``operation``."""
        super().__init__("reset_item")
        self.operation = operation
        self.after = after
        self.first = first


class ZeroiseItem(BusItem):
    """An operation that the command ZEROISE cuts off, or whose values it clears after the end.

    Attributes:
        operation: what is started; it must leave no record.
        after: clocks from its accepted start to the command.
    """

    def __init__(self, operation: LoaderItem, after: int) -> None:
        """Zeroise ``after`` clocks after the start of ``operation``."""
        super().__init__("zeroise_item")
        self.operation = operation
        self.after = after


@dataclass(slots=True, kw_only=True)
class OperationRecord(ABC):
    """What the recorder and the observer saw of one operation.

    A subclass has, for each operand of its design's bus map, the image of the words kept at the
    start (so it can be wider than the operand), and for each result the image of the words read
    and, as ``<name>_words``, their number. ``control_arcs`` is a bit vector, see the observer.

    Attributes:
        written: selects written since the start before, as flags ``1 << select``.
        after_reset: the first start since a reset or ZEROISE: nothing was known to the hardware.
        command: that started it.
        status_seen: a status other than BUSY was read.
        status: the last one read.
        bus_error: the bus error field read with it.
        refused: transfers refused since the start.
        lost: operations started since the reset while a record was open.
        protocol_broken: acknowledge without request, for two clocks running, or in reset.
        stalled: some request waited longer than it had to.
        busy_clocks: clocks of busy.
        result_added: the addition that makes the result happened.
        subtracted: its last conditional subtraction was taken.
        exact: a subtraction gave exactly zero.
        time_ns: simulated time when the record was complete.
    """

    written: int
    after_reset: bool
    command: int
    status_seen: bool
    status: int
    bus_error: int
    refused: int
    lost: int
    protocol_broken: bool
    stalled: bool
    busy_clocks: int
    control_arcs: int
    result_added: bool
    subtracted: bool
    exact: bool
    time_ns: float

    @classmethod
    @abstractmethod
    def observed_fields(
        cls, table_bits: int, positions: int = 1, carry_words: int = 0
    ) -> list[tuple[str, int]]:
        """Name and width of the fields of the observer's vector, most significant first.

        Args:
            table_bits: values of the core's observation port. Unused fields are called "_".
            positions: values it shows in one clock.
            carry_words: words between which it shows carries.
        """

    @property
    def status_name(self) -> str:
        """Name of the status, or its number if there is none."""
        try:
            return Status(self.status).name
        except ValueError:
            return f"code {self.status}"


@dataclass(slots=True, kw_only=True)
class MultiplierRecord(OperationRecord):
    """One product; ``core_arcs``, ``table_hit`` and ``table_transition`` are bit vectors, see
    ``multiplier_observer.sv``.

    Attributes:
        loop_clocks: from the core's start to the first word of its result.
        done_clocks: from the core's start to all of its result.
    """

    x: int
    y: int
    m: int
    p: int
    s: int
    c: int
    p_words: int
    s_words: int
    c_words: int
    table_hit: int
    table_transition: int
    carry_hit: int
    core_arcs: int
    loop_clocks: int
    done_clocks: int
    core_busy_wrong: bool

    @classmethod
    def observed_fields(
        cls, table_bits: int, positions: int = 1, carry_words: int = 0
    ) -> list[tuple[str, int]]:
        """As in ``multiplier_observer.sv``."""
        return [
            ("core_arcs", 16), ("control_arcs", 64), ("loop_clocks", 32), ("done_clocks", 32),
            ("busy_clocks", 32), ("result_added", 1), ("subtracted", 1), ("exact", 1),
            ("core_busy_wrong", 1),
            ("table_transition", table_bits * table_bits), ("table_hit", table_bits * positions),
            ("carry_hit", max(1, carry_words)),
        ]  # fmt: skip

    @property
    def raw(self) -> bool:
        """Started raw."""
        return self.command == Command.START_RAW

    @property
    def binary(self) -> bool:
        """A product in GF(2**n)."""
        return self.command == Command.START_BINARY

    @property
    def fresh_modulus(self) -> bool:
        """Nothing that depends on M was known to the hardware."""
        return self.after_reset or bool(self.written >> Select.M_C & 1)


@dataclass(slots=True, kw_only=True)
class ExponentiationRecord(OperationRecord):
    """One exponentiation; arcs, hits and crosses are bit vectors, see
    ``exponentiation_observer.sv``.

    Attributes:
        a_core_arcs: of the unit that makes A <- A*S; s_core_arcs: of the one that squares.
        loop_products: products finished in the loop: one a bit of the exponent.
        bit_positions: where in the core a loop product started, by exponent bit.
        bit_states: the core's state and the place in a bus word of the exponent, by exponent bit.
        top_carry: a carry went into the top word of an operand.
    """

    base: int
    exponent: int
    modulus: int
    r_squared: int
    m_prime: int
    length: int
    result: int
    result_words: int
    a_core_arcs: int
    s_core_arcs: int
    loop_products: int
    top_carry: bool
    a_table_hit: int
    s_table_hit: int
    bit_positions: int
    bit_states: int

    @classmethod
    def observed_fields(
        cls, table_bits: int, positions: int = 1, carry_words: int = 0
    ) -> list[tuple[str, int]]:
        """As in ``exponentiation_observer.sv``."""
        return [
            ("control_arcs", 256), ("a_core_arcs", 16), ("s_core_arcs", 16), ("busy_clocks", 32),
            ("loop_products", 16), ("result_added", 1), ("subtracted", 1), ("exact", 1),
            ("top_carry", 1), ("a_table_hit", table_bits * positions),
            ("s_table_hit", table_bits * positions),
            ("bit_positions", 512), ("bit_states", 32),
        ]  # fmt: skip

    def has(self, select: ExponentiationSelect) -> bool:
        """Whether this select was written since the start before."""
        return bool(self.written >> select & 1)


@dataclass(frozen=True)
class Product:
    """A pair of products, as ``exponentiation_tb`` reports it for debugging.

    Attributes:
        state: of the control: entry or loop.
        exponent_bit: the bit the pair was started with.
        position: where in the core it was started.
        a: new A.
        s: new S.
        stray: 1 if A's core has ended a product before that was not started.
    """

    state: int
    exponent_bit: int
    position: int
    a: int
    s: int
    stray: int = 0
