"""Expected results of the user's own core, computed with gmpy2."""

from __future__ import annotations

from gmpy2 import invert, mpz, powmod

from verif.own_core.description import CoreDescription

# In messages: of a wrong result, and of one that is right but not below M.
WRONG = "gmpy2 says"
CONGRUENT = "right modulo M"


def is_defined(description: CoreDescription, width: int, m: int) -> bool:
    """Return True if a result modulo ``m`` exists: 2 has no inverse modulo an even ``m``."""
    return m > 0 and (m % 2 == 1 or not description.is_product or description.k_at(width) == 0)


def expected(description: CoreDescription, width: int, first: int, second: int, m: int) -> int:
    """Return X·Y·2**-k mod M or base**exponent mod M, 0 <= result < M.

    Args:
        description: description of the core.
        width: n in bits.
        first: X or the base.
        second: Y or the exponent.
        m: modulus, at least 1; odd if k is not 0.
    """
    modulus = mpz(m)
    if not description.is_product:
        return int(powmod(mpz(first), second, modulus)) if m > 1 else 0
    k = description.k_at(width)
    scale = powmod(invert(mpz(2), modulus), k, modulus) if k and m > 1 else mpz(1)
    return int(mpz(first) * second * scale % modulus)


def constants(description: CoreDescription, width: int, m: int) -> int:
    """Return the vector of constants that the host supplies for M > 0, the first one lowest."""
    power = 1 << description.m_prime_width(width)
    known = {
        "r_squared": pow(2, 2 * description.k_at(width), m),
        "m_prime": -int(invert(m, power)) % power if m % 2 else 0,
        # Formulas of the owner count, whatever their names are.
        **{name: value for name, _, value in description.supplied(width, m)},
    }
    vector = place = 0
    for name, bits in description.ports(width):
        # Truncate the constant: for an illegal modulus it may not fit.
        vector |= (known[name] & (1 << bits) - 1) << place
        place += bits
    return vector
