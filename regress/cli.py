"""The command line: one subcommand for each thing a user does."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from models.registry import architectures, hardware_architectures
from regress.archive import Plan, finished_jobs
from regress.catalogue import Catalogue
from regress.cluster.options import add_executor_options, executor_from
from regress.coverage import commands as coverage_commands
from regress.errors import UsageError, not_accepted
from regress.history import command as history
from regress.lists import (
    DEFAULT_OPERATIONS,
    DEFAULT_SEED,
    DEFAULT_TIMEOUT,
    available_lists,
    duration,
    find_list,
    load_list,
)
from regress.marked import END, write_table
from regress.plan import PlannedJob, Selection, expand, planned_job
from regress.record import JobRecord, RunRecord, Status, command_line
from regress.report.closure import write_closure
from regress.report.console import say, show_cases, show_catalogue, show_plan, show_run
from regress.reruns import with_waves
from regress.runs import find_job, prune
from regress.session import (
    Request,
    Workspace,
    execute,
    history_of,
    load,
    resume,
    write_reports,
)
from regress.simulators import BOTH, DEFAULT, SIMULATORS
from regress.terminal import (
    FAILED,
    INTERRUPTED,
    PASSED,
    Parser,
    integer,
    plain_console,
    run_command,
)
from verif.clock_table import BEGIN, clock_table
from verif.design import MAX_WIDTH, DesignError, check_width, resolved_parameters
from verif.faults import command as faults
from verif.job import Job
from verif.mutation import __main__ as mutation
from verif.testcases import available_tests, design_of
from verif.vectors.file import VectorReader, only
from verif.vectors.jobs import outcome_line, remarks, vector_jobs

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

    def work() -> int:
        arguments = _parser().parse_args(argv)
        return arguments.run(arguments, argv, workspace or Workspace(), plain_console())

    return run_command("regress", work)


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
    if arguments.resume:
        return _resume(arguments, workspace, console)
    if not arguments.list:
        raise UsageError("run needs a list, or --resume RUN (see python -m regress run --help)")
    regression = load_list(find_list(arguments.list), Catalogue.load())
    selection = Selection(
        architectures=arguments.arch,
        widths=arguments.width,
        simulators=arguments.sim,
        seeds=arguments.seeds,
        seed=arguments.seed,
        tags=arguments.tag,
        tests=arguments.test,
        requalify=arguments.requalify,
    )
    plan = expand(regression, selection)
    budget = regression.budget if arguments.budget is None else arguments.budget
    if arguments.dry_run:
        show_plan(console, plan, budget)
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
                "tags": list(arguments.tag),
                "tests": list(arguments.test),
                "requalify": arguments.requalify,
                "hdl": str(arguments.hdl) if arguments.hdl else None,
            },
            seed=regression.seed if arguments.seed is None else arguments.seed,
            plan=plan,
            # A part of a list cannot reach the whole's goals unless it is asked to.
            goals=regression.goals,
            explicit_simulators=bool(arguments.sim),
            budget=budget,
            until_coverage=arguments.until_coverage,
            waves=arguments.waves,
            **_common(arguments),
        ),
        workspace,
        console,
    )
    show_run(console, record)
    return _exit_code(record)


def _resume(arguments: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    if arguments.list:
        raise UsageError("--resume RUN takes no list: the run has its plan")
    record = resume(arguments.resume, arguments.jobs, workspace, console, executor_from(arguments))
    show_run(console, record)
    return _exit_code(record)


def _common(arguments: argparse.Namespace) -> dict[str, Any]:
    """What every request takes from the options that all runs have."""
    return {
        "workers": arguments.jobs,
        "out": arguments.out,
        "hdl": arguments.hdl,
        "make_executor": executor_from(arguments),
    }


def _job(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    entry, parameters = architectures()[arguments.arch], dict(arguments.parameter)
    try:
        check_width(entry, arguments.width)
        resolved = resolved_parameters(
            design_of(arguments.test), entry, arguments.width, parameters
        )
    except DesignError as error:
        raise UsageError(str(error)) from None
    job = Job(
        test=arguments.test,
        architecture=arguments.arch,
        width=arguments.width,
        simulator=arguments.sim,
        seed=arguments.seed,
        operations=arguments.operations,
        parameters=resolved,
    )
    planned = planned_job(job, 1, arguments.timeout)
    return _run_jobs("job", f"job {planned.id}", [planned], arguments, argv, workspace, console)


def _debug(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    folder = find_job(arguments.job, workspace.runs)
    run = folder.parent.parent
    plan = Plan.read(run)
    planned = next((planned for planned in plan.jobs if planned.id == folder.name), None)
    if planned is None:
        raise UsageError(f"{folder}: no job of the plan of {run}")
    found = finished_jobs(run, [planned])
    again = with_waves(found[0] if found else JobRecord(planned, Status.INTERRUPTED))
    arguments.hdl = arguments.hdl or plan.hdl
    return _run_jobs("debug", f"job {planned.id} with waves", [again], arguments, argv, workspace,
                     console)  # fmt: skip


def _rerun(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    record, plan = load(arguments.run_folder), Plan.read(arguments.run_folder)
    wanted = {job.planned.id for job in record.jobs}
    if arguments.failed:
        wanted = {job.planned.id for job in record.problems}
    jobs = [planned for planned in plan.jobs if planned.id in wanted]
    if not jobs:
        raise UsageError(f"{arguments.run_folder}: no job failed, nothing to run again")
    arguments.hdl = arguments.hdl or plan.hdl
    what = f"{len(jobs)} jobs of {arguments.run_folder} again"
    return _run_jobs(f"rerun-{plan.name}", what, jobs, arguments, argv, workspace, console)


def _run_jobs(
    name: str,
    description: str,
    jobs: Sequence[PlannedJob],
    arguments: argparse.Namespace,
    argv: list[str],
    workspace: Workspace,
    console: Console,
) -> int:
    record = execute(
        Request(
            name=name,
            source="",
            description=description,
            command=command_line(argv),
            options={},
            seed=0,
            plan=jobs,
            goals=(),
            explicit_simulators=True,
            **_common(arguments),
        ),
        workspace,
        console,
    )
    show_run(console, record)
    return _exit_code(record)


def _report(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    record = load(arguments.run_folder)
    write_reports(record, history_of(record, workspace))
    show_run(console, record)
    if arguments.closure:
        write_closure(record, arguments.closure)
    return _exit_code(record)


def _prune(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    removed, kept = prune(workspace.runs, arguments.keep, arguments.days)
    for folder in removed:
        say(console, f"removed {folder}")
    say(console, f"{len(removed)} runs removed, {kept} kept in {workspace.runs}")
    return PASSED


def _vectors(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    vectors = VectorReader(architectures(), arguments.arch).read(arguments.file)
    if arguments.only:
        vectors = only(vectors, arguments.only, arguments.file)
    simulators = arguments.sim or (DEFAULT,)
    plan = vector_jobs(vectors, simulators)
    for remark in remarks(vectors, plan):
        say(console, remark)
    record = execute(
        Request(
            name=arguments.file.stem,
            source=str(arguments.file),
            description=f"{len(vectors)} vectors of {arguments.file.name}",
            command=command_line(argv),
            options={
                "architectures": list(arguments.arch),
                "simulators": list(simulators),
                "only": list(arguments.only),
            },
            seed=DEFAULT_SEED,
            plan=plan,
            goals=(),
            explicit_simulators=True,
            waves=arguments.waves,
            **_common(arguments),
        ),
        workspace,
        console,
    )
    show_cases(console, record, outcome_line(record))
    return _exit_code(record)


def _table(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    table = clock_table(hardware_architectures().values())
    print(table, end="")
    if arguments.write:
        write_table(arguments.write, table, BEGIN)
    return PASSED


def _coverage(
    arguments: argparse.Namespace, argv: list[str], workspace: Workspace, console: Console
) -> int:
    arguments.runs_folder = workspace.runs
    return coverage_commands.run(arguments, console)


def _exit_code(record: RunRecord) -> int:
    if record.interrupted:
        return INTERRUPTED
    return PASSED if record.passed else FAILED


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m regress", description="Runs regressions.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="show lists, architectures and tests")
    listing.set_defaults(run=_list)

    run = commands.add_parser("run", help="run a list")
    run.add_argument(
        "list", nargs="?", metavar="LIST|FILE", help="name of a list or path of a YAML file"
    )
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
    _add_words(run, "--tag", "keep only rows of the list with one of these tags")
    _add_words(run, "--test", "keep only these tests")
    run.add_argument(
        "--budget",
        type=_seconds,
        metavar="TIME",
        help="start no job after this time, for instance 10m (default: the list's)",
    )
    run.add_argument(
        "--until-coverage",
        type=_percentage,
        default=0.0,
        metavar="PERCENT",
        help="start no job once so much of every goal is covered",
    )
    run.add_argument(
        "--requalify",
        action="store_true",
        help="every job on both simulators, compared operation by operation",
    )
    run.add_argument("--resume", type=Path, metavar="RUN", help="finish a run that was interrupted")
    _add_common(run)
    _add_waves(run)
    run.add_argument("--dry-run", action="store_true", help="show the plan and stop")
    run.set_defaults(run=_run)

    job = commands.add_parser("job", help="run one job, as a report names it")
    tests = available_tests()
    job.add_argument("test", choices=tests, metavar="TEST", help=", ".join(tests))
    job.add_argument("arch", type=_architecture, metavar="ARCHITECTURE", help="see list")
    job.add_argument("width", type=_width, metavar="WIDTH", help="operand width in bits")
    job.add_argument("sim", choices=SIMULATORS, metavar="SIMULATOR", help=" or ".join(SIMULATORS))
    job.add_argument("--seed", type=_seed, default=DEFAULT_SEED, metavar="S", help="of the job")
    job.add_argument(
        "--operations", type=_positive, default=DEFAULT_OPERATIONS, metavar="K", help="of the job"
    )
    job.add_argument(
        "--parameter",
        type=_parameter,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the design's top or of the core (repeatable)",
    )
    job.add_argument(
        "--timeout", type=_seconds, default=DEFAULT_TIMEOUT, metavar="TIME", help="wall-clock limit"
    )
    _add_common(job)
    job.set_defaults(run=_job)

    debug = commands.add_parser("debug", help="run a job of an earlier run again, with waves")
    debug.add_argument("job", metavar="JOB", help="folder of the job, or its id in the latest run")
    _add_common(debug)
    debug.set_defaults(run=_debug)

    rerun = commands.add_parser("rerun", help="run jobs of an earlier run again")
    _add_run_folder(rerun)
    rerun.add_argument("--failed", action="store_true", help="only the ones that failed")
    _add_common(rerun)
    rerun.set_defaults(run=_rerun)

    report = commands.add_parser(
        "report", help="write the reports of a run again, however it ended"
    )
    _add_run_folder(report)
    report.add_argument(
        "--closure", type=Path, metavar="FILE",
        help="put the table of a run with --until-coverage into a page, and the plot beside it",
    )  # fmt: skip
    report.set_defaults(run=_report)

    pruning = commands.add_parser("prune", help="remove old runs; the history stays")
    pruning.add_argument(
        "--keep", type=_positive, default=10, metavar="K", help="newest runs to keep"
    )
    pruning.add_argument(
        "--days", type=_positive, default=30, metavar="D", help="also keep younger ones than this"
    )
    pruning.set_defaults(run=_prune)

    history.add_parser(commands, _positive)

    vectors = commands.add_parser("vectors", help="run a JSON-lines file of operands")
    vectors.add_argument("file", type=Path, metavar="FILE", help="one JSON object a line")
    _add_arch(vectors)
    vectors.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="run the vector of this name alone (repeatable)",
    )
    _add_sim(vectors, f"simulators to run on (default: {DEFAULT})")
    _add_common(vectors)
    _add_waves(vectors)
    vectors.set_defaults(run=_vectors)

    for parser_of_coverage in coverage_commands.add_parsers(commands):
        parser_of_coverage.set_defaults(run=_coverage)

    mutation.add_parser(commands)
    faults.add_parser(commands)

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
        "--sim", type=_simulators, default=(), metavar="|".join([*BOTH, "both"]), help=text
    )


def _add_words(parser: argparse.ArgumentParser, option: str, text: str) -> None:
    parser.add_argument(option, type=str, action=_Comma, default=(), metavar="T,…", help=text)


def _add_waves(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-waves",
        dest="waves",
        action="store_false",
        help="do not run the first failure of each kind again with waves",
    )


def _add_run_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="folder of the run")


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
    add_executor_options(parser)


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
        return BOTH
    if text in SIMULATORS:
        return (text,)
    raise argparse.ArgumentTypeError(not_accepted("simulator", text, (*SIMULATORS, "both")))


def _width(text: str) -> int:
    lowest = min(entry.min_width for entry in hardware_architectures().values())
    return integer(text, lowest, MAX_WIDTH)


def _positive(text: str) -> int:
    return integer(text, 1)


def _hdl(text: str) -> Path:
    folder = Path(text).resolve()
    if not (folder / TOP_FILE).is_file():
        raise argparse.ArgumentTypeError(
            f"{text!r} is no design folder; accepted: a folder with {TOP_FILE} in it"
        )
    return folder


def _seconds(text: str) -> float:
    try:
        return duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _percentage(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; accepted: more than 0, to 100")
    return value


def _parameter(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    try:
        return name, int(value)
    except ValueError:
        message = f"{text!r} is not accepted; accepted: NAME=INTEGER"
        raise argparse.ArgumentTypeError(message) from None


def _seed(text: str) -> int:
    return integer(text, 0)
