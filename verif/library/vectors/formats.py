"""Formats of a vectors file: JSON lines and CSV give the same fields, one mapping per line."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from regress.core.errors import UsageError, not_accepted
from verif.library.vectors.line import LineError

CSV_SUFFIX = ".csv"
# Maximum size of a cell; an operand of the largest width fits.
MAX_CELL = 1 << 20

#: A line: its number, from 1, and its fields or its error.
Entry = tuple[int, dict[str, Any] | LineError]


def read_entries(path: Path, fields: Collection[str], numbers: Collection[str]) -> Iterator[Entry]:
    """Yield the lines of a file. A name with ``.csv`` means CSV, any other means JSON lines.

    Args:
        path: path of the file.
        fields: names that a line may have.
        numbers: the fields with an integer value, written in decimal.

    Raises:
        UsageError: the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if path.suffix.lower() == CSV_SUFFIX:
        return _csv_entries(content, fields, numbers)
    return _json_entries(content)


def _json_entries(content: bytes) -> Iterator[Entry]:
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            try:
                yield number, _json_object(line)
            except LineError as error:
                yield number, error


def _json_object(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode("utf-8-sig"), object_pairs_hook=_without_duplicates)
    except UnicodeDecodeError:
        raise LineError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except LineError:
        raise
    except ValueError:
        raise LineError("not JSON: a number has too many digits") from None
    except RecursionError:
        raise LineError("JSON is nested too deeply") from None
    if not isinstance(fields, dict):
        raise LineError("expected a JSON object")
    return fields


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise LineError(f"field {twice[0]!r} is given twice")
    return dict(pairs)


def _csv_entries(
    content: bytes, fields: Collection[str], numbers: Collection[str]
) -> Iterator[Entry]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield content.count(b"\n", 0, error.start) + 1, LineError("not UTF-8 text")
        return
    csv.field_size_limit(MAX_CELL)
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns: list[str] = []
    first = 1
    while True:
        try:
            cells = [cell.strip() for cell in next(rows)]
        except StopIteration:
            return
        except csv.Error as error:
            yield first, LineError(f"not CSV: {error}")
            return
        number, first = first, rows.line_num + 1
        if not any(cells):
            continue
        try:
            if columns:
                yield number, _row(columns, cells, numbers)
            else:
                columns = _columns(cells, fields)
        except LineError as error:
            yield number, error
            if not columns:
                return


def _columns(cells: Sequence[str], fields: Collection[str]) -> list[str]:
    for name, count in Counter(cells).items():
        if name not in fields:
            raise LineError(not_accepted("column", name, fields))
        if count > 1:
            raise LineError(f"column {name!r} is given twice")
    return list(cells)


def _row(columns: Sequence[str], cells: Sequence[str], numbers: Collection[str]) -> dict[str, Any]:
    if len(cells) != len(columns):
        raise LineError(f"{len(cells)} cells, the first line names {len(columns)} columns")
    given = zip(columns, cells, strict=True)
    return {name: _value(cell, name in numbers) for name, cell in given if cell}


def _value(cell: str, is_number: bool) -> int | str:
    try:
        return int(cell) if is_number and cell.isdecimal() else cell
    except ValueError:
        raise LineError("not CSV: a number has too many digits") from None
