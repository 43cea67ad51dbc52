"""Checks that every state element is 0 after ZEROISE and after a reset."""

from __future__ import annotations

from functools import cached_property

import cocotb
from cocotb.triggers import FallingEdge

from models.status import Command, ExponentiationAddress, Status
from verif.bench.agent.item import ExponentiationItem, ResetItem, TransferItem, ZeroiseItem
from verif.bench.agent.state_elements import (
    WORD,
    StateElements,
    Trace,
    holders,
    in_reset,
    look_in_first_reset,
    of_design,
    set_registers,
    stop_if_any,
    traces,
)
from verif.bench.sequences.exponentiation import ExponentiationSequence
from verif.bench.sequences.powers import Power

# Minimum number of visible bits per operand bit: operands, two multipliers with operand, sum and
# carry each, adders, constants. If fewer bits are visible, the simulator hides registers.
MIN_BITS_A_BIT = 100
# Cycles from the request for ZEROISE to a reset: ZEROISE is granted, is executed, is done.
NEAR_ZEROISE = range(5)
# Cycles after the end of an operation in which the result and values of the last product exist.
AFTER_END = 7


class ZeroiseSequence(ExponentiationSequence):
    """Loads secrets, ends the operation in each phase or lets it finish, then reads every signal.

    After each check, a start without operands must fail, and a loaded operation must be correct.
    """

    async def body(self) -> None:
        """ZEROISE and reset at ``operations`` random times and near the ends of phases."""
        await look_in_first_reset(self._elements)
        await self.send(TransferItem.status(Status.IDLE))
        clean = await self._look()
        for moment in self._moments():
            for cut in (self._zeroised, self._reset):
                await cut(moment)
                await self._compare(clean, f"{cut.__name__[1:]} after {moment} cycles")
                await self._go_on()
        for after in NEAR_ZEROISE:
            await self._reset_near_zeroise(after)
        await self._finished(clean)
        await self._written_meanwhile(clean)
        await self._zeroised_in_the_wipe(clean)

    @cached_property
    def _elements(self) -> StateElements:
        return of_design(MIN_BITS_A_BIT * self.config.width)

    def _moments(self) -> list[int]:
        """Return cycles after the start, in every state of the control that the model knows."""
        core, width = self.core, self.config.width
        m = (1 << width) - 1
        # A phase ends where an operation ends that does not get beyond this phase.
        prepared = core.operation_cycles(m, 1, Status.OPERAND_RANGE)
        seeded = prepared + core.r_squared_cycles()
        whole = core.operation_cycles(m, self._length)
        ends = [prepared, seeded, whole]
        near = {end + offset for end in ends for offset in (-3, -1, 2, 6)}
        spread = {self.rng.randrange(whole) for _ in range(self.config.job.operations)}
        return sorted(moment for moment in near | spread if 0 <= moment < whole + AFTER_END)

    @property
    def _length(self) -> int:
        return min(self.config.width, 8)

    def _secret(self, length: int = 0) -> tuple[ExponentiationItem, Power]:
        """Return dense values that differ clearly from reset values.

        Args:
            length: bits of the exponent; 0 for a few, so that the operation is short.
        """
        rng, width = self.rng, self.config.width
        high = 1 << (width - 1)
        m = rng.getrandbits(width) | high | 1
        length = length or self._length
        power = Power(rng.randrange(m // 2, m), rng.getrandbits(length) | 1, m, length)
        item = self.item(
            power,
            r_squared=self.core.r_squared(m) if rng.randrange(2) else None,
            m_prime=self.core.m_prime(m),
        )
        return item, power

    async def _zeroised(self, moment: int) -> None:
        item, _ = self._secret()
        await self.cut_off(ZeroiseItem(item, moment))

    async def _reset(self, moment: int) -> None:
        """Check during the reset that every register is 0.

        After the reset, a register that is loaded in every cycle would already look correct.
        """
        item, _ = self._secret()
        loading = 2 * sum(operand.words for operand in self.bus.operands)
        found = await self._in_reset(ResetItem(item, loading + moment))
        stop_if_any(f"in a reset after {moment} cycles", found)

    async def _reset_near_zeroise(self, after: int) -> None:
        """Reset ``after`` cycles after the request for ZEROISE; registers that ZEROISE sets are 0.

        The transactor takes one cycle for each address that it does not load.
        """
        item = self.item(Power(0, 0, 0, self.config.width))
        item.load, item.command = 0, Command.ZEROISE
        found = await self._in_reset(ResetItem(item, self.bus.write_addresses + after))
        stop_if_any(f"in a reset {after} cycles after the request for ZEROISE", found)

    async def _in_reset(self, item: ResetItem) -> list[Trace]:
        """Return the registers that are not 0 during the reset."""
        return set_registers(await in_reset(self._elements, self.cut_off(item)))

    async def _finished(self, clean: dict[str, str]) -> None:
        """Send ZEROISE after the end, when all operands are loaded and the result exists."""
        item, power = self._secret()
        await self.send(item)
        # Check the check: before ZEROISE, it must find the secrets.
        found = await self._look()
        for name in ("base", "exponent", "modulus"):
            value = getattr(power, name)
            if not holders(found, value, self.config.width):
                raise ValueError(f"the {name} cannot be found in any signal before ZEROISE")
        await self.zeroise()
        await self._compare(clean, "zeroised after the end")
        await self._go_on()

    async def _written_meanwhile(self, clean: dict[str, str]) -> None:
        """Write while ZEROISE wipes the memories: the wipe must still reach every word.

        The host writes only zeros, always to the lowest word, so that any value other than 0 in a
        memory comes from the secret.
        """
        item, _ = self._secret(self.config.width)  # in every word of the exponent
        for operand in self.bus.operands:
            await self.send(item)
            await self.send(TransferItem.command(Command.ZEROISE))
            for _ in range(self.core.wipe_cycles):
                await self.send(TransferItem(True, operand.address))
                await self.send(TransferItem.command(Command.CLEAR))
            await self._no_word(clean, f"written to address {operand.address} after ZEROISE")
            await self.zeroise()

    async def _zeroised_in_the_wipe(self, clean: dict[str, str]) -> None:
        """Send ZEROISE again while memories are wiped: the wipe must start again.

        The host writes a word between the two commands. The first wipe has already passed it.
        """
        dense = (1 << self.config.bus_width) - 1
        for operand in self.bus.operands:
            await self.send(TransferItem.command(Command.ZEROISE))
            await self.send(TransferItem(True, operand.address, dense))
            await self.send(TransferItem.command(Command.ZEROISE))
            await self._no_word(clean, f"written to address {operand.address} between two ZEROISE")
            self.forget()

    async def _look(self) -> dict[str, str]:
        """Return a snapshot in the middle of a cycle, with an idle bus, after the wipe."""
        top = cocotb.top
        top.bus_write.value = 0
        top.bus_addr.value = 0
        top.bus_wdata.value = 0
        for _ in range(2 + self.core.wipe_cycles):
            await FallingEdge(top.clk)
        return self._elements.snapshot()

    async def _compare(self, clean: dict[str, str], when: str) -> None:
        await self.send(TransferItem.status(Status.IDLE))
        stop_if_any(when, traces(clean, await self._look()))

    async def _no_word(self, clean: dict[str, str], when: str) -> None:
        """Like :meth:`_compare`, but only for memories: registers may have the written word."""
        found = traces(clean, await self._look())
        stop_if_any(when, [trace for trace in found if WORD.search(trace.path)])

    async def _go_on(self) -> None:
        """Check that a start without operands is rejected and that a loaded operation works."""
        address = ExponentiationAddress
        nothing = Power(0, 0, 0, self.config.width)
        await self.send(
            self.item(nothing, keep=(address.DATA_RESULT, address.EXPONENT, address.MODULUS))
        )
        await self.good()
        await self.send(TransferItem.command(Command.ZEROISE))
        self.forget()
