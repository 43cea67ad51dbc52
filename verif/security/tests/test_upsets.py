"""Faults change the right register in the right cycle, with the known effects."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from models.registry import architecture
from regress.cli.command_line import main
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, ROOT, Design
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Insert, Operator, Replace
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.machine import FLIP, HOLD, STUCK1, UPSET, Observers, unpacked
from verif.security.configuration import draw_operation
from verif.security.kept import Kept
from verif.security.safe_errors import safe_errors
from verif.security.upsets import NEVER, Effect, Found, Point, UpsetCampaign
from verif.security.upsets_report import Expectation, UpsetReport, sampled

WIDTH = 8


@pytest.fixture(scope="module")
def bench() -> LaneBench:
    parameters = {"BusWidth": 8}
    return LaneBench.build(EXPONENTIATION, architecture("mwrkmm"), WIDTH, parameters)


def campaign_of(bench: LaneBench, fault: str = "flip") -> UpsetCampaign:
    rng = random.Random(1)
    return UpsetCampaign(bench, [draw_operation(bench, rng) for _ in range(3)], fault)


def of_register(bench: LaneBench, points: list[Point], name: str) -> list[Point]:
    registers = bench.machine.registers
    found = [p for p in points if registers[p.registers[0]].name == name]
    assert found, f"no register {name}"
    return found


@pytest.mark.simulation
def test_a_fault_is_in_its_register_its_lane_and_its_cycle(bench: LaneBench) -> None:
    """The flip shows at once, the skipped write a cycle later, the stuck bit for ever."""
    machine, planned = bench.machine, campaign_of(bench).planned
    prepared = machine.prepare(planned.program, planned.prediction.edges)
    words = np.broadcast_to(planned.words[:, :, None], (*planned.words.shape[:2], 1, machine.lanes))
    initial = machine.state
    # A register that the idle core does not hold in reset.
    labels = [r.label for r in machine.registers]
    register = labels.index("u_host.u_loader.data_q[0]")

    def traced(*records: tuple[int, ...]) -> np.ndarray:
        trace = machine.trace_of(1, planned.program.cycles)
        upsets = [np.array(list(records), UPSET)] if records else ()
        machine.run(prepared, words, upsets, Observers(trace=trace), initial)
        return unpacked(trace[0, :, register], machine.lanes)

    clean = traced()
    # A word is written between these cycles: some write changes the bit.
    changes = 1 + np.flatnonzero(clean[1:, 0] != clean[:-1, 0])
    cycle = int(changes[0])
    flipped = traced((cycle, NEVER, register, 3, FLIP)) != clean
    assert flipped[:cycle].sum() == 0 and flipped[cycle].nonzero()[0].tolist() == [3]
    held = traced((cycle - 1, NEVER, register, 5, HOLD)) != clean
    assert held[:cycle].sum() == 0 and held[cycle].nonzero()[0].tolist() == [5]
    stuck = traced((cycle, NEVER, register, 7, STUCK1))
    assert stuck[cycle:, 7].all() and (stuck[:, :7] == clean[:, :7]).all()
    # A reset does not change a stuck bit: the idle core holds this register in reset.
    register = labels.index("u_residue.u_adder.done_q[0]")
    stuck = traced((cycle, NEVER, register, 7, STUCK1))
    assert stuck[cycle:, 7].all() and not traced()[:, 7].all()


@pytest.mark.simulation
def test_known_registers_have_known_effects(bench: LaneBench) -> None:
    campaign = campaign_of(bench)
    points = campaign.points()
    assert len(points) == len(campaign.window) * len(bench.machine.registers)

    def effects(name: str) -> np.ndarray:
        return campaign.run(of_register(bench, points, name)).effects

    # The index of the exponent bit has a bound; above it, the operation ends with status Upset.
    index = effects("u_control.index_q")
    assert (index == Effect.DETECTED).mean() > 0.5 and not (index == Effect.HANG).any()
    # A whole exponent renews its number of bits.
    assert (effects("u_host.u_exponent.bits_q") == Effect.NONE).all()
    # Length was not written: an upset marks it as written until the host writes it.
    assert (effects("u_host.length_set_q") == Effect.LATENT).all()
    # An operation does not read the word that the bus wrote last.
    data = effects("u_host.u_loader.data_q")
    assert (data == Effect.NONE).mean() > 0.9


@pytest.mark.simulation
def test_a_core_without_the_bound_hangs(tmp_path: Path) -> None:
    """The campaign sees the hang that the bound and the watchdog of the upset detector prevent."""
    unguarded = Replace(module="exponentiation_upset_detector", signal="upset_o", to="1'b0")
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [unguarded])
    bench = LaneBench.build(EXPONENTIATION, architecture("mwrkmm"), WIDTH, {"BusWidth": 8}, hdl)
    campaign = campaign_of(bench)
    points = of_register(bench, campaign.points(), "u_control.index_q")
    assert (campaign.run(points).effects == Effect.HANG).mean() > 0.5


def of_multiplier(name: str, options: dict[str, int], hdl: Path | None = None) -> Found:
    """Return the effects of all flips in a multiplier."""
    parameters = {"BusWidth": 8, **options}
    campaign = campaign_of(LaneBench.build(MULTIPLIER, architecture(name), WIDTH, parameters, hdl))
    return campaign.run(campaign.points())


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("name", "kept"),
    [
        pytest.param(
            "fast_montgomery",
            Replace(module="parallel_unit", signal="core_rst_n", to="rst_ni"),
            marks=pytest.mark.campaign,
        ),
        ("mwrkmm", Replace(module="ring_unit_operands", signal="convert_rst_n", to="rst_ni")),
    ],
)
def test_no_upset_of_a_multiplier_changes_a_later_product(
    name: str, kept: Replace, tmp_path: Path
) -> None:
    """What computes is in reset between operations, so that only a hang concerns the next one."""
    design = of_multiplier(name, {})
    assert not (design.effects == Effect.LATENT).any()
    assert (design.effects[design.next_wrong] == Effect.HANG).all()
    faulty = of_multiplier(name, {}, altered_copy(ROOT / "hdl", tmp_path / "hdl", [kept]))
    assert (faulty.effects == Effect.LATENT).any()


@pytest.mark.simulation
@pytest.mark.parametrize(
    "name",
    ["fast_montgomery", *(pytest.param(name, marks=pytest.mark.campaign)
                          for name in ("mwrkmm", "optimized_interleaved"))],
)  # fmt: skip
def test_no_upset_hangs_a_multiplier_with_a_watchdog(name: str, tmp_path: Path) -> None:
    design = of_multiplier(name, {"Watchdog": 1})
    assert not (design.effects == Effect.HANG).any()
    assert not design.next_wrong.any()
    blind = Replace(module="operation_watchdog", signal="upset_o", at="gen_watchdog", to="lost_i")
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [blind])
    faulty = of_multiplier(name, {"Watchdog": 1}, hdl)
    assert (faulty.effects == Effect.HANG).any() and faulty.next_wrong.any()


LOST_WRITES = Replace(module="operand_loader", signal="full", at="gen_operand", to="full_q")
BUSY_ADDER = Replace(module="word_stream_adder", signal="state", to="state_q")


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("design", "name", "options", "change"),
    [
        (MULTIPLIER, "fast_montgomery", {"Watchdog": 1}, LOST_WRITES),
        (EXPONENTIATION, "mwrkmm", {}, LOST_WRITES),
        pytest.param(MULTIPLIER, "optimized_interleaved", {"Watchdog": 1}, BUSY_ADDER,
                     marks=pytest.mark.campaign),
    ],
)  # fmt: skip
def test_an_upset_of_an_idle_core_leaves_the_next_operation_right(
    design: Design, name: str, options: dict[str, int], change: Replace, tmp_path: Path
) -> None:
    """The acknowledge is the exception: a false one shifts the transfers of the simulated host."""

    def wrong(hdl: Path | None) -> set[str]:
        bench = LaneBench.build(design, architecture(name), WIDTH, {"BusWidth": 8, **options}, hdl)
        rng = random.Random(1)
        operations = [draw_operation(bench, rng) for _ in range(3)]
        campaign = UpsetCampaign(bench, operations, jobs=2, idle=True)
        points = campaign.points()
        hits = campaign.run(points).next_wrong.nonzero()[0]
        return {bench.machine.registers[points[hit].registers[0]].name for hit in hits}

    assert wrong(None) <= {"u_loader.ack_q", "u_host.u_loader.ack_q"}
    faulty = wrong(altered_copy(ROOT / "hdl", tmp_path / "hdl", [change]))
    assert any(register.rsplit(".", 1)[1] in ("pointer_q", "state_q") for register in faulty)


@pytest.mark.simulation
def test_a_fault_in_a_product_that_is_dropped_reads_a_bit(bench: LaneBench) -> None:
    """The ring of A multiplies in every step; its product counts where the bit is 1."""
    ends = "[0].gen_mwrkmm.u_element.sum_q"
    names = {r.name for r in bench.machine.registers if ".u_ring_a." in r.name}
    (element,) = (name for name in names if name.endswith(ends))
    points = of_register(bench, campaign_of(bench).points(), element)
    found = safe_errors(bench, points, "flip", seed=1, jobs=1)
    assert len({error.bit for error in found}) > WIDTH // 2
    assert {error.right_if for error in found} == {0}
    quiet = of_register(bench, campaign_of(bench).points(), "u_host.u_loader.data_q")
    assert safe_errors(bench, quiet, "flip", seed=1, jobs=1) == []


@pytest.mark.simulation
@pytest.mark.parametrize("fault", ["skip", "stuck0", "stuck1"])
def test_other_faults_have_effects(bench: LaneBench, fault: str) -> None:
    campaign = campaign_of(bench, fault)
    points = sampled(campaign.points(), 1000, 1)
    effects = campaign.run(points).effects
    assert 0 < (effects == Effect.NONE).sum() < len(points)
    assert (effects == Effect.SILENT).any()
    # A stuck bit may keep the core busy; a skipped write leaves a state that ends.
    assert (effects == Effect.HANG).any() == (fault != "skip")


@pytest.mark.simulation
def test_the_report_names_modules_and_lines(bench: LaneBench) -> None:
    points = [Point((0,), 7), Point((1,), 7)]
    effects = np.array([Effect.SILENT, Effect.HANG], np.int8)
    none = np.array([False, False])
    found = Found(effects, np.array([True, False]), none, none, np.zeros((3, 2), np.int64))
    report = UpsetReport(bench, points, found, Kept(~none, none), None)
    assert report.figures() == {
        "experiments": 2, "silent": 1, "detected": 0, "duration": 0, "hang": 1, "latent": 0,
        "next_wrong": 1, "other_status": 0, "kept_wrong": 2, "constant_stays": 0,
    }  # fmt: skip
    (module,) = report.module_table().columns[0].cells
    assert module == "exponentiation_control"
    assert ".sv:" in next(iter(report.register_table().columns[0].cells))


# A new register, which only a fault sets, keeps the core busy.
STUCK = (
    Insert(module="exponentiation_control", where="before", text="logic stuck_q;"),
    Insert(
        module="exponentiation_control",
        text="always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) stuck_q <= 1'b0; "
        "else stuck_q <= stuck_q || (length_q > 16'd60000);",
    ),
    Replace(module="exponentiation_control", signal="busy_o", to="@ || stuck_q"),
)
# No list checked the parity of the words of the residue while it is copied.
UNCHECKED = Replace(
    module="exponentiation_residue",
    signal="bank_use",
    to="control_i.doubling && !control_i.first_doubling || subtract || control_i.y_residue "
    "|| control_i.deliver",
)
# An upset of the outcome ends with the status that it makes, not with Upset.
LEFT_OUT = tuple(
    Replace(module="exponentiation_control", signal=name, to=f"@ ^ (^{outcome})")
    for name, outcome in (("parity_d", "outcome_d"), ("parity", "outcome_q"))
)


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("changes", "options", "grown"),
    [
        (STUCK, (), "next_wrong"),
        pytest.param((UNCHECKED,), ("Parity",), "silent", marks=pytest.mark.campaign),
        pytest.param(LEFT_OUT, ("Balanced", "Parity", "Coherent"), "other_status",
                     marks=pytest.mark.campaign),
    ],
)  # fmt: skip
def test_a_change_that_adds_effects_fails(
    changes: Sequence[Operator],
    options: Sequence[str],
    grown: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", changes)
    parameters = [f"--parameter={name}" for name in ("BusWidth=8", *(f"{o}=1" for o in options))]
    page = ["--html", str(tmp_path / "page.html"), "--no-safe-errors", "--hdl", str(hdl)]
    assert main(["upsets", *parameters, *page]) == 1
    name = "-".join(["exponentiation-mwrkmm-8-bus8", *options, "flip-seed1"])
    assert f"FAILED: {name}: {grown}" in " ".join(capsys.readouterr().out.split())


def test_an_expectation_fails_when_something_grows(tmp_path: Path) -> None:
    path = tmp_path / "upsets.json"
    figures = {"experiments": 9, "silent": 3, "hang": 2, "latent": 1, "next_wrong": 4}
    stored = Expectation(path)
    assert not stored.known("a")
    stored.write("a", figures)
    again = Expectation(path)
    assert again.known("a") and again.growth("a", figures) == []
    assert again.growth("a", {**figures, "silent": 2, "experiments": 99}) == []
    assert again.growth("a", {**figures, "hang": 3}) == ["a: hang 3, expected at most 2"]
    assert len(again.growth("a", {**figures, "silent": 4, "latent": 2})) == 2
