"""Options that several commands share, including those for the project's axes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from regress.core.context import Context
from regress.core.errors import UsageError, not_accepted
from regress.core.formats.model import duration
from regress.core.point import Axis, MappingAxis, Point
from regress.core.project import Project
from regress.core.terminal import integer
from regress.simulators import BOTH, SIMULATORS

if TYPE_CHECKING:
    from rich.console import Console

    from regress.cli.workspace import MakeExecutor, Workspace

# Packages that the extra `cluster` installs.
CLUSTER_PACKAGES = ("distributed", "dask_jobqueue")
EXAMPLE_ADDRESS = "tcp://HOST:8786"
Value = TypeVar("Value")


class Call(argparse.Namespace):
    """A parsed command: its options and the objects that every command needs.

    Attributes:
        argv: the words of the command line.
    """

    argv: list[str]
    workspace: Workspace
    console: Console

    @property
    def context(self) -> Context:
        """The project and the known simulators."""
        return self.workspace.context

    @property
    def project(self) -> Project:
        """The project whose tests are run."""
        return self.context.project


def several(read: Callable[[str], Value]) -> Callable[[str], list[Value]]:
    """Read comma-separated values. With the action ``extend`` the option can be repeated."""
    return argument(lambda text: [read(item.strip()) for item in text.split(",")])


def add_axes(parser: argparse.ArgumentParser, axes: Iterable[Axis]) -> None:
    """Add an option for each axis that has single values; it selects the values to keep."""
    for axis in axes:
        if isinstance(axis, MappingAxis):
            continue
        more = "; if the list lacks one of them, run these instead" if axis.open else ""
        parser.add_argument(
            axis.flag,
            dest=_dest(axis),
            type=several(axis.read),
            action="extend",
            default=[],
            metavar=f"{axis.letters},…",
            help=f"keep only these {axis.key} (repeatable){more}",
        )


def chosen(call: Call) -> dict[str, tuple[Any, ...]]:
    """Return what :func:`add_axes` read, by axis; an axis without its option has no values."""
    return {
        axis.name: tuple(dict.fromkeys(getattr(call, _dest(axis), ())))
        for axis in call.project.axes
        if not isinstance(axis, MappingAxis)
    }


def add_entries(parser: argparse.ArgumentParser, axes: Iterable[Axis]) -> None:
    """Add an option for each mapping key with named integers, and one for all other keys."""
    for axis in axes:
        if not isinstance(axis, MappingAxis):
            continue
        for entry, names in axis.named.items():
            parser.add_argument(
                f"--{entry.lower()}",
                dest=f"entry_{axis.name}_{entry}",
                type=argument(partial(axis.number, entry)),
                metavar="|".join(names),
                help=f"run every job with this {entry.lower()}",
            )
        text = "run each job with this, unless its entry sets it or the job does not accept it"
        _add_mapping(parser, axis, text)


def _add_mapping(parser: argparse.ArgumentParser, axis: Axis, text: str) -> None:
    parser.add_argument(
        axis.flag,
        dest=_dest(axis),
        type=entry,
        action="append",
        default=[],
        metavar=axis.letters,
        help=f"{text} (repeatable)",
    )


def parameters(call: Call) -> dict[str, dict[str, int]]:
    """Return the other keys that :func:`add_entries` read, by axis.

    Raises:
        UsageError: a key has an option of its own.
    """
    found = {}
    for axis in call.project.axes:
        if not isinstance(axis, MappingAxis):
            continue
        given = dict(getattr(call, _dest(axis)))
        for name in axis.named:
            if name in given:
                raise UsageError(f"{axis.flag} {name}: not accepted; accepted: --{name.lower()}")
        if given:
            found[axis.name] = given
    return found


def entries(call: Call) -> dict[str, dict[str, int]]:
    """Return what :func:`add_entries` read, by axis."""
    given = {
        axis.name: {
            entry: value
            for entry in axis.named
            if (value := getattr(call, f"entry_{axis.name}_{entry}")) is not None
        }
        for axis in call.project.axes
        if isinstance(axis, MappingAxis)
    }
    return {axis: found for axis, found in given.items() if found}


def add_point(parser: argparse.ArgumentParser, axes: Iterable[Axis]) -> None:
    """Add the values of one point: single values as positional arguments, mappings as options."""
    for axis in axes:
        if not isinstance(axis, MappingAxis):
            parser.add_argument(
                _dest(axis), type=argument(axis.read), metavar=axis.name.upper(), help=axis.help
            )
            continue
        _add_mapping(parser, axis, axis.help)


def point_from(call: Call) -> Point:
    """Return the point that :func:`add_point` read."""
    values = {axis.name: getattr(call, _dest(axis)) for axis in call.project.axes}
    return Point({n: dict(v) if isinstance(v, list) else v for n, v in values.items()})


def _dest(axis: Axis) -> str:
    return f"axis_{axis.name}"


def argument(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Read an argument; errors of ``read`` become error messages of the parser."""

    def checked(text: str) -> Value:
        try:
            return read(text)
        except (UsageError, ValueError) as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


