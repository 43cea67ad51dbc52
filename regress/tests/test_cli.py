"""The command line: exit codes, files and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regress.cli import command_line as cli
from regress.cli.workspace import Workspace
from regress.tests.conftest import PASSING_CHILD, make_workspace

LIST = """\
description: for tests
goals: [table_address]
jobs:
  - test: random
    architectures: [fast_montgomery, faster_montgomery]
    widths: [32, 64]
    simulators: [verilator]
  - test: random
    architectures: [fast_montgomery]
    widths: [32]
    simulators: [icarus]
"""
UNCOVERED = PASSING_CHILD.replace('"1": 2', '"1": 0')
FAILING = PASSING_CHILD.replace("cases = [", 'result["failures"] = ["x=0x5"]\ncases = [')
RING = """\
  - test: random
    architectures: [mwrkmm]
    widths: [32]
    simulators: [verilator]
"""


@pytest.fixture
def list_file(tmp_path: Path) -> Path:
    path = tmp_path / "my.yaml"
    path.write_text(LIST)
    return path


def run(workspace: Workspace, *arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments], workspace)


def test_a_run_that_passes(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(make_workspace(tmp_path), "run", list_file, "--seed", "9", "--jobs", "2") == 0
    printed = capsys.readouterr().out
    assert "[5/5] PASS random-" in printed
    assert "PASSED: 5 passed; 25 operations checked" in printed
    latest = tmp_path / "runs" / "latest"
    assert latest.is_symlink()
    assert f"report: {latest.resolve()}/report.html" in printed
    data = json.loads((latest / "run.json").read_text())
    assert (data["status"], data["plan"]["seed"], data["plan"]["name"]) == ("passed", 9, "my")
    assert data["summary"]["passed"] == 5
    assert data["coverage"]["fast_montgomery"]["table_address"]["bins"] == {"0": 3, "1": 6}
    assert data["plan"]["command"][1:] == ["-m", "regress", "run", str(list_file), "--seed", "9",
                                   "--jobs", "2"]  # fmt: skip
    job = data["jobs"][0]
    assert (latest / job["folder"] / "log.txt").is_file()
    asked = json.loads((latest / job["folder"] / "job.json").read_text())
    assert asked == job["planned"]["job"]
    for name in ("junit.xml", "report.html"):
        assert (latest / name).stat().st_size


def test_a_run_with_a_failed_job(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(make_workspace(tmp_path, FAILING), "run", list_file, "--out", out) == 1
    printed = capsys.readouterr().out
    assert "5 jobs (fast_montgomery 3, faster_montgomery 2): x=0x5\n" in printed
    assert "first: random-fast_montgomery-32-verilator-s1\n" in printed
    assert f"log: {out}/jobs/random-fast_montgomery-32-verilator-s1/attempt-1/log.txt" in printed
    assert (tmp_path / "runs" / "latest").resolve() == out
    assert json.loads((out / "run.json").read_text())["status"] == "failed"


def test_a_goal_that_is_not_met_fails_the_run(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(make_workspace(tmp_path, UNCOVERED), "run", list_file) == 1
    printed = capsys.readouterr().out
    assert (
        "coverage goal table_address of fast_montgomery not met: 1 of 2 hit, missing 1" in printed
    )
    assert "FAILED: 5 passed; 2 coverage goals not met" in printed


@pytest.mark.parametrize(
    "own, options, code",
    [
        ("10m", ("--budget", "5m"), 0),
        ("10m", ("--budget", "5m", "--until-coverage", "100"), 1),
        ("10m", ("--budget", "10m"), 1),
        ("10m", (), 1),
        ("", ("--budget", "5m"), 1),
        ("", ("--netlist", "gates"), 0),
        ("", ("--width", "64"), 0),
        ("", ("--test", "random"), 0),
        ("", ("--arch", "fast_montgomery"), 1),
        ("", ("--seeds", "2"), 1),
    ],
)
def test_a_part_of_the_list_demands_no_goals(
    own: str, options: tuple[str, ...], code: int, tmp_path: Path, list_file: Path
) -> None:
    if own:
        list_file.write_text(f"budget: {own}\n{LIST}")
    assert run(make_workspace(tmp_path, UNCOVERED), "run", list_file, *options) == code


def test_a_failed_build_fails_the_run(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path, broken="faster_montgomery-64")
    assert run(workspace, "run", list_file) == 1
    printed = capsys.readouterr().out
    assert "%Error: no such wire" in printed
    assert "FAILED: 4 passed, 1 build error" in printed


def test_a_folder_that_holds_a_run_is_not_overwritten(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(make_workspace(tmp_path), "run", list_file, "--out", out) == 0
    before = (out / "run.json").read_text()
    assert run(make_workspace(tmp_path), "run", list_file, "--out", out) == 2
    assert "holds a run already" in capsys.readouterr().err
    assert (out / "run.json").read_text() == before


def test_default_folders_do_not_collide(tmp_path: Path, list_file: Path) -> None:
    for _ in range(2):
        assert run(make_workspace(tmp_path), "run", list_file, "--arch", "faster_montgomery") == 0
    assert len([path for path in (tmp_path / "runs").iterdir() if path.is_dir()]) == 3


def test_a_missing_icarus_skips_the_lists_own_jobs(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path, installed=["verilator"])
    assert run(workspace, "run", list_file) == 0
    printed = capsys.readouterr().out
    assert "1 job skipped: icarus not found; install with: sudo apt-get install" in printed
    assert "PASSED: 4 passed, 1 skipped" in printed
    assert run(workspace, "report", tmp_path / "runs" / "latest") == 0
    assert "PASSED: 4 passed, 1 skipped" in capsys.readouterr().out


@pytest.mark.parametrize("simulators", ["icarus", "both"])
def test_a_missing_icarus_asked_for_is_an_error(
    tmp_path: Path, list_file: Path, simulators: str, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path, installed=["verilator"])
    assert run(workspace, "run", list_file, "--sim", simulators) == 2
    error = capsys.readouterr().err
    assert error == "regress: icarus not found; install with: sudo apt-get install iverilog\n"
    assert not (tmp_path / "runs").exists()


def test_a_dry_run_shows_the_plan_only(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(make_workspace(tmp_path), "run", list_file, "--dry-run", "--seeds", "3") == 0
    printed = capsys.readouterr().out
    assert "random-fast_montgomery-32-icarus-s3" in printed
    assert "15 jobs on 5 builds" in printed
    assert not (tmp_path / "runs").exists()


def test_every_job_can_be_given_an_entry(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path)
    assert run(workspace, "run", list_file, "--dry-run", "--netlist", "ecp5") == 0
    printed = capsys.readouterr().out
    assert "random-fast_montgomery-32-verilator-s1-Netlist1" in printed
    assert "icarus" not in printed


def test_every_job_that_accepts_a_parameter_can_be_given_it(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path)
    assert run(workspace, "run", list_file, "--dry-run", "--parameter", "BusWidth=8") == 0
    printed = capsys.readouterr().out
    assert "random-fast_montgomery-32-icarus-s1-BusWidth8" in printed
    assert " jobs: " not in printed
    list_file.write_text(LIST + RING)
    assert run(workspace, "run", list_file, "--dry-run", "--parameter", "WordWidth=8") == 0
    printed = capsys.readouterr().out
    assert "random-mwrkmm-32-verilator-s1-WordWidth8" in printed
    said = "WordWidth=8: not in 5 of 6 jobs: their entry sets it, or they do not accept it\n"
    assert printed.startswith(said)


def test_options_may_be_repeated_or_separated_by_commas(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path)
    assert run(workspace, "run", list_file, "--dry-run", "--width", "32,64", "--width", "64",
               "--arch", "fast_montgomery", "--arch", "faster_montgomery") == 0  # fmt: skip
    assert "5 jobs on 5 builds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--arch", "fastr_montgomery"], "did you mean 'faster_montgomery'?"),
        (["--arch", "montgomery"], "architecture 'montgomery' is model only; accepted:"),
        (["--arch", "optimized_interleaved"], "the options select no job of list 'my'"),
        (["--arch", ""], "unknown architecture ''"),
        (["--width", "3"], "'3' is not accepted; accepted: 4 to"),
        (["--width", "wide"], "'wide' is not accepted"),
        (
            ["--sim", "vcs"],
            "unknown simulator 'vcs'; accepted: verilator, icarus, ",
        ),
        (["--netlist", "ecp6"], "unknown netlist 'ecp6'; accepted: ecp5, gates; did you mean"),
        (["--netlist", "ecp5", "--sim", "icarus"], "unknown simulator 'icarus'; accepted: veri"),
        (
            ["--parameter", "AddressWidth=1"],
            "AddressWidth=1: no job accepts it: AddressWidth = 1: acc",
        ),
        (["--parameter", "BusWdth=8"], "no job accepts it: unknown parameter 'BusWdth' of fast"),
        (["--parameter", "BusWidth"], "'BusWidth' is not accepted; accepted: NAME=INTEGER"),
        (["--parameter", "Netlist=1"], "--parameter Netlist: not accepted; accepted: --netlist"),
        (["--seeds", "0"], "'0' is not accepted; accepted: an integer from 1"),
        (["--seed", "-1"], "--seed"),
        (["--jobs", "0"], "'0' is not accepted"),
        (["--speed"], "unrecognized arguments: --speed"),
        (["--out", "/proc/nowhere/run"], "--out /proc/nowhere/run: "),
    ],
)
def test_a_wrong_option_is_one_line(
    tmp_path: Path,
    list_file: Path,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(make_workspace(tmp_path), "run", list_file, *arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("regress: ")
    assert error.count("\n") == 1
    assert message in error


@pytest.mark.parametrize("arguments", [[], ["go"], ["run"], ["run", "nothing"]])
def test_a_wrong_command_is_one_line(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(make_workspace(tmp_path), *arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_bad_list_is_a_usage_error(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list_file.write_text(LIST.replace("goals", "gaols"))
    assert run(make_workspace(tmp_path), "run", list_file) == 2
    assert capsys.readouterr().err == (
        f"regress: {list_file}:2: unknown key 'gaols'; accepted: description, seed, budget, "
        "code_coverage, include, goals, code_goals, jobs; did you mean 'goals'?\n"
    )
    assert not (tmp_path / "runs").exists()


def test_an_interrupted_run_says_so(
    tmp_path: Path, list_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: object, plan: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("regress.run.runner.Run._work", interrupted)
    assert run(make_workspace(tmp_path), "run", list_file) == 130
    data = json.loads((tmp_path / "runs" / "latest" / "run.json").read_text())
    assert data["status"] == "interrupted"
    assert data["summary"]["interrupted"] == 5


def test_list_shows_lists_architectures_and_tests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(make_workspace(tmp_path), "list") == 0
    printed = capsys.readouterr().out
    for expected in ("smoke", "faster_montgomery", "made up", "model only", "bad_input"):
        assert expected in printed
