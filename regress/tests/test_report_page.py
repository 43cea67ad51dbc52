"""What the page of a run shows, and how its pictures follow the reader's screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from regress.core.jobrecord import Bucket, JobRecord
from regress.core.runfile import Rerun, Status
from regress.history.database import HistoryView, NightlyRun
from regress.report import plots
from regress.report.markdown import write_markdown
from regress.report.tables import rows_by_test
from regress.tests.conftest import make_job
from regress.tests.sample_report import sample_record
from regress.tests.test_report import failed, html, make_record, passed, terminal
from regress.waves import picture


def test_a_picture_has_both_colour_schemes() -> None:
    """Each colour of the waveform is a variable, which both schemes set."""
    text = (Path(picture.__file__).parent / "templates" / "wave.svg.j2").read_text()
    scheme = r"--([\w-]+):#[0-9a-f]+"
    light, dark = text.split("@media (prefers-color-scheme:dark)")
    dark, rest = dark.split("}}", 1)
    assert set(re.findall(scheme, light)) == set(re.findall(scheme, dark))
    assert set(re.findall(r"var\(--([\w-]+)\)", rest)) == set(re.findall(scheme, light))
    assert not re.search(r"#[0-9a-f]{3,6}\b", rest)


def test_a_picture_begins_at_the_failure(tmp_path: Path) -> None:
    """A narrow screen shows a part of the picture; the page scrolls it to the failure."""
    rerun = Rerun(Status.FAILED, "", "jobs/y", "a.svg", "w.fst")
    record = make_record(tmp_path, failed(), buckets=[Bucket("k", [failed()], rerun, True)])
    for svg, attribute in (
        ("<svg data-moment='1'>", ""),
        ('<svg width="9" data-moment="0.62">', ' data-moment="0.62"'),
        ('<svg data-moment="0.6&quot; onload=">', ""),
    ):
        (tmp_path / "a.svg").write_text(f"{svg}</svg>")
        assert f'<div class="picture"{attribute}><img' in html(record)
    assert "box.scrollLeft = box.dataset.moment" in html(record)


def test_the_title_of_a_bucket_is_a_message_and_no_mask(tmp_path: Path) -> None:
    message = "fast_montgomery 32 bits at 10 ns: x=0x3 y=0x2 m=0x7: P = 0x9, gmpy2 says 0x1"
    record = make_record(tmp_path, failed(message))
    assert record.buckets[0].key == "P = #, gmpy2 says #"
    for text in (html(record), terminal(record, tmp_path), write_markdown(record).read_text()):
        assert "P = 0x9, gmpy2 says 0x1" in text
        assert "P = #" not in text
    assert "<h3>P = 0x9, gmpy2 says 0x1</h3>" in html(record)
    assert f"<code>{message}</code>" in html(record)
    short = html(make_record(tmp_path, failed("timed out after 5 s")))
    assert "<h3>timed out after 5 s</h3>" in short
    assert "<code>timed out" not in short


def test_each_test_has_its_pass_rate_by_simulator(tmp_path: Path) -> None:
    expected = JobRecord(make_job(width=16), Status.EXPECTED_FAILURE, "m", 1.0, "jobs/z")
    jobs = [
        passed(),
        passed(simulator="icarus"),
        passed(test="corners"),
        failed(width=64),
        expected,
    ]
    simulators, rows = rows_by_test(make_record(tmp_path, *jobs))
    assert simulators == ["icarus", "verilator"]
    (first, cells, total), (second, others, _) = rows
    assert (first, second) == ("random", "corners")
    assert [(cell.passed, cell.jobs) for cell in cells if cell] == [(1, 1), (1, 3)]
    assert others[0] is None
    assert total.pass_rate == 75.0
    page = html(make_record(tmp_path, *jobs))
    assert '<td class="number bad">1 of 3</td>' in page
    assert '<td class="number bad">75.0 %</td>' in page


def test_the_last_runs_are_in_the_page_without_matplotlib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "can_plot", lambda: False)
    record = make_record(tmp_path / "now", passed())
    record.folder.mkdir()
    night = NightlyRun.of(make_record(tmp_path / "last night", passed(), failed(width=64)))
    page = html(record, HistoryView([night, NightlyRun.of(record)]))
    assert "The last 2 runs of list" in page
    assert '<a href="../last%20night/report.html">' in page
    assert '<td class="number">50.0 %</td>' in page
    assert "The last" not in html(record, HistoryView([NightlyRun.of(record)]))


def test_a_goal_is_a_coverage_group_of_the_list_and_nothing_else(tmp_path: Path) -> None:
    """Bins that must be hit are called required."""
    record = sample_record(tmp_path, 60, 2, eventful=True)
    record.buckets = []
    for text in (html(record), terminal(record, tmp_path), write_markdown(record).read_text()):
        words = re.findall(r"\w*[ -]?\bgoals?\b[ -]?\w*", re.sub(r'class="[^"]*"', "", text), re.I)
        allowed = r"(coverage )?goals? (not|met|table_)|id=|#goals|^.?goals.?$"
        assert words
        assert [word for word in words if not re.search(allowed, word, re.I)] == []
        assert "equired" in text


def test_subjects_without_coverage_groups_have_no_row_of_coverage(tmp_path: Path) -> None:
    record = make_record(tmp_path, passed())
    record.coverage = {"faster_montgomery": {}}
    assert "<p>No job that passed reported coverage.</p>" in html(record)
