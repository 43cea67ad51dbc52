"""A run of an earlier version of the manager gives one line with what to do."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from regress.cli import command_line as cli
from regress.cli.workspace import Workspace
from verif.tests.context import CONTEXT

# Written before jobs had points, by the commit that its run.json names.
OLD = Path(__file__).parent / "data" / "run_of_schema_2"


@pytest.mark.parametrize("command", ["report", "holes", "rerun"])
def test_a_run_of_another_schema_is_one_line(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = shutil.copytree(OLD, tmp_path / "runs" / "old")
    assert cli.main([command, str(run)], replace(Workspace.of(CONTEXT), runs=run.parent)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("use the version of regress that wrote it, or repeat the run")
