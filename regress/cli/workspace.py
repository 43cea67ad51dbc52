"""Where a command builds and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
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
    """Where builds and runs are kept, and what runs a job.

    Attributes:
        context: what is run there.
        builds: shared by all runs.
        runs: holds the runs that were given no folder of their own.
        command: child process of a job; None: the job's program.
    """

    context: Context
    builds: Path
    runs: Path
    command: Command | None = None
    find: Callable[[Iterable[str]], FoundSimulators] = find_simulators
    make_builder: Callable[..., Builder] = Builder

    @classmethod
    def of(cls, context: Context) -> Workspace:
        """The one below the project's folder."""
        return cls(context, context.root / "build", context.root / "runs")

    @property
    def history(self) -> History:
        """Of the runs that are kept here."""
        return History(self.runs / HISTORY_FILE)
