"""Printed and computed figures of source 004, and the bounds of the implemented core."""

from __future__ import annotations

from math import ceil

import pytest

from models.architecture import Architecture
from models.architectures.quotient_pipelined import QuotientPipelined, QuotientPipelinedStreams
from models.capability import Part
from models.exhaustive import bounding_modulus
from models.exponentiation_core import exponentiation
from models.reference import modular_product
from models.registry import architecture
from models.ring_exponentiation import RingExponentiation

PAPER = {"WordWidth": 16, "DigitWidth": 16}
NAMES = ("quotient_pipelined", "parallel_high_radix")


def figure_2(x: int, y: int, m: int, n: int, v: int, *, more: int = 0) -> int:
    """Figure 2 with d = 1 and X prescaled, i = 0 ... f + more."""
    scale, mask = 2 * v, (1 << v) - 1
    m_prime = -pow(m, -1, 1 << n) % (1 << n)
    mhat = ((m_prime % (1 << scale)) * m + 1) >> scale
    x <<= scale
    z = old = 0
    for i in range(ceil((n + scale) / v) + 1 + more):
        reduce = z & mask
        z = (z >> v) + old * mhat + (x >> v * i & mask) * y
        old = reduce
    return (z << v) + old


@pytest.mark.parametrize(("n", "v"), [(4, 1), (4, 2), (6, 2), (6, 3)])
def test_figure_2_stops_a_digit_too_early(n: int, v: int) -> None:
    other = 0
    for m in range(3, 1 << n, 2):
        for x in range(0, m, 3):
            for y in range(0, m, 2):
                as_printed = figure_2(x, y, m, n, v) % m
                assert as_printed == modular_product(x, y, m, 1 << n - v)
                expected = modular_product(x, y, m, 1 << n)
                other += as_printed != expected
                assert figure_2(x, y, m, n, v, more=1) % m == expected
    assert other


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [4, 5, 6])
def test_mhat_by_halvings_is_the_printed_quotient(name: str, width: int) -> None:
    entry = architecture(name)
    scale = entry.scaling.bits(width)
    for m in range(3, 1 << width, 2):
        m_prime = -pow(m, -1, 1 << scale) % (1 << scale)
        printed, remainder = divmod(m_prime * m + 1, 1 << scale)
        assert remainder == 0
        halved = 1
        for _ in range(scale):
            halved = (halved + (halved & 1) * m) >> 1
        assert entry.model.constant_values(0, m, width) == (printed,) == (halved,)
        assert halved < m and bounding_modulus(entry, m, width) == m_prime * m


def largest_result(entry: Architecture, width: int, m: int) -> int:
    """Of all X, Y < m."""
    return max(entry.model.product(x, y, m, width)[0] for x in range(m) for y in range(m))


@pytest.mark.parametrize("name", NAMES)
def test_results_reach_beyond_mtilde_and_many_times_m(name: str) -> None:
    entry, width = architecture(name), 6
    largest = {m: largest_result(entry, width, m) for m in range(3, 1 << width, 2)}
    bounds = {m: bounding_modulus(entry, m, width) for m in largest}
    assert all(largest[m] < 2 * bounds[m] for m in largest)
    assert any(largest[m] > 1.7 * bounds[m] for m in largest)
    # One conditional subtraction of M, or of Mtilde, does not reduce them.
    assert max(largest[m] / m for m in largest) > 7


@pytest.mark.parametrize("name", NAMES)
def test_a_chain_with_a_digit_less_is_not_closed(name: str) -> None:
    width, values = 6, {"DigitWidth": 2, "WordWidth": 3}
    entry = architecture(name).with_parameters(values)

    class ShorterStreams(QuotientPipelinedStreams):
        def digits(self, width: int, *, chain: bool = False) -> int:
            return super().digits(width, chain=chain) - 1

    class Shorter(type(entry)):
        streams = Part(ShorterStreams)

    m = max(range(3, 1 << width, 2), key=lambda m: bounding_modulus(entry, m, width))
    bound = 2 * bounding_modulus(entry, m, width)
    assert 1 << entry.chaining.radix_bits(width) > 2 * bound
    operands = [(bound - 1, bound - i) for i in range(1, 65)]
    assert max(entry.chaining.product(*xy, m, width) for xy in operands) < bound
    assert max(Shorter(values).chaining.product(*xy, m, width) for xy in operands) >= bound


