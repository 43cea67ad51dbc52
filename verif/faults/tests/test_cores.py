"""Faults of example cores: a miss and a false alarm fail, an interrupt gives no verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from regress.cli.command_line import main
from regress.cli.options import Call
from regress.cli.workspace import Workspace
from regress.core.cases import Case, CaseStatus
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan
from regress.core.runfile import Status
from regress.run.record import RunRecord
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.record import Result, add_results, read_results
from verif.own_core.correct import correct_jobs
from verif.own_core.defects import defects_of, example_cores
from verif.project.core_source import RECORD, ExampleCores, fault_jobs
from verif.tests.context import CONTEXT

PULSE = "pulse_montgomery"
CORE = next(core for core in example_cores() if core.description.name == PULSE)
PAGE = f"# Page\n\n{ExampleCores.table}\n<!-- /table -->\n"
CALL = Call(
    workspace=Workspace.of(CONTEXT), core=[PULSE], fault=[], seed=None, seeds=2, width=(8,),
    no_defects=False, no_correct=False, keep=False,
)  # fmt: skip


def known() -> list[str]:
    return [*(f"{PULSE}/{defect.name}" for defect in defects_of(CORE)), PULSE]


def kept(record: Path, **outcomes: str) -> None:
    source = ExampleCores()
    results = [
        Result(fault=name, against="check" if "/" in name else "correct", seconds=3.4, jobs=2,
               outcome="detected" if "/" in name else "no alarm", job="8 bits",
               message="M = 3: wrong")
        for name in known()
    ]  # fmt: skip
    results = [one.model_copy(update={"outcome": outcomes.get(one.fault, one.outcome)})
               for one in results]  # fmt: skip
    add_results(
        record,
        [one.model_copy(update={"content": source.content(CALL, one)}) for one in results],
    )


@pytest.mark.parametrize(
    ("wrong", "outcome", "code"),
    [("", "", 0), (known()[0], "survived", 1), (PULSE, "alarm", 1), (known()[0], "undecided", 1)],
)
def test_a_miss_and_a_false_alarm_fail(
    wrong: str, outcome: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, page = tmp_path / "record.jsonl", tmp_path / "page.md"
    kept(record, **{wrong: outcome})
    page.write_text(PAGE)
    argv = ["trials", "--core", PULSE, "--record", str(record), "--report", "--write", str(page)]
    assert main(argv) == code
    text = page.read_text()
    if not code:
        count = len(defects_of(CORE))
        assert f"{count} of 20 faults detected, 0 correct cores with a false alarm" in text
        assert "| check: `8 bits` | 3 s, 2 jobs |  | M = 3: wrong |" in text
        assert f"| `{PULSE}` | no alarm | 3 s |  | M = 3: wrong |" in text
        # What holds is not tried again.
        assert main([*argv[:5], "--out", str(tmp_path / "run")]) == 0
        assert not (tmp_path / "run").exists()
    else:
        assert f"{wrong} " in capsys.readouterr().out


def run_of(*jobs: JobRecord) -> RunRecord:
    return RunRecord(CONTEXT, Plan(name="cores"), Path(), {}, jobs=list(jobs))


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(Status.PASSED, "no alarm"), (Status.FAILED, "alarm"), (Status.INTERRUPTED, None)],
)
def test_what_the_jobs_of_a_correct_core_say(status: Status, outcome: str | None) -> None:
    first, second = correct_jobs(CONTEXT, CORE, 2, (8,))
    jobs = JobRecord(first, Status.PASSED, folder="a"), JobRecord(second, status, "M = 3: wrong")
    found = list(ExampleCores().results(run_of(*jobs)))
    assert [one.outcome for one in found] == ([outcome] if outcome else [])
    if outcome:
        assert (found[0].fault, found[0].against, found[0].jobs) == (PULSE, "correct", 2)
        said = found[0].message
        assert "with 2 seeds" in said if outcome == "no alarm" else "M = 3: wrong" in said


def test_a_fault_meets_each_width_until_something_is_broken(tmp_path: Path) -> None:
    defect = defects_of(CORE)[0]
    chain = fault_jobs(CALL, CORE, defect, known()[0], tmp_path)
    assert [job.after for job in chain] == ["", *(job.id for job in chain[:-1])]
    first, second = (replace(job, job=replace(job.job, cases=({"name": known()[0]},)))
                     for job in chain[:2])  # fmt: skip
    left = JobRecord(first, Status.PASSED, folder="a", cases=(Case(known()[0], CaseStatus.OPEN),))
    end = Case(known()[0], CaseStatus.PASSED, note="M = 3: wrong")
    found = JobRecord(second, Status.PASSED, folder="b", cases=(end,))
    (result,) = ExampleCores().results(run_of(left, found))
    assert (result.outcome, result.jobs, result.message) == ("detected", 2, "M = 3: wrong")
    assert result.job.endswith(" bits")


@pytest.mark.simulation
def test_a_fault_is_found_and_a_run_goes_on(tmp_path: Path) -> None:
    record, out = tmp_path / "record.jsonl", tmp_path / "run"
    name = f"{PULSE}/{defects_of(CORE)[0].name}"
    argv = ["trials", name, "--record", str(record), "--jobs", "1"]
    # No job begins within this time: nothing is known of the fault.
    assert main([*argv, "--out", str(out), "--budget", "1ms"]) == 1
    assert read_results(record) == []
    plan = out / "plan.json"
    plan.write_text(json.dumps({**json.loads(plan.read_text()), "budget": 0.0}))
    assert main([*argv, "--resume", str(out)]) == 0
    (result,) = read_results(record)
    assert (result.fault, result.against, result.outcome) == (name, "check", "detected")
    assert result.job == "4 bits" and result.content


def test_wrong_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trials", "--core", "other", "--out", str(tmp_path)]) == 2
    assert main(["trials", "nothing", "--out", str(tmp_path)]) == 2
    assert main(["trials", "--resume", str(tmp_path)]) == 2
    assert main(["faults", "--seeds", "3"]) == 2
    first, second, third, fourth = capsys.readouterr().err.splitlines()
    assert "unknown core 'other'; accepted: bus_montgomery, " in first
    assert "unknown fault 'nothing'" in second
    assert "is not a folder of a run" in third
    assert "--seeds: accepted with --source cores only" in fourth


def test_the_record_has_every_fault_of_the_cores() -> None:
    found = {one.fault for one in read_results(RECORD)}
    assert found == set(ExampleCores().known(CALL))
    assert ExampleCores.table in (ROOT / "verif" / "docs" / "own_core.md").read_text()
