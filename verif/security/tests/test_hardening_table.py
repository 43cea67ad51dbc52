"""The table of hardening options is that of the recorded results."""

from __future__ import annotations

from dataclasses import replace

from verif.library.marked import marked_table
from verif.security.hardening import NONE, PAGE, Records, hardening_table

ALL = "exponentiation-mwrkmm-8-bus8-Balanced-Parity-Coherent-flip-seed1"


def row(table: str, title: str) -> list[str]:
    (line,) = (each for each in table.splitlines() if each.startswith(f"| {title} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_page_has_the_table_of_the_records() -> None:
    assert marked_table(PAGE, "<!-- table: hardening -->") == hardening_table(Records.read())


def test_cells_are_the_records() -> None:
    records = Records.read()
    counts = {**records.upsets[ALL], "silent": 1, "detected": 3, "safe_errors": 12_345}
    area = {"64": (1000, 200), "64-Balanced": (1100, 190)}
    table = hardening_table(replace(records, upsets={ALL: counts}, area=area))
    share = row(table, "detected, of those that are silent or detected")
    assert share == [NONE, NONE, NONE, "75.0 %"]
    assert row(table, "safe errors")[-1] == "12,345"
    assert row(table, "LUT, FF at 64 bits") == ["1,000, 200", "+10.0 %, -5.0 %", NONE, NONE]
    assert row(table, "cycles at 1024 bits") == ["214,683", "+0.0 %", "+0.0 %", "+0.6 %"]
