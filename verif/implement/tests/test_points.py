"""Which points there are, what they are synthesised from, and their cycles."""

from __future__ import annotations

import argparse
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from models.registry import architecture, hardware_architectures
from regress.core.errors import UsageError
from regress.core.terminal import Parser
from regress.run.record import RunRecord
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER
from verif.implement.flow.history import HISTORY_FILE, ImplementHistory
from verif.implement.flow.record import Fmax, PointRecord, PointStatus, Provenance
from verif.implement.point import cycles
from verif.implement.project import MultiplierDesigns, subject
from verif.tests.context import PROJECT


def options(*argv: str) -> argparse.Namespace:
    parser = Parser()
    MultiplierDesigns().add_arguments(parser)
    return parser.parse_args(argv)


def test_a_point_has_the_sources_it_uses_and_no_other_core() -> None:
    names = set(subject(MULTIPLIER, "mwrkmm", 32, {}).recipe.sources)
    assert {"multiplier.sv", "mwrkmm.sv", "mwrkmm_element.sv", "systolic_ring.sv"} <= names
    assert not names & {"mm42.sv", "dual_radix.sv", "exponentiation.sv"}


def test_ids_say_what_is_not_the_default() -> None:
    assert subject(MULTIPLIER, "mm42", 64, {}).id == "multiplier-mm42-64"
    made = subject(EXPONENTIATION, "mwrkmm", 1024, {"Elements": 15, "Latency": 4})
    assert made.id == "exponentiation-mwrkmm-1024-Elements15-Latency4"
    assert made.parameters["BusWidth"] == 32


def test_every_combination_small_widths_first() -> None:
    project = MultiplierDesigns()
    asked = options("--width", "64,16", "--design", "all", "--arch", "mm42,mwr2mm")
    ids = [one.id for one in project.subjects(asked, None)]
    assert len(ids) == 8
    assert ids[0] == "multiplier-mm42-16"
    assert ids[-1] == "exponentiation-mwr2mm-64"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--arch", "mm43"), "unknown architecture 'mm43'; accepted: .*did you mean 'mm42'"),
        (("--design", "adder"), "unknown design 'adder'; accepted: multiplier, exponentiation"),
        (("--width", "4,x"), "'4,x' is not accepted; accepted: integers"),
        (("--width", "2"), "width 2 of .*: accepted are"),
        (("--parameter", "Words"), "'Words' is not accepted; accepted: NAME=VALUE"),
        (("--parameter", "Words=3"), "unknown parameter 'Words' of .*; accepted: BusWidth"),
    ],
)
def test_bad_input_is_one_line(argv: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        MultiplierDesigns().subjects(options(*argv), None)


def test_a_folder_without_a_design_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no design there; accepted: a folder with multiplier.sv"):
        MultiplierDesigns().subjects(options(), tmp_path)


def test_cycles_are_those_of_the_models() -> None:
    entry = architecture("mwrkmm").with_parameters({"Elements": 20})
    assert cycles(entry, 1024, 32) == {
        "cycles_loop": 201,
        "cycles_product": pytest.approx(206, abs=0.5),
        "cycles_exponentiation": 214_683,
    }


@pytest.mark.parametrize("name", hardware_architectures())
def test_times_are_cycles_at_the_median_frequency(name: str) -> None:
    made = subject(MULTIPLIER, name, 32, {})
    fmax = Fmax(median=100.0, min=90.0, max=110.0, seeds=[1, 2, 3])
    times = MultiplierDesigns().measured(made, fmax)
    assert times["time_product_us"] == pytest.approx(made.facts["cycles_product"] / 100, rel=1e-3)
    whole = made.facts["cycles_exponentiation"] / 100_000
    assert times["time_exponentiation_ms"] == pytest.approx(whole, abs=1e-4)
    assert MultiplierDesigns().measured(made, None) == {}


def test_the_report_of_a_run_shows_what_was_measured_beside_it(tmp_path: Path) -> None:
    plan = SimpleNamespace(options={}, jobs=())
    record = cast(RunRecord, SimpleNamespace(folder=tmp_path / "run", plan=plan))
    assert PROJECT.sections(record) == []
    fmax = Fmax(median=100.0, min=100.0, max=100.0, seeds=[1])
    made = PointRecord(
        id="p", design="d", parameters={}, target="ecp5", stage="post-route",
        status=PointStatus.DONE, luts=10, fmax_mhz=fmax,
        provenance=Provenance(
            commit="c", sources="s", key="k", tools={}, options=[], date=datetime.now(timezone.utc),
            seconds=1.0,
        ),
    )  # fmt: skip
    ImplementHistory(tmp_path / HISTORY_FILE).add("one", "2026-01-01T00:00", [made])
    (table,) = PROJECT.sections(record)
    assert table.rows == [["p", "1", "█ 10 LUT", "█ 100", ""]]
