"""The export has the structure of UCIS 1.0.

That it validates against Accellera's schema and that pyucis reads it was checked by hand; neither
is a dependency.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from regress.coverage.exclusions import BinExclusion, Exclusions
from regress.coverage.store import coverage_of_run
from regress.coverage.ucis import write_ucis
from regress.tests.coverage_files import hits, make_design, make_run


@pytest.fixture
def document(tmp_path: Path) -> ET.Element:
    results = {
        "a": hits({"0": 2, "x": 5}, ["0", "1", "2"]),
        "b": hits({}, [], "empty"),
    }
    run = make_run(tmp_path / "run", results, hdl=make_design(tmp_path))
    excluded = BinExclusion(1, "table_address", "2", (), "why")
    found = coverage_of_run(run, Exclusions(Path("e.yaml"), (excluded,)))
    write_ucis(found, tmp_path / "coverage.xml")
    return ET.parse(tmp_path / "coverage.xml").getroot()


def test_the_parts_are_in_the_order_of_the_schema(document: ET.Element) -> None:
    assert document.tag == "UCIS"
    assert set(document.attrib) == {"ucisVersion", "writtenBy", "writtenTime"}
    assert [child.tag for child in document] == [
        *["sourceFiles"] * 2,
        *["historyNodes"] * 2,
        "instanceCoverages",
    ]
    assert [child.tag for child in document[-1]] == [
        "id",
        "toggleCoverage",
        "blockCoverage",
        "branchCoverage",
        "covergroupCoverage",
    ]


def test_bins_have_their_hits_and_types(document: ET.Element) -> None:
    bins = {
        element.get("name"): (element.get("type"), element.find("range/contents"))
        for element in document.iter("coverpointBin")
    }
    found = {
        name: (kind, contents.get("coverageCount") if contents is not None else "")
        for name, (kind, contents) in bins.items()
    }
    assert found == {
        "0": ("bins", "2"),
        "1": ("bins", "0"),
        "2": ("ignore", "0"),
        "x": ("default", "5"),
    }
    # The format has no coverpoint without bins.
    assert [element.get("name") for element in document.iter("cgInstance")] == ["table_address"]


def test_code_has_its_places_and_hits(document: ET.Element) -> None:
    (statement,) = document.iter("branchCoverage")
    arms = {arm.get("alias"): arm.find("contents") for arm in statement.iter("branchBin")}
    assert {name: c.get("coverageCount") for name, c in arms.items() if c is not None} == {
        "if": "8",
        "else": "0",
    }
    place = statement.find("statement/id")
    assert place is not None
    files = {file.get("id"): file.get("fileName") for file in document.iter("sourceFiles")}
    assert files[place.get("file")] == "hdl/common/core.sv"
    assert place.get("line") == "3"
    toggle = next(document.iter("toggle"))
    assert (toggle.get("from"), toggle.get("to")) == ("0", "1")


def test_every_job_is_a_history_node(document: ET.Element) -> None:
    nodes = list(document.iter("historyNodes"))
    assert [node.get("logicalName") for node in nodes] == ["a", "b"]
    assert {node.get("testStatus") for node in nodes} == {"true"}
    assert {node.get("seed") for node in nodes} == {"3"}
