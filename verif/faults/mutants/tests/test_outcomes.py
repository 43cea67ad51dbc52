"""What becomes of mutants: found, survived, broken, proved; as jobs of the manager."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from regress.cli import command_line as cli
from regress.cli.session import execute, load
from regress.cli.workspace import Workspace
from regress.core.cases import Case, CaseStatus
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan
from regress.core.runfile import Status
from regress.run.record import RunRecord
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, ROOT
from verif.faults.mutants import equivalents
from verif.faults.mutants.design import Design, kind
from verif.faults.mutants.exhaustive import BuildError, agrees
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.outcome import MUTANTS, Outcome, merged, mutants
from verif.faults.mutants.plan import alone, campaign, met_by
from verif.faults.mutants.prove import SAME, Finding, Prover, of_one_operation, wipes
from verif.faults.mutants.schemata import single_copy
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


def _run(folder: Path, jobs: list, **changes: object) -> RunRecord:
    plan = Plan(
        name="mutants", seed=1, options={MUTANTS: 1}, jobs=tuple(jobs), waves=False, **changes
    )
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
    jobs = alone(
        design.hdl, [killed, same, broken], lambda m: design.alone(m)[:2], tmp_path / "designs"
    )
    record = _run(tmp_path, jobs)
    found = mutants(record)
    assert [found[m.id].outcome for m in (killed, same, broken)] == [
        Outcome.KILLED, Outcome.SURVIVED, Outcome.BROKEN,
    ]  # fmt: skip
    assert found[killed.id].test == "random" and found[killed.id].seconds > 0
    assert "gmpy2" in found[killed.id].message or "the model says" in found[killed.id].message
    assert not record.passed
    (bucket,) = record.buckets
    assert bucket.command.endswith(f"mutate --mutant {same.id}")
    assert "Mutants by operator" in (record.folder / "report.html").read_text()
    assert mutants(load(CONTEXT, record.folder)) == found
    assert not list(record.folder.rglob("mutants")), "the simulations' folders are gone"


@pytest.mark.simulation
@pytest.mark.slow
def test_many_in_one_build(design: Design, tmp_path: Path) -> None:
    """Each is a process of one simulation: wrong, hung, one that this job cannot find; broken."""
    killed = _mutant(design, "bit_serial_control/step_o:state:1")
    hung = _mutant(design, "bit_serial_control/StateRunning/state_d:delete_assignment:1")
    same = _mutant(design, "bit_serial_iterations/ends:drop_operand:1")
    no_name = replace(_mutant(design, CARRY), number=9, replacement="nobody_knows")
    jobs, broken = campaign(design, [killed, hung, same, no_name], tmp_path / "designs", 1)
    assert list(broken) == [no_name.id] and "nobody_knows" in broken[no_name.id]
    chain = [replace(job, after="", job=replace(job.job, cases=jobs[0].job.cases)) for job in jobs]
    record = _run(tmp_path, chain[:1])
    found = mutants(record)
    assert [found[m.id].outcome for m in (killed, hung, same)] == [
        Outcome.KILLED, Outcome.KILLED, Outcome.NOT_RUN,
    ]  # fmt: skip
    assert "operation not done within" in found[hung.id].message


@pytest.mark.simulation
@pytest.mark.slow
def test_what_lived_meets_the_tests_that_are_new_in_the_list(
    design: Design, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A status that says OK while the operation is busy: only the sequence reads it then."""
    hasty = _mutant(design, "parallel_control/StIdle/status_d:state:1")
    random = {planned.id for planned in design.fast() if planned.job.test == "random"}
    others = {planned.id for planned in design.fast()} - random
    had = {(name, hasty.file) for name in others}
    jobs, _ = campaign(design, [hasty], tmp_path / "designs", 1, had)
    record = _run(tmp_path, jobs)
    assert met_by(record) == {(name, hasty.file) for name in random}
    assert mutants(record)[hasty.id].outcome is Outcome.SURVIVED
    call = ["mutate", "--arch", ARCHITECTURE, "--again"]
    again = tmp_path / "again"
    assert cli.main([*call, str(record.folder), "--out", str(again)]) == 0
    both = merged([record, load(CONTEXT, again)])[hasty.id]
    assert (both.outcome, both.test) == (Outcome.KILLED, "stress")
    for wrong in ([str(again)], [str(record.folder), "--file", ADDER]):
        assert cli.main([*call, *wrong, "--out", str(tmp_path / "nothing")]) == 2
        assert "no test that is new" in capsys.readouterr().err


