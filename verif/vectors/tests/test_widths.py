"""Widths of a file's vectors: few, given, exact; what may move and what stays."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from models.exponentiation_core import exponentiation
from models.registry import architectures
from regress.core.errors import UsageError
from regress.tests.conftest import write_json_lines
from verif.library.vectors.file import VectorReader
from verif.library.vectors.line import Vector
from verif.vectors.widths import EXACT, FEW, Choice, few, place, widths_reader

given = widths_reader(int)
PRODUCT = {"x": "0x12", "y": "34", "m": "0x71"}
POWER = {"base": "0x12", "exponent": "35", "modulus": "0x71"}


def placed(
    folder: Path, widths: Choice, *lines: dict[str, Any], arch: str = "mwrkmm"
) -> list[Vector]:
    path = write_json_lines(folder / "v.jsonl", *lines)
    return place(VectorReader(architectures(), (arch,)).read(path), path, widths)


def of_bits(*bits: int) -> list[dict[str, Any]]:
    return [{"x": "1", "y": "2", "m": hex((1 << n) - 1)} for n in bits]


def test_few_widths_are_exact_and_many_become_few(tmp_path: Path) -> None:
    assert [v.width for v in placed(tmp_path, few, *of_bits(9, 5, 7, 9))] == [9, 5, 7, 9]
    many = list(range(8, 64))
    found = placed(tmp_path, few, *of_bits(*many))
    assert len({vector.width for vector in found}) == FEW
    assert all(vector.width >= own for vector, own in zip(found, many, strict=True))
    exact = placed(tmp_path, widths_reader(int)(EXACT), *of_bits(*many))
    assert [vector.width for vector in exact] == many


@pytest.mark.parametrize("seed", range(5))
def test_the_few_are_the_cheapest(seed: int) -> None:
    rng = Random(seed)
    count = Counter({rng.randrange(4, 600): rng.randrange(1, 9) for _ in range(9)})

    def cost(chosen: tuple[int, ...]) -> int:
        return sum(count[own] * min(w for w in chosen if w >= own) ** 2 for own in count)

    choices = [c for c in combinations(sorted(count), FEW) if c[-1] == max(count)]
    assert cost(tuple(few(count))) == min(map(cost, choices))


def test_given_widths_hold_the_vectors(tmp_path: Path) -> None:
    found = placed(tmp_path, given("32,8"), *of_bits(5, 8, 9))
    assert [vector.width for vector in found] == [8, 8, 32]
    with pytest.raises(UsageError) as caught:
        placed(tmp_path, given("8"), *of_bits(5, 9, 10))
    assert [line.rpartition("v.jsonl:")[2] for line in caught.value.lines] == [
        "2: line 2 has 9 bits, more than --width 8",
        "3: line 3 has 10 bits, more than --width 8",
    ]


def test_what_holds_at_one_width_stays_there(tmp_path: Path) -> None:
    model = exponentiation(architectures()["mwrkmm"], 7)
    constants = {"r_squared": hex(model.r_squared(0x71)), "m_prime": hex(model.m_prime(0x71))}
    lines = [
        {**PRODUCT, "width": 9},
        {**PRODUCT, "p": "1"},
        {**PRODUCT, "s": "1", "c": "1"},
        {**POWER, **constants},
        # The length is out of range at 7 bits, and not at 16.
        {**POWER, "length": 8, "expect": "reject"},
        {**PRODUCT, "product": "1"},
        {**PRODUCT, "m": "70", "expect": "reject"},
        POWER,
    ]
    found = placed(tmp_path, given("16"), *lines)
    where = {vector.line: vector.width for vector in found}
    assert [where[line] for line in range(1, 9)] == [9, 7, 7, 7, 7, 16, 16, 16]


def test_a_moved_exponentiation_works_off_as_many_bits(tmp_path: Path) -> None:
    exact, limited = (
        placed(tmp_path, given("16"), line)[0].as_case() for line in (POWER, {**POWER, "length": 6})
    )
    assert (exact["length"], limited["length"]) == (7, 6)
    factors = {"base": "21", "exponent": "4d", "modulus": "8f", "p": "b", "q": "d"}
    halves = placed(tmp_path, given("16"), factors)
    assert [(vector.width, vector.as_case()["length"]) for vector in halves] == [(16, 4), (16, 4)]
