"""The page of results follows from its records, and names each point without a measurement."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from regress.core.errors import UsageError
from verif.implement import results
from verif.implement.pictures import LOG, pictures, series_styles
from verif.implement.point import KEPT, ImplementationPoint, read_points, write_points
from verif.implement.quantities import METRICS, Measured, figures
from verif.implement.results import CONTENTS, DOCS, PAGE, check_committed, merged, page, write_page
from verif.implement.rsa import rsa_section
from verif.implement.statements import statements
from verif.implement.tables import (
    all_points,
    compared,
    parts_table,
    target_table,
    targets,
    thesis_tables,
)

THESIS = ("fast_montgomery", "faster_montgomery", "optimized_interleaved")


def point(name: str, luts: int | None, mhz: float, width: int = 1024) -> ImplementationPoint:
    return ImplementationPoint(
        id=f"multiplier-{name}-{width}-ecp5",
        parameters={},
        luts=luts,
        ffs=luts,
        mhz={1: mhz} if mhz else {},
        cycles_loop=width + 1,
        cycles_product=width + 1,
        cycles_exponentiation=width * (width + 1),
    )


def routed(mhz: dict[int, float], key: str = "k", delay_ns: float = 1.0) -> ImplementationPoint:
    more = {"mhz": mhz, "key": key, "path_end": f"{list(mhz)}", "path_ns": delay_ns}
    return point("mm42", 4000, 1.0).model_copy(update=more)


def test_seeds_of_two_runs_of_one_synthesis_count_together() -> None:
    known = routed({1: 100.0}, delay_ns=10.0)
    both = merged(routed({2: 80.0, 3: 120.0, 4: 98.0, 5: 90.0}, delay_ns=10.6), known)
    assert both.mhz == {1: 100.0, 2: 80.0, 3: 120.0, 4: 98.0, 5: 90.0}
    assert both.fmax_mhz and both.fmax_mhz.median == 98.0
    assert both.time_product_us == pytest.approx(1025 / 98, rel=1e-4)
    assert both.path_end == "[1]"  # 100 MHz are nearer to the median than 94.3
    again = merged(routed({1: 101.0}), both)
    assert again.mhz == {1: 101.0, 2: 80.0, 3: 120.0, 4: 98.0, 5: 90.0}


def test_the_page_says_how_far_seeds_lie_apart() -> None:
    near, far = routed({1: 100.0, 2: 104.0}), routed({1: 100.0, 2: 130.0, 3: 110.0})
    text = page([near, far.model_copy(update={"id": "multiplier-mm42-2048-ecp5"})], [])
    assert "above its worst by up to 17 % in half of the points, by 30 % at most" in text
    assert "above its worst" not in page([routed({1: 100.0})], [])


def test_another_synthesis_takes_the_place_of_what_was_known() -> None:
    known, new = routed({1: 100.0, 2: 80.0}), routed({3: 90.0}, key="other")
    assert merged(new, known) is new
    assert merged(new, None) is new


def test_less_of_one_synthesis_does_not_take_the_place_of_more() -> None:
    known = routed({1: 100.0, 2: 80.0, 3: 90.0})
    older = known.model_copy(update={"mhz": {}, "mhz_summary": (90.0, 80.0, 100.0)})
    area, failed = (known.model_copy(update={"mhz": {}, "luts": luts}) for luts in (4000, None))
    new = routed({4: 90.0})
    assert merged(new, older) is older
    five = routed(dict.fromkeys(range(1, 6), 90.0))
    assert merged(five, older) is five
    assert merged(known, known) is known
    assert merged(area, known) is known
    assert merged(failed, known) is known
    assert merged(known, area) is known
    assert merged(known, failed) is known


def test_a_run_without_energy_does_not_lose_the_known_one() -> None:
    known = routed({1: 100.0}).model_copy(update={"energy_pj": 5.0, "energy_cycles": 40})
    again = merged(routed({1: 100.0}), known)
    assert (again.energy_pj, again.energy_cycles) == (5.0, 40)
    assert merged(routed({1: 100.0}, key="other"), known).energy_pj is None


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    """One line a point, so that a reviewer sees which points changed."""
    path = tmp_path / KEPT.name
    write_points(reversed(read_points()), path)
    assert path.read_text() == KEPT.read_text()
    lines = path.read_text().splitlines()
    assert len(lines) == len(read_points())
    assert max(map(len, lines)) < 1500


def test_the_page_is_what_the_records_give() -> None:
    text = (DOCS / PAGE).read_text()
    shown = re.findall(r"^!\[(.*)\]\((.*)\)$", text, re.MULTILINE)
    assert len(shown) > 10
    assert page(read_points(KEPT), shown) == text


@pytest.mark.campaign  # draws every picture
def test_the_page_shows_every_picture(tmp_path: Path) -> None:
    write_page(read_points(KEPT), tmp_path)
    assert (tmp_path / PAGE).read_text() == (DOCS / PAGE).read_text()


def test_pictures_show_each_set_of_parameters_for_itself() -> None:
    """A line went through whichever came last: the same figures, in another order, differed."""
    default, narrow = (point("mwrkmm", luts, 60.0, width=256) for luts in (9000, 4000))
    wide = point("mwrkmm", 15000, 62.0)
    narrow = narrow.model_copy(update={"id": "multiplier-mwrkmm-256-Elements5-ecp5"})
    found = pictures([default, narrow, wide])
    assert found == pictures([wide, narrow, default])
    assert all("Elements5" in svg for title, svg in found.items() if "over width" in title)


def test_the_widest_points_have_their_picture_beside_that_of_all_architectures() -> None:
    """Parameters are chosen at 1024 bits, where few have been routed: no picture showed those."""
    common = [point(name, 9000, 60.0, width=256) for name in ("mwrkmm", "mwr2mm")]
    wide = [
        point("mwrkmm", luts, 60.0).model_copy(
            update={"id": f"multiplier-mwrkmm-1024-Elements{p}-ecp5"}
        )
        for p, luts in ((5, 4000), (10, 7000), (20, 15000))
    ]
    title = "Area by module: {} bits, multiplier, ecp5"
    assert title.format(1024) not in pictures([*common, *wide[:2]])
    found = pictures([*common, *wide])
    assert "Elements20" in found[title.format(1024)]
    assert "mwr2mm" in found[title.format(256)]
    wider = [one.model_copy(update={"id": one.id.replace("1024", "2048")}) for one in wide]
    found = pictures([*common, *wide, *wider])
    assert {title.format(width) for width in (256, 1024, 2048)} <= set(found)


def test_series_of_a_picture_differ_in_colour_and_line_or_marker() -> None:
    """Six sets of parameters of one architecture were six brown signs."""
    names = [f"multiplier-mwrkmm-1024-Elements{p}-ecp5" for p in range(2, 8)]
    same = [point("mwrkmm", 4000, 60.0).model_copy(update={"id": name}) for name in names]
    found = series_styles([*same, point("mwr2mm", 4000, 60.0), point("mwrkmm", 4000, 60.0)])
    assert len({style["color"] for style in found.values()}) == 8
    plain = [series_styles([point(n, 4000, 60.0)])[n] for n in ("fast_montgomery", "mm42")]
    assert plain[0]["linestyle"] != plain[1]["linestyle"]


def test_papers_and_peers_stand_in_the_picture_by_which_a_designer_chooses() -> None:
    at = "Area against time of one exponentiation: 1024 bits, {}, ecp5"
    multiplier = point("quotient_pipelined", 4700, 100.0)
    core = point("mwrkmm", 15000, 65.0).model_copy(update={"id": "exponentiation-mwrkmm-1024-ecp5"})
    found = pictures([multiplier, core])
    assert "Jiang" in found[at.format("multiplier")]
    assert "Cryptech" not in found[at.format("multiplier")]
    for name in ("Cryptech", "secworks", "Michalski"):
        assert name in found[at.format("exponentiation")]


def test_logarithmic_axes_say_so() -> None:
    found = pictures([point("mwrkmm", 9000, 60.0, width=256), point("mwrkmm", 15000, 62.0)])
    clock, area = (found[f"{what} over width: multiplier, ecp5"] for what in ("Clock", "Area"))
    assert (clock.count(LOG), area.count(LOG)) == (1, 2)
    assert found["Area against time of one exponentiation: 1024 bits, multiplier, ecp5"].count(
        LOG
    ) == 2  # fmt: skip


def test_the_page_begins_with_its_contents() -> None:
    text = page([routed({1: 100.0})], [])
    listed = text[: text.index("\n## ")]
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert [f"[{title}](#" in listed for title in titles] == [True] * len(titles)
    assert "](#gajbhiye--joshi-2018-table-iv" in listed
    assert CONTENTS not in text


def test_what_uncommitted_changes_gave_is_rejected() -> None:
    check_committed("run", "1ec2d3c914b7")
    with pytest.raises(UsageError, match="run: measured on uncommitted changes"):
        check_committed("run", "1ec2d3c914b7-dirty")


def test_a_run_on_an_altered_design_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = SimpleNamespace(hdl=Path("/copy/hdl"))
    monkeypatch.setattr(results, "load", lambda *_: SimpleNamespace(plan=plan))
    monkeypatch.setattr(results, "write_points", lambda points: pytest.fail("written"))
    with pytest.raises(UsageError, match="run: measured on the design in /copy/hdl; accepted"):
        results._run(SimpleNamespace(runs=[Path("run")], context=None))


def test_every_figure_is_one_of_a_known_metric_and_column() -> None:
    for table in figures()["tables"]:
        assert table["metric"] in METRICS
        assert all(len(row) == len(table["columns"]) for row in table["rows"].values())


def test_absolute_times_of_the_thesis_are_period_times_cycles() -> None:
    tables = {table["metric"]: table["rows"] for table in figures()["tables"]}
    for width, times in tables["loop_ns"].items():
        for time, period in zip(times, tables["period_ns"][width], strict=True):
            assert time == pytest.approx(period * (width + 1), rel=1e-3)


def test_rsa_times_are_cycles_at_the_clock_of_the_core_that_computes() -> None:
    values = {"WordWidth": 54, "DigitWidth": 54, "Elements": 4, "Latency": 5}
    cores = [
        point("mwrkmm", luts, mhz, width).model_copy(
            update={"id": f"exponentiation-mwrkmm-{width}-ecp5", "parameters": values}
        )
        for width, luts, mhz in ((1024, 20000, 100.0), (2048, 40000, 50.0), (4096, 80000, 0.0))
    ]
    rows = [line for text in rsa_section(Measured(cores)) for line in text.splitlines()]
    (crt,) = (row for row in rows if "Elements 4" in row and "private, CRT" in row)
    (whole,) = (row for row in rows if "Elements 4" in row and "private, no CRT" in row)
    # 209 854 cycles at 100 MHz, 1 571 768 at 50; 785 884 at 50 MHz, and no clock at 4096 bits.
    assert [cell.strip() for cell in crt.split("|")[3:6]] == ["2.1", "–", "31.4"]
    assert [cell.strip() for cell in whole.split("|")[3:6]] == ["15.7", "–", "–"]
    assert [row for row in rows if "| 4096 | 80 000 |" in row]
    assert [row for row in rows if row.startswith("| OTBN")]


def test_ratios_stand_beside_both_figures() -> None:
    assert compared(200, 100) == "200 / 100 = 2.00"
    assert compared(None, 1234) == "– / 1 234"
    text = dict(thesis_tables(Measured([point("faster_montgomery", 6360, 50.0)])))
    (row,) = [
        line
        for title, table in text.items()
        if title.startswith("Table 5")
        for line in table.splitlines()
        if line.startswith("| 1024")
    ]
    assert row == "| 1024 bits | – / 6 323 | 6 360 / 3 180 = 2.00 | – / 4 291 |"


def test_a_point_with_a_clock_stands_for_one_without() -> None:
    default = point("quotient_pipelined", 4812, 0.0).model_copy(update={"mhz": {}})
    routed = point("quotient_pipelined", 4715, 105.0).model_copy(
        update={
            "id": "multiplier-quotient_pipelined-1024-Latency4-ecp5",
            "parameters": {"Latency": 4},
        }
    )
    where = "ecp5", "multiplier", "quotient_pipelined", 1024
    assert Measured([default, routed]).find(*where) is routed
    assert Measured([default]).find(*where) is default


@pytest.mark.parametrize(("mhz", "verdict"), [(90.0, "confirmed"), (10.0, "refuted")])
def test_the_verdict_follows_the_figures(mhz: float, verdict: str) -> None:
    points = [point(THESIS[0], 4000, 40), point(THESIS[1], 3000, 50), point(THESIS[2], 3000, mhz)]
    (text,) = [text for text in statements(Measured(points)) if text.startswith("Area × time")]
    assert f"is {verdict} at this width" in text


def test_published_points_are_reached_or_not() -> None:
    for ms, verdict in ((3.0, "reached"), (5.0, "not reached")):
        made = point("mwrkmm", 20_000, 100.0).model_copy(
            update={
                "id": "exponentiation-mwrkmm-1024-Elements20-Latency3-ecp5",
                "parameters": {"Elements": 20, "Latency": 3},
                "cycles_exponentiation": round(ms * 100_000),
            }
        )
        (text, *_) = statements(Measured([made]))
        assert text == (
            "Michalski & Buell, Table 1, v2p100: 20 000 LUT against 19 213, 20 000 FF against "
            f"17 992, 100 MHz against 83.5, {ms:.3g} ms against 3.82. The time is {verdict}."
        )


@pytest.mark.parametrize(
    ("end", "where"),
    [("u_unit.u_core.u_a.s_q[3]", "in the loop"), ("u_unit.u_adder.q[0]", "not in the loop")],
)
def test_where_the_clock_is_lost_comes_from_the_paths(end: str, where: str) -> None:
    points = [point(name, 3000, 50.0).model_copy(update={"path_end": end}) for name in THESIS]
    (text,) = [text for text in statements(Measured(points)) if "fastest clock" in text]
    assert text.endswith(f"ends in `{end.rpartition('.')[0]}`, {where}.")


def test_what_does_not_route_is_named_with_its_reason() -> None:
    lost = point(THESIS[0], 1, 1.0).model_copy(
        update={"luts": None, "mhz": {}, "message": "yosys ran out of memory"}
    )
    tables = dict(all_points(Measured([lost])))
    assert tables == {
        "What is missing, and why": f"- `{lost.id}`: yosys ran out of memory\n",
    }


def test_every_table_is_there_before_anything_is_measured() -> None:
    text = page([], [])
    for heading in ("Table 1, page 47", "Table 10, page 55", "Gajbhiye & Joshi", "Jiang & Harris"):
        assert heading in text
    assert "| `unfolded_mm42` | – / 0.101 |" in text


def test_nothing_is_said_of_what_was_not_measured() -> None:
    assert statements(Measured([])) == []


def test_a_line_that_is_no_point_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "measured.jsonl"
    with pytest.raises(UsageError, match=r"measured.jsonl cannot be read: No such file"):
        read_points(path)
    path.write_text('{"id": "multiplier-mm42-8-ecp5"}\n')
    with pytest.raises(UsageError, match=r"measured.jsonl:1: no measured point: Field required"):
        read_points(path)


def test_every_target_of_the_redesign_is_reached() -> None:
    measured = Measured(read_points(KEPT))
    missed = [target for target in targets(measured) if not target.reached]
    assert missed == []


def test_a_target_that_is_missed_is_seen() -> None:
    points = [point("faster_montgomery", 9000, 94.0), point("faster_montgomery", 900, 120.0, 64)]
    measured = Measured(points)
    found = {(t.figure, t.limit): t for t in targets(measured) if "`faster_mont" in t.point}
    assert not any(target.reached for target in found.values())
    assert found["mhz", 0.85].now == pytest.approx(94 / 120)
    rows = target_table(measured).splitlines()
    assert (
        "| multiplier `faster_montgomery` 1024 | LUT a bit | 18.4 | ≤ 8.5 | 8.79 | **no** |" in rows
    )
    # What was not measured is not said to be missed.
    assert "| multiplier `fast_montgomery` 1024 | MHz | – | ≥ 95 | – | – |" in rows


def test_every_module_of_the_core_has_its_part() -> None:
    table = parts_table(Measured(read_points(KEPT)))
    assert "| 10 elements: the arithmetic of the paper | 1 670 | " in table
    assert "others" not in table
    assert parts_table(Measured([])) == ""
