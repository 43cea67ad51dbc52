"""Runs jobs on the workers of a Dask cluster."""

from __future__ import annotations

import io
import itertools
import logging
import tarfile
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from distributed import CancelledError, Client, Event, KilledWorker
from distributed.client import ClosedClientError

from regress.cluster.host import JobHost, by_value, start_topic, tasks, versions
from regress.executor import Runnable, WorkerLost
from regress.jobfile import JOB_FILE
from regress.limits import Limit, duration_text
from regress.processes import Ended, ProcessGroups
from regress.project import project

CONNECT_SECONDS = 5.0
# How long a cluster may be without any worker.
PATIENCE_SECONDS = 60.0
POLL_SECONDS = 1.0
# A cluster that dies must not keep the run from its report.
CLOSE_SECONDS = 10.0
# Each job in flight has a thread that waits for it.
MAX_IN_FLIGHT = 4096
# A simulation goes to one worker after the other, but not for ever.
MAX_SHIPMENTS = 20
# What Dask's calls raise when the scheduler, or the worker in question, is gone; the attribute is
# the connection of a client that has closed itself.
LOST = (OSError, ValueError, RuntimeError, AttributeError, CancelledError, ClosedClientError)
CANCELLED = Ended(returncode=-9, timed_out=False, cancelled=True, seconds=0.0)


def connect(address: str) -> Client:
    """Connect to a scheduler.

    Raises:
        OSError: nobody answers there.
        ValueError: no address.
    """
    # The run says what is lost, in words of its own; Dask adds tracebacks.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)


