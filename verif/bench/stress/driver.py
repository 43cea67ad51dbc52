"""Driver of the stress test: drives each step in its cycle, independent of the design."""

from __future__ import annotations

from collections.abc import Sequence

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer
from cocotb_bus.drivers import BusDriver
from pyuvm import uvm_analysis_port, uvm_driver, uvm_sequence_item

from models.bus.loader_bus import Request
from verif.bench.agent.step import Kind
from verif.bench.configuration.config import CLOCK_PERIOD_NS
from verif.bench.stress.timeline import RESET_CYCLES, Played, Timeline

LEADING_RESET = 2


class StressItem(uvm_sequence_item):
    """One sequence, which begins with a reset.

    Attributes:
        steps: the steps with their cycles.
        end: cycle in which the sequence ends.
        trial: the sequence repeats a part of a failed sequence, to find a shorter failing sequence.
        mismatch: the scoreboard sets it at the first difference between design and model.
    """

    def __init__(self, line: Timeline, *, trial: bool = False) -> None:
        """Create the sequence of a timeline."""
        super().__init__("stress")
        self.steps: Sequence[Played] = line.played
        self.end = line.end
        self.trial = trial
        self.mismatch: object | None = None


class StressPins(BusDriver):
    """The pins of the loader bus, changed between a falling and a rising edge."""

    _signals = ("req", "write", "addr", "wdata", "wait")

    def __init__(self, entity: HierarchyObject) -> None:
        """Attach to the ``bus_*`` signals of the test bench."""
        super().__init__(entity, "bus", entity.clk)

    def ask(self, request: Request) -> None:
        """Drive a request on the pins."""
        bus = self.bus
        bus.req.value = 1
        bus.write.value = int(request.write)
        bus.addr.value = request.address
        bus.wdata.value = request.data

    def drop(self) -> None:
        """Remove the request."""
        self.bus.req.value = 0

    def hold_off(self, held: bool) -> None:
        """Begin or end wait states."""
        self.bus.wait.value = int(held)


class StressDriver(uvm_driver):
    """Plays sequences and ignores all answers: the cycle of each step is known in advance."""

    def build_phase(self) -> None:
        """Create the ports that publish a sequence before its begin and after its end."""
        self.ap = uvm_analysis_port("ap", self)
        self.end_ap = uvm_analysis_port("end_ap", self)
        self.problem_ap = uvm_analysis_port("problem_ap", self)

    def start_of_simulation_phase(self) -> None:
        """Attach to the pins."""
        self.top = cocotb.top
        self.pins = StressPins(self.top)

    async def run_phase(self) -> None:
        """Play the sequencer's sequences until the simulation ends."""
        self.top.clk_burst.value = 0
        await Timer(CLOCK_PERIOD_NS, "ns")  # skip the initial values
        while True:
            item = await self.seq_item_port.get_next_item()
            await self._play(item)
            self.end_ap.write(item)
            self.seq_item_port.item_done()

    async def _play(self, item: StressItem) -> None:
        self.pins.drop()
        self.pins.hold_off(False)
        await FallingEdge(self.top.clk)
        await Timer(CLOCK_PERIOD_NS // 4, "ns")  # all earlier events are reported now
        self.ap.write(item)
        await self._reset(LEADING_RESET)
        self._now = 0
        for played in item.steps:
            if item.mismatch:
                break
            await self._until(played.asked)
            await self._act(played)
        else:
            await self._until(item.end)
        self.pins.drop()

    async def _until(self, cycle: int) -> None:
        """Wait until the middle of a cycle."""
        if cycle > self._now:
            await Timer((cycle - self._now) * CLOCK_PERIOD_NS, "ns")
            self._now = cycle

    async def _reset(self, cycles: int = RESET_CYCLES) -> None:
        self.top.rst_n.value = 0
        await Timer(cycles * CLOCK_PERIOD_NS, "ns")
        self.top.rst_n.value = 1

    async def _act(self, played: Played) -> None:
        step, pins = played.step, self.pins
        if step.kind is Kind.RESET:
            await self._reset()
            self._now += RESET_CYCLES
            return
        pins.ask(step.request)
        if step.kind is Kind.DROP:
            pins.hold_off(True)
            await self._until(played.asked + max(1, step.wait))
            pins.hold_off(False)
        elif step.kind is Kind.RESET_IN_ACKNOWLEDGE:
            await self._until(played.asked + 1)
            await self._reset()
            self._now += RESET_CYCLES
        elif step.kind is Kind.RESET_OVER_REQUEST:
            await self._reset()
            self._now += RESET_CYCLES
            await self._until(self._now + 2)
        else:
            if step.wait:
                pins.hold_off(True)
                await self._until(played.asked + step.wait)
                pins.hold_off(False)
            await self._until(self._now + 2)
        pins.drop()
