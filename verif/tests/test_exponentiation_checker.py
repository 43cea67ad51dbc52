"""Every check of an exponentiation is seen to fail once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from models.bus.state_machines import ENTRY_STATE, EXPONENTIATION_STATES, LOOP_STATE
from models.exponentiation import Exponentiation
from models.exponentiation_core import exponentiation
from models.reference import modular_power
from models.status import BusError, ExponentiationAddress, Status
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.item import ExponentiationItem, TransferItem
from verif.bench.agent.records import ExponentiationRecord, Product
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.coverage.exponentiation import COMPUTED, KEPT, SUPPLIED, bit_starts
from verif.bench.env.checkers.constant_time import ConstantTimeWatch
from verif.bench.env.checkers.exponentiation import ExponentiationChecker
from verif.tests.conftest import collector

WIDTH = 16
BASE, EXPONENT, M, LENGTH = 0x1234, 0b10110, 0xE005, 6
ARCHITECTURES = ["fast_montgomery", "optimized_interleaved", "mwrkmm"]


def config(architecture: str = "mwrkmm") -> BenchConfig:
    return BenchConfig.from_job(
        job_of("exp_random", architecture, WIDTH, "verilator", seed=1, parameters={"BusWidth": 8})
    )


def arcs(path: Sequence[str]) -> int:
    """The observer's vector for a sequence through the control's states."""
    codes = [EXPONENTIATION_STATES.index(state) for state in path]
    return sum(1 << (16 * a + b) for a, b in pairwise(codes))


def good_item(**changes: object) -> ExponentiationItem:
    values = {"base": BASE, "exponent": EXPONENT, "modulus": M, "length": LENGTH, **changes}
    return ExponentiationItem(**values)


def good_record(
    bench: BenchConfig, item: ExponentiationItem, mode: str = COMPUTED
) -> ExponentiationRecord:
    """The record of a correct core."""
    core = exponentiation(bench.entry, WIDTH, bench.add_width, bench.bus_width)
    status = core.status(
        item.base, item.exponent, item.modulus, item.length,
        r_squared=item.r_squared, m_prime=item.m_prime,
    )  # fmt: skip
    result = 0
    path = ["idle", "prepare", "end", "idle"]
    if status is Status.OK:
        result = modular_power(item.base, item.exponent, item.modulus)
        path = ["idle", "prepare", "entry", "loop", "exit", "end", "idle"]
        if core.montgomery:
            seeding = ["seed", "square"]
            way = {COMPUTED: seeding, SUPPLIED: ["check_constant"], KEPT: []}[mode]
            path = ["idle", "prepare", *way, "entry", "loop", "exit", "end", "idle"]
    done = status is Status.OK
    bench_map = bus_map(bench)
    length = item.length if done else 0
    bits = [item.exponent >> i & 1 for i in range(length)]
    positions, places = bit_starts(bits, core.product_starts(length), bench.bus_width)
    return ExponentiationRecord(
        base=item.base, exponent=item.exponent, modulus=item.modulus, length=item.length,
        r_squared=item.r_squared or 0, m_prime=item.m_prime or 0,
        result=result, result_words=bench_map.results[0].words if done else 0,
        written=item.load, after_reset=False, command=int(item.command),
        status_seen=True, status=status,
        bus_error=BusError.NONE, rejected=0, lost=0, protocol_broken=False, stalled=False,
        busy_cycles=core.operation_cycles(
            item.modulus, item.length, status,
            compute_r_squared=mode == COMPUTED, check_r_squared=mode == SUPPLIED,
        ),
        control_arcs=arcs(path), a_core_arcs=0, s_core_arcs=0,
        loop_products=item.length if done else 0, result_added=done, subtracted=False, exact=False,
        top_carry=False, a_table_hit=0, s_table_hit=0, bit_positions=positions,
        bit_states=sum(1 << (code << 2) for code in places), time_ns=1.0,
    )  # fmt: skip


def checked(
    bench: BenchConfig, *pairs: tuple[ExponentiationItem, ExponentiationRecord]
) -> list[str]:
    """Messages of the checker for operations, one after the other."""
    found: list[str] = []
    checker = ExponentiationChecker(bench, collector(found))
    for item, record in pairs:
        checker.check(item, record)
    assert checker.operations == len(pairs)
    return found


@pytest.mark.parametrize("architecture", ["fast_montgomery", "mwrkmm"])
def test_correct_records_pass(architecture: str) -> None:
    bench = config(architecture)
    item = good_item()
    assert checked(bench, (item, good_record(bench, item))) == []


def test_correct_record_of_a_core_without_a_domain_passes() -> None:
    bench = config("optimized_interleaved")
    item = good_item()
    record = good_record(bench, item)
    flags = [replace(record, subtracted=s, exact=False) for s in (False, True)]
    assert sum(checked(bench, (item, record)) == [] for record in flags) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"result": 1}, r"result = 0x1, gmpy2 says"),
        ({"base": BASE ^ 1}, r"the bus carried base=0x1235 .*lost, doubled or changed"),
        ({"exponent": 1}, r"the bus carried"),
        ({"modulus": 3}, r"the bus carried"),
        ({"length": 7}, r"the bus carried"),
        ({"written": 0}, r"the bus carried"),
        ({"command": 2}, r"the bus carried .* started with 2"),
        ({"busy_cycles": 1}, r"busy for 1 cycles, the formula says \d+"),
        ({"status": Status.EXPONENT_RANGE}, r"status EXPONENT_RANGE, expected OK"),
        ({"status": 15}, r"status code 15, expected OK"),
        ({"status_seen": False}, r"no status was read"),
        ({"lost": 1}, r"1 operations started without being read"),
        ({"result_words": 1}, r"result missing or doubled: \[1\] words of RESULT, expected \[2\]"),
        ({"rejected": 1}, r"1 transfers rejected"),
        ({"bus_error": BusError.BUSY}, r"bus error field is"),
        ({"loop_products": LENGTH - 1}, r"5 products in the loop, expected 6"),
        ({"bit_positions": 1 << 77}, r"exponent bits of the products in the loop"),
        ({"bit_states": 0}, r"exponent bits of the products in the loop"),
        ({"result_added": False}, r"the final reduction did not run"),
        ({"subtracted": True}, r"final subtraction reported as taken=True exact=False"),
        ({"exact": True}, r"final subtraction reported as taken=False exact=True"),
        ({"protocol_broken": True}, r"acknowledge without request"),
        ({"a_core_arcs": 1 << 2}, r"illegal state change core of A starting>finished"),
        ({"s_core_arcs": 1 << 3}, r"illegal state change core of S of no state, bit 3"),
        ({"control_arcs": arcs(["prepare", "exit"])}, r"illegal state change control prepare>exit"),
        ({"control_arcs": arcs(["prepare", "entry"])}, r"R\*\*2 was kept, expected .* computed"),
        ({"control_arcs": arcs(["prepare", "check_constant"])}, r"R\*\*2 was supplied, expected"),
    ],
)
def test_each_check_can_fail_and_names_the_operands(change: dict, message: str) -> None:
    bench, item = config(), good_item()
    found = checked(bench, (item, replace(good_record(bench, item), **change)))
    matching = [failure for failure in found if re.search(message, failure)]
    assert matching, found
    assert f"base={BASE:#x}" in matching[0] and f"modulus={M:#x}" in matching[0]


def core_of(bench: BenchConfig) -> Exponentiation:
    return exponentiation(bench.entry, WIDTH, bench.add_width, bench.bus_width)


def test_r_squared_is_computed_then_kept_until_the_modulus_is_written() -> None:
    bench = config()
    first, written = good_item(), good_item()
    kept = good_item(keep=(ExponentiationAddress.MODULUS,))
    right = [
        (first, good_record(bench, first)),
        (kept, good_record(bench, kept, KEPT)),
        (kept, good_record(bench, kept, KEPT)),
        (written, good_record(bench, written)),
    ]
    assert checked(bench, *right) == []
    for index, mode in ((1, COMPUTED), (3, KEPT)):
        item = right[index][0]
        wrong = [*right[:index], (item, good_record(bench, item, mode))]
        assert any("R**2 was" in f for f in checked(bench, *wrong))
        assert any("the formula says" in f for f in checked(bench, *wrong))


def test_reset_and_zeroise_forget_r_squared_and_length() -> None:
    bench = config()
    first = good_item()
    kept = good_item(keep=(ExponentiationAddress.MODULUS,))
    after = replace(good_record(bench, kept), after_reset=True)
    assert checked(bench, (first, good_record(bench, first)), (kept, after)) == []
    full = good_item(length=WIDTH, keep=(ExponentiationAddress.LENGTH,))
    default = replace(good_record(bench, full), after_reset=True, length=0)
    assert checked(bench, (first, good_record(bench, first)), (full, default)) == []
    # Without a reset the length that was written before still holds.
    stale = replace(default, after_reset=False)
    assert any(
        "the bus carried" in f
        for f in checked(bench, (first, good_record(bench, first)), (full, stale))
    )


def test_supplied_constants() -> None:
    bench = config()
    core = core_of(bench)
    supplied = good_item(r_squared=core.r_squared(M), m_prime=core.m_prime(M))
    assert checked(bench, (supplied, good_record(bench, supplied, SUPPLIED))) == []
    assert checked(bench, (supplied, good_record(bench, supplied, COMPUTED)))
    changed = replace(good_record(bench, supplied, SUPPLIED), r_squared=1)
    assert any("the bus carried" in f for f in checked(bench, (supplied, changed)))


def test_wrong_r_squared_is_rejected_and_nothing_is_kept() -> None:
    bench = config()
    core = core_of(bench)
    first = good_item()
    again = (ExponentiationAddress.MODULUS,)
    wrong = good_item(r_squared=core.r_squared(M) - 1, keep=again)
    rejected = replace(
        good_record(bench, wrong, SUPPLIED),
        control_arcs=arcs(["idle", "prepare", "check_constant", "end", "idle"]),
    )
    kept = good_item(keep=again)
    before = [(first, good_record(bench, first)), (wrong, rejected)]
    assert rejected.status == Status.CONSTANT_INCONSISTENT
    assert checked(bench, *before, (kept, good_record(bench, kept, COMPUTED))) == []
    assert checked(bench, *before, (kept, good_record(bench, kept, KEPT)))
    accepted = replace(rejected, status=Status.OK)
    found = checked(bench, before[0], (wrong, accepted))
    assert any("status OK, expected CONSTANT_INCONSISTENT" in f for f in found)


def test_rejection_before_r_squared_is_looked_at_keeps_it() -> None:
    bench = config()
    first, again = good_item(), (ExponentiationAddress.MODULUS,)
    out_of_range = good_item(base=M, keep=again)
    kept = good_item(keep=again)
    pairs = [
        (first, good_record(bench, first)),
        (out_of_range, good_record(bench, out_of_range)),
        (kept, good_record(bench, kept, KEPT)),
    ]
    assert checked(bench, *pairs) == []


def test_rejected_operation_must_not_deliver_nor_enter_the_loop() -> None:
    bench = config()
    item = good_item(exponent=1 << LENGTH)
    record = good_record(bench, item)
    assert record.status == Status.EXPONENT_RANGE
    rejected = replace(record, control_arcs=arcs(["idle", "end", "idle"]))
    assert checked(bench, (item, rejected)) == []
    assert any(
        "missing or doubled" in f for f in checked(bench, (item, replace(rejected, result_words=2)))
    )
    looped = replace(rejected, control_arcs=arcs(["idle", "prepare", "entry", "loop", "end"]))
    assert any("the loop was entered" in f for f in checked(bench, (item, looped)))


def test_disturbances_must_be_rejected() -> None:
    bench, item = config(), good_item()
    item.disturbances = (TransferItem(False, 1, error=BusError.UNKNOWN_ADDRESS),)
    record = replace(good_record(bench, item), rejected=1, bus_error=BusError.UNKNOWN_ADDRESS)
    assert checked(bench, (item, record)) == []
    assert checked(bench, (item, good_record(bench, item)))


def test_result_zero_tells_an_exact_subtraction() -> None:
    bench = config()
    item = good_item(base=11, exponent=2, modulus=121, length=2)
    for exact in (False, True):
        record = replace(good_record(bench, item), subtracted=exact, exact=exact)
        assert checked(bench, (item, record)) == []
    lost = replace(good_record(bench, item), subtracted=True, exact=False)
    assert any("final subtraction" in f for f in checked(bench, (item, lost)))


def test_a_judge_has_the_last_word() -> None:
    bench, item = config(), good_item()
    item.judge = lambda result: f"OpenSSL rejects {result:#x}"
    assert any("OpenSSL rejects" in f for f in checked(bench, (item, good_record(bench, item))))
    item.judge = lambda result: None
    assert checked(bench, (item, good_record(bench, item))) == []


def test_vector_expectations_are_checked() -> None:
    bench, item = config(), good_item()
    item.expected = {"result": 0}
    found = checked(bench, (item, good_record(bench, item)))
    assert any("the vector says 0x0" in f for f in found)


def products_of(bench: BenchConfig, item: ExponentiationItem) -> list[Product]:
    core = core_of(bench)
    values = core.products(item.base, item.exponent, item.modulus, item.length)
    products = []
    a, s = values.pop(0)
    products.append(Product(ENTRY_STATE, 1, 0, a, s))
    starts = core.product_starts(item.length)
    for i, (a, s) in enumerate(values):
        products.append(Product(LOOP_STATE, item.exponent >> i & 1, starts[i], a, s))
    return products


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_products_are_compared_one_by_one(architecture: str) -> None:
    bench, item = config(architecture), good_item()
    record = good_record(bench, item)

    def failures(products: list[Product]) -> list[str]:
        found: list[str] = []
        checker = ExponentiationChecker(bench, collector(found))
        checker.compare_products = True
        for product in products:
            checker.add_product(product)
        checker.check(item, record)
        return [f for f in found if "product" in f]

    right = products_of(bench, item)
    assert failures(right) == []
    assert "products were reported" in failures(right[:-1])[0]
    assert "products were reported" in failures([])[0]
    for index in range(len(right)):
        for name in ("a", "s", "state", "stray"):
            value = getattr(right[index], name) ^ 1
            wrong = replace(right[index], **{name: value})
            changed = [*right[:index], wrong, *right[index + 1 :]]
            assert f"product {index}: {name} = {value:#x}, the model says" in failures(changed)[0]
    swapped = [replace(p, a=p.s, s=p.a) for p in right]
    assert failures(swapped)
    late = replace(right[-1], exponent_bit=right[-1].exponent_bit ^ 1)
    assert "exponent_bit" in failures([*right[:-1], late])[0]
    moved = replace(right[-1], position=right[-1].position + 1)
    assert "position" in failures([*right[:-1], moved])[0]


def test_products_of_one_operation_do_not_count_for_the_next() -> None:
    bench, item = config(), good_item()
    found: list[str] = []
    checker = ExponentiationChecker(bench, collector(found))
    checker.compare_products = True
    for product in products_of(bench, item):
        checker.add_product(product)
    checker.check(item, good_record(bench, item))
    assert found == []
    checker.check(item, good_record(bench, item))
    assert any("0 products were reported" in f for f in found)


def test_times_are_compared_without_the_formula() -> None:
    watch = ConstantTimeWatch()
    assert watch.missing() == ["nothing was compared"]
    assert watch.note("length 8", 8, 0b1, 100, "first") == ""
    assert watch.note("length 8", 8, 0b1111, 100, "second") == ""
    assert "busy for 101 cycles, but for 100" in watch.note("length 8", 8, 0xFF, 101, "third")
    assert watch.note("length 9", 9, 0x1FF, 120, "another length") == ""
    assert watch.missing() == ["no exponent of Hamming weight [1, 4] was compared for length 9"]


def test_checker_watches_the_times() -> None:
    """A formula that is wrong in the same way as the hardware would not hide it."""
    bench, light, heavy = config(), good_item(exponent=1), good_item(exponent=0b111111)
    late = replace(good_record(bench, heavy), busy_cycles=good_record(bench, heavy).busy_cycles + 1)
    found = checked(bench, (light, good_record(bench, light)), (heavy, late))
    assert any("with other values of length 6, R**2 computed" in f for f in found)
