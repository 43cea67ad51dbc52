"""Driver of the stress test through a front: the steps of a sequence as accesses, one by one."""

from __future__ import annotations

import cocotb
from cocotb.simtime import get_sim_time
from cocotb.task import Task
from cocotb.triggers import FallingEdge, SimTimeoutError, Timer, with_timeout

from verif.bench.agent.driver import CLOCK_PERIOD_NS
from verif.bench.agent.front_driver import FrontPort
from verif.bench.agent.front_model import LOADER_ADDRESSES, Access
from verif.bench.agent.step import AIM_LAST, Kind, Step
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.front import FrontCoverage
from verif.bench.stress.driver import LEADING_RESET, StressDriver, StressItem
from verif.bench.stress.front_accesses import FrontAccesses
from verif.bench.stress.front_checker import Answered, FrontStressChecker
from verif.bench.stress.timeline import RESET_CYCLES, SETTLE_CYCLES, Played

# Cycles from the beginning of an access to its transfer to the core; the longest reset delay.
ACCESS_CYCLES = 2
RESET_DELAYS = 6
ANSWER_LIMIT = 1000
# Probability of an access that only a front has, after a step.
OWN_ACCESSES = 0.8


class FrontStressDriver(StressDriver):
    """Plays sequences through a front, which answers each access before the next one begins.

    A front cannot express wait states and dropped requests: their steps are left out, as are those
    to addresses that no window has. Words of operands in turns are accesses that the front rejects.
    """

    def start_of_simulation_phase(self) -> None:
        """Attach to the pins."""
        self.top = cocotb.top
        self._config: BenchConfig = self.cdb_get("CONFIG")
        self._port = FrontPort(self.top, self._config)
        self._rng = self._config.random("front accesses")
        self._task: Task[None] | None = None
        self._begin = 0.0

    def attach(self, checker: FrontStressChecker, coverage: FrontCoverage) -> None:
        """Share the model of the front with the checker; coverage guides accesses of the front."""
        self._checker = checker
        self._coverage = coverage

    async def run_phase(self) -> None:
        """See :class:`StressDriver`; before the first reset, pins of the core are unknown."""
        await self._reset()
        await super().run_phase()

    async def _play(self, item: StressItem) -> None:
        self._port.model = self._checker.front
        self._own = FrontAccesses(self._checker.front, self._coverage, self._rng)
        await self._after_events()
        self.ap.write(item)
        await self._reset(LEADING_RESET)
        self._begin = get_sim_time("ns")
        self._port.master.pause(self._rng.random() < 0.5)
        try:
            for played in item.steps:
                if item.mismatch:
                    break
                await self._idle(played.step)
                await self._act(played)
                await self._own_accesses()
            else:
                await self._cycles(self._checker.last_busy + SETTLE_CYCLES - self._cycle)
        except SimTimeoutError:
            self.problem_ap.write(f"no answer of the front within {ANSWER_LIMIT} cycles")
        item.end = self._cycle

    @property
    def _cycle(self) -> int:
        return int((get_sim_time("ns") - self._begin) // CLOCK_PERIOD_NS)

    async def _after_events(self) -> None:
        """Wait until the events of this cycle are reported."""
        await FallingEdge(self.top.clk)
        await Timer(CLOCK_PERIOD_NS // 4, "ns")

    async def _cycles(self, cycles: int) -> None:
        if cycles > 0:
            await Timer(cycles * CLOCK_PERIOD_NS, "ns")

    async def _reset(self, cycles: int = RESET_CYCLES) -> None:
        # A master answers the access that a reset ends, so end the host of the access first.
        if self._task and not self._task.done():
            self._task.cancel()
        self.top.rst_n.value = 0
        await Timer(1, "ns")
        self._port.restart()
        await Timer(cycles * CLOCK_PERIOD_NS - 1, "ns")
        self.top.rst_n.value = 1

    async def _idle(self, step: Step) -> None:
        """Wait before a step; an aim is the cycle of its transfer."""
        aimed = self._checker.last_busy + step.aim - AIM_LAST - ACCESS_CYCLES - self._cycle
        await self._cycles(aimed if step.aim and aimed > 0 else step.idle)

    async def _act(self, played: Played) -> None:
        step = played.step
        if step.kind is Kind.DROP or step.address >= LOADER_ADDRESSES:
            return
        if step.kind is Kind.RESET:
            await self._reset()
        elif step.kind is Kind.RESET_IN_ACKNOWLEDGE:
            self._task = cocotb.start_soon(self._access(self._port.model.access(step.request)))
            await self._cycles(self._rng.randrange(RESET_DELAYS))
            await self._reset()
        else:
            if step.kind is Kind.RESET_OVER_REQUEST:
                await self._reset()
            await self._access(self._port.model.access(step.request))

    async def _own_accesses(self) -> None:
        while self._rng.random() < OWN_ACCESSES:
            access = self._own.draw(self._checker.state)
            if access is None:
                return
            await self._access(access)

    async def _access(self, access: Access) -> None:
        self.ap.write(access)
        accepted, word = await with_timeout(
            self._port.access(access), ANSWER_LIMIT * CLOCK_PERIOD_NS, "ns"
        )
        await self._after_events()
        self.ap.write(Answered(access, accepted, word))
