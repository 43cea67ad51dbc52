"""Exclusions of toggles: signals by module, name and bits, each with a reason or a proof.

Verilator counts two points for each bit of a signal: ``name[3]:0->1`` and ``name[3]:1->0``.
Signals of generate blocks and fields of structs have dotted names: ``gen_lane[1].words[0][3]``.
An exclusion names them without the indices of the blocks and of the words, ``gen_lane.words[3]``,
or with all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field

from regress.core.formats.model import Text
from regress.coverage.code import TOGGLE, CodeCoverage, Point
from regress.coverage.excused import Excused

SIGNAL = re.compile(
    r"([\w*?]+):([\w.*?]+(?:\[\d+\][\w.*?]*)*?)(?:\[(\d+)(?::(\d+))?\])?(?: (0->1|1->0))?"
)
NAME = re.compile(r"(.*?)(?:\[(\d+)\])?:(0->1|1->0)")
INDEX = re.compile(r"\[\d+\]")
FALL = "1->0"


@dataclass(frozen=True)
class Bit:
    """One direction of one bit of a module's signal, in all instances and words.

    Attributes:
        module: name of the module, which is the name of its file.
        path: name with the indices of blocks and words.
        index: number of the bit; None for a signal of one bit.
        edge: ``0->1`` or ``1->0``.
    """

    module: str
    path: str
    index: int | None
    edge: str

    @cached_property
    def signal(self) -> str:
        """Name without indices."""
        return INDEX.sub("", self.path)

    @classmethod
    def of(cls, point: Point) -> Bit:
        """Return the bit that a point counts."""
        match = NAME.fullmatch(point.name)
        path, index, edge = match.groups() if match else (point.name, None, "")
        module = PurePosixPath(point.file).stem
        return cls(module, path, None if index is None else int(index), edge)


# The first bit of a signal and all its bits with their points, by module and path.
Bits = Mapping[tuple[str, str], tuple[Bit, list[tuple[Bit, Point]]]]


def bits_of(points: Iterable[Point]) -> Bits:
    """Return the bits that points count, by signal."""
    found: dict[tuple[str, str], tuple[Bit, list[tuple[Bit, Point]]]] = {}
    for point in points:
        bit = Bit.of(point)
        found.setdefault((bit.module, bit.path), (bit, []))[1].append((bit, point))
    return found


@dataclass(frozen=True)
class Signals:
    """The bits that one pattern names."""

    pattern: str

    def __post_init__(self) -> None:
        """Check the pattern.

        Raises:
            ValueError: it is malformed, or its bits are in the wrong order.
        """
        if self._high < self._low:
            raise ValueError(f"{self.pattern!r}: accepted for bits: [HIGH:LOW], HIGH at least LOW")

    @property
    def _parts(self) -> tuple[str | None, ...]:
        match = SIGNAL.fullmatch(self.pattern)
        if match is None:
            raise ValueError(
                f"{self.pattern!r} is not a signal; accepted: MODULE:SIGNAL, names or patterns, "
                "and optionally [BIT] or [HIGH:LOW], then optionally 0->1 or 1->0"
            )
        return match.groups()

    @property
    def _low(self) -> int:
        high, low = self._parts[2:4]
        return int(low or high or 0)

    @property
    def _high(self) -> int:
        return int(self._parts[2] or 0)

    def select(self, bits: Bits) -> list[Point]:
        """Return the points whose bit the pattern names."""
        module, signal, high, _, edge = self._parts
        path = INDEX.search(signal or "")
        modules, signals = (_pattern(part or "*") for part in (module, signal))
        low, top = self._low, self._high
        return [
            point
            for first, group in bits.values()
            if modules.fullmatch(first.module)
            and signals.fullmatch(first.path if path else first.signal)
            for bit, point in group
            if (high is None or (bit.index is not None and low <= bit.index <= top))
            and edge in (None, bit.edge)
        ]


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern with * and ?; brackets stand for themselves."""
    return re.compile(re.escape(text).replace(r"\*", ".*").replace(r"\?", "."))


def _signals(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        Signals(pattern)
    return patterns


class ToggleFormat(Excused):
    """Signals whose toggles need not be covered."""

    signals: Annotated[tuple[Text, ...], Field(min_length=1), AfterValidator(_signals)]
    """`MODULE:SIGNAL`, then `[BIT]` or `[HIGH:LOW]`, then `0->1` or `1->0`, both optional. MODULE
    and SIGNAL are names or patterns, without indices of blocks and words, or with all of them."""
    constant: bool = False
    """The bits do not change after the start of a simulation, in which a 1 counts as `0->1`."""


@dataclass(frozen=True)
class ToggleExclusions:
    """All exclusions of toggles of a file, each with its line number."""

    entries: tuple[tuple[int, ToggleFormat], ...] = ()

    def points(
        self, coverage: CodeCoverage
    ) -> Iterator[tuple[int, ToggleFormat, str, list[Point]]]:
        """Yield line number, entry, pattern and matching points of each pattern."""
        bits = bits_of(point for point in coverage.hits if point.kind == TOGGLE)
        for line, entry in self.entries:
            for pattern in entry.signals:
                yield line, entry, pattern, Signals(pattern).select(bits)

    def stale(self, coverage: CodeCoverage) -> Iterator[tuple[int, str, str]]:
        """Yield line number, pattern and problem of each pattern that is unnecessary or wrong."""
        for line, entry, pattern, points in self.points(coverage):
            hit = [p for p in points if coverage.hits[p]]
            changed = [p for p in hit if not entry.constant or p.name.endswith(FALL)]
            if len(hit) == len(points):
                yield line, pattern, "no hole matches: excludes nothing"
            elif changed:
                names = ", ".join(sorted({p.name for p in changed})[:3])
                yield line, pattern, f"{len(changed)} points toggled after all, first {names}"
