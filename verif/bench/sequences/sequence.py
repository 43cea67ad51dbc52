"""What every sequence on a loader bus has."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, log

from pyuvm import uvm_sequence

from models.status import BusError, Command
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.driver import PATIENCE
from verif.bench.agent.item import BusItem, LoaderItem, ResetItem, TransferItem
from verif.bench.configuration.config import BenchConfig

# Gaps and wait states of an operation, in 1/256 of a clock: most have none.
PACES = (0, 0, 0, 0, 24, 128)
# Wait states of operations word by word, likewise.
STALLS = (0, 64, 192)
# Clocks of a transfer word by word without wait states, up to the next one.
TRANSFER_CLOCKS = 4
# A transfer meets more wait states than it is given time for as rarely as this.
TOO_MANY_WAIT_STATES = 1e-8


class FailureAt(ValueError):
    """What a sequence found wrong, the simulated time of it, and what shows it alone."""

    def __init__(self, message: str, time_ns: float, replay: str = "") -> None:
        """Found at ``time_ns``; ``replay`` as in :class:`regress.core.jobfile.JobResult`."""
        super().__init__(message)
        self.time_ns = time_ns
        self.replay = replay


def longest_transfer(stall: int) -> int:
    """Clocks that a transfer word by word takes at most, when each may be a wait state.

    Args:
        stall: probability of a wait state, in 1/256, below 256.
    """
    waits = ceil(log(TOO_MANY_WAIT_STATES) / log(stall / 256)) if stall else 0
    return TRANSFER_CLOCKS + waits


class LoaderSequence(uvm_sequence):
    """Base: the job's configuration and the two steps of sending an item."""

    def __init__(self, config: BenchConfig) -> None:
        """A sequence for one job."""
        super().__init__(type(self).__name__)
        self.config = config
        self.bus = bus_map(config)
        self.rng = config.random(type(self).__name__)

    async def send(self, item: BusItem) -> None:
        """Send one item and wait until the driver is done with it.

        Raises:
            ValueError: the driver has given up.
        """
        await self.start_item(item)
        await self.finish_item(item)
        if item.given_up:
            raise ValueError(f"{PATIENCE} times no answer within the limit: the rest was left out")

    async def send_paced(self, item: LoaderItem) -> None:
        """Send one operation with random idle cycles and wait states."""
        item.idle = self.rng.choice(PACES)
        item.stall = self.rng.choice(PACES)
        item.seed = self.rng.getrandbits(32)
        await self.send(item)

    def near_commands(self, known: Iterable[Command]) -> list[int]:
        """What differs from a command in one bit of the bus word, and is none itself."""
        commands = set(known)
        flipped = {
            command ^ 1 << bit for command in commands for bit in range(self.config.bus_width)
        }
        return sorted(flipped - commands)

    async def expect_bus_error(self, error: BusError) -> None:
        """Read the status word and compare its bus error field.

        Raises:
            ValueError: it is another one.
        """
        item = TransferItem.status()
        await self.send(item)
        if item.data >> 4 != error:
            raise ValueError(f"bus error field is {item.data >> 4}, expected {error.name}")

    async def first_word_after_reset(self, operation: LoaderItem) -> None:
        """A word that is asked for during a reset, and granted in the first clock, counts.

        The other words fill the operand up, so that one more must be refused.
        """
        operand = self.bus.operands[0]
        first = TransferItem(True, operand.select, 1)
        await self.send(ResetItem(operation, after=3, first=first))
        for _ in range(operand.words - 1):
            await self.send(TransferItem(True, operand.select, 0))
        await self.send(TransferItem(True, operand.select, 0, BusError.UNKNOWN_ADDRESS))
        await self.send(TransferItem.command(Command.CLEAR))
