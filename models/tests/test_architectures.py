"""What holds for every registry entry: products, ports, coverage goals, cycles, parameters."""

from __future__ import annotations

import random
from itertools import pairwise, product

import numpy as np
import pytest

from models.architecture import Architecture
from models.bit_true import MAX_COLUMN_WIDTH
from models.exhaustive import bounding_modulus, moduli, result_bound
from models.reference import is_binary_product, modular_product
from models.registry import architectures, hardware_architectures
from models.status import Status

ALL = list(architectures().values())
HARDWARE = list(hardware_architectures().values())
CONFIGURABLE = [entry for entry in HARDWARE if entry.parameters]
# Unfolding has no say in the addresses.
RINGS_AND_RADICES = [e for e in CONFIGURABLE if "Unfolding" not in {p.name for p in e.parameters}]
# What happens and is no goal: t = 0 under a carry has odds of one in 2**16 a digit, and in an
# exponentiation nothing directs it (test_dual_radix.py has operands that do).
NO_GOALS = {"dual_radix": {3}}


def triples(entry: Architecture, width: int) -> list[tuple[int, int, int]]:
    """Every legal operand triple at a small width."""
    return [(x, y, m) for m in moduli(entry, width) for x in range(m) for y in range(m)]


def parameter_points(entry: Architecture, width: int) -> list[Architecture]:
    """The entry with every legal combination of small parameter values."""
    names = [parameter.name for parameter in entry.parameters]
    legal = []
    for values in product(range(width + 2), repeat=len(names)):
        candidate = entry.with_parameters(dict(zip(names, values, strict=True)))
        try:
            candidate.parameter_values(width)
        except ValueError:
            continue
        legal.append(candidate)
    return legal


def sampled_triples(
    entry: Architecture, width: int, count: int, rng: random.Random
) -> list[tuple[int, int, int]]:
    """The extreme operands of the extreme moduli, and random ones."""
    found = []
    for m in (3, (1 << width) - 1, *(rng.choice(moduli(entry, width)) for _ in range(count))):
        corners = (0, 1, m - 1)
        found += [(x, y, m) for x in corners for y in corners]
        found.append((rng.randrange(m), rng.randrange(m), m))
    return found


def check_chained(entry: Architecture, width: int, rng: random.Random, count: int) -> None:
    """Check products of a chain with the longest operands of a chain."""
    radix = 1 << entry.chaining.radix_bits(width)
    for _ in range(count):
        m = rng.choice((3, (1 << width) - 1, rng.getrandbits(width) | 3))
        bound = 2 * bounding_modulus(entry, m, width)
        for x, y in ((bound - 1, bound - 1), (rng.randrange(bound), rng.randrange(bound))):
            value = entry.chaining.product(x, y, m, width)
            assert value < bound
            assert value % m == modular_product(x, y, m, radix)


@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
@pytest.mark.parametrize("width", [33, 256, 1024])
def test_random_products(entry: Architecture, width: int) -> None:
    rng = random.Random(width)
    for _ in range(8):
        m = rng.getrandbits(width) | 1 << (width - 1) | 1
        x, y = rng.randrange(m), rng.randrange(m)
        s, c = entry.model.product(x, y, m, width)
        assert s + c < result_bound(entry, m, width)
        assert (s + c) % m == modular_product(x, y, m, entry.model.radix(width))
    if entry.chaining:
        check_chained(entry, width, rng, 4)


@pytest.mark.parametrize("entry", [e for e in ALL if e.model.bit_sliced], ids=lambda e: e.name)
def test_bit_sliced_lanes_agree_with_integers(entry: Architecture) -> None:
    rng = random.Random(7)
    for width in (4, 31, 64, 130):
        odd = [rng.getrandbits(width) | 3 for _ in range(70)]
        operands = [(rng.getrandbits(width), rng.getrandbits(width), m) for m in odd]
        expected = [entry.model.product(*operand, width) for operand in operands]
        assert entry.model.products(operands, width) == expected


