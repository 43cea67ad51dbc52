"""The command line: one subcommand for each user action."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from regress.cli import coverage_commands, init, options, reports, session
from regress.cli import history_command as history
from regress.cli.composition import found_workspace, version_text
from regress.cli.options import Call
from regress.cli.session import execute, exit_code
from regress.cli.workspace import Workspace
from regress.core import listformat, lists
from regress.core.archive import finished_jobs
from regress.core.errors import UsageError
from regress.core.expansion import Selection, expand, jobs_without
from regress.core.jobfile import Job
from regress.core.jobrecord import JobRecord
from regress.core.loading import place_in
from regress.core.plan import Plan, PlannedJob, planned_job
from regress.core.point import PointError
from regress.core.project import Project
from regress.core.runfile import Status
from regress.core.terminal import PASSED, Parser, plain_console, plural, run_command, say
from regress.history.database import BY_HAND
from regress.report.console import show_catalogue, show_plan, show_run
from regress.run.folders import find_job
from regress.run.record import command_line
from regress.run.reruns import with_waves
from regress.simulators import SIMULATORS


def main(argv: Sequence[str] | None = None, workspace: Workspace | None = None) -> int:
    """Run the command line.

    Returns:
        0 if everything passed, 1 if something failed, 2 for wrong input, 130 after an interrupt.
    """
    argv = list(sys.argv[1:] if argv is None else argv)
    found: list[Workspace] = []

    def work() -> int:
        # These commands also work without a project.
        if argv[:1] == ["--version"]:
            print(version_text())
            return PASSED
        if argv[:1] == ["init"]:
            return init.main(argv[1:])
        if argv[:1] == ["formats"]:
            from regress.cli import formats_command  # imports Dask, which takes a second

            return formats_command.main(argv[1:])
        found.append(workspace or found_workspace(argv))
        call = Call(argv=argv, workspace=found[0], console=plain_console())
        return _parser(call.project, argv[0] if argv else "").parse_args(argv, call).run(call)

    def checked() -> int:
        """Do the work; a mistake in the project's own file is one line."""
        try:
            return work()
        except (UsageError, OSError):
            raise
        except Exception as error:
            project = found[0].context.project if found else None
            place = place_in(project.root, error) if project else ""
            if project is None or not place.startswith(_file_of(project)):
                raise
            raise UsageError(f"{place}: {type(error).__name__}: {error}") from None

    return run_command("regress", checked)


def _file_of(project: Project) -> str:
    """Return the file of a project's class, relative to the project."""
    file = Path(sys.modules[type(project).__module__].__file__ or "")
    return str(file.relative_to(project.root)) if file.is_relative_to(project.root) else "no file"


def _list(call: Call) -> int:
    context = call.context
    known = [
        lists.load_list(context, path)
        for path in lists.available_lists(call.project.list_folder).values()
    ]
    counted = [(item, len(expand(context, _without_classes(item), Selection()))) for item in known]
    show_catalogue(call.console, call.project, counted)
    return PASSED


def _without_classes(regression: lists.RegressionList) -> lists.RegressionList:
    """Return a list without the entries that draw classes; finding all classes takes a minute."""
    kept = tuple(entry for entry in regression.jobs if not entry.draws_classes)
    return regression.model_copy(update={"jobs": kept})


def _run(call: Call) -> int:
    if call.resume:
        return _resume(call)
    if not call.list:
        raise UsageError("run needs a list, or --resume RUN (see python -m regress run --help)")
    regression = lists.load_list(call.context, lists.find_list(call.project, call.list))
    selection = Selection(
        values=options.chosen(call),
        entries=options.entries(call),
        parameters=options.parameters(call),
        simulators=call.sim,
        seeds=call.seeds,
        seed=call.seed,
        tags=tuple(call.tag),
        tests=tuple(call.test),
        expression=call.k,
        cross_check=call.cross_check,
    )
    jobs = expand(call.context, regression, selection)
    for given, count in jobs_without(call.project, jobs, selection.parameters).items():
        if count:
            why = "their entry sets it, or they do not accept it"
            say(call.console, f"{given}: not in {count} of {len(jobs)} jobs: {why}")
    budget = call.budget or regression.budget or 0.0
    # The goals are out of reach, and are not checked, with a smaller budget than the list's, or if
    # jobs are left out.
    enough = budget >= (regression.budget or 0.0) and selection.keeps_goals(
        call.project.subject.name
    )
    whole = enough or bool(call.until_coverage)
    if regression.goals and not whole:
        say(call.console, "a part of the list: its coverage goals are not checked")
    if call.dry_run:
        show_plan(call.console, jobs, budget)
        return PASSED
    record = execute(
        Plan(
            name=regression.name,
            source=str(regression.path),
            description=regression.description,
            command=command_line(call.argv),
            options=asdict(replace(selection, seed=None)),
            seed=regression.seed if call.seed is None else call.seed,
            jobs=tuple(jobs),
            goals=regression.goals if whole else (),
            code_goals=() if selection.narrows or not whole else regression.code_goals,
            budget=budget,
            until_coverage=call.until_coverage,
            hdl=call.hdl,
            waves=call.waves,
            shrink=call.shrink,
        ),
        explicit_simulators=bool(call.sim),
        **options.common(call),
    )
    show_run(call.console, record)
    return exit_code(record)


