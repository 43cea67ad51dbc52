"""``make bench`` at a small width: every bench builds, runs and is right."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from verif.benchmark.__main__ import BEGIN
from verif.design import ROOT


@pytest.mark.slow
@pytest.mark.simulation
def test_every_bench_builds_and_runs(tmp_path: Path) -> None:
    figures, page = tmp_path / "figures.json", tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n<!-- /table -->\nafter\n")
    command = [sys.executable, "-m", "verif.benchmark", "--arch", "fast_montgomery"]
    command += ["--width", "16", "--products", "16", "--exponentiations", "1", "--rounds", "1"]
    done = subprocess.run(
        [*command, "--json", str(figures), "--write", str(page)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(figures.read_text())
    assert set(found["products"]["fast_montgomery"]["rates"]) == {
        "environment",
        "polling",
        "harness",
    }
    written = page.read_text()
    assert written.startswith(f"before\n{BEGIN}\n| Architecture |") and "\nafter\n" in written
    assert "| `fast_montgomery` | " in written and "16 bits, medians of 1 rounds" in written
    (exponentiation,) = found["exponentiations"].values()
    assert exponentiation["time_ratio"] > 0
