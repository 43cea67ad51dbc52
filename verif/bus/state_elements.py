"""Every value below a design, read through the simulator: does anything remember?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cocotb.handle import (
    ArrayObject,
    HierarchyArrayObject,
    HierarchyObject,
)

WORD = re.compile(r"\[\d+\]$")


@dataclass(frozen=True)
class Trace:
    """A signal that differs from what it was after reset.

    Attributes:
        path: below the design.
        value: binary, X and Z included.
    """

    path: str
    value: str


class StateElements:
    """All signals below a design: registers, and nets, which only show registers again.

    Args:
        design: handle of the instance; ``None`` if the simulator shows none.
        exclude: names, directly below ``design``, of what the test bench drives.
    """

    def __init__(self, design: HierarchyObject | None, exclude: frozenset[str]) -> None:
        """Find the signals once; what the simulator does not show cannot be checked."""
        self._signals = dict(_signals(design, "", exclude)) if design is not None else {}
        self.bits = sum(len(_text(signal)) for signal in self._signals.values())

    def snapshot(self) -> dict[str, str]:
        """Path -> binary value of every signal, and of every memory as a whole, word 0 lowest."""
        values = {path: _text(signal) for path, signal in self._signals.items()}
        memories: dict[str, str] = {}
        for path, value in values.items():
            if WORD.search(path):
                memory = f"{WORD.sub('', path)}[*]"
                memories[memory] = value + memories.get(memory, "")
        return values | memories


def traces(before: Mapping[str, str], now: Mapping[str, str]) -> list[Trace]:
    """Signals in which something is left: not what they were in ``before``, and not zero.

    Registers come first: the others only show them.
    """
    found = [
        Trace(path, value)
        for path, value in now.items()
        if value != before[path] and value.strip("0")
    ]
    return sorted(found, key=lambda trace: not trace.path.endswith("_q"))


def set_registers(snapshot: Mapping[str, str]) -> list[Trace]:
    """Registers in which not every bit is 0."""
    return [
        Trace(path, value)
        for path, value in snapshot.items()
        if path.endswith("_q") and value.strip("0")
    ]


def holders(snapshot: Mapping[str, str], secret: int, bits: int) -> list[str]:
    """Paths of the signals in which the ``bits`` bits of a secret can be seen."""
    digits = f"{secret:0{bits}b}"
    return [path for path, value in snapshot.items() if digits in value]


def _text(signal: Any) -> str:
    value = signal.value
    return f"{value:b}" if isinstance(value, int) else str(value)


def _signals(scope: Any, prefix: str, exclude: frozenset[str]) -> Iterator[tuple[str, Any]]:
    for child in scope:
        name = child._name
        if not prefix and name in exclude:
            continue
        path = f"{prefix}{name}"
        if isinstance(child, HierarchyObject | HierarchyArrayObject):
            yield from _signals(child, f"{path}.", exclude)
        elif isinstance(child, ArrayObject):  # a memory
            for element in child:
                yield f"{path}{element._name.removeprefix(name)}", element
        elif not child.is_const:
            yield path, child
