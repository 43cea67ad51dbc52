"""The import contracts hold, and each fails on an import that breaks it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = "inside regress imports point down"
PROJECTS = "regress knows no project"
MODELS = "models know neither regress nor verif"
HDL = "verif reads hdl and does not import it"
TESTS = "nothing imports tests but tests"


def broken_contracts(tree: Path) -> list[str]:
    """The contracts that a tree breaks, as the tool's last lines state them."""
    done = contracts(tree)
    broken = [line for line in done.stdout.splitlines() if line.endswith(" BROKEN")]
    assert done.returncode == bool(broken), done.stdout + done.stderr
    return broken


def contracts(tree: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of a tree."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python files of the packages, and the contracts."""
    folder = tmp_path_factory.mktemp("tree")
    for package in ("models", "regress", "verif"):
        for path in (ROOT / package).rglob("*.py"):
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_the_contracts_hold(tree: Path) -> None:
    assert broken_contracts(tree) == []


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("regress/core/point.py", "def f():\n    from regress.cli import command_line", LAYERS),
        ("regress/run/record.py", "from regress.report.html import write_html", LAYERS),
        ("regress/simulators/base.py", "import regress.executors.local", LAYERS),
        ("regress/waves/view.py", "from regress.coverage import code", LAYERS),
        ("regress/history/marks.py", "from regress.report import tables", LAYERS),
        ("regress/core/plan.py", "from models.registry import architectures", PROJECTS),
        ("regress/run/judge.py", "import verif.bench.configuration.design", PROJECTS),
        ("regress/run/build.py", "import hdl.pkg", PROJECTS),
        ("models/registry.py", "import verif.bench.configuration.design", MODELS),
        ("models/registry.py", "from regress.core.errors import UsageError", MODELS),
        ("models/registry.py", "import hdl.pkg", MODELS),
        ("verif/bench/configuration/design.py", "import hdl.pkg", HDL),
        ("regress/run/build.py", "from regress.tests import conftest", TESTS),
        (
            "verif/bench/configuration/design.py",
            "from verif.bench.waves.tests import conftest",
            TESTS,
        ),
    ],
)
def test_an_illegal_import_breaks_its_contract(
    tree: Path, file: str, line: str, contract: str
) -> None:
    path = tree / file
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n{line}\n", encoding="utf-8")
    try:
        assert any(found.startswith(contract) for found in broken_contracts(tree))
    finally:
        path.write_text(text, encoding="utf-8")


def test_a_new_package_of_regress_must_get_its_layer(tree: Path) -> None:
    folder = tree / "regress/room"
    folder.mkdir()
    (folder / "__init__.py").touch()
    try:
        done = contracts(tree)
    finally:
        shutil.rmtree(folder)
    assert done.returncode == 1
    assert "regress.room" in done.stdout


def test_what_only_type_checkers_see_is_no_import(tree: Path) -> None:
    path = tree / "regress/core/errors.py"
    text = path.read_text(encoding="utf-8")
    more = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import regress.cli.options\n"
    path.write_text(text + more, encoding="utf-8")
    try:
        assert broken_contracts(tree) == []
    finally:
        path.write_text(text, encoding="utf-8")
