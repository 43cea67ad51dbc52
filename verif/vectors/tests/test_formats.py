"""CSV gives the same vectors as JSON lines, and one clear line for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import architectures
from regress.core.errors import UsageError
from regress.tests.conftest import write_json_lines
from verif.library.vectors.file import FIELDS, VectorReader
from verif.library.vectors.line import Vector

HEADER = "name,x,y,m,width,base,exponent,modulus,length,expect,note"


def read(path: Path) -> list[Vector]:
    return VectorReader(architectures(), ("mwrkmm",)).read(path)


def from_csv(folder: Path, *lines: str, encoding: str = "utf-8") -> list[Vector]:
    path = folder / "v.csv"
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return read(path)


def test_both_formats_give_the_same_vectors(tmp_path: Path) -> None:
    csv = from_csv(
        tmp_path,
        HEADER,
        "a,0x12,34,71,9,,,,,,",
        "",
        'even,1,2,70,,,,,,reject,"two words, one comma"',
        " b , , , , , 12, 5, 71, 3, , ",
        encoding="utf-8-sig",
    )
    json = read(
        write_json_lines(
            tmp_path / "v.jsonl",
            "",
            {"name": "a", "x": "0x12", "y": "34", "m": "71", "width": 9},
            "",
            {"name": "even", "x": "1", "y": "2", "m": "70", "expect": "reject"},
            {"name": "b", "base": "12", "exponent": "5", "modulus": "71", "length": 3},
        )
    )
    assert csv == json


def test_a_cell_of_many_lines_counts_its_lines(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"v\.csv:4: x: not a hex number: 'z'"):
        from_csv(tmp_path, "x,y,m,note", '1,2,5,"first\nsecond"', "z,2,5,")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["x,y,modulo", "1,2,5"], f"1: unknown column 'modulo'; accepted: {', '.join(FIELDS)}"),
        (["x;y;m", "1;2;5"], "1: unknown column 'x;y;m'"),
        (["x,y,m,x", "1,2,5,1"], "1: column 'x' is given twice"),
        (["x,y,m", "1,2"], "2: 2 cells, the first line names 3 columns"),
        (["x,y,m", "1,2,5,7"], "2: 4 cells, the first line names 3 columns"),
        (["x,y,m", "1,2,"], "2: missing 'm'"),
        (["x,y,m", '1,2,"5'], "2: not CSV: unexpected end of data"),
        (["x,y,m,width", "1,2,5,eight"], "2: width: should be a valid integer, found 'eight'"),
        (["x,y,m,width", f"1,2,5,{'8' * 5000}"], "2: not CSV: a number has too many digits"),
        (["x,y,m,width", "1,2,5,-8"], "2: width: should be a valid integer, found '-8'"),
        (["x,y,m,base", "1,2,5,7"], "2: unknown field 'base'; accepted: x, y, m"),
        (["x,y,m,s", "1,2,5,7"], "2: 's' and 'c' differ between architectures"),
        (["x,y,m"], "no vectors; expected one JSON object a line, or CSV"),
    ],
)
def test_a_bad_file_is_one_line(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "v.csv"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(UsageError) as caught:
        VectorReader(architectures()).read(path)
    (found,) = caught.value.lines
    assert message in found


def test_bytes_that_are_no_text_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_bytes(b"x,y,m\n1,2,5\n1,\xff,5\n")
    with pytest.raises(UsageError, match=r"v\.csv:3: not UTF-8 text"):
        read(tmp_path / "v.csv")
