"""A test that hangs is named and the others go on: the gate must not end at CI's limit, silent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The short limit is that of the hanging test alone. On a slow machine it would end the other test,
# too, and an exception while a worker sends a message can leave half of it: pytest would wait for
# the rest for ever.
HANGS = """
import time

import pytest

@pytest.mark.timeout(0.5)
def test_that_swallows_its_timeout():
    while True:
        try:
            time.sleep(0.1)
        except BaseException:
            pass

def test_behind_it():
    pass
"""


def test_a_test_that_swallows_its_timeout_fails_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "test_hangs.py").write_text(HANGS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "1",
        f"--rootdir={tmp_path}",
        "-p",
        "no:cacheprovider",
    ]
    command += ["-c", str(ROOT / "pyproject.toml"), "-o", "faulthandler_timeout=5"]
    # A folder of its own: without it pytest ends by removing folders that earlier runs left, and
    # that took two minutes in CI.
    command += [f"--basetemp={tmp_path / 'temporary'}"]
    result = subprocess.run(
        [*command, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 1
    assert "1 failed, 1 passed" in result.stdout
    assert "crashed while running 'test_hangs.py::test_that_swallows_its_timeout'" in result.stdout
    assert "in test_that_swallows_its_timeout" in result.stderr  # where it stood


def test_the_worker_ends_only_behind_the_test_s_own_timeout(pytestconfig: pytest.Config) -> None:
    own = float(pytestconfig.getini("timeout"))
    assert own < float(pytestconfig.getini("faulthandler_timeout")) < 2 * own
    assert pytestconfig.getini("faulthandler_exit_on_timeout")
