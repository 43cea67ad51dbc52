"""What becomes of mutants: found, survived, broken, proved; as jobs of the manager."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from regress.cli import command_line as cli
from regress.cli.session import execute, load
from regress.cli.workspace import Workspace
from regress.core.plan import Plan, PlannedJob
from regress.run.record import RunRecord
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, ROOT
from verif.faults.campaign.chain import Asked
from verif.faults.campaign.outcome import results
from verif.faults.campaign.record import Result, add_results, read_results
from verif.faults.mutants.design import Design, kind
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.plan import Chains
from verif.faults.mutants.prove import SAME, Finding, Prover, contexts
from verif.faults.mutants.tests.conftest import needs_abc, needs_icarus
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Swap
from verif.tests.context import CONTEXT

ARCHITECTURE = "fast_montgomery"
ADDER = "lib/carry_save_adder.sv"
# The part of the carry that comes with the third operand is dropped; of a part one operand.
CARRY, OPERAND = (f"carry_save_adder/carry_o:drop_operand:{number}" for number in (2, 4))


@pytest.fixture(scope="module")
def design() -> Design:
    return Design(CONTEXT, ROOT / "hdl", (ARCHITECTURE,))


def _mutant(design: Design, name: str) -> Mutant:
    (found,) = (mutant for mutant in design.all_mutants if mutant.id == name)
    return found


def _chains(design: Design, prove: float = 0.0) -> Chains:
    return Chains(design, "mutants", "mutation", prove)


def _found(record: RunRecord) -> dict[str, Result]:
    return {one.fault: one for one in results(record)}


def _run(folder: Path, jobs: list[PlannedJob]) -> RunRecord:
    plan = Plan(name="mutants", seed=1, jobs=tuple(jobs), waves=False)
    workspace = replace(Workspace.of(CONTEXT), builds=folder / "builds", runs=folder)
    return execute(
        plan, workspace, Console(quiet=True), workers=2, out=folder / "run",
        explicit_simulators=False,
    )  # fmt: skip


@pytest.mark.simulation
@needs_icarus
def test_alone_it_is_killed_or_lives_or_cannot_be_built(design: Design, tmp_path: Path) -> None:
    """A dropped carry, a change that changes nothing, and what is no SystemVerilog."""
    killed = _mutant(design, CARRY)
    same = replace(killed, number=8, replacement=f"({killed.original})")
    broken = replace(killed, number=9, replacement=") not ( HDL\n")
    some = [killed, same, broken]
    jobs = _chains(design).alone(some, lambda m: design.alone(m)[:2], tmp_path / "designs")
    record = _run(tmp_path, jobs)
    found = _found(record)
    assert [found[m.id].outcome for m in some] == ["detected", "unresolved", "broken"]
    assert found[killed.id].job.startswith("random-") and found[killed.id].seconds > 0
    assert "gmpy2" in found[killed.id].message or "the model says" in found[killed.id].message
    assert not record.passed
    (bucket,) = record.buckets
    assert bucket.command.endswith(f"faults --source mutants {same.id} --again")
    assert "Mutants by operator" in (record.folder / "report.html").read_text()
    loaded = _found(load(CONTEXT, record.folder))
    assert {n: one.outcome for n, one in loaded.items()} == {
        n: one.outcome for n, one in found.items()
    }
    assert not list(record.folder.rglob("simulation")), "the simulations' folders are gone"


@pytest.mark.simulation
@pytest.mark.slow
def test_many_in_one_build(design: Design, tmp_path: Path) -> None:
    """Each is a process of one simulation: wrong, hung, one that this job cannot find; broken."""
    killed = _mutant(design, "bit_serial_control/step_o:state:1")
    hung = _mutant(design, "bit_serial_control/StateRunning/state_d:delete_assignment:1")
    same = _mutant(design, "bit_serial_iterations/ends:drop_operand:1")
    no_name = replace(_mutant(design, CARRY), number=9, replacement="nobody_knows")
    jobs, broken = _chains(design).many([killed, hung, same, no_name], tmp_path / "designs", 1)
    assert list(broken) == [no_name.id] and "nobody_knows" in broken[no_name.id]
    chain = [replace(job, after="", job=replace(job.job, cases=jobs[0].job.cases)) for job in jobs]
    record = _run(tmp_path, chain[:1])
    found = _found(record)
    # The next job of the chain would get it.
    assert [found[m.id].outcome for m in (killed, hung, same)] == [
        "detected",
        "detected",
        "survived",
    ]
    assert "operation not done within" in found[hung.id].message


@pytest.mark.campaign  # test_smallest.py calls the command, test_record.py has the record
@pytest.mark.simulation
@pytest.mark.slow
def test_the_command_keeps_what_it_finds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One is killed by its first job; a second call has nothing to run."""
    record, out = tmp_path / "record.jsonl", tmp_path / "run"
    options = [CARRY, "--arch", ARCHITECTURE, "--no-prove", "--record", str(record)]
    assert cli.main(["mutate", *options, "--jobs", "1", "--out", str(out)]) == 0
    assert "1 mutants: 1 killed, 0 equivalent, 0 broken, 0 unresolved" in capsys.readouterr().out
    (kept,) = read_results(record)
    assert (kept.fault, kept.outcome, kept.jobs) == (CARRY, "detected", 1)
    assert kept.content and kept.job.startswith("random-")
    again = tmp_path / "again"
    assert cli.main(["mutate", *options, "--out", str(again)]) == 0
    assert not again.exists()
    # --alone repeats unresolved mutants; here none is unresolved.
    assert cli.main(["mutate", *options[1:], "--alone", "--out", str(again)]) == 2
    assert "no mutants are selected" in capsys.readouterr().err
    add_results(record, [kept.model_copy(update={"outcome": "unresolved"})])
    assert cli.main(["mutate", *options, "--report"]) == 1


