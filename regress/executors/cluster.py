"""Runs jobs on the workers of a Dask cluster."""

from __future__ import annotations

import io
import itertools
import tarfile
import threading
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from distributed import CancelledError, Client, KilledWorker

from regress.core.jobfile import JOB_FILE
from regress.core.processes import Ended, ProcessGroups
from regress.core.project import Project
from regress.core.terminal import plural
from regress.executors.host import SOURCES, JobHost, by_value, tasks
from regress.executors.local import Runnable, WorkerLost
from regress.executors.workers import LOST, NoWorkers, differences

# Maximum time that a cluster may have no worker.
PATIENCE_SECONDS = 60.0
POLL_SECONDS = 1.0
# Time limit for closing a cluster. A dead cluster must not prevent the report.
CLOSE_SECONDS = 10.0
# Maximum number of running jobs, because a thread waits for each of them.
MAX_IN_FLIGHT = 4096
# Maximum number of tasks for one attempt: each may start on a worker without the simulation.
MAX_SHIPMENTS = 20
CANCELLED = Ended(returncode=-9, timed_out=False, cancelled=True, seconds=0.0)


def pack(folder: Path, names: tuple[str, ...] = (".",)) -> bytes:
    """Pack files of a folder into an archive, without Python's temporary files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as tar:
        for name in names:
            tar.add(folder / name, name, filter=lambda f: None if "__pycache__" in f.name else f)
    return buffer.getvalue()


class DaskExecutor:
    """Runs jobs on the workers of a Dask cluster. They need not share a disk with this machine.

    Every worker gets the Python sources, and each simulation before its first job on it. Dask
    repeats the tasks of a lost worker. Such a repetition ends with :class:`WorkerLost`, because
    the run decides whether a job runs again.

    Args:
        project: provides the files for the workers and the packages they must have.
        groups: the run's child processes on this machine, ended with the jobs.
        limit: receives the number of job slots; ends the run when no worker is left.
        close_cluster: called at the end.
        command: arguments of the worker's Python that run a job; default: the job's program.
    """

    local = False

    def __init__(
        self,
        project: Project,
        client: Client,
        groups: ProcessGroups,
        limit: NoWorkers | None = None,
        say: Callable[[str], None] = lambda line: None,
        close_cluster: Callable[[], None] = lambda: None,
        command: tuple[str, ...] = (),
        sources: bytes | None = None,
    ) -> None:
        self._project = project
        self._client = client
        self._groups = groups
        self._limit = limit or NoWorkers(PATIENCE_SECONDS)
        self.limits = (self._limit.limit,)
        self._say = say
        self._close_cluster = close_cluster
        self._command = command
        self._name = f"regress-{uuid.uuid4().hex[:12]}"
        self._run, self._store = tasks()
        self._counter = itertools.count(1)
        self._pool = ThreadPoolExecutor(MAX_IN_FLIGHT, thread_name_prefix="dask-job")
        self._changed = threading.Condition()
        self._shipping: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
        self._shipped: set[tuple[str, str]] = set()
        self._in_flight: dict[str, Any] = {}
        self._places: dict[str, str] = {}  # all workers ever seen, by address
        self._present: dict[str, int] = {}  # job slots of the present, suitable workers
        self._unfit: set[str] = set()
        self._cancelled = False
        self._closed = threading.Event()
        self._sources = pack(project.root, project.shipped) if sources is None else sources
        with by_value():
            client.register_plugin(JobHost(self._name), name=self._name)
        self._look()
        self._watch = threading.Thread(target=self._keep_looking, daemon=True)
        self._watch.start()

    @property
    def slots(self) -> int:
        """See :class:`regress.executors.local.Executor`."""
        return sum(self._present.values())

    def start(self, planned: Runnable, folder: Path, build: Path) -> Future[Ended]:
        """See :class:`regress.executors.local.Executor`."""
        return self._pool.submit(self._job, planned, folder, build)

    def cancel(self) -> None:
        """See :class:`regress.executors.local.Executor`."""
        self._groups.cancel()
        with self._changed:
            self._cancelled = True
            futures = list(self._in_flight.values())
            self._changed.notify_all()
        self._drop(futures)

    def close(self) -> None:
        """See :class:`regress.executors.local.Executor`."""
        self._closed.set()
        self.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._watch.join(CLOSE_SECONDS)
        try:
            with suppress(*LOST):
                self._client.unregister_worker_plugin(self._name)
                self._client.set_metadata([self._name], {})
            with suppress(*LOST):
                self._client.close(CLOSE_SECONDS)
        finally:
            self._close_cluster()

    def _job(self, planned: Runnable, folder: Path, build: Path) -> Ended:
        """Run one attempt of a job, from its first task to its files."""
        number = next(self._counter)
        attempt = f"{self._name}-{number}"
        command = self._command or ("-m", planned.program)
        job = (folder / JOB_FILE).read_bytes()
        workers: list[str] = []
        for shipment in range(MAX_SHIPMENTS):
            key = f"{attempt}-{shipment}"
            arguments = (key, attempt, command, job, build.name, planned.timeout)
            answer = self._ask(key, workers, *arguments)
            if "missing" not in answer:
                break
            worker = answer["missing"]
            if worker not in self._places:
                self._look()
            if worker in self._unfit:  # Dask chose an unfit worker after all others were lost
                workers = []
                continue
            workers = [worker]
            for name in answer["names"]:
                self._ship(name, build, worker)
        else:
            raise WorkerLost(f"no worker has stored {build.name}")
        if answer.get("cancelled"):
            return CANCELLED
        if "again" in answer:
            raise WorkerLost(f"worker {answer['again']} is gone")
        if "problem" in answer:
            raise OSError(answer["problem"])
        for name, contents in answer["files"].items():
            (folder / name).write_bytes(contents)
        return Ended(**answer["ended"])

    def _ask(self, key: str, workers: list[str], *arguments: Any) -> dict[str, Any]:
        """Return the answer of one task.

        Args:
            key: key of the task.
            workers: preferred workers; empty for any suitable worker.
            arguments: arguments of :meth:`regress.executors.host.JobHost.run`.

        Raises:
            WorkerLost: no answer came.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._present or self._cancelled or self._limit.reason)
            if self._cancelled:
                return {"cancelled": True}
            if self._limit.reason:
                raise WorkerLost(self._limit.reason)
            try:
                future = self._client.submit(
                    self._run,
                    self._name,
                    *arguments,
                    key=key,
                    pure=False,
                    retries=0,
                    workers=workers or list(self._present),
                    # The preferred workers may be gone when the task starts.
                    allow_other_workers=True,
                )
            except LOST as error:
                raise WorkerLost(f"the scheduler is gone: {error}") from None
            self._in_flight[key] = future
        try:
            return future.result()
        except KilledWorker as error:
            raise WorkerLost(f"worker {self._place(error.last_worker.address)} is gone") from None
        except CancelledError:  # by this executor, or because the scheduler is gone
            if self._cancelled:
                return {"cancelled": True}
            self._look()
            raise WorkerLost(self._limit.reason or "the scheduler dropped the job") from None
        except Exception as error:  # the run continues after any exception of Dask
            raise WorkerLost(f"the cluster failed: {type(error).__name__}: {error}") from error
        finally:
            with self._changed:
                del self._in_flight[key]
            future.release()

    def _ship(self, name: str, build: Path, worker: str) -> None:
        """Send a simulation, or the sources, to a worker once.

        Raises:
            OSError: the worker cannot store the files.
        """
        with self._changed:
            alone = self._shipping[worker, name]
        with alone:
            if (worker, name) in self._shipped:
                return
            archive = self._sources if name == SOURCES else pack(build)
            try:
                answers = self._client.run(
                    self._store, self._name, name, archive, workers=[worker], on_error="return"
                )
            except LOST:
                return  # the worker is gone; the job runs elsewhere
            answer = answers.get(worker)
            if isinstance(answer, str):  # otherwise it is an exception from the transfer
                if answer:
                    raise OSError(answer)
                self._shipped.add((worker, name))

    def _drop(self, futures: list[Any]) -> None:
        with suppress(*LOST):  # Dask may have dropped them already
            self._client.cancel(futures, force=True, reason="the run ends")

    def _place(self, address: str) -> str:
        return self._places.get(address, address)

    def _keep_looking(self) -> None:
        while not self._closed.wait(POLL_SECONDS) and not self._limit.reason:
            self._look()
        if self._limit.reason:
            self._say(self._limit.reason)
            with self._changed:
                futures = list(self._in_flight.values())
                self._changed.notify_all()
            self._drop(futures)

    def _look(self) -> None:
        try:
            # Client.scheduler_info may return a summary without the workers.
            found = self._client.sync(self._client.scheduler.identity, n_workers=-1)["workers"]
            new = found.keys() - self._places.keys()
            known = self._client.get_versions(packages=self._project.packages) if new else {}
        except LOST as error:
            if not self._closed.is_set():
                self._limit.reason = self._limit.reason or f"the scheduler is gone: {error}"
            return
        with self._changed:
            for address in new & known.get("workers", {}).keys():
                self._meet(address, found[address], known)
            for address in self._present.keys() - found.keys():
                self._say(f"worker {self._place(address)} is gone")
            self._present = {
                address: int(worker["nthreads"])
                for address, worker in found.items()
                if address in self._places and address not in self._unfit
            }
            self._limit.see(self.slots)
            self._changed.notify_all()

    def _meet(self, address: str, worker: Mapping[str, Any], known: Mapping[str, Any]) -> None:
        """Check whether a new worker is suitable, and report it."""
        name = str(worker["name"])
        self._places[address] = address if name == address else f"{name} ({address})"
        different = differences(known["client"], known["workers"][address], self._project.packages)
        if different:
            self._unfit.add(address)
            self._say(f"worker {self._place(address)} is not used: {different}")
        else:
            jobs = plural(worker["nthreads"], "job", "jobs")
            self._say(f"worker {self._place(address)} takes {jobs} at once")
