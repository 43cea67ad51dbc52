"""Styles of foreign code: correct cores hold, whatever their cycles, delays and delta cycles."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.cases import CaseStatus
from verif.bench.configuration.burst import has_two_delays, unserved
from verif.own_core.tests.styles import NAMES, STYLES, style_file
from verif.own_core.tests.test_check import check

# What cycles matter to; ``trials`` of the nightly has all classes and more seeds.
CASES = (
    "random operands, M of full width",
    "back to back",
    "latency as claimed",
    "reset in mid-operation",
    "start while busy is ignored",
    "operands may change after the start",
)
ONLY = tuple(word for name in CASES for word in ("--only", name))
# One for each reason why cycles differ: events in a cycle, the clock, the reset, the operands. The
# nightly runs the others.
ON_ICARUS = ("nonblocking", "gated", "reset_bridge", "early_end")
# Each of them was called broken with bursts of clock edges, or by one simulator alone.
ON_VERILATOR = ("latches", "delays", "clock_to_q", "gated")


def test_there_are_ten_styles() -> None:
    assert len(NAMES) >= 10


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("name", "simulator"),
    [
        *((name, "icarus") for name in ON_ICARUS),
        *(
            pytest.param(name, "icarus", marks=pytest.mark.campaign)
            for name in NAMES
            if name not in ON_ICARUS
        ),
        (ON_VERILATOR[0], "verilator"),
        *(pytest.param(name, "verilator", marks=pytest.mark.campaign) for name in ON_VERILATOR[1:]),
    ],
)
def test_a_correct_core_is_never_called_broken(name: str, simulator: str, tmp_path: Path) -> None:
    file = style_file(name, tmp_path)
    done = check(file, tmp_path / "run", "--width", "8", "--sim", simulator, *ONLY)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "broken" not in done.stdout
    assert CaseStatus.PASSED.value in done.stdout


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("delays.v", "a delay"),
        ("clock_to_q.v", "a delay"),
        ("packages.sv", "a delay"),
        ("nonblocking.v", "a non-blocking assignment in a combinational process"),
        ("vhdl.v", "a non-blocking assignment in a combinational process"),
    ],
)
def test_bursts_of_clock_edges_reject_foreign_code(name: str, what: str) -> None:
    assert any(line.endswith(f": {what}") for line in unserved([STYLES / name]))


def test_only_two_delays_of_one_net_are_taken_from_verilator() -> None:
    assert [path.name for path in STYLES.glob("*.*v") if has_two_delays(path)] == ["delays.v"]


def test_there_is_a_core_of_each_kind_that_bursts_do_serve() -> None:
    served = {"defaults.v", "gated.sv", "initial_values.v", "reset_bridge.sv", "unpacked.sv"}
    assert not list(unserved(STYLES / name for name in served))
