"""Base class and common functions of the sequences on a loader bus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, log

from pyuvm import uvm_sequence

from models.status import BusError, Command
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.driver import PATIENCE
from verif.bench.agent.front_model import MOST_IDLE_CYCLES
from verif.bench.agent.item import BusItem, LoaderItem, ResetItem, TransferItem
from verif.bench.configuration.config import BenchConfig

# Probabilities, in 1/256, of idle cycles and wait states of an operation; most have none.
PACES = (0, 0, 0, 0, 24, 128)
# Probabilities, in 1/256, of wait states of word-by-word operations.
STALLS = (0, 64, 192)
# Cycles from one word-by-word transfer to the next without wait states, also through a front.
TRANSFER_CYCLES = 4
# Accepted probability that a transfer meets more wait states than expected.
TOO_MANY_WAIT_STATES = 1e-8


class FailureAt(ValueError):
    """A failure found by a sequence, with its simulated time and a replay that reproduces it."""

    def __init__(self, message: str, time_ns: float, replay: str = "") -> None:
        """Failure at ``time_ns``; ``replay`` as in :class:`regress.core.jobfile.JobResult`."""
        super().__init__(message)
        self.time_ns = time_ns
        self.replay = replay


def longest_transfer(stall: int, front: bool) -> int:
    """Return the maximum number of cycles of a word-by-word transfer with random wait states.

    Args:
        stall: probability of a wait state, in 1/256, below 256.
        front: a front makes the transfer. Its master pauses if ``stall`` is not 0, and reads the
            reason of a rejection in a second access.
    """
    if front:
        return 2 * (TRANSFER_CYCLES + (2 * MOST_IDLE_CYCLES if stall else 0))
    waits = ceil(log(TOO_MANY_WAIT_STATES) / log(stall / 256)) if stall else 0
    return TRANSFER_CYCLES + waits


class LoaderSequence(uvm_sequence):
    """Base class: the job's configuration and functions to send items."""

    def __init__(self, config: BenchConfig) -> None:
        """Create the sequence of one job."""
        super().__init__(type(self).__name__)
        self.config = config
        self.bus = bus_map(config)
        self.rng = config.random(type(self).__name__)

    async def send(self, item: BusItem) -> None:
        """Send one item and wait until the driver has finished it.

        Raises:
            ValueError: the driver gave up after too many bus timeouts.
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

    def disturb(self, item: LoaderItem, disturbances: Sequence[TransferItem], cycles: int) -> None:
        """Give an operation as many of these transfers as surely fit into its busy time.

        If the operation is too short for one transfer at its wait-state rate, lower this rate.

        Args:
            item: the operation.
            disturbances: transfers to make in this order.
            cycles: minimum number of busy cycles.
        """
        longest = {stall: longest_transfer(stall, bool(self.config.front)) for stall in STALLS}
        fitting = [stall for stall in STALLS if longest[stall] <= cycles]
        item.stall = min(item.stall, max(fitting, default=0))
        item.disturbances = tuple(disturbances[: cycles // longest[item.stall]])

    def near_commands(self, known: Iterable[Command]) -> list[int]:
        """Return the words that differ from a command in one bit and are no command."""
        commands = set(known)
        flipped = {
            command ^ 1 << bit for command in commands for bit in range(self.config.bus_width)
        }
        return sorted(flipped - commands)

    async def expect_bus_error(self, error: BusError) -> None:
        """Read the status word and compare its bus error field.

        Raises:
            ValueError: the field has another value.
        """
        item = TransferItem.status()
        await self.send(item)
        if item.data >> 4 != error:
            raise ValueError(f"bus error field is {item.data >> 4}, expected {error.name}")

    async def first_word_after_reset(self, operation: LoaderItem) -> None:
        """Check that a word requested during a reset and granted in the first cycle counts.

        The other words complete the operand, so that the design must reject one more word.
        """
        operand = self.bus.operands[0]
        first = TransferItem(True, operand.address, 1)
        await self.send(ResetItem(operation, after=3, first=first))
        for _ in range(operand.words - 1):
            await self.send(TransferItem(True, operand.address, 0))
        await self.send(TransferItem(True, operand.address, 0, BusError.UNKNOWN_ADDRESS))
        await self.send(TransferItem.command(Command.CLEAR))
