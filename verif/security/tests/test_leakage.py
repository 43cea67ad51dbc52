"""Leaks are found, a core without a leak has no finding, and the counters count."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from models.registry import architecture
from verif.bench.configuration.design import EXPONENTIATION
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.machine import Machine, Observers, unpacked
from verif.library.lanes.uniform import UniformOperations
from verif.library.netlist.gates import FlipFlop, GateNetlist
from verif.security.configuration import draw_operation
from verif.security.leakage import (
    SECRETS,
    Counts,
    LeakageCampaign,
    corrected_limit,
    distance_scores,
    negative_log10_p,
    proportion_scores,
    traces_needed,
)
from verif.security.leakage_report import LeakageReport
from verif.security.roles import Role, role_of

WIDTH = 8
TRACES = 10_000
SHIFT = "u_core.u_exponent.shift_q"


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


@pytest.mark.tools
@pytest.mark.simulation
@pytest.mark.parametrize("secret", ["exponent", "bit", "base"])
def test_control_is_silent_and_data_is_not(secret: str) -> None:
    report = report_of(bench_of(), secret)
    assert report.of_role(Role.CONTROL).max() < report.limit
    assert np.abs(report.null_scores).max() < report.limit
    loud = Role.DATA if secret == "base" else Role.EXPONENT
    assert report.of_role(loud).max() > 2 * report.limit
    figures = report.figures()
    assert 0 < figures["traces_needed"] < TRACES
    if secret == "base":
        # The exponent is random in both classes.
        assert report.of_role(Role.EXPONENT).max() < report.limit


@pytest.mark.tools
@pytest.mark.simulation
def test_an_address_that_depends_on_a_bit_is_found() -> None:
    injected = "u_core.injected_index_q"
    report = report_of(bench_of(injected), "exponent")
    assert report.of_role(Role.CONTROL).max() > 2 * report.limit
    assert list(report.figures()["differing_control"]) == [f"{injected}[0]"]


@pytest.mark.tools
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
    seen = Observers(
        trace=machine.trace_of(1, cycles),
        toggles=np.zeros((2, cycles, registers), np.uint32),
        differing=np.zeros((cycles, registers), np.uint32),
        distances=np.zeros((2, cycles, 2), np.int64),
        classes=classes,
    )
    uniform.run_unchecked(uniform.words(operands), seen)
    assert seen.trace is not None and seen.toggles is not None
    assert seen.differing is not None and seen.distances is not None
    states = unpacked(seen.trace[0], lanes)
    toggled = states[1:] != states[:-1]
    for number, chosen in enumerate((~classes[0], classes[0])):
        assert (seen.toggles[number, 1:] == toggled[:, :, chosen].sum(axis=2)).all()
        totals = toggled[:, :, chosen].sum(axis=1, dtype=np.int64)
        assert (seen.distances[number, 1:, 0] == totals.sum(axis=1)).all()
        assert (seen.distances[number, 1:, 1] == (totals**2).sum(axis=1)).all()
    assert (seen.differing == (states != states[:, :, :1]).sum(axis=2)).all()


def test_scores_of_known_counts() -> None:
    counts = Counts(
        np.array([100, 100]),
        np.array([[[50, 0, 100]], [[70, 0, 100]]], np.uint32),
        np.array([[[1000, 10400]], [[1100, 12500]]], np.int64),
        np.zeros((1, 3), np.uint32),
    )
    z = proportion_scores(counts)[0]
    assert z[0] == pytest.approx(0.2 / np.sqrt(0.6 * 0.4 * 0.02)) and z[1] == z[2] == 0
    (t,) = distance_scores(counts, 0.0)
    assert t == pytest.approx(1 / np.sqrt((4 + 4) / 100))
    (noisy,) = distance_scores(counts, 2.0)
    assert noisy == pytest.approx(1 / np.sqrt((8 + 8) / 100))
    assert traces_needed(10.0, 400) == 100 and traces_needed(4.9, 400) == 0


def test_limits_are_those_of_the_normal_distribution() -> None:
    assert negative_log10_p(1.959964) == pytest.approx(-np.log10(0.05), abs=1e-4)
    assert negative_log10_p(29.99) == pytest.approx(negative_log10_p(30.01), rel=2e-3)
    assert corrected_limit(1) == pytest.approx(3.2905, abs=1e-3)
    assert 5.9 < corrected_limit(800_000) < 6.2


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("u_core.u_exponent.shift_q", Role.EXPONENT),
        ("u_core.a_write_q", Role.EXPONENT),
        ("u_core.u_base.words[1]", Role.DATA),
        ("u_core.u_adder.sum_q", Role.DATA),
        ("u_core.u_adder.sum_index_q", Role.CONTROL),
        ("u_core.u_control.state_q", Role.CONTROL),
        ("u_core.bank_q", Role.CONTROL),
    ],
)
def test_roles(name: str, role: Role) -> None:
    assert role_of(FlipFlop(name, 0, 0, 0, None, 0, "")) is role
