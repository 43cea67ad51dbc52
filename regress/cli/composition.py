"""The composition root: loads the project once for each process and lists the simulators."""

from __future__ import annotations

from regress.cli.workspace import Workspace
from regress.core.context import Context
from regress.core.loading import find_project
from regress.core.project import Project
from regress.simulators import BOTH, SIMULATORS


def context_of(project: Project) -> Context:
    """Combine a project with all known simulators."""
    return Context(project, SIMULATORS, BOTH)


def found_workspace() -> Workspace:
    """Return the workspace of the current folder's project.

    Raises:
        UsageError: see :func:`regress.core.loading.find_project`.
    """
    return Workspace.of(context_of(find_project()))
