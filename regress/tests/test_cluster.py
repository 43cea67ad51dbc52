"""Jobs on Dask workers, which live in this process; their jobs are real child processes."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from distributed import Client, LocalCluster, Worker
from distributed.versions import get_versions
from rich.console import Console

from regress.cli.command_line import main
from regress.core.errors import UsageError
from regress.core.processes import ProcessGroups
from regress.core.runfile import Status
from regress.executors.batch import NO_DASHBOARD, load_cluster, queue_says, start_cluster
from regress.executors.cluster import DaskExecutor, pack
from regress.executors.host import MAX_LOG_BYTES, PROFILER, SOURCES, JobHost
from regress.executors.local import WorkerLost
from regress.executors.workers import NoWorkers, differences
from regress.tests.conftest import PASSING_CHILD, PROJECT, make_job, make_workspace
from regress.tests.test_kills import KILL_ONCE
from regress.tests.test_run import first_attempt, gone, make_run

ROOT = Path(__file__).parents[2]
# Beside load the first answer may take its time.
CONNECT = 30
# Says where it is and stays, unless it is the second attempt.
STAY = """
import os, pathlib, sys, time
mark = pathlib.Path({mark!r})
if not mark.exists():
    mark.write_text(str(os.getpid()))
    time.sleep(60)
