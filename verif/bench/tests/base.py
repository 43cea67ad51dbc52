"""Base class of the pyuvm tests. One simulator process runs one test."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path
from typing import ClassVar

from cocotb.simtime import get_sim_time
from cocotb.triggers import SimTimeoutError, Timer, with_timeout
from pyuvm import uvm_test

from regress.core.jobfile import JOB_VARIABLE, NOT_ENDED, RESULT_FILE, Job, JobResult
from verif.bench.configuration.config import BenchConfig
from verif.bench.env.env import LoaderEnv
from verif.bench.sequences.sequence import FailureAt, LoaderSequence

DRAIN_NS = 1000
# Threshold of Python's garbage collector. It is high, because items and records form no cycles.
GARBAGE_THRESHOLD = 50_000


class LoaderTest(uvm_test):
    """Reads the job, runs one sequence, and writes the result in any case.

    Attributes:
        environment: class of the design's environment.
        sequence: class of the test's sequence.
        burst_clock: simulate many cycles in one time slot, see ``bench_clock.sv``; only for
            sequences in which the transactor makes every transfer.
    """

    environment: ClassVar[type[LoaderEnv]]
    sequence: ClassVar[type[LoaderSequence]]
    burst_clock: ClassVar[bool] = True

    def build_phase(self) -> None:
        """Read the job and create the environment."""
        path = Path(os.environ[JOB_VARIABLE])
        self.result_path = path.parent / RESULT_FILE
        # The end of the test overwrites this result. It stays if the simulation crashes.
        JobResult(failures=[NOT_ENDED], failure_times=[0.0]).write(self.result_path)
        self.config = BenchConfig.from_job(Job.read(path))
        self.cdb_set("CONFIG", self.config, "*")
        # No bursts with waveforms, so that every cycle is visible.
        self.cdb_set("BURST_CLOCK", self.burst_clock and not self.config.job.waves, "*")
        self.env = self.environment("env", self)
        self.wall_seconds = 0.0
        self.replay = ""

    async def run_phase(self) -> None:
        """Run the sequence."""
        self.raise_objection()
        gc.freeze()  # exclude the existing objects from garbage collection: they all stay alive
        gc.set_threshold(GARBAGE_THRESHOLD)
        begin = time.perf_counter()
        try:
            await self._run_sequence(self.config.job.time_limit_ns)
        except FailureAt as problem:
            self.replay = problem.replay
            self.env.scoreboard.fail(str(problem), problem.time_ns)
        except ValueError as problem:
            self.env.scoreboard.fail(str(problem))
        self.env.scoreboard.flush()
        self.wall_seconds = time.perf_counter() - begin
        await Timer(DRAIN_NS, "ns")  # the last record may arrive after the driver ends
        self.drop_objection()

    async def _run_sequence(self, limit_ns: float) -> None:
        """Run the sequence for at most ``limit_ns``; 0 means no limit."""
        running = self.sequence(self.config).start(self.env.agent.sequencer)
        if not limit_ns:
            await running
            return
        try:
            await with_timeout(running, limit_ns, "ns", round_mode="ceil")
        except SimTimeoutError:
            self.env.scoreboard.fail(f"simulated time limit of {limit_ns:g} ns reached")

    def report_phase(self) -> None:
        """Write the result, and fail the test if it has a failure."""
        scoreboard = self.env.scoreboard
        JobResult(
            operations=scoreboard.operations,
            failures=scoreboard.failures,
            failure_times=scoreboard.failure_times,
            coverage=self.env.coverage.model.as_dict(),
            cycles=scoreboard.cycles,
            sim_time_ns=get_sim_time("ns"),
            replay=self.replay,
            wall_seconds=self.wall_seconds,
        ).write(self.result_path)
        self.logger.info("%d operations checked", scoreboard.operations)
        left_out = self.env.coverage.model.left_out
        if left_out:
            self.logger.info(
                "a black box: values, status, cycles and pins are checked; left out is the inside "
                "(states, cycles of the loop, flags of the last subtraction; coverage of %s)",
                ", ".join(left_out),
            )
        assert not scoreboard.failures, (
            f"{len(scoreboard.failures)} failures, first: {scoreboard.failures[0]}"
        )
