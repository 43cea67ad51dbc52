"""Masters of the standard buses, all with the same methods.

The masters are those of ``cocotbext``. A class here gives one the names of a front's ports, random
pauses, and accesses that report whether the front accepted them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.apb import Apb4Bus, ApbHost
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiLiteReadBus, AxiLiteWriteBus
from cocotbext.axi.axil_channels import (
    AxiLiteARBus,
    AxiLiteAWBus,
    AxiLiteBBus,
    AxiLiteRBus,
    AxiLiteWBus,
)
from cocotbext.axi.constants import AxiResp
from cocotbext.wishbone.driver import WBOp, WishboneMaster

from verif.bench.agent.front_model import MOST_IDLE_CYCLES


def pauses(random: Random) -> Iterator[bool]:
    """Yield for each cycle whether a channel pauses; of MOST_IDLE_CYCLES + 1, one is free."""
    paused = 0
    while True:
        paused = paused + 1 if paused < MOST_IDLE_CYCLES and random.random() < 0.5 else 0
        yield bool(paused)


class Master(ABC):
    """A master on the port of a front.

    Args:
        dut: the test bench, with the ports of the front.
        random: generator of the pauses.
        word_bytes: bytes of a bus word.

    Attributes:
        inputs: control inputs of the front, without their suffix.
        shared: inputs that accesses to other slaves of the bus drive, too.
    """

    inputs: str
    shared = ""

    def __init__(self, dut: Any, random: Random, word_bytes: int) -> None:
        self.dut = dut
        self.random = random
        self.word_bytes = word_bytes
        self.pausing = False

    @abstractmethod
    def start(self) -> None:
        """Drive the port; also after a reset, which ends the access under way."""

    @abstractmethod
    async def write(self, address: int, data: bytes) -> bool:
        """Write bytes at an address in one access; return whether the front accepted it.

        Fewer bytes than a word are a write without all byte lanes.
        """

    @abstractmethod
    async def read(self, address: int) -> tuple[bool, int]:
        """Read a word; return whether the front accepted the access, and the word."""

    def unread_word(self) -> int:
        """Return what to drive in a read where a write has its word: no front may look at it.

        Without pauses it is 0: a test that looks at each net for a secret would find a word.
        """
        return self.random.getrandbits(8 * self.word_bytes) if self.pausing else 0

    def pause(self, pausing: bool) -> None:
        """Begin or end random pauses, on every channel that the master drives."""
        self.pausing = pausing

    def idle_cycles(self) -> int:
        """Return the number of cycles before the next access."""
        return self.random.randint(0, MOST_IDLE_CYCLES) if self.pausing else 0

    async def others(self) -> None:
        """Drive the shared inputs as accesses to other slaves do, in some cycles of a pause."""
        for _ in range(self.idle_cycles()):
            for name in self.shared.split():
                getattr(self.dut, f"{name}_i").value = self.random.getrandbits(1)
            await RisingEdge(self.dut.clk_i)
        for name in self.shared.split():
            getattr(self.dut, f"{name}_i").value = 0

    def drive_low(self) -> None:
        """Give the inputs of the front a value, before the master starts and the clock runs."""
        for name in self.inputs.split():
            getattr(self.dut, f"{name}_i").value = 0


def _ports(names: str) -> dict[str, str]:
    """Map the names of a bus to ports: ``bvalid:o`` is ``bvalid_o``."""
    return {
        name: f"{name}_{suffix}" for name, _, suffix in (n.partition(":") for n in names.split())
    }


def _channel(base: type, names: str) -> type:
    return type(base.__name__, (base,), {"_signals": _ports(names), "_optional_signals": {}})


class AxiMaster(Master):
    """AXI4-Lite."""

    inputs = "awvalid wvalid bready arvalid rready"
    data = ("awaddr", "awprot", "wdata", "wstrb", "araddr", "arprot")
    _axi: Any = None
    _writes = 0  # under way

    def start(self) -> None:
        """See :class:`Master`; the master watches the reset by itself."""
        if self._axi:
            return
        write = AxiLiteWriteBus(
            _channel(AxiLiteAWBus, "awaddr:i awprot:i awvalid:i awready:o")(self.dut),
            _channel(AxiLiteWBus, "wdata:i wstrb:i wvalid:i wready:o")(self.dut),
            _channel(AxiLiteBBus, "bvalid:o bready:i bresp:o")(self.dut),
        )
        read = AxiLiteReadBus(
            _channel(AxiLiteARBus, "araddr:i arprot:i arvalid:i arready:o")(self.dut),
            _channel(AxiLiteRBus, "rdata:o rvalid:o rready:i rresp:o")(self.dut),
        )
        bus = AxiLiteBus(write, read)
        self._axi = AxiLiteMaster(bus, self.dut.clk_i, self.dut.rst_ni, reset_active_level=False)
        for interface in (self._axi.write_if, self._axi.read_if):
            interface.log.setLevel("WARNING")  # two lines for each access take half of the time
        for name in self.data:  # unknown until the first access
            getattr(self.dut, f"{name}_i").value = 0

    def pause(self, pausing: bool) -> None:
        """See :class:`Master`."""
        super().pause(pausing)
        write, read = self._axi.write_if, self._axi.read_if
        for channel in (
            write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel,
        ):  # fmt: skip
            channel.set_pause_generator(pauses(self.random) if pausing else None)
            channel.pause = False

    async def write(self, address: int, data: bytes) -> bool:
        """See :class:`Master`."""
        self._writes += 1
        try:
            return (await self._axi.write(address, data)).resp == AxiResp.OKAY
        finally:
            self._writes -= 1

    async def read(self, address: int) -> tuple[bool, int]:
        """See :class:`Master`."""
        if not self._writes:
            self.dut.wdata_i.value = self.unread_word()
        # An access that begins within a word ends with it.
        length = self.word_bytes - address % self.word_bytes
        answer = await self._axi.read(address, length)
        return answer.resp == AxiResp.OKAY, int.from_bytes(answer.data, "little")


class ApbMaster(Master):
    """APB4. Its errors are taken from the pin: the host would raise them in a task of its own."""

    inputs = "psel penable"
    shared = "penable pwrite"
    _signals: Mapping[str, str] = _ports(
        "psel:i penable:i pwrite:i paddr:i pprot:i pwdata:i pstrb:i pready:o prdata:o"
    )

    def __init__(self, dut: Any, random: Random, word_bytes: int) -> None:
        super().__init__(dut, random, word_bytes)
        self._host: Any = None
        self._rejected = False

    def start(self) -> None:
        """See :class:`Master`."""
        if self._host is None:
            cocotb.start_soon(self._watch())
        else:
            self._host._run_coroutine_obj.cancel()
        bus = Apb4Bus(self.dut, signals=self._signals, optional_signals=[])
        self._host = ApbHost(bus, self.dut.clk_i)

    async def _watch(self) -> None:
        while True:
            await RisingEdge(self.dut.clk_i)
            if self.dut.penable_i.value == 1 and self.dut.pready_o.value == 1:
                self._rejected = self.dut.pslverr_o.value == 1

    async def write(self, address: int, data: bytes) -> bool:
        """See :class:`Master`."""
        await self.others()
        self._host.intra_delay = 1 + self.idle_cycles()
        lanes = ((1 << len(data)) - 1) << address % self.word_bytes
        value = int.from_bytes(data, "little") << 8 * (address % self.word_bytes)
        await self._host.write(address, value, strb=lanes)
        return not self._rejected

    async def read(self, address: int) -> tuple[bool, int]:
        """See :class:`Master`."""
        await self.others()
        self._host.intra_delay = 1 + self.idle_cycles()
        self.dut.pwdata_i.value = self.unread_word()
        data = await self._host.read(address)
        return not self._rejected, int.from_bytes(data, "little")


class _Standard(WishboneMaster):
    """A standard master: it does not know stall_o. In a read it drives ``unread_word``."""

    unread_word = 0

    _signals = _ports("cyc:i stb:i we:i adr:i ack:o") | {"datwr": "dat_i", "datrd": "dat_o"}
    _optional_signals = _ports("sel:i err:o")

    async def _drive(self, we: int, adr: int, datwr: int, *rest: Any) -> None:
        await super()._drive(we, adr, datwr if we else self.unread_word, *rest)


class _Pipelined(_Standard):
    """A pipelined master."""

    _optional_signals = _ports("sel:i err:o stall:o")


class WishboneMasters(Master):
    """Wishbone B4: a standard and a pipelined master; each access takes one of the two."""

    inputs = "cyc stb we"
    shared = "stb we"
    ACK = 1

    def __init__(self, dut: Any, random: Random, word_bytes: int) -> None:
        super().__init__(dut, random, word_bytes)
        self._masters: list[Any] = []

    def start(self) -> None:
        """See :class:`Master`."""
        for master in self._masters:
            master.busy = False
        self._masters = [
            kind(self.dut, None, self.dut.clk_i, timeout=1000) for kind in (_Standard, _Pipelined)
        ]

    async def _access(self, address: int, data: int | None, lanes: int) -> tuple[bool, int]:
        await self.others()
        master = self.random.choice(self._masters)
        master.unread_word = self.unread_word()
        operation = WBOp(address, data, idle=self.idle_cycles(), sel=lanes)
        (answer,) = await master.send_cycle([operation])
        word = int(answer.datrd) if data is None else 0
        return answer.ack == self.ACK, word

    async def write(self, address: int, data: bytes) -> bool:
        """See :class:`Master`."""
        lanes = ((1 << len(data)) - 1) << address % self.word_bytes
        value = int.from_bytes(data, "little") << 8 * (address % self.word_bytes)
        return (await self._access(address, value, lanes))[0]

    async def read(self, address: int) -> tuple[bool, int]:
        """See :class:`Master`."""
        return await self._access(address, None, (1 << self.word_bytes) - 1)


MASTERS: Mapping[str, type[Master]] = {
    "axi4_lite": AxiMaster,
    "apb4": ApbMaster,
    "wishbone": WishboneMasters,
}
