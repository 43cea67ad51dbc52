"""The catalogue: complete, in the design, and run against lists."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from regress.cli.command_line import main
from regress.cli.options import Call
from regress.cli.workspace import Workspace
from regress.core.archive import read_run
from regress.core.cases import Case, CaseStatus
from regress.core.errors import UsageError
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan, PlannedJob
from regress.core.runfile import Status
from regress.run.record import RunRecord
from verif.bench.configuration import explored
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.chain import Asked
from verif.faults.campaign.engine import Campaign
from verif.faults.campaign.outcome import results
from verif.faults.campaign.record import Result, add_results, read_results
from verif.faults.catalogue import REASONS, Fault, faults, groups
from verif.faults.catalogue_source import RECORD, Catalogue, content_of, markdown, trial_jobs
from verif.faults.first_list import detected_by
from verif.faults.jobs import (
    BUS_TEST,
    LONG_TEST,
    Item,
    _elaborated,
    _texts,
    items,
    jobs_for,
    plan,
)
from verif.library.edits.altered import altered
from verif.tests.context import CONTEXT
from verif.tests.injected import SIMULATOR

CATALOGUE = faults()
WORD = re.compile(r"[A-Za-z_]\w*")
# Comments, strings, digits of numbers, and names of the ports of instances.
NO_NAMES = re.compile(
    r"//[^\n]*|\"[^\"]*\"|'s?[bodh][0-9a-fA-FxzXZ_]+|\.\w+(?=\s*[(,)\n])", re.DOTALL
)
NEW_SIGNAL = re.compile(r"\blogic\b[^;]*;")
HIERARCHICAL = re.compile(r"\b(?:u_\w+|exponentiation|multiplier)\.\w")
KEYWORDS = {"always_ff", "posedge", "negedge", "if"}


@cache
def whole_design() -> str:
    return " ".join(path.read_text() for path in (ROOT / "hdl").rglob("*.sv"))


def unknown(texts: Iterable[tuple[str, str]]) -> set[str]:
    """Names in changed files that neither the change nor the module nor the package declares."""
    found = set()
    package = (ROOT / "hdl" / "pkg" / "multiplier_pkg.sv").read_text()
    for name, text in texts:
        known = NO_NAMES.sub(" ", (ROOT / "hdl" / name).read_text()) + package
        code = NO_NAMES.sub(" ", text)
        # The parts of a hierarchical name are declared in other modules.
        known += whole_design() if HIERARCHICAL.search(code) else ""
        new = set(WORD.findall(code)) - set(WORD.findall(known)) - KEYWORDS
        found |= new - set(WORD.findall(" ".join(NEW_SIGNAL.findall(text))))
    return found


@cache
def texts_of(name: str) -> tuple[tuple[str, str], ...]:
    """The changed files of a fault, by name."""
    return tuple(sorted(altered(ROOT / "hdl", CATALOGUE[name].changes).items()))


@pytest.mark.parametrize("fault", CATALOGUE.values(), ids=lambda fault: fault.name)
def test_every_fault_is_at_its_place(fault: Fault) -> None:
    assert texts_of(fault.name)
    assert unknown(texts_of(fault.name)) == set()
    for change in fault.python:
        assert (ROOT / change.file).read_text().count(change.was) == 1, change


def test_no_fault_is_in_the_catalogue_twice() -> None:
    """Under another name, by another operator: the same text on the same architecture."""
    made: dict[tuple[object, ...], list[str]] = {}
    for fault in CATALOGUE.values():
        made.setdefault((fault.on, texts_of(fault.name), fault.python), []).append(fault.name)
    assert [names for names in made.values() if len(names) > 1] == []


def test_every_kept_trial_is_of_a_fault_that_was_built() -> None:
    assert [trial for trial in read_results(RECORD) if trial.outcome == "broken"] == []


def test_a_fault_that_no_build_would_take_is_told() -> None:
    """A port of an instance has the name that the module's own port had."""
    fault = CATALOGUE["constants-need-a-whole-modulus"]
    (change,) = fault.changes
    old = change.model_copy(update={"to": change.to.replace("write_index_i", "index_i")})
    assert unknown(altered(ROOT / "hdl", (old,)).items()) == {"index_i"}


