"""The unified multiplier on standardised fields, and what source 003 leaves open."""

from __future__ import annotations

import random

import pytest

from models.architectures.dual_radix import DualRadix
from models.binary_field import carryless_product
from models.reference import is_binary_product, modular_product
from models.registry import architecture
from models.status import Status

PRIMES = {
    "secp160r1": (160, 2**160 - 2**31 - 1),
    "P-192": (192, 2**192 - 2**64 - 1),
    "P-224": (224, 2**224 - 2**96 + 1),
    "P-256": (256, 2**256 - 2**224 + 2**192 + 2**96 - 1),
}
# The field's polynomial has a bit more than its elements.
POLYNOMIALS = {
    "sect163 in 192 bits": (192, (163, 7, 6, 3, 0)),
    "sect163 in 164 bits": (164, (163, 7, 6, 3, 0)),
    "sect233 in 256 bits": (256, (233, 74, 0)),
    "sect233 in 234 bits": (234, (233, 74, 0)),
}


@pytest.mark.parametrize(("width", "prime"), PRIMES.values(), ids=PRIMES)
def test_prime_fields(width: int, prime: int) -> None:
    entry, rng = architecture("dual_radix"), random.Random(width)
    operands = [prime - 1, 1, 0, *(rng.randrange(prime) for _ in range(12))]
    for x in operands:
        for y in operands:
            c, _ = entry.model.product(x, y, prime, width)
            assert c < 2 * prime
            assert c % prime == modular_product(x, y, prime, entry.model.radix(width))


@pytest.mark.parametrize(("width", "exponents"), POLYNOMIALS.values(), ids=POLYNOMIALS)
def test_binary_fields(width: int, exponents: tuple[int, ...]) -> None:
    entry, rng = architecture("dual_radix"), random.Random(width)
    m = sum(1 << e for e in exponents)
    degree = m.bit_length() - 1
    operands = [(1 << degree) - 1, 1, 0, *(rng.getrandbits(degree) for _ in range(12))]
    for x in operands:
        for y in operands:
            c = entry.binary.product(x, y, m, width)
            assert is_binary_product(c, x, y, m, entry.binary.radix_bits(width))


def test_cycles_at_256_bits_stay_below_the_published_ones() -> None:
    entry = architecture("dual_radix")
    cycles = entry.timing.loop_cycles(256), entry.binary.loop_cycles(256)
    assert cycles == (146, 38)
    # The digits of the source have 10 cycles, and 5 are outside the digits; here 9 and 2.
    assert [published - 10 * digits for published, digits in ((165, 16), (45, 4))] == [5, 5]


@pytest.mark.parametrize(("width", "steps"), [(16, 6), (32, 7), (48, 7), (64, 9), (80, 11)])
def test_a_digit_of_few_words_waits_for_t(width: int, steps: int) -> None:
    entry = DualRadix({"UnitWidth": 16, "Units": 1})
    assert entry.timing.cycles_of(width, 5) == 5 * steps + 2


def test_radix_is_that_of_whole_digits() -> None:
    entry = architecture("dual_radix")
    assert [entry.model.radix(n).bit_length() - 1 for n in (160, 200, 256)] == [160, 208, 256]
    assert [entry.chaining.radix_bits(n) for n in (158, 160, 200, 256)] == [160, 176, 208, 272]
    assert [entry.binary.radix_bits(n) for n in (160, 200, 256)] == [192, 256, 256]


@pytest.mark.parametrize(("width", "unit"), [(6, 2), (12, 4), (64, 16), (256, 16), (32, 16)])
def test_c_has_a_bit_above_its_digits(width: int, unit: int) -> None:
    entry = DualRadix({"UnitWidth": unit, "Units": 1})
    m = (1 << width) - 1
    addresses = entry.coverage.addresses(m - 1, m - 1, m, width)
    assert any(a & 1 for a in addresses)
    # Together with t = 0: possible, but no goal of the coverage.
    if width > 2 * unit:
        x, y = (1 << 2 * unit) - 1, m + 2 - (1 << unit)
        assert entry.coverage.addresses(x, y, m, width)[1] == 3


def fios(x: int, y: int, m: int, bits: int, digits: int, *, keep_carry: bool) -> int:
    """The double loop of the slides in GF(P); its c_(m-1) := z with or without the bit above."""
    mask = (1 << bits) - 1
    q = -pow(m, -1, 1 << bits) & mask
    c = [0] * digits
    for i in range(digits):
        a, z = x >> bits * i & mask, 0
        t = (c[0] + a * (y & mask)) * q & mask
        for j in range(digits):
            s = c[j] + a * (y >> bits * j & mask) + t * (m >> bits * j & mask) + z
            if j:
                c[j - 1] = s & mask
            z = s >> bits
        c[digits - 1] = z if keep_carry else z & mask
    return sum(digit << bits * j for j, digit in enumerate(c))


def test_without_that_bit_the_double_loop_is_wrong() -> None:
    entry, wrong = DualRadix({"UnitWidth": 2, "Units": 1}), 0
    for m in range(3, 64, 2):
        for x in range(0, m, 3):
            for y in range(m):
                expected = entry.model.product(x, y, m, 6)[0]
                assert fios(x, y, m, 2, 3, keep_carry=True) == expected
                wrong += fios(x, y, m, 2, 3, keep_carry=False) != expected
    assert wrong


def test_both_signs_of_the_inverse_are_one_in_characteristic_2() -> None:
    bits = 8
    for m in range(1, 256, 2):
        inverse = next(
            q for q in range(1, 256, 2) if carryless_product(q, m, 8) & (1 << bits) - 1 == 1
        )
        # The t of the source, against the bit-by-bit one of the model.
        c = 0xB7
        t = carryless_product(c, inverse, 8) & (1 << bits) - 1
        assert (c ^ carryless_product(t, m, 8)) & (1 << bits) - 1 == 0


def test_reduced_means_of_lower_degree() -> None:
    entry, m = architecture("dual_radix"), 0b100101
    assert entry.binary.status(0b011111, 0b011111, m, 6) is Status.OK
    # Smaller than M as integers, and not reduced.
    assert m > 0b100100
    assert entry.binary.status(0b100100, 1, m, 6) is Status.OPERAND_RANGE
    assert entry.binary.status(1, 0b100100, m, 6) is Status.OPERAND_RANGE
    assert entry.binary.status(1, 1, 0b100100, 6) is Status.MODULUS_EVEN
    assert entry.binary.status(1, 1, 1 << 6 | 1, 6) is Status.OPERAND_RANGE
