"""The thesis' worked examples, bit for bit, and what its text leaves open, checked exhaustively."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from models.architecture import Architecture
from models.reference import modular_product
from models.registry import architecture, architectures, hardware_architectures
from models.status import Status

ALL = list(architectures().values())
HARDWARE = list(hardware_architectures().values())


def triples(entry: Architecture, width: int) -> list[tuple[int, int, int]]:
    """Every legal operand triple at a small width."""
    moduli = [m for m in range(2, 1 << width) if m & 1 or not entry.montgomery]
    return [(x, y, m) for m in moduli for x in range(m) for y in range(m)]


@pytest.mark.parametrize("name", ["thesis-fig7", "thesis-fig8", "thesis-fig9"])
def test_worked_example_bit_for_bit(name: str, thesis_vectors: list[dict[str, Any]]) -> None:
    vector = next(v for v in thesis_vectors if v["name"] == name)
    entry = architecture(vector["architecture"])
    x, y, m, width = (vector[k] for k in ("x", "y", "m", "width"))
    assert entry.product(x, y, m, width) == (vector["s"], vector["c"])
    assert entry.products([(x, y, m)], width) == [(vector["s"], vector["c"])]
    reduced = (vector["s"] + vector["c"]) % m
    assert reduced == modular_product(x, y, m, entry.radix(width))


def test_printed_waveform_operands(thesis_vectors: list[dict[str, Any]]) -> None:
    x, y, m = (next(v for v in thesis_vectors if v["name"] == "thesis-fig18")[k] for k in "xym")
    assert (x, y, m) == (47563, 46337, 57349)
    entry = architecture("fast_montgomery")
    s, c = entry.product(x, y, m, 16)
    assert (s + c) % m == modular_product(x, y, m, 1 << 16)


@pytest.mark.parametrize("width", [4, 5])
@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
def test_every_product_at_small_widths(entry: Architecture, width: int) -> None:
    for x, y, m in triples(entry, width):
        s, c = entry.product(x, y, m, width)
        assert (s + c) % m == modular_product(x, y, m, entry.radix(width)), (x, y, m)
        if entry.montgomery:
            assert s + c < 2 * m  # one conditional subtraction is enough
        else:
            assert s + c < 5 << width


@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
@pytest.mark.parametrize("width", [33, 256, 1024])
def test_random_products(entry: Architecture, width: int) -> None:
    rng = random.Random(width)
    for _ in range(8):
        m = rng.getrandbits(width) | 1 << (width - 1) | 1
        x, y = rng.randrange(m), rng.randrange(m)
        s, c = entry.product(x, y, m, width)
        assert (s + c) % m == modular_product(x, y, m, entry.radix(width))


@pytest.mark.parametrize("entry", [e for e in ALL if e.bit_sliced], ids=lambda e: e.name)
def test_bit_sliced_lanes_agree_with_integers(entry: Architecture) -> None:
    rng = random.Random(7)
    for width in (4, 31, 64, 130):
        moduli = [rng.getrandbits(width) | 3 for _ in range(70)]
        operands = [(rng.getrandbits(width), rng.getrandbits(width), m) for m in moduli]
        expected = [entry.product(*operand, width) for operand in operands]
        assert entry.products(operands, width) == expected


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
def test_raw_operands_keep_s_and_c_within_the_ports(entry: Architecture) -> None:
    for width in (4, 5):
        top = 1 << width
        for m in range(2 + entry.montgomery, top, 1 + entry.montgomery):
            for x in range(top):
                for y in range(top):
                    s, c = entry.product(x, y, m, width)
                    if entry.word_serial:
                        assert s < 2 * top and c == 0
                    elif entry.montgomery:
                        assert s < top and c < top
                    else:
                        assert s < 2 * top and c < 4 * top
                    assert (s + c) % m == modular_product(x, y, m, entry.radix(width))


def test_montgomery_raw_results_stay_below_twice_the_range() -> None:
    entry = architecture("faster_montgomery")
    for m in range(3, 32, 2):
        for x in range(32):
            for y in range(32):
                assert sum(entry.product(x, y, m, 5)) < 64


def test_interleaved_sum_needs_more_than_one_subtraction() -> None:
    """S + C of Algorithm 5 reaches several times M even when M has n bits."""
    entry = architecture("optimized_interleaved")
    quotients = {
        sum(entry.product(x, y, m, 5)) // m for x, y, m in triples(entry, 5) if m.bit_length() == 5
    }
    assert max(quotients) >= 5


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
@pytest.mark.parametrize("width", [4, 5, 6])
def test_reachable_addresses_and_transitions(entry: Architecture, width: int) -> None:
    """The goals of the coverage are what can happen: not more, not less."""
    addresses: set[int] = set()
    transitions: set[tuple[int, int]] = set()
    for x, y, m in triples(entry, width):
        sequence = entry.table_addresses(x, y, m, width)
        addresses.update(sequence)
        transitions.update(pairwise(sequence))
    assert addresses == entry.reachable_addresses(width)
    # What a word-serial core shows belongs to a digit each, in no order worth a goal.
    assert entry.word_serial or transitions == entry.table_transitions(width)


@pytest.mark.parametrize("entry", HARDWARE, ids=lambda e: e.name)
def test_rare_operands_and_special_moduli_are_legal(entry: Architecture) -> None:
    for width in (4, 9, 32, 100):
        for x, y, m in entry.rare_operands(width):
            assert entry.operand_status(x, y, m, width) is Status.OK
        for m in entry.special_moduli(width):
            assert entry.operand_status(1, 1, m, width) is Status.OK


def test_rare_operands_of_the_interleaved_multiplier_give_k_3_twice_in_a_row() -> None:
    entry = architecture("optimized_interleaved")
    for width in (9, 32, 100):
        transitions: set[tuple[int, int]] = set()
        for x, y, m in entry.rare_operands(width):
            assert entry.operand_status(x, y, m, width) is Status.OK
            sequence = entry.table_addresses(x, y, m, width)
            transitions.update(pairwise(sequence))
        assert {(6, 6), (6, 7), (7, 6), (7, 7)} <= transitions


@pytest.mark.parametrize("entry", [e for e in HARDWARE if not e.word_serial], ids=lambda e: e.name)
def test_loop_takes_n_plus_one_clocks(entry: Architecture) -> None:
    assert [entry.loop_clocks(n) for n in (4, 32, 1024)] == [5, 33, 1025]
