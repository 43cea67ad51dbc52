"""A blinded operation has the same power, and what the host cannot blind is the same in all."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest

from regress.cli.command_line import main
from regress.cli.workspace import Workspace
from verif.security.attacks import Leakage
from verif.security.blinding import MIN_WIDTH, UNBLINDED, Blinding
from verif.security.roles import Role
from verif.tests.context import CONTEXT

COUNT = 2000


@pytest.mark.parametrize("width", [MIN_WIDTH, 32, 63, 64])
def test_blinded_exponents_give_the_same_powers(width: int) -> None:
    blinding = Blinding.draw(width, random.Random(width))
    rng = np.random.default_rng(1)
    modulus = blinding.modulus
    assert modulus.bit_length() == width // 2
    exponents, units = blinding.exponents(rng, COUNT), blinding.units(rng, COUNT)
    blinded, bases = blinding.exponent(exponents, rng), blinding.base(units, rng)
    assert len(set(map(int, blinded))) > COUNT // 2
    assert (blinded % UNBLINDED == blinding.lowest).all()
    for exponent, other, unit, base in zip(exponents, blinded, units, bases, strict=True):
        assert int(other) < 1 << width
        assert pow(int(unit), int(exponent), modulus) == pow(int(unit), int(other), modulus)
        assert pow(int(base), blinding.totient, modulus) == 1


def test_a_blinded_bit_is_random() -> None:
    blinding = Blinding.draw(64, random.Random(1))
    rng = np.random.default_rng(1)
    fixed = np.repeat(blinding.exponents(rng, 1), 100_000)
    blinded = blinding.exponent(fixed, rng)
    for bit in range(2, 60):
        assert abs((blinded >> np.uint64(bit) & np.uint64(1)).mean() - 0.5) < 0.01


@pytest.mark.parametrize(
    ("role", "distance", "found"),
    [(Role.EXPONENT, 1.0, "exponent registers"), (Role.DATA, 9.0, "the number of toggles")],
)
def test_a_secret_that_shows_although_it_is_blinded_fails(
    role: Role, distance: float, found: str
) -> None:
    scores = {each.value: 1.0 for each in Role} | {role.value: 9.0}
    figures = {"differing_control": {}, "max_score": scores, "distance": distance}
    report = SimpleNamespace(limit=6.0, sum_limit=6.0)
    for blind in (False, True):
        attack = Leakage("exponent", 1, blind=blind)
        lines = list(attack._failures(report, {**figures, "null": 1.0, "null_sums": 1.0}))
        assert [found in line for line in lines] == [True] * blind


def test_a_width_with_too_few_powers_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leakage", "--blind", "--width", "8"], Workspace.of(CONTEXT)) == 2
    assert "--blind --width 8: accepted are widths from 24 on" in capsys.readouterr().err
    assert main(["leakage", "--blind", "--secret", "bit"], Workspace.of(CONTEXT)) == 2
    assert "--blind --secret bit: accepted are exponent and base" in capsys.readouterr().err
