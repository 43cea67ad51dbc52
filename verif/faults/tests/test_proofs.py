"""Faults of proofs: a proof that does not fail on them fails the campaign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regress.cli.command_line import main
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.point import Point
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.chain import Asked
from verif.faults.campaign.record import Result, add_results, read_results
from verif.faults.campaign.way import Process, State
from verif.formal.proof import Case, Injected
from verif.formal.run import prover
from verif.library.edits.altered import altered_copy
from verif.project import proof_source
from verif.project.project import MultiplierProject

JOB = Job(test="proof", point=Point({"width": 8}), simulator="symbiyosys", seed=0)
# It takes seconds.
NAME = "core_protocol-fast_montgomery-n8/1"
ONE = ["--proof", "core_protocol", "--arch", "fast_montgomery", "--width", "4"]


@pytest.mark.parametrize(
    ("result", "state"),
    [
        (prover.Result.FAIL, State.DETECTED),
        (prover.Result.PASS, State.MISSED),
        (prover.Result.ERROR, State.BROKEN),
        (prover.Result.TIMEOUT, State.UNDECIDED),
        (prover.Result.UNKNOWN, State.UNDECIDED),
        (prover.Result.INTERRUPTED, State.UNDECIDED),
    ],
)
def test_only_a_counterexample_finds_a_fault(
    result: prover.Result, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_: object, case: Case, injected: Injected) -> prover.Outcome:
        assert injected is case.proof.injected[0]
        return prover.Outcome(case, result, 1.5, 8, injected, "at core.sv:3")

    monkeypatch.setattr(prover.Prover, "run", run)
    facts = {"name": NAME, "proof": "core_protocol", "architecture": "fast_montgomery",
             "width": 8, "number": 0}  # fmt: skip
    asked = Asked(source="proofs", against="core_protocol", way=proof_source.WAY, design="hdl")
    process = Process(MultiplierProject(ROOT), JOB, asked, tmp_path, tmp_path)
    tried = proof_source.tried(process, [facts])[NAME]
    assert (tried.state, tried.seconds) == (state, 1.5)
    assert "core.sv:3" in tried.message


def test_a_proof_fails_on_its_fault_and_a_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, out = tmp_path / "record.jsonl", tmp_path / "run"
    argv = ["faults", "--source", "proofs", *ONE, "--record", str(record)]
    assert main([*argv, "--out", str(out), "--budget", "1ms"]) == 1
    assert read_results(record) == []
    plan = out / "plan.json"
    plan.write_text(json.dumps({**json.loads(plan.read_text()), "budget": 0.0}))
    assert main([*argv, "--resume", str(out)]) == 0
    (result,) = read_results(record)
    assert result.outcome == "detected" and "failed assertion" in result.message
    assert "1 of 1 faults of proofs detected" in capsys.readouterr().out
    # What holds is not proved again; what survived or has no verdict fails the report.
    assert main([*argv, "--out", str(tmp_path / "again")]) == 0
    assert not (tmp_path / "again").exists()
    for outcome in ("survived", "undecided"):
        add_results(record, [result.model_copy(update={"outcome": outcome})])
        assert main([*argv, "--report"]) == 1


def test_the_proofs_of_another_design(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault that is in the design already has no place there."""
    (injected, *_) = proof_source.proofs()["core_protocol"].injected
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [injected.change])
    argv = ["formal", "--faults", *ONE, "--hdl", str(hdl), "--out", str(tmp_path / "out")]
    assert main(argv) == 2
    assert "the change has no effect" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--proof", "core_protocoll"], "did you mean 'core_protocol'?"),
        (["--width", "3"], "accepted are 4 to 8192"),
        (["nothing"], "unknown fault 'nothing'"),
        (["--hdl", "/nowhere"], "is not a design folder"),
        (["--group", "pins"], "--group: accepted with --source catalogue only"),
    ],
)
def test_wrong_input_is_told_in_one_line(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["faults", "--source", "proofs", "--show", *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_formal_faults_is_short_for_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formal", "--faults", "--list", *ONE]) == 0
    short = capsys.readouterr().out
    assert main(["faults", "--source", "proofs", "--show", *ONE]) == 0
    assert capsys.readouterr().out == short
    assert short.startswith("core_protocol-fast_montgomery-n4/1: bit_serial_control")


def test_a_record_has_a_line_for_each_result(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    first = Result(fault="b", against="smoke", outcome="survived")
    add_results(record, [first, Result(fault="a", against="smoke", outcome="detected", job="j")])
    add_results(record, [first.model_copy(update={"outcome": "detected"})])
    assert record.read_text().splitlines() == [
        '{"fault": "a", "against": "smoke", "outcome": "detected", "job": "j"}',
        '{"fault": "b", "against": "smoke", "outcome": "detected"}',
    ]
    record.write_text(record.read_text() + "{}\n")
    with pytest.raises(UsageError, match=r"record.jsonl:3: "):
        read_results(record)
