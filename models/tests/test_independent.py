"""What is stated twice agrees: sources and written interface, registry, and the RTL's codes.

The lists compare the same with the RTL's results; ``regress/tests/test_shared_mistakes.py`` shows
that they see a mistake which registry and RTL share.
"""

from __future__ import annotations

import ast
import inspect
import random
import re
from collections.abc import Iterator
from pathlib import Path

import models.independent
from models.architecture import Architecture
from models.exponentiation_core import exponentiation
from models.independent import (
    ERROR_CODES,
    STATEMENTS,
    STATUS_CODES,
    Statement,
    power_status,
    product_status,
)
from models.registry import hardware_architectures
from models.status import BusError, Status

PACKAGE = Path(__file__).resolve().parents[2] / "hdl/pkg/multiplier_pkg.sv"
WIDTHS = (4, 5, 8, 13, 16, 33, 64)
# Beside the defaults: parameters whose R is longer than the operand.
POINTS = {
    "dual_radix": ({"UnitWidth": 3, "Units": 1}, {"UnitWidth": 2, "Units": 2}),
    "mwrkmm": ({"WordWidth": 2, "DigitWidth": 1, "Elements": 1},),
    "quotient_pipelined": ({"WordWidth": 3, "DigitWidth": 3},),
    "parallel_high_radix": ({"WordWidth": 3, "DigitWidth": 3},),
    "unfolded_fast_montgomery": ({"Unfolding": 1},),
}


def configured() -> Iterator[tuple[Statement, Architecture, int, dict[str, int]]]:
    for name, entry in hardware_architectures().items():
        for point in ({}, *POINTS.get(name, ())):
            core = entry.with_parameters(point)
            for width in WIDTHS:
                yield STATEMENTS[name], core, width, core.parameter_values(width)


def odd_modulus(width: int, rng: random.Random) -> int:
    return max(3, rng.getrandbits(width) | 1)


def test_it_knows_every_architecture_and_imports_nothing_of_the_project() -> None:
    assert set(STATEMENTS) == set(hardware_architectures())
    tree = ast.parse(inspect.getsource(models.independent))
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [node.names[0].name])
    }
    assert imported == {"__future__", "collections.abc", "dataclasses"}


def test_every_statement_names_its_place() -> None:
    documents = ("Amanor, ", "Gajbhiye & Joshi", "Michalski & Buell, ", "Tanimura et al., ",
                 "Jiang & Harris, ", "Walter, ")  # fmt: skip
    for statement in STATEMENTS.values():
        for place in ("radix_place", "chain_place", "sum_place", "modulus_place"):
            assert getattr(statement, place).startswith(documents), place


def package_codes(prefix: str) -> dict[str, int]:
    """SCREAMING_CASE name -> value of every code of the package that begins with ``prefix``."""
    found = re.findall(rf"localparam \S+ \[3:0\] {prefix}(\w+) = 4'd(\d+);", PACKAGE.read_text())
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper(): int(value) for name, value in found}


def test_the_codes_are_those_of_the_registry_and_of_the_rtl() -> None:
    assert {status.name: status.value for status in Status} == STATUS_CODES
    assert package_codes("Status") == STATUS_CODES
    assert {error.name: error.value for error in BusError} == ERROR_CODES
    assert package_codes("BusError") == ERROR_CODES


def test_r_and_the_hosts_constants_are_those_of_the_registry() -> None:
    rng = random.Random(1)
    for statement, entry, width, parameters in configured():
        core = exponentiation(entry, width)
        assert 1 << statement.radix_bits(width, parameters) == entry.model.radix(width), entry.name
        assert statement.chain_radix_bits(width, parameters) == core.radix_bits
        if entry.binary:
            assert statement.binary_radix_bits is not None
            bits = statement.binary_radix_bits(width, parameters)
            assert bits == entry.binary.radix_bits(width)
        m = odd_modulus(width, rng)
        stated = statement.constant(m, width, parameters) if statement.constant else (0, 0)
        constant = core.m_prime(m) if core.m_prime_width else 0
        assert stated == (constant, core.m_prime_width), (entry.name, width)


def test_statuses_are_those_of_the_registry() -> None:
    rng = random.Random(2)
    for statement, entry, width, parameters in configured():
        core = exponentiation(entry, width)
        for _ in range(60):
            x, y, m = (rng.getrandbits(width + (rng.randrange(8) == 0)) for _ in range(3))
            m >>= rng.choice((0, 0, 1, width - 2))
            raw = bool(rng.randrange(2))
            expected = entry.operand_status(x, y, m, width, raw)
            assert product_status(statement, x, y, m, width, raw=raw) == expected.name
            if entry.binary:
                expected = entry.binary.status(x, y, m, width)
                assert product_status(statement, x, y, m, width, binary=True) == expected.name
            length = rng.randrange(width + 2)
            exponent = rng.getrandbits(max(1, length + (rng.randrange(8) == 0)))
            right = core.r_squared(m) if m else 0
            r_squared = rng.choice((None, right, right ^ 1 << rng.randrange(width + 1)))
            m_prime = rng.choice((None, 0, 1, core.m_prime(m) if m & 1 and m > 1 else 2))
            supplied = {"r_squared": r_squared, "m_prime": m_prime}
            expected = core.status(x, exponent, m, length, **supplied)
            found = power_status(statement, x, exponent, m, length, width, parameters, **supplied)
            assert found == expected.name, (entry.name, width, x, exponent, m, length, supplied)


def test_sums_of_the_models_are_in_the_stated_range() -> None:
    rng = random.Random(3)
    for statement, entry, width, parameters in configured():
        for _ in range(20):
            m = odd_modulus(width, rng)
            x, y = rng.getrandbits(width), rng.getrandbits(width)
            total = sum(entry.model.product(x, y, m, width))
            assert total < statement.sum_limit(y, m, width, parameters), (entry.name, width)
