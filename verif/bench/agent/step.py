"""What a walk is made of: transfers and resets, each with its moment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from models.bus.loader_bus import Request

# An aim from 1 on: the grant comes aim - AIM_LAST clocks after the last clock of busy.
AIM_LAST = 5
MAX_AIM = 8
MAX_IDLE = (1 << 16) - 1
# Beyond every counter of a design that gives up, or overflows.
MAX_WAIT = (1 << 13) - 1


class Kind(IntEnum):
    """What a step does."""

    TRANSFER = 0
    DROP = 1  # asks, is held off by wait states, and gives up before it is granted
    RESET = 2
    RESET_IN_ACKNOWLEDGE = 3  # of the step's transfer
    RESET_OVER_REQUEST = 4  # the transfer is asked for during the reset and granted right behind it


# As a step is written in a replay: "write 0 0x1f idle 2", "read 3 aim 6", "reset".
KINDS = ("", "drop", "reset", "reset in", "reset over")
STEP = re.compile(
    r"(?:(?P<kind>drop|reset in|reset over|reset) ?)?"
    r"(?:(?P<verb>read|write) (?P<select>\d+)(?: (?P<data>0x[0-9a-f]+|\d+))?)?"
    r"(?: idle (?P<idle>\d+))?(?: aim (?P<aim>\d+))?(?: wait (?P<wait>\d+))?"
)
ACCEPTED = (
    "write SELECT DATA, read SELECT, reset; in front of a transfer: drop, reset in, reset over; "
    "behind a step: idle, aim, wait N"
)


@dataclass(frozen=True)
class Step:
    """One step of a walk; it means the same whatever comes before it.

    Attributes:
        kind: what it does.
        write: of the transfer.
        select: likewise.
        data: likewise; for a read, what lies on the pins.
        idle: clocks without a request before it; of a reset without a transfer: before it falls.
        aim: 0, or the clock of its grant relative to the running operation's end, see
            :data:`AIM_LAST`; without effect when no operation runs or it is too late.
        wait: clocks of wait states before the grant.
    """

    kind: Kind
    write: bool = True
    select: int = 0
    data: int = 0
    idle: int = 0
    aim: int = 0
    wait: int = 0

    @property
    def text(self) -> str:
        """As in a replay."""
        words = [KINDS[self.kind]]
        if self.kind is not Kind.RESET:
            words.append(f"{'write' if self.write else 'read'} {self.select}")
            words.append(f"{self.data:#x}" if self.data or self.write else "")
        for name in ("idle", "aim", "wait"):
            value = getattr(self, name)
            words.append(f"{name} {value}" if value else "")
        return " ".join(word for word in words if word)

    @property
    def request(self) -> Request:
        """The transfer."""
        return Request(self.write, self.select, self.data)


def replay_text(steps: Iterable[Step]) -> str:
    """Steps as a replay."""
    return ", ".join(step.text for step in steps)


def steps_of(text: str) -> list[Step]:
    """The steps of a replay.

    Raises:
        ValueError: one of them is none.
    """
    return [_step_of(part.strip()) for part in text.split(",")]


def _step_of(text: str) -> Step:
    found = STEP.fullmatch(text)
    if not text or not found:
        raise ValueError(f"{text!r} is no step; accepted: {ACCEPTED}")
    kind = Kind(KINDS.index(found["kind"] or ""))
    writes = found["verb"] == "write"
    if (found["verb"] is None) != (kind is Kind.RESET) or (writes and found["data"] is None):
        raise ValueError(f"{text!r} is no step; accepted: {ACCEPTED}")
    fields = {name: int(found[name] or 0) for name in ("select", "idle", "aim", "wait")}
    if fields["aim"] > MAX_AIM:
        raise ValueError(f"{text!r}: aim is {MAX_AIM} at most")
    data = int(found["data"] or "0", 0)
    return Step(kind, write=writes or kind is Kind.RESET, data=data, **fields)
