"""Memory map of a bus front, see ``hdl/docs/fronts.md``.

Generated from ``hdl/registers.yaml`` by ``python -m ci.codes --write``; do not edit.
"""

from __future__ import annotations

from enum import IntEnum

IDENTIFICATION = 0x6D6F646D
VERSION = 0x00000100
WINDOW_BYTES = 4096


class Operation(IntEnum):
    """Codes of the tops in the register CAPABILITIES."""

    MULTIPLIER = 0
    EXPONENTIATION = 1


class FrontRegister(IntEnum):
    """Byte address of a register."""

    IDENTIFICATION = 0x00
    VERSION = 0x08
    CAPABILITIES = 0x10
    WIDTHS = 0x18
    RADIX = 0x20
    COMMAND = 0x28
    STATUS = 0x30
    INTERRUPT_STATE = 0x38
    INTERRUPT_ENABLE = 0x40
    LENGTH = 0x48


class Event(IntEnum):
    """Bits of INTERRUPT_STATE and INTERRUPT_ENABLE."""

    DONE = 0
    ERROR = 1


class FrontError(IntEnum):
    """Reasons of the front's own, beside those of ``BusError``."""

    WORD_ORDER = 8
    PARTIAL_WORD = 9


def window(address: int) -> int:
    """Return the byte address of the window of an address of the loader bus."""
    return (address + 1) * WINDOW_BYTES
