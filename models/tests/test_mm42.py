"""MM42 in carry-save form, and what source 001 leaves open."""

from __future__ import annotations

import random

import pytest

from models.architectures.mm42 import Mm42
from models.reference import modular_product
from models.registry import architecture


def resolved_bits(x1: int, x2: int, count: int) -> tuple[int, int]:
    """X = X1 + X2 bit by bit, one full adder a step: (X, the carry that is left)."""
    x = carry = 0
    for i in range(count):
        total = (x1 >> i & 1) + (x2 >> i & 1) + carry
        x, carry = x | (total & 1) << i, total >> 1
    return x, carry


def chained_pair(
    x: tuple[int, int], y: tuple[int, int], m: int, width: int, iterations: int
) -> tuple[int, int]:
    """One product on carry-save pairs."""
    resolved, carry = resolved_bits(*x, iterations)
    assert carry == 0
    *_, (s1, s2, _) = Mm42().model._iterate(resolved, *y, m, width, iterations)
    return s1, s2


@pytest.mark.parametrize("width", [4, 5])
def test_pairs_give_what_their_sums_give(width: int) -> None:
    entry, bits = Mm42(), width + 2
    for m in range(3, 1 << width, 2):
        for y in range(2 * m):
            # Every way to split Y at width 4, some at 5.
            for y1 in range(0, y + 1, 1 if width == 4 else 7):
                for x in (0, 1, m - 1, m, 2 * m - 2, 2 * m - 1):
                    s = chained_pair((x, 0), (y1, y - y1), m, width, width + 2)
                    assert sum(s) == entry.chaining.product(x, y, m, width)
                    assert max(s) < 1 << bits


def test_a_long_chain_stays_in_carry_save_form() -> None:
    width, rng = 64, random.Random(3)
    entry, m = Mm42(), rng.getrandbits(64) | 1 << 63 | 1
    a, b = (rng.randrange(m), 0), (rng.randrange(m), 0)
    value_a, value_b = a[0], b[0]
    radix = 1 << entry.chaining.radix_bits(width)
    both_used = 0
    for _ in range(200):
        a, b = chained_pair(a, b, m, width, width + 2), a
        value_a, value_b = modular_product(value_a, value_b, m, radix), value_a
        assert sum(a) % m == value_a and sum(a) < 2 * m
        both_used += min(a) > 0
    assert both_used > 150


@pytest.mark.parametrize(("more", "closed"), [(0, False), (1, False), (2, True)])
def test_a_chain_needs_k_plus_2_iterations(more: int, closed: bool) -> None:
    width, longest = 4, 0.0
    for m in range(3, 1 << width, 2):
        for x in range(2 * m):
            for y in range(2 * m):
                *_, (s1, s2, _) = Mm42().model._iterate(x, y, 0, m, width, width + more)
                longest = max(longest, (s1 + s2) / m)
    assert (longest < 2) == closed


def test_d_needs_two_bits_more_than_the_modulus() -> None:
    width = 4
    sums = {y + m for m in range(3, 1 << width, 2) for y in range(2 * m)}
    assert 1 << width + 1 <= max(sums) < 1 << width + 2


@pytest.mark.parametrize("name", ["fast_montgomery", "faster_montgomery", "mm42", "dual_radix"])
def test_the_result_can_be_the_modulus_itself(name: str) -> None:
    # "If P > M" leaves M in place of 0; X*Y = 0 mod M needs a composite M or X*Y = 0.
    entry = architecture(name)
    found = {
        m
        for m in range(3, 16, 2)
        for x in range(m)
        for y in range(m)
        if sum(entry.model.product(x, y, m, 4)) == m
    }
    assert found == {9, 15}


@pytest.mark.parametrize("name", ["unfolded_fast_montgomery", "unfolded_faster_montgomery"])
def test_unfolded_cycles_of_odd_and_even_widths(name: str) -> None:
    cycles = {
        j: [
            architecture(name).with_parameters({"Unfolding": j}).timing.loop_cycles(n)
            for n in (32, 33)
        ]
        for j in (1, 2, 3, 4)
    }
    assert cycles == {1: [33, 34], 2: [16, 17], 3: [11, 11], 4: [8, 9]}


@pytest.mark.parametrize("unfolding", [1, 2, 3, 4])
def test_edges_of_an_unfolded_graph_keep_their_delays(unfolding: int) -> None:
    # U_i -> V_((i + w) mod J) with floor((i + w)/J) delays; the source prints no delays.
    for delays in range(4):
        copies = [(i + delays) // unfolding for i in range(unfolding)]
        assert sum(copies) == delays
    # Iteration t = J*k + i of the loop feeds t + 1: the copy after it, or copy 0 a cycle later.
    for t in range(20):
        clock, i = divmod(t, unfolding)
        assert divmod(t + 1, unfolding) == (clock + (i + 1) // unfolding, (i + 1) % unfolding)