def pack(folder: Path, names: tuple[str, ...] = (".",)) -> bytes:
    """An archive of what is in a folder, without what Python leaves there."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as tar:
        for name in names:
            tar.add(
                folder / name,
                name,
                filter=lambda member: None if member.name.endswith("__pycache__") else member,
            )
    return buffer.getvalue()


class NoWorkers(Limit):
    """The limit that ends a run whose cluster has no worker left.

    Args:
        patience: seconds without a worker that are accepted.
        explain: says what the batch system says; empty if there is none.
    """

    fatal = True

    def __init__(
        self,
        patience: float,
        explain: Callable[[], str] = lambda: "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience = patience
        self._explain = explain
        self._clock = clock
        self._last_seen = clock()
        self._reason = ""

    def reason(self) -> str:
        """See :class:`regress.limits.Limit`."""
        return self._reason

    def see(self, slots: int) -> None:
        """Tell how many jobs the workers can take."""
        if slots:
            self._last_seen = self._clock()
        elif not self._reason and self._clock() - self._last_seen >= self._patience:
            said = self._explain()
            self._reason = f"the cluster has had no worker for {duration_text(self._patience)}" + (
                f"; {said}" if said else ""
            )

    def lose(self, reason: str) -> None:
        """The cluster itself is gone."""
        self._reason = self._reason or reason


class DaskExecutor:
    """Jobs on the workers of a Dask cluster, which need no disk in common with this machine.

    Every worker gets the Python sources when the run starts, or when it joins, and each simulation
    before its first job on it. Dask's own repetition of the tasks of a lost worker is answered with
    :class:`WorkerLost`: whether a job runs again is the run's decision.

    Args:
        groups: the run's child processes on this machine, ended with the jobs.
        limit: told of the workers; ends the run when there are none.
        close_cluster: called at the end.
        command: arguments of the worker's Python that run a job; default: the job's program.
    """

    local = False

    def __init__(
        self,
        client: Client,
        groups: ProcessGroups,
        limit: NoWorkers | None = None,
        say: Callable[[str], None] = lambda line: None,
        close_cluster: Callable[[], None] = lambda: None,
        command: tuple[str, ...] = (),
        sources: bytes | None = None,
        wanted: Mapping[str, str] | None = None,
    ) -> None:
        self._client = client
        self._groups = groups
        self._limit = limit or NoWorkers(PATIENCE_SECONDS)
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
        self._present: dict[str, int] = {}  # jobs at once, of those that fit
        self._unfit: set[str] = set()
        self._cancelled = False
        self._closed = threading.Event()
        host = JobHost(
            self._name,
            pack(project().root, project().shipped) if sources is None else sources,
            versions(project().packages) if wanted is None else wanted,
        )
        with by_value():
            client.register_plugin(host, name=self._name)
        self._look()
        self._watch = threading.Thread(target=self._keep_looking, daemon=True)
        self._watch.start()

    @property
    def limits(self) -> tuple[Limit, ...]:
        """See :class:`regress.executor.Executor`."""
        return (self._limit,)

    @property
    def slots(self) -> int:
        """See :class:`regress.executor.Executor`."""
        return sum(self._present.values())

    def start(self, planned: Runnable, folder: Path, build: Path) -> Future[Ended]:
        """See :class:`regress.executor.Executor`."""
        return self._pool.submit(self._job, planned, folder, build)

    def cancel(self) -> None:
        """See :class:`regress.executor.Executor`."""
        self._groups.cancel()
        with self._changed:
            self._cancelled = True
            futures = list(self._in_flight.values())
            self._changed.notify_all()
        self._drop(futures)

    def close(self) -> None:
        """See :class:`regress.executor.Executor`."""
        self._closed.set()
        self.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._watch.join(CLOSE_SECONDS)
        try:
            with suppress(*LOST):
                self._client.unregister_worker_plugin(self._name)
            with suppress(*LOST):
                self._client.close(CLOSE_SECONDS)
        finally:
            self._close_cluster()

    def _job(self, planned: Runnable, folder: Path, build: Path) -> Ended:
        """One attempt of a job, from its first task to its files."""
        number = next(self._counter)
        attempt = f"{self._name}-{number}"
        command = self._command or ("-m", planned.program)
        job = (folder / JOB_FILE).read_bytes()
        workers: list[str] = []
        for shipment in range(MAX_SHIPMENTS):
            key = f"{attempt}-{shipment}"
            arguments = (key, attempt, command, job, build.name, planned.timeout)
            answer = self._ask(key, workers, *arguments)
            if "missing" in answer:
                self._ship(build, answer["missing"])
                workers = [answer["missing"]]
            elif "unfit" in answer:
                self._look()  # it has said why, unless its plug-in did not come to that
                self._leave_out(answer["unfit"], "")
                workers = []
            else:
                break
        else:
            raise WorkerLost(f"no worker kept {build.name}")
        if answer.get("cancelled"):
            return CANCELLED
        self._forget(attempt)
        if "again" in answer:
            raise WorkerLost(f"worker {self._starter(attempt)} is gone")
        if "problem" in answer:
            raise OSError(answer["problem"])
        for name, contents in answer["files"].items():
            (folder / name).write_bytes(contents)
        return Ended(**answer["ended"])

    def _ask(self, key: str, workers: list[str], *arguments: Any) -> dict[str, Any]:
        """The answer of one task.

        Args:
            key: of the task.
            workers: where it should run, if they are still there; none for any that fits.
            arguments: of :meth:`regress.cluster.host.JobHost.run`.

        Raises:
            WorkerLost: there is none.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._present or self._cancelled or self._limit.reason())
            if self._cancelled:
                return {"cancelled": True}
            if self._limit.reason():
                raise WorkerLost(self._limit.reason())
            if self._unfit:
                workers = workers or list(self._present)
            future = self._client.submit(
                self._run,
                self._name,
                *arguments,
                key=key,
                pure=False,
                retries=0,
                workers=workers or None,
                # If they are gone when its turn comes.
                allow_other_workers=bool(workers),
            )
            self._in_flight[key] = future
        try:
            return future.result()
        except KilledWorker as error:
            raise WorkerLost(f"worker {self._place(error.last_worker.address)} is gone") from None
        except CancelledError:  # by us, or because the scheduler is gone
            if self._cancelled:
                return {"cancelled": True}
            self._look()
            raise WorkerLost(self._limit.reason() or "the scheduler dropped the job") from None
        except Exception as error:  # whatever Dask raises, the run goes on
            raise WorkerLost(f"the cluster failed: {type(error).__name__}: {error}") from error
        finally:
            with self._changed:
                del self._in_flight[key]
            future.release()

    def _ship(self, build: Path, worker: str) -> None:
        """Bring a simulation to a worker, once.

        Raises:
            OSError: it cannot run there.
        """
        place = (worker, build.name)
        with self._changed:
            alone = self._shipping[place]
        with alone:
            if place in self._shipped:
                return
            try:
                answers = self._client.run(
                    self._store,
                    self._name,
                    build.name,
                    pack(build),
                    workers=[worker],
                    on_error="return",
                )
            except LOST:
                return  # that worker is gone; the job goes elsewhere
            answer = answers.get(worker)
            if isinstance(answer, str):  # else it is what went wrong on the way
                if answer:
                    raise OSError(answer)
                self._shipped.add(place)

    def _forget(self, attempt: str) -> None:
        with suppress(*LOST):
            Event(attempt, client=self._client).clear()

    def _drop(self, futures: list[Any]) -> None:
        with suppress(*LOST):  # it has dropped them itself
            self._client.cancel(futures, force=True, reason="the run ends")

    def _heard(self, topic: str) -> list[Mapping[str, Any]]:
        """What workers have said, oldest first.

        Asked for, not subscribed to: what a worker says before the scheduler knows of the
        subscription would never arrive.
        """
        return [message for _, message in self._client.get_events(topic)]

    def _starter(self, attempt: str) -> str:
        with suppress(*LOST):
            for message in self._heard(start_topic(self._name)):
                if message["started"] == attempt:
                    return str(message["place"])
        return "that ran it"

    def _place(self, address: str) -> str:
        return self._places.get(address, address)

    def _leave_out(self, worker: str, text: str) -> None:
        """Give a worker no more jobs; the first time people are told ``text``."""
        with self._changed:
            if worker not in self._unfit:
                self._say(text or f"worker {self._place(worker)} is left out: it cannot run jobs")
            self._unfit.add(worker)
            self._present.pop(worker, None)

    def _keep_looking(self) -> None:
        while not self._closed.wait(POLL_SECONDS) and not self._limit.reason():
            self._look()
        if self._limit.reason():
            self._say(self._limit.reason())
            with self._changed:
                futures = list(self._in_flight.values())
                self._changed.notify_all()
            self._drop(futures)

    def _look(self) -> None:
        try:
            # Client.scheduler_info may give a summary that lacks the workers.
            found = self._client.sync(self._client.scheduler.identity, n_workers=-1)
            heard = self._heard(self._name)
        except LOST as error:
            if not self._closed.is_set():
                self._limit.lose(f"the scheduler is gone: {error}")
            return
        with self._changed:
            for message in heard:
                self._leave_out(message["unfit"], str(message["text"]))
            self._compare(found["workers"])
            self._changed.notify_all()

    def _compare(self, workers: Mapping[str, Any]) -> None:
        """Say what has changed since the last look."""
        present = {
            address: int(worker["nthreads"])
            for address, worker in workers.items()
            if address not in self._unfit
        }
        for address in present.keys() - self._places.keys():
            name = str(workers[address]["name"])
            self._places[address] = address if name == address else f"{name} ({address})"
            self._say(f"worker {self._place(address)} takes {present[address]} jobs at once")
        for address in self._present.keys() - workers.keys():
            self._say(f"worker {self._place(address)} is gone")
        self._present = present
        self._limit.see(sum(present.values()))
