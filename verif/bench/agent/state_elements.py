"""Every value below a design, read through the simulator: does anything remember?"""

from __future__ import annotations

import re
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.handle import (
    ArrayObject,
    HierarchyArrayObject,
    HierarchyObject,
)
from cocotb.triggers import FallingEdge, Timer

from verif.bench.agent.driver import CLOCK_PERIOD_NS

WORD = re.compile(r"\[\d+\]$")
REGISTER = "_q"
CORE = ".u_core."
# What is read from a memory is in registers without a reset, as a RAM has them.
OF_MEMORY = re.compile(r"(^|\.)u_\w*memory\.|\.gen_ram\.")
# The test bench drives these: they hold what it last said, or its clock.
PINS = frozenset(("clk_i", "rst_ni", "req_i", "write_i", "sel_i", "wdata_i", "wait_i"))
MAX_NAMED = 5
MAX_BITS = 64


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
        design: handle of the instance; ``None`` if nobody is to look, or the simulator shows none.
    """

    def __init__(self, design: HierarchyObject | None = None) -> None:
        """Find the signals once; what the simulator does not show cannot be checked."""
        self._signals = dict(_signals(design, "")) if design is not None else {}
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


def of_design(least: int) -> StateElements:
    """Those of the design that is simulated.

    Args:
        least: bits of state that it has in any case; one that shows fewer hides registers.

    Raises:
        ValueError: the simulator hides some.
    """
    elements = StateElements(getattr(cocotb.top, "u_dut", None))
    if elements.bits < least:
        raise ValueError(
            f"only {elements.bits} state bits can be seen below u_dut: this test needs a "
            "simulator that shows all of them (Icarus)"
        )
    return elements


def traces(before: Mapping[str, str], now: Mapping[str, str]) -> list[Trace]:
    """Signals in which something is left: not what they were in ``before``, and not zero.

    Registers come first: the others only show them.
    """
    found = [
        Trace(path, value)
        for path, value in now.items()
        if value != before[path] and value.strip("0")
    ]
    return sorted(found, key=lambda trace: not trace.path.endswith(REGISTER))


def left_in_reset(before: Mapping[str, str], now: Mapping[str, str]) -> list[Trace]:
    """Registers of a multiplier in which something is left while a reset lasts.

    One in the core may have its own reset value, as a core may be another's: it must be the value
    that it has in a reset before anything was written. Those of memories have no reset.
    """
    found = [trace for trace in set_registers(now) if CORE not in trace.path]
    found += [
        trace
        for trace in traces(before, now)
        if trace.path.endswith(REGISTER) and CORE in trace.path
    ]
    return [trace for trace in found if not OF_MEMORY.search(trace.path)]


def unknown_registers(snapshot: Mapping[str, str]) -> list[Trace]:
    """Registers with unknown bits, those of memories apart: in the first reset, it misses them."""
    return [
        Trace(path, value)
        for path, value in snapshot.items()
        if path.endswith(REGISTER) and value.strip("01") and not OF_MEMORY.search(path)
    ]


def set_registers(snapshot: Mapping[str, str]) -> list[Trace]:
    """Registers in which not every bit is 0."""
    return [
        Trace(path, value)
        for path, value in snapshot.items()
        if path.endswith(REGISTER) and value.strip("0")
    ]


def stop_if_any(when: str, found: Sequence[Trace]) -> None:
    """Nothing may be left.

    Raises:
        ValueError: something is; the message names some of it.
    """
    if found:
        named = ", ".join(
            f"{trace.path} = {trace.value[-MAX_BITS:]}" for trace in found[:MAX_NAMED]
        )
        raise ValueError(f"{when}: {len(found)} signals hold something: {named}")


def holders(snapshot: Mapping[str, str], secret: int, bits: int) -> list[str]:
    """Paths of the signals in which the ``bits`` bits of a secret can be seen."""
    digits = f"{secret:0{bits}b}"
    return [path for path, value in snapshot.items() if digits in value]


async def look_in_first_reset(elements: StateElements) -> None:
    """The reset that begins a simulation misses no register; a sequence does nothing before it.

    Raises:
        ValueError: it does, or it is over.
    """
    await Timer(CLOCK_PERIOD_NS, "ns")
    if cocotb.top.rst_n.value != 0:
        raise ValueError("the first reset was over before anything was looked at")
    stop_if_any("in the first reset", unknown_registers(elements.snapshot()))


async def in_reset(elements: StateElements, item: Coroutine[Any, Any, None]) -> dict[str, str]:
    """A snapshot while the reset lasts that an item brings, which is sent and ended."""
    sent = cocotb.start_soon(item)
    await FallingEdge(cocotb.top.rst_n)
    await FallingEdge(cocotb.top.clk)
    found = elements.snapshot()
    await sent
    return found


def _text(signal: Any) -> str:
    value = signal.value
    return f"{value:b}" if isinstance(value, int) else str(value)


def _signals(scope: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for child in scope:
        name = child._name
        if not prefix and name in PINS:
            continue
        path = f"{prefix}{name}"
        if isinstance(child, HierarchyObject | HierarchyArrayObject):
            yield from _signals(child, f"{path}.")
        elif isinstance(child, ArrayObject):  # a memory
            for element in child:
                yield f"{path}{element._name.removeprefix(name)}", element
        elif not child.is_const:
            yield path, child
