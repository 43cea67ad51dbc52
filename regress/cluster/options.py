"""The command line's options for jobs on more than one machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from regress.errors import UsageError
from regress.processes import ProcessGroups

if TYPE_CHECKING:
    from regress.executor import Executor
    from regress.session import MakeExecutor

EXAMPLE_ADDRESS = "tcp://HOST:8786"


def add_executor_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--scheduler`` and ``--cluster``."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=f"run the jobs on this Dask cluster: {EXAMPLE_ADDRESS}",
    )
    group.add_argument(
        "--cluster",
        type=Path,
        metavar="FILE",
        help="start workers as this YAML file says (regress/clusters), and run the jobs on them",
    )


def executor_from(arguments: argparse.Namespace) -> MakeExecutor | None:
    """What runs the jobs, None for this machine.

    Connects to the scheduler, or reads the file, so that mistakes are found before a run begins.

    Raises:
        UsageError: no scheduler answers, or the file is wrong, or there is no such batch system.
    """
    # Dask takes a second to load.
    if arguments.scheduler:
        from regress.cluster.executor import DaskExecutor, connect

        address = arguments.scheduler
        try:
            client = connect(address)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"--scheduler {address}: no Dask scheduler answers there "
                f"({_reason(error)}); accepted: the address it prints, {EXAMPLE_ADDRESS}"
            ) from None

        def on_scheduler(groups: ProcessGroups, workers: int) -> Executor:
            return DaskExecutor(client, groups, say=_say)

        return on_scheduler
    if arguments.cluster:
        from regress.cluster.batch import load_cluster, require_system, start_cluster

        settings = load_cluster(arguments.cluster)
        require_system(settings, arguments.cluster)

        def on_cluster(groups: ProcessGroups, workers: int) -> Executor:
            return start_cluster(settings, groups, _say)

        return on_cluster
    return None


def _reason(error: Exception) -> str:
    """The innermost cause, which is the one that says something."""
    while error.__cause__ is not None and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _say(line: str) -> None:
    print(f"regress: {line}", file=sys.stderr, flush=True)
