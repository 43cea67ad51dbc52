"""A file of facts: what it may say, and one clear line for what it may not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from regress.core.errors import UsageError
from verif.own_core.classes import classes_of
from verif.own_core.defects import example_cores
from verif.own_core.draw import Draw, Operation
from verif.own_core.facts import Core
from verif.own_core.formula import Formula
from verif.own_core.reference import expected

GOOD = "name: mine\nsources: [core.sv]\nshim: core\ncomputes: product\nk: n\n"


def read(folder: Path, text: str) -> Core:
    (folder / "core.sv").write_text("module core; endmodule\n")
    path = folder / "core.yaml"
    path.write_text(text)
    return Core.read(path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("core.sv", "other.sv", ":2: sources: there is no file "),
        ("k: n", "k: n +", ":5: k: 'n +' is no formula ("),
        ("k: n", "k: m + 1", ":5: k: 'm + 1' is no formula ("),
        ("k: n", "k: n / 3", "no whole number"),
        ("computes: product", "computes: products", "did you mean 'product'"),
        ("shim: core\n", "", "missing 'shim'"),
        ("k: n", "k: n\nclaim: {}", "unknown key 'claim'"),
        ("k: n", "widths: {minimum: 8, maximum: 7}", "no width lies between"),
        ("k: n", "claims: {latency: clocks}", "'clocks' is no formula"),
        ("k: n", "watch: [{name: a, signal: u core, bits: 2}]", "no hierarchical name"),
        ("k: n", "length: true", "only an exponentiation has one"),
    ],
)
def test_a_wrong_file_of_facts_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, GOOD.replace(old, new))
    (line,) = caught.value.lines
    assert line.startswith(f"{tmp_path / 'core.yaml'}:")
    assert said in line


def test_a_width_that_is_not_legal_is_one_line(tmp_path: Path) -> None:
    core = read(tmp_path, GOOD + "widths: {minimum: 16, maximum: 64, multiple_of: 16}\n")
    core.check_width(48)
    with pytest.raises(UsageError, match="accepted are 16 to 64, multiples of 16"):
        core.check_width(40)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("k: n - 20", "k: 'n - 20' is -3 at 17 bits; accepted are 0 to "),
        ("k: n / 2", "k: 'n / 2' is 8.5 for n = 17"),
        ("claims: {latency: n - 18}", "claims.latency: 'n - 18' is -1 at 17 bits"),
        ("claims: {latency: {minimum: n, maximum: 2*n - 18}}", "the minimum is 17, above"),
        ("m_prime_bits: n - 17", "m_prime_bits: 'n - 17' is 0 at 17 bits; accepted are 1 to "),
        ("parameters: {Words: n / 4}", "parameters.Words: 'n / 4' is 4.25 for n = 17"),
    ],
)
def test_a_formula_that_makes_no_sense_at_a_width_is_one_line(
    tmp_path: Path, more: str, said: str
) -> None:
    core = read(tmp_path, GOOD.replace("k: n\n", "" if more.startswith("k") else "k: n\n") + more)
    core.check_width(64)
    with pytest.raises(UsageError) as caught:
        core.check_width(17)
    (line,) = caught.value.lines
    assert line.startswith(f"{tmp_path / 'core.yaml'}: ")
    assert said in line


def test_formulas_know_the_width() -> None:
    assert Formula("16 * ceil(n / 16)")(n=17) == 32
    assert Formula(7)(n=17) == 7
    with pytest.raises(ValueError, match="is no formula"):
        Formula("__import__('os')")


@pytest.mark.parametrize("core", example_cores(), ids=lambda core: core.facts.name)
def test_every_operation_of_a_class_is_legal_and_of_the_class(core: Core) -> None:
    facts = core.facts
    for width in (8, 17, 64):
        claimed = 0
        for one in classes_of(facts):
            draw = Draw(facts, width, random.Random(one.name))
            operations = one.operations(draw, 20)
            claimed += bool(operations)
            for operation in operations:
                assert draw.legal(operation) == one.legal
                assert one.belongs(operation, width), (one.name, width, operation)
        assert claimed > 10


def test_the_reference_scales_a_product_by_half_to_the_k(tmp_path: Path) -> None:
    facts = read(tmp_path, GOOD).facts
    for x, y, m in ((3, 5, 7), (200, 100, 251)):
        assert expected(facts, 8, x, y, m) * 2**8 % m == x * y % m
    assert expected(facts, 8, 0, 0, 1) == 0


def test_an_operand_of_the_modulus_is_legal_only_where_the_facts_say_so(tmp_path: Path) -> None:
    for bound, legal in (("m", False), ("2*m", True), ("2**n", True)):
        facts = read(tmp_path, f"{GOOD}operands_below: '{bound}'\n").facts
        draw = Draw(facts, 8, random.Random(1))
        assert draw.legal(Operation(7, 1, 7, 8)) is legal
