"""Tools that are missing and designs that are too large: a clear line each, exit 2."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from regress.cli.command_line import main
from regress.cli.workspace import Workspace
from regress.run.buckets import buckets
from regress.run.record import RunRecord
from verif.implement import command
from verif.implement.measure import Measured
from verif.implement.targets import target
from verif.implement.tests.test_command import NOW, record_of
from verif.implement.toolbox import Toolbox
from verif.library.netlist.process import ToolError
from verif.tests.context import CONTEXT

ARGV = ["implement", "--arch", "mm42", "--width", "8", "--target"]


def test_tools_that_cannot_be_installed_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = tmp_path / ".tools"
    tools.touch()
    monkeypatch.setenv("REGRESS_TOOLS", str(tools))
    workspace = replace(Workspace.of(CONTEXT), runs=tmp_path / "runs")
    assert main([*ARGV, "ecp5"], workspace) == 2
    said = capsys.readouterr()
    assert not said.out
    (line,) = said.err.splitlines()
    assert line.startswith(f"regress: target ecp5: cannot install tools below {tools}: ")
    assert not (tmp_path / "runs").exists()


def test_a_missing_timing_tool_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Toolbox, "liberty", lambda self, member: tmp_path)
    monkeypatch.setattr(Toolbox, "_install_packages", lambda self, folder: folder.mkdir())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match="OpenSTA not found; install with: sudo apt-get install"):
        target("nangate45").prepare(Toolbox(tmp_path / ".tools"))


def test_a_design_that_does_not_fit_is_wrong_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = "needs 90000 luts, LFE5U-85F has 83640"
    for fits, code in ((False, 2), (True, 1)):
        found = Measured(problem=problem, fits=fits, date=NOW)
        record = failed(record_of(tmp_path, {1: found}), problem)
        monkeypatch.setattr(command, "execute", lambda *_, record=record, **__: record)
        monkeypatch.setattr(command, "_prepare", lambda call: None)
        assert main([*ARGV, "ecp5"], Workspace.of(CONTEXT)) == code
        assert problem in capsys.readouterr().out


def failed(record: RunRecord, message: str) -> RunRecord:
    record.jobs = [replace(job, status=command.BAD[0], message=message) for job in record.jobs]
    record.buckets = buckets(record.project, record.jobs)
    record.finished = True
    return record
