"""The child process of a job, with a stand-in for the simulator."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from regress.core.processes import clean_environment
from regress.run import workdir
from regress.run.job import simulator_exit_code
from regress.run.workdir import make_work_folder
from regress.tests.conftest import make_job

ROOT = Path(__file__).parents[2]
RECORD = 'env | grep -E "^(COCOTB|REGRESS_JOB)" | sort > "$PWD/environment"\n'


def run_child(folder: Path, script: str, simulator: str = "icarus", **changes: Any) -> int:
    """Run a job, with ``changes``, on a simulator whose programs are the given shell script."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("iverilog", "vvp", "xrun"):
        (tools / name).write_text(f"#!/bin/sh\n{script}")
        (tools / name).chmod(0o755)
    job = folder / "job"
    job.mkdir()
    make_job(simulator, seed=1234, **changes).job.write(job / "job.json")
    environment = clean_environment()
    environment["PATH"] = f"{tools}:{environment['PATH']}"
    command = [sys.executable, "-m", "regress.run.job", str(job), "--build", str(folder)]
    with (folder / "log.txt").open("w") as log:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=log, stderr=log, check=False
        )
    return done.returncode


def test_the_simulator_is_told_test_seed_and_job(tmp_path: Path) -> None:
    assert run_child(tmp_path, RECORD) == 0
    settings = dict(
        line.split("=", 1) for line in (tmp_path / "job" / "environment").read_text().splitlines()
    )
    assert settings["COCOTB_RANDOM_SEED"] == "1234"
    assert settings["COCOTB_TEST_FILTER"] == r"\.random$"
    assert settings["REGRESS_JOB"] == str(tmp_path / "job" / "job.json")
    assert settings["COCOTB_RESULTS_FILE"] == str(tmp_path / "job" / "results.xml")


@pytest.mark.parametrize(
    ("script", "code"), [("exit 3\n", 3), ("kill -SEGV $$\n", 139)], ids=["exit", "signal"]
)
def test_the_exit_code_is_the_simulators(tmp_path: Path, script: str, code: int) -> None:
    assert run_child(tmp_path, script) == code


@pytest.mark.parametrize("can", [True, False], ids=["build with waves", "build without"])
def test_waves_go_into_the_folder_if_the_build_can(tmp_path: Path, can: bool) -> None:
    (tmp_path / "build.json").write_text(json.dumps({"waves": can}))
    assert run_child(tmp_path, 'echo "$@" > "$PWD/arguments"\n', waves=True) == 0
    arguments = (tmp_path / "job" / "arguments").read_text().split()
    assert (f"+dumpfile_path={tmp_path / 'job' / 'waves.fst'}" in arguments) is can
    assert ("-fst" in arguments) is can
    assert ("no waves: build" in (tmp_path / "log.txt").read_text()) is not can


def test_a_commercial_simulator_runs_what_was_built_before(tmp_path: Path) -> None:
    assert run_child(tmp_path, 'echo "$@" > "$PWD/arguments"\n', "xcelium") == 0
    arguments = (tmp_path / "job" / "arguments").read_text()
    assert f"-xmlibdirname {tmp_path}/xrun_snapshot" in arguments


def test_a_message_without_a_code_is_a_failure() -> None:
    assert simulator_exit_code("something else") == 1


def test_a_child_starts_without_pytest_and_pytest_works_after_it() -> None:
    program = (
        "import sys, regress.run.compile, regress.run.job\n"
        "assert not any(name.startswith('_pytest') for name in sys.modules), 'pytest is there'\n"
        "import pytest\n"
        "pytest.raises(ValueError)\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_python_compiles_is_kept_though_not_beside_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert clean_environment()["PYTHONDONTWRITEBYTECODE"] == "1"
    environment = clean_environment(tmp_path / "bytecode")
    subprocess.run([sys.executable, "-m", "regress.run.job", "-h"], cwd=ROOT, env=environment,
                   capture_output=True, check=True)  # fmt: skip
    assert list((tmp_path / "bytecode").rglob("jobfile.*.pyc"))


@pytest.fixture
def layout(tmp_path: Path) -> Path:
    """A project whose tests start in ``tests``, and a job of it."""
    for name in (
        "tests/out/log.txt",
        "tests/deep/er/vectors.txt",
        "tests/golden.log",
        "tests/test_a.py",
        "tests/sim_build/old.vvp",
        "tests/.hidden/big",
        "build/rom.hex",
        "data/rom.hex",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "runs/r/jobs/j").mkdir(parents=True)
    return tmp_path


def test_a_job_reads_every_file_and_writes_into_its_own_folder(layout: Path) -> None:
    work = make_work_folder(layout, "tests", (), layout / "runs/r/jobs/j")
    for name in (
        "golden.log", "test_a.py", "out/log.txt", "../build/rom.hex", "../data/rom.hex",
        "deep/er/vectors.txt", "sim_build/old.vvp", ".hidden/big",
    ):  # fmt: skip
        assert (work / name).read_text() == str((layout / "tests" / name).resolve())[
            len(str(layout)) + 1 :
        ], name
    assert (work / "test_a.py").resolve() == layout / "tests/test_a.py"
    for name in ("out/log.txt", "out/new.txt", "deep/er/vectors.txt", "golden.log"):
        (work / name).write_text("written by the job")
    assert not (layout / "tests/out/new.txt").exists()
    for name in ("out/log.txt", "deep/er/vectors.txt", "golden.log"):
        assert (layout / "tests" / name).read_text() == f"tests/{name}"
    assert not (work.parent / "runs").exists(), "the copy would contain itself"


def test_a_job_in_the_root_with_more_files_than_it_copies(
    layout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workdir, "MOST_COPIED_BYTES_OF_JOB", 30)
    work = make_work_folder(layout, ".", ("tests/out", "build"), layout / "runs/r/jobs/j")
    assert (work / "build").is_dir() and not (work / "build").is_symlink()
    assert not (work / "runs").exists()
    files = [path for path in (work / "tests").rglob("*") if path.is_file()]
    assert {path.is_symlink() for path in files} == {False, True}
    assert (layout / "build/rom.hex").read_text() == "build/rom.hex"
    assert (work / "out/log.txt").read_text() == "tests/out/log.txt"
