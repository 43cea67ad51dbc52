"""The exponentiation model against gmpy2, and its formulas against the published figures."""

from __future__ import annotations

import random

import pytest

from models.exhaustive import bounding_modulus
from models.exponentiation import Exponentiation
from models.exponentiation_core import exponentiation
from models.reference import modular_power
from models.registry import architecture, hardware_architectures
from models.status import Status

PAPER = {"WordWidth": 17, "DigitWidth": 16, "Elements": 20, "Latency": 3}
SUB_PIPELINED = {**PAPER, "Elements": 15, "Latency": 4}
WORD_DIGITS = {**PAPER, "DigitWidth": 17}  # which do not divide 1024
# Two multiplier blocks a digit, with 80 and with 96 of them.
WIDE_DIGITS = {"WordWidth": 36, "DigitWidth": 36, "Elements": 5, "Latency": 6}
MORE_MULTIPLIERS = {**WIDE_DIGITS, "Elements": 6, "Latency": 5}


# They do not chain, so R**2 takes 2n doublings, of 32 bits a cycle, and their products take n/2
# cycles, or at 256 bits 161.
def paper_core(point: dict[str, int]) -> Exponentiation:
    return exponentiation(architecture("mwrkmm").with_parameters(point), 1024)


@pytest.mark.parametrize("name", hardware_architectures())
@pytest.mark.parametrize("width", [4, 5, 8, 12, 33])
def test_last_a_is_the_power(name: str, width: int) -> None:
    core, rng = exponentiation(architecture(name), width), random.Random(width)
    for _ in range(12):
        m = max(3, rng.getrandbits(width) | 1)
        base, length = rng.randrange(m), rng.randrange(1, width + 1)
        exponent = rng.getrandbits(length)
        supplied = core.r_squared(m) if rng.randrange(2) else None
        values = core.products(base, exponent, m, length, supplied)
        assert len(values) == length + 1
        a, _ = values[-1]
        if core.montgomery:
            a = core.product(a, 1, m)
            # After the exit one conditional subtraction is enough: A*1/R is at most M (or Mtilde;
            # test_quotient_pipelined.py has what these cores do instead).
            assert a <= bounding_modulus(core.entry, m, width)
        assert a % m == modular_power(base, exponent, m)


@pytest.mark.parametrize("name", hardware_architectures())
def test_computed_r_squared_is_congruent_and_fits(name: str) -> None:
    for width in (4, 6, 7, 16, 32, 48):
        core, rng = exponentiation(architecture(name), width), random.Random(width)
        moduli = [3, 5, (1 << width) - 1, (1 << width - 1) + 1]
        moduli += [max(3, rng.getrandbits(width) | 1) for _ in range(10)]
        for m in moduli:
            value = core.computed_r_squared(m)
            assert value % m == (core.r_squared(m) if core.montgomery else 1)
            scaling = core.entry.scaling
            assert value < 1 << width + 1 + (scaling.bits(width) if scaling else 0)


@pytest.mark.parametrize(
    ("point", "ceiling"),
    [
        (PAPER, 218_000), (SUB_PIPELINED, 290_000), (WORD_DIGITS, 203_000),
        (WIDE_DIGITS, 195_000), (MORE_MULTIPLIERS, 160_000),
    ],
)  # fmt: skip
def test_full_length_exponentiation_beats_the_paper(point: dict[str, int], ceiling: int) -> None:
    core = paper_core(point)
    cycles = core.operation_cycles((1 << 1024) - 1, 1024)
    assert cycles < ceiling
    assert cycles < (core.entry.published.exponentiation_cycles(1024) or ceiling)
    # R**2 on chip costs less than a tenth of it.
    assert core.r_squared_cycles() < cycles / 10


def test_public_exponent_takes_19_products() -> None:
    core = paper_core(PAPER)
    public = core.operation_cycles(3, 17, compute_r_squared=False)
    assert public < 20 * 320


@pytest.mark.parametrize("width", [256, 512, 1024, 2048, 4096])
def test_r_squared_costs_less_than_a_tenth(width: int) -> None:
    for name in hardware_architectures():
        core = exponentiation(architecture(name), width)
        cycles = core.operation_cycles((1 << width) - 1, width)
        assert core.r_squared_cycles() < cycles / 10, name


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"length": 0}, Status.LENGTH_RANGE),
        ({"length": 17}, Status.LENGTH_RANGE),
        ({"length": 3}, Status.EXPONENT_RANGE),
        ({"exponent": 1 << 16}, Status.EXPONENT_RANGE),
        ({"base": 65521}, Status.OPERAND_RANGE),
        ({"base": 1 << 16}, Status.OPERAND_RANGE),
        ({"m": 0}, Status.MODULUS_ZERO_OR_ONE),
        ({"m": 1}, Status.MODULUS_ZERO_OR_ONE),
        ({"m": 65520}, Status.MODULUS_EVEN),
        ({"r_squared": 65521}, Status.OPERAND_RANGE),
        ({"r_squared": 12345}, Status.CONSTANT_INCONSISTENT),
        ({"m_prime": 1}, Status.CONSTANT_INCONSISTENT),
        ({}, Status.OK),
    ],
)
def test_status(values: dict[str, int], expected: Status) -> None:
    core = exponentiation(architecture("mwrkmm"), 16)
    given = {"base": 77, "exponent": 999, "m": 65521, "length": 16, **values}
    optional = {name: given.pop(name, None) for name in ("r_squared", "m_prime")}
    assert core.status(**given, **optional) is expected


def test_right_constants_are_accepted() -> None:
    core = exponentiation(architecture("mwrkmm"), 16)
    m = 65521
    constants = {"r_squared": core.r_squared(m), "m_prime": core.m_prime(m)}
    assert core.status(77, 999, m, 16, **constants) is Status.OK
    assert (core.m_prime(m) * m + 1) % (1 << core.m_prime_width) == 0