def _resume(call: Call) -> int:
    if call.list:
        raise UsageError("--resume RUN: accepted without a list, because the run has its own plan")
    record = session.resume(
        call.resume, call.jobs, call.workspace, call.console, options.executor_from(call)
    )
    show_run(call.console, record)
    return exit_code(record)


def _job(call: Call) -> int:
    try:
        point = call.project.resolved(call.test, options.point_from(call))
    except PointError as error:
        raise UsageError(str(error)) from None
    if call.replay:
        call.project.check_replay(call.test, call.replay)
    job = Job(
        test=call.test,
        point=point,
        simulator=call.sim,
        seed=call.seed,
        operations=call.operations,
        replay=call.replay,
        time_limit_ns=call.time_limit * 1e9,
    )
    planned = planned_job(call.context, job, 1, call.timeout)
    return _run_jobs("job", f"job {planned.id}", [planned], call)


def _debug(call: Call) -> int:
    folder = find_job(call.job, call.workspace.runs)
    run = folder.parent.parent
    plan = Plan.read(call.context, run)
    planned = next((planned for planned in plan.jobs if planned.id == folder.name), None)
    if planned is None:
        raise UsageError(f"{folder}: no job of the plan of {run}")
    found = finished_jobs(call.context, run, [planned])
    job = found[0] if found else JobRecord(planned, Status.INTERRUPTED)
    if planned.after and not job.planned.job.cases:
        raise UsageError(
            f"job {planned.id} has not run, and takes over the cases of job {planned.after}; "
            f"accepted: run --resume {run}, or rerun {run}"
        )
    again = with_waves(job)
    call.hdl = call.hdl or plan.hdl
    return _run_jobs("debug", f"job {planned.id} with waves", [again], call)


def _rerun(call: Call) -> int:
    record = session.load(call.context, call.run_folder)
    plan = record.plan
    wanted = {job.planned.id for job in record.jobs}
    if call.failed:
        wanted = {job.planned.id for job in record.problems}
    before = {planned.id: planned.after for planned in plan.jobs}
    for name in list(wanted):  # a job needs the cases that the jobs before it leave
        while name := before[name]:
            wanted.add(name)
    jobs = [planned for planned in plan.jobs if planned.id in wanted]
    if not jobs:
        raise UsageError(f"{call.run_folder}: no job failed, nothing to run again")
    call.hdl = call.hdl or plan.hdl
    what = f"{plural(len(jobs), 'job', 'jobs')} of {call.run_folder} again"
    return _run_jobs(f"rerun-{plan.name}", what, jobs, call)


def _run_jobs(name: str, description: str, jobs: Sequence[PlannedJob], call: Call) -> int:
    record = execute(
        Plan(
            name=name,
            description=description,
            command=command_line(call.argv),
            jobs=tuple(jobs),
            hdl=call.hdl,
            apart=BY_HAND,
        ),
        **options.common(call),
    )
    show_run(call.console, record)
    return exit_code(record)


def _report(call: Call) -> int:
    record = session.load(call.context, call.run_folder)
    history = reports.compared(record, call.workspace)
    reports.write_reports(record, history)
    show_run(call.console, record)
    return exit_code(record)


