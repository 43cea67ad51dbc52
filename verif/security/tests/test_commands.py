"""The commands: options out of range, what ``--write`` accepts, and the exit code of a fault."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from models.registry import architecture
from regress.cli.command_line import main
from regress.cli.workspace import Workspace
from regress.core.errors import UsageError
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, ROOT, Design, hardware
from verif.library.lanes.uniform import DifferenceError
from verif.security import attacks, commands
from verif.security.attacks import Leakage, Upsets
from verif.security.configuration import configuration_id
from verif.security.leakage import BATCHES
from verif.security.leakage_report import BIT_TRACES, record
from verif.tests.context import CONTEXT


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        *(
            (("leakage", f"--noise={text}"), f"'{text}' is not accepted; accepted: a number from 0")
            for text in ("nan", "inf", "-1", "x")
        ),
        (("leakage", "--width", "65"), "width 65: accepted are widths up to 64"),
        (("leakage", "--seed=-1"), "'-1' is not accepted; accepted: an integer from 0"),
        (("upsets", "--seed=-1"), "'-1' is not accepted; accepted: an integer from 0"),
        (("upsets", "--parameter", "Parity"), "'Parity' is not accepted; accepted: NAME=INTEGER"),
        (("leakage", "--write", "--hdl", str(ROOT / "hdl")), "--write with --hdl: accepted are"),
        (("upsets", "--write", "--hdl", str(ROOT / "hdl")), "--write with --hdl: accepted are"),
        (("upsets", "--write", "--sample", "9"), "--write with --sample: accepted are"),
        (("upsets", "--write", "--no-safe-errors"), "--write with --no-safe-errors: accepted are"),
    ],
)
def test_a_wrong_option_is_one_line(
    argv: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*argv], Workspace.of(CONTEXT)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


@pytest.mark.parametrize("command", ["leakage", "upsets"])
def test_a_design_that_is_not_as_predicted_fails(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*_: object) -> None:
        raise DifferenceError("exponentiation: without a fault it is not as predicted")

    monkeypatch.setattr(commands, "configured_bench", lambda call: SimpleNamespace(width=8))
    for attack in (Leakage, Upsets):
        monkeypatch.setattr(attack, "_report", failing)
    assert main([command], Workspace.of(CONTEXT)) == 1
    assert f"{command}: FAILED: exponentiation: without a fault" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("design", "name", "parameters", "expected"),
    [
        (EXPONENTIATION, "mwrkmm", {}, "exponentiation-mwrkmm-8-bus32"),
        (EXPONENTIATION, "mwrkmm", {"BusWidth": 8, "Parity": 1, "Balanced": 1},
         "exponentiation-mwrkmm-8-bus8-Balanced-Parity"),
        (MULTIPLIER, "mm42", {"Watchdog": 1, "AddWidth": 8},
         "multiplier-mm42-8-bus32-Watchdog-AddWidth8"),
    ],
)  # fmt: skip
def test_each_configuration_has_a_name_of_its_own(
    design: Design, name: str, parameters: dict[str, int], expected: str
) -> None:
    made = hardware(design, architecture(name), 8, parameters)
    bench = SimpleNamespace(design=design, made=made, width=8, bus_width=made.values["BusWidth"])
    assert configuration_id(bench) == expected


def test_records_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "leakage.json"
    record("a", {"traces": 1, "tests": 2}, path)
    record("b", {"traces": 3, "bits": {0: 4}}, path)
    assert '"tests"' not in path.read_text() and '"a"' in path.read_text()
    for text in ("{", "[]"):
        path.write_text(text)
        with pytest.raises(UsageError, match=r"leakage\.json: cannot be read"):
            record("c", {"traces": 1}, path)


def test_traces_of_a_bit_are_as_many_as_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table says "more than 10,000" of a bit that does not show."""
    asked = []

    class Campaign:
        window = range(1)

        def __init__(self, *_: object) -> None: ...

        def run(self, traces: int, *, null: bool) -> SimpleNamespace:
            asked.append(traces)
            return SimpleNamespace(traces=np.array([traces, traces]))

    monkeypatch.setattr(attacks, "LeakageCampaign", Campaign)
    monkeypatch.setattr(attacks.LeakageReport, "distances", {attacks.ALL: np.zeros(1)})
    assert Leakage("bit", BATCHES)._by_bit(SimpleNamespace(width=2)) == {0: 0, 1: 0}
    assert asked == [BIT_TRACES] * 2
