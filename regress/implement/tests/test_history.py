"""What is worse than in the last run is shown, with the module that grew."""

from datetime import datetime, timezone
from pathlib import Path

import pytest

from regress.implement.history import HistoryError, ImplementHistory, worsenings
from regress.implement.netlist import ModuleArea
from regress.implement.record import Fmax, PointRecord, PointStatus, Provenance


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
            key="k",
            tools={},
            options=[],
            date=datetime.now(timezone.utc),
            seconds=1,
        ),
    )


def test_five_percent_more_area_name_the_module_that_grew() -> None:
    (worse,) = worsenings(point(1060, 460), point(1000, 400))
    assert worse.text == (
        "p: area in LUTs 1000 -> 1060 (+6.0 %) since abc: u_adder (adder) grew most, 400 -> 460"
    )


def test_five_percent_less_clock_name_the_critical_path() -> None:
    (worse,) = worsenings(point(1000, 400, fmax=94.0), point(1000, 400))
    assert worse.text == ("p: MHz 100 -> 94 (-6.0 %) since abc: critical path from a to b")


def test_what_is_better_or_nearly_the_same_is_not_shown() -> None:
    assert worsenings(point(1050, 450, fmax=95.0), point(1000, 400)) == []
    assert worsenings(point(900, 300, fmax=120.0), point(1000, 400)) == []


def test_the_last_run_before_is_compared(tmp_path: Path) -> None:
    history = ImplementHistory(tmp_path / "history.sqlite")
    history.add("one", "2026-01-01T00:00", [point(1000, 400, commit="old")])
    history.add("two", "2026-01-02T00:00", [point(1100, 500, commit="new")])
    before = history.before("p", "2026-01-03T00:00", PointRecord)
    assert before and before.luts == 1100
    earlier = history.before("p", "2026-01-02T00:00", PointRecord)
    assert earlier and earlier.provenance and earlier.provenance.commit == "old"
    assert history.before("p", "2026-01-01T00:00", PointRecord) is None
    assert history.before("q", "2026-01-03T00:00", PointRecord) is None


def test_a_database_that_is_none_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    path.write_text("this is no database, however long it may be" * 30)
    with pytest.raises(HistoryError, match="so there is no history"):
        ImplementHistory(path).before("p", "2026", PointRecord)
