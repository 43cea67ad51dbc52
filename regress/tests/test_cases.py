"""Jobs with cases: what became of each is in every report, whatever became of the job."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree

import pytest
from rich.console import Console

from regress.core.cases import Case, CaseStatus, completed, count_cases, read_cases
from regress.core.formats.model import as_json
from regress.core.jobrecord import JobRecord
from regress.core.plan import PlannedJob
from regress.core.processes import ProcessGroups
from regress.core.runfile import Status
from regress.executors.local import LocalExecutor
from regress.report.console import show_cases
from regress.run.buckets import buckets
from regress.run.progress import Display
from regress.run.record import RunRecord
from regress.run.reruns import Reruns, name_commands, with_waves
from regress.tests.conftest import PASSING_CHILD, PROJECT, FakeBuilder, child, make_job
from regress.tests.test_report import html, make_record
from regress.tests.test_run import make_run
from regress.waves.fst import WaveError

NAMES = ("one", "two", "three", "four")
# Two of the four are wrong in one way, one in another; what runs alone is as wrong as before.
WRONG = PASSING_CHILD.replace(
    '(folder / "results.xml")',
    """wrong = {"one": "P = 0x1, gmpy2 says 0x2", "two": "busy for 3 cycles",
         "four": "P = 0x5, gmpy2 says 0x7"}
for case in cases:
    case["message"] = wrong.get(case["name"], "")
    case["status"] = "failed" if case["message"] else "passed"
