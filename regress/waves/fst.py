"""Reads value changes from the waves of a simulation."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

import pywellen

# Names of cycles: clk, clk_i, aclk, sys_clock.
CLOCK = re.compile(r"(^|_)[a-z]?(clk|clock)(_|$)", re.IGNORECASE)

# A value with unknown bits is a string of 0, 1, x and z.
Value = int | str
NS_EXPONENT = -9


class WaveError(ValueError):
    """Waves are missing or unreadable, or lack a signal; the message states which, in one line."""


class Changes:
    """The value changes of one signal; times in ns.

    Args:
        signal: signal from pywellen, loaded as a whole, compressed.
    """

    def __init__(self, signal: Any, tick_ns: float) -> None:
        self._signal = signal
        self._tick = tick_ns

    def at(self, time_ns: float) -> Value | None:
        """Return the value at this time, after all changes at this time."""
        index = self._place(bisect_right, time_ns) - 1
        return self._signal[index][1] if index >= 0 else None

    def before(self, time_ns: float) -> Value | None:
        """Return the value just before this time, as a register takes it at a clock edge."""
        index = self._place(bisect_left, time_ns) - 1
        return self._signal[index][1] if index >= 0 else None

    def between(self, begin_ns: float, end_ns: float) -> list[tuple[float, Value]]:
        """Return (time, value) of each change in begin <= time < end, the last one of each time."""
        low = self._place(bisect_left, begin_ns)
        high = self._place(bisect_left, end_ns)
        found: dict[int, Value] = {}
        for index in range(low, high):
            ticks, value = self._signal[index]
            found[ticks] = value
        return [(ticks * self._tick, value) for ticks, value in found.items()]

    def _place(self, search: Callable[..., int], time_ns: float) -> int:
        return search(self._signal, round(time_ns / self._tick), key=itemgetter(0))

    def last(self, wanted: int, time_ns: float) -> float | None:
        """Return when the signal last changed to a value, at or before this time."""
        index = self._place(bisect_right, time_ns) - 1
        while index > 0:
            ticks, value = self._signal[index]
            if value == wanted and self._signal[index - 1][1] != wanted:
                return ticks * self._tick
            index -= 1
        return None

    @property
    def end_ns(self) -> float:
        """Time of the last change."""
        return self._signal[len(self._signal) - 1][0] * self._tick if len(self._signal) else 0.0


class WaveFile:
    """The waves of one simulation.

    Args:
        top: module of the test bench; signals are named relative to it.
        clock: name of its clock signal.

    Raises:
        WaveError: the file is missing or unreadable, or lacks this module.
    """

    def __init__(self, path: Path, top: str, clock: str = "clk") -> None:
        if not path.is_file():
            raise WaveError(f"{path} is missing: the job did not write waves")
        with _reading(path):
            self._file = pywellen.Waveform(str(path))
            scale = self._file.timescale
            self.tick_ns = scale.factor * 10.0 ** (scale.unit.to_exponent() - NS_EXPONENT)
            variables = list(self._file.all_vars())
        self.path = path
        self.clock = clock
        self._variables: dict[str, Any] = {}
        for variable in variables:
            scope, found, name = f".{variable.full_name}".partition(f".{top}.")
            if found:
                self.prefix = f"{scope[1:]}.{top}" if scope else top
                self._variables.setdefault(name, variable)
        if not self._variables and any("." not in each.full_name for each in variables):
            # GHDL writes the signals of the toplevel without its name.
            self.prefix = top
            self._variables = {variable.full_name: variable for variable in variables}
        if not self._variables:
            raise WaveError(f"{path} has no module {top}")
        if self.clock not in self._variables:
            self.clock = self._likeliest_clock()
        self._loaded: dict[str, Changes] = {}

    def _likeliest_clock(self) -> str:
        """Return a signal of the top that has the name of a cycle, else its first signal."""
        own = [name for name in self._variables if "." not in name] or list(self._variables)
        return next((name for name in own if CLOCK.search(name)), own[0])

    def __contains__(self, name: str) -> bool:
        return name in self._variables

    @property
    def names(self) -> list[str]:
        """All signals, in the order of the file."""
        return list(self._variables)

    def bits(self, name: str) -> int:
        """Return the width of a signal."""
        return self._variable(name).bitwidth or 1

    def signal(self, name: str) -> Changes:
        """Return the changes of a signal, named relative to the test bench.

        Raises:
            WaveError: the signal does not exist, or cannot be read.
        """
        if name not in self._loaded:
            with _reading(self.path):
                self._loaded[name] = Changes(self._variable(name).signal, self.tick_ns)
        return self._loaded[name]

    def rising_edges(self, begin_ns: float, end_ns: float) -> list[float]:
        """Return the times of the rising clock edges in begin <= time < end."""
        return [
            time for time, value in self.signal(self.clock).between(begin_ns, end_ns) if value == 1
        ]

    def _variable(self, name: str) -> Any:
        try:
            return self._variables[name]
        except KeyError:
            raise WaveError(f"{self.path} has no signal {self.prefix}.{name}") from None


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (WaveError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the reader is not an Exception
        reason = " ".join(str(error).split())
        raise WaveError(f"{path} cannot be read, it may be incomplete: {reason}") from None