@pytest.mark.simulation
@pytest.mark.slow
def test_a_design_that_fails_by_itself_is_no_judge(design: Design, tmp_path: Path) -> None:
    swapped = Swap(module="carry_save_adder", signal="sum_o", operator="^", to="|")
    wrong = Design(
        CONTEXT, altered_copy(design.hdl, tmp_path / "wrong", [swapped]), (ARCHITECTURE,)
    )
    mutant = next(m for m in wrong.mutants if kind(m) == "source")
    jobs, _ = campaign(wrong, [mutant], tmp_path / "designs", 1)
    record = _run(tmp_path, jobs[:1])
    assert "fails without a mutant" in record.jobs[0].message
    assert mutants(record)[mutant.id].outcome is Outcome.NOT_RUN
    assert not record.passed


def test_the_plan_is_chains(design: Design, tmp_path: Path) -> None:
    """Every mutant is in one chain, which ends in the job that calls it a survivor."""
    some = [m for m in design.mutants if m.file == ADDER or "control" in m.file][:60]
    jobs = alone(design.hdl, some[:1], design.alone, tmp_path)
    assert [job.after for job in jobs] == ["", *(job.id for job in jobs[:-1])]
    last = [job.job.launch.environment.get("MUTATION_LAST") for job in jobs if job.job.launch]
    assert last == [None] * (len(jobs) - 1) + ["1"]
    assert {job.job.hdl for job in jobs} == {str(tmp_path / Path(jobs[0].job.hdl).name)}


def test_a_change_in_a_reset_meets_the_test_that_looks_at_resets() -> None:
    design = Design(CONTEXT, ROOT / "hdl", ("mwrkmm",))
    mutant = next(
        m for m in design.mutants if kind(m) == "reset" and m.file.startswith("exponentiation/")
    )
    tests = [planned.job.test for planned in design.alone(mutant)]
    assert tests.index("exp_zeroise") == 1, "after the test that kills most"


def test_a_change_of_a_constant_meets_every_configuration() -> None:
    """Code that few of them have, and a package that both tops read."""
    design = Design(CONTEXT, ROOT / "hdl", ("mwrkmm",))
    for name in ("delay_line/gen_ram/Rows:arithmetic:1", "multiplier_pkg/StatusOk:constant:1"):
        points = [planned.point for planned in design.alone(_mutant(design, name))]
        assert len(points) == len(set(points))
        assert {(p.top, p.point) for p in points} == {(p.top, p.point) for p in design.points()}


@pytest.mark.slow
@needs_abc
def test_equivalent_is_proved_and_others_are_not(design: Design, tmp_path: Path) -> None:
    file = "lib/montgomery_inverse.sv"
    points = [point for point in design.points() if design.elaborated.has(file, point)]
    prover = Prover(design.hdl, design.elaborated, points[:1], tmp_path, 60)
    same = _mutant(design, "montgomery_inverse/reset/shifted_m_q:reset_value:1")
    finding = prover.source(same)
    assert finding.proved, finding.method
    assert finding.configurations[0].startswith(("montgomery_inverse alone", points[0].name))
    other = _mutant(design, CARRY)
    first = Prover(design.hdl, design.elaborated, design.points()[:1], tmp_path / "first", 60)
    assert not first.source(other).proved
    nowhere = Prover(design.hdl, design.elaborated, [], tmp_path / "nowhere", 60).source(same)
    assert not nowhere.proved and "no configuration" in nowhere.method


@pytest.mark.slow
@needs_abc
def test_what_no_front_end_takes_is_a_broken_build(design: Design, tmp_path: Path) -> None:
    """Icarus reads a bit that is not there as unknown."""
    operand = _mutant(design, OPERAND)
    beyond = replace(operand, replacement=f"{operand.replacement}[Width]")
    finding = Prover(design.hdl, design.elaborated, design.points()[:1], tmp_path, 60).source(
        beyond
    )
    assert finding.rejected and not finding.proved, finding.method
    assert "cannot refer to element" in finding.method
    hdl = tmp_path / "broken"
    shutil.copytree(design.hdl, hdl)
    altered = hdl / beyond.file
    altered.write_bytes(beyond.applied(altered.read_bytes()))
    prover = Prover(hdl, design.elaborated, design.points()[:1], tmp_path / "of_it", 60)
    finding = prover.source(beyond)
    assert not finding.rejected, "the original itself is not taken: that says nothing"


