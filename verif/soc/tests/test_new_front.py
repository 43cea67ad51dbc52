"""The promise of hdl/docs/fronts.md: four files make a front that every job can run through."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from verif.bench.configuration.design import ROOT

# A front under another name, with what each of the four files of the page gets.
KNOWN, NEW, NUMBER = "apb4", "mine", 4
FOLDERS = ("hdl", "models", "verif", "regress", "ci")


def _copied(root: Path, path: str) -> None:
    text = (ROOT / path).read_text()
    new = re.sub(rf"\b{KNOWN}_(front|rules)\b", rf"{NEW}_\1", text)
    (root / path.replace(KNOWN, NEW)).write_text(new)


def _extended(root: Path, path: str, after: str, entry: str) -> None:
    text = (root / path).read_text()
    assert text.count(after) == 1
    (root / path).write_text(text.replace(after, after + entry))


@pytest.mark.simulation
@pytest.mark.slow
def test_four_files_are_enough(tmp_path: Path) -> None:
    for folder in FOLDERS:
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    _copied(tmp_path, f"hdl/fronts/{KNOWN}_front.sv")
    _copied(tmp_path, f"verif/bench/agent/{KNOWN}_rules.sv")
    masters = f'    "{KNOWN}": ApbMaster,\n'
    _extended(tmp_path, "verif/bench/agent/front_masters.py", masters, f'    "{NEW}": ApbMaster,\n')
    numbers = '3: "wishbone"'
    _extended(
        tmp_path, "verif/bench/configuration/design.py", numbers, f', {NUMBER}: "{NEW}"'
    )  # fmt: skip

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("ci.codes", "--write")
    job = ("fast_montgomery", "33", "icarus", "--operations", "2")
    said = run("regress", "job", "random", *job, "--parameter", f"Front={NUMBER}")
    assert "PASSED" in said
    said = run("regress", "job", f"{NEW}_products", *job)
    assert "PASSED" in said
