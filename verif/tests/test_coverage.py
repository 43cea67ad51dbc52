"""Coverage counts what the hardware reported, and a hole is a hole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verif.bench.agent.records import MultiplierRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.coverage.covergroups import CoverageModel, modulus_class, operand_class
from verif.bench.coverage.multiplier import MultiplierCoverage
from verif.tests.test_scoreboard import config, good_record


def coverage(architecture: str, width: int = 16, bus_width: int = 8) -> MultiplierCoverage:
    job = job_of(
        "random", architecture, width, "verilator", seed=1, parameters={"BusWidth": bus_width}
    )
    return MultiplierCoverage(BenchConfig.from_job(job))


def record_with(**changes: object) -> MultiplierRecord:
    record = good_record(config())
    for name, value in changes.items():
        setattr(record, name, value)
    return record


def missing(model: CoverageModel, group: str) -> list[str]:
    data = model.as_dict()[group]
    return [name for name in data["goal"] if name not in data["bins"]]


def test_nothing_is_covered_before_the_first_sample() -> None:
    model = coverage("faster_montgomery")
    assert len(missing(model, "table_address")) == 16
    assert missing(model, "final_subtraction") == ["not_taken", "taken", "exact"]


def test_address_vector_sets_the_bins_of_its_bits() -> None:
    model = coverage("faster_montgomery")
    model.sample(record_with(table_hit=1 << 0b1010 | 1))
    model.sample(record_with(table_hit=1 << 0b0011))
    assert sorted(model.as_dict()["table_address"]["bins"]) == ["0000", "0011", "1010"]
    assert len(missing(model, "table_address")) == 13


def test_transition_and_arc_names() -> None:
    model = coverage("faster_montgomery")
    model.sample(
        record_with(table_transition=1 << (0b0001 << 4 | 0b1010), core_arcs=1 << 6, control_arcs=2)
    )
    data = model.as_dict()
    assert list(data["table_transition"]["bins"]) == ["0001>1010"]
    assert list(data["core_state_arc"]["bins"]) == ["running>finished"]
    assert list(data["control_state_arc"]["bins"]) == ["idle>load"]


def test_arc_of_no_state_is_named_unexpected() -> None:
    model = coverage("faster_montgomery")
    model.sample(record_with(core_arcs=1 << 3))
    assert list(model.as_dict()["core_state_arc"]["bins"]) == ["unexpected bit 3"]


@pytest.mark.parametrize(
    ("subtracted", "exact", "name"),
    [(False, False, "not_taken"), (True, False, "taken"), (True, True, "exact")],
)
def test_final_subtraction(subtracted: bool, exact: bool, name: str) -> None:
    model = coverage("fast_montgomery")
    model.sample(record_with(subtracted=subtracted, exact=exact))
    assert model.as_dict()["final_subtraction"]["bins"] == {name: 1}
    model.sample(record_with(result_added=False))  # a raw or rejected operation has none
    assert model.as_dict()["final_subtraction"]["bins"] == {name: 1}


def test_classes() -> None:
    assert [modulus_class(m, 8) for m in (1, 3, 255, 129, 130, 200 | 1, 9)] == [
        "zero_or_one", "three", "all_ones", "top_bit_plus_one", "even", "full", "leading_zeros",
    ]  # fmt: skip
    assert [operand_class(v, 201) for v in (0, 1, 200, 64, 63, 77, 78, 201)] == [
        "zero", "one", "m_minus_1", "one_hot", "all_ones", "odd", "even", "not_reduced",
    ]  # fmt: skip


def test_interleaved_needs_the_skipped_constants_arc_and_no_even_modulus_status() -> None:
    interleaved = coverage("optimized_interleaved", 32, 16).as_dict()
    montgomery = coverage("faster_montgomery", 32, 16).as_dict()
    assert "step>step" in interleaved["control_state_arc"]["goal"]
    assert "step>step" not in montgomery["control_state_arc"]["goal"]
    assert "MODULUS_EVEN" in montgomery["status"]["goal"]
    assert "MODULUS_EVEN" not in interleaved["status"]["goal"]


def test_goals_are_what_the_configuration_can_reach() -> None:
    one_word = coverage("faster_montgomery", 32, 32).as_dict()
    assert "idle>end" not in one_word["control_state_arc"]["goal"]
    assert "OPERAND_INCOMPLETE" not in one_word["status"]["goal"]
    smallest = coverage("optimized_interleaved", 4).as_dict()
    assert smallest["table_address"]["goal"] == ["000", "001", "010", "011", "100", "101"]


def test_each_unfolded_iteration_has_addresses_of_its_own() -> None:
    bench = BenchConfig.from_job(
        job_of("random", "unfolded_faster_montgomery", 16, "verilator", seed=1)
    )
    model = MultiplierCoverage(bench)
    model.sample(record_with(table_hit=1 << 16 | 1 << 3))
    groups = model.as_dict()
    assert set(groups["table_address_of_iteration_0"]["bins"]) == {"0011"}
    assert set(groups["table_address_of_iteration_1"]["bins"]) == {"0000"}
    assert set(groups["table_address"]["bins"]) == {"0000", "0011"}


def test_fields_and_their_changes() -> None:
    bench = BenchConfig.from_job(job_of("random", "dual_radix", 16, "verilator", seed=1))
    model = MultiplierCoverage(bench)
    for command in (1, 5, 5, 1):
        model.sample(record_with(command=command))
    groups = model.as_dict()
    assert groups["field"]["bins"] == {"GF(P)": 2, "GF(2**n)": 2}
    assert groups["field_switch"]["bins"] == {"GF(P) > GF(2**n)": 1, "GF(2**n) > GF(P)": 1}


def test_carries_between_words() -> None:
    bench = BenchConfig.from_job(job_of("random", "dual_radix", 64, "verilator", seed=1))
    wide = replace(bench, entry=bench.entry.with_parameters({"UnitWidth": 8, "Units": 2}))
    model = MultiplierCoverage(wide)
    model.sample(record_with(carry_hit=0b110))
    group = model.as_dict()["word_carry"]
    assert set(group["bins"]) == {"into word 1", "into word 2"}
    assert group["goal"] == ["into word 1", "into word 2"]
