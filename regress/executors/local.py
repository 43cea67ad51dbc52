"""Runs jobs on this machine, and defines the interface of all executors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Protocol

from regress.core.limits import Limit
from regress.core.processes import LAST_WORDS, Ended, ProcessGroups, clean_environment

LOG_FILE = "log.txt"

Command = Callable[[Path, Path], list[str]]


class WorkerLost(Exception):
    """The machine or process that ran a job was lost; the message states which."""


class Runnable(Protocol):
    """Data of a job that an executor needs.

    Attributes:
        program: Python module that runs as the child process, see :func:`job_command`.
        timeout: seconds after which the process is ended.
    """

    program: str
    timeout: float


class Executor(Protocol):
    """Runs the process of a job on a build and returns its files.

    Attributes:
        slots: maximum number of concurrent jobs; may change during the run.
        local: jobs run on this machine's processors, as builds do.
        limits: limits that end the run when no job can run any more.
    """

    slots: int
    local: bool
    limits: Sequence[Limit]

    def start(self, planned: Runnable, folder: Path, build: Path) -> Future[Ended]:
        """Start a job whose ``job.json`` is in ``folder``, on the simulation in ``build``.

        When the future is done, ``folder`` has every file of the job. The future raises OSError if
        the process could not be started, and :class:`WorkerLost` if its outcome is unknown.
        """

    def cancel(self) -> None:
        """End every running job and start no other."""

    def close(self) -> None:
        """Release the resources of the executor."""


def job_command(program: str, folder: Path, build: Path) -> list[str]:
    """Return the command line of one job's child process."""
    return [sys.executable, "-m", program, str(folder), "--build", str(build)]


class LocalExecutor:
    """Runs jobs as processes on this machine.

    Args:
        root: folder of the project; processes start there.
        command: makes the child's command line from the folders of the job and the build;
            default: the job's program.
    """

    local = True
    limits: Sequence[Limit] = ()

    def __init__(
        self, root: Path, groups: ProcessGroups, workers: int, command: Command | None = None
    ) -> None:
        self.slots = workers
        self._root = root
        self._groups = groups
        self._command = command
        self._pool = ThreadPoolExecutor(workers)

    def start(self, planned: Runnable, folder: Path, build: Path) -> Future[Ended]:
        """See :class:`Executor`."""
        command = self._command or partial(job_command, planned.program)
        return self._pool.submit(
            self._groups.run,
            command(folder, build),
            cwd=self._root,
            env=clean_environment(self._root / "build" / "bytecode"),
            log=folder / LOG_FILE,
            timeout=planned.timeout,
            last_words=LAST_WORDS,
        )

    def cancel(self) -> None:
        """See :class:`Executor`."""
        self._groups.cancel()

    def close(self) -> None:
        """See :class:`Executor`."""
        self._pool.shutdown(wait=True, cancel_futures=True)
