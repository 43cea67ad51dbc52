"""Runs a tool within time and memory limits and reports how it ended."""

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
# Messages of a tool that runs out of its own memory; WebAssembly has at most 4 GiB.
MEMORY_WORDS = ("bad_alloc", "out of memory", "memory allocation", "Cannot allocate memory")


class ToolError(Exception):
    """A tool failed; the message is one line that states how."""


@dataclass(frozen=True)
class Limits:
    """Limits of one call of a tool.

    Attributes:
        seconds: wall-clock time.
        memory: memory of the tool and its children together, in bytes.
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
        name: name of the tool, for messages.
        command: program and arguments.
        cwd: working folder.
        log: file for the output of the tool.
        limits: limits of time and memory.
        environment: additional environment variables.

    Raises:
        ToolError: the tool failed, crashed, took too long or used too much memory.
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
    """Wait for the end of a child; return the limit that it exceeded, empty if none."""
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
    """Return the memory of a process and its children, in bytes."""
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
    """Return the output of a tool, without empty lines."""
    lines = log.read_text(errors="replace").splitlines()
    return [" ".join(line.split()) for line in lines if line.strip()]


def _last_words(log: Path) -> str:
    """Return the line of a log that states the cause: the first error, or the last line."""
    lines = _lines(log)
    for line in lines:
        if any(word in line for word in MEMORY_WORDS):
            return f"out of memory: {line}"
    errors = [line for line in lines if line.startswith(("ERROR", "Error", "error:"))]
    return (errors or lines[-1:] or ["it said nothing"])[0]
