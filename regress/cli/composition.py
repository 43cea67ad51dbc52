"""The composition root: loads the project once for each process and lists the simulators."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from regress.cli.workspace import Workspace
from regress.core.cocotb_project import CocotbProject
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.loading import find_project
from regress.core.project import Project
from regress.run.discovery import Discovery
from regress.simulators import BOTH, SIMULATORS

# Name of the package on an index.
DISTRIBUTION = "cocotb-regress"


def context_of(project: Project) -> Context:
    """Combine a project with all known simulators and with its own tools."""
    return Context(project, {**SIMULATORS, **project.tools}, BOTH)


def found_workspace(argv: Sequence[str] = ()) -> Workspace:
    """Return the workspace of the current folder's project, whose tests are found.

    Without a project, a command line that asks for help has one without tests.

    Raises:
        UsageError: see :func:`regress.core.loading.find_project`.
    """
    try:
        workspace = Workspace.of(context_of(find_project()))
    except UsageError:
        if {"-h", "--help"} & set(argv):
            return Workspace.of(context_of(Project(Path.cwd())))
        raise
    project = workspace.context.project
    if isinstance(project, CocotbProject):
        Discovery(project, workspace.builds, SIMULATORS, _say).run()
    return workspace


def version_text() -> str:
    """Return the versions of regress and cocotb."""
    try:
        own = metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        own = "from its sources"
    return f"regress {own}, cocotb {metadata.version('cocotb')}"


def _say(line: str) -> None:
    print(f"regress: {line}", file=sys.stderr, flush=True)
