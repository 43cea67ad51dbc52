"""Verilator's coverage files: points, merging, scores, holes, and files that are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.coverage.code import (
    BRANCH,
    LINE,
    TOGGLE,
    CodeCoverage,
    CodeCoverageReader,
    Score,
    Sources,
)
from regress.tests.conftest import PROJECT
from regress.tests.coverage_files import entry, make_design, write_dat


@pytest.fixture
def hdl(tmp_path: Path) -> Path:
    return make_design(tmp_path)


def read(path: Path, hdl: Path) -> CodeCoverage:
    return CodeCoverageReader(Sources(PROJECT, hdl)).read(path)


def test_points_of_the_design_are_read_and_the_bench_is_left_out(tmp_path: Path, hdl: Path) -> None:
    coverage = read(write_dat(tmp_path / "c.dat", hdl), hdl)
    assert coverage.files == ["hdl/common/core.sv"]
    assert coverage.score(BRANCH) == Score(1, 2)
    assert coverage.score(LINE) == Score(1, 1)
    assert coverage.score(TOGGLE).percent == 100.0
    (hole,) = coverage.holes()
    assert (hole.line, hole.kind, hole.name) == (3, "branch", "else")
    assert Sources(PROJECT, hdl).text(hole) == "if (start) state = 1;"


def test_a_build_from_another_folder_is_the_same_design(tmp_path: Path, hdl: Path) -> None:
    file = tmp_path / "c.dat"
    write_dat(file, Path("/other/hdl/machine/hdl"))
    assert read(file, hdl).files == ["hdl/common/core.sv"]


def test_a_design_folder_of_another_name(tmp_path: Path, hdl: Path) -> None:
    altered = hdl.rename(tmp_path / "altered")
    assert read(write_dat(tmp_path / "c.dat", altered), altered).files == ["hdl/common/core.sv"]


def test_instances_and_parameters_are_one_point(tmp_path: Path, hdl: Path) -> None:
    file = write_dat(tmp_path / "c.dat", hdl)
    more = entry(f"{hdl}/common/core.sv", 3, "branch", "else", 7, column=6)
    file.write_text(file.read_text() + more.replace("core__pi3", "core__pi4"))
    coverage = read(file, hdl)
    assert coverage.score(BRANCH) == Score(2, 2)
    assert not coverage.holes()


def test_hits_are_summed(tmp_path: Path, hdl: Path) -> None:
    one = read(write_dat(tmp_path / "1.dat", hdl), hdl)
    two = read(write_dat(tmp_path / "2.dat", hdl, (0, 5, 0, 0)), hdl)
    total = CodeCoverage.merged([one, two])
    assert sorted(total.hits.values()) == [1, 3, 4, 5]
    assert not total.holes()
    assert len(one.holes()) == 1


def test_excluded_points_do_not_count(tmp_path: Path, hdl: Path) -> None:
    coverage = read(write_dat(tmp_path / "c.dat", hdl), hdl)
    coverage.excluded.update(coverage.holes())
    assert coverage.score(BRANCH) == Score(1, 1)
    assert not coverage.holes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "c.dat:1: not a Verilator coverage file"),
        ("rubbish\n", "c.dat:1: not a Verilator coverage file"),
        ("# SystemC::Coverage-3\n", "no point of the design"),
        ("# SystemC::Coverage-3\nC 'x' 3\n", "c.dat:2: not a coverage point"),
        ("# SystemC::Coverage-3\nC '\x01f\x02a\x01l\x023' 3\n", "no attribute n, page"),
        ("# SystemC::Coverage-3\nC '\x01fa' 3\n", "attribute 'fa' has no value"),
    ],
)
def test_a_corrupt_file_is_named(tmp_path: Path, hdl: Path, content: str, message: str) -> None:
    file = tmp_path / "c.dat"
    file.write_text(content)
    with pytest.raises(UsageError, match=message):
        read(file, hdl)


def test_a_missing_file_and_one_that_is_no_text(tmp_path: Path, hdl: Path) -> None:
    with pytest.raises(UsageError, match=r"c\.dat is missing"):
        read(tmp_path / "c.dat", hdl)
    (tmp_path / "c.dat").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"c\.dat cannot be read"):
        read(tmp_path / "c.dat", hdl)


def test_a_file_that_ends_in_mid_line(tmp_path: Path, hdl: Path) -> None:
    file = write_dat(tmp_path / "c.dat", hdl)
    text = file.read_text()
    file.write_text(text[:-1])
    with pytest.raises(UsageError, match=r"c\.dat:6: .*ends in mid-line"):
        read(file, hdl)


def test_a_line_number_that_is_none(tmp_path: Path, hdl: Path) -> None:
    file = write_dat(tmp_path / "c.dat", hdl)
    file.write_text(file.read_text().replace("\x01l\x022", "\x01l\x02two", 1))
    with pytest.raises(UsageError, match="not a coverage point: invalid literal"):
        read(file, hdl)


def test_a_source_may_have_another_encoding(hdl: Path) -> None:
    (hdl / "old.v").write_bytes(b"// \xe4\nwire x;\n")
    assert Sources(PROJECT, hdl).lines("hdl/old.v")[1] == "wire x;"


def test_a_hole_is_never_rounded_away() -> None:
    assert Score(9999, 10000).text == "99.9 % (9999 of 10000)"
    assert Score(3, 3).text == "100 % (3 of 3)"
    assert Score(0, 0).text == "–"
