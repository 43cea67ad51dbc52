"""Layouts of other people's cocotb projects: `init` and `run` untouched, and a bug in each.

Each folder of `strangers` is a project as its owner has it. Nothing in it names regress.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from regress.run.build import SHARED
from regress.tests.forked import regress

STRANGERS = Path(__file__).parent / "strangers"
BUILDS = Path(__file__).parents[2] / "build"


@dataclass(frozen=True)
class Layout:
    """A project, and a bug in it.

    Attributes:
        jobs: tests that pass.
        bug: file, text, wrong text.
        message: part of the failure's message, with file and line of the assertion.
        program: what must be installed.
        options: what the run needs beside the list's name.
    """

    name: str
    jobs: int
    bug: tuple[str, str, str]
    message: str
    program: str = "iverilog"
    options: tuple[str, ...] = ("--sim", "icarus", "--no-waves")


LAYOUTS = (
    Layout("data", 1, ("mem/rom.hex", "1e", "1f"), "(sim/test_rom.py:16)"),
    Layout(
        "factory", 4, ("rtl/register.v", "held <= s_data", "held <= s_data & 8'hdf"),
        "(tb/register/test_register.py:20)",
    ),
    Layout(
        "filelist", 1, ("tests/test_pulse.py", "== 7", "== 8"),
        "(tests/test_pulse.py:18)", "verilator_bin", ("--no-waves",),
    ),
    Layout(
        "makefile", 1, ("rtl/fifo.sv", "count == DEPTH;", "count == DEPTH - 1;"),
        "(tests/test_fifo.py:25)", options=("--sim", "icarus"),
    ),
    Layout(
        "plusargs", 3, ("delay.sv", "line[cycles-1]", "line[cycles]"),
        "the edge does not arrive (test_delay.py:21)",
    ),
    Layout("pyuvm", 1, ("hdl/alu.sv", "a - b", "a - b - 1"), "(tb/test_alu.py:55)"),
    Layout("recipes", 2, ("src/mux.v", "? b : a", "? a : b"), "(test/test_mux.py:10)"),
    Layout(
        "root", 1, ("rtl/include/defs.svh", "1d", "1f"),
        "crc of 16 words (tests/test_crc.py:14)",
    ),
    Layout(
        "runner", 4, ("src/accumulator.sv", "sum + add", "sum + add + (sum == 5)"),
        "(tests/test_accumulator.py:22)",
    ),
    Layout(
        "tinytapeout", 1, ("src/project.v", "count + ui_in", "count + ui_in[6:1]"),
        "assert '00010100' == 50 (test/test.py:19)",
    ),
    Layout(
        "tops", 2, ("rtl/gray.v", "binary >> 1", "binary >> 2"), "(tests/test_gray.py:13)",
    ),
    Layout(
        "vhdl", 1, ("hdl/counter_pkg.vhd", ":= 1;", ":= 2;"), "(tests/test_counter.py:21)",
        "ghdl", ("--sim", "ghdl"),
    ),
)  # fmt: skip


def copied(name: str, folder: Path) -> Path:
    """A copy of a layout with the files that ``init`` writes."""
    copy = folder / name
    shutil.copytree(STRANGERS / name, copy, ignore=shutil.ignore_patterns("__pycache__"))
    done = regress(copy, "init")
    assert done.returncode == 0, done.stdout + done.stderr
    # Objects of Verilator's runtime are those of this checkout.
    (BUILDS / SHARED).mkdir(parents=True, exist_ok=True)
    (copy / "build").mkdir()
    (copy / "build" / SHARED).symlink_to(BUILDS / SHARED)
    return copy


def run(folder: Path, out: str, *options: str) -> tuple[int, dict[str, Any]]:
    """Exit code and run.json of the list that ``init`` wrote, with one seed for each test."""
    done = regress(folder, "run", "quick", "--seeds", "1", "--out", out, *options)
    assert (folder / out / "run.json").is_file(), done.stdout + done.stderr
    return done.returncode, json.loads((folder / out / "run.json").read_text())


@pytest.mark.simulation
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_strangers_project_runs_untouched_and_its_bug_has_a_place(
    layout: Layout, tmp_path: Path
) -> None:
    if layout.program != "verilator_bin" and not shutil.which(layout.program):
        pytest.skip(f"needs {layout.program}, a system package that is not pinned")
    folder = copied(layout.name, tmp_path)
    assert len((folder / "regress_project.py").read_text().splitlines()) <= 30
    code, record = run(folder, "good", *layout.options)
    messages = [job["message"] for job in record["jobs"]]
    assert (code, record["summary"]["passed"]) == (0, layout.jobs), messages
    name, right, wrong = layout.bug
    text = (folder / name).read_text()
    assert text.count(right) == 1
    (folder / name).write_text(text.replace(right, wrong))
    code, record = run(folder, "bad", *layout.options)
    assert code == 1
    bucket = record["buckets"][0]
    assert layout.message in bucket["message"]
    failed = next(job for job in record["jobs"] if job["planned"]["id"] == bucket["jobs"][0])
    assert 'File "' in failed["details"]
    junit = ElementTree.parse(folder / "bad" / "junit.xml")
    (body, *_) = [found.text for found in junit.iter("failure")]
    file, line = re.search(r"(\w+\.py):(\d+)\)", layout.message).groups()
    assert re.search(rf'{file}", line {line}\b', body)
    if "--no-waves" not in layout.options:
        assert bucket["reproducible"]
        picture = (folder / "bad" / bucket["rerun"]["picture"]).read_text()
        assert f"{failed['failed_at_ns']:.0f} ns" in picture
