"""The command ``formats``: prints the JSON schema of a file format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from regress.core.archive import RunFile
from regress.core.cases import Case
from regress.core.errors import UsageError
from regress.core.formats.schema import schema_of
from regress.core.jobfile import Job, JobResult
from regress.core.jobrecord import JobRecord
from regress.core.listformat import ListFormat, list_format
from regress.core.loading import find_project
from regress.core.plan import Plan
from regress.core.terminal import PASSED, Parser
from regress.coverage.exclusions import ExclusionsFormat
from regress.executors.batch import ClusterSettings

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


def main(argv: Sequence[str]) -> int:
    """Print the schema; return the exit code."""
    parser = Parser(prog="python -m regress formats", description=__doc__)
    parser.add_argument("name", choices=FORMATS, metavar="NAME", help=", ".join(FORMATS))
    print(json.dumps(schema(parser.parse_args(argv).name), indent=1))
    return PASSED


def schema(name: str) -> dict[str, Any]:
    """Return the JSON schema of a format. The schema of lists includes the project's axes."""
    if name == "list":
        try:
            return schema_of(list_format(find_project()))
        except UsageError:
            pass  # no project here: the schema has no axes
    return schema_of(FORMATS[name])
