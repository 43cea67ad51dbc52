"""The command ``implement``: which jobs it plans, and what a job finds without tools."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from models.registry import architecture, hardware_architectures
from regress.cli.command_line import main
from regress.cli.workspace import Workspace
from regress.core.cases import CASES_FILE, CaseStatus
from regress.core.errors import UsageError
from regress.core.jobfile import RESULT_FILE, Job
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan
from regress.core.runfile import Status
from regress.core.terminal import Parser
from regress.run.record import RunRecord
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, ROOT
from verif.implement import job as job_process
from verif.implement import jobs
from verif.implement.command import add_implement
from verif.implement.figures import Fmax, figures_of
from verif.implement.jobs import (
    configuration,
    measured_points,
    planned_points,
    reference,
    settings_of,
)
from verif.implement.measure import Measured, MeasureJob
from verif.implement.point import ImplementationPoint, cycles
from verif.implement.targets.base import Area, Timing
from verif.library.netlist.hierarchy import CriticalPath, ModuleArea
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.recipe_tool import RECIPE_FILE
from verif.tests.context import CONTEXT, PROJECT

SETTINGS = settings_of(10.0, 1, area_only=False)
NOW = "2026-01-01T00:00:00Z"


def planned(*names: str, seeds: tuple[int, ...] = (1,), **changes: object) -> list:
    made = [configuration(CONTEXT, MULTIPLIER, name, 8, {}) for name in ("mm42", "mwr2mm")]
    return planned_points(CONTEXT, made, names, seeds, {**SETTINGS, **changes})


def test_the_first_seed_of_every_point_comes_first() -> None:
    assert [one.id for one in planned("ecp5", seeds=(1, 2))] == [
        "implement-mm42-8-ecp5-s1", "implement-mwr2mm-8-ecp5-s1",
        "implement-mm42-8-ecp5-s2", "implement-mwr2mm-8-ecp5-s2",
    ]  # fmt: skip


def test_a_target_without_seeds_and_an_area_get_one_job_of_any_range() -> None:
    ids = [one.id for one in planned("gates", "ecp5", seeds=(2, 3))]
    assert [name for name in ids if "mm42" in name] == [
        "implement-mm42-8-gates-s2", "implement-mm42-8-ecp5-s2", "implement-mm42-8-ecp5-s3",
    ]  # fmt: skip
    assert len(planned("ecp5", seeds=(2, 3), area_only=True)) == 2


def test_ids_of_points_name_what_is_not_the_default() -> None:
    (case,) = planned("ecp5")[0].job.cases
    assert case["name"] == "multiplier-mm42-8-ecp5"
    values = {"Elements": 15, "Latency": 4}
    made = [configuration(CONTEXT, EXPONENTIATION, "mwrkmm", 1024, values)]
    (one,) = planned_points(CONTEXT, made, ["gates"], (1,), SETTINGS)
    assert one.job.cases[0]["name"] == "exponentiation-mwrkmm-1024-Elements15-Latency4-gates"
    assert one.id == "exp_implement-mwrkmm-1024-gates-s1-Latency4"  # Elements follow from it


def parsed(*argv: str) -> argparse.Namespace:
    parser = Parser()
    add_implement(parser.add_subparsers(), PROJECT)
    return parser.parse_args(["implement", *argv])


@pytest.mark.parametrize(("text", "seeds"), [("1", (1,)), ("3", (1, 2, 3)), ("2-4", (2, 3, 4))])
def test_seeds_are_a_number_or_a_range(text: str, seeds: tuple[int, ...]) -> None:
    assert parsed("--seeds", text).seeds == seeds


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        *(
            ((f"--seeds={text}",), f"'{text}' is not accepted; accepted: 1 to 99, or a range")
            for text in ("0", "100", "x", "5-2", "0-3", "-", "2-100")
        ),
        (("--arch", "mm43"), "unknown architecture 'mm43'; accepted: .*did you mean 'mm42'"),
        (("--design", "adder"), "unknown design 'adder'; accepted: multiplier, exponentiation"),
        (("--target", "asic"), "unknown target 'asic'; accepted: ecp5, gates"),
        (("--width", "4,x"), "'x' is not accepted; accepted: an integer from 1"),
        (("--parameter", "Words"), "'Words' is not accepted; accepted: NAME=INTEGER"),
        (("--hdl", "/nowhere"), "'/nowhere' is not a design folder; accepted: a folder with mult"),
    ],
)
def test_a_wrong_option_is_one_line(argv: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parsed(*argv)


@pytest.mark.parametrize(
    ("width", "parameters", "message"),
    [
        (2, {}, "width 2 of mm42: accepted are"),
        (8, {"Words": 3}, "unknown parameter 'Words' of mm42; accepted: BusWidth"),
        (8, {"Netlist": 1}, "Netlist: implement makes netlists and accepts none"),
    ],
)
def test_a_configuration_that_is_not_legal_is_one_line(
    width: int, parameters: dict[str, int], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        configuration(CONTEXT, MULTIPLIER, "mm42", width, parameters)


def test_a_target_without_energy_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["implement", "--energy", "--arch", "mm42", "--dry-run", "--target"]
    assert main([*argv, "nangate45"], Workspace.of(CONTEXT)) == 0
    assert main([*argv, "nangate45,gates"], Workspace.of(CONTEXT)) == 2
    message = "--energy of target gates: accepted are nangate45, sky130hd"
    assert message in capsys.readouterr().err


def test_a_job_has_energy_only_if_it_is_asked_for() -> None:
    assert "energy" not in settings_of(10.0, 1, area_only=False)
    assert MeasureJob(target="nangate45", **settings_of(10.0, 1, False, energy=True)).energy


def test_small_widths_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["implement", "--width", "64,16", "--design", "all", "--arch", "mm42,mwr2mm"]
    assert main([*argv, "--target", "gates", "--dry-run"], Workspace.of(CONTEXT)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "implement-mm42-16-gates-s1"
    assert lines[7:] == ["exp_implement-mwr2mm-64-gates-s1", "8 points, 8 jobs"]


def test_cycles_are_those_of_the_models() -> None:
    entry = architecture("mwrkmm").with_parameters({"Elements": 20})
    assert cycles(entry, 1024, 32) == {
        "cycles_loop": 201,
        "cycles_product": pytest.approx(206, abs=0.5),
        "cycles_exponentiation": 214_683,
    }
    assert cycles(entry, 1024, 32, coherent=True)["cycles_exponentiation"] == 216_041


@pytest.mark.parametrize("name", hardware_architectures())
def test_times_are_cycles_at_the_median_frequency(name: str) -> None:
    formula = cycles(architecture(name), 32, 32)
    mhz = {1: 90.0, 2: 100.0, 3: 110.0}
    point = ImplementationPoint(id=f"multiplier-{name}-32-ecp5", parameters={}, mhz=mhz, **formula)
    assert point.time_product_us == pytest.approx(formula["cycles_product"] / 100, rel=1e-3)
    whole = formula["cycles_exponentiation"] / 100_000
    assert point.time_exponentiation_ms == pytest.approx(whole, abs=1e-4)
    without = point.model_copy(update={"mhz": {}})
    assert (without.time_product_us, without.time_exponentiation_ms) == (None, None)


def answer(seed: int, problem: str = "") -> Measured:
    path = CriticalPath(start="a", through=[], end=f"end {seed}", delay_ns=10 / seed)
    area = Area(luts=100, ffs=10, multipliers=0, memories=0, cells={"CCU2C": 7}, modules=[])
    area.modules = [
        ModuleArea(path="", module="multiplier", luts=40, ffs=10),
        ModuleArea(path="u_a", module="adder", luts=30),
        ModuleArea(path="u_b", module="adder", luts=30),
    ]
    return Measured(
        key="k" * 64,
        tools={"yosys": "1"},
        area=area,
        timing=None if problem else Timing(seed=seed, fmax_mhz=100.0 * seed, critical_path=path),
        problem=problem,
        date=NOW,
    )


class Stand:
    """Stands for the measurer."""

    problem = ""

    def __init__(self, *_: object) -> None: ...

    def measure(self, settings: object, recipe: object, stimulus: object) -> Measured:
        return answer(settings.seed, self.problem)


def ran(folder: Path, job: Job, monkeypatch: pytest.MonkeyPatch, problem: str = "") -> JobRecord:
    """The record of a job that ran in this process."""
    folder.mkdir()
    monkeypatch.setattr(job_process, "Measurer", Stand)
    monkeypatch.setattr(Stand, "problem", problem)
    recipe = Recipe(top="t", clock="clk_i", sources={})
    (folder / RECIPE_FILE).write_text(recipe.model_dump_json())
    job.write(folder / "job.json")
    assert job_process.main([str(folder), "--build", str(folder)]) == 0
    lines = [json.loads(line) for line in (folder / CASES_FILE).read_text().splitlines()]
    assert [line["name"] for line in lines] == job.case_names
    return folder


def test_a_job_writes_figures_and_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one, *_) = planned("ecp5")
    folder = ran(tmp_path / "job", one.job, monkeypatch)
    metrics = json.loads((folder / RESULT_FILE).read_text())["metrics"]
    assert metrics["LUT"]["value"] == 100
    assert metrics["LUT"]["parts"] == {"multiplier": 40, "adder": 60}
    assert metrics["LUT a bit"] == {**metrics["LUT a bit"], "value": 12.5, "better": ""}
    assert (metrics["MHz"]["value"], metrics["MHz"]["better"]) == (100, "more")
    (case,) = (json.loads(line) for line in (folder / CASES_FILE).read_text().splitlines())
    assert case["status"] == CaseStatus.PASSED.value


def test_what_a_tool_could_not_do_is_the_outcome_of_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one, *_) = planned("ecp5")
    folder = ran(tmp_path / "job", one.job, monkeypatch, "nextpnr ran out of memory")
    (case,) = (json.loads(line) for line in (folder / CASES_FILE).read_text().splitlines())
    assert (case["status"], case["message"]) == ("failed", "nextpnr ran out of memory")
    assert "MHz" not in json.loads((folder / RESULT_FILE).read_text())["metrics"]


def record_of(folder: Path, answers: dict[int, Measured]) -> RunRecord:
    """A run that measured one point with some seeds."""
    records = []
    for one in planned("ecp5", seeds=tuple(answers)):
        if one.job.subject == "mm42":
            case = job_process.outcome_of(one.job.cases[0], answers[one.job.seed])
            records.append(JobRecord(one, Status.PASSED, cases=(case,)))
    plan = Plan(name="implement", jobs=tuple(record.planned for record in records))
    record = RunRecord(CONTEXT, plan, folder, {})
    record.jobs = records
    return record


def test_a_point_has_the_cycles_of_all_its_seeds(tmp_path: Path) -> None:
    record = record_of(tmp_path, {seed: answer(seed) for seed in (1, 2, 3)})
    (point,) = measured_points(record, "abc")
    assert point.id == "multiplier-mm42-8-ecp5"
    assert point.mhz == {1: 100.0, 2: 200.0, 3: 300.0}
    assert point.path_end == "end 2"  # of the median seed
    assert (point.luts, point.carries, point.commit, point.key) == (100, 7, "abc", "k" * 16)
    assert point.modules == {"multiplier": 40, "adder": 60}
    assert str(point.measured) == "2026-01-01"


def test_a_run_of_something_else_has_no_points(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="measured no point; accepted: a run of implement"):
        measured_points(RunRecord(CONTEXT, Plan(name="smoke"), tmp_path, {}), "abc")


def test_the_report_has_the_largest_instances_and_pictures(tmp_path: Path) -> None:
    record = record_of(tmp_path, {1: answer(1)})
    (table,) = PROJECT.sections(record)
    assert table.rows[0][:4] == ["multiplier-mm42-8-ecp5", "(top)", "multiplier", "40"]
    assert table.rows[0][-1] == "40.0 %"
    assert any(title.startswith("Area by module") for title in PROJECT.plots(record))
    record.jobs = []
    assert (PROJECT.sections(record), PROJECT.plots(record)) == ([], {})


def test_a_point_never_measured_here_is_compared_with_the_results_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (one, *_) = planned("ecp5")
    name = one.job.cases[0]["name"]
    known = figures_of(answer(1)).model_dump() | {"mhz": {1: 100.0, 2: 120.0}}
    point = ImplementationPoint(
        **known, id=name, parameters={}, commit="abc",
        cycles_loop=1, cycles_product=1, cycles_exponentiation=1,
    )  # fmt: skip
    monkeypatch.setattr(jobs, "kept", lambda: {name: point})
    past = reference(one.job)
    assert past and past.sources == "abc"
    assert past.figures["LUT"].median == 100
    assert past.figures["MHz"].by_seed == {1: 100.0, 2: 120.0}
    assert reference(replace(one.job, simulator="gates")) is None
    # Of a summary the worst value counts for any seed, not the median.
    summary = point.model_copy(update={"mhz": {}, "mhz_summary": (100.0, 80.0, 120.0)})
    monkeypatch.setattr(jobs, "kept", lambda: {name: summary})
    past = reference(one.job)
    assert past and (past.figures["MHz"].median, past.figures["MHz"].worst) == (100.0, 80.0)
    assert list(past.figures["MHz"].by_seed) == [1, 2, 3, 4, 5]
    assert summary.fmax_mhz == Fmax(100.0, 80.0, 120.0, (1, 2, 3, 4, 5))


def test_a_point_has_the_sources_it_uses_and_no_other_core() -> None:
    (one, *_) = planned("ecp5")
    build = PROJECT.build("multiplier_implementation", one.point.point, None, None, False)
    names = {path.name for path in build.sources}
    assert {"multiplier.sv", "mm42.sv", "parallel_unit.sv"} <= names
    assert not names & {"mwr2mm.sv", "dual_radix.sv", "exponentiation.sv"}
    assert all(ROOT / "hdl" in path.parents for path in build.sources)
