"""The lint of words: each kind of text is read, code and names are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ci.prose import found


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.py", "x = 1  # nobody reads it\n", "a.py:1: 'nobody'; write: the host"),
        ("a.py", '"""One.\n\nIt takes two clocks.\n"""\n', "a.py:3: 'clocks'; write: cycles"),
        ("a.py", 'print(f"refused {1}")\n', "a.py:1: 'refused'; write: reject"),
        ("a.sv", "logic a;\n// valid behind\n// the start\n", "a.sv:2: 'behind'; write: after"),
        ("a.md", "one\nThe page tells it.\n", "a.md:2: 'tells'; write: report"),
        ("a.yaml", "says: the job is red\n", "a.yaml:1: 'is red'; write: fails"),
        ("a.sh", "true  # seldom\n", "a.sh:1: 'seldom'; write: rarely"),
    ],
)
def test_a_word_is_found_with_its_place(tmp_path: Path, name: str, text: str, place: str) -> None:
    (tmp_path / name).write_text(text)
    (line,) = found(tmp_path)
    assert line.startswith(place)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "clocks = 1\n"),
        ("a.py", 'print(f"{clocks}")\n'),
        ("a.sv", "logic clocks;\n"),
        ("a.md", "`request-behind-wait`, `gen_clocks`\n"),
        ("a.md", "a core behind the operand loader\n"),
        ("a.txt", "clocks\n"),
    ],
)
def test_code_and_names_are_not_read(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert list(found(tmp_path)) == []
