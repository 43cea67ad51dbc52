"""Every check of the scoreboard is seen to fail once."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from models.reference import modular_product
from models.status import BusError, Command, Status
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.item import MultiplierItem, TransferItem
from verif.bench.agent.records import MultiplierRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.env.checkers.mismatch import mismatch
from verif.bench.env.checkers.multiplier import MultiplierChecker
from verif.tests.conftest import collector

WIDTH = 16
X, Y, M = 0x1234, 0x2345, 0xE005


def config(architecture: str = "faster_montgomery") -> BenchConfig:
    return BenchConfig.from_job(
        job_of("random", architecture, WIDTH, "verilator", seed=1, parameters={"BusWidth": 8})
    )


def good_record(bench: BenchConfig, x: int = X, y: int = Y, m: int = M) -> MultiplierRecord:
    """The record of a correct multiplier."""
    entry, width = bench.entry, bench.width
    s, c = entry.model.product(x, y, m, width)
    addresses = entry.coverage.addresses(x, y, m, width)
    follow = {
        before << entry.coverage.address_bits | after for before, after in pairwise(addresses)
    }
    words = {f"{result.name}_words": result.words for result in bus_map(bench).results}
    return MultiplierRecord(
        x=x, y=y, m=m, p=modular_product(x, y, m, entry.model.radix(width)), s=s, c=c,
        **words, rejected=0, lost=0, written=7, after_reset=True, command=1,
        status_seen=True,
        status=Status.OK, bus_error=BusError.NONE, carry_hit=0,
        table_hit=sum(1 << address for address in set(addresses)),
        table_transition=sum(1 << pair for pair in follow),
        core_arcs=0, control_arcs=0, protocol_broken=False, stalled=False, core_busy_wrong=False,
        loop_cycles=entry.timing.loop_cycles(width), done_cycles=entry.timing.done_cycles(width),
        busy_cycles=entry.timing.operation_cycles(
            m, width, add_width=bench.add_width, bus_width=bench.bus_width
        ),
        result_added=True, subtracted=(s + c) // m % 2 == 1, exact=s + c > 0 and (s + c) % m == 0,
        time_ns=1.0,
    )  # fmt: skip


def failures(
    record: MultiplierRecord, bench: BenchConfig, item: MultiplierItem | None = None
) -> list[str]:
    """Messages of the checker for one record, the model's batch included."""
    found: list[str] = []
    checker = MultiplierChecker(bench, collector(found))
    checker.check(item or MultiplierItem(X, Y, M), record)
    checker.flush()
    assert checker.operations == 1
    return found


@pytest.mark.parametrize(
    "architecture", ["fast_montgomery", "faster_montgomery", "optimized_interleaved"]
)
def test_correct_record_passes(architecture: str) -> None:
    bench = config(architecture)
    assert failures(good_record(bench), bench) == []


