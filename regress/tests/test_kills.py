"""Kill -9 of a runner and of simulators, with real processes."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from rich.console import Console

from regress.core.errors import UsageError
from regress.core.processes import ProcessGroups, memory_limit
from regress.core.runfile import Status
from regress.tests.conftest import PASSING_CHILD, make_job
from regress.tests.test_run import first_attempt, gone, make_run

ROOT = Path(__file__).parents[2]
# Like regress.run.job: limit the own process and wait for a simulator.
JOB = """
import os, pathlib, subprocess, sys
from regress.core.processes import end_with_parent
end_with_parent()
simulator = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {simulator.pid}")
simulator.wait()
"""
RUNNER = f"""
import os, pathlib, sys
from concurrent.futures import ThreadPoolExecutor
from regress.core.processes import ProcessGroups
folder = pathlib.Path(sys.argv[1])
command = [sys.executable, "-c", {JOB!r}, str(folder / "pids")]
run = ThreadPoolExecutor(1).submit(
    ProcessGroups().run, command, cwd=folder, env=dict(os.environ, PYTHONPATH={str(ROOT)!r}),
    log=folder / "log.txt", timeout=60,
)
run.result()
"""
KILL_SELF = "import os; os.kill(os.getpid(), 9)\n"
# In the first attempt only.
KILL_ONCE = "import os, sys\nif sys.argv[1].endswith('attempt-1'):\n    os.kill(os.getpid(), 9)\n"


# The thread that started the job ends a while before its process does.
DYING_RUNNER = f"""
import os, pathlib, subprocess, sys, threading, time
from regress.core.processes import PARENT_VARIABLE
folder = pathlib.Path(sys.argv[1])
def start():
    subprocess.Popen(
        [sys.executable, "-c", {JOB!r}, str(folder / "pids")], start_new_session=True,
        env=dict(os.environ, PYTHONPATH={str(ROOT)!r}, **{{PARENT_VARIABLE: str(os.getpid())}}),
    )
    while not (folder / "pids").is_file() or len((folder / "pids").read_text().split()) < 2:
        time.sleep(0.02)
