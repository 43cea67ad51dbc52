"""The four outcomes, each seen once, and how a campaign ends."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from regress.errors import UsageError
from regress.processes import ProcessGroups
from regress.simulators import find_simulators
from verif.design import EXPONENTIATION, MULTIPLIER, ROOT
from verif.mutation.__main__ import main
from verif.mutation.campaign import (
    BaselineError,
    BudgetSpentError,
    Campaign,
    alone_on_icarus,
    source_batch,
)  # fmt: skip
from verif.mutation.exhaustive import BuildError, agrees
from verif.mutation.operators import Mutant
from verif.mutation.prove import Prover, of_one_operation
from verif.mutation.record import CampaignRecord, MutantRecord, Outcome
from verif.mutation.schemata import single_copy
from verif.mutation.session import Design
from verif.mutation.tests.conftest import needs_abc, needs_icarus

ARCHITECTURE = "fast_montgomery"


@pytest.fixture(scope="module")
def design() -> Design:
    return Design(ROOT / "hdl", (ARCHITECTURE,))


def _mutant(design: Design, file: str, original: str, replacement: str) -> Mutant:
    found = [
        mutant
        for mutant in design.all_mutants
        if (mutant.file, mutant.original, mutant.replacement) == (file, original, replacement)
    ]
    assert found, f"{file} has no {original!r} to become {replacement!r}"
    return found[0]


Start = Callable[..., tuple[Campaign, CampaignRecord]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    def make(*mutants: Mutant, deadline: float | None = None) -> tuple[Campaign, CampaignRecord]:
        record = CampaignRecord(["test"], 1, "2026-11-21")
        for m in mutants:
            record.mutants[m.id] = MutantRecord(m.id, "source", m.file, m.operator, m.change)
        campaign = Campaign(
            record, tmp_path, find_simulators(["verilator", "icarus"])[0], ProcessGroups(), 2,
            deadline=deadline, tell=lambda line: None,
        )  # fmt: skip
        return campaign, record

    return make


@pytest.mark.simulation
@needs_icarus
def test_killed(design: Design, start: Start, tmp_path: Path) -> None:
    """A dropped carry; and what dies without delivering anything."""
    mutant = _mutant(
        design, "common/carry_save_adder.sv", "(a_i & b_i) | (a_xor_b & c_i)", "(a_i & b_i)"
    )
    campaign, record = start(mutant)
    jobs = alone_on_icarus(design.fast())[:1]
    campaign.run_alone(record.mutants[mutant.id], mutant, design.hdl, jobs)
    (entry,) = record.mutants.values()
    assert entry.outcome is Outcome.KILLED
    assert entry.test == jobs[0].id
    assert "gmpy2" in entry.message or "the model says" in entry.message
    assert CampaignRecord.read(tmp_path) == record


def test_survives_if_nothing_tests_it(design: Design, start: Start) -> None:
    mutant = _mutant(
        design, "common/carry_save_adder.sv", "(a_i & b_i) | (a_xor_b & c_i)", "(a_i & b_i)"
    )
    campaign, record = start(mutant)
    campaign.run_alone(record.mutants[mutant.id], mutant, design.hdl, [])
    assert record.count(Outcome.SURVIVED) == 1


@pytest.mark.simulation
@needs_icarus
def test_broken_build(design: Design, start: Start) -> None:
    broken = Mutant(
        "common/carry_save_adder.sv",
        "carry_save_adder",
        1,
        "constant",
        1,
        0,
        0,
        "",
        ") not ( HDL\n",
    )
    campaign, record = start(broken)
    campaign.run_alone(
        record.mutants[broken.id], broken, design.hdl, alone_on_icarus(design.fast())[:1]
    )
    assert record.count(Outcome.BROKEN) == 1


@pytest.mark.slow
@needs_abc
def test_equivalent_is_proved_and_others_are_not(design: Design, tmp_path: Path) -> None:
    prover = Prover(design.hdl, design.elaborated, design.points()[:1], tmp_path, 60)
    same = next(
        m for m in design.all_mutants
        if m.file == "common/montgomery_inverse.sv" and m.operator == "reset_value"
        and "shifted_m_q" in design.sources[m.file].text.decode().splitlines()[m.line - 1]
    )  # fmt: skip
    finding = prover.source(same)
    assert finding.proved, finding.method
    assert finding.configurations[0].startswith(
        ("montgomery_inverse alone (MaxBits 9)", f"{ARCHITECTURE}-9-verilator")
    )
    other = _mutant(
        design, "common/carry_save_adder.sv", "(a_i & b_i) | (a_xor_b & c_i)", "(a_i & b_i)"
    )
    assert not prover.source(other).proved


@pytest.mark.slow
@needs_abc
def test_what_no_front_end_takes_is_a_broken_build(design: Design, tmp_path: Path) -> None:
    """Icarus reads a bit that is not there as unknown."""
    file = "common/carry_save_adder.sv"
    start = design.sources[file].text.index(b"a_i & b_i")
    beyond = Mutant(file, "place", 1, "bit_index", 1, start, start + 3, "a_i", "a_i[Width]")
    finding = Prover(design.hdl, design.elaborated, design.points()[:1], tmp_path, 60).source(
        beyond
    )
    assert finding.rejected and not finding.proved, finding.method
    assert "cannot refer to element" in finding.method
    hdl = tmp_path / "broken"
    shutil.copytree(design.hdl, hdl)
    (hdl / file).write_bytes(beyond.applied((hdl / file).read_bytes()))
    prover = Prover(hdl, design.elaborated, design.points()[:1], tmp_path / "of_it", 60)
    finding = prover.source(beyond)
    assert not finding.rejected, "the original itself is not taken: that says nothing"


@pytest.mark.parametrize(
    ("file", "original", "shown"),
    [
        ("multipliers/mm42.sv", "x1[i] & x2[i]", True),
        ("multipliers/mm42.sv", "x1_q <= '0;", False),  # in a reset
        ("common/systolic_ring.sv", "'0", False),  # perhaps of a reset
        ("common/multiplier_control.sv", "add_done_i", False),  # may count for the next operation
        ("rsa/exponentiation.sv", "ends || prepare", False),
    ],
)
def test_what_single_operations_show(file: str, original: str, shown: bool) -> None:
    """Else the next operation, or a reset, might tell, which no exhaustive simulation has."""
    mutant = Mutant(file, "place", 1, "drop_operand", 1, 0, len(original), original, "")
    assert of_one_operation(mutant) is shown


def test_contexts_have_an_exponentiation_whatever_the_architecture(tmp_path: Path) -> None:
    for name, core in (("mwrkmm", "mwrkmm"), ("mm42", "mm42")):
        design = Design(ROOT / "hdl", (name,))
        prover = Prover(design.hdl, design.elaborated, design.points(), tmp_path, 1)
        taken, rest = prover.contexts([*design.points(), *design.points()])
        assert {(point.top, point.point["architecture"]) for point in taken} == {
            (MULTIPLIER.name, core), (EXPONENTIATION.name, core),
        }  # fmt: skip
        assert not set(taken) & set(rest)


@pytest.mark.simulation
@pytest.mark.slow
def test_every_operand_of_a_small_width(design: Design, tmp_path: Path) -> None:
    """The design agrees with itself, a carry that is dropped does not."""
    points = [point for point in design.points() if point.top == MULTIPLIER.name][:1]
    assert agrees(design.hdl, points, tmp_path) == (
        True, ["products of 5 bits, fast_montgomery (AddWidth=4, BusWidth=8)"],
    )  # fmt: skip
    other = _mutant(
        design, "common/carry_save_adder.sv", "(a_i & b_i) | (a_xor_b & c_i)", "(a_i & b_i)"
    )
    powers = [point for point in design.points() if point.top != MULTIPLIER.name][:1]
    copy = single_copy(design.hdl, other, tmp_path)
    for some in (points, powers):
        same, _ = agrees(copy, some, tmp_path)
        assert not same
    adder = copy / other.file
    adder.write_text(adder.read_text().replace("endmodule", "  logic [1:0] two = 3'd0;\nendmodule"))
    with pytest.raises(BuildError, match="failed"):
        agrees(copy, points, tmp_path)


@pytest.mark.simulation
@pytest.mark.slow
def test_many_in_one_build(design: Design, start: Start, tmp_path: Path) -> None:
    """Each is a process of one simulation: wrong, hung, and one that this job cannot find."""
    file = "common/bit_serial_control.sv"
    killed = _mutant(design, file, "StateRunning", "StateFinished")
    hung = _mutant(design, file, "state_d = StateFinished;", ";")
    same = _mutant(design, file, "count_q == LastCount", "count_q != LastCount")
    mutants = [killed, hung, same]
    campaign, record = start(*mutants)
    jobs = design.fast()[:1]
    batch = source_batch(design.hdl, design.sources, mutants, record, jobs, tmp_path / "source")
    campaign.run_batch(batch)
    outcomes = [record.mutants[m.id].outcome for m in mutants]
    assert outcomes == [Outcome.KILLED, Outcome.KILLED, Outcome.SURVIVED]
    assert "operation not done within" in record.mutants[hung.id].message


@pytest.mark.simulation
@needs_icarus
def test_a_design_that_fails_by_itself_is_no_judge(
    design: Design, start: Start, tmp_path: Path
) -> None:
    mutant = next(mutant for mutant in design.mutants if not mutant.static)
    campaign, record = start(mutant)
    hdl = tmp_path / "wrong"
    shutil.copytree(design.hdl, hdl)
    adder = hdl / "common" / "carry_save_adder.sv"
    adder.write_text(adder.read_text().replace("^ c_i", "| c_i"))
    batch = source_batch(
        hdl, design.sources, [mutant], record, alone_on_icarus(design.fast())[:1], tmp_path / "s"
    )
    shutil.copytree(hdl, batch.hdl, dirs_exist_ok=True)
    (batch.hdl / "mutation_pkg.sv").unlink()
    with pytest.raises(BaselineError, match="fails without a mutant"):
        campaign.run_batch(batch)


def test_the_budget_ends_it(design: Design, start: Start) -> None:
    mutant = design.mutants[0]
    campaign, record = start(mutant, deadline=time.monotonic() - 1)
    with pytest.raises(BudgetSpentError):
        campaign.run_alone(
            record.mutants[mutant.id], mutant, design.hdl, alone_on_icarus(design.fast())
        )
    assert record.count(Outcome.NOT_RUN) == 1


def test_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--list", "--file", "*bit_serial_control*"]) == 0
    assert "bit_serial_control/count_q:" in capsys.readouterr().out
    for wrong in (
        ["--file", "nothing.sv", "--list"],
        ["--arch", "fast"],
        ["--mutant", "nothing", "--out", str(tmp_path / "out")],
        ["--report", str(tmp_path)],
    ):
        assert main(wrong) == 2
        assert capsys.readouterr().err.startswith("regress: ")
    with pytest.raises(UsageError):
        assert not Design(ROOT / "hdl", (), ("nothing.sv",)).mutants
