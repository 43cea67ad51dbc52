"""Two simulators must agree operation by operation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regress.core.errors import UsageError
from regress.core.jobfile import JobResult, Launch
from regress.core.jobrecord import JobRecord
from regress.core.plan import planned_job
from regress.core.runfile import Status
from regress.run.cross_check import compare_jobs, compare_simulators
from regress.tests.conftest import CONTEXT
from regress.tests.coverage_files import hits
from regress.tests.sample_report import sample_record
from regress.tests.stand_in import job_of

JOB = job_of("random", "faster_montgomery", 16, "verilator", seed=1, operations=3, trace=True)
BOTH = ("verilator", "icarus")
OPERATIONS: list[dict[str, Any]] = [
    {"x": 3, "y": 4, "m": 7, "p": 5, "cycles": 19, "status": 1},
    {"x": 1, "y": 2, "m": 9, "p": 2, "cycles": 19, "status": 1},
]
RESULT = hits({"0": 2, "1": 1}, ["0", "1"])


def left(folder: Path, operations: list[dict[str, Any]], result: JobResult = RESULT) -> Path:
    folder.mkdir()
    (folder / "operations.jsonl").write_text("".join(f"{json.dumps(o)}\n" for o in operations))
    result.write(folder / "result.json")
    return folder


def said(tmp_path: Path, operations: list[dict[str, Any]], result: JobResult = RESULT) -> str:
    """The message for these operations on Icarus."""
    return compare_jobs(
        left(tmp_path / "v", OPERATIONS), left(tmp_path / "i", operations, result), BOTH
    )


def test_the_same_is_no_disagreement(tmp_path: Path) -> None:
    longer = replace(RESULT, sim_time_ns=9.0, wall_seconds=7.0)
    assert said(tmp_path, OPERATIONS, longer) == ""


def test_the_first_operation_and_field_are_named(tmp_path: Path) -> None:
    second = {**OPERATIONS[1], "p": 3, "cycles": 20}
    assert said(tmp_path, [OPERATIONS[0], second]) == (
        "simulators disagree: operation 2: p is 2 on verilator, 3 on icarus"
    )


def test_a_field_that_one_lacks(tmp_path: Path) -> None:
    first = {key: value for key, value in OPERATIONS[0].items() if key != "cycles"}
    assert "operation 1: cycles is 19 on verilator, nothing" in said(
        tmp_path, [first, OPERATIONS[1]]
    )


def test_a_field_that_one_has_beyond(tmp_path: Path) -> None:
    first = {**OPERATIONS[0], "extra": None}
    assert "extra is nothing on verilator, None" in said(tmp_path, [first, OPERATIONS[1]])


def test_long_values_are_cut(tmp_path: Path) -> None:
    text = said(tmp_path, [{**OPERATIONS[0], "x": "9" * 4000}, OPERATIONS[1]])
    assert len(text) < 300


def test_lengths_differ(tmp_path: Path) -> None:
    assert said(tmp_path, OPERATIONS[:1]) == (
        "simulators disagree: length is at least 2 on verilator, 1 operations on icarus"
    )


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (
            hits({"0": 2}, ["0", "1"]),
            "coverage table_address '1' is 1 hits on verilator, nothing on",
        ),
        (
            hits({"0": 2, "1": 1}, [], "status"),
            "coverage table_address is collected on verilator, nothing on",
        ),
        (replace(RESULT, cycles=3), "cycles is 0 on verilator, 3 on icarus"),
        (replace(RESULT, operations=9), "operations is 10 on verilator, 9 on icarus"),
    ],
)
def test_results_differ(tmp_path: Path, result: JobResult, message: str) -> None:
    assert message in said(tmp_path, OPERATIONS, result)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "operations.jsonl is missing"),
        ("", "operations.jsonl is empty: no operation to compare"),
        ('{"x": 3, "y": 4, "m": 7, "p": 5, "cycles": 19, "status": 1}\n{"x"', ":2: cannot be read"),
        ("3\n", ":1: expected a JSON object"),
    ],
)
def test_an_unreadable_trace_is_no_agreement(
    tmp_path: Path, text: str | None, message: str
) -> None:
    one, two = left(tmp_path / "v", OPERATIONS), left(tmp_path / "i", OPERATIONS)
    (two / "operations.jsonl").unlink()
    if text is not None:
        (two / "operations.jsonl").write_text(text)
    with pytest.raises(UsageError, match=message):
        compare_jobs(one, two, BOTH)


def test_two_empty_traces_prove_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no operation to compare"):
        compare_jobs(left(tmp_path / "v", []), left(tmp_path / "i", []), BOTH)


@pytest.mark.parametrize("program", ["", "verif.synthesis"])
def test_only_simulations_are_compared(tmp_path: Path, program: str) -> None:
    """A tool of the project is no simulator: it neither has an order nor writes a trace."""
    record = sample_record(tmp_path, jobs=0)
    tools = {"tool": CONTEXT.simulators["icarus"], "other": CONTEXT.simulators["icarus"]}
    record.context = replace(CONTEXT, simulators={**CONTEXT.simulators, **tools})
    for name in ("other", "tool"):
        job = replace(JOB, simulator=name, launch=Launch("m", "t", "x", program=program))
        left(tmp_path / name, OPERATIONS)
        planned = planned_job(record.context, job, 1, 60.0)
        record.jobs.append(JobRecord(planned, Status.PASSED, folder=name))
    assert compare_simulators(record) == ([], 0 if program else 1)
