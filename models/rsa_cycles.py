"""Cycles of RSA operations, and the points of ``mwrkmm`` that the pages show for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from models.architecture import Architecture
from models.exponentiation_core import exponentiation

# Bits of the modulus, and bits of e = 65537.
RSA_BITS = (2048, 3072, 4096)
PUBLIC_LENGTH = 17
# From the smallest to the fastest that fits an LFE5U-85F; the second is the paper's shape
# (Michalski & Buell, table 1).
RSA_ARCHITECTURE = "mwrkmm"
RSA_POINTS = tuple(
    dict(zip(("WordWidth", "DigitWidth", "Elements", "Latency"), values, strict=True))
    for values in ((17, 16, 5, 3), (17, 16, 20, 3), (36, 36, 5, 6), (54, 54, 4, 5))
)


def in_words(values: Mapping[str, int]) -> str:
    """Return parameters for readers: ``Elements 5, Latency 3``."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


@dataclass(frozen=True)
class RsaCycles:
    """Cycles of the core, without those of the bus.

    The core with CRT has half of the bits. It does two exponentiations, for each of which it
    computes R**2. The others have all bits; ``kept`` is with the R**2 of the operation before.
    """

    private_crt: int
    private: int
    private_kept: int
    public: int
    public_kept: int


def rsa_cycles(entry: Architecture, bits: int) -> RsaCycles:
    """Return the cycles of RSA operations with a modulus of all ones.

    Args:
        entry: configured registry entry.
        bits: of the modulus; even.

    Raises:
        ValueError: the entry has no exponentiation core.
    """
    half, modulus = bits // 2, (1 << bits) - 1
    whole = exponentiation(entry, bits)

    def cycles(length: int, *, computed: bool) -> int:
        return whole.operation_cycles(modulus, length, compute_r_squared=computed)

    return RsaCycles(
        private_crt=2 * exponentiation(entry, half).operation_cycles((1 << half) - 1, half),
        private=cycles(bits, computed=True),
        private_kept=cycles(bits, computed=False),
        public=cycles(PUBLIC_LENGTH, computed=True),
        public_kept=cycles(PUBLIC_LENGTH, computed=False),
    )
