"""Choose the exponentiation core that matches a registry entry."""

from __future__ import annotations

from models.architecture import Architecture
from models.dual_exponentiation import DualExponentiation, InterleavedExponentiation
from models.exponentiation import Exponentiation
from models.ring_exponentiation import RingExponentiation
from models.timing import DEFAULT_ADD_WIDTH, DEFAULT_BUS_WIDTH


def exponentiation(
    entry: Architecture,
    width: int,
    add_width: int = DEFAULT_ADD_WIDTH,
    bus_width: int = DEFAULT_BUS_WIDTH,
    *,
    coherent: bool = False,
) -> Exponentiation:
    """Return the exponentiation core that is built with ``entry``.

    Args:
        entry: configured registry entry.
        width: m, bits of base, exponent and modulus.
        add_width: bits that the word-serial modular adder adds per cycle; a ring core adds one of
            its words per cycle instead.
        bus_width: bits of a bus word; they change the cycle count of ring cores only.
        coherent: the core checks the coherence of two accumulators (option Coherent).

    Raises:
        ValueError: the entry is a Montgomery multiplier that cannot chain products.
    """
    if entry.streams:
        return RingExponentiation(entry, width, add_width, bus_width, coherent=coherent)
    if entry.chaining:
        return DualExponentiation(entry, width, add_width, bus_width, coherent=coherent)
    if entry.montgomery:
        raise ValueError(f"{entry.name} cannot chain products: it has no exponentiation core")
    return InterleavedExponentiation(entry, width, add_width, bus_width)
