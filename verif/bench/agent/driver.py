"""Drivers of the loader bus: two cocotb-bus drivers on the pins, and a pyuvm driver above them."""

from __future__ import annotations

from collections.abc import Iterator

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import (
    FallingEdge,
    RisingEdge,
    SimTimeoutError,
    Timer,
    ValueChange,
    with_timeout,
)
from cocotb_bus.drivers import BusDriver
from pyuvm import uvm_analysis_port, uvm_driver

from models.status import Address, BusError, Command
from verif.bench.agent.bus_map import BusMap, bus_map
from verif.bench.agent.item import LoaderItem, ResetItem, TransferItem, ZeroiseItem
from verif.bench.agent.vector_layout import VectorLayout
from verif.bench.configuration.config import CLOCK_PERIOD_NS, BenchConfig

ACKNOWLEDGE_LIMIT = 1000
# The driver gives up after this number of bus timeouts. Each timeout takes thousands of cycles.
PATIENCE = 3
# A word that Python sends comes after at most item.idle // IDLE_STEP idle cycles.
IDLE_STEP = 64


class BusTimeoutError(RuntimeError):
    """The hardware did not answer in time. The message names the missing event and the limit."""


class TransactorDriver(BusDriver):
    """Hands whole operations to ``loader_bus_transactor``, at two simulator events per operation.

    Attributes:
        cycle_limit: cycles after which an operation counts as hung; 0 selects the bus map's limit.
    """

    cycle_limit = 0

    _signals = ("go", "request", "done", "outcome")

    def __init__(self, entity: HierarchyObject, bus: BusMap) -> None:
        """Attach to the ``op_*`` signals of the test bench."""
        super().__init__(entity, "op", entity.clk)
        self._map = bus
        self._go = 0

    def request(self, item: LoaderItem) -> int:
        """Return the request vector of an operation.

        Raises:
            ValueError: an operand does not fit into its bus words.
        """
        bus = self._map
        operands = 0
        for operand in bus.operands:
            value = getattr(item, operand.name) or 0
            if value >> operand.words * bus.bus_width:
                raise ValueError(f"{operand.name} does not fit into its bus words: {item}")
            operands |= value << operand.address * bus.slot_bits
        layout = VectorLayout.of(
            "request", WriteAddresses=bus.write_addresses, SlotBits=bus.slot_bits
        )
        return layout.encode(
            {
                "seed": item.seed & 0xFFFFFFFF,
                "limit": self.cycle_limit or bus.cycle_limit,
                "idle": item.idle,
                "stall": item.stall,
                "command": item.command,
                "load": item.load,
                "operands": operands,
            }
        )

    def prepare(self, item: LoaderItem) -> None:
        """Drive an operation and its wait states on the signals, but do not start it."""
        self.bus.request.value = self.request(item)

    def begin(self, item: LoaderItem) -> None:
        """Start an operation and do not wait for its end."""
        self.prepare(item)
        self._go ^= 1
        self.bus.go.value = self._go

    @property
    def idle(self) -> bool:
        """Whether no operation runs."""
        return int(self.bus.done.value) == self._go

    async def _driver_send(self, item: LoaderItem, sync: bool = True) -> None:
        """Run one operation to its end.

        Raises:
            BusTimeoutError: no acknowledge came, or the operation did not end.
            ValueError: the hardware rejected the start.
        """
        self.begin(item)
        await ValueChange(self.bus.done)
        timeout, rejected = divmod(int(self.bus.outcome.value), 16)
        limit = self.cycle_limit or self._map.cycle_limit
        if rejected:
            raise ValueError(f"start rejected with {_error_name(rejected)}: {item}")
        if timeout == 1:
            raise BusTimeoutError(f"no acknowledge within {limit} cycles: {item}")
        if timeout == 2:
            raise BusTimeoutError(f"operation not done within {limit} cycles: {item}")


