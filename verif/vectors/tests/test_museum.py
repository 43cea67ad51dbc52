"""The museum's data: what each exhibit says, and that its expectation is right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from models.registry import hardware_architectures
from regress.core.lists import load_list
from regress.core.plan import planned_job
from verif.bench.configuration.design import ROOT
from verif.bench.configuration.job import job_of
from verif.library.vectors.file import VectorReader, read_lines
from verif.library.vectors.line import Line
from verif.library.vectors.museum import MUSEUM, MUSEUM_TESTS, exhibits, museum_cases
from verif.library.vectors.powers import ExponentiationLine
from verif.library.vectors.products import ProductLine
from verif.project.project import MultiplierProject
from verif.tests.context import CONTEXT

LINES = read_lines(MUSEUM)
LIST = Path(__file__).resolve().parents[2] / "lists" / "museum.yaml"
#: How a source ends: where the operands come from.
ORIGINS = ("operands of the", "reconstructed", "modulus and message of the", "top words of the",
           "dividend of the")  # fmt: skip
MONTGOMERY = [name for name, entry in hardware_architectures().items() if entry.montgomery]


def wrong(line: Line) -> str:
    """What is wrong with an expectation, by Python's own integers."""
    if isinstance(line, ProductLine):
        right, given = line.x * line.y % line.m if line.m else None, line.product
    elif isinstance(line, ExponentiationLine):
        right = pow(line.base, line.exponent, line.modulus) if line.modulus else None
        given = line.result
    if line.reject:
        return "" if given is None else "has a result"
    return "" if given is not None and given == right else f"{given} is not {right}"


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_an_exhibit_is_right_and_says_where_it_comes_from(line: Line) -> None:
    assert not wrong(line)
    assert line.name
    assert line.label
    what, _, origin = (line.source or "").rpartition("; ")
    assert origin.startswith(ORIGINS), origin
    assert ":" in what
    assert line.architecture is line.width is None


def test_a_wrong_expectation_is_seen() -> None:
    for line in (LINES[0], LINES[-1]):
        assert isinstance(line, ProductLine)
        assert wrong(line.model_copy(update={"product": (line.product or 0) + 1}))
        assert wrong(line.model_copy(update={"product": None}))


def test_there_are_many_of_both_kinds() -> None:
    count = Counter(one.is_product for one in exhibits())
    assert count[True] >= 150
    assert count[False] >= 50
    assert len({one.name for one in exhibits()}) == len(exhibits())


@pytest.mark.parametrize("architecture", hardware_architectures())
def test_every_architecture_runs_all_that_it_can(architecture: str) -> None:
    regression = load_list(CONTEXT, LIST)
    widest = {row.test: max(row.values["width"]) for row in regression.jobs}
    assert widest.keys() == MUSEUM_TESTS.keys()
    ran = {
        str(case["name"])
        for test, width in widest.items()
        for case in museum_cases(MUSEUM_TESTS[test], architecture, width)
    }
    found = VectorReader(hardware_architectures(), (architecture,)).read(MUSEUM)
    assert ran == {vector.name for vector in found}
    left_out = {line.name for line in LINES} - ran
    moduli = {one.name: one.m for one in exhibits()}
    even = {line.name for line in LINES if not line.reject and moduli[str(line.name)] % 2 == 0}
    assert left_out == (even if architecture in MONTGOMERY else set())


def test_a_job_of_the_list_has_the_exhibits_that_fit_as_its_cases() -> None:
    project = MultiplierProject(ROOT)
    job = job_of("museum", "mm42", 64, "verilator", seed=1)
    cases = project.cases(job)
    assert cases
    assert all(int(str(case["m"]), 16) < 1 << 64 for case in cases)
    assert all("product" not in case for case in cases)
    # So the command ``job`` has them, too: it makes its job of a test and a point alone.
    assert planned_job(CONTEXT, job, 1, 1.0).job.cases == cases
    assert not project.cases(job_of("random", "mm42", 64, "verilator", seed=1))
    words = project.case_command(job, "mips-comba4", "verif/lists/museum.yaml")
    assert list(words) == [
        "vectors", "verif/library/vectors/museum.jsonl", "--arch", "mm42", "--width", "64",
        "--only", "mips-comba4", "--sim", "verilator",
    ]  # fmt: skip
