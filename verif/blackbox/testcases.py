"""The pyuvm test of a core from outside: a class of operands or a claim after the other."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any

import cocotb
import pyuvm
from cocotb.simtime import get_sim_time
from cocotb.task import bridge, resume
from cocotb.triggers import Timer
from hypothesis import strategies as st
from pyuvm import uvm_sequence, uvm_test

from regress.cases import Case, CaseStatus
from regress.jobfile import RESULT_FILE, Job, JobResult
from verif.blackbox.bench import BlackBoxConfig, BlackBoxEnv, BlackBoxItem, BlackBoxScoreboard
from verif.blackbox.classes import Draw, Operation
from verif.blackbox.plan import BEHAVIOURS, find_class
from verif.bus.item import ResetItem
from verif.walk.shrink import minimal

DRAIN_NS = 1000
# Clocks of an operation at which something is done to it: all of them up to so many, else the first
# and last few and some in between.
ALL_MOMENTS = 48
EDGE_MOMENTS = 8
Found = tuple[str, Operation] | None


class Stop(Exception):
    """A case has found what it looks for."""


class BlackBoxSequence(uvm_sequence):
    """Runs the cases of a job.

    Args:
        config: of the job.
        scoreboard: knows what became of each operation.
    """

    def __init__(self, config: BlackBoxConfig, scoreboard: BlackBoxScoreboard) -> None:
        super().__init__("black_box")
        self.config = config
        self.scoreboard = scoreboard
        self.failures: list[tuple[str, float]] = []
        self._times: dict[int, tuple[int, Operation, str]] = {}
        self._leak = ""

    async def body(self) -> None:
        """One case after the other, each written down when it is done."""
        for case in self.config.job.cases:
            name = str(case["name"])
            before, begin = self.scoreboard.operations, time.perf_counter()
            message = await self._run(name)
            count = self.scoreboard.operations - before
            if message:
                self.failures.append((f"{name}: {message}", get_sim_time("ns")))
            Case(
                name=name,
                status=CaseStatus.FAILED if message else CaseStatus.PASSED,
                message=message or "",
                note=f"{count} operations",
                facts={
                    "operations": count,
                    "seconds": round(time.perf_counter() - begin, 3),
                },
            ).append(Path())

    async def _run(self, name: str) -> str:
        """What is wrong; empty if nothing is."""
        behaviour = BEHAVIOURS.get(name)
        # A reset falls between two clocks, so they must not come in bursts.
        burst = behaviour != "reset" and not self.config.job.waves
        cocotb.top.clk_burst.value = int(burst)
        if behaviour:
            return await getattr(self, f"_{behaviour}")(
                Draw(self.config.facts, self.config.width, self.config.random(name))
            )
        return await self._operands(name)

    # Classes of operands

    async def _operands(self, name: str) -> str:
        config = self.config
        draw = Draw(config.facts, config.width, config.random(name))
        chosen = find_class(config.facts, name)
        for operation in chosen.operations(draw, config.job.operations):
            problem = await self._try(operation, name, legal=chosen.legal)
            if problem:
                return await self._shrunk(
                    operation,
                    problem,
                    lambda o: self._try(o, name, legal=chosen.legal),
                    lambda o: draw.legal(o) == chosen.legal and chosen.belongs(o, config.width),
                )
        return ""

    async def _try(
        self, operation: Operation, name: str, *, legal: bool = True, scramble: bool = False,
        restart: int = 0,
    ) -> str:  # fmt: skip
        """What is wrong with one operation; empty if nothing is."""
        item = BlackBoxItem(self.config, operation, scramble=scramble, restart=restart)
        self.scoreboard.expect()
        await self.start_item(item)
        await self.finish_item(item)
        record, problems = await self.scoreboard.outcome(item)
        refused = bool(problems) and problems[0].startswith("refused")
        if not legal:
            return "" if refused else f"was not refused: {problems[0] if problems else 'accepted'}"
        if record and not restart:
            self._time(operation, record.busy_clocks, name)
        return "; ".join(problems)

    def _time(self, operation: Operation, clocks: int, name: str) -> None:
        known = self._times.setdefault(operation.length, (clocks, operation, name))
        if known[0] != clocks and not self._leak:
            facts = self.config.facts
            self._leak = (
                f"{operation.text(facts)} ({name}) took {clocks} clocks, "
                f"{known[1].text(facts)} ({known[2]}) took {known[0]}"
            )

    async def _shrunk(
        self,
        operation: Operation,
        problem: str,
        attempt: Callable[[Operation], Coroutine[Any, Any, str]],
        belongs: Callable[[Operation], bool],
    ) -> str:
        """The smallest operation of a kind that fails like one, and how."""
        problems = {operation: problem}

        def fails(values: tuple[int, ...]) -> bool:
            tried = Operation(*values)
            if not belongs(tried):
                return False
            if tried not in problems:
                problems[tried] = resume(attempt)(tried)
            return kind(problems[tried]) == kind(problem)

        bits = st.integers(0, (1 << self.config.width) - 1)
        lengths = st.integers(0, self.config.width)
        found = await bridge(minimal)(st.tuples(bits, bits, bits, lengths), operation, fails)
        smallest = Operation(*found) if found else operation
        return f"{smallest.text(self.config.facts)}: {problems[smallest]}"

    # Claims

    async def _constant_time(self, draw: Draw) -> str:
        """Operands and exponents of all weights take the same time."""
        if not self._leak:
            for operation in self._timed(draw):
                problem = await self._try(operation, "constant time")
                if "not done" in problem:
                    return f"{operation.text(self.config.facts)}: {problem}"
        return self._leak

    def _timed(self, draw: Draw) -> Iterable[Operation]:
        """Operations that differ in what a core might need another clock for."""
        n, facts = self.config.width, self.config.facts
        m = draw.modulus()
        for _ in range(max(4, self.config.job.operations)):
            yield draw.with_modulus(m)
        if not facts.is_product:
            base = draw.operand(m)
            for weight in sorted({1, 2, n // 2, n - 1, n} - {0}):
                yield Operation(base, (1 << weight) - 1, m, n)
                yield Operation(base, ((1 << weight) - 1) << (n - weight), m, n)
        for _ in range(self.config.job.operations):
            yield draw.any()

    async def _clocks(self, draw: Draw) -> tuple[int, str]:
        """Clocks of an operation as measured, and what went wrong."""
        operation = draw.any()
        item = BlackBoxItem(self.config, operation)
        self.scoreboard.expect()
        await self.start_item(item)
        await self.finish_item(item)
        record, problems = await self.scoreboard.outcome(item)
        return (record.busy_clocks if record else 0), "; ".join(problems)

    async def _moments(self, draw: Draw) -> tuple[list[int], str]:
        """Clocks behind the start at which something is done to an operation."""
        clocks, problem = await self._clocks(draw)
        if problem:
            return [], f"already without it: {problem}"
        if clocks <= ALL_MOMENTS:
            return list(range(1, clocks)), ""
        edges = [*range(1, EDGE_MOMENTS + 1), *range(clocks - EDGE_MOMENTS, clocks)]
        between = draw.rng.sample(range(EDGE_MOMENTS + 1, clocks - EDGE_MOMENTS), EDGE_MOMENTS)
        return sorted({*edges, *between}), ""

    async def _latency(self, draw: Draw) -> str:
        """Of any operations, as claimed; every other case checks it, too."""
        for _ in range(max(4, self.config.job.operations)):
            operation = draw.any()
            problem = await self._try(operation, "latency")
            if "clocks" in problem:
                return f"{operation.text(self.config.facts)}: {problem}"
        return ""

    async def _reset(self, draw: Draw) -> str:
        """A reset in each clock of an operation; the next one is right."""
        moments, problem = await self._moments(draw)
        words = self.config.bus.operands[0].words
        loading = 2 * (3 * words + len(self.config.bus.operands))
        for moment in moments:
            cut = draw.any()
            await self.start_item(
                item := ResetItem(BlackBoxItem(self.config, cut), loading + moment)
            )
            await self.finish_item(item)
            following = draw.any()
            problem = await self._try(following, "after a reset")
            if problem:
                return (
                    f"after a reset about {moment} clocks into {cut.text(self.config.facts)}: "
                    f"{following.text(self.config.facts)}: {problem}"
                )
        return problem

    async def _restart(self, draw: Draw) -> str:
        """A second start during an operation changes nothing."""
        moments, problem = await self._moments(draw)
        for moment in moments:
            operation = draw.any()
            problem = await self._try(operation, "start while busy", restart=moment)
            if problem:
                return (
                    f"started again {moment} clocks into {operation.text(self.config.facts)}: "
                    f"{problem}"
                )
        return problem

    async def _scramble(self, draw: Draw) -> str:
        """Operands that change behind the start change nothing."""
        for _ in range(max(4, self.config.job.operations)):
            operation = draw.any()
            problem = await self._try(operation, "operands changed", scramble=True)
            if problem:
                return f"{operation.text(self.config.facts)}, changed behind the start: {problem}"
        return ""

    async def _back_to_back(self, draw: Draw) -> str:
        """One operation behind the other, with what was there before still in the core."""
        before = draw.any()
        for index in range(max(8, self.config.job.operations)):
            now = draw.with_modulus(before.m) if index % 2 else draw.any()
            problem = await self._try(now, "back to back")
            if problem:
                return (
                    f"{now.text(self.config.facts)} behind {before.text(self.config.facts)}: "
                    f"{problem}"
                )
            before = now
        return ""


def kind(problem: str) -> str:
    """What a problem is about, without its numbers."""
    return "".join(c for c in problem.partition("0x")[0] if not c.isdigit()).strip()


@pyuvm.test()
class CheckTest(uvm_test):
    """Runs the job's cases and writes down what became of them."""

    def build_phase(self) -> None:
        """Read the job, make the environment."""
        job, folder = Job.current()
        self.result_path = folder / RESULT_FILE
        JobResult(failures=["the simulation did not reach its end"], failure_times=[0.0]).write(
            self.result_path
        )
        self.config = BlackBoxConfig.from_job(job)
        self.cdb_set("CONFIG", self.config, "*")
        self.cdb_set("BURST_CLOCK", not job.waves, "*")
        self.env = BlackBoxEnv("env", self)
        self.failures: Sequence[tuple[str, float]] = ()
        self.wall_seconds = 0.0

    async def run_phase(self) -> None:
        """Run the sequence."""
        self.raise_objection()
        gc.freeze()
        begin = time.perf_counter()
        sequence = BlackBoxSequence(self.config, self.env.scoreboard)
        await sequence.start(self.env.agent.sequencer)
        self.failures = sequence.failures
        self.wall_seconds = time.perf_counter() - begin
        await Timer(DRAIN_NS, "ns")
        self.drop_objection()

    def report_phase(self) -> None:
        """Write the result and fail the test if anything did."""
        scoreboard = self.env.scoreboard
        JobResult(
            operations=scoreboard.operations,
            failures=[message for message, _ in self.failures],
            failure_times=[when for _, when in self.failures],
            coverage=dict(scoreboard.coverage()),
            clocks=scoreboard.clocks,
            sim_time_ns=get_sim_time("ns"),
            wall_seconds=self.wall_seconds,
        ).write(self.result_path)
        assert not self.failures, f"{len(self.failures)} failures, first: {self.failures[0][0]}"
