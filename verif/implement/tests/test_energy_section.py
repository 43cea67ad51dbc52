"""The results page shows measured energy, and a signature that is scaled by the stated rule."""

from __future__ import annotations

import pytest

from models.registry import architecture
from verif.bench.configuration.design import EXPONENTIATION, hardware
from verif.implement.energy.section import energy_section
from verif.implement.point import ImplementationPoint, cycles
from verif.implement.quantities import Measured


def exponentiation(width: int, each_pj: float) -> ImplementationPoint:
    """A point of 1000 cycles of some pJ each, a quarter of it in the clock pins."""
    return ImplementationPoint(
        id=f"exponentiation-mwrkmm-{width}-nangate45",
        parameters={},
        cycles_loop=1,
        cycles_product=1,
        cycles_exponentiation=1,
        area_um2=1.0,
        mhz={1: 100.0},
        energy_pj=1000 * each_pj,
        clock_pj=250 * each_pj,
        energy_cycles=1000,
        leakage_uw=float(width),
    )


def test_without_energy_the_page_says_so() -> None:
    point = exponentiation(128, 1.0).model_copy(update={"energy_pj": None})
    assert energy_section(Measured([point])) == ["No energy was measured.", ""]


def test_a_row_has_energy_share_of_the_clock_and_leakage_at_the_clock() -> None:
    text = "\n".join(energy_section(Measured([exponentiation(128, 2.0)])))
    # 128 µW for 1000 cycles of 10 ns.
    assert "| `mwrkmm 128` | 1 000 | 2 000 | 25 % | 2 | 128 | 1 280 |" in text
    # Two widths lie on every line.
    two = [exponentiation(128, 2.0), exponentiation(256, 4.0)]
    assert "RSA-2048" not in text + "\n".join(energy_section(Measured(two)))


def test_a_signature_is_scaled_by_the_line_through_the_widths() -> None:
    # 10 pJ and a tenth of a pJ for each bit.
    points = [exponentiation(width, 10 + width / 10) for width in (64, 128, 256, 512)]
    text = "\n".join(energy_section(Measured(points)))
    assert "**scaled, not measured**" in text
    assert "10 pJ + 0.1 pJ a bit; the points lie off it by up to 0.0 %" in text
    made = hardware(EXPONENTIATION, architecture("mwrkmm"), 2048, {})
    count = cycles(made.core, 2048, made.values["AddWidth"])["cycles_exponentiation"]
    row = next(line for line in text.splitlines() if "without CRT" in line)
    assert float(row.split("|")[4]) == pytest.approx(count * 214.8e-9, rel=0.01)


def test_points_off_the_line_are_stated() -> None:
    points = [exponentiation(width, each) for width, each in ((128, 1.0), (256, 1.0), (384, 4.0))]
    text = "\n".join(energy_section(Measured(points)))
    assert "lie off it by up to 100.0 %" in text
