"""Process of a job that attacks one configuration in all lanes.

``python -m verif.security.job FOLDER --build BUILD`` reads ``job.json`` in FOLDER and the recipe in
BUILD. It writes the counts into ``result.json``, tables into the facts of the job's case, pictures
and the whole page into FOLDER.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from regress.core.cases import Case, CaseStatus
from regress.core.errors import UsageError
from regress.core.jobfile import RESULT_FILE, JobResult
from regress.core.jobprocess import begin_job
from regress.core.metrics import Metric
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.uniform import DifferenceError
from verif.library.netlist.recipe_tool import read_recipe
from verif.security.jobs import NAME, PROGRAM, attack_of, design_of, facts_of, hardware_of
from verif.security.outcome import Outcome

PAGE = "report.html"


def main(argv: Sequence[str] | None = None) -> int:
    """Attack; return the exit code. A failed check is the outcome of the case."""
    folder, build, job = begin_job(PROGRAM, argv)
    recipe = read_recipe(build)
    bench = LaneBench.of_recipe(design_of(job.test), hardware_of(job), job.point["width"], recipe)
    (name,) = (str(case[NAME]) for case in job.cases)
    try:
        outcome = attack_of(job).run(bench)
    except (DifferenceError, UsageError) as error:
        outcome = Outcome(name, 0, {}, failures=[str(error)])
    metrics = {k: Metric(v) for k, v in outcome.figures.items() if isinstance(v, int | float)}
    failures = list(outcome.failures)
    JobResult(outcome.experiments, failures, metrics=metrics).write(folder / RESULT_FILE)
    outcome.write_page(folder / PAGE, [])
    status = CaseStatus.FAILED if failures else CaseStatus.PASSED
    facts = facts_of(outcome, folder)
    Case(name, status, "; ".join(failures), "; ".join(outcome.remarks), facts).append(folder)
    print(*outcome.lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