def add_simulators(parser: argparse.ArgumentParser, text: str) -> None:
    """Add the option ``--sim``."""
    parser.add_argument(
        "--sim", type=_simulators, default=(), metavar="|".join([*BOTH, "both"]), help=text
    )


def add_waves(parser: argparse.ArgumentParser) -> None:
    """Add the options ``--no-waves`` and ``--no-shrink``."""
    parser.add_argument(
        "--no-shrink",
        dest="shrink",
        action="store_false",
        help="do not look for a simpler configuration that fails in the same way",
    )
    parser.add_argument(
        "--no-waves",
        dest="waves",
        action="store_false",
        help="do not run the first failure of each kind again with waves",
    )


def add_run_folder(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the folder of a run."""
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="folder of the run")


def add_jobs(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--jobs J``, how many of ``what`` run at once."""
    parser.add_argument(
        "--jobs",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        metavar="J",
        help=f"{what} (default: one for each CPU)",
    )


def add_common(parser: argparse.ArgumentParser, project: Project) -> None:
    """Add the options of every command that runs jobs."""
    add_jobs(parser, "builds or jobs at once")
    parser.add_argument(
        "--hdl",
        type=argument(partial(_hdl, project)),
        metavar="DIR",
        help="folder with the design to run on, for instance an altered copy "
        f"(default: {project.hdl})",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the run (default: a new one below runs/)"
    )
    add_executor_options(parser)


def common(call: Call) -> dict[str, Any]:
    """Return the arguments that all commands pass to :func:`regress.cli.session.execute`."""
    return {
        "workspace": call.workspace,
        "console": call.console,
        "workers": call.jobs,
        "out": call.out,
        "make_executor": executor_from(call),
    }


#: Reads a duration in seconds.
seconds = argument(duration)


#: Read an integer of at least 1, and of at least 0.
positive, seed = partial(integer, low=1), partial(integer, low=0)


def percentage(text: str) -> float:
    """Read a percentage above 0 and at most 100."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; accepted: more than 0, to 100")
    return value


def _simulators(text: str) -> tuple[str, ...]:
    if text == "both":
        return BOTH
    if text in SIMULATORS:
        return (text,)
    raise argparse.ArgumentTypeError(not_accepted("simulator", text, (*SIMULATORS, "both")))


def _hdl(project: Project, text: str) -> Path:
    folder = Path(text).resolve()
    project.check_hdl(folder)
    return folder


def entry(text: str) -> tuple[str, int]:
    """Read ``NAME=INTEGER``."""
    name, _, value = text.partition("=")
    try:
        return name, int(value)
    except ValueError:
        message = f"{text!r} is not accepted; accepted: NAME=INTEGER"
        raise argparse.ArgumentTypeError(message) from None


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
        help="start the workers of this YAML file (see regress/clusters) for the jobs",
    )


def executor_from(call: Call) -> MakeExecutor | None:
    """Return the factory of the executor that runs the jobs; None for this machine.

    Connects to the scheduler, or reads the cluster file. Errors appear before the run begins.

    Raises:
        UsageError: no scheduler answers, the file is wrong, or the batch system is missing.
    """
    if (call.scheduler or call.cluster) and not all(map(util.find_spec, CLUSTER_PACKAGES)):
        raise UsageError(
            "--scheduler and --cluster need Dask; install with: "
            "pip install 'cocotb-regress[cluster]'"
        )
    # Import Dask only here, because that takes a second.
    if call.scheduler:
        from regress.executors.cluster import DaskExecutor
        from regress.executors.workers import connect

        address = call.scheduler
        try:
            client = connect(address)
        except (OSError, ValueError) as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise UsageError(
                f"--scheduler {address}: no Dask scheduler answers there ({reason}); "
                f"accepted: the address it prints, {EXAMPLE_ADDRESS}"
            ) from None

        return lambda groups, workers: DaskExecutor(call.project, client, groups, say=_say)
    if call.cluster:
        from regress.executors.batch import load_cluster, require_system, start_cluster

        settings = load_cluster(call.project, call.cluster)
        require_system(settings, call.cluster)

        return lambda groups, workers: start_cluster(call.project, settings, groups, _say)
    return None


def _say(line: str) -> None:
    print(f"regress: {line}", file=sys.stderr, flush=True)
