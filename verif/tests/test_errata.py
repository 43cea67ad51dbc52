"""Errata: conditions hold where they should, wrong files are rejected in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from models.registry import hardware_architectures
from regress.cli.command_line import main
from regress.core.errors import UsageError
from verif.bench.configuration.design import DESIGNS, ROOT, hardware
from verif.library.errata import (
    CURRENT,
    ERRATA,
    Condition,
    affecting,
    read_configuration,
    read_errata,
)

CHIP = {
    "version": CURRENT,
    "taken": "2026-11-23",
    "design": "multiplier",
    "architecture": "unfolded_faster_montgomery",
    "width": 256,
}


def found(tmp_path: Path, **changed: object) -> list[str]:
    asked, values = read_configuration(written(tmp_path, {**CHIP, **changed}))
    return [one.id for one in affecting(read_errata(), asked, values)]


def written(tmp_path: Path, data: object) -> Path:
    path = tmp_path / "chip.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    return path


def test_the_version_of_the_register_is_that_of_the_project() -> None:
    assert f'\nversion = "{CURRENT}"\n' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("architecture", hardware_architectures())
@pytest.mark.parametrize("design", DESIGNS)
def test_each_condition_has_a_value_for_each_architecture(design: str, architecture: str) -> None:
    entry = hardware_architectures()[architecture]
    made = hardware(DESIGNS[design], entry, 64, {})
    options = dict.fromkeys(DESIGNS[design].options, 0)
    own = {"design": design, "architecture": architecture, "width": 64}
    values = {**options, **made.values, **own}
    assert {Condition(one.condition)(values) for one in read_errata()} == {True, False}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ["E2", "E5", "E8", "E16", "E17"]),
        ({"width": 128}, ["E5", "E8", "E16", "E17"]),
        ({"parameters": {"Unfolding": 1}}, ["E5", "E8", "E16", "E17"]),
        ({"parameters": {"Unfolding": 1, "Watchdog": 1}}, ["E8", "E16", "E17"]),
        ({"taken": "2026-11-24"}, ["E5", "E8", "E16", "E17"]),
        ({"taken": "2026-11-22"}, ["E5", "E8", "E16", "E17"]),
        ({"taken": "2026-11-30"}, ["E5", "E16", "E17"]),
        ({"taken": "2026-11-20"}, []),
        ({"version": "0.0.9"}, []),
        ({"taken": None}, ["E2", "E5", "E8", "E16", "E17"]),
        ({"design": "exponentiation"}, ["E2", "E3", "E4", "E16"]),
        ({"design": "exponentiation", "taken": "2026-11-29"}, ["E4", "E12", "E13", "E16"]),
        (
            {"design": "exponentiation", "parameters": {"Unfolding": 4, "AddWidth": 4}},
            ["E1", "E2", "E3", "E4", "E16"],
        ),
        ({"design": "exponentiation", "architecture": "mwrkmm"}, ["E3", "E4", "E16"]),
    ],
)
def test_version_day_and_configuration_select(
    tmp_path: Path, changed: dict[str, object], expected: list[str]
) -> None:
    assert found(tmp_path, **changed) == expected


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"version": "9.0.0"}, f"version 9.0.0 is unknown; accepted: up to {CURRENT}"),
        ({"version": "new"}, "version"),
        ({"design": "divider"}, "design"),
        ({"architecture": "mwrkm"}, "did you mean 'mwrkmm'"),
        ({"width": 2}, "accepted are"),
        ({"width": "wide"}, "width"),
        ({"parameters": {"Unfoldng": 2}}, "unknown parameter 'Unfoldng'"),
        ({"parameters": {"Unfolding": 9}}, "accepted are 1 to 4"),
        ({"taken": "yesterday"}, "taken"),
        ({"colour": "red"}, "unknown key 'colour'"),
    ],
)
def test_a_wrong_configuration_is_rejected_in_one_line(
    tmp_path: Path, changed: dict[str, object], message: str
) -> None:
    path = written(tmp_path, {**CHIP, **changed})
    with pytest.raises(UsageError) as caught:
        read_configuration(path)
    (line,) = caught.value.lines
    assert line.startswith(str(path)) and message in line


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("width >", "not readable"),
        ("widht > 4", "did you mean 'width'"),
        ('architecture == "mwrkm"', "did you mean 'mwrkmm'"),
        ("Unfolding > 1", "cannot be computed for multiplier dual_radix"),
        ("width", "is 4 for multiplier dual_radix at 4 bits, not true or false"),
        ("abs(width) > 4", "Call is not accepted"),
        ("width > design", "cannot be computed"),
    ],
)
def test_a_wrong_condition_is_rejected(tmp_path: Path, condition: str, message: str) -> None:
    path = tmp_path / "errata.yaml"
    data = yaml.safe_load(ERRATA.read_text(encoding="utf-8"))
    data["errata"][1]["condition"] = condition
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_errata(path)
    (line,) = caught.value.lines
    assert message in line


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"id": "E1"}, "erratum E1 exists already"),
        ({"versions": {"first": "0.1.0", "last": "9.0.0"}}, "last up to"),
        ({"versions": {"first": "0.1.0", "last": "0.0.1"}}, "first up to last"),
        ({"fixed": "2026-11-22"}, "no day before 'since'"),
        ({"fix": ""}, "with 'fix'"),
    ],
)
def test_a_wrong_erratum_is_rejected(
    tmp_path: Path, changed: dict[str, object], message: str
) -> None:
    path = tmp_path / "errata.yaml"
    data = yaml.safe_load(ERRATA.read_text(encoding="utf-8"))
    data["errata"][1] |= changed
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read_errata(path)


@pytest.mark.parametrize(
    ("changed", "code", "text"),
    [
        ({}, 1, "5 of "),
        ({"taken": "2026-11-20"}, 0, "0 of "),
        ({"width": 2}, 2, "accepted are"),
    ],
)
def test_the_exit_code(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changed: dict[str, object],
    code: int,
    text: str,
) -> None:
    path = written(tmp_path, {**CHIP, **changed})
    assert main(["affected", str(path)]) == code
    shown = capsys.readouterr()
    assert text in (shown.err if code == 2 else shown.out)
