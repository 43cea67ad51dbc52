"""What runs inside a Dask worker.

The worker's machine has the packages of ``requirements.txt`` and nothing else of the project:
this module goes there as a value (:func:`by_value`), not by its name. So its functions may use
only the standard library, Dask, constants, and what :func:`by_value` names.
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
# Of Dask's worker; see JobHost.setup.
PROFILER = ("profile", "profile-cycle")
# Of a file that comes back its end, and a shorter one of a log: a simulation that repeats itself
# until its time is over must not fill the memory here.
MAX_FILE_BYTES, MAX_LOG_BYTES = 500_000_000, 4_000_000


@contextmanager
def by_value() -> Iterator[None]:
    """While it lasts, what is sent of this module and of what it uses is sent as a value."""
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
        name: of the run, unique; also of the plug-in and of the run's metadata.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._running: dict[str, ProcessGroups] = {}
        self._leaves = False

    def setup(self, worker: Worker) -> None:
        """See :class:`distributed.WorkerPlugin`.

        Ends Dask's profiler, which looks at all threads a hundred times a second while a job runs:
        in Python 3.11 a garbage collection meanwhile can stop the whole process for ever
        (https://github.com/python/cpython/issues/106883). Its threads wait for jobs anyway.
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
        """End the process of a task that nobody wants any more: its client said so, or is gone."""
        groups = self._running.get(str(key))
        if groups and finish in ("cancelled", "released", "forgotten"):
            groups.cancel()

    def store(self, name: str, archive: bytes) -> str:
        """Unpack a simulation or the sources; returns why that cannot be done, empty if it was.

        It is done in one step, so that no other process sees half of it.
        """
        folder, part = self._folder / name, self._folder / f".{name}"
        if folder.exists():
            return ""
        try:
            part.mkdir(parents=True)
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                # The newer Pythons ask for a choice; the older ones have none.
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
            key: of the task.
            attempt: unique name of this attempt of the job.
            command: arguments of this worker's Python that run it; its folder and ``--build`` with
                that of the simulation are added.
            job: contents of its ``job.json``.
            build: name of the simulation.
            timeout: limit in seconds.

        Returns:
            ``missing``: this worker's address, and ``names`` of what it has to be sent first;
            or ``again``: the worker on which the attempt was started before, and that is gone; or
            this one, which leaves and has ended the job;
            or ``problem``: why the process could not be started;
            or ``ended`` and ``files``: how it ended, and the contents of its folder by name.
        """
        names = [name for name in (SOURCES, build) if not (self._folder / name).exists()]
        if names:
            return {"missing": self._worker.address, "names": names}
        # Dask does a task again whose worker is gone. Whether it is to be done again, and where it
        # puts its results, is for the run to decide.
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
            )
            # Ended by this worker, not by itself: that says nothing about the job.
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
        """Note that an attempt starts here, unless it was started before; returns where it was."""
        scheduler, keys = self._worker.scheduler, [self.name, attempt]
        before = sync(self._worker.loop, scheduler.get_metadata, keys=keys, default="")
        if not before:
            sync(self._worker.loop, scheduler.set_metadata, keys=keys, value=self._place())
        return before

    def _place(self) -> str:
        name, address = str(self._worker.name), self._worker.address
        return address if name == address else f"{name} ({address})"


def tasks() -> tuple[Any, Any]:
    """The two functions that are sent to workers: run a job, store a simulation.

    Made here because Dask sends a nested function as a value, and others by name.
    """

    def run(name: str, *arguments: Any) -> dict[str, Any]:
        return get_worker().plugins[name].run(*arguments)

    def store(name: str, *arguments: Any, dask_worker: Worker) -> str:
        return dask_worker.plugins[name].store(*arguments)

    return run, store


def _environment() -> dict[str, str]:
    """Of a job's process.

    The simulation names cocotb's libraries by the place where it was linked; here they may be
    in another, which the loader looks into first.
    """
    environment = clean_environment()
    spec = util.find_spec("cocotb")
    if spec and spec.origin:
        places = [str(Path(spec.origin).parent / "libs"), environment.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, places))
    # Packages that the worker was given by its caller are not those of its Python.
    environment.pop("PYTHONPATH", None)
    return environment


def _contents(folder: Path) -> dict[str, bytes]:
    """The files of a job by name, of a very long one its end; its log says so."""
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
