"""Says what the formats are.

``python -m regress.formats`` writes their tables into ``regress/docs``,
``python -m regress.formats NAME`` prints the JSON schema of one of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from regress.cluster.batch import ClusterSettings
from regress.formats.model import adapter
from regress.formats.page import table
from regress.marked import write_table
from regress.simulators import simulators_table

DOCS = Path(__file__).parents[1] / "docs"
FORMATS = {"cluster": ClusterSettings}
# Pages with a table of a format between its marks.
TABLES = {"cluster": "cluster.md"}


def tables() -> dict[str, tuple[str, str]]:
    """The page and the text of each table."""
    found = {f"{name} format": (file, table(FORMATS[name])) for name, file in TABLES.items()}
    return {**found, "simulators": ("simulators.md", simulators_table())}


def write_pages(folder: Path = DOCS) -> None:
    """Write every table."""
    for name, (file, text) in tables().items():
        write_table(folder / file, text, f"<!-- table: {name} -->")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m regress.formats", description=__doc__)
    parser.add_argument("name", nargs="?", choices=FORMATS, help="print its JSON schema")
    name = parser.parse_args().name
    if name:
        print(json.dumps(adapter(FORMATS[name]).json_schema(), indent=1))
    else:
        write_pages()


if __name__ == "__main__":
    main()