"""
# Each of several says that it runs, and stays.
STAY_ALWAYS = """
import os, pathlib, time
(pathlib.Path({marks!r}) / str(os.getpid())).touch()
time.sleep(60)
"""


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=0,
        processes=False,
        threads_per_worker=1,
        scheduler_kwargs=NO_DASHBOARD,
        local_directory=str(tmp_path_factory.mktemp("workers")),
    ) as cluster:
        yield cluster


@pytest.fixture
def cluster(scheduler: LocalCluster) -> Iterator[LocalCluster]:
    scheduler.scale(1)
    scheduler.wait_for_workers(1)
    yield scheduler
    scheduler.scale(0)
    # The next test's first worker must not be this one's last.
    wait_for(lambda: not scheduler.workers and not scheduler.scheduler.workers)


@pytest.fixture
def executor(
    cluster: LocalCluster,
) -> Iterator[Callable[..., DaskExecutor]]:
    made: list[DaskExecutor] = []

    def make(script: str, **settings: Any) -> DaskExecutor:
        client = Client(cluster.scheduler_address, timeout=CONNECT, set_as_default=False)
        command = ("-S", "-c", script)
        settings = {"sources": pack(Path(__file__).parent, ("__init__.py",)), **settings}
        made.append(DaskExecutor(PROJECT, client, ProcessGroups(), command=command, **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def wait_for(condition: Callable[[], Any]) -> Any:
    for _ in range(1500):
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen")


def test_a_job_runs_and_its_files_come_back(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    said: list[str] = []
    chosen = executor(PASSING_CHILD + "print('hello')", say=said.append)
    assert chosen.slots == 1
    run, record = make_run(tmp_path, "", executor=chosen)
    run.execute([make_job(), make_job(test="corners")], {}, [])
    assert [job.status for job in record.jobs] == [Status.PASSED] * 2
    assert (first_attempt(tmp_path) / "log.txt").read_text() == "hello\n"
    assert (first_attempt(tmp_path) / "results.xml").exists()
    assert said[0].endswith("takes 1 job at once")


def test_no_worker_with_a_job_is_profiled(
    cluster: LocalCluster, executor: Callable[..., DaskExecutor]
) -> None:
    """It stopped whole processes, and once all of CI for 16 minutes: see ``JobHost.setup``."""
    (first,) = cluster.workers.values()
    profiler = [first.periodic_callbacks[name] for name in PROFILER]
    wait_for(lambda: all(callback.is_running() for callback in profiler))
    executor(PASSING_CHILD)
    cluster.scale(2)
    cluster.wait_for_workers(2)
    wait_for(lambda: not any(callback.is_running() for callback in profiler))
    for worker in cluster.workers.values():
        wait_for(lambda worker=worker: not worker.periodic_callbacks.keys() & set(PROFILER))


def test_a_simulation_is_sent_once_and_its_job_finds_it(
    tmp_path: Path, executor: Callable[..., DaskExecutor], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Path] = []
    monkeypatch.setattr(
        "regress.executors.cluster.pack", lambda folder: sent.append(folder) or pack(folder)
    )
    (tmp_path / "simulation").write_text("42")
    look = "assert (pathlib.Path(sys.argv[3]) / 'simulation').read_text() == '42'\n"
    run, record = make_run(tmp_path, "", executor=executor(PASSING_CHILD + look))
    jobs = [make_job(test=test) for test in ("random", "corners", "raw")]
    run.execute(jobs, {}, [])
    assert [job.status for job in record.jobs] == [Status.PASSED] * 3
    assert sent == [tmp_path]


def test_a_timeout_is_kept_on_the_worker(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    script = STAY.format(mark=str(tmp_path / "mark"))
    run, record = make_run(tmp_path, "", executor=executor(script))
    run.execute([make_job(timeout=5.0)], {}, [])
    assert record.jobs[0].message == "timed out after 5 s"
    assert gone(int((tmp_path / "mark").read_text()))


def test_a_simulator_killed_on_a_worker_gets_another_attempt(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    script = KILL_ONCE.replace("endswith('attempt-1')", "endswith('1-1')") + PASSING_CHILD
    run, record = make_run(tmp_path, "", executor=executor(script))
    run.execute([make_job()], {}, [])
    assert record.jobs[0].status is Status.PASSED
    assert record.jobs[0].lost == ("simulator crashed with signal 9 (SIGKILL)",)


@pytest.mark.parametrize("allowed_failures", [3, 0])
def test_a_lost_worker_costs_its_job_one_attempt(
    tmp_path: Path,
    cluster: LocalCluster,
    executor: Callable[..., DaskExecutor],
    monkeypatch: pytest.MonkeyPatch,
    allowed_failures: int,
) -> None:
    """Whether Dask does the lost task again, or gives it up, is a setting of its scheduler."""
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", allowed_failures)
    mark = tmp_path / "mark"
    said: list[str] = []
    chosen = executor(STAY.format(mark=str(mark)) + PASSING_CHILD, say=said.append)
    lost = next(iter(cluster.workers.values()))
    console = Console(file=io.StringIO(), width=200)
    run, record = make_run(tmp_path, "", executor=chosen, console=console, workers=1)

    def lose() -> None:
        wait_for(lambda: mark.exists() and mark.read_text())
        cluster.scale(2)
        cluster.wait_for_workers(2)
        cluster.sync(
            cluster.scheduler.remove_worker, lost.address, stimulus_id="test", expected=False
        )

    thread = threading.Thread(target=lose)
    thread.start()
    run.execute([make_job(), make_job(test="corners")], {}, [])
    thread.join()
    assert [job.status for job in record.jobs] == [Status.PASSED] * 2
    assert [len(job.lost) for job in record.jobs] == [1, 0]
    assert record.jobs[0].lost[0].startswith("cannot run the job: worker ")
    assert lost.address in record.jobs[0].lost[0]
    assert gone(int(mark.read_text()))
    wait_for(lambda: any("is gone" in line for line in said))


def test_an_interrupt_ends_what_runs_on_workers(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    mark = tmp_path / "mark"
    chosen = executor(STAY.format(mark=str(mark)))
    folder = tmp_path / "attempt"
    folder.mkdir()
    (folder / "job.json").write_text("{}")
    future = chosen.start(make_job(), folder, tmp_path)
    wait_for(lambda: mark.exists() and mark.read_text())
    chosen.cancel()
    assert future.result(10).cancelled
    assert gone(int(mark.read_text()))
    assert chosen.start(make_job(), folder, tmp_path).result(10).cancelled


def test_a_client_that_is_gone_leaves_nothing_running(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    mark = tmp_path / "mark"
    chosen = executor(STAY.format(mark=str(mark)))
    folder = tmp_path / "attempt"
    folder.mkdir()
    (folder / "job.json").write_text("{}")
    chosen.start(make_job(), folder, tmp_path)
    wait_for(lambda: mark.exists() and mark.read_text())
    chosen._client.close()
    assert gone(int(mark.read_text()))


def test_a_job_given_to_a_client_that_is_gone_is_lost_and_nothing_else(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    """The run may start a job before anybody has noticed that the scheduler is gone."""
    chosen = executor(PASSING_CHILD)
    chosen._look = lambda: None  # type: ignore[method-assign]  # the loss stays unnoticed
    chosen._client.close()
    (tmp_path / "job.json").write_text("{}")
    with pytest.raises(WorkerLost):
        chosen.start(make_job(), tmp_path, tmp_path).result(30)


def test_two_clusters_beside_each_other_take_no_port_from_another() -> None:
    settings = load_cluster(PROJECT, ROOT / "regress/clusters/local.yaml").model_copy(
        update={"workers": 1}
    )
    with socket.socket() as other, warnings.catch_warnings(record=True) as said:
        with suppress(OSError):  # another process has it already
            other.bind(("", 8787))
            other.listen()
        start_cluster(PROJECT, settings, ProcessGroups(), lambda line: None).close()
    assert not [str(one.message) for one in said if "already in use" in str(one.message)]


def test_a_cluster_without_workers_ends_the_run_with_its_reason(
    tmp_path: Path, cluster: LocalCluster, executor: Callable[..., DaskExecutor]
) -> None:
    cluster.scale(0)
    wait_for(lambda: not cluster.workers)
    chosen = executor(PASSING_CHILD, limit=NoWorkers(0.5, lambda: "squeue says: 7 PENDING"))
    run, record = make_run(tmp_path, "", executor=chosen)
    run._limits = tuple(chosen.limits)
    run.execute([make_job(), make_job(test="corners")], {}, [])
    reason = "the cluster has had no worker for 0.5 s; squeue says: 7 PENDING"
    assert [job.status for job in record.jobs] == [Status.NOT_RUN] * 2
    assert {job.message for job in record.jobs} == {reason}
    assert record.broken
    assert not record.passed


def test_a_scheduler_that_is_gone_ends_the_run_with_its_reason(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    # One worker, two jobs at once: both run when it goes.
    cluster = LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        scheduler_kwargs=NO_DASHBOARD,
        local_directory=str(tmp_path),
    )
    client = Client(cluster.scheduler_address, timeout=CONNECT, set_as_default=False)
    client._timeout = 1  # so long it looks for a scheduler that is gone
    chosen = DaskExecutor(
        PROJECT,
        client,
        ProcessGroups(),
        command=("-S", "-c", STAY_ALWAYS.format(marks=str(marks))),
        sources=pack(Path(__file__).parent, ("__init__.py",)),
    )
    run, record = make_run(tmp_path, "", executor=chosen)
    run._limits = tuple(chosen.limits)

    def lose() -> None:
        wait_for(lambda: len(list(marks.iterdir())) == 2)
        cluster.close()

    thread = threading.Thread(target=lose)
    thread.start()
    run.execute([make_job(), make_job(test="corners")], {}, [])
    thread.join()
    chosen.close()
    assert [job.status for job in record.jobs] == [Status.NOT_RUN] * 2
    assert record.jobs[0].message.startswith("the scheduler is gone")
    assert record.broken
    assert all(gone(int(mark.name)) for mark in marks.iterdir())


class HostThatHasJobs(JobHost):
    """A job host on a worker without connections, for tests of a worker that closes."""

    def __init__(self, folder: Path, at_start: Callable[[], None]) -> None:
        super().__init__("run")
        self._folder = folder
        self._at_start = at_start
        (folder / "fast").mkdir(parents=True)
        (folder / SOURCES).mkdir()

    def _mark(self, attempt: str) -> str:
        self._at_start()
        return ""

    def _place(self) -> str:
        return "here"

    def leave(self) -> None:
        self.teardown(cast(Worker, None))

    def job(self, script: str) -> dict[str, Any]:
        return self.run("key", "attempt", ("-S", "-c", script), b"{}", "fast", 30.0)


def test_a_worker_that_leaves_does_not_judge_the_jobs_it_ends(tmp_path: Path) -> None:
    """As a failure of the job they would stand in the report of a cluster that is gone."""
    mark = tmp_path / "mark"
    host = HostThatHasJobs(tmp_path / "running", lambda: None)
    thread = threading.Thread(target=lambda: (wait_for(mark.exists), host.leave()))
    thread.start()
    assert host.job(STAY.format(mark=str(mark))) == {"again": "here"}
    thread.join()
    host = HostThatHasJobs(tmp_path / "starting", lambda: host.leave())
    assert host.job("") == {"again": "here"}
    host = HostThatHasJobs(tmp_path / "staying", lambda: None)
    assert host.job("raise SystemExit(3)")["ended"]["returncode"] == 3


def test_a_worker_with_other_packages_is_left_out(
    executor: Callable[..., DaskExecutor], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    real = Client.get_versions

    def other(client: Client, **settings: Any) -> dict[str, Any]:
        known = real(client, **settings)
        known["client"]["packages"]["cocotb"] = "9.9"
        return known

    monkeypatch.setattr(Client, "get_versions", other)
    chosen = executor(PASSING_CHILD, say=said.append, limit=NoWorkers(0.5))
    wait_for(lambda: chosen.limits[0].reason())
    assert chosen.slots == 0
    assert "is not used: cocotb is " in said[0]
    assert said[0].endswith("required is 9.9")


def test_a_job_that_comes_to_a_worker_left_out_does_not_run_there(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    chosen = executor(PASSING_CHILD, limit=NoWorkers(0.5))
    chosen._unfit.update(chosen._present)
    run, record = make_run(tmp_path, "", executor=chosen)
    run.execute([make_job()], {}, [])
    assert not chosen._shipped
    assert not any(job.status is Status.PASSED for job in record.jobs)


def test_what_is_not_installed_is_a_difference() -> None:
    here = get_versions(packages=PROJECT.packages)
    there = {**here, "packages": {**here["packages"], "cocotb": None, "python": "2.7.18.final.0"}}
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert differences(here, there, PROJECT.packages) == (
        f"Python is 2.7, required is {wanted}, "
        f"cocotb is not installed, required is {here['packages']['cocotb']}"
    )
    assert not differences(here, here, PROJECT.packages)


def test_a_worker_that_comes_later_takes_the_jobs_that_wait(
    tmp_path: Path, cluster: LocalCluster, executor: Callable[..., DaskExecutor]
) -> None:
    cluster.scale(0)
    wait_for(lambda: not cluster.workers)
    chosen = executor(PASSING_CHILD)
    run, record = make_run(tmp_path, "", executor=chosen)
    threading.Timer(1.0, lambda: cluster.scale(2)).start()
    run.execute([make_job(test=test) for test in ("random", "corners", "raw")], {}, [])
    assert [job.status for job in record.jobs] == [Status.PASSED] * 3
    assert not any(job.lost for job in record.jobs)


def test_of_a_log_without_end_the_end_comes_back(
    tmp_path: Path, executor: Callable[..., DaskExecutor]
) -> None:
    script = PASSING_CHILD + f"print('x' * {2 * MAX_LOG_BYTES}); print('last')"
    run, _ = make_run(tmp_path, "", executor=executor(script))
    run.execute([make_job()], {}, [])
    log = (first_attempt(tmp_path) / "log.txt").read_text()
    said, _, end = log.partition("\n")
    assert said == "[log.txt: the last 4 of 8.0 MB]"
    assert len(end) == MAX_LOG_BYTES
    assert log.endswith("last\n")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "nonsense://x", "no address"])
def test_nobody_at_the_scheduler_s_address_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
) -> None:
    monkeypatch.setattr("regress.executors.workers.CONNECT_SECONDS", 0.5)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = address.format(port=probe.getsockname()[1])
    out = tmp_path / "out"
    code = main(["run", "smoke", "--scheduler", address, "--out", str(out)], make_workspace(out))
    (line,) = capsys.readouterr().err.splitlines()
    assert code == 2
    assert line.startswith(f"regress: --scheduler {address}: no Dask scheduler answers there (")
    assert not out.exists()


def test_a_dask_that_does_not_start_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def assertion(*_arguments: object, **_options: object) -> None:
        raise AssertionError

    monkeypatch.setattr("regress.executors.workers.Client", assertion)
    out = tmp_path / "out"
    address = "tcp://127.0.0.1:1"
    code = main(["run", "smoke", "--scheduler", address, "--out", str(out)], make_workspace(out))
    (line,) = capsys.readouterr().err.splitlines()
    assert code == 2
    assert "no Dask scheduler answers there (the thread of Dask did not start" in line


GOOD = "type: slurm\nworkers: 2\ncores: 1\nmemory: 1GB\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ["1: the cluster file is empty; it needs 'type', 'workers', 'cores' and 'memory'"]),
        ("type: slurm\n", ["1: missing 'workers', 'cores', 'memory'"]),
        (
            GOOD.replace("slurm", "slurmm").replace("workers: 2", "workers: 0"),
            [
                "1: unknown type 'slurmm'; accepted: local, htcondor, lsf, moab, oar, pbs, sge, "
                "slurm; did you mean 'slurm'?",
                "2: workers: should be greater than or equal to 1, found 0",
            ],
        ),
        (GOOD + "worker: 3\n", ["5: unknown key 'worker'; accepted: type, workers, cores"]),
        (
            GOOD + "patience: soon\n",
            ["5: patience: 'soon' is not a duration; accepted: seconds, or"],
        ),
        (GOOD + "options:\n  queu: x\n", ["6: unexpected keyword argument 'queu'"]),
        (GOOD.replace("1GB", "much"), ["4: Could not interpret 'much' as a byte unit"]),
        (
            GOOD.replace("slurm", "local") + "options: {}\n",
            ["5: type 'local' has no key 'options'"],
        ),
        ("type: [", ["1: not valid YAML: "]),
    ],
)
def test_a_bad_cluster_file_is_one_line_for_each_mistake(
    tmp_path: Path, text: str, lines: list[str]
) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_cluster(PROJECT, path)
    assert len(caught.value.lines) == len(lines)
    for found, expected in zip(caught.value.lines, lines, strict=True):
        assert found.startswith(f"{path}:{expected}")


def test_a_run_with_a_batch_system_can_be_interrupted(tmp_path: Path) -> None:
    """In a process of its own: the import that matters happens once."""
    path = tmp_path / "cluster.yaml"
    path.write_text(GOOD)
    script = (
        "import pathlib, signal, sys; from regress.core.project import Project; "
        "from regress.executors.batch import load_cluster; "
        "load_cluster(Project(pathlib.Path()), pathlib.Path(sys.argv[1])); "
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    )
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_example_files_are_accepted() -> None:
    folder = Path(__file__).parents[1] / "clusters"
    assert {load_cluster(PROJECT, path).type for path in folder.glob("*.yaml")} == {
        path.stem for path in folder.glob("*.yaml")
    }


def test_a_batch_system_that_is_not_installed_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(GOOD)
    monkeypatch.setenv("PATH", str(tmp_path))
    out = tmp_path / "out"
    code = main(["run", "smoke", "--cluster", str(path), "--out", str(out)], make_workspace(out))
    (line,) = capsys.readouterr().err.splitlines()
    assert code == 2
    assert line == (
        f"regress: {path}: slurm is not installed on this machine: sbatch is not on PATH"
    )
    assert not out.exists()
    assert queue_says("slurm") == "squeue is not installed"
