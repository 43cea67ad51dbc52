"""Only a simulator's own file knows its name as a text; everything else names its class."""

from __future__ import annotations

import ast
from pathlib import Path

from regress.simulators import SIMULATORS

ROOT = Path(__file__).resolve().parents[2]
HOME = Path("regress/simulators")


def named_outside(root: Path) -> list[str]:
    """Places in the packages of a tree where a text is just the name of a simulator."""
    found = []
    for package in ("regress", "models", "verif"):
        for path in sorted((root / package).rglob("*.py")):
            place = path.relative_to(root)
            if "tests" in place.parts or place.is_relative_to(HOME):
                continue
            text = path.read_text(encoding="utf-8")
            if not any(name in text for name in SIMULATORS):
                continue  # parsing takes most of the time
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Constant) and node.value in SIMULATORS:
                    found.append(f"{place}:{node.lineno}: names simulator {node.value}")
    return found


def test_no_simulator_is_named_outside_its_file() -> None:
    assert named_outside(ROOT) == []


def test_an_illegal_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "verif" / "tests").mkdir(parents=True)
    (tmp_path / "verif" / "tests" / "test_a.py").write_text('SIMULATOR = "icarus"\n')
    (tmp_path / "verif" / "a.py").write_text('TEXT = "icarus is slow"\nSIMULATOR = "icarus"\n')
    assert named_outside(tmp_path) == ["verif/a.py:2: names simulator icarus"]
