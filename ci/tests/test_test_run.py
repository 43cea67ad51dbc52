"""How ``make test`` runs: its order, and where compiled Python goes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import cast

import pytest

from ci.tests.conftest import longest_first

ROOT = Path(__file__).resolve().parents[2]
SHOW = 'show:\n\t@echo "[$${PYTHONPYCACHEPREFIX-}] [$${PYTHONDONTWRITEBYTECODE-}]"\n'


class Item:
    """A test with its marks."""

    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid = nodeid
        self._marks = marks

    def iter_markers(self) -> list[pytest.Mark]:
        return [getattr(pytest.mark, name).mark for name in self._marks]


def test_modules_with_long_tests_come_first_and_stay_whole() -> None:
    found = [
        Item("a.py::1"),
        Item("b.py::1"),
        Item("b.py::2", "simulation"),
        Item("c.py::1", "campaign", "slow"),
        Item("c.py::2", "simulation"),
        Item("d.py::1"),
    ]
    ordered = longest_first(cast(list[pytest.Item], found))
    names = ["c.py::1", "c.py::2", "b.py::1", "b.py::2", "a.py::1", "d.py::1"]
    assert [item.nodeid for item in ordered] == names


@pytest.mark.parametrize(
    ("set_to", "expected"),
    [("1", f"[{ROOT}/build/bytecode] []"), ("", "[] []")],
)
def test_compiled_python_is_kept_though_not_beside_the_sources(set_to: str, expected: str) -> None:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        ["make", "--no-print-directory", "-f", "Makefile", "-f", "-", "show"],
        cwd=ROOT,
        env={**kept, **({"PYTHONDONTWRITEBYTECODE": set_to} if set_to else {})},
        input=SHOW,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected
