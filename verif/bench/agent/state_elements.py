"""Reads every signal inside a design, to check that no state element keeps a secret."""

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

from verif.bench.configuration.config import CLOCK_PERIOD_NS

WORD = re.compile(r"\[\d+\]$")
REGISTER = "_q"
CORE = ".u_core."
# Memories: their read registers have no reset, like those of a RAM.
OF_MEMORY = re.compile(r"(^|\.)u_\w*memory\.|\.gen_ram\.")
# Inputs of the design. The test bench drives them, so they are not checked.
PINS = frozenset(("clk_i", "rst_ni", "req_i", "write_i", "addr_i", "wdata_i", "wait_i"))
MAX_NAMED = 5
MAX_BITS = 64


@dataclass(frozen=True)
class Trace:
    """A signal that differs from its value after reset.

    Attributes:
        path: path below the design.
        value: binary value, with X and Z.
    """

    path: str
    value: str


class StateElements:
    """All signals inside a design: registers, and nets, which depend on registers only.

    Args:
        design: handle of the instance; ``None`` for no signals, or if the simulator shows none.
    """

    def __init__(self, design: HierarchyObject | None = None) -> None:
        """Find the signals. Signals that the simulator does not show cannot be checked."""
        self._signals = dict(_signals(design, "")) if design is not None else {}
        self.bits = sum(len(_text(signal)) for signal in self._signals.values())

    def snapshot(self) -> dict[str, str]:
        """Return the binary value of each signal and whole memory, by path."""
        values = {path: _text(signal) for path, signal in self._signals.items()}
        return values | memories(values)


def memories(values: Mapping[str, str]) -> dict[str, str]:
    """Return the content of each memory, word 0 lowest, from the values of its words.

    With the option Parity the words have a parity bit on top: each memory also appears without the
    top bits.
    """
    found: dict[str, str] = {}
    for path, value in values.items():
        if WORD.search(path):
            memory = f"{WORD.sub('', path)}[*]"
            for name, word in ((memory, value), (f"{memory} without top bits", value[1:])):
                found[name] = word + found.get(name, "")
    return found


def of_design(least: int) -> StateElements:
    """Return the signals of the simulated design.

    Args:
        least: minimum number of bits that the design has; if fewer are visible, the simulator hides
            registers.

    Raises:
        ValueError: the simulator hides registers.
    """
    elements = StateElements(getattr(cocotb.top, "u_dut", None))
    if elements.bits < least:
        raise ValueError(
            f"only {elements.bits} state bits can be seen below u_dut: this test needs a "
            "simulator that shows all of them (Icarus)"
        )
    return elements


def traces(before: Mapping[str, str], now: Mapping[str, str]) -> list[Trace]:
    """Return the signals that keep a value: they differ from ``before`` and are not zero.

    Registers come first, because the other signals depend on them.
    """
    found = [
        Trace(path, value)
        for path, value in now.items()
        if value != before[path] and value.strip("0")
    ]
    return sorted(found, key=lambda trace: not trace.path.endswith(REGISTER))


def left_in_reset(before: Mapping[str, str], now: Mapping[str, str]) -> list[Trace]:
    """Return the registers of a multiplier that keep a value during a reset.

    All registers must be 0. A register in the core may have another reset value, because a user may
    supply the core: it must equal its value in a reset before the first write (``before``).
    Registers of memories have no reset and are left out.
    """
    found = [trace for trace in set_registers(now) if CORE not in trace.path]
    found += [
        trace
        for trace in traces(before, now)
        if trace.path.endswith(REGISTER) and CORE in trace.path
    ]
    return [trace for trace in found if not OF_MEMORY.search(trace.path)]


def unknown_registers(snapshot: Mapping[str, str]) -> list[Trace]:
    """Return registers with unknown bits, without memories: the first reset does not reach them."""
    return [
        Trace(path, value)
        for path, value in snapshot.items()
        if path.endswith(REGISTER) and value.strip("01") and not OF_MEMORY.search(path)
    ]


def set_registers(snapshot: Mapping[str, str]) -> list[Trace]:
    """Return the registers that are not 0."""
    return [
        Trace(path, value)
        for path, value in snapshot.items()
        if path.endswith(REGISTER) and value.strip("0")
    ]


def stop_if_any(when: str, found: Sequence[Trace]) -> None:
    """Fail if any signal keeps a value.

    Raises:
        ValueError: ``found`` is not empty; the message names the first signals.
    """
    if found:
        named = ", ".join(
            f"{trace.path} = {trace.value[-MAX_BITS:]}" for trace in found[:MAX_NAMED]
        )
        raise ValueError(f"{when}: {len(found)} signals hold something: {named}")


def holders(snapshot: Mapping[str, str], secret: int, bits: int) -> list[str]:
    """Return the paths of the signals that contain the ``bits`` bits of a secret."""
    digits = f"{secret:0{bits}b}"
    return [path for path, value in snapshot.items() if digits in value]


async def look_in_first_reset(elements: StateElements) -> None:
    """Check that the first reset of a simulation reaches every register.

    A sequence must call this before anything else.

    Raises:
        ValueError: the reset does not reach a register, or the first reset is over.
    """
    await Timer(CLOCK_PERIOD_NS, "ns")
    if cocotb.top.rst_n.value != 0:
        raise ValueError("the first reset ended before the test read any register")
    stop_if_any("in the first reset", unknown_registers(elements.snapshot()))


async def in_reset(elements: StateElements, item: Coroutine[Any, Any, None]) -> dict[str, str]:
    """Send an item that resets the design; return a snapshot taken during its reset."""
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
