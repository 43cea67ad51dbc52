"""The coverage commands, as a user calls them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from regress.cli.command_line import main
from regress.core.jobfile import JobResult
from regress.run.reaching import reach_command
from regress.tests.conftest import PROJECT, make_job
from regress.tests.coverage_files import make_design, make_run, write_dat
from regress.tests.stand_in import goals_of, job_of

Capture = pytest.CaptureFixture[str]


def complete() -> JobResult:
    """A result with every goal of the stored jobs' design."""
    goals = goals_of(job_of("random", "faster_montgomery", 16, "verilator", 3, 0, {"BusWidth": 8}))
    coverage = {
        name: {"bins": dict.fromkeys(bins, 1), "goal": list(bins)} for name, bins in goals.items()
    }
    return JobResult(operations=10, coverage=coverage)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    return make_run(tmp_path / "run", {"a": complete()}, hdl=make_design(tmp_path))


@pytest.fixture
def none(tmp_path: Path) -> list[str]:
    """The option for no exclusions: the project's own concern other sources."""
    (tmp_path / "none.yaml").write_text("bins: []\ncode: []\n")
    return ["--exclusions", str(tmp_path / "none.yaml")]


def test_merge(stored: Path, none: list[str], capsys: Capture) -> None:
    assert main(["merge", str(stored), *none]) == 0
    shown = capsys.readouterr().out
    assert "faster_montgomery" in shown
    assert "50.0 % (1 of 2)" in shown


def test_holes_of_the_code(stored: Path, none: list[str], capsys: Capture) -> None:
    assert main(["holes", str(stored), *none]) == 1
    shown = capsys.readouterr().out
    assert "hdl/common/core.sv:3: branch else: if (start) state = 1;" in shown
    assert "0 functional holes, 1 of the code, 0 stale exclusions" in shown


def test_no_holes(stored: Path, none: list[str], capsys: Capture) -> None:
    write_dat(stored / "jobs" / "a" / "coverage.dat", stored.parent / "hdl", (1, 1, 1, 1))
    assert main(["holes", str(stored), *none]) == 0
    assert "0 functional holes, 0 of the code" in capsys.readouterr().out


def test_holes_of_the_function(tmp_path: Path, none: list[str], capsys: Capture) -> None:
    result = complete()
    del result.coverage["table_address"]["bins"]["1111"]
    assert main(["holes", str(make_run(tmp_path / "run", {"a": result})), *none]) == 1
    shown = capsys.readouterr().out
    assert "faster_montgomery table_address '1111': reached by random, corners" in shown
    assert "1 functional hole, code coverage not measured" in shown


def test_a_hole_comes_with_the_command_that_reaches_it(
    tmp_path: Path, none: list[str], capsys: Capture
) -> None:
    """The list with twice the seeds; without a list, a job of the test with another seed."""
    result = complete()
    del result.coverage["table_address"]["bins"]["1111"]
    folder = make_run(tmp_path / "run", {"a": result})
    main(["holes", str(folder), *none])
    job = "regress job random faster_montgomery 16 verilator --seed 4 "
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "reach it: " in line)
    assert job in line
    data = json.loads((folder / "run.json").read_text())
    data["plan"]["source"] = "lists/my.yaml"
    (folder / "run.json").write_text(json.dumps(data))
    main(["holes", str(folder), *none])
    words = "regress run lists/my.yaml --arch faster_montgomery --test random --seeds 2"
    assert capsys.readouterr().out.splitlines()[1].endswith(words)


def test_a_hole_that_no_test_reaches_has_no_command() -> None:
    planned = [make_job()]
    name = planned[0].job.subject
    assert reach_command(PROJECT, "", planned, name, ()) == ""
    assert reach_command(PROJECT, "", planned, "another", ("random",)) == ""
    assert " job corners " in reach_command(PROJECT, "a.yaml", planned, name, ("corners",))


def test_a_command_takes_no_point_from_a_test_of_another_top() -> None:
    """Another top may reject its parameters; the report of a passed run ended in that error."""
    random = replace(make_job(), job=replace(make_job().job, test="random"))
    other = next(
        name for name, test in PROJECT.tests.items() if test.top != PROJECT.tests["random"].top
    )
    assert " job random " in reach_command(PROJECT, "", [random], random.job.subject, ("random",))
    assert reach_command(PROJECT, "", [random], random.job.subject, (other,)) == ""


def test_a_group_that_was_never_collected_is_one_line(
    tmp_path: Path, none: list[str], capsys: Capture
) -> None:
    result = complete()
    del result.coverage["table_address"]
    assert main(["holes", str(make_run(tmp_path / "run", {"a": result})), *none]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert "faster_montgomery table_address: no job that collects it passed, 16 bins" in shown
    assert "reach it: " in shown[1]
    assert len(shown) == 3


def test_stale_exclusions_are_seen(stored: Path, tmp_path: Path, capsys: Capture) -> None:
    write_dat(stored / "jobs" / "a" / "coverage.dat", stored.parent / "hdl", (1, 1, 1, 1))
    file = tmp_path / "e.yaml"
    file.write_text(
        "bins:\n  - {architecture: '*', group: table_address, bin: '1111', reason: no}\ncode: []\n"
    )
    assert main(["holes", str(stored), "--exclusions", str(file)]) == 1
    assert (
        "e.yaml:2: exclusion of architecture * table_address '1111': was hit"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize("command", ["merge", "holes"])
def test_no_such_run(command: str, none: list[str], capsys: Capture) -> None:
    assert main([command, "nowhere", *none]) == 2
    said = "regress: nowhere/run.json is missing: nowhere is not a run\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("command", ["merge", "holes"])
def test_nothing_to_merge(tmp_path: Path, command: str, none: list[str], capsys: Capture) -> None:
    run_folder = make_run(tmp_path / "run", {"a": complete()}, status="failed")
    assert main([command, str(run_folder), *none]) == 2
    error = capsys.readouterr().err
    assert "no passed job has coverage, so nothing can be merged" in error
    assert len(error.splitlines()) == 1


def test_a_corrupt_file_is_one_line(stored: Path, none: list[str], capsys: Capture) -> None:
    (stored / "jobs" / "a" / "coverage.dat").write_text("rubbish\n")
    assert main(["holes", str(stored), *none]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_run_on_an_altered_design_is_compared_with_that(stored: Path, none: list[str]) -> None:
    data = json.loads((stored / "run.json").read_text())
    data["plan"]["hdl"] = None  # the project's own has no such file
    (stored / "run.json").write_text(json.dumps(data))
    assert main(["holes", str(stored), *none]) == 2