@pytest.mark.campaign  # test_record.py has the outcome, regress/tests the chain
@pytest.mark.simulation
@pytest.mark.slow
def test_a_design_that_fails_by_itself_is_no_judge(design: Design, tmp_path: Path) -> None:
    swapped = Swap(module="carry_save_adder", signal="sum_o", operator="^", to="|")
    wrong = Design(
        CONTEXT, altered_copy(design.hdl, tmp_path / "wrong", [swapped]), (ARCHITECTURE,)
    )
    mutant = next(m for m in wrong.mutants if kind(m) == "source")
    jobs, _ = _chains(wrong).many([mutant], tmp_path / "designs", 1)
    record = _run(tmp_path, jobs[:1])
    assert "fails without a fault" in record.jobs[0].message
    assert _found(record)[mutant.id].outcome == "undecided"
    assert not record.passed


def test_the_plan_is_chains(design: Design, tmp_path: Path) -> None:
    """Every mutant is in one chain, which ends in the job that calls it a survivor."""
    some = [m for m in design.mutants if m.file == ADDER or "control" in m.file][:60]
    jobs = _chains(design, prove=1.0).alone(some[:1], design.alone, tmp_path)
    assert [job.after for job in jobs] == ["", *(job.id for job in jobs[:-1])]
    asked = [Asked.of(job.job) for job in jobs]
    assert [one.last for one in asked if one] == [False] * (len(jobs) - 1) + [True]
    # The last one tries to prove what the others left, and runs on the build before it.
    assert asked[-1] and asked[-1].way.endswith(":proved") and jobs[-1].point == jobs[-2].point
    assert {job.job.hdl for job in jobs} == {str(tmp_path / Path(jobs[0].job.hdl).name)}


@pytest.mark.campaign  # test_the_plan_is_chains shows the order of jobs
def test_a_change_in_a_reset_meets_the_test_that_looks_at_resets() -> None:
    design = Design(CONTEXT, ROOT / "hdl", ("mwrkmm",))
    mutant = next(
        m for m in design.mutants if kind(m) == "reset" and m.file.startswith("exponentiation/")
    )
    tests = [planned.job.test for planned in design.alone(mutant)]
    assert tests.index("exp_zeroise") == 1, "after the test that kills most"


