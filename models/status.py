"""Codes and registers of the loader bus.

Generated from ``hdl/registers.yaml`` by ``python -m ci.codes --write``; do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Status(IntEnum):
    """Outcome of the last operation, bits 3:0 of the status word."""

    IDLE = 0
    BUSY = 1
    OK = 2
    RAW = 3
    MODULUS_ZERO_OR_ONE = 4
    MODULUS_EVEN = 5
    OPERAND_RANGE = 6
    OPERAND_INCOMPLETE = 7
    LENGTH_RANGE = 8
    EXPONENT_RANGE = 9
    CONSTANT_INCONSISTENT = 10
    UPSET = 11
    INTEGRITY = 12
    INCOHERENT = 13


class BusError(IntEnum):
    """Why a transfer was rejected: the answer's data word, and bits 7:4 of the status word."""

    NONE = 0
    UNKNOWN_ADDRESS = 1
    UNKNOWN_COMMAND = 2
    BUSY = 3
    START_WHILE_BUSY = 4
    NO_RESULT = 5


class Command(IntEnum):
    """Command codes, written to the control address."""

    START = 1
    START_RAW = 2
    CLEAR = 3
    ZEROISE = 4
    START_BINARY = 5


class Address(IntEnum):
    """Operand address of ``multiplier``: target of a write, source of a read."""

    X_P = 0
    Y_S = 1
    M_C = 2
    CONTROL = 3


class ExponentiationAddress(IntEnum):
    """Operand address of ``exponentiation``: target of a write, source of a read."""

    DATA_RESULT = 0
    EXPONENT = 1
    MODULUS = 2
    CONTROL = 3
    R_SQUARED = 4
    M_PRIME = 5
    LENGTH = 6


LENGTH_WIDTH = 16  # bits of the register LENGTH


@dataclass(frozen=True)
class Access:
    """Data that a write or a read of one register transfers.

    Attributes:
        name: name in sequence items and records.
        bits: width, as a sum of parameters of the top and LengthWidth.
        after: statuses after which the host can read it; empty for a write.
    """

    name: str
    bits: str
    after: frozenset[Status] = frozenset()

    def width(self, **parameters: int) -> int:
        """Bits for these parameters: ``Width``, ``Guard``, ``MPrimeWidth``.

        Raises:
            KeyError: one that it needs is not given.
        """
        known = {**parameters, "LengthWidth": LENGTH_WIDTH}
        return sum(known[term.strip()] for term in self.bits.split("+"))


@dataclass(frozen=True)
class Register:
    """One address of the loader bus.

    Attributes:
        address: value on ``addr_i``.
        write: the operand; ``None`` if it cannot be written.
        read: the result; ``None`` if it cannot be read.
    """

    address: int
    write: Access | None = None
    read: Access | None = None


MULTIPLIER_REGISTERS: tuple[Register, ...] = (
    Register(
        Address.X_P,
        write=Access("x", "Width"),
        read=Access(
            "p",
            "Width",
            frozenset((Status.OK,)),
        ),
    ),
    Register(
        Address.Y_S,
        write=Access("y", "Width"),
        read=Access(
            "s",
            "Width + Guard",
            frozenset((Status.OK, Status.RAW)),
        ),
    ),
    Register(
        Address.M_C,
        write=Access("m", "Width"),
        read=Access(
            "c",
            "Width + Guard",
            frozenset((Status.OK, Status.RAW)),
        ),
    ),
)

EXPONENTIATION_REGISTERS: tuple[Register, ...] = (
    Register(
        ExponentiationAddress.DATA_RESULT,
        write=Access("base", "Width"),
        read=Access(
            "result",
            "Width",
            frozenset((Status.OK,)),
        ),
    ),
    Register(
        ExponentiationAddress.EXPONENT,
        write=Access("exponent", "Width"),
    ),
    Register(
        ExponentiationAddress.MODULUS,
        write=Access("modulus", "Width"),
    ),
    Register(
        ExponentiationAddress.R_SQUARED,
        write=Access("r_squared", "Width"),
    ),
    Register(
        ExponentiationAddress.M_PRIME,
        write=Access("m_prime", "MPrimeWidth"),
    ),
    Register(
        ExponentiationAddress.LENGTH,
        write=Access("length", "LengthWidth"),
    ),
)
