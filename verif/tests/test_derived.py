"""Classes that the design itself states: those of its derived parameters, each with an example."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import architecture
from verif.bench.configuration import explored, kept
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.derived import derived_classes
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, Design
from verif.bench.configuration.drawn import draw_configurations
from verif.bench.configuration.job import job_of
from verif.bench.configuration.legal import Configuration
from verif.bench.coverage.covergroups import ConfigurationGroup

# No other has as small a design, and as few classes.
SMALL = "fast_montgomery"


def of(design: Design, name: str, width: int, module: str, **values: int) -> set[str]:
    """The derived classes of one module."""
    classes = derived_classes(design, architecture(name), width, values)
    prefix = f"{module}."
    return {text.removeprefix(prefix) for text in classes if text.startswith(prefix)}


def test_operands_of_unequal_limbs_are_a_class() -> None:
    """Only elements of five and six cycles have limbs; the list by hand had none of them."""
    parameters = {"DigitWidth": 18, "Elements": 1}
    limbs = of(MULTIPLIER, "mwrkmm", 60, "pipelined_multiplier", WordWidth=20, Latency=5,
               **parameters)  # fmt: skip
    assert {"ALimbs: quotient 1", "ALimbs: remainder largest", "BLimbs: quotient 2"} <= limbs
    assert not of(MULTIPLIER, "mwrkmm", 60, "pipelined_multiplier", WordWidth=20, Latency=4,
                  **parameters)  # fmt: skip


def test_an_adder_of_no_power_of_two_is_a_class() -> None:
    for adder, text in ((6, "another number"), (8, "a power of two")):
        found = of(MULTIPLIER, "optimized_interleaved", 20, "shifted_modulus", AddWidth=adder)
        assert f"PlaceWidth: logarithm of {text}" in found


@pytest.mark.parametrize(
    ("width", "rest"), [(22, "one below the largest"), (23, "largest"), (24, "0"), (25, "1")]
)
def test_the_residue_of_a_word_that_is_derived_is_a_class(width: int, rest: str) -> None:
    """The word of the exponentiation is three times that of the adder, or what fits."""
    found = of(EXPONENTIATION, "optimized_interleaved", width - 1, "interleaved_dual", AddWidth=4)
    assert f"PowerBit: remainder {rest}" in found


def test_there_is_a_configuration_of_every_derived_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    explored.examples.cache_clear()
    drawn = draw_configurations(MULTIPLIER, SMALL, 2, seed=1)
    widths = explored.WIDTHS[MULTIPLIER.name]
    more = explored.missing_examples(MULTIPLIER, SMALL, drawn, widths)
    goal = set(explored.goal(MULTIPLIER, SMALL))
    assert "parallel_unit.Words: quotient 3 and more" in goal

    def missing(configurations: list[Configuration]) -> set[str]:
        seen = (explored.classes_of(MULTIPLIER, each) for each in configurations)
        return goal - frozenset[str]().union(*seen)

    assert missing(drawn) and not missing([*drawn, *more])
    assert len(more) < explored.EXPLORED / 2
    # Kept for the next process.
    explored.examples.cache_clear()
    monkeypatch.setattr(explored, "_explored", lambda *_: pytest.fail("explored again"))
    assert set(explored.goal(MULTIPLIER, SMALL)) == goal


def test_they_are_bins_of_drawn_configurations(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "parallel_unit.Words: quotient 2"
    monkeypatch.setattr(explored, "goal", lambda *_: [text, "of no configuration"])

    def group(*, drawn: bool) -> ConfigurationGroup:
        parameters = {"AddWidth": 16}
        job = job_of("random", SMALL, 20, "icarus", 1, 0, parameters, drawn=drawn)
        return ConfigurationGroup(BenchConfig.from_job(job))

    of_drawn = group(drawn=True)
    of_drawn.operation()
    assert text in of_drawn.reach and "of no configuration" not in of_drawn.reach
    assert of_drawn.as_dict()["bins"][text] == 1
    assert text not in group(drawn=False).as_dict()["goal"]


def test_a_result_is_kept_until_the_design_or_the_question_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    assert kept.kept("a", lambda: [1]) == [1]
    assert kept.kept("a", lambda: pytest.fail("computed again")) == [1]
    assert kept.kept("b", lambda: [2]) == [2]
    monkeypatch.setattr(kept, "_content", lambda: "another design")
    assert kept.kept("a", lambda: [3]) == [3]


def test_another_python_or_pyslang_is_another_design(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = kept._content.__wrapped__
    found = [compute()]
    monkeypatch.setattr(kept, "version", lambda name: f"another {name}")
    found.append(compute())
    monkeypatch.setattr(kept.sys, "version", "another")
    found.append(compute())
    assert len(set(found)) == 3
