"""``regress`` knows no project, and its arrows point down; the check sees one planted import."""

from __future__ import annotations

from pathlib import Path

import pytest

from ci.border import violations

ROOT = Path(__file__).resolve().parents[2]


def test_regress_imports_no_project_and_no_arrow_points_up() -> None:
    assert violations(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("plan.py", "from models.registry import architectures", "regress imports models.registry"),
        ("judge.py", "import verif.design", "regress imports verif.design"),
        ("record.py", "from regress.report.html import write_html", "(reports), a floor above"),
        ("point.py", "def f():\n    from regress import cli", "(commands), a floor above"),
        ("stray.py", "import os", "stray is on no floor"),
    ],
)
def test_a_planted_import_is_named(tmp_path: Path, file: str, line: str, message: str) -> None:
    for name in ("cli.py", "report/html.py"):
        path = tmp_path / "regress" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "regress" / file).write_text(f"{line}\n")
    (found,) = violations(tmp_path)
    assert found.startswith(f"regress/{file}:") and message in found


def test_what_only_type_checkers_see_is_no_import(tmp_path: Path) -> None:
    (tmp_path / "regress").mkdir()
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from regress.cli import main\n"
    (tmp_path / "regress" / "point.py").write_text(text)
    assert violations(tmp_path) == []
