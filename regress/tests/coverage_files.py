"""Makes small designs, coverage files and finished runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from regress.core.archive import RunFile
from regress.core.formats.model import as_json
from regress.core.jobfile import Job, JobResult
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan, PlannedJob
from regress.core.point import Point
from regress.core.runfile import Status
from regress.coverage.code import HEADER
from regress.coverage.functional import Coverage, add

SOURCE = """module core;
  always_comb begin
    if (start) state = 1;
    else if (stop) state = 2;
  end
  // the end
endmodule
"""


def make_design(folder: Path) -> Path:
    """A design of one file."""
    hdl = folder / "hdl"
    (hdl / "common").mkdir(parents=True)
    (hdl / "common" / "core.sv").write_text(SOURCE)
    return hdl


def entry(
    file: str, line: int, kind: str, name: str, hits: int, column: int = 5, lines: str = ""
) -> str:
    """One line of a coverage file as Verilator 5.48 writes it."""
    values = [("f", file), ("l", line), ("n", column), ("t", kind)]
    values += [("page", f"v_{kind}/core__pi3"), ("o", name)]
    values += [("S", lines)] if lines else []
    values += [("h", "top.u_core")]
    text = "".join(f"\x01{key}\x02{value}" for key, value in values)
    return f"C '{text}' {hits}\n"


def write_dat(path: Path, hdl: Path, hits: Sequence[int] = (4, 0, 3, 1)) -> Path:
    """A coverage file of :func:`make_design`'s design: if, else, block, toggle."""
    file = f"{hdl}/common/core.sv"
    path.write_text(
        f"{HEADER}\n"
        + entry(file, 3, "branch", "if", hits[0], lines="3")
        + entry(file, 3, "branch", "else", hits[1], column=6)
        + entry(file, 2, "line", "block", hits[2], lines="2-3")
        + entry(file, 2, "toggle", "start:0->1", hits[3])
        + entry("/somewhere/verif/bench/tb/bench.sv", 9, "line", "block", 0)
    )
    return path


def stored_job(
    name: str,
    architecture: str = "faster_montgomery",
    status: str = "passed",
    code_coverage: bool = False,
) -> dict[str, Any]:
    """A job's entry in run.json."""
    point = {"architecture": architecture, "width": 16, "parameters": {"BusWidth": 8}}
    job = Job("random", Point(point), "verilator", 3, code_coverage=code_coverage)
    planned = PlannedJob(name, job, 60.0)
    return as_json(JobRecord(planned, Status(status), "", 2.0, f"jobs/{name}"))


def run_file(hdl: Path | None = None, **changes: Any) -> dict[str, Any]:
    """The contents of run.json."""
    run = RunFile(
        plan=Plan(name="nightly", hdl=hdl), status="passed", seconds=9.0, stopped="", workers=1,
        tools={}, summary={}, builds=(), jobs=(), coverage={}, goals=(), closure=(), growth=(),
        buckets=(), code_coverage={}, problems_of_coverage=(), compared=0, disagreements=(),
    )  # fmt: skip
    return {**as_json(run), **changes}


def make_run(
    folder: Path,
    jobs: dict[str, JobResult],
    *,
    hdl: Path | None = None,
    sources: str = "abc",
    **changes: Any,
) -> Path:
    """A finished run with these jobs' results; with code coverage if there is ``hdl``."""
    folder.mkdir(parents=True)
    for job, result in jobs.items():
        (folder / "jobs" / job).mkdir(parents=True)
        result.write(folder / "jobs" / job / "result.json")
        if hdl:
            write_dat(folder / "jobs" / job / "coverage.dat", hdl)
    data = run_file(
        hdl, tools={"sources": sources}, jobs=[stored_job(job, **changes) for job in jobs]
    )
    (folder / "run.json").write_text(json.dumps(data))
    return folder


def hits(bins: dict[str, int], goal: Sequence[str], group: str = "table_address") -> JobResult:
    """A result with one coverage group."""
    return JobResult(operations=10, coverage={group: {"bins": bins, "goal": list(goal)}})


def merge(results: Iterable[tuple[str, JobResult]]) -> Coverage:
    """The hits of (subject, result) pairs."""
    merged: Coverage = {}
    for subject, result in results:
        add(merged, subject, result.coverage)
    return merged
