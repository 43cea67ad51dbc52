"""The command ``vectors``: exit codes and what the user reads. No simulator runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import hardware_architectures
from regress.cli import command_line as cli
from regress.cli.workspace import Workspace
from regress.tests.conftest import PASSING_CHILD, write_json_lines
from verif.tests.context import make_workspace

VECTOR = {"x": "2", "y": "3", "m": "5", "name": "small"}


def run(workspace: Workspace, *arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments], workspace)


def test_a_bad_file_is_a_line_for_each_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_json_lines(tmp_path / "v.jsonl", VECTOR, "{", {"x": "1"})
    assert run(make_workspace(tmp_path), "vectors", path) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert not (tmp_path / "runs").exists()


def test_a_file_that_is_not_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(make_workspace(tmp_path), "vectors", "nothing.jsonl") == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_vectors_that_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_json_lines(tmp_path / "v.jsonl", VECTOR)
    assert run(make_workspace(tmp_path), "vectors", path, "--sim", "both") == 0
    printed = capsys.readouterr().out
    assert "PASS small faster_montgomery 4 icarus\n" in printed
    count = 2 * len(hardware_architectures())
    assert f"{count} passed of {count} cases" in printed


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (PASSING_CHILD.replace('job["cases"]', "[]"), "NOT RUN small {}: small: no outcome"),
        ("", "NOT RUN small {}: missing results.xml"),
        (
            PASSING_CHILD.replace('"passed", "message": ""', '"failed", "message": "P = 0x1"'),
            "FAIL small {}: P = 0x1",
        ),
    ],
)
def test_vectors_that_fail(
    tmp_path: Path, script: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_json_lines(tmp_path / "v.jsonl", VECTOR)
    workspace = make_workspace(tmp_path, script)
    assert run(workspace, "vectors", path, "--arch", "fast_montgomery") == 1
    printed = capsys.readouterr().out
    assert message.format("fast_montgomery 4 verilator") in printed
    assert "passed of" not in printed


def test_a_missing_icarus_is_an_error_for_vectors(tmp_path: Path) -> None:
    path = write_json_lines(tmp_path / "v.jsonl", VECTOR)
    workspace = make_workspace(tmp_path, installed=["verilator"])
    assert run(workspace, "vectors", path, "--sim", "both") == 2
    assert run(workspace, "vectors", path) == 0


def test_a_dry_run_shows_builds_and_jobs_and_runs_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moduli = ("5", "b", "11", "25", "47", "83")
    lines = [{**VECTOR, "m": m, "name": f"m {m}", "architecture": "mm42"} for m in moduli]
    path = write_json_lines(tmp_path / "v.jsonl", *lines)
    workspace = make_workspace(tmp_path)
    assert run(workspace, "vectors", path, "--dry-run") == 0
    printed = capsys.readouterr().out
    assert "6 lines on 1 architecture at 4 widths (4, 6, 7, 8): 4 builds, 4 jobs" in printed
    assert "; exact widths take 5 builds" in printed
    assert "vectors-mm42-8-verilator-s1" in printed
    assert run(workspace, "vectors", path, "--dry-run", "--width", "64,8") == 0
    assert "at 1 width (8): 1 build, 1 job" in capsys.readouterr().out
    assert run(workspace, "vectors", path, "--dry-run", "--width", "exact") == 0
    assert "at 5 widths (4, 5, 6, 7, 8): 5 builds" in capsys.readouterr().out
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("width", "message"),
    [
        ("3", "width '3' is not accepted; accepted: 4 to 8192; also auto and exact"),
        ("few", "width 'few' is not accepted"),
        ("4", "v.jsonl:2: wide has 7 bits, more than --width 4"),
    ],
)
def test_a_bad_width_is_one_line(
    tmp_path: Path, width: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_json_lines(tmp_path / "v.jsonl", VECTOR, {**VECTOR, "m": "71", "name": "wide"})
    assert run(make_workspace(tmp_path), "vectors", path, "--width", width) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1


def test_a_failure_is_reproduced_at_its_width(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_json_lines(tmp_path / "v.jsonl", VECTOR)
    failing = PASSING_CHILD.replace('"passed", "message": ""', '"failed", "message": "P = 0x1"')
    workspace = make_workspace(tmp_path, failing)
    assert run(workspace, "vectors", path, "--arch", "mm42", "--width", "16") == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "--arch mm42 --width 16 --only small" in printed
