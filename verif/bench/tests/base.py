"""Base of the pyuvm tests: one simulator process runs one of them."""

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
# Objects made and not yet gone before garbage is searched for: items and records leave none behind.
GARBAGE_THRESHOLD = 50_000


class LoaderTest(uvm_test):
    """Reads the job, runs one sequence, writes the result whatever happened.

    Attributes:
        environment: of the design.
        sequence: the sequence that makes the test.
        burst_clock: many clocks in one simulator time slot, see ``bench_clock.sv``; only for
            sequences that leave every transfer to the transactor.
    """

    environment: ClassVar[type[LoaderEnv]]
    sequence: ClassVar[type[LoaderSequence]]
    burst_clock: ClassVar[bool] = True

    def build_phase(self) -> None:
        """Read the job and create the environment."""
        path = Path(os.environ[JOB_VARIABLE])
        self.result_path = path.parent / RESULT_FILE
        # Overwritten at the end; stays if the simulation dies.
        JobResult(failures=[NOT_ENDED], failure_times=[0.0]).write(self.result_path)
        self.config = BenchConfig.from_job(Job.read(path))
        self.cdb_set("CONFIG", self.config, "*")
        # In waves every clock is to be seen.
        self.cdb_set("BURST_CLOCK", self.burst_clock and not self.config.job.waves, "*")
        self.env = self.environment("env", self)
        self.wall_seconds = 0.0
        self.replay = ""

    async def run_phase(self) -> None:
        """Run the sequence."""
        self.raise_objection()
        gc.freeze()  # what is there now stays: no need to search it for garbage again and again
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
        await Timer(DRAIN_NS, "ns")  # the last record may arrive after the driver is done
        self.drop_objection()

    async def _run_sequence(self, limit_ns: float) -> None:
        """Run the sequence, at most for so long; 0 for as long as it takes."""
        running = self.sequence(self.config).start(self.env.agent.sequencer)
        if not limit_ns:
            await running
            return
        try:
            await with_timeout(running, limit_ns, "ns", round_mode="ceil")
        except SimTimeoutError:
            self.env.scoreboard.fail(f"simulated time limit of {limit_ns:g} ns reached")

    def report_phase(self) -> None:
        """Write the result and fail the test if anything did."""
        scoreboard = self.env.scoreboard
        JobResult(
            operations=scoreboard.operations,
            failures=scoreboard.failures,
            failure_times=scoreboard.failure_times,
            coverage=self.env.coverage.model.as_dict(),
            clocks=scoreboard.clocks,
            sim_time_ns=get_sim_time("ns"),
            replay=self.replay,
            wall_seconds=self.wall_seconds,
        ).write(self.result_path)
        self.logger.info("%d operations checked", scoreboard.operations)
        left_out = self.env.coverage.model.left_out
        if left_out:
            self.logger.info(
                "a black box: values, status, clocks and pins are checked; left out is the inside "
                "(states, clocks of the loop, flags of the last subtraction; coverage of %s)",
                ", ".join(left_out),
            )
        assert not scoreboard.failures, (
            f"{len(scoreboard.failures)} failures, first: {scoreboard.failures[0]}"
        )
