"""What a walk is made of: transfers and resets, each with its moment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from models.bus.model import Request

# An aim from 1 on: the grant comes aim - AIM_LAST clocks after the last clock of busy.
AIM_LAST = 5
MAX_AIM = 8
MAX_IDLE = (1 << 16) - 1
MAX_WAIT = 3


class Kind(IntEnum):
    """What a step does."""

    TRANSFER = 0
    DROP = 1  # asks, is held off by wait states, and gives up before it is granted
    RESET = 2
    RESET_IN_ACKNOWLEDGE = 3  # of the step's transfer
    RESET_OVER_REQUEST = 4  # the transfer is asked for during the reset and granted right behind it


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
    def request(self) -> Request:
        """The transfer."""
        return Request(self.write, self.select, self.data)
