"""Child processes that can be ended together with all their descendants."""

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

# Maximum memory of one process in GB; overrides the default share of the machine's memory.
MEMORY_VARIABLE = "REGRESS_MEMORY"
LEAST_MEMORY, GB = 4e9, 1e9
# Contains the id of the process that a child must not outlive; see end_with_parent.
PARENT_VARIABLE = "REGRESS_PARENT"
PR_SET_PDEATHSIG = 1
# After a second it is known whether only the job received SIGTERM, or its parent has ended.
PARENT_POLLS, POLL_SECONDS = 50, 0.02
# A job whose time is over gets this signal, and this time to write where it is.
LAST_WORDS, LAST_WORDS_SECONDS = signal.SIGUSR1, 0.3


@dataclass(frozen=True)
class Ended:
    """End of a child process.

    Attributes:
        returncode: exit code; negative for a signal, as in :mod:`subprocess`.
        timed_out: it was ended because its time was over.
        cancelled: it was ended, or never started, because the run was interrupted.
    """

    returncode: int
    timed_out: bool
    cancelled: bool
    seconds: float


class ProcessGroups:
    """Starts children, each in its own session and process group.

    Usable from many threads; :meth:`cancel` ends every group from any thread. The memory of each
    process is limited, see :func:`memory_limit`. A process that allocates without end, such as a
    compiler that unrolls an endless loop, fails before it exhausts the machine's memory.

    Attributes:
        cancelled: :meth:`cancel` was called; no process is started any more.

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
        last_words: signal.Signals | None = None,
    ) -> Ended:
        """Run a command to its end and append its output to ``log``.

        For the meaning of ``timeout`` see :func:`regress.core.limits.outlasts`. When the time is
        over, every process of the group first gets the signal ``last_words``.

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
                if timed_out and last_words is not None:
                    _signal(child.pid, last_words)
            finally:
                # Even after a normal end, the simulator may have left processes running.
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
    """Return the bytes of memory that one process of a run may use.

    The default is three quarters of the machine's memory, divided by the number of processors,
    but at least 4 GB. ``REGRESS_MEMORY`` overrides it, in GB.

    Raises:
        UsageError: ``REGRESS_MEMORY`` is not a positive number.
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
    """Limit the memory of a process and of each process that it starts; only on Linux."""
    if not hasattr(resource, "prlimit"):
        return
    try:
        _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
        if most != resource.RLIM_INFINITY:
            limit = min(limit, most)
        resource.prlimit(pid, resource.RLIMIT_DATA, (limit, most))
    except (ProcessLookupError, PermissionError):  # it has ended, or belongs to another user
        return


def end_with_parent() -> None:
    """In a child of :meth:`ProcessGroups.run`: end the whole group when the parent has ended.

    A killed parent cannot end its children itself. The child calls this function first. It does
    nothing in a process that was started otherwise, or where the system cannot notify a child
    (only Linux can).

    The kernel sends the signal when the parent's thread that started the child ends. The thread of
    :meth:`ProcessGroups.run` waits for the child, so it ends earlier only with its process.
    """
    parent = int(os.environ.get(PARENT_VARIABLE, "0"))
    if not parent or os.getpgrp() != os.getpid():
        return

    def end(number: int, frame: object) -> None:
        # The threads of a killed parent end one by one. The process exists until the last ends.
        for _ in range(PARENT_POLLS):
            if os.getppid() != parent:
                _kill(os.getpgrp())
            time.sleep(POLL_SECONDS)
        for session in _started([os.getpid()], os.getpid()):
            _kill(session)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    signal.signal(signal.SIGTERM, end)
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    except AttributeError:
        return
    if os.getppid() != parent:  # the parent ended before prctl
        _kill(os.getpgrp())


def _signal(group: int, number: signal.Signals) -> None:
    """Send a signal to a group, and give it the time to react."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return
    time.sleep(LAST_WORDS_SECONDS)


def _kill(group: int) -> None:
    """End a group, and processes that left it but not its session, such as SymbiYosys's solvers.

    A process of the group may have started sessions: a job runs its tools in a
    :class:`ProcessGroups` of its own. These sessions end, too.
    """
    members = _members(group)
    started = _started(members, group)
    for pid in members:
        try:
            if pid != os.getpid():
                os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
    for session in started:
        _kill(session)
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _members(session: int) -> list[int]:
    """Return the processes of a session."""
    import psutil  # imported only here: few processes need it

    return [pid for pid in psutil.pids() if _session(pid) == session]


def _started(members: list[int], session: int) -> set[int]:
    """Return the sessions, other than their own, in which processes have children."""
    import psutil

    found = set()
    for pid in members:
        try:
            found |= {_session(child.pid) for child in psutil.Process(pid).children()}
        except psutil.Error:
            continue
    return found - {session, 0}


def _session(pid: int) -> int:
    """Return the session of a process; 0 if it has ended or belongs to another user."""
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return 0


def clean_environment(bytecode: Path | None = None) -> dict[str, str]:
    """Return this process's environment without variables that silently change a simulation.

    This is necessary because cocotb's runner lets the environment override its own arguments.

    Args:
        bytecode: folder for compiled Python code if Python must not write it next to the sources.
            Without it, each of hundreds of jobs compiles all its imports, a third of its time.
    """
    harmless = {"COCOTB_LOG_LEVEL", "COCOTB_ENABLE_PROFILING"}
    switches = {"WAVES", "GUI", "PYTEST_CURRENT_TEST", "SIM_CMD_PREFIX", "SIM_CMD_SUFFIX"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in switches and (not name.startswith("COCOTB_") or name in harmless)
    }
    if bytecode and kept.pop("PYTHONDONTWRITEBYTECODE", ""):
        kept["PYTHONPYCACHEPREFIX"] = str(bytecode)
    # Sets iterate in the same order in every process. Logs survive a kill.
    return kept | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}


def output(command: list[str], stream: str = "stdout") -> str:
    """Return what a command prints on one of its streams; empty if it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return getattr(done, stream)


def first_line(command: list[str]) -> str:
    """Return the first line that a command prints; ``unknown`` if it prints nothing."""
    lines = output(command).splitlines()
    return lines[0].strip() if lines else "unknown"
