"""What the manager asks of this project: lists, exclusions, messages, simpler configurations."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from models.registry import hardware_architectures
from regress.core.errors import UsageError
from regress.core.expansion import Selection, expand
from regress.core.jobfile import CODE_COVERAGE_FILE, Job
from regress.core.lists import available_lists, find_list, load_list
from regress.core.plan import PlannedJob, planned_job
from regress.core.point import PointError
from regress.core.processes import ProcessGroups
from regress.core.runfile import Status
from regress.coverage.code import BRANCH, LINE, TOGGLE, CodeCoverageReader, Sources
from regress.coverage.exclusions import load_exclusions
from regress.executors.local import LocalExecutor
from regress.run.attempts import JobRunner
from regress.run.buckets import normalised
from regress.run.build import Builder
from regress.run.shrink import simpler_jobs
from regress.simulators import find_simulators
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import FRONT, MULTIPLIER, ROOT
from verif.bench.configuration.job import job_of, point_of
from verif.project.loader_design import LoaderDesign
from verif.tests.context import CONTEXT, PROJECT


def test_every_list_of_the_project_is_good() -> None:
    assert "smoke" in available_lists(PROJECT.list_folder)
    for path in available_lists(PROJECT.list_folder).values():
        load_list(CONTEXT, path)


def test_the_projects_own_file_is_valid() -> None:
    load_exclusions(PROJECT)


def drawn_by_night(seed: int, names: Sequence[str]) -> Sequence[PlannedJob]:
    nightly = load_list(CONTEXT, find_list(PROJECT, "nightly"))
    selection = Selection(seed=seed, tags=("drawn",), values={"architecture": names})
    return expand(CONTEXT, nightly, selection)


def simulators_by_test(selection: Selection) -> set[tuple[str, str]]:
    merge = load_list(CONTEXT, find_list(PROJECT, "merge"))
    chosen = replace(selection, tests=("exp_upsets_flip", "upsets_flip", "reset"))
    jobs = expand(CONTEXT, merge, chosen)
    return {(planned.job.test, planned.job.simulator) for planned in jobs}


def test_no_simulator_replaces_the_tool_of_a_test() -> None:
    found = simulators_by_test(Selection(simulators=("icarus",)))
    assert found == {
        ("exp_upsets_flip", "lanes"),
        ("upsets_flip", "lanes"),
        ("reset", "icarus"),
    }


@pytest.mark.parametrize("parameter", ["Netlist", "Front"])
def test_a_run_with_a_front_or_netlist_has_no_job_of_a_tool(parameter: str) -> None:
    found = simulators_by_test(Selection(entries={"parameters": {parameter: 1}}))
    assert {test for test, _ in found} == {"reset"}


@pytest.mark.campaign  # finds the classes of every architecture: a minute
@pytest.mark.parametrize("seed", [1, 2])
def test_the_night_draws_two_of_the_widest(seed: int) -> None:
    jobs = drawn_by_night(seed, hardware_architectures())
    assert sum(job.job.point["width"] == 2048 for job in jobs) == 1
    assert sum(job.job.point["width"] == 4096 for job in jobs) == 1
    assert {job.job.subject for job in jobs} == set(hardware_architectures())


def test_the_night_draws_selected_architectures_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def draw(self: object, test: str, values: Mapping[str, Sequence[str]], *_: object) -> list[str]:
        asked.extend(values["architecture"])
        return []

    monkeypatch.setattr(type(PROJECT), "draw", draw)
    with pytest.raises(UsageError, match=r"select no job of list 'nightly'; it has .*mwr2mm"):
        drawn_by_night(1, ["mm42"])
    assert set(asked) == {"mm42"}


def test_list_shows_lists_architectures_and_tests() -> None:
    command = [sys.executable, "-m", "regress", "list"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = done.stdout
    for expected in ("smoke", "faster_montgomery", "model only", "n + 1", "bad_input"):
        assert expected in printed
    # A minute of exploration does not stand before the table.
    assert re.search(r"nightly +│ +\d+ \+ │", printed) and "drawn when the list runs" in printed


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "faster_montgomery 32 bits at 1230 ns: x=0x1 y=0x2 m=0x7 raw: P = 0x12, gmpy2 says 0x3 "
            "(and 12 more)",
            "P = #, gmpy2 says #",
        ),
        (
            "fast_montgomery 32 bits my-vector at 9 ns: x=0x1 y=0x2 m=0x7: busy for 12 cycles",
            "busy for # cycles",
        ),
        (
            "mwrkmm 8 bits at 99 ns: base=0x1 exponent=0x3 modulus=0x5 length=8: result = 0x1",
            "result = #",
        ),
        ("mm42 64 bits at 9 ns: x=0x12345678…abcd m=0x7: P = 0x12345678…abcd", "P = #"),
        (
            "mm42 96 bits at 9 ns: x=0x1 m=0x7: P = 0x…00000000_00000001, gmpy2 says "
            "0x12345678_89abcdef… (3 bits differ, the lowest is bit 1, in 32-bit word 0 of 0 to 2) "
            "(and 2 more)",
            "P = #, gmpy2 says #",
        ),
        ("mwrkmm: no record: x=0x1", "<architecture>: no record: x=#"),
    ],
)
def test_operands_times_and_places_do_not_count(message: str, expected: str) -> None:
    assert normalised(PROJECT, message) == expected


def test_the_simplest_of_a_ring_is_one_of_which_nothing_is_said() -> None:
    point = point_of("mwrkmm", 24, {"BusWidth": 8, "WordWidth": 14})
    job = Job("exp_random", PROJECT.resolved("exp_random", point), "icarus", 7, 3)
    first, text = next(iter(simpler_jobs(CONTEXT, planned_job(CONTEXT, job, 1, 300.0))))
    assert (text, first.point.point) == ("mwrkmm 24", point_of("mwrkmm", 24))


@pytest.mark.simulation
@pytest.mark.slow
def test_a_simulation_counts_what_runs_in_the_design(tmp_path: Path) -> None:
    job = job_of("random", "faster_montgomery", 8, "verilator", seed=7, operations=5)
    planned = planned_job(CONTEXT, replace(job, code_coverage=True), 1, 60)
    groups = ProcessGroups()
    tools, _ = find_simulators(["verilator"])
    build = Builder(PROJECT, ROOT / "build", tmp_path / "logs", tools, groups, 2).build(
        planned.point
    )
    assert build.folder is not None, build.errors
    runner = JobRunner(PROJECT, tmp_path, LocalExecutor(PROJECT.root, groups, 1))
    attempt = runner.attempt(planned, build.folder)
    record, _ = runner.judge(attempt, runner.start(attempt))
    assert record.status is Status.PASSED, record.message
    path = tmp_path / record.folder / CODE_COVERAGE_FILE
    assert "/verif/" not in path.read_text()
    sources = Sources(PROJECT)
    coverage = CodeCoverageReader(sources).read(path)
    assert "hdl/cores/bit_serial/faster_montgomery.sv" in coverage.files
    assert {"hdl/exponentiation/exponentiation.sv", "hdl/cores/bit_serial/mm42.sv"}.isdisjoint(
        coverage.files
    )
    for kind in (LINE, BRANCH, TOGGLE):
        score = coverage.score(kind)
        assert 0 < score.hit < score.total
    # Nothing was rejected: the hole is named by its source.
    holes = {sources.text(point) for point in coverage.holes()}
    assert any("StatusModulusEven" in text for text in holes), sorted(holes)


def test_jobs_through_a_front_run_on_icarus_alone() -> None:
    design = LoaderDesign(MULTIPLIER)
    through = point_of("fast_montgomery", 33, {FRONT: 1})
    assert design.simulators("random", through) == ("icarus",)
    assert design.simulators("random", point_of("fast_montgomery", 33, {})) != ("icarus",)
    with pytest.raises(PointError, match="Front: accepted only with simulator icarus"):
        design.build(through, Verilator.find(), None, False)


def test_list_smoke_runs_as_a_whole_through_a_front() -> None:
    smoke = load_list(CONTEXT, find_list(PROJECT, "smoke"))
    own = expand(CONTEXT, smoke, Selection())
    through = expand(CONTEXT, smoke, Selection(entries={"parameters": {FRONT: 2}}))
    missing = Counter((each.job.test, each.job.subject, each.job.point["width"]) for each in own)
    missing -= Counter(
        (each.job.test, each.job.subject, each.job.point["width"]) for each in through
    )
    # These two differ in the bus alone.
    assert missing == {("bus", "faster_montgomery", 32): 1}
