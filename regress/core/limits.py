"""When a run starts no more jobs although the plan has more, and when a job's time is over."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

# What a job's log and results may need; below it a file is cut off somewhere.
LEAST_FREE_BYTES = 2_000_000
RESERVE_FILE = ".reserve"
RESERVE_BYTES = 8_000_000
# A job that waits for a processor nearly all the time is ended after so many times its limit.
MOST_STRETCH = 20
NANOSECONDS = 1e-9


@dataclass(frozen=True)
class Limit:
    """One reason to stop before the end of the plan.

    Attributes:
        reason: says why no other job may start; empty while it may.
        fatal: the run has failed by it.
    """

    reason: Callable[[], str]
    fatal: bool = False


def time_budget(seconds: float, clock: Callable[[], float] = time.monotonic) -> Limit:
    """A limit of wall-clock time, which begins now."""
    end, text = clock() + seconds, f"time budget of {duration_text(seconds)} used up"
    return Limit(lambda: text if clock() >= end else "")


class DiskSpace:
    """A limit of the room that is left where the run is written.

    A reserve is kept in the run's folder, so that there is room for the reports when all other
    room is gone.

    Args:
        free: bytes that are free at a path.
    """

    def __init__(
        self, folder: Path, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    ) -> None:
        self._folder = folder
        self._free = free
        self._reserve = folder / RESERVE_FILE
        self.limit = Limit(self._reason, fatal=True)

    def open(self) -> None:
        """Take the reserve, if there is room for it."""
        try:
            self._reserve.write_bytes(bytes(RESERVE_BYTES))
        except OSError:
            self.release()

    def release(self) -> None:
        """Give the reserve back."""
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
    """How long a process and its living children were ready to run and had no processor.

    0 where the system does not say; only Linux does.
    """
    import psutil  # only a job whose time is over needs it

    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0.0
    return sum(_waited(member.pid) for member in family)


def _waited(pid: int) -> float:
    """The second number of its schedstat."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) * NANOSECONDS
    except (OSError, IndexError):
        return 0.0


def outlasts(
    child: subprocess.Popen[bytes], limit: float, waited: Callable[[int], float] = waited_seconds
) -> bool:
    """Wait for the end of a process; whether it is still there when its time is over.

    The time in which it was ready to run and had no processor does not count, so that a limit means
    the same on a loaded machine.

    Args:
        child: the process.
        limit: seconds.
        waited: how long a process had to wait until now.
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
    """The first limit that is reached: its reason, and whether the run has failed by it."""
    for limit in limits:
        reason = limit.reason()
        if reason:
            return reason, limit.fatal
    return "", False


def duration_text(seconds: float) -> str:
    """A duration for people: ``45 s``, ``10 min``, ``2 h 5 min``."""
    if seconds < 90:
        return f"{seconds:g} s" if seconds == int(seconds) else f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