@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
@pytest.mark.parametrize("width", [4, 8, MAX_COLUMN_WIDTH])
def test_columns_agree_with_single_products(entry: Architecture, width: int) -> None:
    rng = np.random.default_rng(width)
    for m in (3, (1 << width) - 1, (1 << width - 1) + 5):
        x, y = rng.integers(0, 1 << width, (2, 70))
        triples = zip(x.tolist(), y.tolist(), [m] * len(x), strict=True)
        expected = [entry.model.product(*triple, width) for triple in triples]
        s, c = entry.model.columns(x, y, m, width)
        assert list(zip(s.tolist(), c.tolist(), strict=True)) == expected
        if entry.binary:
            found = entry.binary.product(x, y, m, width).tolist()
            pairs = zip(x.tolist(), y.tolist(), strict=True)
            assert found == [entry.binary.product(a, b, m, width) for a, b in pairs]


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
@pytest.mark.parametrize("width", [9, 66])
def test_table_reads_of_many_products_are_those_of_each(entry: Architecture, width: int) -> None:
    rng = random.Random(width)
    bits = entry.coverage.address_bits
    positions = entry.timing.iterations_per_cycle(width)
    first, group = entry.coverage.shown_iterations(width)
    operands = []
    for _ in range(70):
        m = rng.getrandbits(width) | 1 << width - 1 | 1
        operands.append((rng.randrange(m), rng.randrange(m), m))
    for operand, (pair, reads) in zip(
        operands, entry.coverage.traces(operands, width), strict=True
    ):
        assert pair == entry.model.product(*operand, width)
        sequence = entry.coverage.addresses(*operand, width)
        hit = transition = 0
        for i, address in enumerate(sequence):
            if i % group < first:
                hit |= 1 << (i % positions << bits | address)
        if entry.coverage.transitions(width):
            for before, after in pairwise(sequence):
                transition |= 1 << (before << bits | after)
        assert (reads.hit, reads.transition) == (hit, transition)
        assert reads.hit  # each hardware architecture has a table


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
def test_raw_operands_keep_s_and_c_within_the_ports(entry: Architecture) -> None:
    for width in (4, 5):
        port = 1 << width + entry.model.guard_bits(width)
        for m in moduli(entry, width):
            operands = [(x, y, m) for x in range(1 << width) for y in range(1 << width)]
            for (x, y, _), (s, c) in zip(
                operands, entry.model.products(operands, width), strict=True
            ):
                assert s < port and c < port
                # What the word-serial adder may be given.
                assert s + c < 2 * port
                assert (s + c) % m == modular_product(x, y, m, entry.model.radix(width))


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
@pytest.mark.parametrize("width", [4, 5, pytest.param(6, marks=pytest.mark.campaign)])
def test_reachable_addresses_and_transitions(entry: Architecture, width: int) -> None:
    """The goals of the coverage are exactly the reachable bins."""
    addresses: set[int] = set()
    transitions: set[tuple[int, int]] = set()
    for x, y, m in triples(entry, width):
        sequence = entry.coverage.addresses(x, y, m, width)
        addresses.update(sequence)
        transitions.update(pairwise(sequence))
    assert addresses == entry.coverage.reachable_addresses(width)
    # What a word-serial core shows belongs to a digit each, in no order worth a goal.
    goals = entry.coverage.transitions(width)
    assert not goals or transitions == goals
    assert entry.coverage.addresses_of_all_fields(width) <= set(entry.coverage.names())


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
def test_rare_operands_and_special_moduli_are_legal(entry: Architecture) -> None:
    for width in (4, 9, 32, 100):
        for x, y, m in entry.coverage.rare_operands(width):
            assert entry.operand_status(x, y, m, width) is Status.OK
        for m in entry.coverage.special_moduli(width):
            assert entry.operand_status(1, 1, m, width) is Status.OK


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
def test_defaults_are_legal_at_every_width(entry: Architecture) -> None:
    for width in [*range(entry.min_width, 300), 384, 512, 521, 1024, 2048, 4096]:
        assert set(entry.parameter_values(width)) == {p.name for p in entry.parameters}


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
def test_never_more_cycles_than_published(entry: Architecture) -> None:
    for point in entry.published.points():
        configured = entry.with_parameters(point)
        configured.parameter_values(1024)
        assert configured.timing.loop_cycles(1024) <= configured.published.loop_cycles(1024)
    for width in range(entry.min_width, 140):
        assert entry.timing.loop_cycles(width) <= entry.published.loop_cycles(width)
        assert entry.timing.loop_cycles(width) <= entry.timing.done_cycles(width)


@pytest.mark.parametrize("width", [4, 5, pytest.param(6, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("entry", CONFIGURABLE, ids=lambda e: e.name)
def test_every_small_parameter_combination(entry: Architecture, width: int) -> None:
    points = parameter_points(entry, width)
    defaults = entry.parameter_values(width)
    assert any(point.parameter_values(width) == defaults for point in points)
    rng = random.Random(width)
    for point in points:
        possible = point.coverage.reachable_addresses(width) | NO_GOALS.get(point.name, set())
        port = 1 << width + point.model.guard_bits(width)
        for x, y, m in sampled_triples(point, width, 4, rng):
            s, c = point.model.product(x, y, m, width)
            where = f"{point.parameter_values(width)}: {x} * {y} mod {m}"
            assert s + c < result_bound(point, m, width) and max(s, c) < port, where
            assert (s + c) % m == modular_product(x, y, m, point.model.radix(width)), where
            assert set(point.coverage.addresses(x, y, m, width)) <= possible, where
            if point.binary and m > 1 and max(x, y).bit_length() < m.bit_length():
                value = point.binary.product(x, y, m, width)
                bits = point.binary.radix_bits(width)
                assert is_binary_product(value, x, y, m, bits), where
        if point.chaining:
            check_chained(point, width, rng, 4)
        assert point.timing.loop_cycles(width) <= point.published.loop_cycles(width)


@pytest.mark.parametrize("entry", RINGS_AND_RADICES, ids=lambda e: e.name)
@pytest.mark.parametrize("width", [4, pytest.param(5, marks=pytest.mark.campaign)])
def test_goals_of_every_small_parameter_combination_can_happen(
    entry: Architecture, width: int
) -> None:
    operands = triples(entry, width)
    for point in parameter_points(entry, width):
        found: set[int] = set()
        for x, y, m in operands:
            found.update(point.coverage.addresses(x, y, m, width))
        assert found == point.coverage.reachable_addresses(width), point.parameter_values(width)
