"""Every product of a small netlist, as a job of a list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.registry import architecture
from regress.core.cases import Case, read_cases
from regress.core.jobfile import RESULT_FILE, Job
from verif.bench.configuration.design import MULTIPLIER, hardware
from verif.bench.configuration.job import job_of
from verif.formal.run.exhaustive_job import TEST, cases_of, main
from verif.library.netlist.configuration import recipe_of
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.recipe_tool import RECIPE_FILE

WIDTH = 4
OPERATIONS = sum(m * m for m in range(3, 1 << WIDTH, 2))


def ran(folder: Path, width: int, recipe: Recipe) -> tuple[int, Case]:
    """Run a job; return the number of operations, and its case."""
    job = job_of(TEST, "mm42", width, "lanes", 1)
    job = Job(job.test, job.point, job.simulator, job.seed, cases=tuple(cases_of(job)))
    (folder / RECIPE_FILE).write_text(recipe.model_dump_json())
    job.write(folder / "job.json")
    assert main([str(folder), "--build", str(folder)]) == 0
    (case,) = read_cases(folder)
    return json.loads((folder / RESULT_FILE).read_text())["operations"], case


def recipe_at(width: int) -> Recipe:
    return recipe_of(hardware(MULTIPLIER, architecture("mm42"), width, {}))


@pytest.mark.simulation
def test_every_product_is_right(tmp_path: Path) -> None:
    operations, case = ran(tmp_path, WIDTH, recipe_at(WIDTH))
    assert (operations, case.status.value) == (OPERATIONS, "passed")


@pytest.mark.simulation
def test_a_wrong_product_fails_the_job(tmp_path: Path) -> None:
    """Bit 1 of a sum of three ones is 0."""
    recipe = recipe_at(WIDTH)
    name, old = "carry_save_adder.sv", "assign sum_o   = "
    assert recipe.sources[name].count(old) == 1
    changed = recipe.sources[name].replace(
        old, f"{old}Width'({{a_i[1] & b_i[1] & c_i[1], 1'b0}}) ^ "
    )
    sources = {**recipe.sources, name: changed}
    operations, case = ran(tmp_path, WIDTH, recipe.model_copy(update={"sources": sources}))
    assert operations == 0 and case.status.value == "failed"
    assert "M = " in case.message


def test_a_width_that_is_too_large_is_one_line(tmp_path: Path) -> None:
    _, case = ran(tmp_path, 9, recipe_at(9))
    assert case.message == "9 bits: accepted are widths up to 8"
