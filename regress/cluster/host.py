"""What runs inside a Dask worker.

The worker's machine has the packages of ``requirements.txt`` and nothing else of the project:
this module goes there as a value (:func:`by_value`), not by its name. So its functions may use
only the standard library, Dask, constants, and what :func:`by_value` names.
"""

from __future__ import annotations

import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata, util
from pathlib import Path
from typing import Any

import cloudpickle
from distributed import Worker, WorkerPlugin, get_worker
from distributed.utils import sync

from regress import processes
from regress.compile import MANIFEST
from regress.executor import LOG_FILE
from regress.jobfile import JOB_FILE
from regress.processes import ProcessGroups, clean_environment

# Prints why a simulation cannot run on this machine, nothing if it can; of the job's sources.
CHECK_COMMAND = ("-m", "regress.compile", "--check")
CHECK_SECONDS = 60.0
# What must be the same beside packages.
MACHINE = ("Python", "machine")
# A simulation that repeats itself until its time is over must not fill memory and disk here.
MAX_LOG_BYTES = 4_000_000
MAX_FILE_BYTES = 500_000_000


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


def versions(packages: Iterable[str]) -> dict[str, str]:
    """What must be the same here and there, by name; empty for what is not installed."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = dict(zip(MACHINE, (python, platform.machine()), strict=True))
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = ""
    return found


def start_topic(name: str) -> str:
    """The event topic in which the workers of a run say which attempts they start."""
    return f"{name}-starts"


def differences(wanted: Mapping[str, str], found: Mapping[str, str]) -> str:
    """In words for people; empty if there are none."""
    return ", ".join(
        f"{name} is {found[name]}, wanted is {version}"
        if found.get(name)
        else f"{name} {version} is not installed"
        for name, version in wanted.items()
        if found.get(name) != version
    )


class JobHost(WorkerPlugin):
    """Runs jobs on one worker, in folders below the worker's own.

    Args:
        name: of the run, unique; also of the plug-in and of the event topic.
        wanted: what :func:`versions` must give.
    """

    def __init__(self, name: str, sources: bytes, wanted: Mapping[str, str]) -> None:
        self.name = name
        self._archive = sources
        self._wanted = dict(wanted)
        self._running: dict[str, ProcessGroups] = {}
        self._leaves = False
        self.unfit = True  # until it is set up

    async def setup(self, worker: Worker) -> None:
        """See :class:`distributed.WorkerPlugin`."""
        self._worker = worker
        self._folder = Path(worker.local_directory) / self.name
        try:
            problem = differences(
                self._wanted, versions([name for name in self._wanted if name not in MACHINE])
            )
            if not problem:
                _unpack(self._archive, self._folder / "sources")
        except (OSError, tarfile.TarError) as error:
            problem = f"cannot unpack the sources: {error}"
        self._archive = b""
        self.unfit = bool(problem)
        if problem:
            text = f"worker {self._place()} is left out: {problem}"
            message = {"unfit": worker.address, "text": text}
            await worker.scheduler.log_event(topic=self.name, msg=message)

    async def teardown(self, worker: Worker) -> None:
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

    def store(self, build: str, archive: bytes) -> str:
        """Unpack a simulation; returns why it cannot run here, empty if it can."""
        folder = self._folder / "builds" / build
        try:
            if not folder.exists():
                _unpack(archive, folder, self._cannot_run)
        except (OSError, tarfile.TarError) as error:
            return f"worker {self._place()} cannot run {build}: {error}"
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
            ``unfit``: address of this worker, which cannot run any job of the run;
            or ``missing``: its address, if it has not got the simulation;
            or ``again``: the attempt was started before, on a worker that is gone; or this one
            leaves, and has ended the job;
            or ``problem``: why the process could not be started;
            or ``ended`` and ``files``: how it ended, and the contents of its folder by name.
        """
        simulation = self._folder / "builds" / build
        if not simulation.exists():
            return {"missing": self._worker.address}
        # Dask does a task again whose worker is gone. Whether it is to be done again, and where it
        # puts its results, is for the run to decide.
        if self._is_marked(attempt):
            return {"again": True}
        self._mark(attempt)
        folder = self._folder / "attempts" / key
        groups = self._running[key] = ProcessGroups()
        try:
            folder.mkdir(parents=True)
            (folder / JOB_FILE).write_bytes(job)
            ended = groups.run(
                [sys.executable, *command, str(folder), "--build", str(simulation)],
                cwd=self._folder / "sources",
                env=_environment(),
                log=folder / LOG_FILE,
                timeout=timeout,
            )
            # Ended by this worker, not by itself: that says nothing about the job.
            if ended.cancelled or self._leaves:
                return {"again": True}
            return {"ended": vars(ended), "files": _contents(folder)}
        except OSError as error:
            if self._leaves:  # and has removed the folder
                return {"again": True}
            return {"problem": f"worker {self._place()}: {error}"}
        finally:
            del self._running[key]
            shutil.rmtree(folder, ignore_errors=True)

    # As distributed.Event does, but over the worker's own connection: that would open another.
    def _is_marked(self, attempt: str) -> bool:
        return sync(self._worker.loop, self._worker.scheduler.event_is_set, name=attempt)

    def _mark(self, attempt: str) -> None:
        """Note that an attempt has started here; the scheduler has it when this returns."""
        message = {"started": attempt, "place": self._place()}
        scheduler = self._worker.scheduler
        sync(self._worker.loop, scheduler.event_set, name=attempt)
        sync(self._worker.loop, scheduler.log_event, topic=start_topic(self.name), msg=message)

    def _cannot_run(self, folder: Path) -> str:
        """Why the simulation in a folder cannot run on this machine; empty if it can."""
        if not (folder / MANIFEST).is_file():
            return ""
        try:
            done = subprocess.run(
                [sys.executable, *CHECK_COMMAND, str(folder)],
                cwd=self._folder / "sources",
                env=_environment(),
                capture_output=True,
                text=True,
                timeout=CHECK_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"it cannot be checked: {error}"
        return (done.stdout + done.stderr).strip().rpartition("\n")[2]

    def _place(self) -> str:
        name, address = str(self._worker.name), self._worker.address
        return address if name == address else f"{name} ({address})"


def tasks() -> tuple[Any, Any]:
    """The two functions that are sent to workers: run a job, store a simulation.

    Made here because Dask sends a nested function as a value, and others by name.
    """

    def run(name: str, *arguments: Any) -> dict[str, Any]:
        host = get_worker().plugins.get(name)
        if host is None or host.unfit:
            return {"unfit": get_worker().address}
        return host.run(*arguments)

    async def store(name: str, build: str, archive: bytes, dask_worker: Worker) -> str:
        host = dask_worker.plugins.get(name)
        return host.store(build, archive) if host else ""

    return run, store


def _unpack(archive: bytes, folder: Path, check: Callable[[Path], str] | None = None) -> None:
    """Unpack in one step, so that no other process sees half of it.

    Raises:
        OSError: no room, or ``check`` says why the contents are of no use.
    """
    part = folder.with_name(f".{folder.name}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        # The newer Pythons ask for a choice; the older ones have none.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(part)
    problem = check(part) if check else ""
    if problem:
        shutil.rmtree(part, ignore_errors=True)
        raise OSError(problem)
    part.rename(folder)


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
    files = {}
    notes = []
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name == JOB_FILE:
            continue
        size = path.stat().st_size
        if path.name == LOG_FILE:
            files[path.name] = _log(path, size)
        elif size > MAX_FILE_BYTES:
            notes.append(f"{path.name}: {size / 1e6:.0f} MB, too much to be sent\n")
        else:
            files[path.name] = path.read_bytes()
    if notes:
        files[LOG_FILE] = "".join(notes).encode() + files.get(LOG_FILE, b"")
    return files


def _log(path: Path, size: int) -> bytes:
    if size <= MAX_LOG_BYTES:
        return path.read_bytes()
    half = MAX_LOG_BYTES // 2
    with path.open("rb") as file:
        first = file.read(half)
        file.seek(size - half)
        note = f"\n[{(size - MAX_LOG_BYTES) / 1e6:.1f} MB left out]\n"
        return first + note.encode() + file.read()