class LoaderBusDriver(BusDriver):
    """Makes single transfers on the loader bus pins.

    Drives and samples at falling clock edges, because all signals are stable there in every
    simulator.
    """

    _signals = ("req", "write", "addr", "wdata", "ack", "err", "rdata", "busy", "done")

    def __init__(self, entity: HierarchyObject) -> None:
        """Attach to the ``bus_*`` signals of the test bench."""
        super().__init__(entity, "bus", entity.clk)

    @property
    def at_rest(self) -> bool:
        """Whether busy and done are both 0, as they must be in reset and after ZEROISE."""
        return str(self.bus.busy.value) == str(self.bus.done.value) == "0"

    async def _driver_send(self, item: TransferItem, sync: bool = True) -> None:
        """Make one transfer and store the answer in ``item``.

        Raises:
            BusTimeoutError: no acknowledge came.
            ValueError: the answer is wrong, or busy or done is still 1 after ZEROISE.
        """
        await FallingEdge(self.clock)
        self.ask(item)
        await self.answer(item)

    def ask(self, item: TransferItem) -> None:
        """Drive the request of a transfer."""
        bus = self.bus
        bus.req.value = 1
        bus.write.value = int(item.write)
        bus.addr.value = item.address
        # The design must ignore the write data of a read, so drive a command code there.
        bus.wdata.value = item.data if item.write else Command.START

    async def answer(self, item: TransferItem) -> None:
        """Wait for the acknowledge of the present request and store the answer in ``item``.

        Raises:
            BusTimeoutError: no acknowledge came.
            ValueError: the answer is wrong, or busy or done is still 1 after ZEROISE.
        """
        bus = self.bus
        falling = FallingEdge(self.clock)
        for _ in range(ACKNOWLEDGE_LIMIT):
            await falling
            if int(bus.ack.value):
                break
        else:
            bus.req.value = 0
            raise BusTimeoutError(f"no acknowledge within {ACKNOWLEDGE_LIMIT} cycles: {item}")
        rdata, err = bus.rdata.value, bus.err.value
        await falling
        bus.req.value = 0
        if not (rdata.is_resolvable and err.is_resolvable):
            raise ValueError(f"{item}: answered with unknown bits (X or Z): {rdata}, error {err}")
        answer, rejected = int(rdata), int(err)
        error = answer if rejected else 0
        if error != item.error:
            raise ValueError(
                f"{item}: answered with {_error_name(error)}, expected {item.error.name}"
            )
        if item.write and answer and not rejected:
            raise ValueError(f"{item}: answered with {answer:#x}, expected 0")
        if not item.write and not rejected:
            item.data = answer
            if item.expected_data is not None and answer != item.expected_data:
                raise ValueError(f"{item}: returned {answer:#x}, expected {item.expected_data:#x}")
        if not rejected:
            self.check_zeroised(item)

    def check_zeroised(self, item: TransferItem) -> None:
        """Check busy and done after an accepted transfer, if it is ZEROISE.

        Raises:
            ValueError: one of them is 1.
        """
        zeroised = item.write and item.address == Address.CONTROL and item.data == Command.ZEROISE
        if zeroised and not self.at_rest:
            raise ValueError("busy or done a cycle after ZEROISE was acknowledged")

    async def wait_done(self, limit: int) -> None:
        """Wait for the end of the operation.

        Args:
            limit: maximum number of cycles to wait.

        Raises:
            BusTimeoutError: the operation did not end within the limit.
        """
        if not int(self.bus.done.value):
            try:
                await with_timeout(RisingEdge(self.bus.done), limit * CLOCK_PERIOD_NS, "ns")
            except SimTimeoutError:
                raise BusTimeoutError(f"operation not done within {limit} cycles") from None
            await FallingEdge(self.clock)


def _error_name(code: int) -> str:
    try:
        return BusError(code).name
    except ValueError:
        return f"code {code}"


