"""The table of cycles."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import hardware_architectures
from regress.cli import command_line as cli
from regress.core.errors import UsageError
from verif.library.marked import END, replaced
from verif.project.cycle_table import BEGIN, cycle_table


def table() -> str:
    return cycle_table(hardware_architectures().values())


def test_ours_are_compared_with_what_is_published() -> None:
    rows = [line for line in table().splitlines() if "`mwrkmm`" in line]
    assert len(rows) == 2
    for row, product, exponentiation in zip(rows, ("311", "373"), (318600, 382900), strict=True):
        cells = [cell.strip() for cell in row.split("|")]
        assert f"/ {product} = 0." in cells[3]
        ours, published = cells[4].split(" = ")[0].split(" / ")
        assert int("".join(published.split())) == exponentiation
        assert 0 < int("".join(ours.split())) < exponentiation
    assert all(f"`{name}`" in table() for name in hardware_architectures())


def test_the_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "README.md"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    assert cli.main(["table", "--write", str(path)]) == 0
    assert capsys.readouterr().out == table()
    assert path.read_text() == f"before\n{BEGIN}\n{table()}{END}\nafter\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"{BEGIN}\n",
        f"{END}\n{BEGIN}\n",
        f"{BEGIN}\n{END}\n{BEGIN}\n",
        f"{BEGIN}\n{END}\n{END}\n",
    ],
)
def test_a_file_without_the_markers_is_left_alone(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "README.md"
    path.write_text(text)
    with pytest.raises(UsageError, match="expected one line"):
        replaced(text, table(), path, BEGIN)
    assert cli.main(["table", "--write", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert path.read_text() == text


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["table", "--write", str(tmp_path / "nothing.md")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