def test_the_catalogue_is_large_and_has_every_reason_to_live() -> None:
    assert len(CATALOGUE) >= 60
    reasons = Counter(fault.hides for fault in CATALOGUE.values())
    assert set(reasons) == set(REASONS)
    assert min(reasons.values()) >= 8


def test_every_module_is_in_a_build_of_the_lists() -> None:
    elaborated, names = _elaborated()
    modules = {name for name in names if not name.endswith("_pkg.sv")}
    fronts = {name for name in modules if name.startswith("fronts/")}
    for name, expected in (("merge", modules), ("mutation", modules - fronts)):
        reached = {
            file for planned in plan(CONTEXT, name) for file in elaborated.files(planned.point)
        }
        assert expected == reached
    reached = {file for job in plan(CONTEXT, "fronts") for file in elaborated.files(job.point)}
    assert fronts and fronts <= reached


def test_every_fault_has_jobs_that_may_find_it() -> None:
    """Faults of the bus fronts: in list fronts, the others in list merge."""
    fronts = {path.stem for path in (ROOT / "hdl" / "fronts").glob("*.sv")}
    lists = {
        fault.name: "fronts" if fault.modules & fronts else "merge" for fault in CATALOGUE.values()
    }
    assert "fronts" in lists.values()
    assert [n for n, fault in CATALOGUE.items() if not jobs_for(CONTEXT, fault, lists[n])] == []


