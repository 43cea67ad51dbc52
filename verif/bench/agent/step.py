"""Steps of a sequence of the stress test: transfers and resets, each with its time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from models.bus.loader_bus import Request

# For an aim of 1 or more, the grant comes aim - AIM_LAST cycles after the last busy cycle.
AIM_LAST = 5
MAX_AIM = 8
MAX_IDLE = (1 << 16) - 1
# Longer than any counter in a design that may cause a timeout or overflow.
MAX_WAIT = (1 << 13) - 1


class Kind(IntEnum):
    """Kind of a step."""

    TRANSFER = 0
    DROP = 1  # a request during wait states that is dropped before its grant
    RESET = 2
    RESET_IN_ACKNOWLEDGE = 3  # in the acknowledge of the step's transfer
    RESET_OVER_REQUEST = 4  # the request begins during the reset; the grant comes right after it


# Names of the kinds in a replay, such as "write 0 0x1f idle 2", "read 3 aim 6", "reset".
KINDS = ("", "drop", "reset", "reset in", "reset over")
STEP = re.compile(
    r"(?:(?P<kind>drop|reset in|reset over|reset) ?)?"
    r"(?:(?P<verb>read|write) (?P<address>\d+)(?: (?P<data>0x[0-9a-f]+|\d+))?)?"
    r"(?: idle (?P<idle>\d+))?(?: aim (?P<aim>\d+))?(?: wait (?P<wait>\d+))?"
)
ACCEPTED = (
    "write ADDRESS DATA, read ADDRESS, reset; in front of a transfer: drop, reset in, reset over; "
    "after a step: idle, aim, wait N"
)


@dataclass(frozen=True)
class Step:
    """One step of a sequence; its meaning does not depend on the steps before it.

    Attributes:
        kind: kind of the step.
        write: True for a write, False for a read.
        address: address of the transfer.
        data: word to write; for a read, the write data on the pins.
        idle: cycles without a request before the step; for a reset without a transfer, cycles
            before the reset begins.
        aim: 0, or the cycle of the grant relative to the end of the running operation, see
            :data:`AIM_LAST`. It has no effect if no operation runs or if this cycle has passed.
        wait: number of wait states before the grant.
    """

    kind: Kind
    write: bool = True
    address: int = 0
    data: int = 0
    idle: int = 0
    aim: int = 0
    wait: int = 0

    @property
    def text(self) -> str:
        """The step as text, as in a replay."""
        words = [KINDS[self.kind]]
        if self.kind is not Kind.RESET:
            words.append(f"{'write' if self.write else 'read'} {self.address}")
            words.append(f"{self.data:#x}" if self.data or self.write else "")
        for name in ("idle", "aim", "wait"):
            value = getattr(self, name)
            words.append(f"{name} {value}" if value else "")
        return " ".join(word for word in words if word)

    @property
    def request(self) -> Request:
        """The transfer."""
        return Request(self.write, self.address, self.data)


def replay_text(steps: Iterable[Step]) -> str:
    """Return the steps as a replay."""
    return ", ".join(step.text for step in steps)


def steps_of(text: str) -> list[Step]:
    """Return the steps of a replay.

    Raises:
        ValueError: the replay contains an illegal step.
    """
    return [_step_of(part.strip()) for part in text.split(",")]


def _step_of(text: str) -> Step:
    found = STEP.fullmatch(text)
    if not text or not found:
        raise ValueError(f"{text!r} is not a step; accepted: {ACCEPTED}")
    kind = Kind(KINDS.index(found["kind"] or ""))
    writes = found["verb"] == "write"
    if (found["verb"] is None) != (kind is Kind.RESET) or (writes and found["data"] is None):
        raise ValueError(f"{text!r} is not a step; accepted: {ACCEPTED}")
    fields = {name: int(found[name] or 0) for name in ("address", "idle", "aim", "wait")}
    if fields["aim"] > MAX_AIM:
        raise ValueError(f"{text!r}: aim is {MAX_AIM} at most")
    data = int(found["data"] or "0", 0)
    return Step(kind, write=writes or kind is Kind.RESET, data=data, **fields)
