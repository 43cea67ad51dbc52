"""``python -m regress.formats NAME`` prints the JSON schema of a format."""

from __future__ import annotations

import argparse
import json

from regress.archive import RunFile
from regress.cases import Case
from regress.cluster.batch import ClusterSettings
from regress.coverage.exclusions import ExclusionsFormat
from regress.errors import UsageError
from regress.formats.model import adapter
from regress.jobfile import Job, JobResult
from regress.jobrecord import JobRecord
from regress.lists import ListFormat, list_format
from regress.plan import Plan
from regress.project import project

FORMATS = {
    "list": ListFormat,
    "exclusions": ExclusionsFormat,
    "cluster": ClusterSettings,
    "run": RunFile,
    "plan": Plan,
    "result": JobResult,
    "job": Job,
    "status": JobRecord,
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


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m regress.formats", description=__doc__)
    parser.add_argument("name", choices=FORMATS, metavar="NAME", help=", ".join(FORMATS))
    print(json.dumps(schema(parser.parse_args().name), indent=1))


if __name__ == "__main__":
    main()
