"""The simulated front as the bus of the compiled driver, which runs in a thread."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from cocotb.task import resume
from cocotb.triggers import RisingEdge, with_timeout
from cocotb.utils import get_sim_time

from models.front_map import FrontRegister, window
from models.status import Command, ExponentiationAddress
from verif.soc.driver import Bus
from verif.soc.host import PATIENCE_CYCLES, PERIOD_NS, FrontHost

RESULT = window(ExponentiationAddress.DATA_RESULT)


class SimulatedBus:
    """Turns accesses of the driver into transfers of the front's bus.

    Args:
        host: host of the front.
        patience: most cycles of an operation.

    Attributes:
        starts: number of operations that the driver started.
        fault_in: operation after which bit 0 of the result is inverted; 0: none.
        accesses: number of accesses.
        bus_cycles: cycles of all accesses.
        core_cycles: cycles between a start and the interrupt, if the driver waits for it.
    """

    def __init__(self, host: FrontHost, patience: int = PATIENCE_CYCLES) -> None:
        self._host, self._patience = host, patience
        self.starts = self.fault_in = self.accesses = 0
        self.bus_cycles = self.core_cycles = 0

    def bus(self, interrupt: bool, poll_limit: int = PATIENCE_CYCLES) -> Bus:
        """Return the bus for a driver that waits for the interrupt, or polls."""
        return Bus(
            read=resume(self._read),
            write=resume(self._write),
            word_bytes=self._host.word_bytes,
            wait=resume(self._wait) if interrupt else None,
            poll_limit=poll_limit,
        )

    async def _timed(self, access: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        begin = _cycle()
        answer = await access()
        self.accesses += 1
        self.bus_cycles += _cycle() - begin
        return answer

    async def _read(self, address: int) -> int | None:
        accepted, value = await self._timed(lambda: self._host.master.read(address))
        if address == RESULT and self.starts == self.fault_in:
            value ^= 1
        return value if accepted else None

    async def _write(self, address: int, value: int) -> bool:
        data = value.to_bytes(self._host.word_bytes, "little")
        accepted = bool(await self._timed(lambda: self._host.master.write(address, data)))
        if address == FrontRegister.COMMAND and value == Command.START and accepted:
            self.starts += 1
        return accepted

    async def _wait(self) -> bool:
        begin, pin = _cycle(), self._host.dut.irq_o
        if pin.value == 0:
            await with_timeout(RisingEdge(pin), self._patience * PERIOD_NS, "ns")
        self.core_cycles += _cycle() - begin
        return True


def _cycle() -> int:
    return int(get_sim_time("ns") // PERIOD_NS)