@pytest.mark.campaign  # draws the configurations of the nightly twice
def test_what_merge_finds_a_night_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also without the configurations that the nightly adds for classes, found in a minute."""
    monkeypatch.setattr(explored, "missing_examples", lambda *_: [])
    nightly = plan.__wrapped__(CONTEXT, "nightly")  # not for other tests
    assert {job.id for job in plan(CONTEXT, "merge")} <= {
        job.id for job in nightly if job.index == 1
    }


@pytest.mark.parametrize("name", ["wipe-wraps-around", "printed-table-row"])
def test_one_of_every_test_comes_before_the_second_of_any(name: str) -> None:
    jobs = [
        job
        for job in jobs_for(CONTEXT, CATALOGUE[name], "merge")
        if job.point.simulator == "icarus"
    ]
    tests = [job.job.test for job in jobs if not LONG_TEST.match(job.job.test)]
    if name == "wipe-wraps-around":  # hosts find it, if anything does
        tests = [test for test in tests if BUS_TEST.search(test)]
        assert {"stress", "exp_stress", "exp_zeroise"} <= set(tests)
    assert len(set(tests)) < len(tests)
    assert len(set(tests[: len(set(tests))])) == len(set(tests))


def test_a_row_on_other_cores_is_tried_at_each_of_its_widths() -> None:
    fault = CATALOGUE["counter-for-1024"]
    assert fault.on == "fast_montgomery"
    others = [job for job in jobs_for(CONTEXT, fault, "merge") if not job.job.drawn]
    others = [job for job in others if job.point.point["architecture"] != fault.on]
    assert len({(job.entry, job.point.point["width"]) for job in others}) == len(others)
    assert {256, 1056} <= {job.point.point["width"] for job in others}


def test_a_mistake_in_a_group_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "says: A\nfaults:\n"
        "  - name: one\n    says: one\n    origin: none\n    on: mm43\n"
        "    changes: [{do: remove, module: mm42, signal: s}]\n"
        "  - name: one\n    says: one\n    origin: none\n    on: mm42\n"
        "    changes: [{do: remove, module: mm42, signal: s}]\n"
    )
    with pytest.raises(UsageError) as error:
        groups(tmp_path)
    first, second = error.value.lines
    assert first.endswith("a.yaml:6: unknown architecture 'mm43'; accepted: "
                          + first.partition("accepted: ")[2])  # fmt: skip
    assert second.endswith("a.yaml:8: fault 'one': there is one in a.yaml already")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["no-such-fault"], "unknown fault 'no-such-fault'"),
        (["--group", "pin"], "unknown group of faults 'pin'; accepted: adders, arithmetic"),
        (["--group", "pins", "--arch", "mwrkmm"], "no faults are selected"),
        (["--record", "pyproject.toml"], "pyproject.toml"),
        (["printed-table-row", "--again", "--first", "rondom-*"], "--first rondom-*: none of "),
    ],
)
def test_wrong_input_is_told_in_one_line(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["faults", *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_the_catalogue_is_shown_as_far_as_it_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = next(iter(groups()["pins"].faults)).name
    assert main(["faults", name, "--show"]) == 0
    title, fault, *change = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0].strip() for line in (title, fault)] == ["pins", name]
    # The changed RTL of faults that are named, and of no others.
    assert change[0].startswith("--- ") and change[0].endswith(".sv")
    assert {line[0] for line in change} == set("-+@ ")
    assert main(["faults", "--group", "pins", "--show"]) == 0
    assert all(line.startswith(("pins", "  ")) for line in capsys.readouterr().out.splitlines())


def call_with(record: Path) -> Call:
    return Call(
        jobs=1, out=None, scheduler=None, cluster=None, workspace=Workspace.of(CONTEXT),
        console=Console(), record=record,
    )  # fmt: skip


def holds(result: Result) -> bool:
    return Campaign(Catalogue(), call_with(RECORD)).holds(result)


def asked(job: PlannedJob) -> Asked:
    found = Asked.of(job.job)
    assert found
    return found


def small_list(folder: Path, test: str, architectures: str = "all") -> Path:
    path = folder / f"{test}.yaml"
    path.write_text(
        f"description: one job\njobs:\n  - {{test: {test}, architectures: {architectures}, "
        f"widths: [16], simulators: [{SIMULATOR}], operations: 20}}\n"
    )
    return path


def test_a_job_of_a_tool_keeps_its_process_and_its_cases(tmp_path: Path) -> None:
    fault = CATALOGUE["second-accumulator-is-not-checked"]
    jobs = trial_jobs(CONTEXT, fault, ["merge"], tmp_path)
    asked = {job.job.test: Asked.of(job.job) for job in jobs}
    upsets, plain = asked["exp_upsets_flip"], asked["exp_random"]
    assert upsets and (upsets.program, len(upsets.cases)) == ("verif.security.job", 1)
    assert plain and (plain.program, plain.cases) == ("", ())


def test_named_jobs_come_before_others(tmp_path: Path) -> None:
    fault = CATALOGUE["printed-table-row"]
    known = [job.id for job in jobs_for(CONTEXT, fault, "merge")]
    (*_, last) = known
    walks = [name for name in known if name.startswith("stress")]
    jobs = trial_jobs(CONTEXT, fault, ["merge"], tmp_path, first=["", last, "stress-*", "gone"])
    names = [asked(job).job for job in jobs]
    assert names[: 1 + len(walks)] == [last, *walks]
    assert sorted(names) == sorted(known)


@pytest.mark.campaign  # test_a_job_that_the_clock_on_the_wall_ended_is_tried_again runs the command
@pytest.mark.simulation
def test_only_what_is_missing_is_tried(tmp_path: Path) -> None:
    names = ["printed-table-row", "length-survives-zeroise"]
    blind, seeing = small_list(tmp_path, "exp_bad_input"), small_list(tmp_path, "random")
    record, out = tmp_path / "record.jsonl", tmp_path / "run"
    options = ["--record", str(record), "--list", str(seeing)]
    assert main(["faults", *names, *options, "--out", str(out)]) == 1
    second, first = read_results(record)  # in alphabetical order
    assert (first.outcome, second.outcome) == ("detected", "survived")
    assert "random-faster_montgomery-16" in first.job
    assert "not congruent" in first.message
    assert second.jobs == 0  # nothing of a multiplier's build has the module
    assert not (out / "designs").exists()
    assert [job.planned.id for job in read_run(CONTEXT, out / "baseline").jobs] == [first.job]
    assert holds(first)
    assert holds(second)
    # Neither a detected fault runs again, nor a fault against a list that it survived.
    out = tmp_path / "more"
    main(["faults", *names, *options, "--list", str(blind), "--out", str(out)])
    assert [trial for trial in read_results(record) if trial.against == str(seeing)] == [
        second,
        first,
    ]
    assert len(read_results(record)) == 3
    assert {case.name for job in read_run(CONTEXT, out).jobs for case in job.cases} == {names[1]}


@pytest.mark.campaign  # test_a_job_that_the_clock_on_the_wall_ended_is_tried_again runs the command
@pytest.mark.simulation
def test_a_second_list_is_tried_with_what_the_first_did_not_find(tmp_path: Path) -> None:
    record, out = tmp_path / "record.jsonl", tmp_path / "run"
    lists = [small_list(tmp_path, "corners"), small_list(tmp_path, "random")]
    options = ["--record", str(record), "--out", str(out)]
    for path in lists:
        options += ["--list", str(path)]
    name = "printed-table-row"
    # No job begins within this time: nothing is known of the fault.
    assert main(["faults", name, *options, "--budget", "1ms"]) == 1
    assert read_results(record) == []
    assert main(["faults", name, *options]) == 2  # there is a run in that folder
    plan_file = out / "plan.json"
    plan_file.write_text(json.dumps({**json.loads(plan_file.read_text()), "budget": 0.0}))
    assert main(["faults", name, "--record", str(record), "--resume", str(out)]) == 0
    trials = {trial.against: trial for trial in read_results(record)}
    assert trials[str(lists[0])].outcome in ("detected", "survived")
    assert "detected" in {trial.outcome for trial in trials.values()}
    (case,) = {
        case.name: case for job in read_run(CONTEXT, out).jobs for case in job.cases
    }.values()
    assert case.name == name


def test_a_trial_is_a_chain_of_jobs(tmp_path: Path) -> None:
    fault = CATALOGUE["printed-table-row"]
    jobs = trial_jobs(CONTEXT, fault, ["merge", "mutation"], tmp_path, each=60.0)
    assert [job.after for job in jobs] == ["", *(job.id for job in jobs[:-1])]
    assert [bool(job.job.cases) for job in jobs] == [True] + [False] * (len(jobs) - 1)
    assert {job.budget for job in jobs} == {60.0}
    assert len({job.id for job in jobs}) == len(jobs)
    assert [asked(job).against for job in jobs] == (
        ["merge"] * len(jobs_for(CONTEXT, fault, "merge"))
        + ["mutation"] * len(jobs_for(CONTEXT, fault, "mutation"))
    )
    assert asked(jobs[-1]).last


def run_of(folder: Path, jobs: list[JobRecord]) -> RunRecord:
    return RunRecord(CONTEXT, Plan(name="faults"), folder, {}, jobs=jobs)


DETECTED = Case("f", CaseStatus.PASSED, note="wrong")
LEFT = Case("f", CaseStatus.OPEN)
LATE = Case("f", CaseStatus.OPEN, facts={"undecided": [["merge", "timed out"]]})


@pytest.mark.parametrize(
    ("ends", "outcome"),
    [
        ([(Status.PASSED, LEFT), (Status.PASSED, DETECTED), (Status.NOT_RUN, None)], "detected"),
        ([(Status.PASSED, LATE), (Status.PASSED, DETECTED)], "detected"),
        ([(Status.PASSED, LEFT), (Status.FAILED, Case("f", CaseStatus.FAILED))], "survived"),
        ([(Status.PASSED, LATE), (Status.PASSED, LATE)], "undecided"),
        ([(Status.FAILED, Case("f", CaseStatus.NOT_RUN)), (Status.PASSED, LEFT)], "undecided"),
        ([(Status.PASSED, LEFT), (Status.INTERRUPTED, None)], None),
        ([(Status.PASSED, LEFT), (Status.NOT_RUN, None)], None),
        ([(Status.NOT_RUN, "build failed: HDL/a.sv: no"), (Status.PASSED, LEFT)], "broken"),
        ([(Status.NOT_RUN, "build failed: FROM_HERE/a.sv: no"), (Status.PASSED, LEFT)], "broken"),
        ([(Status.PASSED, LEFT), (Status.NOT_RUN, "the entry's time budget of 1 s used up")],
         "not finished"),
    ],
)  # fmt: skip
def test_what_the_jobs_of_a_trial_say(
    ends: list[tuple[Status, Case | str | None]],
    outcome: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault = CATALOGUE["printed-table-row"]
    chain = trial_jobs(CONTEXT, fault, ["merge"], tmp_path)
    jobs = []
    for number, (planned, (status, end)) in enumerate(zip(chain, ends, strict=False)):
        cases = (end,) if isinstance(end, Case) else ()
        own = ({"name": "f"},) if cases or not number else ()
        planned = replace(planned, job=replace(planned.job, cases=own))
        message = end if isinstance(end, str) else ""
        message = message.replace("HDL", planned.job.hdl)
        message = message.replace("FROM_HERE", os.path.relpath(planned.job.hdl, tmp_path))
        folder = f"jobs/{planned.id}" if cases else ""
        jobs.append(JobRecord(planned, status, message, 1.0, folder, cases=cases))
    monkeypatch.chdir(tmp_path)
    found = list(results(run_of(tmp_path, jobs)))
    assert [trial.outcome for trial in found] == ([outcome] if outcome else [])
    assert all((trial.fault, trial.against) == ("f", "merge") for trial in found)
    assert all("/" not in trial.message for trial in found)


def test_a_message_of_a_job_without_an_altered_design_keeps_its_paths(tmp_path: Path) -> None:
    planned, *_ = trial_jobs(CONTEXT, CATALOGUE["printed-table-row"], ["merge"], tmp_path)
    planned = replace(planned, job=replace(planned.job, hdl="", cases=({"name": "f"},)))
    record = JobRecord(planned, Status.NOT_RUN, "build failed: lib/a.sv: no", 1.0, "")
    (found,) = results(run_of(tmp_path, [record]))
    assert found.message == record.message


@pytest.mark.parametrize(
    ("status", "message", "outcome", "problems"),
    [
        (Status.PASSED, "", "detected", 0),
        (Status.FAILED, "timed out after 180 s", "undecided", 0),
        (Status.SKIPPED, "no simulator", "undecided", 0),
        (Status.INTERRUPTED, "", None, 0),
        (Status.FAILED, "wrong", None, 1),
    ],
)
def test_what_found_a_fault_must_pass_without_it(
    status: Status,
    message: str,
    outcome: str | None,
    problems: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (planned, *_) = jobs_for(CONTEXT, CATALOGUE["printed-table-row"], "merge")

    def execute(asked: Plan, *places: object, **changes: object) -> RunRecord:
        assert [job.id for job in asked.jobs] == [planned.id]
        return run_of(tmp_path, [JobRecord(planned, status, message)])

    monkeypatch.setattr("verif.faults.campaign.engine.execute", execute)
    record = tmp_path / "record.jsonl"
    campaign = Campaign(Catalogue(), call_with(record))
    given = [Result(fault="f", against="merge", outcome="detected", job=planned.id),
             Result(fault="g", against="merge", outcome="survived")]  # fmt: skip
    found, lines = campaign.checked(given, run_of(tmp_path, []), "abc")
    assert {trial.fault: trial.outcome for trial in found} == {
        **({"f": outcome} if outcome else {}), "g": "survived"
    }  # fmt: skip
    assert len(lines) == problems
    # It is not run again if it passed at this commit.
    monkeypatch.setattr("verif.faults.campaign.engine.execute", None)
    add_results(record, [given[0].model_copy(update={"commit": "abc"})])
    assert campaign.checked(given, run_of(tmp_path, []), "abc") == (given, [])


@pytest.mark.simulation
def test_a_job_that_the_clock_on_the_wall_ended_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record.jsonl"
    options = ["printed-table-row", "--record", str(record),
               "--list", str(small_list(tmp_path, "random"))]  # fmt: skip
    with monkeypatch.context() as busy:
        busy.setattr("verif.faults.catalogue_source.JOB_SECONDS", 0.05)
        assert main(["faults", *options, "--out", str(tmp_path / "busy")]) == 1
    (trial,) = read_results(record)
    assert trial.outcome == "undecided"
    assert "timed out after 0.05 s" in trial.message
    assert (
        Catalogue()
        .summary([trial], 1, ())
        .startswith("0 of 1 faults detected (0.0 %); 0 survived, 1 without a verdict")
    )
    assert main(["faults", *options, "--out", str(tmp_path / "quiet")]) == 0
    assert [trial.outcome for trial in read_results(record)] == ["detected"]


def test_a_verdict_holds_until_what_it_depends_on_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = CATALOGUE["printed-table-row"]
    (job, *_) = jobs_for(CONTEXT, fault, "merge")
    found = Result(fault=fault.name, against="merge", outcome="detected", job=job.id)
    found = found.model_copy(update={"content": content_of(CONTEXT, fault, found)})
    assert holds(found)
    assert not holds(found.model_copy(update={"outcome": "undecided"}))
    assert not holds(found.model_copy(update={"job": "random-gone-32-icarus-s1"}))
    assert not holds(found.model_copy(update={"against": "gone"}))
    other = CATALOGUE["top-carry-save-bit"]
    changed = fault.model_copy(update={"changes": other.changes})
    assert content_of(CONTEXT, changed, found) != found.content

    survived = Result(fault=fault.name, against="merge", outcome="survived")
    survived = survived.model_copy(update={"content": content_of(CONTEXT, fault, survived)})
    assert holds(survived)
    texts = dict(_texts())
    for name, found_holds, survived_holds in [
        ("cores/ring/mwrkmm_element.sv", True, True),  # in no build that has the fault
        ("cores/bit_serial/faster_montgomery.sv", True, False),
        ("cores/bit_serial/faster_montgomery_table.sv", False, False),
    ]:
        with monkeypatch.context() as other_text:
            changed = texts | {name: "changed"}
            other_text.setattr("verif.faults.jobs._texts", lambda changed=changed: changed)
            assert holds(found) is found_holds
            assert holds(survived) is survived_holds

    whole = items()

    def with_other(name: str) -> tuple[Item, ...]:
        assert any(name in item.declares for item in whole)
        return tuple(
            replace(item, text="changed") if name in item.declares else item for item in whole
        )

    coded = CATALOGUE["status-codes-swapped"]
    (job, *_) = jobs_for(CONTEXT, coded, "merge")
    swapped = Result(fault=coded.name, against="merge", outcome="detected", job=job.id)
    swapped = swapped.model_copy(update={"content": content_of(CONTEXT, coded, swapped)})
    for name, of_found, of_survived in [
        ("ExpStepCheck", True, False),
        ("StatusModulusEven", False, False),  # a place of the fault
        ("step_source_e", True, False),
    ]:
        monkeypatch.setattr("verif.faults.jobs.items", lambda name=name: with_other(name))
        assert holds(swapped) is of_found
        assert holds(found)
        assert holds(survived) is of_survived


@pytest.mark.campaign  # test_a_job_that_the_clock_on_the_wall_ended_is_tried_again runs the command
@pytest.mark.simulation
def test_a_build_that_does_not_have_a_fault_is_not_simulated(tmp_path: Path) -> None:
    path = tmp_path / "narrow.yaml"
    path.write_text(
        "description: two widths\njobs:\n  - {test: random, "
        "architectures: [optimized_interleaved], widths: [8, 17], simulators: [icarus], "
        "operations: 20}\n"
    )
    record, out = tmp_path / "record.jsonl", tmp_path / "run"
    names = ["counter-above-a-power-of-two", "counter-for-1024"]
    options = ["--list", str(path), "--record", str(record), "--out", str(out), "--keep"]
    assert main(["faults", *names, *options]) == 1
    found, lives = read_results(record)
    assert (found.outcome, found.jobs, found.job) == (
        "detected",
        2,
        "random-optimized_interleaved-17-icarus-s1",
    )
    assert (lives.outcome, lives.message) == (
        "survived", "2 of 2 jobs are on builds that do not have it"
    )  # fmt: skip
    simulated = [folder.parent.parent.name for folder in out.glob("jobs/*/*/simulation")]
    assert simulated == [f"{found.job}-narrow-{found.fault}"]


@pytest.mark.campaign  # test_stress_faults.py shows that a sequence is shrunk
@pytest.mark.simulation
def test_a_walk_that_finds_a_fault_is_shrunk_if_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "sequences.yaml"
    path.write_text(
        "description: sequences\njobs:\n  - {test: stress, architectures: [faster_montgomery], "
        "widths: [12], simulators: [icarus], operations: 1000, parameters: {BusWidth: 8}}\n"
    )
    shortest = []
    for number, option in enumerate(([], ["--shrink"])):
        record = tmp_path / f"{number}.json"
        options = [*option, "--list", str(path), "--record", str(record)]
        out = tmp_path / str(number)
        assert main(["faults", "clear-keeps-write-counters", *options, "--out", str(out)]) == 0
        (trial,) = read_results(record)
        shortest.append("in the fewest steps" in trial.message)
    assert shortest == [False, True]


@pytest.mark.simulation
def test_a_fault_that_python_shares_is_tried_in_a_copy(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ["--out", str(out), "--record", str(tmp_path / "record.jsonl"),
               "--list", str(small_list(tmp_path, "bad_input", "[mm42]"))]  # fmt: skip
    assert main(["faults", "status-codes-swapped", *options]) == 0
    (trial,) = read_results(tmp_path / "record.jsonl")
    assert "by the written interface" in trial.message


def test_the_page_says_which_faults_the_first_list_detects() -> None:
    merge = {planned.id for planned in plan(CONTEXT, "merge")}
    smoke = {planned.id for planned in plan(CONTEXT, "smoke")}
    jobs = {"both": max(merge & smoke), "longer": max(merge - smoke), "gone": "no-such-job"}
    one, two, three, *_ = CATALOGUE
    found = [
        Result(fault=fault, against="merge", outcome="detected", job=job)
        for fault, job in zip((one, two, three), jobs.values(), strict=True)
    ]
    first = detected_by(CONTEXT, "smoke", found)
    assert first == {one}
    text = markdown(Catalogue(), found, set(), first)
    assert "List `smoke` contains the job that detected 1 of these 3 faults" in text
    others = text.split("### ")[0]
    assert f"`{one}`" not in others
    assert f"`{two}`" in others and f"`{three}`" in others


def test_the_page_has_every_fault_and_says_what_lives() -> None:
    names = list(CATALOGUE)
    found = [
        Result(fault=n, against="merge", outcome="detected", job="j", jobs=3) for n in names[2:]
    ]
    lives = Result(fault=names[0], against="merge", outcome="survived", jobs=9)
    later = Result(fault=names[1], against="nightly", outcome="detected", job="k")
    again = [lives.model_copy(update={"fault": names[1]}), later]
    stale = {names[2]}
    text = markdown(Catalogue(), [lives, *again, *found], stale)
    assert Catalogue().summary([lives, *again, *found], len(names), stale) in text
    assert f"{len(names) - 1} of {len(names)} faults detected" in text
    assert "1 survived, 0 without a verdict; 1 verdicts are of an earlier design" in text
    assert text.count("†") == 1
    assert text.count("**survived** (merge)") == 1
    for name in names:
        assert f"| `{name}`: " in text
    assert Catalogue.table in (ROOT / "verif" / "docs" / "faults_results.md").read_text()
