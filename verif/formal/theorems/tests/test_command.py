"""Wrong input gets one line; without Coq the command says that its check is the weaker one."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.cli import command_line as cli
from verif.formal.theorems import command


@pytest.mark.parametrize(
    "arguments, line",
    [
        (
            ["--arch", "mwr2mm"],
            "no theory of mwr2mm yet; accepted: fast_montgomery, faster_montgomery",
        ),
        (
            ["--arch", "unfolded_mm42", "--width", "8", "--parameter", "Unfolding=4"],
            "width 8 of unfolded_mm42: the theorem of Unfolding = 4 accepts 9 and more",
        ),
        (["--arch", "fast"], "unknown architecture 'fast'; accepted: fast_montgomery"),
        (["--width", "3"], "width 3 of fast_montgomery: accepted are 4 to 8192"),
        (["--width", "abc"], "'abc' is not accepted; accepted: 2 to 8192"),
        (["--parameter", "AddWidth=3"], "AddWidth = 3: accepted are 4 to 4096"),
        (["--parameter", "AddWidth"], "'AddWidth' is not accepted; accepted: NAME=VALUE"),
        (
            ["--design", "exponentiation", "--arch", "mwrkmm", "--parameter", "Parity=1"],
            "Parity = 1: the theorem of the ladder accepts 0",
        ),
        (
            ["--hdl", "nowhere"],
            "nowhere' is not a design folder; accepted: a folder with multiplier.sv",
        ),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["prove", *arguments]) == 2
    error = capsys.readouterr().err
    assert line in error and error.count("\n") == 1


def test_without_coq_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "coq_version", lambda: "")
    called = ["prove", "--arch", "fast_montgomery", "--width", "5", "--out", str(tmp_path / "run")]
    assert cli.main(called) == 0
    shown = capsys.readouterr().out
    assert "Coq is not installed: apt-get install coq" in shown
    assert "1 checked by truth tables" in shown and "weaker" in shown
