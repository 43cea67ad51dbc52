"""Stimulus of the exponentiation core: legal, from one seed, and with every corner of the issue."""

from __future__ import annotations

import random
from collections.abc import Iterator

import gmpy2
import pytest

from models.exponentiation import Exponentiation
from models.exponentiation_core import exponentiation
from models.registry import architecture, hardware_architectures
from models.status import Status
from verif.bench.sequences.powers import (
    PUBLIC_EXPONENT,
    ExponentiationGenerator,
    Power,
    corner_exponents,
    corner_powers,
    power_moduli,
    square_root,
)


def status(core: Exponentiation, power: Power) -> Status:
    return core.status(power.base, power.exponent, power.modulus, power.length)


@pytest.mark.parametrize("width", [8, 33, 64])
@pytest.mark.parametrize("name", list(hardware_architectures()))
def test_generated_powers_are_legal(name: str, width: int) -> None:
    core = exponentiation(architecture(name), width)
    generator = ExponentiationGenerator(core.entry, width, random.Random(1))
    powers = [generator.power() for _ in range(300)]
    powers += corner_powers(core.entry, width, random.Random(2))
    powers += [generator.large() for _ in range(20)]
    assert [p for p in powers if status(core, p) is not Status.OK] == []


def test_one_seed_gives_one_stimulus_and_two_seeds_differ() -> None:
    entry = architecture("mwrkmm")

    def draw(seed: int) -> list[Power]:
        generator = ExponentiationGenerator(entry, 64, random.Random(seed))
        return [generator.power() for _ in range(20)]

    assert draw(1) == draw(1) != draw(2)


def test_lengths_are_short_but_for_a_few() -> None:
    generator = ExponentiationGenerator(architecture("mwrkmm"), 1024, random.Random(1))
    lengths = [generator.length() for _ in range(400)]
    assert {1, 2, 17, 1024} <= set(lengths)
    assert 1 <= lengths.count(1024) < 50 and 1024 not in [
        generator.length(short=True) for _ in range(400)
    ]


def test_large_powers_set_the_bits_that_others_hardly_reach() -> None:
    """Sums of 4*2**n and more on the way of a product of MWR2MM: a carry above n + 2 bits."""
    width, radix_bits = 14, 16

    def sums(x: int, y: int, m: int) -> Iterator[int]:
        total = 0
        for position in range(radix_bits):
            total += (x >> position & 1) * y
            total = (total + (total & 1) * m) // 2
            yield 2 * total
        products.append(total)

    def reaches(power: Power) -> bool:
        m = power.modulus
        r_squared = 4**radix_bits % m
        found = [*sums(power.base, r_squared, m), *sums(1, r_squared, m)]
        square, result = products[-2:]
        for position in range(power.length):
            if power.exponent >> position & 1:
                found += sums(result, square, m)
                result = products[-1]
            found += sums(square, square, m)
            square = products[-1]
        return max(found) >= 4 << width

    products: list[int] = []
    assert architecture("mwr2mm").chaining.radix_bits(width) == radix_bits
    generator = ExponentiationGenerator(architecture("mwr2mm"), width, random.Random(1))
    assert sum(reaches(generator.large()) for _ in range(40)) >= 10
    assert sum(reaches(generator.power()) for _ in range(400)) <= 4


@pytest.mark.parametrize("name", list(hardware_architectures()))
def test_corners_are_those_of_the_issue(name: str) -> None:
    width, entry = 64, architecture(name)
    moduli = power_moduli(entry, width)
    assert {(1 << 64) - 1, (1 << 63) + 1} <= set(moduli)
    assert any(m.bit_length() <= 16 for m in moduli)
    assert any(square_root(m) and gmpy2.is_prime(square_root(m)) for m in moduli)
    powers = list(corner_powers(entry, width, random.Random(1)))
    assert {0, 1, 2, 3, PUBLIC_EXPONENT} <= {p.exponent for p in powers}
    for p in powers:
        assert p.exponent >> p.length == 0
    lengths = {p.length for p in powers}
    assert width in lengths
    for length in lengths:
        exponents = {p.exponent for p in powers if p.length == length}
        if length in (2, width):
            continue
        assert set(corner_exponents(length)) <= exponents
    full = {p.exponent for p in powers if p.length == width}
    assert {(1 << width) - 1, 1 << (width - 1), 1} <= full
    for m in moduli:
        assert {0, 1, m - 1} <= {p.base for p in powers if p.modulus == m}
    zero = [p for p in powers if p.base and pow(p.base, p.exponent, p.modulus) == 0]
    assert zero
