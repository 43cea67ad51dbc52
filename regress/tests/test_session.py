"""Runs that end badly, and how the command line resumes or reports them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regress.cli import command_line as cli
from regress.cli.session import execute
from regress.cli.workspace import Workspace
from regress.core.plan import Plan
from regress.core.processes import ProcessGroups
from regress.executors.local import Executor, LocalExecutor
from regress.run.build import Builder
from regress.simulators.verilator import Verilator
from regress.tests.conftest import PASSING_CHILD, PROJECT, make_job, make_workspace

LIST = """\
description: for tests
goals: [table_address]
jobs:
  - test: random
    architectures: [fast_montgomery, faster_montgomery]
    widths: [32, 64]
    simulators: [verilator]
"""
WRONG = "fast_montgomery 32 bits at 70 ns: x=0x5 y=0x{number} m=0x7: P = 0x1, gmpy2 says 0x{number}"
FAILING = (
    PASSING_CHILD
    + f"""
number = job["seed"] % 90 + 10
result["failures"] = [{WRONG!r}.replace("{{number}}", str(number))]
result["failure_times"] = [70.0]
(folder / "result.json").write_text(json.dumps(result))
"""
)
NOT_REPRODUCIBLE = FAILING.replace(
    'result["failures"] =', 'if not job["waves"]: result["failures"] ='
)
# Ends the whole runner in its second job, as an operator or the kernel would.
KILLS_ITS_RUNNER = (
    """
import os, pathlib, signal, sys
folder = pathlib.Path(sys.argv[1])
run = folder.parent.parent.parent
if len(list(run.glob("jobs/*"))) > 2 and not (run / "killed").exists():
    (run / "killed").write_text("")
    os.kill(os.getppid(), signal.SIGKILL)
