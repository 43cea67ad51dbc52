"""The promise of the README: one SystemVerilog file and one registry entry make an architecture."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from verif.bench.configuration.design import ROOT
from verif.tests.injected import SIMULATOR

ENTRY = '''\
"""A user's multiplier: Algorithm 1b under another name."""

from models.architecture import Architecture
from models.bit_true import Model
from models.capability import Part
from models.published import Published


class MyModel(Model):
    """The loop on plain integers."""

    def loop(self, x, y, m, constants, width):
        """Two carry-save additions a step."""
        s = c = 0
        for i in range(width):
            for addend in (y if x >> i & 1 else 0, m):
                if addend is m and not s & 1:
                    addend = 0
                s, c = s ^ c ^ addend, ((s & c) | (s & addend) | (c & addend)) << 1
            s, c = s >> 1, c >> 1
        return s, c


class MyMultiplier(Architecture):
    """The least an entry can say."""

    name = "my_multiplier"
    title = "Mine"
    source = "this test"
    module = "my_multiplier"
    montgomery = True
    model = Part(MyModel)
    published = Part(Published, "n + 1", "this test")
'''


@pytest.mark.simulation
def test_two_files_are_enough(tmp_path: Path) -> None:
    for folder in ("hdl", "models", "verif", "regress", "ci"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    core = (ROOT / "hdl" / "cores" / "bit_serial" / "fast_montgomery.sv").read_text()
    core = re.sub(r"\bmodule fast_montgomery\b", "module my_multiplier", core)
    (tmp_path / "hdl" / "cores" / "bit_serial" / "my_multiplier.sv").write_text(core)
    (tmp_path / "models" / "architectures" / "my_multiplier.py").write_text(ENTRY)

    def run(*command: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    # The choice between cores is generated from the registry.
    run("ci.codes", "--write")
    quick = ("regress", "run", "quick", "--out", "run")
    run(*quick, "--arch", "my_multiplier", "--sim", SIMULATOR)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert [
        (job["planned"]["job"]["point"]["architecture"], job["status"]) for job in record["jobs"]
    ] == [("my_multiplier", "passed")]
    assert record["jobs"][0]["result"]["operations"] == 100
    assert str(tmp_path) in (tmp_path / "run" / record["jobs"][0]["folder"] / "log.txt").read_text()
