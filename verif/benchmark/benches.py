"""The test benches that are compared: each is built once and returns a function that runs it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cocotb_tools.runner import get_runner

from models.architecture import Architecture
from regress.cli.composition import context_of
from regress.core.jobfile import JOB_FILE, RESULT_FILE, JobResult
from regress.core.loading import find_project
from regress.core.plan import planned_job
from regress.core.processes import ProcessGroups, clean_environment
from regress.run.build import SHARED, Builder
from regress.run.compile import TIMESCALE, CompileSpec
from regress.simulators import BuildOptions
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import (
    ROOT,
    Design,
    resolved_parameters,
    simulation_build,
)
from verif.bench.configuration.job import job_of
from verif.benchmark import polling
from verif.benchmark.workload import Workload
from verif.library.harness import build_harness, checked, design_sources, top_parameters

Run = Callable[[], float]
BUILDS = ROOT / "build"
# A run of less effort shows that the bench works; its rate means nothing. See `Project.effort`.
LEAST_EFFORT = 1e5


@dataclass(frozen=True)
class Measured:
    """Configuration and workload of a test bench.

    Attributes:
        workload: what it does.
        entry: registry entry of the core.
        width: operand width n.
        parameters: parameters of the top and of the core; missing ones take their defaults.
    """

    workload: Workload
    entry: Architecture
    width: int
    parameters: Mapping[str, int]

    @property
    def place(self) -> tuple[Design, Architecture, int, Mapping[str, int]]:
        """The configuration, as builds take it."""
        return self.workload.design, self.entry, self.width, self.parameters


def prepare_harness(measured: Measured, operands: Path, folder: Path) -> Run:
    """Build the C++ harness; returns a function that runs it."""
    program = build_harness(*measured.place, measured.workload.harness, folder)
    env = Verilator.find().build_environment(BuildOptions())
    return lambda: per_second(checked([str(program), str(operands)], folder, env))


def prepare_polling(measured: Measured, operands: Path, folder: Path) -> Run:
    """Build the top with the runner's defaults; returns a function that polls it."""
    build = simulation_build(*measured.place)
    # Every signal is visible, which is much code that runs once: as for waves, not optimised.
    env = Verilator.find().build_environment(BuildOptions(waves=True), BUILDS / SHARED)
    CompileSpec(
        simulator=Verilator.name,
        folder=str(folder / "build"),
        sources=design_sources(build),
        toplevel=measured.workload.design.top,
        defines=build.defines,
        parameters=top_parameters(measured.workload.design, build),
        arguments=[],
        processes=2,
        waves=False,
    ).write(folder / "compile.json")
    checked([sys.executable, "-m", "regress.run.compile", str(folder / "compile.json")], ROOT, env)
    result = folder / "result.txt"

    def run() -> float:
        result.unlink(missing_ok=True)
        get_runner(Verilator.runner).test(
            test_module=polling.__name__,
            hdl_toplevel=measured.workload.design.top,
            hdl_toplevel_lang="verilog",
            build_dir=folder / "build",
            test_dir=folder,
            timescale=TIMESCALE,
            log_file=folder / "log.txt",
            extra_env={
                polling.OPERANDS_VARIABLE: str(operands),
                polling.RESULT_VARIABLE: str(result),
            },
        )
        return per_second(result.read_text())

    return run


def prepare_environment(measured: Measured, operations: int, folder: Path) -> Run:
    """Build as the lists do; returns a function that runs the workload's throughput test."""
    verilator = Verilator.find()
    context = context_of(find_project())
    workload, entry, width = measured.workload, measured.entry, measured.width
    values = resolved_parameters(*measured.place)
    job = job_of(workload.test, entry.name, width, Verilator.name, 1, operations, values)
    planned = planned_job(context, job, 1, 0.0)
    found = {Verilator.name: verilator}
    # Of optimised code, also where a list would not optimise so short a job.
    long = {planned.point} if context.project.effort(planned.job) >= LEAST_EFFORT else set()
    builder = Builder(
        context.project, BUILDS, folder, found, ProcessGroups(), processes=2, long=long
    )
    outcome = builder.build(planned.point)
    if outcome.folder is None:
        raise SystemExit("\n".join(["benchmark: the build failed:", *outcome.errors]))
    planned.job.write(folder / JOB_FILE)
    command = [sys.executable, "-m", "regress.run.job", str(folder), "--build", str(outcome.folder)]

    def run() -> float:
        checked(command, ROOT, clean_environment())
        result = JobResult.read(folder / RESULT_FILE)
        if result.failures or result.operations != operations:
            raise SystemExit(f"benchmark: the environment failed: {result.failures[:1]}")
        return result.operations / result.wall_seconds

    return run


def per_second(text: str) -> float:
    """Operations per second from "operations cycles seconds"."""
    operations, _, seconds = text.split()
    return int(operations) / float(seconds)
