"""Leaks are found, a core without a leak has no finding, and the counters count."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from models.registry import architecture
from verif.bench.configuration.design import DESIGNS, EXPONENTIATION, MULTIPLIER, ROOT
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Insert, Operator, Replace
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.machine import Machine, Observers, unpacked
from verif.library.lanes.uniform import DifferenceError, UniformOperations
from verif.library.netlist.gates import FlipFlop, GateNetlist
from verif.security.configuration import draw_operation
from verif.security.leakage import (
    SECRETS,
    Counts,
    LeakageCampaign,
    corrected_limit,
    group_scores,
    negative_log10_p,
    proportion_scores,
    traces_needed,
)
from verif.security.leakage_report import LeakageReport
from verif.security.roles import Role, role_of, without_role

WIDTH = 8
TRACES = 10_000
SHIFT = "u_host.u_exponent.shift_q"


def bench_of(change: str = "") -> LaneBench:
    """The exponentiation, or one with one more register."""
    entry = architecture("mwrkmm")
    bench = LaneBench.build(EXPONENTIATION, entry, WIDTH, {"BusWidth": 8})
    if not change:
        return bench
    builder = LaneBuilder.of_project()
    netlist = with_register(builder.netlist(bench.recipe), change)
    return replace(bench, machine=Machine(builder.library(bench.recipe, netlist), netlist))


def with_register(netlist: GateNetlist, name: str) -> GateNetlist:
    """A netlist with one more register, which follows the exponent bit that is worked off."""
    bit = next(r for r in netlist.registers if (r.name, r.bit) == (SHIFT, 0))
    injected = FlipFlop(
        name, 0, bit.q, 1 + max(r.q for r in netlist.registers) + 10**6, None, 0, ""
    )
    return replace(netlist, registers=[*netlist.registers, injected])


def report_of(bench: LaneBench, secret: str, traces: int = TRACES) -> LeakageReport:
    campaign = LeakageCampaign(bench, SECRETS[secret], seed=1, jobs=2)
    found = [campaign.run(traces, null=null) for null in (False, True)]
    return LeakageReport(bench, *found, 0.0, campaign.window)


@pytest.mark.simulation
@pytest.mark.parametrize("secret", ["exponent", "bit", "base"])
def test_control_is_silent_and_data_is_not(secret: str) -> None:
    report = report_of(bench_of(), secret)
    assert report.of_role(Role.CONTROL).max() < report.limit
    assert report.figures()["differing_control"] == {}
    assert np.abs(report.null_scores).max() < report.limit
    loud = Role.DATA if secret == "base" else Role.EXPONENT
    assert report.of_role(loud).max() > 2 * report.limit
    figures = report.figures()
    assert 0 < figures["traces_needed"] < TRACES
    if secret == "base":
        # The exponent is random in both classes.
        assert report.of_role(Role.EXPONENT).max() < report.limit


def planted(folder: Path, *changes: Operator) -> LaneBench:
    """The exponentiation with a leak in a copy of its source."""
    hdl = altered_copy(ROOT / "hdl", folder / "hdl", changes)
    parameters = {"BusWidth": 8}
    return LaneBench.build(EXPONENTIATION, architecture("mwrkmm"), WIDTH, parameters, hdl)


@pytest.mark.simulation
def test_an_address_of_a_memory_that_depends_on_a_bit_is_found(tmp_path: Path) -> None:
    """The product of a bit 0 is dropped, so that its digits may come from address 0."""
    dropped = "(control_i.bit_step && !exponent_i.present) ? '0 : @"
    change = Replace(
        module="exponentiation_operands", signal="a_digit_index", reading="index", to=dropped
    )
    bench = planted(tmp_path, change)
    report = report_of(bench, "exponent")
    assert any("a_digit_index_q" in name for name in report.figures()["differing_control"])
    assert report.of_role(Role.CONTROL).max() > 2 * report.limit


@pytest.mark.simulation
@pytest.mark.parametrize(
    "name", ["mm42", pytest.param("optimized_interleaved", marks=pytest.mark.campaign)]
)
def test_in_a_multiplier_only_the_choice_of_the_bank_differs(name: str) -> None:
    """Registers of results that no operation reads are no finding."""
    bench = LaneBench.build(MULTIPLIER, architecture(name), WIDTH, {})
    differing = report_of(bench, "operand").figures()["differing_control"]
    assert [re.sub(r"^gen_parallel\.u_unit\.|\[\d+\]$", "", each) for each in differing] == [
        "u_adder.bank_q",
        "u_results.fetched_q",
    ]


@pytest.mark.simulation
def test_an_early_exit_is_found(tmp_path: Path) -> None:
    """The loop ends after the highest exponent bit that is 1."""
    early = "(exponent_length == '0) ? 16'd1 : exponent_length"
    change = Replace(module="exponentiation_host", signal="length", to=early)
    bench = planted(tmp_path, change)
    with pytest.raises(DifferenceError, match=r"not as predicted|time of an operation depends"):
        report_of(bench, "exponent")


@pytest.mark.simulation
def test_a_register_that_keeps_a_product_is_found(tmp_path: Path) -> None:
    """It keeps words of A, of a step whose bit is 1, and nothing reads it."""
    keeping = (
        "(* keep *) logic [WordWidth-1:0] kept_m_q; "
        "always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) kept_m_q <= '0; "
        "else if (a_status_o.valid && a_write_o) kept_m_q <= a_word_o;"
    )
    bench = planted(tmp_path, Insert(module="exponentiation_multipliers", text=keeping))
    report = report_of(bench, "exponent")
    kept = [i for i, r in enumerate(bench.machine.registers) if r.name.endswith("kept_m_q")]
    assert np.abs(report.scores[:, kept]).max() > 2 * report.limit


@pytest.mark.campaign  # test_an_address_of_a_memory_that_depends_on_a_bit_is_found shows the same
@pytest.mark.simulation
def test_an_address_that_depends_on_a_bit_is_found() -> None:
    injected = "injected_index_q"
    report = report_of(bench_of(injected), "exponent")
    assert report.of_role(Role.CONTROL).max() > 2 * report.limit
    assert list(report.figures()["differing_control"]) == [f"{injected}[0]"]


@pytest.mark.simulation
def test_toggles_and_distances_are_those_of_the_trace() -> None:
    bench = bench_of()
    machine, lanes = bench.machine, bench.machine.lanes
    rng = np.random.default_rng(5)
    machine.randomise(rng)
    leader = draw_operation(bench, random.Random(5))
    uniform = UniformOperations(bench, leader)
    cycles, registers = uniform.planned.program.cycles, len(machine.registers)
    operands = {
        address: np.full(lanes, values[0], np.uint64) for address, values in leader.operands.items()
    }
    operands[1] = rng.integers(0, 1 << WIDTH, lanes, np.uint64)
    classes = rng.integers(0, 2, (1, lanes)).astype(np.bool_)
    # A register may be in several groups, and a group may be small or empty.
    groups = [range(registers), [3], [], [7, 3, 12, 11]]
    seen = Observers(
        trace=machine.trace_of(1, cycles),
        toggles=np.zeros((2, cycles, registers), np.uint32),
        differing=np.zeros((cycles, registers), np.uint32),
        groups=groups,
        distances=np.zeros((2, len(groups), cycles, 2), np.int64),
        weights=np.zeros((2, len(groups), cycles, 2), np.int64),
        classes=classes,
    )
    uniform.run_unchecked(uniform.words(operands), seen)
    assert seen.trace is not None and seen.toggles is not None and seen.differing is not None
    assert seen.distances is not None and seen.weights is not None
    states = unpacked(seen.trace[0], lanes)
    toggled = states[1:] != states[:-1]
    assert not seen.distances[:, :, 0].any()
    for number, chosen in enumerate((~classes[0], classes[0])):
        assert (seen.toggles[number, 1:] == toggled[:, :, chosen].sum(axis=2)).all()
        for group, members in enumerate(groups):
            for sums, bits in (
                (seen.distances[number, group, 1:], toggled),
                (seen.weights[number, group], states),
            ):
                totals = bits[:, list(members)][:, :, chosen].sum(axis=1, dtype=np.int64)
                assert (sums[:, 0] == totals.sum(axis=1)).all()
                assert (sums[:, 1] == (totals**2).sum(axis=1)).all()
    assert (seen.differing == (states != states[:, :, :1]).sum(axis=2)).all()


def test_the_last_edge_of_an_operation_counts() -> None:
    """A register may take the secret at the end of busy, and lose it at the next start."""
    campaign = object.__new__(LeakageCampaign)
    planned = SimpleNamespace(phases=[SimpleNamespace(start=3, last=9)])
    campaign._workers = [(None, SimpleNamespace(planned=planned))]
    assert list(campaign.window) == [*range(4, 11)]


def test_scores_of_known_counts() -> None:
    sums = np.array([[[[1000, 10400]]], [[[1100, 12500]]]], np.int64)
    counts = Counts(
        np.array([100, 100]),
        np.array([[[50, 0, 100]], [[70, 0, 100]]], np.uint32),
        sums,
        np.zeros_like(sums),
        np.zeros((1, 3), np.uint32),
    )
    z = proportion_scores(counts)[0]
    assert z[0] == pytest.approx(0.2 / np.sqrt(0.6 * 0.4 * 0.02)) and z[1] == z[2] == 0
    ((t,),) = group_scores(counts.traces, counts.distances, 0.0)
    assert t == pytest.approx(1 / np.sqrt((4 + 4) / 100))
    ((noisy,),) = group_scores(counts.traces, counts.distances, 2.0)
    assert noisy == pytest.approx(1 / np.sqrt((8 + 8) / 100))
    assert not group_scores(counts.traces, counts.weights, 0.0).any()
    assert traces_needed(10.0, 400) == 100 and traces_needed(4.9, 400) == 0


def test_limits_are_those_of_the_normal_distribution() -> None:
    assert negative_log10_p(1.959964) == pytest.approx(-np.log10(0.05), abs=1e-4)
    assert negative_log10_p(29.99) == pytest.approx(negative_log10_p(30.01), rel=2e-3)
    assert corrected_limit(1) == pytest.approx(3.2905, abs=1e-3)
    assert 5.9 < corrected_limit(800_000) < 6.2


def test_every_register_of_the_design_has_a_role() -> None:
    """By the names in the sources: a register is called ``…_q``. Attacked tops have no front."""
    files = [path for path in (ROOT / "hdl").rglob("*.sv") if path.parent.name != "fronts"]
    texts = [re.sub(r"//.*", "", path.read_text()) for path in files]
    names = sorted({name for text in texts for name in re.findall(r"\b\w+_q\b", text)})
    assert len(names) > 100
    assert without_role([FlipFlop(name, 0, 0, 0, None, 0, "") for name in names]) == []
    assert without_role([FlipFlop("u.nameless_thing_q", 0, 0, 0, None, 0, "")]) != []


@pytest.mark.simulation
@pytest.mark.parametrize("design", list(DESIGNS))
def test_every_register_of_the_netlist_has_a_role(design: str) -> None:
    bench = LaneBench.build(DESIGNS[design], architecture("mwrkmm"), WIDTH, {"BusWidth": 8})
    assert without_role(bench.machine.registers) == []


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("u_host.u_exponent.shift_q", Role.EXPONENT),
        ("u_operands.u_multipliers.a_write_q", Role.EXPONENT),
        ("u_operands.gen_memory[2].u_words.words[1]", Role.DATA),
        ("u_residue.u_adder.sum_q", Role.DATA),
        ("u_residue.u_adder.sum_index_q", Role.CONTROL),
        ("u_control.state_q", Role.CONTROL),
        ("u_residue.bank_q", Role.CONTROL),
        ("u_adder.bank_1[0]", Role.DATA),
    ],
)
def test_roles(name: str, role: Role) -> None:
    assert role_of(FlipFlop(name, 0, 0, 0, None, 0, "")) is role