"""
    + PASSING_CHILD
)


@pytest.fixture
def list_file(tmp_path: Path) -> Path:
    path = tmp_path / "my.yaml"
    path.write_text(LIST)
    return path


def run(workspace: Workspace, *arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments], workspace)


def run_json(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "run.json").read_text())


def test_failures_of_one_kind_are_one_bucket_and_run_again_with_waves(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(make_workspace(tmp_path, FAILING), "run", list_file, "--out", out) == 1
    (bucket,) = run_json(out)["buckets"]
    assert bucket["key"] == "P = #, gmpy2 says #"
    assert len(bucket["jobs"]) == 4
    assert bucket["reproducible"] is True
    again = json.loads((out / bucket["rerun"]["folder"] / "job.json").read_text())
    first = json.loads((out / "jobs" / bucket["jobs"][0] / "attempt-1" / "job.json").read_text())
    # It fails everywhere, so at the least width, too.
    assert bucket["shrunk"]["configuration"] == "fast_montgomery 4"
    assert again["waves"] and again["seed"] == first["seed"]
    assert again["time_limit_ns"] == 5070.0
    job = f"job random fast_montgomery 4 verilator --seed {again['seed']}"
    assert bucket["command"].startswith(f".venv/bin/python -m regress {job}")


def test_the_command_of_a_bucket_reproduces_its_failure(tmp_path: Path, list_file: Path) -> None:
    out = tmp_path / "out"
    run(make_workspace(tmp_path, FAILING), "run", list_file, "--out", out)
    (bucket,) = run_json(out)["buckets"]
    again = tmp_path / "again"
    words = bucket["command"].split()[3:]
    assert run(make_workspace(tmp_path, FAILING), *words, "--out", again) == 1
    (job,) = run_json(again)["jobs"]
    assert job["message"] == run_json(out)["jobs"][0]["message"]


def test_the_command_of_a_bucket_has_the_limits_of_its_job(tmp_path: Path, list_file: Path) -> None:
    list_file.write_text(LIST + "    timeout: 7m\n    time_limit: 20us\n")
    out = tmp_path / "out"
    run(make_workspace(tmp_path, FAILING), "run", list_file, "--no-waves", "--out", out)
    (bucket,) = run_json(out)["buckets"]
    assert bucket["command"].endswith("--timeout 420s --time-limit 20000ns")
    words = bucket["command"].split()[3:]
    assert run(make_workspace(tmp_path), *words, "--out", tmp_path / "again") == 0
    (job,) = run_json(tmp_path / "again")["jobs"]
    assert job["planned"]["timeout"] == 420
    assert job["planned"]["job"]["time_limit_ns"] == pytest.approx(20_000)


def test_an_interrupt_ends_a_job_that_runs_again_with_waves(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupts = FAILING + (
        'if job["waves"]:\n'
        "    import os, signal, time\n"
        "    os.kill(os.getppid(), signal.SIGINT)\n"
        "    time.sleep(100)\n"
    )
    start = time.monotonic()
    workspace = make_workspace(tmp_path, interrupts)
    assert run(workspace, "run", list_file, "--no-shrink") == 130
    assert time.monotonic() - start < 60
    assert "go on with" not in capsys.readouterr().out


def test_a_second_run_that_passes_is_told_as_not_reproducible(
    tmp_path: Path, list_file: Path
) -> None:
    out = tmp_path / "out"
    assert run(make_workspace(tmp_path, NOT_REPRODUCIBLE), "run", list_file, "--out", out) == 1
    (bucket,) = run_json(out)["buckets"]
    assert bucket["reproducible"] is False
    assert bucket["rerun"]["status"] == "passed"


@pytest.mark.parametrize("local", [True, False])
def test_builds_for_other_machines_are_portable(tmp_path: Path, local: bool) -> None:
    given: list[Verilator] = []
    empty = make_workspace(tmp_path)

    def make_builder(**settings: Any) -> Builder:
        given.extend(settings["simulators"].values())
        return empty.make_builder(**settings)

    def make_executor(groups: ProcessGroups, workers: int) -> Executor:
        executor = LocalExecutor(PROJECT.root, groups, workers, empty.command)
        executor.local = local
        return executor

    found = Verilator("1.0", "nowhere", instructions=("avx512f",))
    workspace = replace(empty, make_builder=make_builder, find=lambda _: ({found.name: found}, {}))
    plan = Plan(name="one", jobs=(make_job(),))
    execute(plan, workspace, Console(quiet=True), workers=1, make_executor=make_executor)
    assert [bool(simulator.instructions) for simulator in given] == [local]


def test_without_waves_nothing_runs_again(tmp_path: Path, list_file: Path) -> None:
    out = tmp_path / "out"
    run(make_workspace(tmp_path, FAILING), "run", list_file, "--out", out, "--no-waves")
    assert run_json(out)["buckets"][0]["rerun"] is None


def test_failed_jobs_run_again_and_a_job_can_be_debugged(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = make_workspace(tmp_path, FAILING)
    run(workspace, "run", list_file, "--no-waves")
    latest = (tmp_path / "runs" / "latest").resolve()
    assert run(workspace, "rerun", latest, "--failed", "--out", tmp_path / "again") == 1
    assert len(run_json(tmp_path / "again")["jobs"]) == 4
    name = run_json(latest)["jobs"][0]["planned"]["id"]
    assert run(workspace, "debug", name, "--out", tmp_path / "debug") == 1
    (job,) = run_json(tmp_path / "debug")["jobs"]
    assert json.loads((tmp_path / "debug" / job["folder"] / "job.json").read_text())["waves"]
    good = make_workspace(tmp_path)
    assert run(good, "run", list_file, "--out", tmp_path / "good") == 0
    assert run(good, "rerun", tmp_path / "good", "--failed") == 2
    assert "no job failed, nothing to run again" in capsys.readouterr().err


def start_killed_run(tmp_path: Path, list_file: Path) -> Path:
    """A runner in a process of its own that is killed in mid-run."""
    out = tmp_path / "out"
    script = (
        "import sys; from pathlib import Path; "
        "from regress.cli import command_line as cli; "
        "from regress.tests.conftest import make_workspace; "
        "from regress.tests.test_session import KILLS_ITS_RUNNER; "
        f"sys.exit(cli.main(['run', {str(list_file)!r}, '--out', {str(out)!r}, '--jobs', '1'], "
        f"make_workspace(Path({str(tmp_path)!r}), KILLS_ITS_RUNNER)))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return out


def test_a_run_whose_runner_was_killed_is_reported_and_finished(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = start_killed_run(tmp_path, list_file)
    for _ in range(100):  # the job outlives its runner for a moment
        if not any(path.name == "log.txt.lock" for path in out.rglob("*")):
            break
        time.sleep(0.02)
    assert run_json(out)["status"] == "running"
    workspace = make_workspace(tmp_path)
    assert run(workspace, "report", out) == 130
    data = run_json(out)
    assert data["status"] == "interrupted"
    assert data["summary"] | {"passed": 2, "interrupted": 2} == data["summary"]
    assert (out / "report.html").stat().st_size
    assert run(workspace, "run", "--resume", out) == 0
    data = run_json(out)
    assert (data["status"], data["summary"]["passed"]) == ("passed", 4)
    assert "2 of 4 jobs have ended; the other jobs run now" in capsys.readouterr().out
    assert run(workspace, "run", "--resume", out) == 2
    assert "all 4 jobs have ended, nothing to resume" in capsys.readouterr().err


def test_a_report_keeps_builds_that_failed_and_the_tools(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    workspace = make_workspace(tmp_path, broken="64")
    assert run(workspace, "run", list_file, "--out", out) == 1
    data = run_json(out)
    data["tools"]["sources"] = "an earlier commit"
    (out / "run.json").write_text(json.dumps(data))
    assert run(workspace, "report", out) == 1
    again = run_json(out)
    for name in ("status", "summary", "builds", "tools"):
        assert again[name] == data[name], name
    assert again["summary"]["build_error"] == 2
    assert run(workspace, "rerun", out, "--failed", "--out", tmp_path / "again") == 1
    assert run_json(tmp_path / "again")["summary"]["build_error"] == 2


def test_a_report_of_a_run_that_could_not_continue_fails(tmp_path: Path, list_file: Path) -> None:
    out = tmp_path / "out"
    workspace = make_workspace(tmp_path)
    run(workspace, "run", list_file, "--out", out)
    (*_, last) = sorted((out / "jobs").iterdir())
    (last / "status.json").unlink()
    data = run_json(out)
    (job,) = (job for job in data["jobs"] if job["planned"]["id"] == last.name)
    job["status"], job["message"] = "not_run", "the disk is full"
    data |= {"stopped": "the disk is full", "broken": True, "status": "failed", "goals": []}
    (out / "run.json").write_text(json.dumps(data))
    assert run(workspace, "report", out) == 1
    assert run_json(out)["status"] == "failed"


def test_a_run_of_a_test_that_is_gone_is_one_line(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    workspace = make_workspace(tmp_path)
    run(workspace, "run", list_file, "--out", out)
    for file in (out / "plan.json", *out.glob("jobs/*/status.json")):
        file.write_text(file.read_text().replace('"test": "random"', '"test": "xf"'))
    next(out.glob("jobs/*/status.json")).unlink()
    capsys.readouterr()
    for words in (["report", out], ["rerun", out], ["run", "--resume", out]):
        assert run(workspace, *words) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "test 'xf' of this run no longer exists in the project" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["run", "--resume", "nowhere"],
            "nowhere is not a folder of a run; accepted: a folder with",
        ),
        (["run", "smoke", "--resume", "nowhere"], "--resume RUN: accepted without a list"),
        (["run"], "run needs a list, or --resume RUN"),
        (["report", "nowhere"], "nowhere is not a folder of a run"),
        (["rerun", "nowhere"], "nowhere is not a folder of a run"),
        (["debug", "nowhere"], "unknown job 'nowhere'; accepted: the folder of a job"),
        (["run", "smoke", "--tag", "nothing"], "unknown tag of list 'smoke' 'nothing'; accepted: "),
        (["run", "smoke", "--test", "nothing"], "unknown test of list 'smoke' 'nothing'; "),
        (["run", "smoke", "--budget", "soon"], "argument --budget: 'soon' is not a duration"),
        (["run", "smoke", "--until-coverage", "120"], "'120' is not accepted; accepted: more than"),
        (
            ["job", "random", "fast_montgomery", "3", "verilator"],
            "'3' is not accepted; accepted: 4",
        ),
        (
            ["job", "random", "fast_montgomery", "32", "verilator", "--parameter", "Size=3"],
            "unknown parameter 'Size' of fast_montgomery; accepted: BusWidth",
        ),
        (
            ["job", "random", "fast_montgomery", "32", "verilator", "--parameter", "Size"],
            "'Size' is not accepted; accepted: NAME=INTEGER",
        ),
    ],
)
def test_wrong_input_is_one_line(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(make_workspace(tmp_path), *arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert not (tmp_path / "runs").exists()


def test_a_run_that_is_refused_leaves_nothing(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    workspace, out = make_workspace(tmp_path), tmp_path / "out"
    without_goals = tmp_path / "none.yaml"
    without_goals.write_text(LIST.replace("goals: [table_address]\n", ""))
    words = ("run", without_goals, "--until-coverage", "50")
    for place in ((), ("--out", out)):
        assert run(workspace, *words, *place) == 2
        assert "the list has no coverage goal" in capsys.readouterr().err
    monkeypatch.setenv("REGRESS_MEMORY", "abc")
    assert run(workspace, "run", list_file) == 2
    assert "REGRESS_MEMORY=abc: accepted" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists() and not out.exists()


def test_a_broken_plan_is_one_line(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(make_workspace(tmp_path), "run", list_file, "--out", out)
    plan = (out / "plan.json").read_text()
    for text in ("", "[]", plan[: len(plan) // 2], plan.replace('"schema": 3', '"schema": 9')):
        (out / "plan.json").write_text(text)
        capsys.readouterr()
        assert run(make_workspace(tmp_path), "report", out) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_simulators_that_disagree_fail_the_run(tmp_path: Path, list_file: Path) -> None:
    script = PASSING_CHILD.replace(
        r'"{}\n" * 5',
        'json.dumps({"p": "0x1" if job["simulator"] == "icarus" else "0x2"}) * 1',
    )
    assert script != PASSING_CHILD
    out = tmp_path / "out"
    arguments = ("run", list_file, "--cross-check", "--width", "32", "--out", out)
    assert run(make_workspace(tmp_path), *arguments[:-1], tmp_path / "agreed") == 0
    assert run_json(tmp_path / "agreed")["compared"] == 2
    assert run(make_workspace(tmp_path, script), *arguments) == 1
    found = run_json(out)["disagreements"]
    assert len(found) == 2
    assert found[0]["message"] == (
        "simulators disagree: operation 1: p is 0x2 on verilator, 0x1 on icarus"
    )
    assert len(found[0]["reruns"]) == 2


def test_a_run_ends_when_enough_is_covered(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ("--seeds", "9", "--jobs", "1", "--out", out, "--until-coverage", "50")
    covers = """