@pytest.mark.parametrize(
    ("file", "original", "shown"),
    [
        ("cores/bit_serial/mm42_iteration.sv", "x_i && q", True),
        ("cores/ring/dual_radix.sv", "x_q <= '0;", False),  # in a reset
        ("cores/ring/systolic_ring.sv", "'0", False),  # perhaps of a reset
        ("parallel/parallel_control.sv", "add_done_i", False),  # may count for the next operation
        ("exponentiation/exponentiation.sv", "ends || prepare", False),
    ],
)
def test_what_single_operations_show(file: str, original: str, shown: bool) -> None:
    """Else the next operation or a reset might detect it; exhaustive simulation has neither."""
    mutant = Mutant(file, "place", 1, "drop_operand", 1, 0, len(original), original, "")
    assert of_one_operation(mutant) is shown


def test_what_clears_memories_is_no_matter_of_outputs(
    design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memories that are never wiped were proved equivalent by all their products."""
    mutant = Mutant("cores/ring/dual_radix.sv", "dual_radix/u_m/wipe_index_i", 1, "port", 1, 0, 7,
                    ".wipe_index_i (wipe_index_q)", ".wipe_index_i('1)")  # fmt: skip
    prover = Prover(design.hdl, design.elaborated, design.points(), tmp_path, 1)
    for method, proved in ((SAME, True), ("an invariant", False)):
        monkeypatch.setattr(Prover, "_source", lambda *_, m=method: Finding(True, ("c",), m))
        assert prover.source(mutant).proved is proved
        assert prover.source(replace(mutant, place="a/b", original="x", replacement="y")).proved
    stored = equivalents.load().values()
    assert not [one for one in stored if wipes(one.place, one.change) and one.method != SAME]


def test_contexts_have_an_exponentiation_whatever_the_architecture(tmp_path: Path) -> None:
    for name, core in (("mwrkmm", "mwrkmm"), ("mm42", "mm42")):
        design = Design(CONTEXT, ROOT / "hdl", (name,))
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
    other = _mutant(design, CARRY)
    powers = [point for point in design.points() if point.top != MULTIPLIER.name][:1]
    copy = single_copy(design.hdl, other, tmp_path / "hdl")
    for some in (points, powers):
        same, _ = agrees(copy, some, tmp_path)
        assert not same
    adder = copy / other.file
    adder.write_text(adder.read_text().replace("endmodule", "  logic [1:0] two = 3'd0;\nendmodule"))
    with pytest.raises(BuildError, match="failed"):
        agrees(copy, points, tmp_path)


def test_a_report_knows_what_has_been_proved_since(
    design: Design,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A run in which a mutant survived, of a design that had another one besides."""
    proofs = equivalents.load()
    places = equivalents.keys(design.all_mutants)
    same = next(m for m in design.all_mutants if places[m.id] in proofs)
    (job,) = alone(design.hdl, [same], lambda m: design.slow()[:1], tmp_path / "designs")
    gone = {**job.job.cases[0], "name": "gone"}
    cases = (*job.job.cases, gone)
    done = tuple(Case(str(case["name"]), CaseStatus.FAILED, facts=case) for case in cases)
    job = replace(job, job=replace(job.job, cases=cases))
    plan = Plan(name="mutants", options={MUTANTS: 2}, jobs=(job,))
    record = RunRecord(CONTEXT, plan, tmp_path, {}, finished=True)
    record.jobs = [JobRecord(job, Status.PASSED, cases=done)]
    monkeypatch.setattr("verif.faults.mutants.command.load", lambda context, folder: record)
    facts = done[0].facts
    change, facts["change"] = facts["change"], "another one at its place"
    cli.main(["mutate", "--report", str(tmp_path)])
    assert "not counted: 2 of 2 mutants" in capsys.readouterr().out
    facts["change"] = change
    assert cli.main(["mutate", "--report", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "not in the design any more, and not counted: 1 of 2 mutants" in said
    assert "1 mutants: 0 killed, 1 equivalent, 0 broken, 0 survived" in said
    assert same.id in (tmp_path / "report.html").read_text()


def test_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["mutate", "--list", "--file", "*bit_serial_control*"]) == 0
    assert "bit_serial_control/count_q:" in capsys.readouterr().out
    for wrong in (
        ["--file", "nothing.sv", "--list"],
        ["--arch", "fast"],
        ["--mutant", "nothing", "--out", str(tmp_path / "out")],
        ["--report", str(tmp_path)],
        ["--survivors", str(tmp_path)],
        ["--again", str(tmp_path)],
    ):
        assert cli.main(["mutate", *wrong]) == 2
        assert capsys.readouterr().err.startswith("regress: ")
