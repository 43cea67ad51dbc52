"""Where a command builds and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from regress.core.context import Context
from regress.core.processes import ProcessGroups
from regress.executors.local import Command, Executor
from regress.history.database import HISTORY_FILE, History
from regress.run.build import Builder
from regress.simulators import Simulator, find_simulators

FoundSimulators = tuple[dict[str, Simulator], dict[str, str]]
MakeExecutor = Callable[[ProcessGroups, int], Executor]


@dataclass(frozen=True)
class Workspace:
    """Folders of builds and runs, and the way to start jobs.

    Attributes:
        context: the project and its simulators.
        builds: folder of the builds, shared by all runs.
        runs: folder of the runs for which the user named no folder.
        find: finds the installed simulators of some names.
        command: makes the command line of a job's child process; None for the job's program.
    """

    context: Context
    builds: Path
    runs: Path
    find: Callable[[Iterable[str]], FoundSimulators]
    command: Command | None = None
    make_builder: Callable[..., Builder] = Builder

    @classmethod
    def of(cls, context: Context) -> Workspace:
        """Return the workspace below the project's folder."""
        find = partial(find_simulators, known=context.simulators)
        return cls(context, context.root / "build", context.root / "runs", find)

    @property
    def history(self) -> History:
        """History of the runs in this workspace."""
        return History(self.runs / HISTORY_FILE)
