"""Protocol stress test: play sequences, and shrink the first one that fails."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import cocotb
from cocotb.simtime import get_sim_time
from cocotb.task import bridge, resume
from pyuvm import uvm_sequence

from models.bus.loader_bus import CONTROL
from models.independent import ERROR_CODES
from regress.core.jobfile import RESULT_FILE, JobResult
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import Step, replay_text, steps_of
from verif.bench.configuration.config import BenchConfig
from verif.bench.sequences.sequence import FailureAt
from verif.bench.stress import LONG_VARIABLE
from verif.bench.stress.checker import Mismatch, name_of, status_text
from verif.bench.stress.driver import StressItem
from verif.bench.stress.exponentiation import ExponentiationHost
from verif.bench.stress.host import SEQUENCE_STEPS, Host
from verif.bench.stress.multiplier import MultiplierHost
from verif.bench.stress.patience import Patience
from verif.bench.stress.timeline import Timeline, timeline

# File in the job's folder with the shortest failing sequence, as a table.
LISTING_FILE = "stress.txt"
# Host.refault: additional steps, 1/4 of the steps of the job but at least 120.
REFAULT_SHARE = 4
LEAST_REFAULTS = 120
# Host.rewritten_after_reset: additional steps, 1/16 of the steps of the job, at least one sequence.
AFTER_RESET_SHARE, LEAST_AFTER_RESET = 16, 1
# Host.rare_states, Host.constant_chains: most additional steps, as a share of the job's steps.
RARE_STATES_SHARE = 16
CHAIN_SHARE = 6
# Waits of thousands of cycles: steps for each such wait, and the least number of these waits.
LONG_WAIT_SHARE, LEAST_LONG_WAITS = 250, 2


class StressSequence(uvm_sequence):
    """Sequences of ``operations`` random steps, and directed sequences after them.

    Attributes:
        host: class that makes the sequences.
    """

    host: ClassVar[type[Host]]

    def __init__(self, config: BenchConfig) -> None:
        """Create the sequence of one job."""
        super().__init__(type(self).__name__)
        self.config = config

    async def body(self) -> None:
        """Play the sequences.

        Raises:
            FailureAt: a sequence failed; the message has the shortest sequence that fails in the
                same way.
        """
        if self.config.job.replay:
            await self._replay(steps_of(self.config.job.replay))
            return
        for line in self._sequences():
            item = await self._play(line)
            # The model knows no cycles of a front, so that it cannot find which part fails alone.
            if item.mismatch and (LONG_VARIABLE in os.environ or self.config.front):
                self._report(item, shrunk=False)
            if item.mismatch:
                self._note(item)
                await self._explain(line, item.mismatch)

    def _sequences(self) -> Iterator[Timeline]:
        """Make random sequences, then sequences to rarely covered bins, then directed sequences.

        The directed sequences use their own random generators.
        """
        operations = left = self.config.job.operations
        host = self.host(self.config, self.config.random("stress"))
        while left > 0:
            line = host.sequence(min(SEQUENCE_STEPS, left))
            left -= len(line.played)
            yield line
        yield from host.rare_states(operations // RARE_STATES_SHARE)
        yield from host.constant_chains(operations // CHAIN_SHARE)
        long_waits = max(LEAST_LONG_WAITS, operations // LONG_WAIT_SHARE)
        yield from Patience(host, long_waits).sequences()
        yield self._directed("partial_rewrite").partial_rewrite()
        yield from self._directed("shortened").shortened()
        yield from self._directed("rewritten_after_reset").rewritten_after_reset(
            max(LEAST_AFTER_RESET, operations // AFTER_RESET_SHARE)
        )
        yield from self._directed("refault").refault(
            max(LEAST_REFAULTS, operations // REFAULT_SHARE)
        )

    def _directed(self, name: str) -> Host:
        return self.host(self.config, self.config.random(name))

    async def _play(self, line: Timeline, *, trial: bool = False) -> StressItem:
        item = StressItem(line, trial=trial)
        await self.start_item(item)
        await self.finish_item(item)
        return item

    async def _try(self, steps: Sequence[Step]) -> StressItem:
        return await self._play(timeline(bus_model(self.config), steps), trial=True)

    async def _replay(self, steps: Sequence[Step]) -> None:
        """Play one sequence without changes.

        Raises:
            ValueError: an address or word of a step is too wide for the bus.
        """
        config = self.config
        for step in steps:
            if step.address >> config.address_width or step.data >> config.bus_width:
                bits = f"{config.address_width} bits of address and {config.bus_width} of data"
                raise ValueError(f"{step.text!r}: the bus has {bits}")
        item = await self._play(timeline(bus_model(config), steps))
        if item.mismatch:
            self._report(item)

    def _note(self, item: StressItem) -> None:
        """Write the failure now, because the time limit may end the job before it is shrunk."""
        mismatch = item.mismatch
        assert mismatch is not None
        JobResult(
            failures=[message(self.config, item, shrunk=False)],
            failure_times=[mismatch.time_ns],
            replay=replay_text(played.step for played in item.steps),
        ).write(Path(RESULT_FILE))

    def _report(self, item: StressItem, *, shrunk: bool = True) -> None:
        """Report the failure of a sequence.

        Raises:
            FailureAt: always.
        """
        Path(LISTING_FILE).write_text(f"{listing(item)}\n")
        cocotb.log.error("a sequence that fails, also in %s:\n%s", LISTING_FILE, listing(item))
        mismatch = item.mismatch
        raise FailureAt(
            message(self.config, item, shrunk=shrunk),
            mismatch.time_ns if mismatch else get_sim_time("ns"),
            replay_text(played.step for played in item.steps) if mismatch else "",
        )

    async def _explain(self, line: Timeline, mismatch: Mismatch) -> None:
        """Shrink a failed sequence, play the shrunk sequence once more, and report it."""
        # Import here: shrink imports Hypothesis, which is slow to load and rarely needed.
        from verif.bench.stress.shrink import Shrinker

        @resume
        async def attempt(steps: Sequence[Step]) -> Mismatch | None:
            return (await self._try(steps)).mismatch

        def fails(steps: Sequence[Step]) -> bool:
            found = attempt(steps)
            return found is not None and found.kind == mismatch.kind

        def cycles(steps: Sequence[Step]) -> int:
            return timeline(bus_model(self.config), steps).end

        shrinker = Shrinker(self.config.bus_width, self.config.address_width, fails, cycles)
        needed = until(line, mismatch)
        steps = await bridge(shrinker.shrink)(needed)
        cocotb.log.info(
            "tried %d sequences to shorten a failing sequence of %d steps",
            shrinker.tries,
            len(line.played),
        )
        self._report(await self._try(steps))


def until(line: Timeline, mismatch: Mismatch) -> list[Step]:
    """Return the steps of a sequence up to a mismatch."""
    steps, granted = [], 0
    for played in line.played:
        if granted >= mismatch.transfers and played.asked > mismatch.cycle:
            break
        steps.append(played.step)
        granted += played.granted is not None
    return steps


def listing(item: StressItem) -> str:
    """Return the sequence up to its mismatch, one line per step: cycle, moment, step, answer."""
    mismatch = item.mismatch
    lines = [("cycle", "moment", "step", "answer by the model")]
    for played in item.steps:
        if mismatch and played.asked > mismatch.cycle:
            break
        answer = ""
        if played.answer:
            code = played.answer.data
            answer = f"rejected: {name_of(code, ERROR_CODES)}" if played.answer.rejected else ""
            if not played.step.write and not played.answer.rejected:
                status = played.step.address == CONTROL
                answer = f"{code:#x} ({status_text(code)})" if status else f"{code:#x}"
        cycle = played.asked if played.granted is None else played.granted
        lines.append((str(cycle), played.moment, played.what, answer))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    if mismatch:
        text.append(f"seen in cycle {mismatch.cycle}: {mismatch.text}")
    return "\n".join(text)


def message(config: BenchConfig, item: StressItem, *, shrunk: bool = True) -> str:
    """Return the failure of a sequence in one line, with the steps if the sequence is shrunk."""
    where = f"{config.entry.name} {config.width} bits"
    mismatch = item.mismatch
    if mismatch is None:
        return f"{where}: a sequence failed that does not fail again from a reset"
    granted = [played for played in item.steps if played.granted is not None]
    played = granted[: mismatch.transfers]
    last = played[-1] if played else None
    what = f"{last.what}: " if last and mismatch.kind not in ("busy", "done", "end") else ""
    said = f"{where} at {mismatch.time_ns:.0f} ns: {what}{mismatch.text}"
    if not shrunk:
        return said
    steps = ", ".join(
        p.what + (f" [{p.moment}]" if p.moment else "")
        for p in item.steps
        if p.asked <= mismatch.cycle
    )
    return f"{said}; in the fewest steps: {steps}"


class MultiplierStress(StressSequence):
    """The stress test of a multiplier."""

    host = MultiplierHost


class ExponentiationStress(StressSequence):
    """The stress test of an exponentiation core."""

    host = ExponentiationHost
