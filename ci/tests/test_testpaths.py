"""A folder of tests that pytest does not collect proves nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def uncollected(files: list[str], testpaths: list[str]) -> list[str]:
    """Modules of tests, as paths from the root, below none of pytest's ``testpaths``."""
    return [
        name
        for name in files
        if Path(name).parent.name == "tests"
        and Path(name).match("test_*.py")
        and not any(Path(name).is_relative_to(path) for path in testpaths)
    ]


def test_every_module_of_tests_is_collected(pytestconfig: pytest.Config) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not uncollected(tracked, pytestconfig.getini("testpaths"))


def test_a_folder_that_was_forgotten_is_named() -> None:
    files = ["ci/tests/test_a.py", "verif/new/tests/test_b.py", "verif/new/tests/conftest.py"]
    assert uncollected(files, ["ci/tests"]) == ["verif/new/tests/test_b.py"]
