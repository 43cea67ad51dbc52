"""Runs a tool within limits of time and memory and says plainly what became of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

POLL_SECONDS = 0.2
# How a tool says that its own memory is used up; WebAssembly has 4 GiB whatever the limit.
MEMORY_WORDS = ("bad_alloc", "out of memory", "memory allocation", "Cannot allocate memory")


class ToolError(Exception):
    """A tool did not do its work; the message is one line that says what became of it."""


@dataclass(frozen=True)
class Limits:
    """What one call of a tool may use.

    Attributes:
        seconds: wall-clock time.
        memory: bytes that the tool and its children may hold together.
    """

    seconds: float
    memory: int


def run_tool(
    name: str,
    command: Sequence[str],
    *,
    cwd: Path,
    log: Path,
    limits: Limits,
    environment: Mapping[str, str] | None = None,
) -> float:
    """Run a tool to its end and return the seconds it took.

    Args:
        name: of the tool, for messages.
        command: program and arguments.
        cwd: folder to run in.
        log: file that receives what it says.
        limits: of time and memory.
        environment: more variables.

    Raises:
        ToolError: it failed, crashed, took too long or held too much memory.
    """
    start = time.monotonic()
    with log.open("wb") as output:
        try:
            child = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            raise ToolError(f"{name} cannot be started: {error}") from None
        try:
            problem = _watch(name, child, limits, start)
        finally:
            _end(child)
    if problem:
        raise ToolError(f"{problem}; its last line: {(_lines(log) or ['none'])[-1]}")
    if child.returncode:
        raise ToolError(f"{name} {_how_it_ended(child.returncode)}: {_last_words(log)}")
    return time.monotonic() - start


def _watch(name: str, child: subprocess.Popen, limits: Limits, start: float) -> str:
    """Wait for the end of a child; returns which limit it broke, empty if none."""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(POLL_SECONDS)
            return ""
        if time.monotonic() - start > limits.seconds:
            return f"{name} did not come to an end in {limits.seconds:g} s"
        held = _held(child.pid)
        if held > limits.memory:
            allowed = limits.memory / 2**30
            return f"{name} ran out of memory: {held / 2**30:.1f} GiB, {allowed:.1f} GiB allowed"


def _held(pid: int) -> int:
    """Bytes that a process and its children hold."""
    total = 0
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += one.memory_info().rss
    return total


def _end(child: subprocess.Popen) -> None:
    with contextlib.suppress(psutil.Error):
        for one in psutil.Process(child.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                one.kill()
    child.kill()
    child.wait()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"failed with exit code {code}"
    return f"crashed ({signal.Signals(-code).name})"


def _lines(log: Path) -> list[str]:
    """What a tool said, without empty lines."""
    lines = log.read_text(errors="replace").splitlines()
    return [" ".join(line.split()) for line in lines if line.strip()]


def _last_words(log: Path) -> str:
    """The line of a log that says why: the first error, else the last line."""
    lines = _lines(log)
    for line in lines:
        if any(word in line for word in MEMORY_WORDS):
            return f"out of memory: {line}"
    errors = [line for line in lines if line.startswith(("ERROR", "Error", "error:"))]
    return (errors or lines[-1:] or ["it said nothing"])[0]
