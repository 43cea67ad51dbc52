"""Attacks as jobs of a list: their process, its verdict, and the sections of a report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from models.registry import architecture
from regress.core.cases import CASES_FILE, read_cases
from regress.core.errors import UsageError
from regress.core.expansion import Selection, expand
from regress.core.jobfile import RESULT_FILE, Job
from regress.core.lists import find_list, load_list
from verif.bench.configuration.design import DESIGNS, Hardware, hardware
from verif.bench.configuration.job import job_of
from verif.library.lanes.tool import LaneTool
from verif.library.netlist.configuration import recipe_of
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.recipe_tool import RECIPE_FILE
from verif.project.lane_design import LANE_TESTS
from verif.security import jobs, leakage
from verif.security.job import main
from verif.security.upsets_report import Expectation
from verif.tests.context import CONTEXT, PROJECT

FEW = 4096
# Seeds whose first modulus is a prime, and one with a square factor: 189 = 27 * 7.
PRIME, SQUARE = 1, 3


def job_at(test: str, width: int = 8, seed: int = PRIME) -> Job:
    """A job of a list with mwrkmm."""
    point = PROJECT.resolved(test, job_of(test, "mwrkmm", width, "", 1).point)
    point = point.with_value("parameters", {**point["parameters"], "BusWidth": 8})
    job = Job(test, point, LaneTool.name, seed, FEW)
    return replace(job, cases=tuple(PROJECT.cases(job)))


def made(job: Job) -> Hardware:
    design = next(each for each in DESIGNS.values() if each.top == LANE_TESTS[job.test].toplevel)
    return hardware(design, architecture("mwrkmm"), job.point["width"], job.point["parameters"])


def ran(folder: Path, job: Job, recipe: Recipe) -> tuple[dict[str, Any], Any]:
    """The result and the case of a job's process."""
    folder.mkdir()
    (folder / RECIPE_FILE).write_text(recipe.model_dump_json())
    job.write(folder / "job.json")
    assert main([str(folder), "--build", str(folder)]) == 0
    (case,) = read_cases(folder)
    assert case.name == job.case_names[0] and (folder / CASES_FILE).is_file()
    return json.loads((folder / RESULT_FILE).read_text()), case


@pytest.mark.parametrize("test", LANE_TESTS)
def test_the_command_of_a_failed_job_is_that_of_one_job(test: str) -> None:
    assert PROJECT.case_command(job_at(test), "", "") == []


@pytest.mark.simulation
def test_a_report_has_tables_and_heat_maps_of_an_attack(tmp_path: Path) -> None:
    job = job_at("exp_leakage_exponent")
    result, case = ran(tmp_path / "job", job, recipe_of(made(job)))
    assert case.status.value == "passed" and not result["failures"]
    assert result["operations"] >= 2 * FEW
    record = SimpleNamespace(folder=tmp_path, jobs=[SimpleNamespace(folder="job", cases=[case])])
    titles = [table.title for table in jobs.sections(record)]
    assert any("Hamming distance and weight by module" in title for title in titles)
    assert all("exponentiation-mwrkmm-8-bus8" in title for title in titles)
    pictures = jobs.plots(record)
    assert len(pictures) == 3 and all(svg.startswith("<svg") for svg in pictures.values())


@pytest.mark.simulation
def test_more_silent_errors_than_expected_fail_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = job_at("upsets_flip")
    assert jobs.attack_of(job).expectation.known("multiplier-mwrkmm-8-bus8-flip-seed1")
    stored = tmp_path / "upsets.json"
    stored.write_text(json.dumps({"multiplier-mwrkmm-8-bus8-flip-seed1": {"silent": 7}}))
    monkeypatch.setattr(jobs, "Expectation", lambda: Expectation(stored))
    result, case = ran(tmp_path / "job", job, recipe_of(made(job)))
    assert case.status.value == "failed" and "expected at most 7" in case.message
    assert len(result["failures"]) == 1


@pytest.mark.simulation
def test_a_duration_that_depends_on_the_exponent_fails_the_job(tmp_path: Path) -> None:
    job = job_at("exp_leakage_exponent")
    recipe = recipe_of(made(job))
    name, old = "exponentiation_host.sv", "request_o.length = length;"
    new = "request_o.length = (exponent_length == '0) ? 16'd1 : exponent_length;"
    assert recipe.sources[name].count(old) == 1
    sources = {**recipe.sources, name: recipe.sources[name].replace(old, new)}
    _, case = ran(tmp_path / "job", job, recipe.model_copy(update={"sources": sources}))
    assert case.status.value == "failed" and "predicted" in case.message


@pytest.mark.simulation
def test_a_result_0_that_control_shows_fails_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A base other than 0 has a power 0 if M has a square factor; the core subtracts M then."""
    job = job_at("exp_leakage_exponent", seed=SQUARE)
    recipe = recipe_of(made(job))
    _, case = ran(tmp_path / "promised", job, recipe)
    assert case.status.value == "passed"  # leakage draws another modulus
    monkeypatch.setattr(leakage, "square_free", lambda modulus: True)
    _, case = ran(tmp_path / "job", job, recipe)
    assert case.status.value == "failed"
    assert case.message.startswith("u_residue.bank_q[0] is not equal in all lanes")


def test_moduli_with_a_square_factor_are_known() -> None:
    assert [m for m in range(129, 256, 2) if not leakage.square_free(m)][:4] == [135, 147, 153, 169]


def test_a_width_that_is_too_large_is_one_line() -> None:
    attack = jobs.attack_of(job_at("leakage_operand"))
    with pytest.raises(UsageError, match="width 72: accepted are widths up to 64"):
        attack.run(SimpleNamespace(width=72))


def test_list_security_has_jobs_of_all_kinds_and_nightly_includes_it() -> None:
    (listed, nightly) = (find_list(PROJECT, name) for name in ("security", "nightly"))
    plan = expand(CONTEXT, load_list(CONTEXT, listed), Selection({}))
    kinds = {"exhaustive_netlist", "exp_leakage_exponent", "exp_upsets_flip", "upsets_flip"}
    kinds |= {"exp_upsets_idle", "upsets_idle"}
    assert kinds <= {job.job.test for job in plan}
    assert listed.stem in yaml.safe_load(nightly.read_text())["include"]
