"""Makes small designs, coverage files and finished runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from regress.coverage.code import HEADER
from regress.jobfile import JobResult

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
        + entry("/somewhere/verif/tb/bench.sv", 9, "line", "block", 0)
    )
    return path


def stored_job(name: str, **changes: Any) -> dict[str, Any]:
    """A job's entry in run.json."""
    return {
        "id": name,
        "test": "random",
        "point": {"architecture": "faster_montgomery", "width": 16, "parameters": {"BusWidth": 8}},
        "simulator": "verilator",
        "seed": 3,
        "timeout": 60.0,
        "status": "passed",
        "message": "",
        "attempts": 1,
        "lost": [],
        "seconds": 2.0,
        "folder": f"jobs/{name}",
        "operations": 10,
        "clocks": 100,
        "sim_time_ns": 100.0,
        "wall_seconds": 1.0,
        "failures": [],
        "failure_times": [],
        **changes,
    }


def run_file(**changes: Any) -> dict[str, Any]:
    """The contents of run.json."""
    empty = ("builds", "jobs", "goals", "closure", "growth", "buckets", "problems_of_coverage",
             "disagreements")  # fmt: skip
    return {
        "schema": 3,
        "name": "nightly",
        "source": "",
        "description": "",
        "command": [],
        "options": {},
        "seed": 1,
        "status": "passed",
        "started": "2026-11-21T22:30:00+00:00",
        "seconds": 9.0,
        "stopped": "",
        "workers": 1,
        "tools": {},
        "summary": {},
        "coverage": {},
        "code_coverage": {},
        "compared": 0,
        **{name: [] for name in empty},
        **changes,
    }


def make_run(
    folder: Path,
    jobs: dict[str, JobResult],
    *,
    started: str = "2026-11-21T22:30:00+00:00",
    hdl: Path | None = None,
    name: str = "nightly",
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
        name=name,
        started=started,
        tools={"sources": sources},
        options={"hdl": str(hdl) if hdl else None},
        jobs=[stored_job(job, **changes) for job in jobs],
    )
    (folder / "run.json").write_text(json.dumps(data))
    return folder


def hits(bins: dict[str, int], goal: Sequence[str], group: str = "table_address") -> JobResult:
    """A result with one coverage group."""
    return JobResult(operations=10, coverage={group: {"bins": bins, "goal": list(goal)}})
