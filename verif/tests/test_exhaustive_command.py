"""The command ``exhaustive``: its table, the operands of a failure, bad options."""

from __future__ import annotations

import pytest

from models.architectures.faster_montgomery import FasterMontgomeryModel
from models.tests.test_exhaustive import PrintedTableModel
from regress.cli.command_line import main


def test_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exhaustive", "--width", "4", "--arch", "dual_radix"]) == 0
    output = capsys.readouterr()
    assert [line.split()[:3] for line in output.out.splitlines()] == [
        ["4", "bits", "products"],
        ["dual_radix", "679", "2,716"],
    ]
    assert output.err.startswith("dual_radix: 3,687 operations, ")


def test_command_fails_with_the_operands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FasterMontgomeryModel, "loop", PrintedTableModel.loop)
    monkeypatch.setattr(FasterMontgomeryModel, "bit_sliced", False)
    assert main(["exhaustive", "--width", "4", "--arch", "faster_montgomery"]) == 1
    assert capsys.readouterr().out.startswith("FAILED: faster_montgomery at 4 bits, X = ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--width", "3"], "argument --width: '3' is not accepted; accepted: 4 to 8"),
        (["--width", "eight"], "argument --width: 'eight' is not accepted; accepted: 4 to 8"),
        (["--arch", "faster"], "unknown architecture 'faster'"),
        (["--depth", "4"], "unrecognized arguments: --depth 4"),
    ],
)
def test_bad_options_give_one_line_and_2(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["exhaustive", *options]) == 2
    output = capsys.readouterr()
    assert output.out == "" and len(output.err.splitlines()) == 1
    assert message in output.err