bins = [f"{number:04b}" for number in range(16)]
half = dict.fromkeys(list(bins)[: (len(bins) + 1) // 2], 1)
result["coverage"] = {"table_address": {"bins": half, "goal": list(bins)}}
(folder / "result.json").write_text(json.dumps(result))
"""
    workspace = make_workspace(tmp_path, PASSING_CHILD + covers)
    assert run(workspace, "run", list_file, "--width", "32", *arguments) == 0
    data = run_json(out)
    assert data["summary"]["passed"] == 2
    assert data["summary"]["not_run"] == 16
    assert data["stopped"] == "50 % of every goal after 10 operations"
    assert all(goal["met"] for goal in data["goals"])
    assert run(workspace, "report", out) == 0
    assert run_json(out)["goals"] == data["goals"]
    assert data["closure"][0]["hit"] * 2 >= data["closure"][0]["total"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk_ends_the_run_with_a_report(
    tmp_path: Path, list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this container may not mount")
    script = PASSING_CHILD + '(folder / "waves").write_bytes(bytes(6_000_000))\n'
    out = disk / "out"
    try:
        code = run(make_workspace(tmp_path, script), "run", list_file, "--jobs", "1", "--out", out)
        assert code == 1
        data = run_json(out)
        assert data["summary"]["passed"] == 2
        assert data["summary"]["not_run"] == 2
        assert data["stopped"].startswith(f"the disk of {out} is full (")
        assert (out / "report.html").stat().st_size
        assert "is full" in capsys.readouterr().out
        assert run(make_workspace(tmp_path, script), "report", out) == 1
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)
