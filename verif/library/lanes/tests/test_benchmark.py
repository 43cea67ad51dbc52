"""The lane engine's table of ``bench``, and the page that takes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.cli.command_line import main
from verif.benchmark import command
from verif.benchmark.command import LANES
from verif.benchmark.lanes import AIM, LaneFigures
from verif.library.marked import marked_table

FAST = LaneFigures("multiplier", "mm42", 8, 80, 512, [1e4, 2e4, 3e4], [9e5, 1e6, 1.2e6])
SLOW = LaneFigures("exponentiation", "mwrkmm", 64, 9000, 512, [100.0], [2900.0])


def measured(monkeypatch: pytest.MonkeyPatch, *found: LaneFigures) -> None:
    monkeypatch.setattr(command, "lane_benchmark", lambda *_: list(found))


def test_write_puts_the_table_into_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{LANES}\n<!-- /table -->\nafter\n")
    measured(monkeypatch, FAST)
    assert FAST.ratio > AIM
    assert main(["bench", "--lanes", "--write", str(page)]) == 0
    table = marked_table(page, LANES)
    assert "| multiplier `mm42` | 8 | 1,000,000 | 20,000 | 50 |" in table
    assert "`python -m regress bench --lanes --write" in table and "512 lanes" in table


def test_a_ratio_below_the_aim_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(monkeypatch, FAST, SLOW)
    assert main(["bench", "--lanes"]) == 1
    assert "mwrkmm at 64 bits: 29.0 x harness" in " ".join(capsys.readouterr().out.split())


def test_a_page_without_the_marks_is_rejected_before_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    monkeypatch.setattr(command, "lane_benchmark", lambda *_: pytest.fail("measured"))
    assert main(["bench", "--lanes", "--write", str(page)]) == 2
    assert "expected one line" in capsys.readouterr().err