@pytest.mark.campaign  # test_the_plan_is_chains shows the order of jobs
def test_a_change_of_a_constant_meets_every_configuration() -> None:
    """Code that few of them have, and a package that both tops read."""
    design = Design(CONTEXT, ROOT / "hdl", ("mwrkmm",))
    for name in ("delay_line/gen_ram/Rows:arithmetic:1", "multiplier_pkg/StatusOk:constant:1"):
        points = [planned.point for planned in design.alone(_mutant(design, name))]
        assert len(points) == len(set(points))
        assert {(p.top, p.point) for p in points} == {(p.top, p.point) for p in design.points()}


@pytest.fixture
def in_one_configuration(design: Design, monkeypatch: pytest.MonkeyPatch) -> str:
    """Prove in the first configuration of the list; return its name."""
    file = "lib/montgomery_inverse.sv"
    points = [point for point in design.points() if design.elaborated.has(file, point)][:1]
    monkeypatch.setattr(Design, "points", lambda _: points)
    return points[0].name


@pytest.mark.campaign  # test_equivalence.py shows both verdicts on small designs
@needs_abc
def test_equivalent_is_proved_and_others_are_not(
    design: Design, tmp_path: Path, in_one_configuration: str
) -> None:
    prover = Prover(design, tmp_path, 60)
    finding = prover.source(
        _mutant(design, "montgomery_inverse/gen_inverse/reset/shifted_m_q:reset_value:1")
    )
    assert finding.proved, finding.method
    assert in_one_configuration in finding.method
    assert not prover.source(_mutant(design, CARRY)).proved


@pytest.mark.slow
@pytest.mark.usefixtures("in_one_configuration")
def test_what_no_front_end_takes_is_rejected(
    design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Icarus reads a bit that does not exist as X; the front end rejects it: a broken build."""
    prover = Prover(design, tmp_path, 60)
    operand = _mutant(design, OPERAND)
    finding = prover.source(replace(operand, replacement=f"{operand.replacement}[Width]"))
    assert finding.rejected and not finding.proved, finding.method
    assert "cannot refer to element" in finding.method
    monkeypatch.setattr(Design, "points", lambda _: [])
    assert "no configuration" in prover.source(operand).method


def test_what_clears_memories_is_no_matter_of_outputs(
    design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memories that are never wiped were proved equivalent by all their products."""
    mutant = Mutant("cores/ring/dual_radix.sv", "dual_radix/u_m/wipe_index_i", 1, "port", 1, 0, 7,
                    ".wipe_index_i (wipe_index)", ".wipe_index_i('1)")  # fmt: skip
    prover = Prover(design, tmp_path, 1)
    for method, proved in ((SAME, True), ("an invariant", False)):
        monkeypatch.setattr(Prover, "_source", lambda *_, m=method: Finding(True, m))
        assert prover.source(mutant).proved is proved
        assert prover.source(replace(mutant, place="a/b", original="x", replacement="y")).proved


def test_contexts_have_an_exponentiation_whatever_the_architecture() -> None:
    for name, core in (("mwrkmm", "mwrkmm"), ("mm42", "mm42")):
        design = Design(CONTEXT, ROOT / "hdl", (name,))
        taken, rest = contexts([*design.points(), *design.points()])
        assert {(point.top, point.point["architecture"]) for point in taken} == {
            (MULTIPLIER.name, core), (EXPONENTIATION.name, core),
        }  # fmt: skip
        assert not set(taken) & set(rest)


def test_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = ["--arch", ARCHITECTURE]
    assert cli.main(["mutate", *one, "--show", "--file", "*bit_serial_control*"]) == 0
    assert "bit_serial_control/count_q:" in capsys.readouterr().out
    for wrong in (
        [*one, "--file", "nothing.sv", "--show"],
        ["--arch", "fast"],
        [*one, "nothing", "--out", str(tmp_path / "out")],
    ):
        assert cli.main(["mutate", *wrong]) == 2
        assert capsys.readouterr().err.startswith("regress: ")
