"""``regress`` knows no project, and its arrows point down; the check sees one planted import."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ci.border import violations

ROOT = Path(__file__).resolve().parents[2]


def test_regress_imports_no_project_and_no_arrow_points_up() -> None:
    assert violations(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("core/plan.py", "from models.registry import architectures", "imports models.registry"),
        (
            "run/judge.py",
            "import verif.bench.configuration.design",
            "regress imports verif.bench.configuration.design",
        ),
        ("run/record.py", "from regress.report.html import write_html", "part of a circle"),
        ("core/point.py", "def f():\n    from regress.cli import command_line", "part of a circle"),
    ],
)
def test_a_planted_import_is_named(tmp_path: Path, file: str, line: str, message: str) -> None:
    no_tests = shutil.ignore_patterns("tests", "build")
    shutil.copytree(ROOT / "regress", tmp_path / "regress", ignore=no_tests)
    with (tmp_path / "regress" / file).open("a") as text:
        text.write(f"{line}\n")
    found = [one for one in violations(tmp_path) if one.startswith(f"regress/{file}:")]
    assert any(message in one for one in found)


def test_a_simulator_named_outside_its_file_is_told(tmp_path: Path) -> None:
    home = tmp_path / "regress" / "simulators"
    home.mkdir(parents=True)
    (home / "icarus.py").write_text('name = "icarus"\n')
    (tmp_path / "verif" / "tests").mkdir(parents=True)
    (tmp_path / "verif" / "tests" / "test_a.py").write_text('SIMULATOR = "icarus"\n')
    (tmp_path / "verif" / "a.py").write_text('TEXT = "icarus is slow"\nSIMULATOR = "icarus"\n')
    told = ["verif/a.py:2: names simulator icarus: name its class instead"]
    assert violations(tmp_path) == told


def test_what_only_type_checkers_see_is_no_import(tmp_path: Path) -> None:
    (tmp_path / "regress").mkdir()
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import regress.cli.options\n"
    (tmp_path / "regress" / "point.py").write_text(text)
    assert violations(tmp_path) == []
