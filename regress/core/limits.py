"""Limits: when a run starts no more jobs, and when the time of a job is over."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

# Space for a job's log and results. With less free space, files may be truncated.
LEAST_FREE_BYTES = 2_000_000
RESERVE_FILE = ".reserve"
RESERVE_BYTES = 8_000_000
# Even a job that mostly waits for a processor is ended after this multiple of its limit.
MOST_STRETCH = 20
NANOSECONDS = 1e-9


@dataclass(frozen=True)
class Limit:
    """One reason to stop before the end of the plan.

    Attributes:
        reason: returns why no other job may start; empty while jobs may start.
        fatal: the run has failed when it reaches this limit.
    """

    reason: Callable[[], str]
    fatal: bool = False


def time_budget(seconds: float, clock: Callable[[], float] = time.monotonic) -> Limit:
    """Return a limit of wall-clock time that starts now."""
    end, text = clock() + seconds, f"time budget of {duration_text(seconds)} used up"
    return Limit(lambda: text if clock() >= end else "")


class DiskSpace:
    """A limit of the free disk space in the run's folder.

    The run's folder keeps a reserve, so that the reports can be written when the disk is full.

    Args:
        free: returns the free bytes at a path.
    """

    def __init__(
        self, folder: Path, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    ) -> None:
        self._folder = folder
        self._free = free
        self._reserve = folder / RESERVE_FILE
        self.limit = Limit(self._reason, fatal=True)

    def open(self) -> None:
        """Allocate the reserve, if there is enough space."""
        try:
            self._reserve.write_bytes(bytes(RESERVE_BYTES))
        except OSError:
            self.release()

    def release(self) -> None:
        """Free the reserve."""
        self._reserve.unlink(missing_ok=True)

    def _reason(self) -> str:
        try:
            free = self._free(self._folder)
        except OSError as error:
            return f"{self._folder}: {error.strerror}"
        if free >= LEAST_FREE_BYTES:
            return ""
        return f"the disk of {self._folder} is full ({free / 1e6:.1f} MB left)"


def waited_seconds(pid: int) -> float:
    """Return how long a process and its living children were ready to run without a processor.

    Only Linux measures this time; elsewhere the result is 0.
    """
    import psutil  # imported only here: only a job whose time is over needs it

    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0.0
    return sum(_waited(member.pid) for member in family)


def _waited(pid: int) -> float:
    """Return the second number of the process's schedstat: its waiting time."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) * NANOSECONDS
    except (OSError, IndexError):
        return 0.0


def outlasts(
    child: subprocess.Popen[bytes], limit: float, waited: Callable[[int], float] = waited_seconds
) -> bool:
    """Wait for the end of a process; return whether it still runs when its time is over.

    The time in which the process was ready to run without a processor does not count. A limit
    therefore has the same meaning on a loaded machine.

    Args:
        child: the process.
        limit: time limit in seconds.
        waited: returns how long a process has waited for a processor.
    """
    start, allowed = time.monotonic(), limit
    while True:
        try:
            child.wait(max(0.0, start + allowed - time.monotonic()))
        except subprocess.TimeoutExpired:
            allowed = min(limit + waited(child.pid), MOST_STRETCH * limit)
            if time.monotonic() - start >= allowed:
                return True
        else:
            return False


def first_reason(limits: Iterable[Limit]) -> tuple[str, bool]:
    """Return the reason of the first limit reached, and whether it is fatal."""
    for limit in limits:
        reason = limit.reason()
        if reason:
            return reason, limit.fatal
    return "", False


def duration_text(seconds: float) -> str:
    """Format a duration for people: ``45 s``, ``4 min 51 s``, ``10 min``, ``2 h 5 min``."""
    if seconds < 90:
        return f"{seconds:g} s" if seconds == int(seconds) else f"{seconds:.1f} s"
    if seconds < 600:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    minutes = round(seconds / 60)
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def time_text(nanoseconds: float) -> str:
    """Format a simulated time for people: ``85 ns``, ``2 ms``."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.6g} {unit}"
    return f"{nanoseconds:g} ns"
