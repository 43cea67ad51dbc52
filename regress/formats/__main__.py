"""Says what the formats are.

``python -m regress.formats`` writes their tables and pages into ``regress/docs``,
``python -m regress.formats NAME`` prints the JSON schema of one of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from regress.archive import Plan
from regress.cases import Case
from regress.cluster.batch import ClusterSettings
from regress.coverage.exclusions import ExclusionsFormat
from regress.errors import UsageError
from regress.formats.model import adapter
from regress.formats.page import page, table
from regress.jobfile import Job, JobResult
from regress.lists import ListFormat, list_format
from regress.marked import write_table
from regress.project import project
from regress.runfile import JobEntry, RunFile
from regress.simulators import simulators_table

DOCS = Path(__file__).parents[1] / "docs"
COMMAND = "python -m regress.formats"
# What people write: a table of each stands between the marks of a page.
WRITTEN = {
    "list": (ListFormat, "lists.md"),
    "exclusions": (ExclusionsFormat, "lists.md"),
    "cluster": (ClusterSettings, "cluster.md"),
}
# What runs leave behind: a page each.
LEFT = {
    "run": (RunFile, "run-json.md"),
    "plan": (Plan, "plan-json.md"),
    "result": (JobResult, "result-json.md"),
}
FORMATS = {
    **{name: model for name, (model, _) in {**WRITTEN, **LEFT}.items()},
    "job": Job,
    "status": JobEntry,
    "case": Case,
}


def schema(name: str) -> dict:
    """The JSON schema of a format; that of lists has the axes of the project, if there is one."""
    if name == "list":
        try:
            return adapter(list_format(project())).json_schema()
        except UsageError:
            pass  # no project here: the axes of none
    return adapter(FORMATS[name]).json_schema()


def write_pages(folder: Path = DOCS) -> None:
    """Write every table and page."""
    for name, (model, file) in WRITTEN.items():
        write_table(folder / file, table(model), f"<!-- table: {name} format -->")
    for model, file in LEFT.values():
        name = file.replace("-json.md", ".json")
        (folder / file).write_text(page(name, model, COMMAND), encoding="utf-8")
    write_table(folder / "simulators.md", simulators_table(), "<!-- table: simulators -->")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("name", nargs="?", choices=FORMATS, help="print its JSON schema")
    name = parser.parse_args().name
    if name:
        print(json.dumps(schema(name), indent=1))
    else:
        write_pages()


if __name__ == "__main__":
    main()
