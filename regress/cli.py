"""The command line: ``list``, ``run``, ``vectors``, ``table``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from rich.console import Console

from models.registry import architectures, hardware_architectures
from regress.catalogue import SIMULATORS, Catalogue
from regress.clock_table import BEGIN, END, clock_table, write_table
from regress.errors import UsageError, not_accepted
from regress.lists import DEFAULT_SEED, available_lists, find_list, load_list
from regress.plan import Selection, expand
from regress.record import RunRecord, command_line
from regress.report.console import show_catalogue, show_plan, show_run, show_vectors
from regress.session import Request, Workspace, execute
from regress.vector_file import VectorReader, vector_jobs
from verif.design import MAX_WIDTH

PASSED, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
PLAIN_COLUMNS = 140
TOP_FILE = "multiplier.sv"


def main(argv: Sequence[str] | None = None, workspace: Workspace | None = None) -> int:
    """Run the command line.

    Args:
        argv: arguments without the program's name; default the process's.
        workspace: where builds and runs are kept; default the project's.

    Returns:
        0 if everything passed, 1 if something failed, 2 for wrong input, 130 after an interrupt.
    """
    argv = list(sys.argv[1:] if argv is None else argv)
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        arguments = _parser().parse_args(argv)
        return arguments.run(arguments, argv, workspace or Workspace(), _console())
    except UsageError as error:
        for line in error.lines:
            print(f"regress: {line}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"regress: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("regress: interrupted", file=sys.stderr)
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, previous)


def _list(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    catalogue = Catalogue.load()
    lists = [load_list(path, catalogue) for path in available_lists().values()]
    show_catalogue(console, [(item, len(expand(item, Selection()))) for item in lists], catalogue)
    return PASSED


def _run(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    regression = load_list(find_list(arguments.list), Catalogue.load())
    selection = Selection(
        architectures=arguments.arch,
        widths=arguments.width,
        simulators=arguments.sim,
        seeds=arguments.seeds,
        seed=arguments.seed,
    )
    plan = expand(regression, selection)
    if arguments.dry_run:
        show_plan(console, plan)
        return PASSED
    record = execute(
        Request(
            name=regression.name,
            source=str(regression.path),
            description=regression.description,
            command=command_line(argv),
            options={
                "architectures": list(arguments.arch),
                "widths": list(arguments.width),
                "simulators": list(arguments.sim),
                "seeds": arguments.seeds,
                "hdl": str(arguments.hdl) if arguments.hdl else None,
            },
            seed=regression.seed if arguments.seed is None else arguments.seed,
            plan=plan,
            goals=regression.goals,
            workers=arguments.jobs,
            out=arguments.out,
            explicit_simulators=bool(arguments.sim),
            hdl=arguments.hdl,
        ),
        workspace,
        console,
    )
    show_run(console, record)
    return _exit_code(record)


def _vectors(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    vectors = VectorReader(architectures(), arguments.arch).read(arguments.file)
    simulators = arguments.sim or ("verilator",)
    record = execute(
        Request(
            name=arguments.file.stem,
            source=str(arguments.file),
            description=f"{len(vectors)} vectors of {arguments.file.name}",
            command=command_line(argv),
            options={"architectures": list(arguments.arch), "simulators": list(simulators)},
            seed=DEFAULT_SEED,
            plan=vector_jobs(vectors, simulators),
            goals=(),
            workers=arguments.jobs,
            out=arguments.out,
            explicit_simulators=True,
            hdl=arguments.hdl,
        ),
        workspace,
        console,
    )
    show_vectors(console, record)
    return _exit_code(record)


def _table(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    table = clock_table(hardware_architectures().values())
    print(table, end="")
    if arguments.write:
        write_table(arguments.write, table)
    return PASSED


def _exit_code(record: RunRecord) -> int:
    if record.interrupted:
        return INTERRUPTED
    return PASSED if record.passed else FAILED


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m regress", description="Runs regressions.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="show lists, architectures and tests")
    listing.set_defaults(run=_list)

    run = commands.add_parser("run", help="run a list")
    run.add_argument("list", metavar="LIST|FILE", help="name of a list or path of a YAML file")
    _add_arch(run)
    run.add_argument(
        "--width",
        type=_width,
        action=_Comma,
        default=(),
        metavar="N,…",
        help="keep only these operand widths; if the list lacks one of them, run these instead",
    )
    _add_sim(run, "run on this instead of the list's own simulators")
    run.add_argument("--seeds", type=_positive, metavar="K", help="seeds for each point")
    run.add_argument("--seed", type=_seed, metavar="S", help="master seed (default: the list's)")
    _add_common(run)
    run.add_argument("--dry-run", action="store_true", help="show the plan and stop")
    run.set_defaults(run=_run)

    vectors = commands.add_parser("vectors", help="run a JSON-lines file of operands")
    vectors.add_argument("file", type=Path, metavar="FILE", help="one JSON object a line")
    _add_arch(vectors)
    _add_sim(vectors, "simulators to run on (default: verilator)")
    _add_common(vectors)
    vectors.set_defaults(run=_vectors)

    table = commands.add_parser("table", help="clocks of each multiplier, ours and published")
    table.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help=f"also replace what is between {BEGIN!r} and {END!r} in this file",
    )
    table.set_defaults(run=_table)
    return parser


def _add_arch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--arch",
        type=_architecture,
        action=_Comma,
        default=(),
        metavar="A,…",
        help="keep only these architectures (repeatable)",
    )


def _add_sim(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument(
        "--sim", type=_simulators, default=(), metavar="verilator|icarus|both", help=text
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=_positive,
        default=len(os.sched_getaffinity(0)),
        metavar="J",
        help="builds or jobs at once (default: one for each CPU)",
    )
    parser.add_argument(
        "--hdl",
        type=_hdl,
        metavar="DIR",
        help="folder with the design to run on, for instance an altered copy (default: hdl)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the run (default: a new one below runs/)"
    )


class _Comma(argparse.Action):
    """Collects values that are separated by commas or given by repeating the option."""

    def __init__(self, option_strings: Sequence[str], dest: str, **kwargs: object) -> None:
        self._item = kwargs.pop("type")
        super().__init__(option_strings, dest, **kwargs)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str,
        option_string: str | None = None,
    ) -> None:
        """Add the values of one use of the option."""
        try:
            items = [self._item(item.strip()) for item in values.split(",")]
        except argparse.ArgumentTypeError as error:
            parser.error(f"{option_string}: {error}")
        seen: Iterable[object] = dict.fromkeys([*getattr(namespace, self.dest), *items])
        setattr(namespace, self.dest, tuple(seen))


def _architecture(name: str) -> str:
    known = hardware_architectures()
    if name in known:
        return name
    if name in architectures():
        raise argparse.ArgumentTypeError(
            f"architecture {name!r} is model only; accepted: {', '.join(known)}"
        )
    raise argparse.ArgumentTypeError(not_accepted("architecture", name, known))


def _simulators(text: str) -> tuple[str, ...]:
    if text == "both":
        return SIMULATORS
    if text in SIMULATORS:
        return (text,)
    raise argparse.ArgumentTypeError(not_accepted("simulator", text, (*SIMULATORS, "both")))


def _integer(text: str, low: int, high: int | None = None) -> int:
    accepted = f"{low} to {high}" if high else f"an integer from {low}"
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if value < low or (high is not None and value > high):
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; accepted: {accepted}")
    return value


def _width(text: str) -> int:
    lowest = min(entry.min_width for entry in hardware_architectures().values())
    return _integer(text, lowest, MAX_WIDTH)


def _positive(text: str) -> int:
    return _integer(text, 1)


def _hdl(text: str) -> Path:
    folder = Path(text).resolve()
    if not (folder / TOP_FILE).is_file():
        raise argparse.ArgumentTypeError(
            f"{text!r} is no design folder; accepted: a folder with {TOP_FILE} in it"
        )
    return folder


def _seed(text: str) -> int:
    return _integer(text, 0)


def _interrupt(number: int, frame: object) -> NoReturn:
    """A CI system ends a job with SIGTERM: leave a readable run, as after Ctrl-C."""
    raise KeyboardInterrupt


def _console() -> Console:
    console = Console(highlight=False)
    # Without a terminal rich assumes 80 columns and breaks table cells.
    return console if console.is_terminal else Console(highlight=False, width=PLAIN_COLUMNS)