def _parser(project: Project, command: str) -> argparse.ArgumentParser:
    """Return the parser; without the project's commands, which may import much, if it can.

    Args:
        project: adds commands of its own.
        command: first argument; a command of ``regress`` does not need those of the project.
    """
    parser = Parser(prog="python -m regress", description="Runs regressions.")
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    commands.add_parser("init", help="make a project file and a list for a folder with a test")
    commands.add_parser("formats", help="print the JSON schema of a file format")
    listing = commands.add_parser("list", help="show lists and tests")
    listing.set_defaults(run=_list)

    run = commands.add_parser("run", help="run a list")
    run.add_argument(
        "list", nargs="?", metavar="LIST|FILE", help="name of a list or path of a YAML file"
    )
    options.add_axes(run, project.axes)
    options.add_entries(run, project.axes)
    options.add_simulators(run, "run on this instead of the list's own simulators")
    run.add_argument("--seeds", type=options.positive, metavar="K", help="seeds for each point")
    run.add_argument("--seed", type=options.seed, metavar="S", help="master seed (default: list's)")
    words = "keep only tests whose names match, as in pytest: 'steps and not n=8'"
    run.add_argument("-k", default="", metavar="EXPRESSION", help=words)
    kept = (("--tag", "entries with one of these tags"), ("--test", "these tests (or patterns)"))
    for option, what in kept:
        run.add_argument(option, type=options.several(str), action="extend", default=[],
                         metavar="T,…", help=f"keep only {what}")  # fmt: skip
    run.add_argument(
        "--budget",
        type=options.seconds,
        metavar="TIME",
        help="start no job after this time, for instance 10m (default: the list's); "
        "with less than the list's, its coverage goals are not demanded",
    )
    run.add_argument(
        "--until-coverage",
        type=options.percentage,
        default=0.0,
        metavar="PERCENT",
        help="start no job after this share of every goal is covered",
    )
    run.add_argument(
        "--cross-check",
        action="store_true",
        help="run every job on both simulators and compare each operation",
    )
    run.add_argument("--resume", type=Path, metavar="RUN", help="finish a run that was interrupted")
    options.add_common(run, project)
    options.add_waves(run)
    run.add_argument("--dry-run", action="store_true", help="show the plan and stop")
    run.set_defaults(run=_run)

    job = commands.add_parser("job", help="run one job, as a report names it")
    tests = project.tests
    job.add_argument("test", choices=tests, metavar="TEST", help=", ".join(tests))
    options.add_point(job, project.axes)
    job.add_argument("sim", choices=SIMULATORS, metavar="SIMULATOR", help=" or ".join(SIMULATORS))
    job.add_argument(
        "--seed", type=options.seed, default=listformat.DEFAULT_SEED, metavar="S", help="of the job"
    )
    job.add_argument(
        "--operations",
        type=options.positive,
        default=listformat.DEFAULT_OPERATIONS,
        metavar="K",
        help="of the job",
    )
    job.add_argument(
        "--replay",
        default="",
        metavar="TEXT",
        help="run only this sequence, as the message of a failed job states it",
    )
    job.add_argument(
        "--timeout",
        type=options.seconds,
        default=listformat.DEFAULT_TIMEOUT,
        metavar="TIME",
        help="wall-clock limit",
    )
    job.add_argument(
        "--time-limit",
        type=options.seconds,
        default=listformat.DEFAULT_TIME_LIMIT,
        metavar="TIME",
        help="limit of simulated time, for instance 20ms",
    )
    options.add_common(job, project)
    job.set_defaults(run=_job)

    debug = commands.add_parser("debug", help="run a job of an earlier run again, with waves")
    debug.add_argument("job", metavar="JOB", help="folder of the job, or its id in the latest run")
    options.add_common(debug, project)
    debug.set_defaults(run=_debug)

    rerun = commands.add_parser("rerun", help="run jobs of an earlier run again")
    options.add_run_folder(rerun)
    rerun.add_argument("--failed", action="store_true", help="run only the failed jobs")
    options.add_common(rerun, project)
    rerun.set_defaults(run=_rerun)

    report = commands.add_parser(
        "report", help="write the reports of a run again, however it ended"
    )
    options.add_run_folder(report)
    report.set_defaults(run=_report)

    history.add_parser(commands)

    coverage_commands.add_parsers(commands)

    if command not in commands.choices:
        for add_command in project.commands():
            add_command(commands, project)
    return parser
