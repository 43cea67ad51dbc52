"""Sequence items and records of the loader bus."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from pyuvm import uvm_sequence_item

from models.status import Address, BusError, Command, ExponentiationAddress


class BusItem(uvm_sequence_item):
    """Base class of the items that a sequence sends to the driver of a loader bus.

    Attributes:
        given_up: the driver sets it after too many bus timeouts; the sequence must then end.
    """

    given_up = False


class LoaderItem(BusItem):
    """One operation through the loader: load, start, wait, read back.

    A subclass has an attribute for each operand of its design's bus map.

    Attributes:
        load: addresses to write, as flags ``1 << select``; the others keep their values.
        command: command that starts the operation.
        idle: probability, in 1/256, of an idle cycle before each request.
        stall: probability, in 1/256, of a wait state before each acknowledge.
        seed: 32-bit seed of the idle cycles and wait states.
        disturbances: transfers that the driver makes while the operation runs; used only with
            ``word_by_word``.
        incomplete: the driver writes only the lowest word of each operand to load, and the
            operation must end with OPERAND_INCOMPLETE; used only with ``word_by_word``.
        word_by_word: Python drives the bus pins, not the transactor.
        name: name of the vector that the operation comes from, for messages.
        expected: result values that the vector gives; the checker compares them as well as the
            references.
        rejected: the vector expects the hardware to reject the operation.
        judge: returns the error in the first result, or ``None`` if it is correct; called as well
            as the references when the status is OK.
    """

    def __init__(self, load: int, command: Command = Command.START) -> None:
        """Create an operation that writes the addresses in ``load`` and starts."""
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
        x: multiplier that the hardware uses, loaded now or kept from an earlier operation.
        y: multiplicand, new or kept.
        m: modulus, new or kept.
        raw: the operands need not be below the modulus.
        binary: the operands are polynomials over GF(2); bit i is the coefficient of x**i.
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
        """Create a product that writes the addresses in ``load`` and starts."""
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
        base: base that the hardware uses, loaded now or kept from an earlier operation.
        exponent: exponent, new or kept.
        modulus: modulus, new or kept.
        length: number of exponent bits to process, new or kept; the operand width if the host never
            loaded a length.
        r_squared: R**2 mod M that the host supplies with this operation; None if it does not.
        m_prime: m' that the host supplies with this operation; None if it does not.
    """

    OPERANDS: ClassVar[tuple[ExponentiationAddress, ...]] = (
        ExponentiationAddress.DATA_RESULT,
        ExponentiationAddress.EXPONENT,
        ExponentiationAddress.MODULUS,
        ExponentiationAddress.LENGTH,
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
        keep: tuple[ExponentiationAddress, ...] = (),
    ) -> None:
        """Create an exponentiation that loads every operand except those in ``keep``, and starts.

        It also loads R**2 and m' if they are given.
        """
        load = sum(1 << address for address in self.OPERANDS if address not in keep)
        load |= (r_squared is not None) << ExponentiationAddress.R_SQUARED
        load |= (m_prime is not None) << ExponentiationAddress.M_PRIME
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
    """One bus transfer that Python makes on the bus pins.

    Attributes:
        write: True for a write, False for a read.
        address: address of the transfer, any value of ``AddressWidth`` bits.
        data: word to write; after a read, the word read.
        error: reason with which the loader must reject the transfer; NONE if it must accept it.
        expected_data: word that a read must return; ``None`` accepts any word.
    """

    def __init__(
        self,
        write: bool,
        address: int,
        data: int = 0,
        error: BusError = BusError.NONE,
        expected_data: int | None = None,
    ) -> None:
        """Create a transfer with the answer that it must get."""
        super().__init__("transfer_item")
        self.write = write
        self.address = address
        self.data = data
        self.error = error
        self.expected_data = expected_data

    @classmethod
    def command(cls, command: int, error: BusError = BusError.NONE) -> TransferItem:
        """Return a write to the control address, which is the same in every design."""
        return cls(True, Address.CONTROL, command, error)

    @classmethod
    def status(cls, expected: int | None = None) -> TransferItem:
        """Return a read of the status word, {bus error, status}."""
        return cls(False, Address.CONTROL, expected_data=expected)

    def __str__(self) -> str:
        kind = f"write {self.data:#x} to" if self.write else "read"
        return f"{kind} address {self.address}"


class ResetItem(BusItem):
    """An operation that a reset ends.

    Attributes:
        operation: operation to start; it produces a record only if it ends before the reset.
        after: cycles from the operation's first request to the reset.
        first: transfer that the driver requests before the reset ends; the design must grant it
            in the first cycle after the reset. None for no transfer.
    """

    def __init__(
        self, operation: LoaderItem, after: int, first: TransferItem | None = None
    ) -> None:
        """Create a reset that comes ``after`` cycles into ``operation``."""
        super().__init__("reset_item")
        self.operation = operation
        self.after = after
        self.first = first


class ZeroiseItem(BusItem):
    """An operation that the command ZEROISE ends, or whose values it clears after the end.

    Attributes:
        operation: operation to start; it must produce no record.
        after: cycles to the command after the earliest grant that the driver can reach: three
            cycles after the grant of the start. The stress test sends earlier ones.
    """

    def __init__(self, operation: LoaderItem, after: int) -> None:
        """Create a ZEROISE that comes ``after`` cycles after the start of ``operation``."""
        super().__init__("zeroise_item")
        self.operation = operation
        self.after = after