thread = threading.Thread(target=start)
thread.start()
thread.join()
time.sleep(0.3)
os._exit(0)
"""


def read_pids(path: Path) -> list[int]:
    for _ in range(500):
        if path.is_file() and len(pids := path.read_text().split()) == 2:
            return [int(pid) for pid in pids]
        time.sleep(0.02)
    raise AssertionError(f"{path} was not written")


def test_a_killed_runner_leaves_no_simulator_behind(tmp_path: Path) -> None:
    runner = subprocess.Popen([sys.executable, "-c", RUNNER, str(tmp_path)], cwd=ROOT)
    job, simulator = read_pids(tmp_path / "pids")
    runner.kill()
    runner.wait()
    assert gone(job)
    assert gone(simulator)


def test_a_runner_whose_threads_end_one_by_one_leaves_no_simulator_behind(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", DYING_RUNNER, str(tmp_path)], cwd=ROOT, check=True)
    job, simulator = read_pids(tmp_path / "pids")
    assert gone(job)
    assert gone(simulator)


def test_a_child_that_was_orphaned_before_it_could_be_told_ends_itself(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    environment = {**os.environ, "REGRESS_PARENT": str(os.getppid()), "PYTHONPATH": str(ROOT)}
    job = subprocess.Popen(
        [sys.executable, "-c", JOB, str(pids)], env=environment, start_new_session=True
    )
    assert job.wait(30) == -signal.SIGKILL
    assert not pids.exists()


def test_a_child_outlives_the_threads_of_a_healthy_runner(tmp_path: Path) -> None:
    """The signal of a parent's end comes from a thread: that of another one must not count."""
    script = JOB.replace("time.sleep(60)", "time.sleep(1)")
    ended = []

    def run() -> None:
        command = [sys.executable, "-c", script, str(tmp_path / "pids")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        log = tmp_path / "log.txt"
        ended.append(
            ProcessGroups().run(command, cwd=tmp_path, env=environment, log=log, timeout=30)
        )

    thread = threading.Thread(target=run)
    thread.start()
    threading.Thread(target=lambda: None).start()
    thread.join()
    assert ended[0].returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_job_that_is_ended_from_outside_says_by_which_signal(
    tmp_path: Path, number: signal.Signals
) -> None:
    script = JOB.replace("sys.argv[1]", "sys.argv[1] + '/pids'")
    # The child starts without packages, for speed.
    folders = [str(ROOT), str(Path(psutil.__file__).parents[1])]
    run, record = make_run(tmp_path, f"import sys; sys.path[:0] = {folders}" + script)

    def end() -> None:
        for attempt in (1, 2):
            folder = tmp_path / "jobs" / make_job().id / f"attempt-{attempt}"
            os.kill(read_pids(folder / "pids")[0], number)

    threading.Thread(target=end).start()
    run.execute([make_job()], {}, [])
    message = f"simulator crashed with signal {int(number)} ({number.name})"
    assert record.jobs[0].message == f"infrastructure failure, 2 attempts: {message}"
    assert gone(read_pids(first_attempt(tmp_path) / "pids")[1])


def test_a_simulator_killed_once_passes_at_the_second_attempt(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=200)
    run, record = make_run(tmp_path, KILL_ONCE + PASSING_CHILD, console=console)
    run.execute([make_job()], {}, [])
    assert [job.status for job in record.jobs] == [Status.PASSED]
    assert record.jobs[0].lost == ("simulator crashed with signal 9 (SIGKILL)",)
    assert f"AGAIN {make_job().id}: simulator crashed with signal 9" in console.file.getvalue()


def test_a_simulator_killed_twice_fails(tmp_path: Path) -> None:
    run, record = make_run(tmp_path, KILL_SELF)
    run.execute([make_job()], {}, [])
    assert record.jobs[0].status is Status.FAILED
    assert record.jobs[0].message == (
        "infrastructure failure, 2 attempts: simulator crashed with signal 9 (SIGKILL)"
    )


# What SymbiYosys does: its solver is in a process group of its own.
LEAVES_THE_GROUP = """
import os, pathlib, subprocess, sys, time
solver = subprocess.Popen(
    [sys.executable, "-S", "-c", "import time; time.sleep(60)"], preexec_fn=os.setpgrp
)
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {solver.pid}")
time.sleep(float(sys.argv[2]))
"""


@pytest.mark.parametrize("seconds", [0, 60])
def test_what_left_the_group_of_a_child_ends_with_it(tmp_path: Path, seconds: float) -> None:
    ended = ProcessGroups().run(
        [sys.executable, "-c", LEAVES_THE_GROUP, str(tmp_path / "pids"), str(seconds)],
        cwd=tmp_path, env=dict(os.environ), log=tmp_path / "log.txt", timeout=10,
    )  # fmt: skip
    assert ended.timed_out == (seconds > 0)
    assert all(gone(pid) for pid in read_pids(tmp_path / "pids"))


# A job with process groups of its own: its tool is a session leader, and starts a solver.
TOOL = LEAVES_THE_GROUP.replace("float(sys.argv[2])", "60")
NESTED_JOB = f"""
import os, pathlib, sys
sys.path.insert(0, {str(ROOT)!r})
from regress.core.processes import ProcessGroups, end_with_parent
end_with_parent()
folder = pathlib.Path(sys.argv[1])
(folder / "job").write_text(str(os.getpid()))
ProcessGroups().run(
    [sys.executable, "-c", {TOOL!r}, str(folder / "pids")],
    cwd=folder, env=dict(os.environ), log=folder / "tool.txt", timeout=60,
)
"""
NESTED_RUNNER = f"""
import os, pathlib, sys
from regress.core.processes import ProcessGroups
folder = pathlib.Path(sys.argv[1])
ProcessGroups().run(
    [sys.executable, "-c", {NESTED_JOB!r}, str(folder)],
    cwd=folder, env=dict(os.environ), log=folder / "log.txt", timeout=60,
)
"""


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_the_tools_of_a_job_end_with_it(tmp_path: Path, timeout: float | None) -> None:
    groups = ProcessGroups()
    command = [sys.executable, "-c", NESTED_JOB, str(tmp_path)]
    run = threading.Thread(
        target=groups.run,
        args=(command,),
        kwargs={
            "cwd": tmp_path,
            "env": dict(os.environ),
            "log": tmp_path / "log.txt",
            "timeout": timeout or 60,
        },
    )
    run.start()
    tool, solver = read_pids(tmp_path / "pids")
    if timeout is None:
        groups.cancel()
    run.join()
    assert gone(tool) and gone(solver)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_tools_of_a_job_end_with_the_runner(tmp_path: Path, number: signal.Signals) -> None:
    runner = subprocess.Popen([sys.executable, "-c", NESTED_RUNNER, str(tmp_path)], cwd=ROOT)
    tool, solver = read_pids(tmp_path / "pids")
    runner.send_signal(number)
    runner.wait()
    assert gone(tool) and gone(solver)


def test_the_tools_of_a_job_end_when_only_the_job_gets_a_signal(tmp_path: Path) -> None:
    command = [sys.executable, "-c", NESTED_RUNNER, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT) as runner:
        tool, solver = read_pids(tmp_path / "pids")
        os.kill(int((tmp_path / "job").read_text()), signal.SIGTERM)
        assert runner.wait() == 0
    assert gone(tool) and gone(solver)


ASKS_FOR_MEMORY = """
import subprocess, sys
take = "kept = [bytearray(b'x' * 1_000_000) for _ in range(int(sys.argv[1]))]"
sys.exit(subprocess.run([sys.executable, "-c", "import sys; " + take, sys.argv[1]]).returncode)
"""


@pytest.mark.parametrize(("megabytes", "ends_well"), [("50", True), ("600", False)])
def test_a_process_that_asks_for_too_much_memory_is_rejected_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: str, ends_well: bool
) -> None:
    monkeypatch.setenv("REGRESS_MEMORY", "0.3")
    ended = ProcessGroups().run(
        [sys.executable, "-c", ASKS_FOR_MEMORY, megabytes],
        cwd=tmp_path, env=dict(os.environ), log=tmp_path / "log.txt", timeout=30,
    )  # fmt: skip
    assert (ended.returncode == 0) == ends_well
    assert ("MemoryError" in (tmp_path / "log.txt").read_text()) != ends_well


def test_by_default_the_machine_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGRESS_MEMORY", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 6_000_000}.get)
    assert memory_limit() == 6_000_000 * 4096 * 3 // 8
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert memory_limit() == 4_000_000_000


@pytest.mark.parametrize("text", ["much", "0", "-2", "inf", "nan"])
def test_a_bad_limit_of_memory_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("REGRESS_MEMORY", text)
    with pytest.raises(UsageError, match=f"REGRESS_MEMORY={text}: accepted: GB of memory"):
        ProcessGroups()
