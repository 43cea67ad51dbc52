"""What a run that failed, or was interrupted, says about the way on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from regress.report.console import next_commands
from regress.report.html import write_html
from regress.tests.sample_report import sample_record

OPEN_HOLES = "<details open><summary><h2>Holes"


def test_a_run_that_passed_needs_no_command(tmp_path: Path) -> None:
    assert list(next_commands(sample_record(tmp_path))) == []


def test_a_failed_run_names_the_command_that_shows_the_first_failure(tmp_path: Path) -> None:
    record = sample_record(tmp_path, jobs=20, failures=3, kinds=1)
    (line,) = next_commands(record)
    job = record.buckets[0].record.planned.id
    assert line.startswith("look at it: ") and line.endswith(f"/{job}") and " debug " in line


def test_a_job_that_ran_with_waves_is_not_debugged_again(tmp_path: Path) -> None:
    record = sample_record(tmp_path, jobs=20, failures=3, kinds=1)
    for bucket in record.buckets:
        for number, job in enumerate(bucket.jobs):
            planned = replace(job.planned, job=replace(job.planned.job, waves=True))
            bucket.jobs[number] = replace(job, planned=planned)
    assert list(next_commands(record)) == []


def test_an_interrupted_run_names_the_command_that_goes_on(tmp_path: Path) -> None:
    record = sample_record(tmp_path, jobs=20)
    record.interrupted, record.finished = True, False
    (line,) = next_commands(record)
    assert line.startswith("go on with: ") and line.endswith(f"run --resume {record.folder}")


def test_holes_do_not_hide_the_failures(tmp_path: Path) -> None:
    record = sample_record(tmp_path, jobs=20, failures=3, kinds=1)
    assert "<details open><summary><h2>Holes" not in write_html(record).read_text()
