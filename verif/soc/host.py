"""A host of a front: it does what a driver does, and checks each answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import IntEnum
from random import Random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.task import Task
from cocotb.triggers import RisingEdge, Timer, with_timeout

from models.front_map import IDENTIFICATION, VERSION, Event, FrontRegister, window
from models.registry import architecture
from models.status import BusError, Command, Status
from regress.core.bench import report
from regress.core.jobfile import Job
from verif.bench.agent.front_masters import MASTERS, Master
from verif.soc.configuration import front_of, front_parameters

PERIOD_NS = 10
PATIENCE_CYCLES = 100_000
REASON_BIT = 4
Interruption = Callable[[], Awaitable[None]]


async def nothing() -> None:
    """Do nothing between two words."""


class FrontHost:
    """The host of the simulated front.

    Attributes:
        dut: the test bench.
        master: master of its bus.
        random: the job's generator; the same seed gives the same stimulus.
        width: bits of an operand.
        word_bytes: bytes of a bus word.
        operations: number of checked operations.
        at: window, write or read, and word that the host is about to access.
        full: windows that were written since the last start or CLEAR.
        accesses: number of accesses since the host began.
    """

    def __init__(self) -> None:
        """Read the job that this simulation runs."""
        self.job, _ = Job.current()
        self.dut = cocotb.top
        self.random = Random(self.job.seed)
        self.width = self.job.point["width"]
        self.operations = 0
        self.at = (0, True, 0)
        self.full: set[int] = set()
        self.accesses = 0
        self.core = architecture(self.job.subject)
        self.parameters = front_parameters(self.job.test, self.job.point)
        self.word_bytes = self.parameters["BusWidth"] // 8
        master = MASTERS[front_of(self.job.test)]
        self.master: Master = master(self.dut, self.random, self.word_bytes)

    async def start(self) -> None:
        """Start the clock and reset front and core."""
        self.dut.rst_ni.value = 0
        # A master reads pins at its first edge of the clock, and one sets its own at once, which
        # Icarus does not pass on at time 0: give them values before.
        self.master.drive_low()
        await Timer(1, "ns")
        self.master.start()
        Clock(self.dut.clk_i, PERIOD_NS, "ns", impl="gpi").start()
        await self.cycles(2)
        self.dut.rst_ni.value = 1
        await self.cycles(2)

    async def reset(self, access: Task[object]) -> None:
        """Reset front, core and master in mid-access, which gets no answer."""
        self.dut.rst_ni.value = 0
        await self.cycles(1)
        access.cancel()
        self.master.start()
        await self.cycles(2)
        self.dut.rst_ni.value = 1
        await self.cycles(2)

    async def cycles(self, count: int) -> None:
        """Wait."""
        for _ in range(count):
            await RisingEdge(self.dut.clk_i)

    def check(self, what: str, seen: Any, expected: Any) -> None:
        """Compare."""
        assert seen == expected, f"{what} is {seen!r}, expected {expected!r}"

    def end(self) -> None:
        """Report the number of checked operations."""
        report(operations=self.operations)

    # Registers

    async def put(self, register: FrontRegister, value: int) -> bool:
        """Write a register; return whether the front accepted it."""
        self.accesses += 1
        return await self.master.write(register, value.to_bytes(self.word_bytes, "little"))

    async def get(self, register: FrontRegister) -> int:
        """Read a register."""
        self.accesses += 1
        accepted, value = await self.master.read(register)
        self.check(f"read of {register.name}: accepted", accepted, True)
        return value

    async def command(self, command: Command) -> None:
        """Write a command that must be accepted."""
        self.check(command.name, await self.put(FrontRegister.COMMAND, command), True)
        self.full.clear()

    async def status(self) -> Status:
        """Read the status."""
        return Status(await self.get(FrontRegister.STATUS) & 0xF)

    async def events(self) -> int:
        """Read the events, and once more: a read clears none."""
        events = await self.get(FrontRegister.INTERRUPT_STATE)
        again = await self.get(FrontRegister.INTERRUPT_STATE)
        self.check("events after they were read", again, events)
        return events

    async def check_reason(self, what: str, expected: IntEnum) -> None:
        """Read why the last access was rejected, and clear the event."""
        status = await self.get(FrontRegister.STATUS)
        self.check(f"{what}: reason", status >> REASON_BIT & 0xF, expected)
        events = await self.events()
        if expected != BusError.NONE:
            self.check(f"{what}: event", events >> Event.ERROR & 1, 1)
            await self.put(FrontRegister.INTERRUPT_STATE, 1 << Event.ERROR)

    async def check_registers(self) -> None:
        """Check that the constant registers have the values of the configuration."""
        given = self.parameters
        number = given["Core"]
        for register, expected in (
            (FrontRegister.IDENTIFICATION, IDENTIFICATION),
            (FrontRegister.VERSION, VERSION),
            (
                FrontRegister.CAPABILITIES,
                given["Guard"] << 24 | self.word_bytes << 16 | number << 8 | given["Operation"],
            ),
            (
                FrontRegister.WIDTHS,
                (given["MPrimeWidth"] << 16 if given["Operation"] else 0) | self.width,
            ),
            (FrontRegister.RADIX, given["FrontRadixBits"]),
        ):
            self.check(register.name, await self.get(register), expected)

    # Windows

    def words(self, bits: int) -> int:
        """Return the words of an operand or a result."""
        return -(-bits // (8 * self.word_bytes))

    async def load(
        self, address: int, value: int, bits: int, between: Interruption = nothing
    ) -> None:
        """Copy an operand to its window, as ``memcpy`` does; ``between`` comes before each word."""
        data = value.to_bytes(self.words(bits) * self.word_bytes, "little")
        for at in range(0, len(data), self.word_bytes):
            self.at = (address, True, at // self.word_bytes)
            await between()
            self.accesses += 1
            accepted = await self.master.write(
                window(address) + at, data[at : at + self.word_bytes]
            )
            self.check(f"byte {at} of window {address}: accepted", accepted, True)
        self.full.add(address)

    async def fetch(self, address: int, bits: int, between: Interruption = nothing) -> int:
        """Copy a result from its window."""
        value = 0
        for index in range(self.words(bits)):
            self.at = (address, False, index)
            await between()
            at = index * self.word_bytes
            self.accesses += 1
            accepted, word = await self.master.read(window(address) + at)
            self.check(f"byte {at} of result {address}: accepted", accepted, True)
            value |= word << 8 * at
        return value

    # Operations

    async def finish(self) -> Status:
        """Wait for the end of an operation, by the interrupt or by polling."""
        if self.random.random() < 0.5:
            await self.put(FrontRegister.INTERRUPT_ENABLE, 1 << Event.DONE)
            if self.dut.irq_o.value == 0:
                await with_timeout(RisingEdge(self.dut.irq_o), PATIENCE_CYCLES * PERIOD_NS, "ns")
            self.check("interrupt", int(self.dut.irq_o.value), 1)
            await self.put(FrontRegister.INTERRUPT_STATE, 1 << Event.DONE)
            await self.cycles(1)
            self.check("interrupt after it was cleared", int(self.dut.irq_o.value), 0)
            await self.put(FrontRegister.INTERRUPT_ENABLE, 0)
        status = await self.status()
        for _ in range(PATIENCE_CYCLES):
            if status != Status.BUSY:
                break
            status = await self.status()
        self.check("interrupt without enable", int(self.dut.irq_o.value), 0)
        await self.put(FrontRegister.INTERRUPT_STATE, await self.events())
        return status
