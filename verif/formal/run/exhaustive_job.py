"""Process of a job that runs every legal operand triple of a multiplier on its netlist.

``python -m verif.formal.run.exhaustive_job FOLDER --build BUILD`` reads ``job.json`` in FOLDER and
the recipe in BUILD. It writes ``result.json`` and the outcome of the job's case into FOLDER.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from models.exhaustive import MAX_WIDTH
from models.registry import architecture
from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import RESULT_FILE, Job, JobResult
from regress.core.jobprocess import begin_job
from regress.core.processes import ProcessGroups
from regress.core.project import Test
from verif.bench.configuration.design import MULTIPLIER, hardware
from verif.formal.run.exhaustive import Simulation, simulate_on
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.tool import lanes_test
from verif.library.netlist.recipe_tool import read_recipe

PROGRAM = "verif.formal.run.exhaustive_job"
TEST = "exhaustive_netlist"
TESTS: Mapping[str, Test] = MappingProxyType(
    {
        TEST: lanes_test(
            MULTIPLIER,
            PROGRAM,
            "every legal operand triple on the netlist (command formal --exhaustive)",
        )
    }
)


def cases_of(job: Job) -> list[dict[str, Any]]:
    """Return the only case of a job."""
    return [{"name": f"every product of {job.subject}, {job.point['width']} bits"}]


def main(argv: Sequence[str] | None = None) -> int:
    """Simulate; return the exit code. A wrong answer is the outcome of the case."""
    folder, build, job = begin_job(PROGRAM, argv)
    found = _simulated(job, build)
    failures = [found.finding] if found.finding else []
    result = JobResult(found.operations, failures, cycles=found.cycles)
    result.write(folder / RESULT_FILE)
    status = CaseStatus.FAILED if failures else CaseStatus.PASSED
    note = f"{found.operations:,} operations in {found.seconds:.1f} s"
    Case(job.case_names[0], status, found.finding, note).append(folder)
    print(found.finding or note)
    return 0


def _simulated(job: Job, build: Path) -> Simulation:
    point = job.point
    width = point["width"]
    if width > MAX_WIDTH:
        message = f"{width} bits: accepted are widths up to {MAX_WIDTH}"
        return Simulation(job.subject, width, 0, 0, 0.0, message)
    made = hardware(MULTIPLIER, architecture(job.subject), width, point["parameters"])
    bench = LaneBench.of_recipe(MULTIPLIER, made, width, read_recipe(build))
    return simulate_on(bench, ProcessGroups())


if __name__ == "__main__":
    sys.exit(main())
