"""Independent reference: gmpy2 and FLINT arithmetic, without any architecture model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gmpy2 import invert, mpz, powmod

if TYPE_CHECKING:
    from flint import nmod_poly


def modular_product(x: int, y: int, m: int, radix: int = 1) -> int:
    """Return X*Y/radix mod M, in 0 ... M-1.

    Args:
        x: multiplier, any non-negative integer.
        y: multiplicand, any non-negative integer.
        m: modulus, at least 1.
        radix: R of a Montgomery product, coprime to m; 1 for a plain product.

    Raises:
        ZeroDivisionError: m is 0, or radix has no inverse modulo m.
    """
    modulus = mpz(m)
    product = mpz(x) * y % modulus
    if radix == 1:
        return int(product)
    return int(product * invert(radix, modulus) % modulus)


def modular_power(base: int, exponent: int, m: int) -> int:
    """Return base**exponent mod m, in 0 ... m-1.

    Args:
        base: any non-negative integer.
        exponent: any non-negative integer; 0 gives 1 mod m.
        m: modulus, at least 1.

    Raises:
        ZeroDivisionError: m is 0.
    """
    return int(powmod(mpz(base), mpz(exponent), mpz(m)))


def polynomial(value: int) -> nmod_poly:
    """Return the polynomial over GF(2) whose coefficient of x**i is bit i of ``value``."""
    from flint import nmod_poly  # imported here: only simulations of one core need it

    return nmod_poly([value >> i & 1 for i in range(value.bit_length())], 2)


def is_binary_product(product: int, x: int, y: int, m: int, radix_bits: int) -> bool:
    """Return True if ``product`` is the reduced X*Y/x**radix_bits mod M in GF(2)[x].

    Polynomials are integers: bit i is the coefficient of x**i.

    Args:
        product: result to check.
        x: multiplier.
        y: multiplicand.
        m: modulus, of degree 1 or more.
        radix_bits: R = x**radix_bits.

    Raises:
        ZeroDivisionError: m is 0.
    """
    difference = polynomial(product << radix_bits) - polynomial(x) * polynomial(y)
    return product.bit_length() < m.bit_length() and (difference % polynomial(m)).degree() < 0
