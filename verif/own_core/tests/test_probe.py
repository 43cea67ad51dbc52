"""What is told from operations: k, moduli, operands, clocks; and that nothing is made up."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from regress.core.errors import UsageError
from verif.own_core.defects import example_cores
from verif.own_core.draw import Operation
from verif.own_core.facts import Core, Facts
from verif.own_core.fit import fitted, formula_among
from verif.own_core.probe import Analysis, Findings, Seen, probe_operations, probe_widths
from verif.own_core.tests.test_check import check

Model = Callable[[Operation, int], tuple[int, int]]
PRODUCT = Facts(name="mine", sources=("core.sv",), shim="core", computes="product")
POWER = PRODUCT.model_copy(update={"computes": "exponentiation"})
BOUNDS = ("m", "2*m", "2**n")
WIDTHS = (4, 5, 8, 9, 15, 16, 17, 31, 32, 33)


def told(model: Model, facts: Facts = PRODUCT) -> Findings:
    """The findings about a core that a function stands for."""
    seen = {
        width: {
            name: [Seen(one, *model(one, width)) for one in some]
            for name, some in probe_operations(facts, width, random.Random(1)).items()
        }
        for width in WIDTHS
    }
    return Analysis(facts, seen).findings()


def montgomery(k: Callable[[int], int], more: int = 0) -> Model:
    """X*Y*2**-k mod M of an odd M, plus so many M; wrong for an even one."""

    def model(one: Operation, width: int) -> tuple[int, int]:
        x, y, m, _ = one
        if m % 2 == 0:
            return 0x55 % (1 << width), width
        scale = pow(2, -k(width), m) if m > 1 else 0
        return x * y * scale % m + more * m, width + 3

    return model


def plain(one: Operation, width: int) -> tuple[int, int]:
    return one.first * one.second % one.m, 4


@pytest.mark.parametrize(
    ("k", "formula"),
    [
        (lambda n: n, "n"),
        (lambda n: n + 2, "n + 2"),
        (lambda n: 8 * -(-(n + 1) // 8), "8 * ceil((n + 1)/8)"),
        (lambda n: 0, "0"),
    ],
)
def test_k_and_clocks_of_a_montgomery_core(k: Callable[[int], int], formula: str) -> None:
    found = told(montgomery(k)).facts
    assert found["k"] == formula
    assert found["modulus"] == {"parity": "odd", "minimum": 1, "top_bit": False}
    assert found["claims"] == {"reduced": True, "constant_time": True, "latency": "n + 3"}


def test_results_that_are_not_below_m() -> None:
    found = told(montgomery(lambda n: n, more=1))
    assert found.facts["claims"]["reduced"] is False
    assert "not below M, such as x=" in found.evidence["claims.reduced"]


def test_even_moduli_and_wide_operands_of_a_plain_core() -> None:
    found = told(plain).facts
    assert found["modulus"]["parity"] == "any"
    assert found["operands_below"] == "2**n"

    def narrow(one: Operation, width: int) -> tuple[int, int]:
        good = one.first < 2 * one.m and one.second < 2 * one.m
        return (one.first * one.second % one.m if good else one.m), 4

    assert told(narrow).facts["operands_below"] == "2*m"


def test_a_core_that_wants_the_top_bit() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        full = one.m >> (width - 1)
        return (one.first * one.second % one.m if full else (1 << width) - 1), 4

    assert told(model).facts["modulus"]["top_bit"] is True


def test_time_that_depends_on_operands_is_a_range() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        return one.first * one.second % one.m, 2 * width + one.second % 2

    claims = told(model).facts["claims"]
    assert claims["constant_time"] is False
    assert claims["latency"] == {"minimum": "2*n", "maximum": "2*n + 1"}


def test_a_core_that_computes_something_else_is_said_to() -> None:
    with pytest.raises(UsageError, match=r"no k from 0 to .* explains the results at"):
        told(lambda one, width: ((one.first * one.second + 1) % one.m, 4))
    with pytest.raises(UsageError, match="no formula for k was found"):
        told(montgomery(lambda n: n + random.Random(n).randrange(20)))
    with pytest.raises(UsageError, match=r"only \d+ of \d+ results are base\^exponent"):
        told(plain, POWER)


def test_exponents_from_one_on() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        return (pow(one.first, one.second, one.m) if one.second else one.m - 1), width * width

    found = told(model, POWER).facts
    assert found["exponent_minimum"] == 1
    assert found["claims"]["latency"] == "n**2"


def test_formulas_need_more_numbers_than_coefficients() -> None:
    assert fitted([({"n": n}, n * n) for n in (4, 5, 6)]) is None
    assert fitted([({"n": n, "length": 3}, n + 3) for n in (4, 5, 6, 7)]) == "n + 3"
    two_words = [({"n": n}, 4 * -(-n // 8) + -(-(n + 2) // 2) + 2) for n in WIDTHS]
    assert fitted(two_words) == "ceil(n/2) + 4*ceil(n/8) + 3"
    assert formula_among({4: {1}, 5: {17}, 6: {3}}) is None


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("name", "widths"),
    [
        ("bus_montgomery", "4,16,17,33,49"),
        ("pulse_montgomery", "4,5,8,17"),
        ("request_power", "4,5,8"),
        ("serial_blakley", "4,5,8,17"),
        ("stream_power", "4,5,8"),
    ],
)
def test_the_facts_of_an_example_are_found_again(name: str, widths: str, tmp_path: Path) -> None:
    core = next(core for core in example_cores() if core.facts.name == name)
    file = stripped(core, tmp_path)
    done = check(file, tmp_path / "run", "--probe", "--width", widths)
    assert done.returncode == 0, done.stdout + done.stderr
    found = Core.read(file.with_name("core.proposed.yaml")).facts
    assert_same(found, core.facts)
    # A file that somebody wrote is not written over.
    file.with_name("core.proposed.yaml").write_text("name: mine\n")
    done = check(file, tmp_path / "again", "--probe", "--width", widths)
    assert done.returncode == 2
    assert done.stderr.rstrip().endswith("exists and is no proposal; move it away")
    assert probe_widths(core.facts)


def stripped(core: Core, folder: Path) -> Path:
    """A copy of a core whose file says no more than it must."""
    for source in core.sources:
        (folder / source.name).write_text(source.read_text())
    facts = core.facts
    kept = {
        "name": facts.name, "sources": [path.name for path in core.sources], "shim": facts.shim,
        "computes": facts.computes, "length": facts.length,
    }  # fmt: skip
    (folder / "core.yaml").write_text(yaml.safe_dump(kept))
    return folder / "core.yaml"


def assert_same(found: Facts, right: Facts) -> None:
    """What was measured says the same as what was written."""
    for width in (4, 15, 64, 1000, 1024):
        assert found.k_at(width) == right.k_at(width)
        for length in (1, width):
            if right.claims.latency:
                assert found.latency(width, length) == right.latency(width, length)
    assert found.modulus.parity == right.modulus.parity
    assert found.modulus.minimum <= right.modulus.minimum
    # A core may do more than its owner says of it.
    assert BOUNDS.index(found.operands_below) >= BOUNDS.index(right.operands_below)
    for claim in ("reduced", "constant_time", "reset", "start_while_busy", "operands"):
        assert getattr(found.claims, claim) == getattr(right.claims, claim), claim
