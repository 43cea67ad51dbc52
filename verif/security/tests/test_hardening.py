"""Each hardening option removes its leak or its silent errors; the plain core still has them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.independent import STATUS_CODES
from models.registry import architecture
from verif.bench.configuration.design import (
    EXPONENTIATION,
    ROOT,
    DesignError,
    resolved_parameters,
)
from verif.formal.proof import Case
from verif.formal.registry import proofs
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator, Replace
from verif.library.lanes.bench import LaneBench
from verif.security.configuration import draw_operation
from verif.security.kept import kept_operands
from verif.security.leakage import SECRETS, LeakageCampaign
from verif.security.leakage_report import LeakageReport
from verif.security.roles import Role, without_role
from verif.security.safe_errors import safe_errors
from verif.security.upsets import Effect, Point, UpsetCampaign
from verif.security.upsets_report import sampled

WIDTH = 8
TRACES = 10_000
PLAIN: Mapping[str, int] = {}
BALANCED = {"Balanced": 1}
PARITY = {"Parity": 1}
COHERENT = {"Balanced": 1, "Coherent": 1}
ALL = {**COHERENT, **PARITY}
MODULUS_WORDS = "u_residue.u_modulus.u_modulus.u_memory.words"
MULTIPLIERS = "u_operands.u_multipliers.gen_rings"
DIGIT_INDEX = "u_operands.gen_operand[1].gen_digits.u_digits.index_q"


def bench_of(options: Mapping[str, int], hdl: Path | None = None, width: int = WIDTH) -> LaneBench:
    entry = architecture("mwrkmm")
    return LaneBench.build(EXPONENTIATION, entry, width, {"BusWidth": 8, **options}, hdl)


def report_of(options: Mapping[str, int], secret: str) -> LeakageReport:
    bench = bench_of(options)
    campaign = LeakageCampaign(bench, SECRETS[secret], seed=1, jobs=2)
    found = [campaign.run(TRACES, null=null) for null in (False, True)]
    return LeakageReport(bench, *found, 0.0, campaign.window)


def silent(options: Mapping[str, int], prefix: str) -> float:
    """Share of the upsets of these registers that end in a silent wrong result."""
    bench = bench_of(options)
    rng = random.Random(1)
    campaign = UpsetCampaign(bench, [draw_operation(bench, rng) for _ in range(2)])
    effects = campaign.run(points_of(bench, campaign, prefix)).effects
    return float((effects == Effect.SILENT).mean())


@pytest.mark.simulation
def test_balanced_keeps_a_bit_out_of_exponent_registers_and_the_total() -> None:
    plain, balanced = (report_of(options, "bit") for options in (PLAIN, BALANCED))
    assert plain.of_role(Role.EXPONENT).max() > 2 * plain.limit
    assert balanced.of_role(Role.EXPONENT).max() < balanced.limit
    assert 0 < plain.figures()["traces_needed"] < TRACES
    assert not balanced.figures()["traces_needed"]


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("prefix", "without", "least", "options", "most"),
    [
        (DIGIT_INDEX, BALANCED, 0.0, COHERENT, 0.0),
        # With all options, nearly all wrong results are detected: a test below shows that.
        pytest.param(MODULUS_WORDS, PLAIN, 0.5, PARITY, 0.0, marks=pytest.mark.campaign),
        pytest.param(MULTIPLIERS, BALANCED, 0.2, COHERENT, 0.02, marks=pytest.mark.campaign),
    ],
)
def test_an_option_detects_flips_of_its_registers(
    prefix: str, without: Mapping[str, int], least: float, options: Mapping[str, int], most: float
) -> None:
    assert silent(without, prefix) > least
    assert silent(options, prefix) <= most


@pytest.mark.simulation
def test_each_register_of_the_options_has_a_role() -> None:
    assert without_role(bench_of(ALL).machine.registers) == []
    report = report_of(ALL, "exponent")
    assert report.of_role(Role.CONTROL).max() < report.limit
    assert report.figures()["differing_control"] == {}


@pytest.mark.parametrize(
    ("name", "options", "accepted"),
    [
        ("mwrkmm", {"Balanced": 2}, "accepted are 0 to 1"),
        ("mwrkmm", {"Coherent": 1}, "accepted with Balanced = 1"),
        ("optimized_interleaved", COHERENT, "in a Montgomery core"),
        ("quotient_pipelined", COHERENT, "a core with a scale"),
    ],
)
def test_options_that_do_not_exist_are_rejected(
    name: str, options: Mapping[str, int], accepted: str
) -> None:
    with pytest.raises(DesignError, match=accepted):
        resolved_parameters(EXPONENTIATION, architecture(name), WIDTH, options)


ACCUMULATORS = (
    "u_operands.gen_memory[2].u_words.u_memory.",
    "u_operands.gen_other.u_other.u_memory.",
)


def accumulator_errors(options: Mapping[str, int]) -> int:
    """Number of safe errors among the upsets of both accumulators."""
    bench = bench_of(options)
    campaign = UpsetCampaign(bench, [draw_operation(bench, random.Random(1))])
    points = points_of(bench, campaign, ACCUMULATORS)
    return len(safe_errors(bench, points, "flip", seed=1, jobs=2))


@pytest.mark.simulation
def test_an_upset_of_an_accumulator_shows_no_bit() -> None:
    assert accumulator_errors(BALANCED) > 0
    assert accumulator_errors(ALL) == 0


@pytest.mark.simulation
def test_all_options_detect_nearly_all_wrong_results() -> None:
    for options, least, most in ((BALANCED, 0.0, 0.5), (ALL, 0.99, 1.0)):
        bench = bench_of(options)
        rng = random.Random(1)
        campaign = UpsetCampaign(bench, [draw_operation(bench, rng) for _ in range(2)], jobs=2)
        effects = campaign.run(sampled(campaign.points(), 30_000, 1)).effects
        detected, wrong = ((effects == kind).sum() for kind in (Effect.DETECTED, Effect.SILENT))
        assert least < detected / (detected + wrong) <= most


def statuses_of(bench: LaneBench, prefix: str) -> NDArray[np.int64]:
    """Status of an operation after upsets of the registers with a prefix, [points]."""
    campaign = UpsetCampaign(bench, [draw_operation(bench, random.Random(1))])
    return campaign.run(points_of(bench, campaign, prefix)).statuses[0]


def points_of(
    bench: LaneBench, campaign: UpsetCampaign, prefix: str | tuple[str, ...]
) -> list[Point]:
    """Return the points of the registers with a prefix."""
    names = [register.name for register in bench.machine.registers]
    points = [p for p in campaign.points() if names[p.registers[0]].startswith(prefix)]
    assert points, f"no register {prefix}"
    return points


def altered(tmp_path: Path, change: Operator) -> Path:
    return altered_copy(ROOT / "hdl", tmp_path / "hdl", [change])


INCOHERENT = STATUS_CODES["INCOHERENT"]
S_WORDS = "u_operands.gen_memory[3].u_words.u_memory.words"
R_SQUARED = "u_operands.gen_memory[1].u_words.u_memory.words"
WIPE = Replace(
    module="exponentiation_host", signal="wipe", to="wipe_count_q < WipeCountWidth'(WipeWords)"
)
FINAL_S = Replace(
    module="exponentiation_operands", signal="uses", to="@ & ~(6'(control_i.final_product) << 3)"
)
KEPT = Replace(module="exponentiation_control", signal="valid_d", at="ExpExit", to="valid_q")


@pytest.mark.simulation
def test_an_upset_of_the_idle_core_wipes_no_result(tmp_path: Path) -> None:
    def lost(hdl: Path | None) -> int:
        bench = bench_of(ALL, hdl, 20)  # the count is 6 when the wipe has ended: 2 after a flip
        operations = [draw_operation(bench, random.Random(1)) for _ in range(2)]
        campaign = UpsetCampaign(bench, operations, idle=True)
        points = points_of(bench, campaign, "u_host.wipe_count_q")
        return int((campaign.run(points).effects == Effect.SILENT).sum())

    assert lost(None) == 0
    assert lost(altered(tmp_path, WIPE)) > 0


@pytest.mark.simulation
def test_parity_counts_in_each_product_of_s(tmp_path: Path) -> None:
    statuses = statuses_of(bench_of(ALL), S_WORDS)
    assert (statuses == STATUS_CODES["INTEGRITY"]).any() and not (statuses == INCOHERENT).any()
    faulty = statuses_of(bench_of(ALL, altered(tmp_path, FINAL_S)), S_WORDS)
    assert (faulty == INCOHERENT).any()


@pytest.mark.simulation
def test_an_incoherent_operation_forgets_its_constant(tmp_path: Path) -> None:
    def stays(hdl: Path | None) -> int:
        bench = bench_of(COHERENT, hdl)
        campaign = UpsetCampaign(bench, [draw_operation(bench, random.Random(1))])
        points = points_of(bench, campaign, R_SQUARED)
        assert (campaign.run(points).statuses == INCOHERENT).any()
        kept = kept_operands(bench, points, "flip", seed=1, jobs=2, idle=False)
        return int(kept.stays.sum())

    assert stays(None) == 0
    assert stays(altered(tmp_path, KEPT)) > 0


@pytest.mark.parametrize("name", ["exponent_secrecy_hardened", "exponentiation_reference_hardened"])
def test_a_proof_with_options_has_them(name: str) -> None:
    proof = proofs()[name]
    (core,) = proof.architectures
    macros, _ = Case(proof, core, proof.widths[0]).parameters()
    for option in ALL:
        assert f".{option}(1)" in macros["TOP_PARAMETERS"]
