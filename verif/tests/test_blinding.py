"""The recipe of ``hdl/docs/rsa.md`` for blinding: the model gives the result without blinding."""

from __future__ import annotations

import random
from math import gcd

import pytest

from models.exponentiation import Exponentiation
from models.exponentiation_core import exponentiation
from models.reference import modular_power
from models.registry import architecture, hardware_architectures
from models.status import Status
from verif.bench.sequences.rsa_keys import RsaKey

KEY_BITS, BLINDING_BITS = 32, 64


def blinded_power(core: Exponentiation, key: RsaKey, data: int, rng: random.Random) -> int:
    """Return data^d mod M, computed by a host that blinds exponent and base."""
    m, phi = key.modulus, (key.p - 1) * (key.q - 1)
    exponent = key.d + rng.getrandbits(BLINDING_BITS) * phi
    assert exponent & 3 == key.d & 3  # the page says so
    blind = next(v for v in iter(lambda: rng.randrange(2, m), 0) if gcd(v, m) == 1)
    base = data * modular_power(blind, key.e, m) % m
    length = m.bit_length() + BLINDING_BITS
    assert core.status(base, exponent, m, length) is Status.OK
    result, _ = core.products(base, exponent, m, length)[-1]
    if core.montgomery:
        result = core.product(result, 1, m)
    return result * pow(blind, -1, m) % m


@pytest.mark.parametrize("name", hardware_architectures())
def test_blinding_of_exponent_and_base_leaves_the_result(name: str) -> None:
    rng = random.Random(name)
    core = exponentiation(architecture(name), KEY_BITS + BLINDING_BITS)
    key = RsaKey.generate(KEY_BITS, rng)
    data = rng.randrange(key.modulus)
    assert blinded_power(core, key, data, rng) == modular_power(data, key.d, key.modulus)


def test_a_core_as_wide_as_the_modulus_rejects_the_length() -> None:
    key = RsaKey.generate(KEY_BITS, random.Random(1))
    core = exponentiation(architecture("mwrkmm"), KEY_BITS)
    length = KEY_BITS + BLINDING_BITS
    assert core.status(1, key.d, key.modulus, length) is Status.LENGTH_RANGE
