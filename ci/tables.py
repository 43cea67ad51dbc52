"""The tables in pages that follow from the code alone; ``python -m ci.documentation --write``."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

from models.registry import hardware_architectures
from models.status import BusError, Command, ExponentiationSelect, Select, Status
from regress.formats.page import table
from regress.marked import replaced
from verif.clock_table import clock_table
from verif.vectors.powers import PowerLine
from verif.vectors.products import ProductLine

CODES = {
    "status": Status,
    "refusals": BusError,
    "commands": Command,
    "selects of the multiplier": Select,
    "selects of the exponentiation": ExponentiationSelect,
}


def tables() -> Iterator[tuple[Path, str, str]]:
    """Page, name and text of each."""
    clocks = clock_table(hardware_architectures().values())
    yield Path("verif/docs/clocks.md"), "clocks", clocks
    for name, codes in CODES.items():
        yield Path("hdl/docs/codes.md"), name, code_table(codes)
    yield Path("verif/docs/vectors.md"), "product line", table(ProductLine)
    yield Path("verif/docs/vectors.md"), "exponentiation line", table(PowerLine)


def code_table(codes: type[IntEnum]) -> str:
    """The codes of one kind."""
    rows = [f"| {code.value} | `{code.name}` |" for code in codes]
    return "\n".join(["| Code | Name |", "| ---: | --- |", *rows]) + "\n"


def current(page: Path, root: Path) -> str:
    """The text of a page with its tables as they should be.

    Args:
        page: relative to the root.
        root: of the project.

    Raises:
        UsageError: a table's marks are missing.
    """
    text = (root / page).read_text(encoding="utf-8")
    for path, name, rows in tables():
        if path == page:
            text = replaced(text, rows, page, f"<!-- table: {name} -->")
    return text
