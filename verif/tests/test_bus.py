"""Where operands, results and records are on the bus and in the bench's vectors."""

from __future__ import annotations

import re
from typing import Any

import pytest

from models.exponentiation_core import exponentiation
from models.status import ExponentiationAddress, Status
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.driver import TransactorDriver
from verif.bench.agent.item import ExponentiationItem, LoaderItem, MultiplierItem
from verif.bench.agent.monitor import RecordFormat
from verif.bench.agent.records import ExponentiationRecord, MultiplierRecord, OperationRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import BENCH, DESIGNS, ROOT
from verif.bench.configuration.job import job_of


def config(test: str, width: int = 33, bus_width: int = 8) -> BenchConfig:
    job = job_of(test, "mwrkmm", width, "verilator", seed=1, parameters={"BusWidth": bus_width})
    return BenchConfig.from_job(job)


def test_multiplier_map() -> None:
    bus = bus_map(config("random"))
    assert [(o.name, o.address, o.words) for o in bus.operands] == [
        ("x", 0, 5), ("y", 1, 5), ("m", 2, 5),
    ]  # fmt: skip
    assert [(r.name, r.address, r.words) for r in bus.results] == [
        ("p", 0, 5), ("s", 1, 5), ("c", 2, 5),
    ]  # fmt: skip
    assert [Status.RAW in r.after for r in bus.results] == [False, True, True]
    assert all(Status.OK in r.after for r in bus.results)
    assert bus_map(config("random", 32, 16)).slot_words == 3  # S and C have two bits more


def test_exponentiation_map() -> None:
    bus = bus_map(config("exp_random"))
    words = {operand.name: (operand.address, operand.words) for operand in bus.operands}
    assert words == {
        "base": (0, 5), "exponent": (1, 5), "modulus": (2, 5), "r_squared": (4, 5),
        "m_prime": (5, 2), "length": (6, 2),
    }  # fmt: skip
    assert [(r.name, r.address) for r in bus.results] == [("result", 0)]
    assert bus.write_addresses == 7 and bus.read_addresses == 1
    assert bus_map(config("exp_random", 8, 8)).slot_words == 2  # the length has 16 bits


def test_every_operand_and_result_is_an_attribute_of_items_and_records() -> None:
    for test, item, record in (
        ("random", MultiplierItem(1, 2, 3), MultiplierRecord),
        ("exp_random", ExponentiationItem(1, 2, 3, 4), ExponentiationRecord),
    ):
        bus = bus_map(config(test))
        fields = set(record.__dataclass_fields__)
        for operand in bus.operands:
            assert hasattr(item, operand.name) and operand.name in fields
        for result in bus.results:
            assert {result.name, f"{result.name}_words"} <= fields


def test_items_load_what_they_are_told() -> None:
    bus = bus_map(config("exp_random"))
    everything = bus.mask("base", "exponent", "modulus", "length")
    assert ExponentiationItem(1, 2, 3, 4).load == everything
    assert ExponentiationItem(1, 2, 3, 4, r_squared=0, m_prime=0).load == bus.everything
    kept = ExponentiationItem(1, 2, 3, 4, keep=(ExponentiationAddress.MODULUS,))
    assert kept.load == everything & ~bus.mask("modulus")


@pytest.mark.parametrize(
    ("test", "item"),
    [
        ("random", MultiplierItem(0x1_2345_6789, 3, 5, load=5)),
        ("exp_random", ExponentiationItem(0x1_2345_6789, 7, 5, 3, m_prime=9)),
    ],
)
def test_request_vector(test: str, item: LoaderItem) -> None:
    """As ``loader_bus_agent.sv`` takes it apart."""
    bus = bus_map(config(test))
    item.idle, item.stall, item.seed = 11, 22, 33
    driver = TransactorDriver.__new__(TransactorDriver)
    driver._map = bus
    vector = driver.request(item)
    for operand in bus.operands:
        slot = vector >> operand.address * bus.slot_bits & ((1 << bus.slot_bits) - 1)
        assert slot == (getattr(item, operand.name) or 0)
    vector >>= bus.write_addresses * bus.slot_bits
    assert vector & ((1 << bus.write_addresses) - 1) == item.load
    vector >>= bus.write_addresses
    assert [vector >> shift & 0xFF for shift in (0, 8, 16)] == [item.command, 22, 11]
    assert (vector >> 24 & 0xFFFFFFFF, vector >> 56) == (bus.cycle_limit, 33)


def test_operand_that_is_too_wide_is_named() -> None:
    driver = TransactorDriver.__new__(TransactorDriver)
    driver._map = bus_map(config("random"))
    with pytest.raises(ValueError, match="y does not fit into its bus words: x=0x1 y=0x1000"):
        driver.request(MultiplierItem(1, 1 << 40, 3))


@pytest.mark.parametrize(
    ("test", "record"), [("random", MultiplierRecord), ("exp_random", ExponentiationRecord)]
)
def test_record_vector(test: str, record: type[OperationRecord]) -> None:
    """Every field is found again, and none overlaps another."""
    layout = RecordFormat(record, bus_map(config(test)), 16)
    names = [name for name in record.__dataclass_fields__ if name != "time_ns"]

    def decoded(packed: int) -> dict[str, Any]:
        found = layout.decode(packed, 1.5)
        return {name: int(getattr(found, name)) for name in names}

    assert set(decoded(0).values()) == {0}
    seen: dict[str, int] = dict.fromkeys(names, 0)
    for bit in range(layout.bits):
        values = {name: value for name, value in decoded(1 << bit).items() if value}
        assert len(values) <= 1  # a slot without an operand has no reader
        for name, value in values.items():
            assert value == 1 << seen[name]
            seen[name] += 1
    assert all(seen.values())


@pytest.mark.parametrize("name", DESIGNS)
def test_bench_top_has_the_selects_of_the_map(name: str) -> None:
    text = (BENCH / "tb" / f"{DESIGNS[name].toplevel}.sv").read_text()
    bus = bus_map(config({"multiplier": "random", "exponentiation": "exp_random"}[name]))

    package = (ROOT / "hdl/pkg/multiplier_pkg.sv").read_text()

    def number(parameter: str) -> int:
        found = re.search(rf"\.{parameter}\s*\((\w+)\)", text)[1]
        while not found.isdecimal():
            found = re.search(rf"localparam int {found} = (\w+);", text + package)[1]
        return int(found)

    assert number("WriteAddresses") == bus.write_addresses
    assert number("ReadAddresses") == bus.read_addresses


def test_cycle_limit_is_beyond_every_legal_operation() -> None:
    bench = config("exp_random")
    bus = bus_map(bench)
    core = exponentiation(bench.entry, bench.width, bench.add_width, bench.bus_width)
    for m in (3, (1 << 33) - 1):
        for supplied in (False, True):
            assert bus.cycle_limit > core.operation_cycles(
                m, bench.width, compute_r_squared=not supplied, check_r_squared=supplied
            )
