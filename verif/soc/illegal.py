"""Accesses that a front must reject, and the reason that it must give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from models.front_map import WINDOW_BYTES, FrontError, FrontRegister, window
from models.status import (
    EXPONENTIATION_REGISTERS,
    MULTIPLIER_REGISTERS,
    BusError,
    Command,
)
from verif.bench.agent.front_model import window_words
from verif.soc.host import FrontHost

NO_COMMAND = 9
UNKNOWN = BusError.UNKNOWN_ADDRESS
WRITE_ONLY = (FrontRegister.COMMAND, FrontRegister.LENGTH)
READ_ONLY = (
    FrontRegister.IDENTIFICATION, FrontRegister.VERSION, FrontRegister.CAPABILITIES,
    FrontRegister.WIDTHS, FrontRegister.RADIX, FrontRegister.STATUS,
)  # fmt: skip


@dataclass(frozen=True)
class Illegal:
    """An access and the reason of its rejection; ``data`` is None for a read."""

    what: str
    address: int
    data: bytes | None
    reason: IntEnum


class IllegalAccesses:
    """Draws accesses that are illegal in the present state of a host.

    Args:
        host: the host; ``between`` of its copies calls :meth:`draw`.
    """

    def __init__(self, host: FrontHost) -> None:
        self._host = host
        self._whole = host.random.randbytes(host.word_bytes)
        given = host.parameters
        registers = EXPONENTIATION_REGISTERS if given["Operation"] else MULTIPLIER_REGISTERS
        widths = {name: given[name] for name in ("Width", "Guard", "MPrimeWidth")}
        self.words = window_words(registers, widths, host.word_bytes)

    async def draw(self) -> None:
        """Do one illegal access and check its answer."""
        host = self._host
        found = [*self._registers(), *self._windows(), *self._commands()]
        # Each kind is as frequent as the others, however many accesses it has.
        kind = host.random.choice(list(dict.fromkeys(illegal.what for illegal in found)))
        await self.check(host.random.choice([each for each in found if each.what == kind]))

    async def check(self, illegal: Illegal) -> None:
        """Do an illegal access and check its answer."""
        host = self._host
        if illegal.data is None:
            accepted, _ = await host.master.read(illegal.address)
        else:
            accepted = await host.master.write(illegal.address, illegal.data)
        host.check(f"{illegal.what} at {illegal.address:#x}: accepted", accepted, False)
        await host.check_reason(f"{illegal.what} at {illegal.address:#x}", illegal.reason)

    def while_busy(self) -> Sequence[Illegal]:
        """Return accesses that are illegal while the core is busy."""
        start = int(Command.START).to_bytes(self._host.word_bytes, "little")
        return [
            Illegal("operand while busy", window(0), self._whole, BusError.BUSY),
            Illegal("result while busy", window(0), None, BusError.BUSY),
            Illegal("start while busy", FrontRegister.COMMAND, start, BusError.START_WHILE_BUSY),
        ]

    def no_result(self) -> Illegal:
        """Return a read of a result that does not exist."""
        return Illegal("no result", window(0), None, BusError.NO_RESULT)

    def part_of_a_clear(self) -> Illegal:
        """Return a write of a part of a word that would clear every event."""
        part = b"\xff" * (self._host.word_bytes - 1)
        state = FrontRegister.INTERRUPT_STATE
        return Illegal("part of a word", state, part, FrontError.PARTIAL_WORD)

    def _registers(self) -> Iterator[Illegal]:
        host, whole = self._host, self._whole
        hole = host.random.randrange(max(FrontRegister) + 8, WINDOW_BYTES, 8)
        yield Illegal("read of a hole", hole, None, UNKNOWN)
        yield Illegal("write of a hole", hole, whole, UNKNOWN)
        if host.word_bytes == 4:
            between = host.random.choice(list(FrontRegister)) + 4
            yield Illegal("read between registers", between, None, UNKNOWN)
        yield Illegal("write", host.random.choice(READ_ONLY), whole, UNKNOWN)
        yield Illegal("read", host.random.choice(WRITE_ONLY), None, UNKNOWN)
        offset = host.random.randrange(1, host.word_bytes)
        yield Illegal("unaligned read", FrontRegister.STATUS + offset, None, UNKNOWN)
        yield Illegal("unaligned write", FrontRegister.COMMAND + offset, whole[:-offset], UNKNOWN)
        part = whole[: host.random.randrange(1, host.word_bytes)]
        for register in (FrontRegister.COMMAND, FrontRegister.INTERRUPT_ENABLE):
            yield Illegal("part of a word", register, part, FrontError.PARTIAL_WORD)
        if not host.parameters["Operation"]:
            yield Illegal("length", FrontRegister.LENGTH, whole, UNKNOWN)

    def _windows(self) -> Iterator[Illegal]:
        host = self._host
        under_way = host.at if host.at[2] else None
        for address in range(7):
            for write in (True, False):
                words = self.words.get((address, write), 0)
                data = self._whole if write else None
                if words < WINDOW_BYTES // host.word_bytes:
                    last = WINDOW_BYTES // host.word_bytes - 1
                    index = host.random.choice([words, host.random.randint(words, last)])
                    place = window(address) + index * host.word_bytes
                    yield Illegal("after the last word", place, data, UNKNOWN)
                for index in range(words):
                    legal = (address, write, index) == under_way if under_way else index == 0
                    if not legal:
                        what = _order(under_way, (address, write, index))
                        place = window(address) + index * host.word_bytes
                        yield Illegal(what, place, data, FrontError.WORD_ORDER)
        address, write, index = host.at
        offset = host.random.randrange(1, host.word_bytes)
        place = window(address) + index * host.word_bytes + offset
        yield Illegal("unaligned word", place, self._whole[:-offset] if write else None, UNKNOWN)
        if write:
            place = window(address) + index * host.word_bytes
            for lanes in range(1, host.word_bytes):
                part = self._whole[:lanes]
                yield Illegal("part of a word", place, part, FrontError.PARTIAL_WORD)
        if not under_way:
            for address in host.full:
                yield Illegal("operand again", window(address), self._whole, UNKNOWN)

    def _commands(self) -> Iterator[Illegal]:
        size = self._host.word_bytes
        for command in (NO_COMMAND, 1 << 8 * size - 1 | Command.START):
            data = int(command).to_bytes(size, "little")
            yield Illegal("command", FrontRegister.COMMAND, data, BusError.UNKNOWN_COMMAND)


def _order(due: tuple[int, bool, int] | None, access: tuple[int, bool, int]) -> str:
    """Return what an access out of order has in common with the access that is due."""
    if due is None:
        return "pass without its first word"
    same = [mine == other for mine, other in zip(due, access, strict=True)]
    kinds = {
        (True, False, True): "other direction in a pass",
        (False, True, True): "other window in a pass",
        (True, True, False): "another word of a pass",
    }
    return kinds.get((same[0], same[1], same[2]), "out of order")
