"""Classes from the museum: exhibits are in them, others are not, and they find known bugs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from verif.library.vectors.museum import Exhibit, exhibits
from verif.own_core.classes import POWERS, PRODUCTS, REJECTED
from verif.own_core.defects import example_cores
from verif.own_core.description import CoreDescription
from verif.own_core.draw import Draw, OperandClass, Operation
from verif.own_core.museum import power_traps, product_traps

TRAPS = [(trap, True) for trap in product_traps()] + [(trap, False) for trap in power_traps()]


def description_of(name: str) -> CoreDescription:
    return next(core.description for core in example_cores() if core.description.name == name)


def core_of(is_product: bool) -> CoreDescription:
    return description_of("serial_blakley" if is_product else "stream_power")


def operations(
    trap: OperandClass, description: CoreDescription, width: int, count: int = 30
) -> Iterator[Operation]:
    draw = Draw(description, width, random.Random(f"{trap.name} {width}"))
    return (trap.draw(draw) for _ in range(count))


@pytest.mark.parametrize("exhibit", exhibits(), ids=lambda exhibit: exhibit.name)
def test_an_exhibit_is_of_the_class_that_its_label_names(exhibit: Exhibit) -> None:
    known = {one.name: one for one in (*(PRODUCTS if exhibit.is_product else POWERS), *REJECTED)}
    width = max(4, exhibit.m.bit_length())
    operation = Operation(exhibit.first, exhibit.second, exhibit.m, width)
    assert known[exhibit.label].belongs(operation, width)


@pytest.mark.parametrize(("trap", "is_product"), TRAPS)
def test_a_class_has_operations_at_every_width(trap: OperandClass, is_product: bool) -> None:
    for width in (4, 5, 8, 17, 33, 64, 257):
        found = list(operations(trap, core_of(is_product), width, 8))
        assert all(trap.belongs(operation, width) for operation in found)
        assert max(operation.m for operation in found) >> width - 1 == 1 or width == 4


@pytest.mark.parametrize(("trap", "is_product"), TRAPS)
def test_exhibits_are_drawn_where_they_fit_and_operands_of_the_core_s_width(
    trap: OperandClass, is_product: bool
) -> None:
    known = {(one.first, one.second, one.m) for one in exhibits() if one.label == trap.name}
    found = list(operations(trap, core_of(is_product), 521, 60))
    assert known & {operation[:3] for operation in found}
    assert any(operation.m.bit_length() > 500 for operation in found if operation[:3] not in known)


@pytest.mark.parametrize(("trap", "is_product"), TRAPS)
def test_random_operations_are_not_of_a_class(trap: OperandClass, is_product: bool) -> None:
    rng, width = random.Random(1), 64
    members = 0
    for _ in range(200):
        m = rng.getrandbits(width) | 1 << (width - 1) | 1
        second = rng.randrange(m)
        members += trap.belongs(Operation(rng.randrange(m), second, m, width), width)
    assert members < 20


def test_every_class_judges_the_smallest_operations() -> None:
    """The search for the smallest example asks about all of them."""
    # Operands may be below 2M or 2**n.
    small = [Operation(x, y, m, 4) for m in range(1, 9) for x in range(16) for y in range(16)]
    for one in (*PRODUCTS, *POWERS, *REJECTED):
        assert {one.belongs(operation, 4) for operation in small} <= {True, False}, one.name


# Bugs as the reports have them


def barrett_with_one_correction(x: int, y: int, m: int) -> int:
    n = m.bit_length()
    quotient = ((x * y >> n - 1) * ((1 << 2 * n) // m)) >> n + 1
    rest = x * y - quotient * m
    return rest - m if rest >= m else rest


def squares_with_a_lost_bit(x: int, y: int, m: int, word: int = 8) -> int:
    """A cross product is doubled within two words, its top bit is lost."""
    if x != y:
        return x * y % m
    words = [x >> at & (1 << word) - 1 for at in range(0, m.bit_length(), word)]
    total = 0
    for i, one in enumerate(words):
        total += one * one << 2 * word * i
        for j in range(i):
            total += (2 * one * words[j] & (1 << 2 * word) - 1) << word * (i + j)
    return total % m


def division(x: int, y: int, m: int, word: int = 8, add_back: bool = False) -> int:
    """Knuth's Algorithm D; without its step D6 unless asked for."""
    length = -(-m.bit_length() // word)
    shift = length * word - m.bit_length()
    divisor, rest, mask = m << shift, x * y << shift, (1 << word) - 1
    if length < 2:
        return x * y % m
    first, second = divisor >> word * (length - 1), divisor >> word * (length - 2) & mask
    for at in range(-(-rest.bit_length() // word) - length, -1, -1):
        digit, left = divmod(rest >> word * (at + length - 1), first)
        while left <= mask and (
            digit > mask or digit * second > left << word | rest >> word * (at + length - 2) & mask
        ):
            digit, left = digit - 1, left + first
        rest -= digit * divisor << word * at
        if rest < 0 and add_back:
            rest += divisor << word * at
        rest %= 1 << word * (at + length + 1)
    return rest >> shift


@pytest.mark.parametrize("width", [33, 64, 256])
@pytest.mark.parametrize(
    ("multiply", "finders"),
    [
        (barrett_with_one_correction, ["M just above 2^(n-1), operands near M"]),
        (squares_with_a_lost_bit, ["squares that carry"]),
        (division, ["quotient estimate too large", "quotient digit at its maximum"]),
    ],
)
def test_a_class_finds_the_bug_that_it_is_named_after(
    multiply: Callable[[int, int, int], int], finders: list[str], width: int
) -> None:
    for trap in product_traps():
        if trap.name in finders:
            found = operations(trap, description_of("serial_blakley"), width)
            assert any(multiply(x, y, m) != x * y % m for x, y, m, _ in found), trap.name


def test_the_division_without_its_bug_is_right() -> None:
    for trap in product_traps():
        for x, y, m, _ in operations(trap, description_of("serial_blakley"), 64):
            assert division(x, y, m, add_back=True) == x * y % m
