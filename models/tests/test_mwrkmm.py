"""MWRkMM: parameters, bounds and cycle formulas of the registry entry."""

from __future__ import annotations

import random
from itertools import product

import pytest

from models.architecture import Architecture
from models.reference import modular_product
from models.registry import architecture

PAPER = {"WordWidth": 17, "DigitWidth": 16, "Elements": 20, "Latency": 3}
SUB_PIPELINED = {**PAPER, "Elements": 15, "Latency": 4}


def mwrkmm(**values: int) -> Architecture:
    return architecture("mwrkmm").with_parameters(values)


@pytest.mark.parametrize(("point", "cycles"), [(PAPER, 201), (SUB_PIPELINED, 268)])
def test_loop_takes_the_cycles_of_equation_14(point: dict[str, int], cycles: int) -> None:
    entry = mwrkmm(**point)
    assert entry.parameter_values(1024) == point
    assert entry.timing.loop_cycles(1024) == entry.published.loop_cycles(1024) == cycles


def test_never_more_cycles_than_the_equations() -> None:
    # Equation (15) waits a whole turn where the last digit falls to the last element.
    fewer = 0
    for width, w, latency in product((32, 64, 256, 1024), (4, 8, 16), (3, 4)):
        entry = mwrkmm(WordWidth=w + 1, DigitWidth=w, Latency=latency)
        for elements in range(1, entry.streams.words(width) // latency + 1):
            entry = mwrkmm(WordWidth=w + 1, DigitWidth=w, Latency=latency, Elements=elements)
            assert entry.timing.loop_cycles(width) <= entry.published.loop_cycles(width)
            fewer += entry.timing.loop_cycles(width) < entry.published.loop_cycles(width)
    assert fewer


def test_the_papers_point_has_its_largest_number_of_elements() -> None:
    entry = architecture("mwrkmm")
    for point in (PAPER, SUB_PIPELINED):
        with pytest.raises(ValueError, match=r"Elements = (21|16) "):
            more = {**point, "Elements": point["Elements"] + 1}
            entry.with_parameters(more).parameter_values(1024)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"DigitWidth": 33, "WordWidth": 34},
            "DigitWidth = 33 .* less than half the width, and 1, 2, 4",
        ),
        ({"DigitWidth": 16, "WordWidth": 8}, "DigitWidth = 16 .* accepted are 1 to 8"),
        ({"DigitWidth": 0, "WordWidth": 8}, "DigitWidth = 0"),
        ({"DigitWidth": 1, "WordWidth": 1}, "WordWidth = 1 .* accepted are 2 and more"),
        ({"Elements": 2}, r"Elements = 2 .* accepted are 1 to 1"),
        ({"Elements": 0}, "Elements = 0"),
        ({"Latency": 7}, "Latency = 7 .* accepted are 3 to 6"),
        ({"DigitWidth": 2, "WordWidth": 65}, "does not fill one element"),
    ],
)
def test_illegal_parameters_say_what_is_accepted(values: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mwrkmm(**values).parameter_values(64)


def test_unknown_parameter_names_the_accepted_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown parameter 'Radix' of mwrkmm; accepted: WordW"):
        mwrkmm(Radix=4)


def test_defaults_are_legal_at_every_width() -> None:
    entry = architecture("mwrkmm")
    for width in [*range(4, 300), 384, 512, 521, 1024, 2048, 4096]:
        assert set(entry.parameter_values(width)) == {p.name for p in entry.parameters}


@pytest.mark.parametrize(("latency", "zeros"), [(3, 1), (4, 1), (5, 1), (6, 2)])
def test_every_sum_fits_the_words_of_the_ring(latency: int, zeros: int) -> None:
    # S before it is reduced, operands as large as a chain allows: the worst case of the carry.
    for width in range(4, 65):
        for w in (d for d in range(1, 17) if width % d == 0):
            for v in range(max(2, w), 2 * w + 2):
                entry = mwrkmm(WordWidth=v, DigitWidth=w, Latency=latency)
                m, y = (1 << width) - 1, (1 << width + 1) - 1
                # While the multiplier of u*M finds u the words of Y and M must be zero.
                assert y < 1 << v * (entry.streams.words(width) - zeros)
                digit = (1 << w) - 1
                s = 2 * m + digit * y  # the most a digit finds and adds
                for _ in range(4):
                    assert s + digit * m < 1 << v * entry.streams.words(width)
                    s = (s + digit * m >> w) + digit * y


@pytest.mark.parametrize(
    ("width", "v", "w", "elements", "step"),
    [
        (4, 2, 2, 1, 1), (4, 3, 1, 1, 1), (6, 2, 2, 1, 1), (6, 3, 2, 1, 1), (6, 2, 1, 1, 1),
        (8, 2, 1, 2, 7), (8, 2, 2, 2, 7),  # a ring for two elements is too long to try them all
    ],
)  # fmt: skip
def test_goals_of_other_configurations_can_happen(
    width: int, v: int, w: int, elements: int, step: int
) -> None:
    entry = mwrkmm(WordWidth=v, DigitWidth=w, Elements=elements)
    entry.parameter_values(width)
    found: set[int] = set()
    for m in range(3, 1 << width, 2 * step):
        for x in range(0, m, step):
            for y in range(0, m, step):
                found.update(entry.coverage.addresses(x, y, m, width))
    assert found == entry.coverage.reachable_addresses(width)


@pytest.mark.parametrize("values", [PAPER, {"WordWidth": 9, "DigitWidth": 8, "Elements": 7}])
def test_rare_operands_reach_every_quotient_of_all_ones(values: dict[str, int]) -> None:
    entry, width = mwrkmm(**values), 1024
    found: set[int] = set()
    for x, y, m in entry.coverage.rare_operands(width):
        found.update(entry.coverage.addresses(x, y, m, width))
    rare = {a for a in entry.coverage.reachable_addresses(width) if a >> 1 & 3 == 1}
    assert rare <= found


@pytest.mark.parametrize("width", [4, 5, 6])
def test_exhaustive_single_and_chained(width: int) -> None:
    digits = [w for w in (1, 2, 3) if width % w == 0]
    for w in digits:
        entry = mwrkmm(WordWidth=w + 1, DigitWidth=w)
        chain_radix = 1 << entry.chaining.radix_bits(width)
        for m in range(3, 1 << width, 2):
            for x in range(m):
                for y in range(0, m, 3):
                    s, c = entry.model.product(x, y, m, width)
                    assert c == 0 and s < 2 * m
                    assert s % m == modular_product(x, y, m, 1 << width)
            for x in (*range(0, 2 * m, 3), 2 * m - 1):
                for y in (0, 1, m - 1, m, m + 1, 2 * m - 1):
                    s = entry.chaining.product(x, y, m, width)
                    assert s < 2 * m, "the chain is not closed"
                    assert s % m == modular_product(x, y, m, chain_radix)


def test_without_the_extra_digit_a_chain_is_not_closed() -> None:
    width, m, entry = 6, 63, mwrkmm(WordWidth=3, DigitWidth=2)
    constants = entry.model.constant_values(0, m, width)
    s, _ = entry.model.loop((1 << width) - 1, 2 * m - 1, m, constants, width)
    assert s >= 2 * m


def test_random_operands_at_larger_widths() -> None:
    rng = random.Random(2)
    for width, values in ((64, {"WordWidth": 9, "DigitWidth": 8}), (1024, PAPER)):
        entry = mwrkmm(**values)
        for _ in range(20):
            m = rng.getrandbits(width) | 1 << width - 1 | 1
            x, y = rng.randrange(2 * m), rng.randrange(2 * m)
            s = entry.chaining.product(x, y, m, width)
            assert s < 2 * m
            assert s % m == modular_product(x, y, m, 1 << entry.chaining.radix_bits(width))


def test_chain_positions_are_those_of_a_long_chain() -> None:
    entry, width, position = mwrkmm(**PAPER), 1024, 0
    seen = set()
    for _ in range(100):
        seen.add(position)
        cycles, following = entry.chaining.next_start(width, position)
        # From start to start: as the token runs, and one cycle.
        turns = (position + entry.streams.digits(width, chain=True)) // 20
        assert cycles == 3 * 66 + 2 * turns + 1
        position = following
    assert seen == entry.chaining.positions(width)
