"""Chooses the exponentiation core that is built with a registry entry."""

from __future__ import annotations

from models.architecture import Architecture
from models.exponentiation import Exponentiation
from models.pair_exponentiation import InterleavedExponentiation, PairExponentiation
from models.ring_exponentiation import RingExponentiation
from models.timing import DEFAULT_ADD_WIDTH, DEFAULT_BUS_WIDTH


def exponentiation(
    entry: Architecture,
    width: int,
    add_width: int = DEFAULT_ADD_WIDTH,
    bus_width: int = DEFAULT_BUS_WIDTH,
) -> Exponentiation:
    """The exponentiation core built with ``entry``.

    Args:
        entry: configured registry entry.
        width: m, bits of base, exponent and modulus.
        add_width: bits the word-serial modular adder handles in a clock; a ring's are its words.
        bus_width: bits of a word of the bus, which tell in the time of a ring core alone.

    Raises:
        ValueError: a Montgomery multiplier that cannot chain products.
    """
    if entry.streams:
        return RingExponentiation(entry, width, add_width, bus_width)
    if entry.chaining:
        return PairExponentiation(entry, width, add_width, bus_width)
    if entry.montgomery:
        raise ValueError(f"{entry.name} cannot chain products: it has no exponentiation core")
    return InterleavedExponentiation(entry, width, add_width, bus_width)