def test_a_check_costs_little_more_than_the_batched_model() -> None:
    """What is asked of one product at a time is ten times as long at 1024 bits."""
    width, count = 1024, 128
    bench = BenchConfig.from_job(
        job_of("random", "optimized_interleaved", width, "verilator", seed=1)
    )
    entry, rng = bench.entry, random.Random(1)
    triples = []
    for _ in range(count):
        m = rng.getrandbits(width) | 1 << width - 1
        triples.append((rng.randrange(m), rng.randrange(m), m))
    records = [good_record(bench, *triple) for triple in triples]
    model, checks = [], []
    for _ in range(3):
        begin = time.process_time()
        entry.model.products(triples, width)
        model.append(time.process_time() - begin)
        checker = MultiplierChecker(bench, collector([]))
        begin = time.process_time()
        for triple, record in zip(triples, records, strict=True):
            checker.check(MultiplierItem(*triple), record)
        assert checker.flush()
        checks.append(time.process_time() - begin)
    assert min(checks) < 4 * min(model)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p": 1}, r"P = 0x1, gmpy2 says"),
        ({"s": 5}, r"S \+ C is not congruent to the product .*: mod M it = .*, gmpy2 says 0x"),
        ({"c": 6}, r"C = 0x6, the model says"),
        ({"x": X ^ 1}, r"the bus carried x=0x1235 .*lost, doubled or changed"),
        ({"y": X}, r"the bus carried"),
        ({"m": 3}, r"the bus carried"),
        ({"command": 2}, r"the bus carried .* started with 2"),
        ({"busy_cycles": 1}, r"busy for 1 cycles, the formula says \d+"),
        ({"loop_cycles": WIDTH}, r"loop took 16 cycles, the formula says 17"),
        ({"done_cycles": WIDTH}, r"loop with delivery took 16 cycles, the formula says 17"),
        ({"status": Status.RAW}, r"status RAW, expected OK"),
        ({"status": 15}, r"status code 15, expected OK"),
        ({"status_seen": False}, r"no status was read"),
        ({"lost": 1}, r"1 operations started without being read"),
        ({"p_words": 1}, r"result missing or doubled"),
        ({"s_words": 0}, r"result missing or doubled"),
        ({"c_words": 9}, r"result missing or doubled"),
        ({"rejected": 1}, r"1 transfers rejected"),
        ({"bus_error": BusError.BUSY}, r"bus error field is"),
        ({"result_added": False}, r"the final reduction"),
        (
            {"subtracted": True, "exact": True},
            r"final subtraction reported as taken=True exact=True",
        ),
        ({"protocol_broken": True}, r"acknowledge without request"),
        (
            {"after_reset": False, "table_hit": (1 << 16) - 1},
            r"table addresses that are seen and not read: 0x0, 0x1, ",
        ),
        ({"table_hit": 1}, r"table addresses that are read and not seen: 0x"),
        (
            {"table_transition": 1},
            r"table address pairs that are read and not seen: 0x",
        ),
        ({"core_busy_wrong": True}, r"the core's busy did not last"),
        ({"core_arcs": 1 << 2}, r"illegal state change core starting>finished"),
        ({"core_arcs": 1 << 3}, r"illegal state change core of no state, bit 3"),
        ({"control_arcs": 1 << 4 << 8}, r"illegal state change control load>core"),
    ],
)
def test_each_check_can_fail_and_names_the_operands(change: dict, message: str) -> None:
    bench = config()
    found = failures(replace(good_record(bench), **change), bench)
    matching = [failure for failure in found if re.search(message, failure)]
    assert matching, found
    assert f"x={X:#x}" in matching[0] and f"m={M:#x}" in matching[0]


def test_s_and_c_swapped_is_seen_although_their_sum_is_right() -> None:
    bench = config()
    record = good_record(bench)
    swapped = replace(record, s=record.c, c=record.s)
    assert any("the model says" in f for f in failures(swapped, bench))


def test_results_of_two_operations_swapped() -> None:
    bench = config()
    found: list[str] = []
    checker = MultiplierChecker(bench, collector(found))
    checker.check(MultiplierItem(X, Y, M), good_record(bench, 1, 2, M))
    assert any("the bus carried" in f for f in found)


def test_congruent_sum_with_wrong_words_is_seen_by_the_model_alone() -> None:
    """S + 1, C - 1 has the right value; only the bit-true check detects it."""
    bench = config()
    record = good_record(bench)
    found = failures(replace(record, s=record.s + 1, c=record.c - 1), bench)
    assert len(found) == 1 and "the model says" in found[0]


def test_rejected_start_must_not_deliver() -> None:
    bench = config()
    item = MultiplierItem(M, 1, M)
    cycles = bench.entry.timing.operation_cycles(
        M, WIDTH, Status.OPERAND_RANGE, add_width=bench.add_width
    )
    record = replace(
        good_record(bench), x=M, y=1, status=Status.OPERAND_RANGE, busy_cycles=cycles,
        s_words=0, c_words=0, p_words=0, result_added=False,
    )  # fmt: skip
    assert failures(record, bench, item) == []
    silent = replace(record, status=Status.OK)
    assert any("expected OPERAND_RANGE" in f for f in failures(silent, bench, item))


def test_disturbances_must_be_rejected() -> None:
    bench = config()
    item = MultiplierItem(X, Y, M)
    item.disturbances = (TransferItem.command(Command.START, BusError.START_WHILE_BUSY),)
    record = replace(good_record(bench), rejected=1, bus_error=BusError.START_WHILE_BUSY)
    assert failures(record, bench, item) == []
    assert failures(good_record(bench), bench, item)


