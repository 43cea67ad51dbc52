"""The pyuvm test of the user's own core: it runs the operand classes and claims in turn."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from pathlib import Path

import cocotb
import pyuvm
from cocotb.simtime import get_sim_time
from cocotb.triggers import Timer
from pyuvm import uvm_sequence, uvm_test

from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import RESULT_FILE, Job, JobResult
from verif.own_core.behaviours import Behaviours
from verif.own_core.bench import BlackBoxChecker, BlackBoxEnv
from verif.own_core.config import BlackBoxConfig
from verif.own_core.draw import Draw, OperandClass, Operation
from verif.own_core.plan import BEHAVIOURS, find_class
from verif.own_core.reference import WRONG
from verif.own_core.standstill import end_at_standstill
from verif.own_core.trial import Trial

DRAIN_NS = 1000
# The claims that do not concern results.
OF_TIME = ("latency", "constant_time")
# After this many operations without an end the test stops: each one costs as much as a long job.
MOST_HANGS = 3


class BlackBoxSequence(uvm_sequence):
    """Runs the cases of a job.

    Args:
        config: configuration of the job.
        checker: checker with the outcome of each operation.
    """

    def __init__(self, config: BlackBoxConfig, checker: BlackBoxChecker) -> None:
        super().__init__("black_box")
        self.config = config
        self.checker = checker
        self.failures: list[tuple[str, float]] = []
        self._trial = Trial(config, checker, self)

    async def body(self) -> None:
        """Run the cases in turn and record each when it is done."""
        hanging, hint = 0, {}
        for case in self.config.job.cases:
            name = str(case["name"])
            write_unfinished(Path(), f"{name}: ")
            if hint and BEHAVIOURS.get(name) not in OF_TIME:
                message = f"results are right for k = {hint['k']}, which is not claimed"
                Case(name, CaseStatus.NOT_RUN, message).append(Path())
                continue
            if hanging >= MOST_HANGS:
                message = f"operations of {hanging} cases before it did not end"
                Case(name, CaseStatus.NOT_RUN, message).append(Path())
                continue
            before, begin = self.checker.operations, time.perf_counter()
            hung = self._trial.hung
            known = [Operation.read(values) for values in case.get("operations", ())]
            message = await self._run(name, known)
            # The test of a property may have met a wrong result that no case has reported, or have
            # ended at an operation that did not end.
            met = self._trial.unreported
            if not message and met and (not self.failures or self._trial.hung > hung):
                message = self._trial.text(met)
            when = get_sim_time("ns")
            if message:
                if WRONG in message:
                    hint = await self._hint(name)
                    message += f", right for k = {hint['k']}" if hint else ""
                await self._trial.fresh()
            hanging += self._trial.hung > hung
            count = self.checker.operations - before
            if message:
                self.failures.append((f"{name}: {message}", when))
            status = CaseStatus.FAILED if message else CaseStatus.PASSED
            if not message and not count and name not in BEHAVIOURS:
                status, message = CaseStatus.NOT_RUN, "no legal operation of this class was found"
            Case(
                name=name,
                status=status,
                message=message or "",
                note=f"{count} operations",
                facts={
                    "operations": count,
                    "seconds": round(time.perf_counter() - begin, 3),
                    "cycles": list(self._trial.cycles or ()),
                    **hint,
                    "again": {"operations": [one.plain for one in self._trial.shown]},
                },
            ).append(Path())

    async def _hint(self, name: str) -> dict[str, int]:
        """Return the k with which results are right, if the claimed k is wrong."""
        draw = Draw(self.config.description, self.config.width, self.config.random("k", len(name)))
        shown = self._trial.shown
        k = await self._trial.right_k(draw)
        self._trial.shown = shown
        return {} if k is None else {"k": k}

    async def _run(self, name: str, known: Sequence[Operation]) -> str:
        """Run a case; return what is wrong, or "".

        Args:
            name: name of the case.
            known: operations that may show a problem on their own.
        """
        behaviour = BEHAVIOURS.get(name)
        self._trial.begin()
        draw = Draw(self.config.description, self.config.width, self.config.random(name))
        if behaviour:
            return await getattr(Behaviours(self._trial, draw, known), behaviour)()
        return await self._operands(find_class(self.config.description, name), draw, known)

    async def _operands(self, chosen: OperandClass, draw: Draw, known: Sequence[Operation]) -> str:
        config, trial = self.config, self._trial

        async def attempt(operation: Operation) -> str:
            outcome = await trial.run(operation)
            if chosen.legal:
                result = outcome.result
                if result is not None and not config.description.claims.reduced:
                    result %= operation.m
                return outcome.wrong or draw.judged(operation, result)
            return "" if outcome.rejected else f"was not rejected: {outcome.wrong or 'accepted'}"

        def belongs(operation: Operation) -> bool:
            right = draw.legal(operation) == chosen.legal
            return right and chosen.belongs(operation, config.width)

        for operation in [*known, *chosen.operations(draw, config.job.operations)]:
            problem = await attempt(operation)
            if problem and operation in known:
                return trial.text((operation, problem))
            if problem:
                found = await trial.smallest((operation, problem), attempt, chosen.draw, belongs)
                return trial.text(found)
        return ""


def write_unfinished(folder: Path, where: str = "") -> None:
    """Write the message to report if the simulation ends from here on."""
    failures = [f"{where}the simulation did not reach its end"]
    JobResult(failures=failures, failure_times=[get_sim_time("ns")]).write(folder / RESULT_FILE)


@pyuvm.test()
class CheckTest(uvm_test):
    """Runs the job's cases and records their outcomes."""

    sequence = BlackBoxSequence

    def build_phase(self) -> None:
        """Read the job and create the environment."""
        job, folder = Job.current()
        self.result_path = folder / RESULT_FILE
        write_unfinished(folder)
        self.config = BlackBoxConfig.from_job(job)
        self.cdb_set("CONFIG", self.config, "*")
        self.env = BlackBoxEnv("env", self)
        self.failures: Sequence[tuple[str, float]] = ()
        self.wall_seconds = 0.0

    async def run_phase(self) -> None:
        """Run the sequence."""
        self.raise_objection()
        cocotb.start_soon(end_at_standstill())
        gc.freeze()
        begin = time.perf_counter()
        sequence = self.sequence(self.config, self.env.scoreboard.checker)
        await sequence.start(self.env.agent.sequencer)
        self.failures = sequence.failures
        self.wall_seconds = time.perf_counter() - begin
        await Timer(DRAIN_NS, "ns")
        self.drop_objection()

    def report_phase(self) -> None:
        """Write the result, and fail the test if any case failed."""
        checker = self.env.scoreboard.checker
        JobResult(
            operations=checker.operations,
            failures=[message for message, _ in self.failures],
            failure_times=[when for _, when in self.failures],
            coverage=dict(checker.coverage()),
            cycles=checker.cycles,
            sim_time_ns=get_sim_time("ns"),
            wall_seconds=self.wall_seconds,
        ).write(self.result_path)
        assert not self.failures, f"{len(self.failures)} failures, first: {self.failures[0][0]}"
