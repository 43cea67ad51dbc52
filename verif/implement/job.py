"""Child process: measures one point with one seed.

``python -m verif.implement.job FOLDER --build BUILD`` reads ``job.json`` in FOLDER and
``recipe.json`` in BUILD and writes ``measured.json`` into FOLDER. Tools and what was measured are
kept below the working folder: that of the project, or of its sources on a worker. The exit code is
0 whatever the tools made of it: what became of them is part of the answer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from regress.core.processes import end_with_parent
from verif.implement.measure import CACHE, Measured, MeasureJob, Measurer
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.toolbox import Toolbox, default_toolbox_folder

JOB_FILE = "job.json"
RECIPE_FILE = "recipe.json"
MEASURED_FILE = "measured.json"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; returns the exit code."""
    end_with_parent()
    parser = argparse.ArgumentParser(prog="python -m verif.implement.job", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with job.json")
    parser.add_argument("--build", type=Path, required=True, help="folder with recipe.json")
    arguments = parser.parse_args(argv)
    job = MeasureJob.model_validate_json((arguments.folder / JOB_FILE).read_text())
    recipe = Recipe.model_validate_json((arguments.build / RECIPE_FILE).read_text())
    found = measure(job, recipe)
    (arguments.folder / MEASURED_FILE).write_text(found.model_dump_json(indent=1) + "\n")
    print(found.problem or f"{job.target}: measured in {'no' if found.cached else 'some'} time")
    return 0


def measure(job: MeasureJob, recipe: Recipe) -> Measured:
    """Measure what a job asks of a recipe."""
    toolbox = Toolbox(default_toolbox_folder(Path.cwd()))
    return Measurer(Path.cwd() / CACHE, toolbox).measure(job, recipe)


if __name__ == "__main__":
    sys.exit(main())
