"""Strangers' projects: a counter with a plain cocotb test, a queue with a pyuvm bench."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parent / "samples"
PACKAGE = Path(__file__).parents[1]
needs_icarus = pytest.mark.skipif(
    not shutil.which("iverilog"),
    reason="needs Icarus Verilog, a system package that is not pinned",
)


def regress(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a stranger's folder, as if it were installed."""
    environment = {name: value for name, value in os.environ.items() if name != "REGRESS_ROOT"}
    return subprocess.run(
        [sys.executable, "-m", "regress", *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )


def sample(name: str, folder: Path) -> Path:
    """A copy of a sample with the files that ``init`` makes."""
    copy = folder / name
    shutil.copytree(SAMPLES / name, copy, ignore=shutil.ignore_patterns("__pycache__"))
    done = regress(copy, "init")
    assert done.returncode == 0, done.stderr
    return copy


def run(folder: Path, out: str) -> tuple[int, dict[str, Any]]:
    """Exit code and run.json of the list that ``init`` made, on Icarus."""
    done = regress(folder, "run", "quick", "--sim", "icarus", "--jobs", "2", "--out", out)
    assert (folder / out / "run.json").is_file(), done.stdout + done.stderr
    return done.returncode, json.loads((folder / out / "run.json").read_text())


@needs_icarus
@pytest.mark.simulation
def test_a_counter_from_init_to_the_waves_of_an_injected_fault(tmp_path: Path) -> None:
    folder = sample("counter", tmp_path)
    assert len((folder / "regress_project.py").read_text().splitlines()) <= 30
    code, record = run(folder, "good")
    assert (code, record["status"], record["summary"]["passed"]) == (0, "passed", 3)
    assert len({job["planned"]["job"]["seed"] for job in record["jobs"]}) == 3
    design = folder / "counter.sv"
    design.write_text(design.read_text().replace("count + 1'b1", "count + (count == 9 ? 2 : 1)"))
    code, record = run(folder, "bad")
    (bucket,) = record["buckets"]
    assert (code, bucket["key"], bucket["reproducible"]) == (
        1,
        "count is #, expected # (test_counter.py:21)",
        True,
    )
    assert bucket["command"].startswith("regress job counts icarus --seed ")
    assert "<svg" in (folder / "bad" / bucket["rerun"]["picture"]).read_text()
    (folder / "bad" / "jobs" / "counts-icarus-s2" / "status.json").unlink()
    done = regress(folder, "run", "--resume", "bad")
    assert "2 of 3 jobs have ended" in done.stdout and done.returncode == 1


@needs_icarus
@pytest.mark.simulation
def test_a_pyuvm_bench_has_its_operations_and_coverage(tmp_path: Path) -> None:
    folder = sample("queue", tmp_path)
    code, record = run(folder, "good")
    assert (code, [job["result"]["operations"] for job in record["jobs"]]) == (0, [200] * 3)
    assert sorted(record["coverage"]["all"]["level"]["bins"]) == ["0", "1", "2", "3", "4"]


def test_init_changes_nothing_that_is_there(tmp_path: Path) -> None:
    folder = sample("counter", tmp_path)
    again = regress(folder, "init")
    assert again.returncode == 2 and "exists already; nothing was changed" in again.stderr
    (tmp_path / "empty").mkdir()
    empty = regress(tmp_path / "empty", "init")
    assert empty.returncode == 2 and "no cocotb test; accepted: " in empty.stderr


def test_a_folder_without_a_project_is_one_line(tmp_path: Path) -> None:
    done = regress(tmp_path, "list")
    assert done.returncode == 2 and "no project; accepted: a folder below one whose" in done.stderr


def test_the_package_has_every_folder_of_modules() -> None:
    text = (PACKAGE / "pyproject.toml").read_text()
    folders = {path.parent.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("__init__.py")}
    named = {".".join(folder.parts) for folder in folders if "tests" not in folder.parts}
    packages = text.partition("packages = [")[2].partition("]")[0]
    assert set(re.findall(r'"([^"]+)"', packages)) == named
