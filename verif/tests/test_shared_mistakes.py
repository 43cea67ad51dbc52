"""A mistake that a registry entry and the RTL share fails a list.

Model, stimulus, cycles and RTL all agree with each other then; what disagrees is the second
statement of R, ranges and status codes in ``models/independent.py``: the scoreboard judges by it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from verif.bench.configuration.design import ROOT
from verif.library.edits.altered import altered
from verif.library.edits.operators import Operator, Replace
from verif.tests.injected import SIMULATOR, representatives


@dataclass(frozen=True)
class SharedMistake:
    """The same mistake in the design and in Python.

    Attributes:
        name: of the test's case.
        architecture: on which it is tried.
        test: that must see it.
        changes: what is done to the design.
        python: (file, old text, which occurs once, new text).
        message: pattern of the failure.
    """

    name: str
    architecture: str
    test: str
    changes: tuple[Operator, ...]
    python: tuple[tuple[str, str, str], ...]
    message: str


MISTAKES = [
    SharedMistake(
        "R of a digit more",
        "parallel_high_radix",
        "random",
        (Replace(module="quotient_pipelined", parameter="XDigits", to="@ + 1"),),
        (
            (
                "models/architectures/quotient_pipelined.py",
                "return -(-bits // self.digit_width(width))",
                "return -(-bits // self.digit_width(width)) + (not chain)",
            ),
        ),
        r"is not congruent to the product \(R = 2\*\*16\): .*gmpy2 says",
    ),
    SharedMistake(
        "R of a chain a digit longer",
        "mwrkmm",
        "exp_random",
        (Replace(module="mwrkmm", parameter="ChainDigits", to="@ + 1"),),
        (
            (
                "models/architectures/mwrkmm.py",
                "return -(-bits // self.digit_width(width)) + 1",
                "return -(-bits // self.digit_width(width)) + 1 + chain",
            ),
        ),
        r"status code 2, by the written interface it is 10 \(CONSTANT_INCONSISTENT\)",
    ),
    SharedMistake(
        "two status codes swapped",
        "fast_montgomery",
        "bad_input",
        (
            Replace(module="multiplier_pkg", parameter="StatusModulusEven", to="4'd6"),
            Replace(module="multiplier_pkg", parameter="StatusOperandRange", to="4'd5"),
        ),
        (
            ("models/status.py", "MODULUS_EVEN = 5", "MODULUS_EVEN = 6"),
            ("models/status.py", "OPERAND_RANGE = 6", "OPERAND_RANGE = 5"),
        ),
        r"status code 6, by the written interface it is 5 \(MODULUS_EVEN\)",
    ),
]


@pytest.mark.simulation
@pytest.mark.parametrize(
    "mistake", representatives(MISTAKES, lambda _: "shared", lambda mistake: mistake.name)
)
def test_a_shared_mistake_fails_a_list(mistake: SharedMistake, tmp_path: Path) -> None:
    for folder in ("hdl", "models", "verif", "regress"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, text in altered(tmp_path / "hdl", mistake.changes).items():
        (tmp_path / "hdl" / name).write_text(text)
    for file, old, new in mistake.python:
        path = tmp_path / file
        assert path.read_text().count(old) == 1, f"{file} has {old!r} not once"
        path.write_text(path.read_text().replace(old, new))
    (tmp_path / "list.yaml").write_text(
        f"description: {mistake.name}\njobs:\n"
        f"  - {{test: {mistake.test}, architectures: [{mistake.architecture}], widths: [16], "
        f"simulators: [{SIMULATOR}], operations: 30}}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "regress", "run", "list.yaml", "--out", "run", "--no-waves"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    (job,) = json.loads((tmp_path / "run" / "run.json").read_text())["jobs"]
    failures = json.loads((tmp_path / "run" / job["folder"] / "result.json").read_text())[
        "failures"
    ]
    assert any(re.search(mistake.message, line) for line in failures), failures[:3]
    # Nothing else was wrong: without the second statement the list would have passed.
    others = [line for line in failures if not re.search(mistake.message, line)]
    assert all("written interface" in line or "gmpy2" in line for line in others), others[:3]
