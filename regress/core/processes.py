"""Child processes that can be ended with everything they started."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.limits import outlasts

# The most memory of one process in GB, where the share of the machine is not the right one.
MEMORY_VARIABLE = "REGRESS_MEMORY"
LEAST_MEMORY, GB = 4e9, 1e9
# Names the process whose end a child must not outlive; see end_with_parent.
PARENT_VARIABLE = "REGRESS_PARENT"
PR_SET_PDEATHSIG = 1
# Whether a SIGTERM was for the job alone is known after a second.
PARENT_POLLS, POLL_SECONDS = 50, 0.02


@dataclass(frozen=True)
class Ended:
    """How a child process ended.

    Attributes:
        returncode: exit code; negative for a signal, as in :mod:`subprocess`.
        timed_out: it was ended because its time was over.
        cancelled: it was ended, or not even started, because the run was interrupted.
    """

    returncode: int
    timed_out: bool
    cancelled: bool
    seconds: float


class ProcessGroups:
    """Starts children, each in a session and process group of its own.

    Usable from many threads; :meth:`cancel` ends every group from any of them. A process that
    never stops asking for memory, such as a compiler that unrolls a loop without end, is refused
    it before the machine is out of it: see :func:`memory_limit`.

    Attributes:
        cancelled: :meth:`cancel` was called; nothing is started any more.

    Raises:
        UsageError: as for :func:`memory_limit`.
    """

    def __init__(self) -> None:
        self._memory = memory_limit()
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self.cancelled = False

    def cancel(self) -> None:
        """End every running group and start no other."""
        with self._lock:
            self.cancelled = True
            for group in self._running:
                _kill(group)

    def run(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        log: Path,
        timeout: float,
    ) -> Ended:
        """Run a command to its end, its output going to ``log``.

        Its ``timeout`` counts as :func:`regress.core.limits.outlasts` says.

        Raises:
            OSError: the command cannot be started or the log cannot be written.
        """
        start = time.monotonic()
        with log.open("ab") as output:
            with self._lock:
                if self.cancelled:
                    return Ended(-signal.SIGKILL, False, True, 0.0)
                child = subprocess.Popen(
                    command,
                    cwd=cwd,
                    env={**env, PARENT_VARIABLE: str(os.getpid())},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
                self._running.add(child.pid)
            _limit_memory(child.pid, self._memory)
            timed_out = False
            try:
                timed_out = outlasts(child, timeout)
            finally:
                # Also after a normal end: a simulator may have left processes behind.
                _kill(child.pid)
                child.wait()
                with self._lock:
                    self._running.discard(child.pid)
        return Ended(
            returncode=child.returncode,
            timed_out=timed_out,
            cancelled=self.cancelled and child.returncode < 0,
            seconds=time.monotonic() - start,
        )


def memory_limit() -> int:
    """Bytes that one process of a run may take.

    Three quarters of the machine's memory, divided by its processors, but at least 4 GB;
    or what ``REGRESS_MEMORY`` says in GB.

    Raises:
        UsageError: ``REGRESS_MEMORY`` is no positive number.
    """
    text = os.environ.get(MEMORY_VARIABLE, "")
    if text:
        try:
            given = float(text)
        except ValueError:
            given = 0.0
        if not 0 < given < float("inf"):
            raise UsageError(f"{MEMORY_VARIABLE}={text}: accepted: GB of memory, such as 8")
        return int(given * GB)
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(max(LEAST_MEMORY, 0.75 * total / (os.cpu_count() or 1)))


def _limit_memory(pid: int, limit: int) -> None:
    """Let a process, and each that it starts, have so much memory; only Linux can do it."""
    if not hasattr(resource, "prlimit"):
        return
    try:
        _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
        if most != resource.RLIM_INFINITY:
            limit = min(limit, most)
        resource.prlimit(pid, resource.RLIMIT_DATA, (limit, most))
    except (ProcessLookupError, PermissionError):  # it has ended, or is not ours to limit
        return


def end_with_parent() -> None:
    """In a child of :meth:`ProcessGroups.run`: end the whole group when the parent has ended.

    A parent that is killed outright can end nobody. To be called first thing; does nothing in a
    process that was started otherwise, or where the system cannot tell a child (only Linux can).

    The signal comes when the thread that started the child ends; that of :meth:`ProcessGroups.run`
    waits for the child, so it ends earlier only with its process.
    """
    parent = int(os.environ.get(PARENT_VARIABLE, "0"))
    if not parent or os.getpgrp() != os.getpid():
        return

    def end(number: int, frame: object) -> None:
        # The threads of a killed parent end one by one; until the last of them it is still there.
        for _ in range(PARENT_POLLS):
            if os.getppid() != parent:
                _kill(os.getpgrp())
            time.sleep(POLL_SECONDS)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    signal.signal(signal.SIGTERM, end)
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    except AttributeError:
        return
    if os.getppid() != parent:  # it ended before it could be told
        _kill(os.getpgrp())


def _kill(group: int) -> None:
    """End a group, and what has left it but not its session, as SymbiYosys's solvers do."""
    import psutil  # only whoever looks for lost processes needs it

    for pid in psutil.pids():
        try:
            if pid != os.getpid() and os.getsid(pid) == group:
                os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def clean_environment(bytecode: Path | None = None) -> dict[str, str]:
    """This process's environment without what would change a simulation behind our back.

    cocotb's runner lets the environment win over its own arguments.

    Args:
        bytecode: folder for what Python compiles where it must write nothing beside the sources:
            else each of hundreds of jobs would compile all it imports, a third of its time.
    """
    switches = {"WAVES", "GUI", "PYTEST_CURRENT_TEST", "SIM_CMD_PREFIX", "SIM_CMD_SUFFIX"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in switches and (not name.startswith("COCOTB_") or name == "COCOTB_LOG_LEVEL")
    }
    if bytecode and kept.pop("PYTHONDONTWRITEBYTECODE", ""):
        kept["PYTHONPYCACHEPREFIX"] = str(bytecode)
    # Sets iterate in the same order in every process; logs survive a kill.
    return kept | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}


def output(command: list[str], stream: str = "stdout") -> str:
    """What a command says on one of its streams; empty if it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return getattr(done, stream)


def first_line(command: list[str]) -> str:
    """First line of what a command says, ``unknown`` if it says nothing."""
    lines = output(command).splitlines()
    return lines[0].strip() if lines else "unknown"
