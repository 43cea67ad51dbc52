"""Model of a bus front, written from ``hdl/docs/fronts.md``: what it rejects and what it passes on.

The model knows the memory map, the order of words and the reason of the last rejection. What the
core answers to a transfer that the front passes on is the business of the bus model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.bus.loader_bus import CONTROL, Request
from models.front_map import WINDOW_BYTES, Event, FrontError, FrontRegister, window
from models.status import BusError, ExponentiationAddress, Register
from verif.bench.configuration.config import BenchConfig

READ_BY_FRONT = (
    FrontRegister.IDENTIFICATION, FrontRegister.VERSION, FrontRegister.CAPABILITIES,
    FrontRegister.WIDTHS, FrontRegister.RADIX, FrontRegister.INTERRUPT_STATE,
    FrontRegister.INTERRUPT_ENABLE,
)  # fmt: skip
WRITTEN_IN_FRONT = (FrontRegister.INTERRUPT_STATE, FrontRegister.INTERRUPT_ENABLE)
LOADER_ADDRESSES = 7
# Maximum number of cycles that a master pauses before an access, and again before its answer.
MOST_IDLE_CYCLES = 3
REASON_BIT = 4  # of the field REASON in STATUS
EVENTS = (1 << len(Event)) - 1


@dataclass(frozen=True)
class Access:
    """One access of a standard bus.

    Attributes:
        write: True for a write, False for a read.
        address: byte address.
        data: word to write.
        lanes: bytes of the word that a write has; all of them for a read.
    """

    write: bool
    address: int
    data: int
    lanes: int


def window_words(
    registers: Sequence[Register], widths: Mapping[str, int], word_bytes: int
) -> dict[tuple[int, bool], int]:
    """Return the words of each window, by loader address and direction (True: write).

    Args:
        registers: registers of the core's loader bus.
        widths: the widths that they name, in bits.
        word_bytes: bytes of a bus word.
    """
    return {
        (int(register.address), write): -(-access.width(**widths) // (8 * word_bytes))
        for register in registers
        for access, write in ((register.write, True), (register.read, False))
        if access and access.name != "length"  # a register of a front, not a window
    }


class FrontModel:
    """Predicts which accesses reach the core.

    Args:
        registers: registers of the core's loader bus.
        widths: the widths that they name, in bits.
        power: the core is an exponentiation.
        word_bytes: bytes of a bus word.

    Attributes:
        words: words of each window, by loader address and direction (True: write).
        reason: field REASON of the register STATUS.
        enabled: register INTERRUPT_ENABLE.
        error: the event ERROR is set.
    """

    def __init__(
        self, registers: Sequence[Register], widths: Mapping[str, int], power: bool, word_bytes: int
    ) -> None:
        self.power = power
        self.word_bytes = word_bytes
        self.words = window_words(registers, widths, word_bytes)
        self.reset()

    def reset(self) -> None:
        """Set the state after a reset."""
        self.reason = BusError.NONE | 0
        self.enabled = 0
        self.error = False
        self._pass: tuple[int, bool] | None = None
        self._next = 0

    def access(self, request: Request) -> Access:
        """Return the access that a host makes for a transfer of the loader bus."""
        address, write = request.address, request.write
        if address == CONTROL:
            place = int(FrontRegister.COMMAND if write else FrontRegister.STATUS)
        elif self.power and address == ExponentiationAddress.LENGTH:
            place = int(FrontRegister.LENGTH)
        else:
            index = self._next if (address, write) == self._pass else 0
            place = window(min(address, LOADER_ADDRESSES - 1)) + index * self.word_bytes
        return Access(write, place, request.data, self.word_bytes)

    def rejection(self, access: Access) -> int:
        """Return the reason with which the front itself rejects an access; NONE if it does not."""
        if access.address % self.word_bytes or not self._exists(access):
            return BusError.UNKNOWN_ADDRESS
        if access.write and access.lanes < self.word_bytes:
            return FrontError.PARTIAL_WORD
        where = self._window(access)
        if where and not self._in_order(access, *where):
            return FrontError.WORD_ORDER
        return BusError.NONE

    def request(self, access: Access) -> Request | None:
        """Return the transfer that the core gets for an access; None if it gets none."""
        if self.rejection(access):
            return None
        if where := self._window(access):
            return Request(access.write, where[0], access.data)
        if access.address == FrontRegister.LENGTH:
            return Request(True, ExponentiationAddress.LENGTH, access.data)
        if access.address in (FrontRegister.COMMAND, FrontRegister.STATUS):
            return Request(access.write, CONTROL, access.data)
        return None

    def answered(self, access: Access, reason: int) -> None:
        """Take the answer to an access: the reason of its rejection, or NONE."""
        if reason:
            self.reason, self.error = reason, True
            return
        if where := self._window(access):
            address, index = where
            last = self.words[address, access.write] - 1
            self._pass, self._next = (address, access.write), 0 if index == last else index + 1
        elif access.write and access.address == FrontRegister.COMMAND:
            self.reason, self._next = BusError.NONE | 0, 0
        elif access.write and access.address == FrontRegister.INTERRUPT_ENABLE:
            self.enabled = access.data & EVENTS
        elif access.write and access.address == FrontRegister.INTERRUPT_STATE:
            self.error &= not access.data >> Event.ERROR & 1

    def next_word(self, address: int, write: bool) -> int | None:
        """Return the index of the word that a window takes next; None if it takes none now."""
        if not self._next:
            return 0
        return self._next if (address, write) == self._pass else None

    def _window(self, access: Access) -> tuple[int, int] | None:
        page, offset = divmod(access.address, WINDOW_BYTES)
        return (page - 1, offset // self.word_bytes) if page else None

    def _in_order(self, access: Access, address: int, index: int) -> bool:
        return index == self.next_word(address, access.write)

    def _exists(self, access: Access) -> bool:
        if where := self._window(access):
            return where[1] < self.words.get((where[0], access.write), 0)
        if access.write:
            written = [*WRITTEN_IN_FRONT, FrontRegister.COMMAND]
            return access.address in (*written, *([FrontRegister.LENGTH] if self.power else []))
        return access.address in (*READ_BY_FRONT, FrontRegister.STATUS)


def front_model(config: BenchConfig) -> FrontModel:
    """Return the model of a job's front in its reset state."""
    design = config.design
    return FrontModel(
        design.registers, design.register_widths(config.at), bool(design.group_prefix),
        config.bus_width // 8,
    )  # fmt: skip