(folder / "results.xml")""",
)
# Two cases, then nothing for ever.
SLOW = """
import pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
line = '{"name": "%s", "status": "%s", "message": "%s", "note": "", "facts": {}}\\n'
(folder / "cases.jsonl").write_text(line % ("one", "passed", "") + line % ("two", "failed", "P"))
time.sleep(60)
"""


def job_with_cases() -> PlannedJob:
    return make_job(test="vectors", cases=tuple({"name": name} for name in NAMES))


def run_job(folder: Path, script: str) -> RunRecord:
    run, record = make_run(folder, script)
    run.execute([job_with_cases()], {})
    record.buckets = buckets(PROJECT, record.jobs)
    name_commands(PROJECT, record.buckets, replace(record.plan, source="v.jsonl"))
    return record


def test_each_kind_of_failure_of_one_job_is_a_bucket(tmp_path: Path) -> None:
    record = run_job(tmp_path, WRONG)
    found = [
        (bucket.key, [found.case.name for found in bucket.cases], len(bucket.jobs))
        for bucket in record.buckets
    ]
    assert found == [
        ("P = #, gmpy2 says #", ["one", "four"], 1),
        ("busy for # cycles", ["two"], 1),
    ]
    assert [re.findall(r"--only (\S+)", b.command) for b in record.buckets] == [["one"], ["two"]]


def test_run_json_has_every_case(tmp_path: Path) -> None:
    (job,) = as_json(run_job(tmp_path, WRONG).file)["jobs"]
    assert [(case["name"], case["status"]) for case in job["cases"]] == [
        ("one", "failed"), ("two", "failed"), ("three", "passed"), ("four", "failed")
    ]  # fmt: skip


def test_junit_has_a_test_case_for_each(tmp_path: Path) -> None:
    from regress.report.junit import write_junit

    root = ElementTree.parse(write_junit(run_job(tmp_path, WRONG))).getroot()
    cases = {
        case.get("name", "").split(" ")[0]: case
        for case in root.iter("testcase")
        if case.get("classname", "").endswith(".cases")
    }
    assert list(cases) == list(NAMES)
    failures = {name: case.find("failure") for name, case in cases.items()}
    assert failures["three"] is None
    for name, kind in (("one", "P = #, gmpy2 says #"), ("two", "busy for # cycles")):
        failure = failures[name]
        assert failure is not None and failure.get("type") == kind


def test_the_page_names_every_case_that_failed(tmp_path: Path) -> None:
    page = html(run_job(tmp_path, WRONG))
    section = page[page.index('<section id="cases">') :]
    assert [name for name in NAMES if f"<td>{name}<td>" in section] == list(NAMES)
    assert "3 failed" in section and "1 passed" in section


def test_the_terminal_names_every_case_once(tmp_path: Path) -> None:
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    show_cases(console, run_job(tmp_path, WRONG))
    text = console.export_text()
    lines = [line for line in text.splitlines() if line.startswith(("PASS ", "FAIL "))]
    assert lines[:4] == [
        "PASS three faster_montgomery 32 verilator",
        "FAIL one faster_montgomery 32 verilator: P = 0x1, gmpy2 says 0x2",
        "FAIL two faster_montgomery 32 verilator: busy for 3 cycles",
        "FAIL four faster_montgomery 32 verilator: P = 0x5, gmpy2 says 0x7",
    ]
    assert "1 passed, 3 failed of 4 cases" in text


def test_an_interrupt_keeps_what_was_finished(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, SLOW, workers=1)
    planned = job_with_cases()
    cases = tmp_path / "jobs" / planned.id / "attempt-1"

    def interrupt() -> None:
        while count_cases(cases) < 2:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    second = make_job(test="vectors", width=64, cases=({"name": "later"},))
    run.execute([planned, second], {})
    assert [job.status for job in record.jobs] == [Status.INTERRUPTED] * 2
    assert [case.status.value for job in record.jobs for case in job.cases] == [
        "passed", "failed", "not_run", "not_run", "not_run"
    ]  # fmt: skip
    page = html(record)
    assert "3 not run" in page and "1 passed" in page


def test_a_case_runs_again_alone(tmp_path: Path) -> None:
    record = run_job(tmp_path, WRONG)

    def no_waves(folder: Path) -> NoReturn:
        raise WaveError("no waves")

    executor = LocalExecutor(PROJECT.root, ProcessGroups(), 1, child(WRONG))
    Reruns(record, FakeBuilder(tmp_path).build, executor, no_waves).run()
    assert [bucket.reproducible for bucket in record.buckets] == [True, True]
    for bucket, names in zip(record.buckets, (["one"], ["two"]), strict=True):
        assert bucket.rerun is not None
        job = json.loads((tmp_path / bucket.rerun.folder / "job.json").read_text())
        assert [case["name"] for case in job["cases"]] == names


def test_what_passes_alone_is_told_so(tmp_path: Path) -> None:
    from regress.report.tables import bucket_note

    record = run_job(tmp_path, WRONG)

    def no_waves(folder: Path) -> NoReturn:
        raise WaveError("no waves")

    executor = LocalExecutor(PROJECT.root, ProcessGroups(), 1, child(PASSING_CHILD))
    Reruns(record, FakeBuilder(tmp_path).build, executor, no_waves).run()
    assert [bucket.reproducible for bucket in record.buckets] == [False, False]
    assert bucket_note(record.buckets[0]).startswith("passes alone")


def test_a_case_brings_those_it_needs() -> None:
    cases = ({"name": "a"}, {"name": "b"}, {"name": "c", "needs": ["a"]})
    record = JobRecord(make_job(test="vectors", cases=cases), Status.FAILED)
    assert with_waves(record, Case("c", CaseStatus.FAILED)).job.case_names == ["a", "c"]
    assert with_waves(record, Case("b", CaseStatus.FAILED)).job.case_names == ["b"]


def test_the_file_of_cases_survives_a_kill(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Case(name, CaseStatus.PASSED, note="3 cycles", facts={"cycles": 3}).append(tmp_path)
    path = tmp_path / "cases.jsonl"
    path.write_text(path.read_text()[:-7])
    (found,) = read_cases(tmp_path)
    assert found == Case("a", CaseStatus.PASSED, note="3 cycles", facts={"cycles": 3})
    assert [case.status.value for case in completed(["a", "b"], [found])] == ["passed", "not_run"]
    assert read_cases(tmp_path / "nothing") == ()


def test_progress_counts_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regress.run.progress.CASES_SECONDS", 0.0)
    with (tmp_path / "out").open("w") as file:
        display = Display(Console(file=file, width=100))
        display.start(1, 2, 500)
        for done in (0, 120, 120, 480):
            display.cases(done)
    lines = (tmp_path / "out").read_text().splitlines()
    assert lines == ["1 build, 2 jobs, 500 cases", "[cases 120/500]", "[cases 480/500]"]


def test_a_record_without_cases_has_them_all_not_run(tmp_path: Path) -> None:
    record = make_record(tmp_path, JobRecord(job_with_cases(), Status.SKIPPED, "no Icarus"))
    assert {case.status for case in record.jobs[0].cases} == {CaseStatus.NOT_RUN}
