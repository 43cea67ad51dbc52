"""A folder of tests that pytest does not collect proves nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from ci.documentation import ROOT, files_of


def uncollected(files: Iterable[Path], testpaths: Sequence[str]) -> list[Path]:
    """Modules of tests, as paths from the root, below none of pytest's ``testpaths``."""
    return [
        file
        for file in files
        if file.match("tests/test_*.py")
        and not any(file.is_relative_to(path) for path in testpaths)
    ]


def test_every_module_of_tests_is_collected(pytestconfig: pytest.Config) -> None:
    assert not uncollected(files_of(ROOT), pytestconfig.getini("testpaths"))


def test_a_folder_that_was_forgotten_is_named() -> None:
    new = Path("verif/new/tests")
    files = [Path("ci/tests/test_a.py"), new / "test_b.py", new / "conftest.py"]
    assert uncollected(files, ["ci/tests"]) == [new / "test_b.py"]
