"""Jobs with waveforms, built and run once for all tests of a module."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from regress.core.jobfile import Job, JobResult
from regress.core.plan import planned_job
from regress.core.processes import ProcessGroups
from regress.run.build import Builder
from regress.simulators import BuildOptions, find_simulators
from verif.bench.configuration.design import ROOT
from verif.bench.configuration.job import job_of
from verif.library.edits.operators import Replace
from verif.tests.context import CONTEXT, PROJECT
from verif.tests.injected import SIMULATOR, InjectedFault, faulty_copy

WRONG_ENTRY = InjectedFault(
    "wrong table entry",
    "faster_montgomery",
    (
        Replace(
            module="faster_montgomery_table", signal="entry_o", to="(addr_i == 4'b0011) ? 2'b10 : @"
        ),
    ),
)


class Runner:
    """Runs each job in a separate folder."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._count = 0

    def __call__(self, job: Job, injected: InjectedFault | None = None) -> Path:
        """Build what the job needs, run it and return its folder; failures are the caller's."""
        self._count += 1
        folder = self._root / f"job-{self._count}"
        folder.mkdir()
        tools, _ = find_simulators([job.simulator])
        hdl = faulty_copy(injected, folder) if injected else None
        # Share builds of the unmodified design with the lists of other tests.
        builds = ROOT / "build" if hdl is None else self._root / "build"
        builder = Builder(PROJECT, builds, folder, tools, ProcessGroups(), os.cpu_count() or 1, hdl)
        planned = planned_job(CONTEXT, job, 1, 0.0)
        outcome = builder.build(planned.point)
        assert outcome.folder, outcome.errors
        planned.job.write(folder / "job.json")
        done = subprocess.run(
            [sys.executable, "-m", "regress.run.job", str(folder), "--build", str(outcome.folder)],
            cwd=ROOT,
            env=tools[job.simulator].build_environment(BuildOptions()),
            capture_output=True,
            text=True,
            check=False,
        )
        (folder / "log.txt").write_text(done.stdout + done.stderr)
        assert JobResult.read(folder / "result.json").operations, done.stdout + done.stderr
        return folder


JOB = job_of("random", "faster_montgomery", 8, SIMULATOR, seed=3, operations=12, waves=True)


def at_16_bits(job: Job) -> Job:
    """Return the same job at 16 bits."""
    return replace(job, point=job.point.with_value("width", 16))


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that runs a job, see :class:`Runner`."""
    return Runner(tmp_path_factory.mktemp("waves"))


@pytest.fixture(scope="session")
def broken(run: Callable[..., Path]) -> Path:
    """Run a job on a multiplier with a wrong entry in its table."""
    return run(at_16_bits(JOB), WRONG_ENTRY)


@pytest.fixture(scope="session")
def good(run: Callable[..., Path]) -> Path:
    """Run the same job on the unmodified design."""
    return run(at_16_bits(JOB))