class LoaderDriver(uvm_driver):
    """Turns sequence items into bus activity.

    Publishes every operation that the monitor must report on ``ap``, and every violation of the
    bus interface on ``problem_ap``.
    """

    def build_phase(self) -> None:
        """Create the ports."""
        self.config: BenchConfig = self.cdb_get("CONFIG")
        self.bus = bus_map(self.config)
        self.ap = uvm_analysis_port("ap", self)
        self.problem_ap = uvm_analysis_port("problem_ap", self)
        self.end_ap = uvm_analysis_port("end_ap", self)

    def start_of_simulation_phase(self) -> None:
        """Attach to the pins."""
        self.top = cocotb.top
        self.transactor = TransactorDriver(self.top, self.bus)
        self.pins = LoaderBusDriver(self.top)

    async def reset(self, cycles: int = 2, first: TransferItem | None = None) -> None:
        """Hold the reset for ``cycles`` + 1/4 cycles, so that it starts and ends between edges.

        Args:
            cycles: whole cycles.
            first: transfer that the driver requests before the reset ends; None for none.
        """
        self.top.rst_n.value = 0
        await Timer(cycles * CLOCK_PERIOD_NS + CLOCK_PERIOD_NS // 4, "ns")
        if not self.pins.at_rest:
            self.problem_ap.write("busy or done in a reset")
        if first:
            self.pins.ask(first)
        self.top.rst_n.value = 1
        if first:
            await self.pins.answer(first)

    def choose_clock(self) -> None:
        """Configure ``bench_clock`` for bursts or for an ordinary clock."""
        self.top.clk_burst.value = int(self.cdb_get("BURST_CLOCK"))

    async def run_phase(self) -> None:
        """Drive the sequencer's items until the simulation ends."""
        self.choose_clock()
        await self.reset()
        unanswered = 0
        while True:
            item = await self.seq_item_port.get_next_item()
            try:
                await self._drive(item)
            except (BusTimeoutError, ValueError) as problem:
                self.problem_ap.write(str(problem))
                unanswered += isinstance(problem, BusTimeoutError)
                item.given_up = unanswered >= PATIENCE
                await self.reset()
            self.seq_item_port.item_done()

    async def _drive(self, item: LoaderItem | TransferItem | ResetItem | ZeroiseItem) -> None:
        if isinstance(item, TransferItem):
            await self.pins.send(item)
        elif isinstance(item, ResetItem):
            self.transactor.begin(item.operation)
            # Reset between two edges, so that the operation clearly ended before it or did not.
            await Timer(item.after * CLOCK_PERIOD_NS + CLOCK_PERIOD_NS // 4, "ns")
            if self.transactor.idle:
                self.ap.write(item.operation)
            await self.reset(first=item.first)
        elif isinstance(item, ZeroiseItem):
            await self._load_and_start(item.operation)
            if item.after:
                await Timer(item.after * CLOCK_PERIOD_NS, "ns")
            await self.pins.send(TransferItem.command(Command.ZEROISE))
        elif item.word_by_word:
            await self._operate(item)
            self.ap.write(item)
        else:
            await self.transactor.send(item)
            self.ap.write(item)

    async def _load_and_start(self, item: LoaderItem) -> None:
        """Write the operands and the start command of an operation, word by word."""
        send = self.pins.send
        self.transactor.prepare(item)  # the item's wait states apply to these transfers, too
        rng = self.config.random("word gaps", item.seed)
        for address, word in self._words(item):
            if pause := rng.randrange(1 + item.idle // IDLE_STEP):
                await Timer(pause * CLOCK_PERIOD_NS, "ns")
            await send(TransferItem(True, address, word))
        await send(TransferItem.command(item.command))

    def _words(self, item: LoaderItem) -> Iterator[tuple[int, int]]:
        """Yield address and word of each operand word that an operation writes."""
        for operand in self.bus.operands:
            if item.load >> operand.address & 1:
                words = self.bus.words(getattr(item, operand.name), operand.words)
                for word in words[:1] if item.incomplete else words:
                    yield operand.address, word

    async def _operate(self, item: LoaderItem) -> None:
        """Run a whole operation word by word, and make its disturbing transfers while it runs."""
        send = self.pins.send
        await self._load_and_start(item)
        for disturbance in item.disturbances:
            await send(disturbance)
        await self.pins.wait_done(self.bus.cycle_limit)
        status = TransferItem.status()
        await send(status)
        for result in self.bus.results:
            if status.data & 15 in result.after:
                for _ in range(result.words):
                    await send(TransferItem(False, result.address))
        await send(TransferItem.command(Command.CLEAR))
