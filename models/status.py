"""Status and error codes of the loader bus.

The hardware's copy is ``hdl/common/multiplier_pkg.sv``; ``models/tests/test_status.py`` compares
the two.
"""

from __future__ import annotations

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


class BusError(IntEnum):
    """Why a transfer was refused: the answer's data word, and bits 7:4 of the status word."""

    NONE = 0
    UNKNOWN_ADDRESS = 1
    UNKNOWN_COMMAND = 2
    BUSY = 3
    START_WHILE_BUSY = 4
    NO_RESULT = 5


class Command(IntEnum):
    """Command codes, written to the control select."""

    START = 1
    START_RAW = 2
    CLEAR = 3
    ZEROISE = 4
    START_BINARY = 5


class Select(IntEnum):
    """Operand select of the multipliers' loader: what a write reaches, what a read returns."""

    X_P = 0
    Y_S = 1
    M_C = 2
    CONTROL = 3


class ExponentiationSelect(IntEnum):
    """Operand select of the exponentiation core's loader; only RESULT and CONTROL can be read."""

    DATA_RESULT = 0
    EXPONENT = 1
    MODULUS = 2
    CONTROL = 3
    R_SQUARED = 4
    M_PRIME = 5
    LENGTH = 6
