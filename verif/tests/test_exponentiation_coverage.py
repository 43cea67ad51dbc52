"""Coverage of the exponentiation core: goals are what the entry can reach, and a hole is a hole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.registry import hardware_architectures
from models.status import Status
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.coverage.exponentiation import (
    ExponentiationCoverage,
    exponent_class,
    length_class,
)
from verif.tests.test_exponentiation_checker import SUPPLIED, arcs, config, good_item, good_record


def coverage(
    architecture: str, width: int = 32, bus_width: int = 8, **core: int
) -> ExponentiationCoverage:
    parameters = {"BusWidth": bus_width, **core}
    job = job_of("exp_random", architecture, width, "verilator", seed=1, parameters=parameters)
    return ExponentiationCoverage(BenchConfig.from_job(job))


def missing(model: ExponentiationCoverage, group: str) -> list[str]:
    data = model.as_dict()[group]
    return [name for name in data["goal"] if name not in data["bins"]]


def test_every_group_is_told_from_a_multipliers_and_empty_before_the_first_sample() -> None:
    data = coverage("mwrkmm").as_dict()
    assert all(name.startswith("exp_") for name in data)
    assert not any(group["bins"] for group in data.values())
    assert missing(coverage("mwrkmm"), "exp_r_squared") == ["computed", "supplied", "kept"]


@pytest.mark.parametrize("name", hardware_architectures())
def test_goals_are_names_that_samples_can_have(name: str) -> None:
    """A goal of an arc, address or cross that has no bit could never be hit."""
    model = coverage(name)
    for group in model.vectors.values():
        group.sample((1 << 600) - 1)
    data = model.as_dict()
    for group in model.vectors:
        assert set(data[group]["goal"]) <= set(data[group]["bins"]), group


def test_a_record_is_sampled() -> None:
    bench, item = config(), good_item()
    model = ExponentiationCoverage(bench)
    record = replace(
        good_record(bench, item), top_carry=True, bit_positions=1 << 256 | 1, bit_states=1 << 22,
        a_table_hit=1, s_table_hit=2,
    )  # fmt: skip
    model.sample(record)
    bins = {name: set(group["bins"]) for name, group in model.as_dict().items()}
    assert "loop>exit" in bins["exp_control_state_arc"]
    assert bins["exp_bit_x_position"] == {"bit 0 at 0", "bit 1 at 0"}
    assert bins["exp_bit_x_core_state_x_word"] == {"bit 1, first of a word, finished"}
    assert bins["exp_top_carry"] == {"carry"}
    assert bins["exp_final_subtraction"] == {"not_taken"}
    assert bins["exp_r_squared"] == {"computed"}
    assert bins["exp_status"] == {"OK"}
    assert len(bins["exp_a_table_address"] | bins["exp_s_table_address"]) == 2


def test_rejected_operations_count_for_status_and_arcs_alone() -> None:
    bench, item = config(), good_item(exponent=1 << 6)
    model = ExponentiationCoverage(bench)
    model.sample(good_record(bench, item))
    data = model.as_dict()
    assert data["exp_status"]["bins"] == {"EXPONENT_RANGE": 1}
    assert not data["exp_exponent"]["bins"] and not data["exp_final_subtraction"]["bins"]


def test_supplied_constants_are_told() -> None:
    bench = config()
    item = good_item(r_squared=1, m_prime=1)
    model = ExponentiationCoverage(bench)
    record = replace(
        good_record(bench, item, SUPPLIED), status=Status.OK,
        control_arcs=arcs(["prepare", "check_constant", "entry"]),
    )  # fmt: skip
    model.sample(record)
    data = model.as_dict()
    assert data["exp_r_squared"]["bins"] == {"supplied": 1}
    assert data["exp_m_prime"]["bins"] == {"supplied": 1}


def test_goals_follow_the_entry() -> None:
    plain = coverage("optimized_interleaved").as_dict()
    serial = coverage("mwrkmm").as_dict()
    thesis = coverage("fast_montgomery").as_dict()
    assert "prepare>seed" not in plain["exp_control_state_arc"]["goal"]
    assert "prepare>seed" in serial["exp_control_state_arc"]["goal"]
    assert not plain["exp_r_squared"]["goal"] and not thesis["exp_m_prime"]["goal"]
    assert "MODULUS_EVEN" not in plain["exp_status"]["goal"]
    assert "CONSTANT_INCONSISTENT" in thesis["exp_status"]["goal"]
    assert thesis["exp_final_subtraction"]["goal"] == ["not_taken", "exact"]
    assert plain["exp_final_subtraction"]["goal"] == ["not_taken", "taken", "exact"]
    assert "exact" in serial["exp_final_subtraction"]["goal"]
    assert serial["exp_top_carry"]["goal"] and not thesis["exp_top_carry"]["goal"]
    assert "seed>square" in serial["exp_control_state_arc"]["goal"]
    assert "seed>square" in thesis["exp_control_state_arc"]["goal"]


def test_goals_are_what_the_bus_can_reach() -> None:
    narrow, wide = coverage("mwrkmm").as_dict(), coverage("mwrkmm", bus_width=64).as_dict()
    assert "OPERAND_INCOMPLETE" in narrow["exp_status"]["goal"]
    assert "OPERAND_INCOMPLETE" not in wide["exp_status"]["goal"]
    cross = "exp_bit_x_core_state_x_word"
    assert any("last of a word" in name for name in narrow[cross]["goal"])
    assert not any("last of a word" in name for name in wide[cross]["goal"])


def test_classes() -> None:
    assert [exponent_class(e, 18) for e in (0, 1, 2, 3, 65537, (1 << 18) - 1, 1 << 17, 4)] == [
        "zero", "one", "two", "three", "65537", "all_ones", "one_hot_top", "one_hot",
    ]  # fmt: skip
    assert [exponent_class(e, 18) for e in (5, 1 << 17 | 1, 1 << 18)] == [
        "leading_zeros", "full", "too_long",
    ]  # fmt: skip
    assert [length_class(n, 64) for n in (0, 1, 2, 17, 20, 64, 65)] == [
        "zero", "one", "two", "public exponent", "other", "full", "too_long",
    ]  # fmt: skip