@pytest.mark.parametrize("word_by_word", [False, True])
def test_wait_states_that_never_come(word_by_word: bool) -> None:
    bench = config()
    for stalled in (False, True):
        found: list[str] = []
        checker = MultiplierChecker(bench, collector(found))
        for _ in range(8):
            item = MultiplierItem(X, Y, M)
            item.stall, item.word_by_word = 128, word_by_word
            checker.check(item, replace(good_record(bench), stalled=stalled))
        checker.finish()
        assert bool(found) != stalled and all("but none occurred" in failure for failure in found)


def test_vector_that_expects_a_rejection() -> None:
    bench = config()
    item = MultiplierItem(X, Y, M)
    item.rejected = True
    assert any("expects a rejection" in f for f in failures(good_record(bench), bench, item))


def test_vector_expectations_are_checked() -> None:
    bench = config()
    item = MultiplierItem(X, Y, M)
    item.name = "v"
    item.expected = {"p": good_record(bench).p}
    assert failures(good_record(bench), bench, item) == []
    item.expected = {"p": 0}
    wrong = r"p = 0x\w+, the vector says 0x0; gmpy2 agrees with the hardware: the vector is wrong$"
    assert any(re.search(wrong, f) for f in failures(good_record(bench), bench, item))


@pytest.mark.parametrize(
    ("name", "vector", "change", "verdict"),
    [
        ("p", 0, {}, "gmpy2 agrees with the hardware: the vector is wrong"),
        ("p", None, {"p": 1}, "gmpy2 agrees with the vector"),
        ("p", 2, {"p": 1}, "gmpy2 agrees with neither"),
        ("s", 0, {}, "the model agrees with the hardware: the vector is wrong"),
        ("c", None, {"c": 1}, "the model agrees with the vector"),
    ],
)
def test_a_vector_that_differs_is_told_who_is_wrong(
    name: str, vector: int | None, change: dict[str, int], verdict: str
) -> None:
    bench = config()
    item = MultiplierItem(X, Y, M)
    right = good_record(bench)
    item.expected = {name: getattr(right, name) if vector is None else vector}
    found = failures(replace(right, **change), bench, item)
    assert any("the vector says" in line and line.endswith(verdict) for line in found), found


def test_long_values_are_shown_where_they_differ() -> None:
    value = int("89abcdef" * 32, 16)
    assert mismatch("P", value, "gmpy2 says", value ^ 1 << 70 ^ 1 << 900) == (
        "P = 0x…89abcdef_89abcdef_89abcdef…, gmpy2 says 0x…89abcdef_89abcdaf_89abcdef… "
        "(2 bits differ, the lowest is bit 70, in 32-bit word 2 of 0 to 31)"
    )
    assert mismatch("P", value, "gmpy2 says", value ^ 1 << 1023) == (
        "P = 0x89abcdef_89abcdef…, gmpy2 says 0x09abcdef_89abcdef… "
        "(1 bit differs, the lowest is bit 1023, in 32-bit word 31 of 0 to 31)"
    )
    assert mismatch("P", 5, "gmpy2 says", 6) == "P = 0x5, gmpy2 says 0x6"


@pytest.mark.parametrize("bit", [0, 31, 32, 64, 511, 992, 1023])
def test_two_long_values_never_look_the_same(bit: int) -> None:
    value = (1 << 1024) - 1
    seen, expected = re.findall(r"0x[0-9a-f_…]+", mismatch("P", value, "says", value ^ 1 << bit))
    assert seen != expected


def binary_case() -> tuple[BenchConfig, MultiplierItem, MultiplierRecord]:
    """A right product in GF(2**n), and its record."""
    bench = config("dual_radix")
    x, y, m = 0x1234, 0x0567, 0x8003
    record = good_record(bench, x, y, m)
    product = bench.entry.binary.product(x, y, m, WIDTH)
    cycles = bench.entry.binary.loop_cycles(WIDTH)
    busy = bench.entry.timing.operation_cycles(
        m, WIDTH, add_width=bench.add_width, bus_width=bench.bus_width, binary=True
    )
    changed = replace(
        record, p=product, s=product, c=0, command=int(Command.START_BINARY), subtracted=False,
        exact=False, loop_cycles=cycles, busy_cycles=busy,
        done_cycles=cycles + bench.entry.streams.words(WIDTH),
        table_hit=sum(1 << address for address in bench.entry.binary.addresses(WIDTH)),
    )  # fmt: skip
    return bench, MultiplierItem(x, y, m, binary=True), changed


