"""Tables and pictures of the hardening options; ``ci/tests`` compares those of the page."""

from __future__ import annotations

import re
from dataclasses import replace

from models.registry import hardware_architectures
from verif.implement.point import ImplementationPoint
from verif.project.hardening import (
    NONE,
    PAGE,
    SHOWN,
    Records,
    hardening_pictures,
    hardening_tables,
    watchdog_table,
)

ALL = "exponentiation-mwrkmm-8-bus8-Balanced-Parity-Coherent-flip-seed1"
PLAIN_64 = "exponentiation-mwrkmm-64-ecp5"


def row(table: str, title: str) -> list[str]:
    (line,) = (each for each in table.splitlines() if each.startswith(f"| {title} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def point(name: str, luts: int, mhz: dict[int, float]) -> ImplementationPoint:
    return ImplementationPoint(
        id=name, luts=luts, ffs=200, mhz=mhz, parameters={}, cycles_loop=1, cycles_product=1,
        cycles_exponentiation=1,
    )  # fmt: skip


def test_the_table_has_the_watchdog_of_every_multiplier() -> None:
    table = watchdog_table(Records.read())
    rows = [line.strip("| ").split(" | ") for line in table.split("\n") if line.startswith("| `")]
    assert {cells[0].strip("`") for cells in rows} == set(hardware_architectures())
    # threats.md promises it for every core.
    guarded = [cells for cells in rows if cells[1] == "1"]
    assert all((cells[4], cells[8]) == ("0", "0") for cells in guarded)  # hang, next wrong
    assert all(int(cells[4]) for cells in rows if cells not in guarded)


def test_the_pictures_exist() -> None:
    links = re.findall(r"\((.+?\.svg)\)", hardening_pictures())
    assert len(links) == 2 * len(SHOWN)
    for link in links:
        assert (PAGE.parent / link).read_text(encoding="utf-8").startswith("<svg")


def test_cells_of_upsets_are_the_records() -> None:
    records = Records.read()
    counts = {"experiments": 20, "latent": 2, "silent": 1, "hang": 0, "duration": 4, "detected": 3}
    table = hardening_tables(replace(records, upsets={ALL: {**counts, "safe_errors": 12_345}}))
    share = row(table, "detected, of those that are silent or detected")
    assert share == [*[NONE] * 5, "75.0 %"]
    assert row(table, "no effect")[-1] == "50.00 %"
    assert row(table, "other duration")[-1] == "20.00 %"
    assert row(table, "safe errors, count")[-1] == "12,345"
    assert "next wrong" not in table


def test_cells_of_leakage_are_the_records() -> None:
    scores = {"control and addresses": 0.0, "exponent": 93.26, "data": 4.0}
    found = {
        "traces": 4096, "limit": 5.7, "max_score": scores, "distance": 3.0, "sum_limit": 5.2,
        "traces_needed": 0,
    }  # fmt: skip
    name = "exponentiation-mwrkmm-16-bus8-Balanced"
    recorded = {f"{name}-exponent-seed1": found}
    recorded[f"{name}-bit-seed1"] = {**found, "bits": {"0": 0, "1": 300, "2": 4000}}
    recorded[f"{name}-bit-noise10-seed1"] = {**found, "bits": {"0": 0, "1": 0}}
    table = hardening_tables(replace(Records.read(), leakage=recorded))
    said = "whole exponent, 16 bits: "
    assert row(table, f"{said}traces") == [NONE, "4,096", *[NONE] * 4]
    assert row(table, f"{said}exponent registers, max abs z (limit)")[1] == "93.3 (5.7)"
    assert row(table, f"{said}total toggles, max abs t (limit)")[1] == "3.0 (5.2)"
    bits = "traces for one exponent bit at five sigma, 16 bits"
    assert row(table, bits)[1] == "300 to more than 10,000"
    assert row(table, f"{bits}, noise of sigma 10")[1] == "more than 10,000"


def test_cells_of_the_price_are_the_measured_points() -> None:
    hardened = PLAIN_64.replace("64", "64-Parity1")
    points = [point(PLAIN_64, 1000, {1: 50, 2: 80, 3: 60}), point(hardened, 1100, {1: 54})]
    table = hardening_tables(replace(Records.read(), points={p.id: p for p in points}))
    assert row(table, "LUT, 64 bits") == ["1,000", NONE, "1,100 (+10.0 %)", *[NONE] * 3]
    assert row(table, "MHz, 64 bits")[:3] == ["60", NONE, "54 (-10.0 %)"]
    assert row(table, "cycles, 1024 bits")[0] == "214,683"
    assert row(table, "cycles, 1024 bits")[-1] == "216,041 (+0.6 %)"
