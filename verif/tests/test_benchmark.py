"""``make bench`` at a small width: every bench builds, runs and is right."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from verif.design import ROOT


@pytest.mark.slow
@pytest.mark.simulation
def test_every_bench_builds_and_runs(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    command = [sys.executable, "-m", "verif.benchmark", "--arch", "fast_montgomery"]
    command += ["--width", "16", "--products", "16", "--exponentiations", "1", "--rounds", "1"]
    done = subprocess.run(
        [*command, "--json", str(figures)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(figures.read_text())
    assert set(found["products"]["fast_montgomery"]["rates"]) == {
        "environment",
        "polling",
        "harness",
    }
    (exponentiation,) = found["exponentiations"].values()
    assert exponentiation["time_ratio"] > 0
