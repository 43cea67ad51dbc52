"""A figure that is worse than in the last run is a regression in every place where people look."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from regress.cli.command_line import main
from regress.core.metrics import Figure, Metric, Past, figures_over, worsenings
from regress.core.runfile import RUN_FILE
from regress.report.html import HTML_FILE
from regress.report.markdown import MARKDOWN_FILE
from regress.tests.conftest import PASSING_CHILD, make_workspace

AREA = Metric(1000.0, "less", "k1", {"adder": 400.0, "rest": 600.0})
CLOCK = Metric(100.0, "more", "k1", where="path from a to b")


def figures(*, area: float = 1000.0, adder: float = 400.0, mhz: float = 100.0) -> dict[str, Figure]:
    key = f"{area} {mhz}"
    metrics = {
        "LUT": Metric(area, "less", key, {"adder": adder, "rest": area - adder}),
        "MHz": Metric(mhz, "more", key, where="path from a to b"),
    }
    return figures_over([(1, metrics)])


def texts(now: dict[str, Figure], *earlier: dict[str, Figure]) -> list[str]:
    past = [Past("abc", some) for some in earlier]
    return [worse.text for worse in worsenings(now, past)]


def test_five_percent_more_area_name_the_part_that_grew() -> None:
    found = texts(figures(area=1060, adder=460), figures())
    assert found == ["LUT 1000 -> 1060 (+6.0 %) since abc: adder grew most, 400 -> 460"]


def test_five_percent_less_clock_name_the_critical_path() -> None:
    found = texts(figures(mhz=94.0), figures())
    assert found == ["MHz 100 -> 94 (-6.0 %) since abc: path from a to b"]


def test_one_seed_is_compared_with_the_worst_of_others() -> None:
    cycles = {1: 100.0, 2: 92.0, 3: 104.0, 4: 96.0, 5: 103.0}
    five = {"MHz": Figure.over({s: replace(CLOCK, value=v) for s, v in cycles.items()})}
    assert five["MHz"].median == 100.0
    assert texts(figures(mhz=90.0), five) == []
    (text,) = texts(figures(mhz=87.0), five)
    assert text.startswith("MHz 92 -> 87 (-5.4 %)")


def test_the_metric_of_a_figure_is_not_better_than_the_median() -> None:
    cycles = {1: 90.0, 2: 110.0, 3: 100.0, 4: 120.0}
    metrics = {s: replace(CLOCK, value=v, where=f"seed {s}") for s, v in cycles.items()}
    assert Figure.over(metrics).metric.where == "seed 3"


def test_other_seeds_of_one_key_are_no_change() -> None:
    slow = {"MHz": Figure.over({2: replace(CLOCK, value=80.0)})}
    before = {"MHz": Figure.over({1: CLOCK})}
    assert texts(slow, before) == []
    other = {"MHz": Figure.over({2: replace(CLOCK, value=80.0, key="k2")})}
    assert len(texts(other, before)) == 1


def test_what_is_better_or_nearly_the_same_or_not_compared_is_not_shown() -> None:
    assert texts(figures(area=1050, mhz=95.0), figures()) == []
    assert texts(figures(area=500, mhz=200.0), figures()) == []
    plain = {"LUT": Figure.over({1: Metric(2000.0)})}
    assert texts(plain, figures()) == []


def test_a_run_that_lacks_a_figure_does_not_hide_an_older_one() -> None:
    area_alone = {"LUT": Figure.over({1: AREA})}
    assert texts(figures(mhz=90.0), area_alone, figures()) != []


def test_a_figure_that_was_zero_has_no_ratio() -> None:
    none, some = ({"M": Figure.over({1: Metric(v, "less")})} for v in (0.0, 2.0))
    assert texts(some, none) == ["M 0 -> 2 since abc"]


def measuring(value: float) -> str:
    """A job that passes and measures one figure."""
    metric = {"value": value, "better": "less", "parts": {"adder": value}}
    written = '(folder / "result.json")'
    return PASSING_CHILD.replace(written, f"result['metrics'] = {{'LUT': {metric}}}\n{written}")


ARGV = ("run", "smoke", "--arch", "faster_montgomery", "--width", "8", "--sim", "icarus")
GREW = "LUT 100 -> 106 (+6.0 %) since"


def test_six_percent_more_are_a_regression_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(ARGV, make_workspace(tmp_path, measuring(100.0))) == 0
    capsys.readouterr()
    assert main(ARGV, make_workspace(tmp_path, measuring(106.0))) == 1
    said = capsys.readouterr().out
    assert "REGRESSION random faster_montgomery 8 icarus: " + GREW in said
    assert "worse than before" in said
    run = (tmp_path / "runs" / "latest").resolve()
    assert GREW in (run / RUN_FILE).read_text().replace("\\u002b", "+")
    assert GREW in (run / HTML_FILE).read_text().replace("&gt;", ">")
    summary = (run / MARKDOWN_FILE).read_text()
    assert "REGRESSION" in summary
    assert "| random faster_montgomery 8 icarus | 106 |" in summary
    assert main(["history"], make_workspace(tmp_path)) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "100 … 106" in said

    # Against the run before it is no worse.
    assert main(ARGV, make_workspace(tmp_path, measuring(106.0))) == 0
