"""What is worse than in the last run is shown, with the module that grew."""

from datetime import datetime, timezone
from pathlib import Path

import pytest

from verif.implement.flow.history import HistoryError, ImplementHistory, worsenings
from verif.implement.flow.record import Fmax, PointRecord, PointStatus, Provenance
from verif.implement.flow.trend import trend_rows
from verif.library.netlist.hierarchy import ModuleArea


def point(luts: int, adder: int, fmax: float = 100.0, commit: str = "abc") -> PointRecord:
    return PointRecord(
        id="p",
        design="d",
        parameters={},
        target="ecp5",
        stage="post-route",
        status=PointStatus.DONE,
        luts=luts,
        fmax_mhz=Fmax(median=fmax, min=fmax, max=fmax, seeds=[1]),
        critical_path_text="from a to b",
        modules=[
            ModuleArea(path="u_adder", module="adder", luts=adder),
            ModuleArea(path="u_rest", module="rest", luts=luts - adder),
        ],
        provenance=Provenance(
            commit=commit,
            sources="s",
            key=f"{luts} {fmax} {commit}",
            tools={},
            options=[],
            date=datetime.now(timezone.utc),
            seconds=1,
        ),
    )


def test_five_percent_more_area_name_the_module_that_grew() -> None:
    (worse,) = worsenings(point(1060, 460), [point(1000, 400)])
    assert worse.text == (
        "LUTs 1000 -> 1060 (+6.0 %) since abc: u_adder (adder) grew most, 400 -> 460"
    )


def test_five_percent_less_clock_name_the_critical_path() -> None:
    (worse,) = worsenings(point(1000, 400, fmax=94.0), [point(1000, 400)])
    assert worse.text == ("MHz 100 -> 94 (-6.0 %) since abc: critical path from a to b")


def test_one_seed_is_compared_with_the_slowest_of_others() -> None:
    five = Fmax(median=100.0, min=92.0, max=104.0, seeds=[1, 2, 3, 4, 5])
    before = point(1000, 400).model_copy(update={"fmax_mhz": five})
    assert worsenings(point(1000, 400, fmax=90.0), [before]) == []
    (worse,) = worsenings(point(1000, 400, fmax=87.0), [before])
    assert worse.text.startswith("MHz 92 -> 87 (-5.4 %)")


def test_other_seeds_of_one_netlist_are_no_change() -> None:
    now, before = point(1000, 400, fmax=80.0), point(1000, 400)
    assert worsenings(now, [before])
    assert now.provenance and before.provenance
    now.provenance.key = before.provenance.key
    assert worsenings(now, [before]) == []


def test_what_is_better_or_nearly_the_same_is_not_shown() -> None:
    assert worsenings(point(1050, 450, fmax=95.0), [point(1000, 400)]) == []
    assert worsenings(point(900, 300, fmax=120.0), [point(1000, 400)]) == []


def test_the_last_run_before_is_compared(tmp_path: Path) -> None:
    history = ImplementHistory(tmp_path / "history.sqlite")
    history.add("one", "2026-01-01T00:00", [point(1000, 400, commit="old")])
    history.add("two", "2026-01-02T00:00", [point(1100, 500, commit="new")])
    assert [one.luts for one in history.before("p", "2026-01-03T00:00")] == [1100, 1000]
    assert [one.luts for one in history.before("p", "2026-01-02T00:00")] == [1000]
    assert history.before("p", "2026-01-01T00:00") == []
    assert history.before("q", "2026-01-03T00:00") == []


def test_a_run_of_synthesis_alone_hides_no_clock() -> None:
    area_only = point(1000, 400).model_copy(update={"fmax_mhz": None})
    (worse,) = worsenings(point(1000, 400, fmax=90.0), [area_only, point(1000, 400)])
    assert worse.what == "MHz"


def test_memories_that_were_not_there_are_worse() -> None:
    before = point(1000, 400).model_copy(update={"memories": 0})
    after = point(1000, 400).model_copy(update={"memories": 2})
    (worse,) = worsenings(after, [before])
    assert worse.what == "block memories"


def test_a_trend_has_the_runs_of_a_point_and_worse_points_come_first(tmp_path: Path) -> None:
    history = ImplementHistory(tmp_path / "history.sqlite")
    assert history.trends(5) == []
    worse = point(1100, 500)
    worse.regressions = worsenings(worse, [point(1000, 400)])
    history.add("one", "2026-01-01T00:00", [point(1000, 400), renamed(point(10, 4), "a")])
    history.add("two", "2026-01-02T00:00", [worse])
    found = history.trends(5)
    assert [(trend.id, trend.sizes, trend.folder) for trend in found] == [
        ("a", [10.0], "one"),
        ("p", [1000.0, 1100.0], "two"),
    ]
    (first, second) = trend_rows(found)
    assert first[:4] == ["p", "2", "▁█ 1000 … 1100 LUT", "██ 100"]
    assert first[4].startswith("LUTs 1000 -> 1100 (+10.0 %) since abc: u_adder (adder) grew most")
    assert second == ["a", "1", "█ 10 LUT", "█ 100", ""]


def renamed(one: PointRecord, name: str) -> PointRecord:
    return one.model_copy(update={"id": name})


def test_a_database_that_is_none_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    path.write_text("this is no database, however long it may be" * 30)
    with pytest.raises(HistoryError, match="so there is no history"):
        ImplementHistory(path).before("p", "2026")