def largest_z(entry: QuotientPipelined, x: int, y: int, m: int, width: int, *, chain: bool) -> int:
    """The largest Z that a product leaves in the ring."""
    (mhat,) = entry.model.constant_values(0, m, width)
    v, stages = (
        entry.parameter("DigitWidth", width),
        entry.scaling.bits(width) // entry.parameter("DigitWidth", width) - 1,
    )
    z, pending, largest = 0, [0] * stages, 0
    for i in range(entry.streams.digits(width, chain=chain)):
        pending.append(z % (1 << v))
        z = (z >> v) + pending.pop(0) * mhat + (x >> v * i) % (1 << v) * y
        largest = max(largest, z)
    return largest


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [4, 5])
@pytest.mark.parametrize("v", [1, 2])
def test_z_fits_the_words_of_the_ring(name: str, width: int, v: int) -> None:
    entry = architecture(name).with_parameters({"DigitWidth": v, "WordWidth": max(2, v)})
    longest, longest_chained = 0, 0
    for m in range(3, 1 << width, 2):
        for y in range(m):
            for x in range(m):
                longest = max(longest, largest_z(entry, x, y, m, width, chain=False))
        bound = 2 * bounding_modulus(entry, m, width)
        for y in (bound - 1, bound - 2, bound // 2):
            for x in range(bound):
                z = largest_z(entry, x, y, m, width, chain=True)
                longest_chained = max(longest_chained, z)
    assert longest < 1 << width + v + 1 <= 1 << entry.streams.short_words(width) * max(2, v)
    bits = width + entry.scaling.bits(width) + v + 2
    assert longest_chained < 1 << bits <= 1 << entry.streams.words(width) * max(2, v)
    # A bit less is not enough for a single product, nor its words for a chain.
    if (width, v) == (5, 1):
        assert longest >= 1 << width + v
        assert longest_chained >= 1 << width + v + 1


@pytest.mark.parametrize("elements", [1, 4, 16, 32, 33, 40, 64])
def test_cycles_are_those_of_equation_2_and_below_equation_3(elements: int) -> None:
    entry = architecture("quotient_pipelined").with_parameters({**PAPER, "Elements": elements})
    f, e = entry.streams.digits(1024), entry.streams.short_words(1024)
    assert (f, e) == (66, 66)
    k, rest = divmod(f, elements)
    equation_2 = k * e + e + 2 * rest
    equation_3 = k * (2 * elements + 1) + e + 2 * rest
    cycles = entry.timing.done_cycles(1024)
    assert cycles == (equation_2 if e >= 2 * elements else equation_3 - k)


def test_equation_4_at_the_papers_points() -> None:
    name = "quotient_pipelined"
    points = {p: architecture(name).with_parameters({**PAPER, "Elements": p}) for p in (16, 4)}
    n, v, w = 1024, 16, 16
    for p, published, ours in ((16, 338, 334), (4, 1154, 1126)):
        assert n**2 / (p * w * v) + 4 * n / (p * w) + (n + 2 * v) / w == published
        assert points[p].timing.done_cycles(n) == ours
    # A chain's Y has n' = n + 2v bits and more; with its words eq. (2) is above ours.
    chained = points[4].streams.words(n)
    assert chained == 68
    steps = [points[4].chaining.next_start(n, position)[0] for position in range(4)]
    assert sum(steps) / 4 == 1174
    assert (n + 2 * v) / (4 * v) * chained + chained > 1174


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "v"), [(4, 1), (4, 2), (5, 3), (6, 2)])
def test_the_final_sum_is_below_three_moduli(name: str, width: int, v: int) -> None:
    entry = architecture(name).with_parameters({"WordWidth": max(2, v), "DigitWidth": v})
    most = 0
    for m in range(3, 1 << width, 2):
        for x in range(m):
            for y in range(m):
                total = entry.model.final_sum(x, y, m, (0, 0), width)
                assert total < 3 * m
                assert total % m == modular_product(x, y, m, entry.model.radix(width))
                most = max(most, total // m)
    # One subtraction does for some digits, but not for others.
    assert most == (2 if (width, v) == (6, 2) else 1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "v"), [(4, 1), (4, 2), (5, 1)])
def test_one_subtraction_does_behind_a_chain(name: str, width: int, v: int) -> None:
    entry = architecture(name).with_parameters({"WordWidth": max(2, v), "DigitWidth": v})
    core = exponentiation(entry, width)
    assert isinstance(core, RingExponentiation)
    longest = 1 << width + entry.scaling.bits(width) + 1
    reached = set()
    for m in range(3, 1 << width, 2):
        mhat = pow(2, -entry.scaling.bits(width), m)
        for a in range(longest):
            total = core.last_sum(a, m)
            assert total <= mhat + m
            assert total % m == a * pow(core.r_squared(m), -1, m) * (1 << core.radix_bits) % m
            reached.add("exact" if total == m else total > m)
    # Mhat = (M + 1)/2 for a scale of one bit.
    assert reached == {"exact", False} | ({True} if entry.scaling.bits(width) > 1 else set())


@pytest.mark.parametrize("latency", [2, 3, 4])
@pytest.mark.parametrize("elements", [16, 4])
def test_registers_in_an_element_leave_the_cycles_below_the_papers(
    latency: int, elements: int
) -> None:
    values = {**PAPER, "Elements": elements, "Latency": latency}
    entry = architecture("quotient_pipelined").with_parameters(values)
    cycles = {2: (334, 1126), 3: (336, 1128), 4: (338, 1130)}[latency][elements == 4]
    ((_, ours, published),) = entry.published.loops()
    assert ours == cycles <= published


@pytest.mark.parametrize("latency", [1, 5])
def test_other_latencies_are_rejected(latency: int) -> None:
    entry = architecture("quotient_pipelined").with_parameters({"Latency": latency})
    with pytest.raises(ValueError, match="accepted are 2 to 4"):
        entry.parameter_values(32)
