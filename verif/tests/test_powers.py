"""Stimulus of the exponentiation core: legal, from one seed, and with every corner of the issue."""

from __future__ import annotations

import random

import gmpy2
import pytest

from models.exponentiation import Exponentiation
from models.registry import architecture, hardware_architectures
from models.ring_exponentiation import exponentiation
from models.status import Status
from verif.sequences.powers import (
    PUBLIC_EXPONENT,
    Power,
    PowerGenerator,
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
    generator = PowerGenerator(core.entry, width, random.Random(1))
    powers = [generator.power() for _ in range(300)]
    powers += corner_powers(core.entry, width, random.Random(2))
    assert [p for p in powers if status(core, p) is not Status.OK] == []


def test_one_seed_gives_one_stimulus_and_two_seeds_differ() -> None:
    entry = architecture("mwrkmm")

    def draw(seed: int) -> list[Power]:
        generator = PowerGenerator(entry, 64, random.Random(seed))
        return [generator.power() for _ in range(20)]

    assert draw(1) == draw(1) != draw(2)


def test_lengths_are_short_but_for_a_few() -> None:
    generator = PowerGenerator(architecture("mwrkmm"), 1024, random.Random(1))
    lengths = [generator.length() for _ in range(400)]
    assert {1, 2, 17, 1024} <= set(lengths)
    assert 1 <= lengths.count(1024) < 50 and 1024 not in [
        generator.length(short=True) for _ in range(400)
    ]


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
