"""Exclusions: read, applied, and noticed when they are stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.coverage.code import CodeCoverage, CodeCoverageReader, Sources
from regress.coverage.exclusions import Exclusions, load_exclusions
from regress.tests.conftest import PROJECT
from regress.tests.coverage_files import hits, make_design, write_dat
from regress.tests.stand_in import point_of

BINS = """bins:
  - architecture: faster_*
    group: table_address
    bin: "11*"
    width: [16]
    reason: no test goes there
code: []
"""
CODE = """bins: []
code:
  - file: hdl/common/core.sv
    text: if (start) state = 1;
    kind: branch
    point: else
    reason: start is always set
"""


def load(folder: Path, text: str) -> Exclusions:
    path = folder / "exclusions.yaml"
    path.write_text(text)
    if not (folder / "hdl").is_dir():
        make_design(folder)
    return load_exclusions(PROJECT, path, folder / "hdl")


def code(folder: Path, counts: tuple[int, ...] = (4, 0, 3, 1)) -> CodeCoverage:
    hdl = folder / "hdl"
    return CodeCoverageReader(Sources(PROJECT, hdl)).read(write_dat(folder / "c.dat", hdl, counts))


def test_excluded_bins_are_no_goal(tmp_path: Path) -> None:
    found = load(tmp_path, BINS)
    result = hits({"00": 1}, ["00", "10", "110", "111"])
    group = found.applied(point_of("faster_montgomery", 16), result).coverage["table_address"]
    assert group["goal"] == ["00", "10"]
    assert group["excluded"] == ["110", "111"]
    assert result.coverage["table_address"]["goal"] == ["00", "10", "110", "111"]


@pytest.mark.parametrize(("architecture", "width"), [("mwrkmm", 16), ("faster_montgomery", 17)])
def test_other_architectures_and_widths_keep_their_goal(
    tmp_path: Path, architecture: str, width: int
) -> None:
    result = hits({}, ["111"])
    assert load(tmp_path, BINS).applied(point_of(architecture, width), result) is result


def test_an_exclusion_that_is_right_is_not_stale(tmp_path: Path) -> None:
    jobs = [(point_of("faster_montgomery", 16), hits({"00": 1}, ["00", "111"]))]
    assert not load(tmp_path, BINS).stale_bins(jobs)


def test_an_exclusion_whose_bin_was_hit_is_stale(tmp_path: Path) -> None:
    jobs = [(point_of("faster_montgomery", 16), hits({"111": 1}, ["00", "111"]))]
    (line,) = load(tmp_path, BINS).stale_bins(jobs)
    assert "exclusions.yaml:2: " in line
    assert line.endswith("was hit after all: faster_montgomery 111")


def test_an_exclusion_that_excludes_nothing_is_stale(tmp_path: Path) -> None:
    found = load(tmp_path, BINS)
    (line,) = found.stale_bins([(point_of("faster_montgomery", 16), hits({"00": 1}, ["00"]))])
    assert line.endswith("excludes nothing")
    # No job ran that could show it.
    assert not found.stale_bins([(point_of("faster_montgomery", 8), hits({"00": 1}, ["00"]))])
    assert not found.stale_bins([(point_of("faster_montgomery", 16), hits({}, [], "status"))])


def test_excluded_code_does_not_count(tmp_path: Path) -> None:
    found, coverage = load(tmp_path, CODE), code(tmp_path)
    sources = Sources(PROJECT, tmp_path / "hdl")
    assert len(coverage.holes()) == 1
    found.exclude_code(coverage, sources)
    assert not coverage.holes()
    assert not found.stale_code(coverage, sources)


def test_excluded_code_that_was_hit_is_stale(tmp_path: Path) -> None:
    found, coverage = load(tmp_path, CODE), code(tmp_path, (1, 1, 1, 1))
    (line,) = found.stale_code(coverage, Sources(PROJECT, tmp_path / "hdl"))
    assert line.endswith("was hit after all")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("start) state", "start) other", "no such line"),
        ("point: else", "point: elsif", "no such point"),
        ("kind: branch", "kind: expr", "no such point"),
        ("kind: branch", "kind: branch\n    after: endmodule", "no such line"),
    ],
)
def test_excluded_code_that_is_not_there_is_stale(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    found = load(tmp_path, CODE.replace(old, new))
    (line,) = found.stale_code(code(tmp_path), Sources(PROJECT, tmp_path / "hdl"))
    assert message in line


def test_equal_lines_are_told_apart_by_a_line_above(tmp_path: Path) -> None:
    hdl = make_design(tmp_path)
    file = hdl / "common" / "core.sv"
    file.write_text("if (start) state = 1;\n" + file.read_text())
    sources = Sources(PROJECT, hdl)
    ((_, bare),) = load(tmp_path, CODE).code
    assert bare.source_line(sources) is None
    ((_, exact),) = load(
        tmp_path, CODE.replace("kind:", "after: always_comb begin\n    kind:")
    ).code
    assert exact.source_line(sources) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: the file is empty; it needs 'bins' and 'code'"),
        ("bins: []\n", ":1: missing 'code'"),
        ("- 3\n", ":1: the file: should be a mapping, found a list"),
        (BINS.replace("faster_*", "fastest"), ":2: unknown architecture 'fastest'; accepted: "),
        (BINS.replace("    reason: no test goes there\n", ""), ":2: an exclusion needs either"),
        (BINS.replace("reason: no test", "proof: no test"), ":6: no proof 'no test goes there'"),
        (BINS.replace("    reason", "    because"), ":6: unknown key 'because'; accepted: "),
        (BINS.replace("reason: no test goes there", "reason: ''"), ":6: reason: must not be empty"),
        (CODE.replace("core.sv", "cure.sv"), ":3: unknown file 'hdl/common/cure.sv'; accepted: "),
        (CODE.replace("branch", "twig"), ":5: unknown kind 'twig'; accepted: line, branch"),
        (BINS.replace("group: table_address\n", "group: [\n"), "not valid YAML"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        load(tmp_path, text)
    assert "exclusions.yaml" in error.value.lines[0]
    assert message in error.value.lines[0]


def test_a_source_of_any_suffix_can_be_named(tmp_path: Path) -> None:
    text = CODE.replace("core.sv", "core.v")
    with pytest.raises(UsageError, match="unknown file"):
        load(tmp_path, text)
    file = tmp_path / "hdl" / "common" / "core.sv"
    file.rename(file.with_suffix(".v"))
    assert load(tmp_path, text).code


def test_a_proof_must_be_there(tmp_path: Path) -> None:
    proof = "proof: __init__.py::point_of"
    assert load(tmp_path, BINS.replace("reason: no test goes there", proof)).bins
    with pytest.raises(UsageError, match="no proof"):
        load(tmp_path, BINS.replace("reason: no test goes there", f"{proof}" + "_" + "x"))
