"""Driver of a design with a bus front: the same items, as accesses of a standard bus."""

from __future__ import annotations

from collections.abc import Iterator

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.task import Task
from cocotb.triggers import FallingEdge, Timer

from models.bus.loader_bus import Request
from models.front_map import FrontRegister
from models.status import BusError
from verif.bench.agent.driver import CLOCK_PERIOD_NS, LoaderBusDriver, LoaderDriver
from verif.bench.agent.front_masters import MASTERS, Master
from verif.bench.agent.front_model import REASON_BIT, Access, front_model
from verif.bench.agent.item import LoaderItem, ResetItem, TransferItem, ZeroiseItem
from verif.bench.configuration.config import BenchConfig


class FrontPort:
    """The front's port: the master of its bus, and the model of the front.

    Attributes:
        model: model that predicts which accesses the front rejects.
        master: bus master that makes the accesses.
    """

    def __init__(self, entity: HierarchyObject, config: BenchConfig) -> None:
        scope = getattr(entity.u_front, f"gen_{config.front}").u_pins
        self.model = front_model(config)
        self.master: Master = MASTERS[config.front](
            scope, config.random("front"), config.bus_width // 8
        )

    async def access(self, access: Access) -> tuple[bool, int]:
        """Make an access; return whether the front accepted it, and the word of a read."""
        if access.write:
            data = access.data.to_bytes(self.model.word_bytes, "little")[: access.lanes]
            return await self.master.write(access.address, data), 0
        return await self.master.read(access.address)

    def restart(self) -> None:
        """Drive the pins anew during a reset, which ends the access under way."""
        self.master.drive_low()
        self.master.start()
        self.model.reset()


class FrontPins(LoaderBusDriver):
    """Makes single transfers as accesses of the front.

    Args:
        entity: the test bench.
        port: the front's port.
    """

    def __init__(self, entity: HierarchyObject, port: FrontPort) -> None:
        super().__init__(entity)
        self._port = port

    async def _driver_send(self, item: TransferItem, sync: bool = True) -> None:
        """Make one transfer and store the answer in ``item``.

        Raises:
            ValueError: the answer is wrong, or busy or done is still 1 after ZEROISE.
        """
        access = self._port.model.access(Request(item.write, item.address, item.data))
        reason = await self._reason_of(access, item)
        if reason != item.error:
            raise ValueError(f"{item}: answered with code {reason}, expected {item.error.name}")
        if not reason:
            self.check_zeroised(item)
        if reason or item.write:
            return
        if item.expected_data is not None and item.data != item.expected_data:
            raise ValueError(f"{item}: returned {item.data:#x}, expected {item.expected_data:#x}")

    async def _reason_of(self, access: Access, item: TransferItem) -> int:
        """Make an access; return the reason of its rejection, or NONE."""
        model = self._port.model
        own = model.rejection(access)
        accepted, word = await self._port.access(access)
        if accepted:
            if own:
                raise ValueError(f"{item}: accepted by the front, expected code {own}")
            model.answered(access, BusError.NONE)
            if not item.write:
                item.data = word
            return BusError.NONE
        _, status = await self._port.access(Access(False, FrontRegister.STATUS, 0, 0))
        reason = status >> REASON_BIT & 15
        if not reason or own not in (BusError.NONE, reason):
            raise ValueError(f"{item}: the front gives code {reason}, expected {own or 'a code'}")
        model.answered(access, reason)
        return reason


class FrontOperations:
    """Makes whole operations; it has the methods of :class:`TransactorDriver` that a driver uses.

    Args:
        driver: makes the transfers.
    """

    def __init__(self, driver: FrontDriver) -> None:
        self._driver = driver
        self.task: Task[None] | None = None

    def prepare(self, item: LoaderItem) -> None:
        """Pause the master at random if the item has wait states or idle cycles.

        Beside disturbances, idle cycles cause no pause: the sequence chose as many disturbances as
        fit at the wait states of the item.
        """
        idle = item.idle and not item.disturbances
        self._driver.port.master.pause(bool(item.stall or idle))
        item.stall = 0  # a core with a front has no wait states

    def begin(self, item: LoaderItem) -> None:
        """Start an operation and do not wait for its end."""
        self.task = cocotb.start_soon(self._driver.operate(item))


class FrontDriver(LoaderDriver):
    """Turns sequence items into accesses of the front.

    A front cannot express wait states, a request that is dropped, words of operands in turns, and
    more than one operand without all of its words. Of these, items have the last: all operands but
    the longest are then written.
    """

    def start_of_simulation_phase(self) -> None:
        """Attach to the pins."""
        self.top = cocotb.top
        self.port = FrontPort(self.top, self.config)
        self.pins = FrontPins(self.top, self.port)
        self.transactor = FrontOperations(self)

    def choose_clock(self) -> None:
        """Configure ``bench_clock`` for an ordinary clock."""
        self.top.clk_burst.value = 0

    async def reset(self, cycles: int = 2, first: TransferItem | None = None) -> None:
        """See :class:`LoaderDriver`; ``first`` begins after the reset."""
        # A master answers the access that a reset ends, so end the host of the access first.
        if self.transactor.task and not self.transactor.task.done():
            self.transactor.task.cancel()
        self.top.rst_n.value = 0
        await Timer(CLOCK_PERIOD_NS // 4, "ns")
        self.port.restart()
        await Timer(cycles * CLOCK_PERIOD_NS, "ns")
        if not self.pins.at_rest:
            self.problem_ap.write("busy or done in a reset")
        self.top.rst_n.value = 1
        await FallingEdge(self.top.clk)
        if first:
            await self.pins.send(first)

    async def operate(self, item: LoaderItem) -> None:
        """Run a whole operation."""
        model = self.port.model
        item.disturbances = tuple(
            transfer
            for transfer in item.disturbances
            if model.request(model.access(Request(transfer.write, transfer.address)))
        )
        await self._operate(item)

    async def _drive(self, item: LoaderItem | TransferItem | ResetItem | ZeroiseItem) -> None:
        if isinstance(item, ResetItem):
            # Between two edges: at a falling edge the recorder may publish the last operation.
            await FallingEdge(self.top.clk)
            await Timer(1, "ns")
            before = int(self.top.rec_valid.value)
            self.transactor.begin(item.operation)
            await Timer(item.after * CLOCK_PERIOD_NS + CLOCK_PERIOD_NS // 4, "ns")
            if int(self.top.rec_valid.value) != before:
                self.ap.write(item.operation)
            await self.reset(first=item.first)
        elif isinstance(item, LoaderItem):
            await self.operate(item)
            self.ap.write(item)
        else:
            await super()._drive(item)

    def _words(self, item: LoaderItem) -> Iterator[tuple[int, int]]:
        loaded = [operand for operand in self.bus.operands if item.load >> operand.address & 1]
        if item.incomplete:
            loaded.sort(key=lambda operand: operand.words)
        for operand in loaded:
            words = self.bus.words(getattr(item, operand.name), operand.words)
            if item.incomplete and operand is loaded[-1]:
                words = words[:1]
            yield from ((operand.address, word) for word in words)
