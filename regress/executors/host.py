"""The code that runs inside a Dask worker.

The worker's machine has the packages of ``requirements.txt`` and no other part of the project.
This module is therefore sent as a value (:func:`by_value`), not by its name. Its functions may use
only the standard library, Dask, constants, and the modules listed in :func:`by_value`.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import Any

import cloudpickle
from distributed import Worker, WorkerPlugin, get_worker
from distributed.utils import sync

from regress.core import processes
from regress.core.jobfile import JOB_FILE
from regress.core.processes import ProcessGroups, clean_environment
from regress.executors.local import LOG_FILE

SOURCES = "sources"
# Periodic callbacks of Dask's worker; see JobHost.setup.
PROFILER = ("profile", "profile-cycle")
# Only the end of a long file is returned, and less of a log. Otherwise a simulation that repeats
# its output until its timeout could fill the memory of the run's machine.
MAX_FILE_BYTES, MAX_LOG_BYTES = 500_000_000, 4_000_000


@contextmanager
def by_value() -> Iterator[None]:
    """Inside this context, this module and the modules it uses are sent as values."""
    modules = (sys.modules[__name__], processes)
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


class JobHost(WorkerPlugin):
    """Runs jobs on one worker, in folders below the worker's own.

    Args:
        name: unique name of the run; also the name of the plug-in and of the run's metadata.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._running: dict[str, ProcessGroups] = {}
        self._leaves = False

    def setup(self, worker: Worker) -> None:
        """See :class:`distributed.WorkerPlugin`.

        Stops Dask's profiler, which inspects all threads a hundred times a second while a job runs.
        In Python 3.11 a garbage collection at that moment can block the whole process for ever
        (https://github.com/python/cpython/issues/106883). The profiler is useless here, because the
        threads only wait for jobs.
        """
        for name in PROFILER:
            if callback := worker.periodic_callbacks.pop(name, None):
                callback.stop()
        self._worker = worker
        self._folder = Path(worker.local_directory) / self.name

    def teardown(self, worker: Worker) -> None:
        """See :class:`distributed.WorkerPlugin`."""
        self._leaves = True
        for groups in list(self._running.values()):
            groups.cancel()
        shutil.rmtree(self._folder, ignore_errors=True)

    def transition(self, key: object, start: str, finish: str, **details: object) -> None:
        """End the process of a task that its client has cancelled, or whose client is gone."""
        groups = self._running.get(str(key))
        if groups and finish in ("cancelled", "released", "forgotten"):
            groups.cancel()

    def store(self, name: str, archive: bytes) -> str:
        """Unpack a simulation or the sources; return the error message, empty on success.

        The last step is a single rename, so that no other process sees an incomplete folder.
        """
        folder, part = self._folder / name, self._folder / f".{name}"
        if folder.exists():
            return ""
        try:
            part.mkdir(parents=True)
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                # Newer versions of Python require a filter; older versions have none.
                tar.extraction_filter = getattr(tarfile, "data_filter", None)
                tar.extractall(part)
            part.rename(folder)
        except (OSError, tarfile.TarError) as error:
            shutil.rmtree(part, ignore_errors=True)
            return f"worker {self._place()} cannot unpack {name}: {error}"
        return ""

    def run(
        self,
        key: str,
        attempt: str,
        command: tuple[str, ...],
        job: bytes,
        build: str,
        timeout: float,
    ) -> dict[str, Any]:
        """Run a job.

        Args:
            key: key of the task.
            attempt: unique name of this attempt of the job.
            command: arguments of this worker's Python that run the job; the job's folder and
                ``--build`` with the simulation's folder are appended.
            job: contents of the job's ``job.json``.
            build: name of the simulation.
            timeout: limit in seconds.

        Returns:
            One of these:
            ``missing`` and ``names``: this worker's address, and the names it must be sent first;
            ``again``: the lost worker on which the attempt was started before; or this worker, if
            it leaves and has ended the job;
            ``problem``: why the process could not be started;
            ``ended`` and ``files``: how it ended, and the contents of its folder by name.
        """
        names = [name for name in (SOURCES, build) if not (self._folder / name).exists()]
        if names:
            return {"missing": self._worker.address, "names": names}
        # Dask repeats a task whose worker is gone. But the run decides whether to repeat the job,
        # and where the results go.
        before = self._mark(attempt)
        if before:
            return {"again": before}
        folder = self._folder / key
        groups = self._running[key] = ProcessGroups()
        try:
            folder.mkdir(parents=True)
            (folder / JOB_FILE).write_bytes(job)
            ended = groups.run(
                [sys.executable, *command, str(folder), "--build", str(self._folder / build)],
                cwd=self._folder / SOURCES,
                env=_environment(),
                log=folder / LOG_FILE,
                timeout=timeout,
                last_words=processes.LAST_WORDS,
            )
            # This worker ended the process, so the result is no verdict on the job.
            if ended.cancelled or self._leaves:
                return {"again": self._place()}
            return {"ended": vars(ended), "files": _contents(folder)}
        except OSError as error:
            if self._leaves:  # and has removed the folder
                return {"again": self._place()}
            return {"problem": f"worker {self._place()}: {error}"}
        finally:
            del self._running[key]
            shutil.rmtree(folder, ignore_errors=True)

    def _mark(self, attempt: str) -> str:
        """Mark that an attempt starts here; if it was started before, return where."""
        scheduler, keys = self._worker.scheduler, [self.name, attempt]
        before = sync(self._worker.loop, scheduler.get_metadata, keys=keys, default="")
        if not before:
            sync(self._worker.loop, scheduler.set_metadata, keys=keys, value=self._place())
        return before

    def _place(self) -> str:
        name, address = str(self._worker.name), self._worker.address
        return address if name == address else f"{name} ({address})"


def tasks() -> tuple[Any, Any]:
    """Return the two functions that are sent to workers: run a job, store a simulation.

    They are nested because Dask sends nested functions as values, and others by name.
    """

    def run(name: str, *arguments: Any) -> dict[str, Any]:
        return get_worker().plugins[name].run(*arguments)

    def store(name: str, *arguments: Any, dask_worker: Worker) -> str:
        return dask_worker.plugins[name].store(*arguments)

    return run, store


def _environment() -> dict[str, str]:
    """Return the environment of a job's process.

    The simulation refers to cocotb's libraries by the path at which it was linked. On this machine
    the path may differ. The loader searches LD_LIBRARY_PATH first.
    """
    environment = clean_environment()
    spec = util.find_spec("cocotb")
    if spec and spec.origin:
        places = [str(Path(spec.origin).parent / "libs"), environment.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, places))
    # The caller's packages on this path do not belong to the worker's Python.
    environment.pop("PYTHONPATH", None)
    return environment


def _contents(folder: Path) -> dict[str, bytes]:
    """Return a job's files by name; of a very long file only the end, and a note in the log."""
    found, cut = {}, ""
    for path in folder.iterdir():
        if path.is_file() and path.name != JOB_FILE:
            most = MAX_LOG_BYTES if path.name == LOG_FILE else MAX_FILE_BYTES
            size = path.stat().st_size
            if size > most:
                cut += f"[{path.name}: the last {most / 1e6:g} of {size / 1e6:.1f} MB]\n"
            with path.open("rb") as file:
                file.seek(max(0, size - most))
                found[path.name] = file.read()
    if cut:
        found[LOG_FILE] = cut.encode() + found.get(LOG_FILE, b"")
    return found
