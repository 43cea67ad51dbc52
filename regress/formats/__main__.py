"""Says what the formats are.

``python -m regress.formats`` writes their tables into ``regress/docs``,
``python -m regress.formats NAME`` prints the JSON schema of one of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from regress.cluster.batch import ClusterSettings
from regress.formats.page import table
from regress.marked import write_table

DOCS = Path(__file__).parents[1] / "docs"
FORMATS = {"cluster": ClusterSettings}
# Pages with a table of a format between its marks.
TABLES = {"cluster": "cluster.md"}


def write_pages(folder: Path = DOCS) -> None:
    """Write every table."""
    for name, file in TABLES.items():
        write_table(folder / file, table(FORMATS[name]), f"<!-- table: {name} format -->")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m regress.formats", description=__doc__)
    parser.add_argument("name", nargs="?", choices=FORMATS, help="print its JSON schema")
    name = parser.parse_args().name
    if name:
        print(json.dumps(FORMATS[name].model_json_schema(), indent=1))
    else:
        write_pages()


if __name__ == "__main__":
    main()