def test_correct_binary_product_passes() -> None:
    bench, item, record = binary_case()
    found: list[str] = []
    assert MultiplierChecker(bench, collector(found)).check(item, record), found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p": 1}, r"is not the product in GF\(2\*\*n\)"),
        ({"p": 0x8003}, r"is not the product in GF\(2\*\*n\)"),
        ({"s": 1}, r"S = 0x1, C = 0x0, the model says"),
        ({"c": 1}, r"C = 0x1, the model says"),
        ({"loop_cycles": 1}, r"the formula for GF\(2\*\*n\) says"),
        ({"command": 1}, r"started with 1"),
    ],
)
def test_each_check_of_a_binary_product_can_fail(change: dict[str, int], message: str) -> None:
    bench, item, record = binary_case()
    found: list[str] = []
    assert not MultiplierChecker(bench, collector(found)).check(item, replace(record, **change))
    assert any(re.search(message, line) for line in found), found


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"table_hit": 1}, "table addresses that GF(2**n) does not read: 0x0"),
        ({"table_hit": 0}, "no table address was seen in GF(2**n)"),
        ({"result_added": False}, "the final reduction ran when it must not, or did not run"),
    ],
)
def test_a_binary_product_shows_what_coverage_counts(
    changes: Mapping[str, Any], message: str
) -> None:
    bench, item, record = binary_case()
    found: list[str] = []
    wrong = replace(record, after_reset=False, **changes)
    assert not MultiplierChecker(bench, collector(found)).check(item, wrong)
    assert message in found[0]


def test_constants_of_the_other_field_are_computed_anew() -> None:
    bench, item, record = binary_case()
    found: list[str] = []
    checker = MultiplierChecker(bench, collector(found))
    assert checker.check(item, record), found
    # The same again under the same modulus: the constants are still there.
    kept = bench.entry.timing.operation_cycles(
        item.m,
        WIDTH,
        add_width=bench.add_width,
        bus_width=bench.bus_width,
        binary=True,
        fresh_modulus=False,
    )
    again = replace(record, written=0, after_reset=False, busy_cycles=kept)
    assert checker.check(item, again), found
    # A product in GF(P) in between, and they are not.
    x, y, m = 3, 5, item.m
    prime = replace(good_record(bench, x, y, m), written=0, after_reset=False)
    assert checker.check(MultiplierItem(x, y, m), prime), found
    assert not checker.check(item, again)


def test_a_modulus_of_a_start_that_came_to_nothing_is_fresh_to_the_next() -> None:
    bench = config("optimized_interleaved")
    found: list[str] = []
    checker = MultiplierChecker(bench, collector(found))
    good = good_record(bench)
    assert checker.check(MultiplierItem(X, Y, M), good), found
    rejected = replace(
        good, x=M, y=1, status=Status.OPERAND_RANGE, written=7, after_reset=False,
        busy_cycles=bench.entry.timing.operation_cycles(
            M, WIDTH, Status.OPERAND_RANGE, add_width=bench.add_width
        ),
        s_words=0, c_words=0, p_words=0, result_added=False,
    )  # fmt: skip
    assert checker.check(MultiplierItem(M, 1, M), rejected), found
    mended = replace(good, written=3, after_reset=False)
    kept = bench.entry.timing.operation_cycles(
        M, WIDTH, add_width=bench.add_width, bus_width=bench.bus_width, fresh_modulus=False
    )
    assert kept < good.busy_cycles
    assert not checker.check(MultiplierItem(X, Y, M), replace(mended, busy_cycles=kept))
    again = MultiplierChecker(bench, collector(found))
    for item, record in ((MultiplierItem(M, 1, M), rejected), (MultiplierItem(X, Y, M), mended)):
        assert again.check(item, record), found
    # Now they are known.
    assert again.check(MultiplierItem(X, Y, M), replace(mended, busy_cycles=kept)), found
