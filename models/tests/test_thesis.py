"""The thesis' worked examples, bit for bit, and what its text leaves open."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from models.reference import modular_product
from models.registry import architecture
from models.status import Status

THESIS = ("fast_montgomery", "faster_montgomery", "optimized_interleaved")


@pytest.mark.parametrize("name", ["thesis-fig7", "thesis-fig8", "thesis-fig9"])
def test_worked_example_bit_for_bit(name: str, thesis_vectors: list[dict[str, Any]]) -> None:
    vector = next(v for v in thesis_vectors if v["name"] == name)
    entry = architecture(vector["architecture"])
    x, y, m, width = (vector[k] for k in ("x", "y", "m", "width"))
    assert entry.model.product(x, y, m, width) == (vector["s"], vector["c"])
    assert entry.model.products([(x, y, m)], width) == [(vector["s"], vector["c"])]
    reduced = (vector["s"] + vector["c"]) % m
    assert reduced == modular_product(x, y, m, entry.model.radix(width))


def test_printed_waveform_operands(thesis_vectors: list[dict[str, Any]]) -> None:
    x, y, m = (next(v for v in thesis_vectors if v["name"] == "thesis-fig18")[k] for k in "xym")
    assert (x, y, m) == (47563, 46337, 57349)
    entry = architecture("fast_montgomery")
    s, c = entry.model.product(x, y, m, 16)
    assert (s + c) % m == modular_product(x, y, m, 1 << 16)


def test_montgomery_raw_results_stay_below_twice_the_range() -> None:
    entry = architecture("faster_montgomery")
    for m in range(3, 32, 2):
        for x in range(32):
            for y in range(32):
                assert sum(entry.model.product(x, y, m, 5)) < 64


def test_interleaved_sum_needs_more_than_one_subtraction() -> None:
    """S + C of Algorithm 5 reaches several times M even when M has n bits."""
    entry, largest = architecture("optimized_interleaved"), 0
    for m in range(16, 32):
        for x in range(m):
            for y in range(m):
                sum_ = sum(entry.model.product(x, y, m, 5))
                assert sum_ < 5 << 5
                largest = max(largest, sum_ // m)
    assert largest >= 5


def test_the_carry_save_interleaved_sum_stays_below_seven_times_the_range() -> None:
    """Algorithm 4: 2*(S + C) < 4*2**n, X_i*Y < 2**n and 2*A < 2*2**n."""
    entry, largest = architecture("interleaved_carry_save"), 0
    for m in range(2, 64):
        for x in range(0, m, 2):
            for y in range(m):
                largest = max(largest, sum(entry.model.product(x | 1, y, m, 6)))
    assert 5 << 6 < largest < 7 << 6


def test_rare_operands_of_the_interleaved_multiplier_give_k_3_twice_in_a_row() -> None:
    entry = architecture("optimized_interleaved")
    for width in (9, 32, 100):
        transitions: set[tuple[int, int]] = set()
        for x, y, m in entry.coverage.rare_operands(width):
            assert entry.operand_status(x, y, m, width) is Status.OK
            sequence = entry.coverage.addresses(x, y, m, width)
            transitions.update(pairwise(sequence))
        assert {(6, 6), (6, 7), (7, 6), (7, 7)} <= transitions


@pytest.mark.parametrize("width", [7, 9, 32, 100])
def test_rare_operands_of_the_interleaved_multiplier_have_a_sum_of_all_bits(width: int) -> None:
    entry = architecture("optimized_interleaved")
    sums = [
        sum(entry.model.product(*triple, width)) for triple in entry.coverage.rare_operands(width)
    ]
    assert max(sums) >= 4 << width


@pytest.mark.parametrize("name", THESIS[:2])
def test_montgomery_s_and_c_have_n_bits_each(name: str) -> None:
    # The thesis gives them n + 1; in bit n the adder meets the table entry alone.
    entry = architecture(name)
    for m in range(3, 32, 2):
        for x in range(32):
            for y in range(32):
                assert max(entry.model.product(x, y, m, 5)) < 32


@pytest.mark.parametrize("name", THESIS)
def test_loop_takes_n_plus_one_cycles(name: str) -> None:
    assert [architecture(name).timing.loop_cycles(n) for n in (4, 32, 1024)] == [5, 33, 1025]
