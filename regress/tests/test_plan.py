"""Expansion of lists and narrowing by the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from regress.cli.composition import context_of
from regress.core.cocotb_project import Bench, CocotbProject, FoundTest
from regress.core.errors import UsageError
from regress.core.expansion import Selection, derived_seed, expand, jobs_without
from regress.core.formats.files import read_json
from regress.core.formats.model import as_json, validated
from regress.core.listformat import ExpectedFailure
from regress.core.lists import ListEntry, RegressionList
from regress.core.plan import PLAN_FILE, Plan, PlannedJob
from regress.core.point import MappingAxis
from regress.core.project import Project, Test
from regress.tests.conftest import CONTEXT, make_job

PINNED = 331938067
LIST = Path("test.yaml")
NETLIST = {"parameters": {"Netlist": 1}}
ALL = ("fast_montgomery", "faster_montgomery", "optimized_interleaved")


def values(
    architectures: Sequence[str], widths: Sequence[int], parameters: dict[str, int] | None = None
) -> dict[str, tuple[Any, ...]]:
    """Values of an entry by axis."""
    return {
        "architecture": tuple(architectures),
        "width": tuple(widths),
        "parameters": (parameters or {},),
    }


def make_entry(
    line: int, test: str, values: Mapping[str, tuple], simulators: tuple[str, ...], **more: Any
) -> ListEntry:
    return ListEntry(path=LIST, line=line, test=test, values=values, simulators=simulators, **more)


def changed(entry: ListEntry, **changes: Any) -> ListEntry:
    return entry.model_copy(update=changes)


FIRST = make_entry(3, "random", values(ALL, (32, 256)), ("verilator",), operations=2000)
SECOND = make_entry(9, "random", values(ALL, (32,)), ("icarus",), operations=50)
DIRECTED = make_entry(12, "corners", values(ALL[:1], (32,)), ("verilator", "icarus"))


def make_list(*list_entries: ListEntry, seed: int = 1) -> RegressionList:
    return RegressionList(
        name="test", path=LIST, description="for tests", seed=seed, jobs=list_entries
    )


def ids(regression: RegressionList, **selection: Any) -> list[str]:
    return [job.id for job in expand(CONTEXT, regression, narrowed(**selection))]


def narrowed(architectures: Sequence[str] = (), widths: Sequence[int] = (), **o: Any) -> Selection:
    return Selection({"architecture": tuple(architectures), "width": tuple(widths)}, **o)


def test_the_matrix_is_expanded() -> None:
    jobs = expand(CONTEXT, make_list(FIRST, SECOND, DIRECTED), Selection())
    assert len(jobs) == 6 + 3 + 2
    assert jobs[0].id == "random-fast_montgomery-32-verilator-s1"
    assert len({job.id for job in jobs}) == len(jobs)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", job.id) for job in jobs)


def test_a_parameter_that_differs_is_in_the_id_and_in_the_build() -> None:
    entry = changed(
        DIRECTED, simulators=("icarus",), values=values(ALL[:1], (32,), {"AddressWidth": 3})
    )
    (job,) = expand(CONTEXT, make_list(entry), Selection())
    assert job.id == "corners-fast_montgomery-32-icarus-s1-AddressWidth3"
    assert job.point.point["parameters"] == {"AddressWidth": 3}
    assert job.job.point["parameters"] == {"BusWidth": 32, "AddressWidth": 3, "AddWidth": 32}


def test_seeds_do_not_depend_on_the_order_or_on_what_else_runs() -> None:
    forwards = {
        job.id: job.job.seed for job in expand(CONTEXT, make_list(FIRST, DIRECTED), Selection())
    }
    backwards = {
        job.id: job.job.seed for job in expand(CONTEXT, make_list(DIRECTED, FIRST), Selection())
    }
    some = expand(CONTEXT, make_list(FIRST), narrowed(architectures=ALL[1:2], seeds=3))
    assert forwards == backwards
    assert all(forwards.get(job.id, job.job.seed) == job.job.seed for job in some)
    assert len({job.job.seed for job in some}) == len(some)


def test_both_simulators_get_the_same_stimulus() -> None:
    jobs = expand(CONTEXT, make_list(DIRECTED), Selection())
    assert {job.job.simulator for job in jobs} == {"verilator", "icarus"}
    assert len({job.job.seed for job in jobs}) == 1


def test_the_master_seed_changes_every_seed() -> None:
    one = {job.job.seed for job in expand(CONTEXT, make_list(FIRST), Selection(seed=1))}
    two = {job.job.seed for job in expand(CONTEXT, make_list(FIRST), Selection(seed=2))}
    assert one == {job.job.seed for job in expand(CONTEXT, make_list(FIRST), Selection())}
    assert not one & two


def test_seeds_are_pinned() -> None:
    """A change of the derivation would silently change every recorded reproduction."""
    assert derived_seed(1, ["random", "faster_montgomery", 32, ()], 1) == PINNED
    assert 0 <= PINNED < 2**31


def test_filters_narrow() -> None:
    regression = make_list(FIRST, SECOND)
    assert ids(regression, architectures=("optimized_interleaved",), widths=(256,)) == [
        "random-optimized_interleaved-256-verilator-s1"
    ]
    assert len(ids(regression, seeds=4, widths=(32,))) == 2 * 3 * 4


def test_a_width_the_list_lacks_replaces_its_widths() -> None:
    found = expand(CONTEXT, make_list(FIRST), narrowed(widths=(48,), architectures=ALL[:1]))
    assert [job.id for job in found] == ["random-fast_montgomery-48-verilator-s1"]


def test_a_row_whose_core_cannot_have_a_replaced_width_is_left_out() -> None:
    asked = {"Elements": 1, "DigitWidth": 16}
    ring = changed(FIRST, values=values(("mwrkmm",), (64,), asked))
    plain = changed(ring, test="corners", values=values(("mwrkmm",), (64,)))
    assert len(ids(make_list(ring, plain))) == 2
    assert ids(make_list(ring, plain), widths=(48,)) == [
        "random-mwrkmm-48-verilator-s1",
        "corners-mwrkmm-48-verilator-s1",
    ]
    # A digit that does not divide the width must be below half of it.
    assert ids(make_list(ring, plain), widths=(25,)) == ["corners-mwrkmm-25-verilator-s1"]


def test_a_design_other_than_the_multiplier_is_in_the_builds_name() -> None:
    entry = changed(DIRECTED, test="exp_corners", simulators=("icarus",))
    job, other = expand(
        CONTEXT, make_list(entry, changed(entry, line=13, test="corners")), Selection()
    )
    assert (job.point.top, job.point.name) == (
        "exponentiation", "exponentiation-fast_montgomery-32-icarus"
    )  # fmt: skip
    assert (other.point.top, other.point.name) == ("multiplier", "fast_montgomery-32-icarus")
    assert job.job.point["parameters"] == {"BusWidth": 32, "AddressWidth": 3, "AddWidth": 32}
    assert job.job.seed != other.job.seed


def test_defaults_depend_on_the_width() -> None:
    entry = changed(FIRST, values=values(("mwrkmm",), (64, 1024), {"Elements": 1}))
    small, large = expand(CONTEXT, make_list(entry), Selection())
    assert small.point.point["parameters"] == {}
    assert large.point.point["parameters"] == {"Elements": 1}
    assert large.job.point["parameters"]["WordWidth"] == 17


def test_a_default_that_depends_on_another_parameter_does_not_replace_what_was_asked() -> None:
    asked = {"WordWidth": 7, "DigitWidth": 5, "Elements": 1, "Latency": 3}
    entry = changed(FIRST, values=values(("mwrkmm",), (60,), asked))
    (job,) = expand(CONTEXT, make_list(entry), Selection())
    assert {name: job.job.point["parameters"][name] for name in asked} == asked
    assert job.point.point["parameters"] == {"DigitWidth": 5, "Elements": 1, "WordWidth": 7}
    assert job.id.endswith("-DigitWidth5-Elements1-WordWidth7")


def test_replacing_simulators_asks_for_no_job_twice() -> None:
    regression = make_list(FIRST, SECOND)
    found = expand(CONTEXT, regression, narrowed(simulators=("icarus",), architectures=ALL[:1]))
    assert {job.id: job.job.operations for job in found} == {
        # Written for Icarus: as it is. Written for Verilator: made shorter.
        "random-fast_montgomery-32-icarus-s1": 50,
        "random-fast_montgomery-256-icarus-s1": 20,
    }


def test_nothing_selected_is_an_error() -> None:
    with pytest.raises(UsageError, match="the options select no job of list 'test'"):
        expand(CONTEXT, make_list(DIRECTED), narrowed(architectures=("optimized_interleaved",)))


def test_an_illegal_width_is_an_error() -> None:
    with pytest.raises(UsageError, match="width 3 of fast_montgomery: accepted are 4 to"):
        expand(CONTEXT, make_list(FIRST), narrowed(widths=(3,)))


def test_two_rows_that_ask_for_the_same_job_are_an_error() -> None:
    with pytest.raises(UsageError, match=r"test.yaml:7: asks for job .* the first is in line 3"):
        expand(CONTEXT, make_list(FIRST, changed(FIRST, line=7)), Selection())


def test_the_first_seed_of_every_row_comes_first() -> None:
    list_entries = [changed(DIRECTED, seeds=2, simulators=("verilator",)), changed(SECOND, seeds=2)]
    indices = [job.index for job in expand(CONTEXT, make_list(*list_entries), Selection())]
    assert indices == sorted(indices)


def test_of_two_files_the_one_with_more_operations_has_the_job() -> None:
    other = changed(SECOND, path=Path("other.yaml"), operations=70)
    jobs = expand(CONTEXT, make_list(SECOND, other), Selection())
    assert {job.job.operations for job in jobs} == {70}
    assert len(jobs) == len(ALL)


def test_rows_are_selected_by_tag_and_by_test() -> None:
    list_entries = (changed(FIRST, tags=("slow",)), SECOND, DIRECTED)
    assert all("random" in name for name in ids(make_list(*list_entries), tests=("random",)))
    assert len(ids(make_list(*list_entries), tags=("slow",))) == len(ALL) * 2
    with pytest.raises(UsageError, match="unknown tag of list 'test' 'slwo'; accepted: slow; did"):
        ids(make_list(*list_entries), tags=("slwo",))


def test_cross_check_runs_the_same_operations_on_both_simulators() -> None:
    jobs = expand(CONTEXT, make_list(FIRST, DIRECTED), narrowed(cross_check=True, widths=(32,)))
    pairs: dict[tuple, set[str]] = {}
    for planned in jobs:
        pairs.setdefault(planned.stimulus, set()).add(planned.job.simulator)
    assert all(simulators == {"verilator", "icarus"} for simulators in pairs.values())
    assert all(planned.job.trace for planned in jobs)
    assert {planned.job.operations for planned in jobs if planned.job.test == "random"} == {20}


def test_only_jobs_with_a_twin_write_traces() -> None:
    jobs = expand(CONTEXT, make_list(FIRST, SECOND, DIRECTED), Selection())
    assert {planned.job.test for planned in jobs if planned.job.trace} == {"corners"}


def test_a_plan_survives_being_written_down() -> None:
    entry = changed(DIRECTED, budget=5.0, expect_failure=ExpectedFailure("known", "P ="))
    for planned in expand(CONTEXT, make_list(entry, FIRST), Selection()):
        assert validated(PlannedJob, as_json(planned)) == planned


def test_a_list_for_code_coverage_builds_for_it() -> None:
    regression = make_list(DIRECTED).model_copy(update={"code_coverage": True})
    found = {job.point.simulator: job for job in expand(CONTEXT, regression, Selection())}
    assert found["verilator"].point.code_coverage and found["verilator"].job.code_coverage
    assert not found["icarus"].point.code_coverage


def test_an_entry_goes_to_every_row_and_its_jobs_where_they_can_run() -> None:
    jobs = expand(CONTEXT, make_list(FIRST, SECOND, DIRECTED), narrowed(ALL[:1], entries=NETLIST))
    assert [job.id for job in jobs] == [
        "random-fast_montgomery-32-verilator-s1-Netlist1",
        "random-fast_montgomery-256-verilator-s1-Netlist1",
        "corners-fast_montgomery-32-verilator-s1-Netlist1",
    ]
    assert {job.job.point["parameters"]["Netlist"] for job in jobs} == {1}


def test_an_option_removes_the_parameters_of_an_entry_that_do_not_go_with_it() -> None:
    odd = changed(FIRST, values=values(ALL[:1], (32,), {"BusWidth": 9, "AddressWidth": 3}))
    kept = changed(odd, line=6, values=values(ALL[:1], (32,), {"BusWidth": 8}))
    same = changed(odd, line=7, values=values(ALL[:1], (32,), {"AddressWidth": 3}))
    jobs = expand(CONTEXT, make_list(odd, kept, same), Selection(entries=NETLIST))
    assert {job.id: job.job.operations for job in jobs} == {
        "random-fast_montgomery-32-verilator-s1-AddressWidth3-Netlist1": 2000,
        "random-fast_montgomery-32-verilator-s1-BusWidth8-Netlist1": 2000,
    }
    unfit = changed(odd, values=values(ALL[:1], (32,), {"BusWidth": 9, "Colour": 3}))
    with pytest.raises(UsageError, match="select no job"):
        expand(CONTEXT, make_list(unfit), Selection(entries=NETLIST))


def test_each_job_takes_the_parameters_that_it_accepts() -> None:
    cores = ("mwrkmm", "fast_montgomery")
    entry = make_entry(3, "random", values(cores, (32,)), ("verilator",), operations=4)
    twin = changed(entry, line=9, values=values(cores[:1], (32,), {"BusWidth": 8}), operations=7)
    other = changed(entry, line=12, values=values(cores[:1], (32,), {"BusWidth": 64}))
    selection = Selection(parameters={"parameters": {"WordWidth": 8, "BusWidth": 8}})
    jobs = expand(CONTEXT, make_list(entry, twin, other), selection)
    assert {job.id: job.job.operations for job in jobs} == {
        "random-mwrkmm-32-verilator-s1-BusWidth8-WordWidth8": 7,
        "random-fast_montgomery-32-verilator-s1-BusWidth8": 4,
        "random-mwrkmm-32-verilator-s1-BusWidth64-WordWidth8": 4,
    }
    without = jobs_without(CONTEXT.project, jobs, selection.parameters)
    assert without == {"WordWidth=8": 1, "BusWidth=8": 1}


def test_a_parameter_keeps_the_number_of_operations_on_a_slow_simulator() -> None:
    selection = Selection(parameters={"parameters": {"BusWidth": 8}})
    (job,) = expand(CONTEXT, make_list(changed(SECOND, values=values(ALL[:1], (32,)))), selection)
    assert job.job.operations == SECOND.operations


def test_a_simulator_on_which_an_entry_cannot_run_is_one_line() -> None:
    selection = Selection(entries=NETLIST, simulators=("icarus",))
    with pytest.raises(UsageError, match=r"random at .* Netlist=1: unknown simulator 'icarus'"):
        expand(CONTEXT, make_list(FIRST), selection)


def test_the_context_of_a_job_is_no_part_of_its_file(tmp_path: Path) -> None:
    planned = make_job(waves=True)
    Plan(name="list", jobs=(planned,)).write(tmp_path)
    (stored,) = json.loads((tmp_path / PLAN_FILE).read_text())["jobs"]
    assert "context" not in stored
    (again,) = Plan.read(CONTEXT, tmp_path).jobs
    assert (again, again.point, again.point.name) == (planned, planned.point, planned.point.name)
    (bare,) = read_json(tmp_path / PLAN_FILE, Plan, "the plan").jobs
    with pytest.raises(AssertionError, match="read without a context"):
        _ = bare.point


TWO = (MappingAxis("parameters"),)


@pytest.mark.parametrize(
    ("tests", "parameters"),
    [(("a/b", "a.b"), [{}]), (("a",), [{"A": 12}, {"A1": 2}])],
    ids=["test", "point"],
)
def test_two_jobs_with_one_id_are_an_error(
    tmp_path: Path, tests: Sequence[str], parameters: Sequence[Mapping[str, int]]
) -> None:
    class Alike(Project):
        axes = TWO

    project = Alike(tmp_path)
    project.tests = {name: Test("module", name, top="top") for name in tests}
    list_entries = [
        changed(FIRST, test=name, pattern=True, values={"parameters": (point,)})
        for name in tests
        for point in parameters
    ]
    with pytest.raises(UsageError, match="both have the job id a"):
        expand(context_of(project), make_list(*list_entries), Selection())
    assert expand(context_of(project), make_list(list_entries[0]), Selection())


def test_two_found_tests_of_one_name_and_wrong_benches_are_one_line(tmp_path: Path) -> None:
    def benches(**fields: Any) -> CocotbProject:
        class Benches(CocotbProject):
            benches = (Bench("top", ["m"], ["top.v"], **fields),)

        return Benches(tmp_path)

    (tmp_path / "top.v").write_text("module top; endmodule\n")
    one, two = (FoundTest("m", "t", place=place) for place in ("m.py:1", "m.py:9"))
    with pytest.raises(UsageError, match=r"two tests are named 'top.m.t' \(m.py:1 and m.py:9\)"):
        benches().take_tests({"top": [one, two]}, {})
    known = benches()
    known.take_tests({"top": [one, one]}, {})
    assert list(known.tests) == ["t"]
    with pytest.raises(UsageError, match="accepted: a name without '/'"):
        benches(name="a/b")
    for folder in ("../shared", "tests/../..", str(tmp_path)):
        with pytest.raises(UsageError, match="accepted: a folder below the project"):
            benches(folder=folder)
