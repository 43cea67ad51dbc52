"""Process of a job that measures one point with one seed.

``python -m verif.implement.job FOLDER --build BUILD`` reads ``job.json`` in FOLDER and the recipe
in BUILD. It writes the figures into ``result.json``, and everything else that it found into the
facts of the job's case. Tools and measurements are kept below the working folder: that of the
project, or of its sources on a worker.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import RESULT_FILE, JobResult
from regress.core.jobprocess import begin_job
from verif.implement.energy.stimulus import stimulus_of_job
from verif.implement.figures import figures_of, metrics_of
from verif.implement.measure import CACHE, Measured, MeasureJob, Measurer
from verif.implement.toolbox import Toolbox, default_toolbox_folder
from verif.library.netlist.recipe_tool import read_recipe

# Keys of a case: its name, which is the id of the point, and how to measure it.
NAME, SETTINGS = "name", "settings"
# Fact of a case: the measured figures.
MEASURED = "measured"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; return the exit code. A tool's failure is the outcome of the case."""
    folder, build, job = begin_job("verif.implement.job", argv)
    recipe = read_recipe(build)
    toolbox = Toolbox(default_toolbox_folder(Path.cwd()))
    measurer = Measurer(Path.cwd() / CACHE, toolbox)
    for case in job.cases:
        settings = MeasureJob(target=job.simulator, seed=job.seed, **case.get(SETTINGS, {}))
        found = measurer.measure(settings, recipe, partial(stimulus_of_job, job))
        metrics = metrics_of(figures_of(found), job.point["width"])
        JobResult(metrics=metrics).write(folder / RESULT_FILE)
        outcome_of(case, found).append(folder)
        print(found.problem or f"{case[NAME]}: {'found measured' if found.cached else 'measured'}")
    return 0


def outcome_of(case: Mapping[str, Any], found: Measured) -> Case:
    """Return the outcome of a case: it failed if something that was asked for is missing."""
    status = CaseStatus.FAILED if found.problem else CaseStatus.PASSED
    note = "found measured" if found.cached else ""
    facts = {MEASURED: found.model_dump(mode="json")}
    return Case(case[NAME], status, found.problem, note, facts)


if __name__ == "__main__":
    sys.exit(main())
