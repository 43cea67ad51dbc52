"""The composition root: loads the project, once a process, and says which simulators there are."""

from __future__ import annotations

from regress.cli.workspace import Workspace
from regress.core.context import Context
from regress.core.loading import find_project
from regress.core.project import Project
from regress.simulators import BOTH, SIMULATORS


def context_of(project: Project) -> Context:
    """A project with every simulator that is known."""
    return Context(project, SIMULATORS, BOTH)


def found_workspace() -> Workspace:
    """Where the project of the current folder builds and runs.

    Raises:
        UsageError: see :func:`regress.core.loading.find_project`.
    """
    return Workspace.of(context_of(find_project()))
