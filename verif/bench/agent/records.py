"""Records of operations that the recorder observed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from models.status import Address, Command, ExponentiationAddress, Status
from verif.bench.agent.vector_layout import fields_of


@dataclass(slots=True, kw_only=True)
class OperationRecord(ABC):
    """Observations of one operation by the recorder and the observer.

    A subclass adds a field for each operand of its design's bus map: the bus words that the design
    held at the start. This field can be wider than the operand. A subclass also adds a field for
    each result: the words that the host read, and their number as ``<name>_words``.
    ``control_arcs`` is a bit vector; the observer defines it.

    Attributes:
        written: addresses written since the previous start, as flags ``1 << select``.
        after_reset: this is the first start since a reset or ZEROISE, so the hardware held no
            kept values.
        command: command that started the operation.
        status_seen: the host read a status other than BUSY.
        status: the status of the last such read.
        bus_error: the bus error field of the same read.
        rejected: number of transfers rejected since the start.
        lost: number of operations started since the reset while a record was open.
        protocol_broken: an acknowledge came without a request, in two consecutive cycles, or in
            reset.
        stalled: a request waited longer than the minimum.
        busy_cycles: cycles of busy.
        result_added: the addition that produces the result took place.
        subtracted: the last conditional subtraction of that addition was taken.
        exact: a subtraction gave exactly zero.
        time_ns: simulated time at which the record was complete.
    """

    written: int
    after_reset: bool
    command: int
    status_seen: bool
    status: int
    bus_error: int
    rejected: int
    lost: int
    protocol_broken: bool
    stalled: bool
    busy_cycles: int
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
        """Return name and width of the fields of the observer's vector, most significant first.

        Unused fields have the name "_".

        Args:
            table_bits: number of values of the core's observation port.
            positions: number of values that the port shows in one cycle.
            carry_words: number of words between which the port shows carries.
        """

    @property
    def status_name(self) -> str:
        """Name of the status, or its number if the code has no name."""
        try:
            return Status(self.status).name
        except ValueError:
            return f"code {self.status}"


@dataclass(slots=True, kw_only=True)
class MultiplierRecord(OperationRecord):
    """One product; ``core_arcs``, ``table_hit`` and ``table_transition`` are bit vectors, see
    ``multiplier_observer.sv``.

    Attributes:
        loop_cycles: cycles from the core's start to the first word of its result.
        done_cycles: cycles from the core's start to the last word of its result.
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
    loop_cycles: int
    done_cycles: int
    core_busy_wrong: bool

    @classmethod
    def observed_fields(
        cls, table_bits: int, positions: int = 1, carry_words: int = 0
    ) -> list[tuple[str, int]]:
        """See ``records.yaml``."""
        return fields_of(
            "multiplier_observed",
            TableBits=table_bits,
            Positions=positions,
            CarryWords=max(1, carry_words),
        )

    @property
    def raw(self) -> bool:
        """Whether the command was START_RAW."""
        return self.command == Command.START_RAW

    @property
    def binary(self) -> bool:
        """Whether the command was START_BINARY: a product in GF(2**n)."""
        return self.command == Command.START_BINARY

    @property
    def fresh_modulus(self) -> bool:
        """Whether the hardware held no kept value that depends on M."""
        return self.after_reset or bool(self.written >> Address.M_C & 1)


@dataclass(slots=True, kw_only=True)
class ExponentiationRecord(OperationRecord):
    """One exponentiation; arcs, hits and crosses are bit vectors, see
    ``exponentiation_observer.sv``.

    Attributes:
        a_core_arcs: state changes of the unit that computes A <- A*S.
        s_core_arcs: state changes of the unit that squares.
        loop_products: number of products finished in the loop, one per exponent bit.
        bit_positions: position in the core at which a loop product started, by exponent bit.
        bit_states: state of the core and place in the exponent's bus word, by exponent bit.
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
        """See ``records.yaml``."""
        return fields_of("exponentiation_observed", TableBits=table_bits, Positions=positions)

    def has(self, address: ExponentiationAddress) -> bool:
        """Whether the host wrote this address since the previous start."""
        return bool(self.written >> address & 1)


@dataclass(frozen=True)
class Product:
    """The two products of one step, as ``exponentiation_tb`` reports them for debugging.

    Attributes:
        state: state of the control: entry or loop.
        exponent_bit: exponent bit with which the two products started.
        position: position in the core at which they started.
        a: new A.
        s: new S.
        stray: 1 if A's core finished a product earlier that was not started.
    """

    state: int
    exponent_bit: int
    position: int
    a: int
    s: int
    stray: int = 0
