"""Subcommands of ``python -m regress`` that are specific to this project."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from models.registry import architectures, hardware_architectures
from regress.cli.options import (
    Call,
    add_axes,
    add_common,
    add_simulators,
    add_waves,
    argument,
    chosen,
    common,
)
from regress.cli.session import execute, exit_code
from regress.core.listformat import DEFAULT_SEED
from regress.core.plan import Plan
from regress.core.project import Project
from regress.core.terminal import PASSED, say
from regress.report.console import show_cases, show_plan
from regress.run.record import command_line
from regress.simulators import DEFAULT
from verif.benchmark import command as bench
from verif.faults.campaign.command import commands as campaigns
from verif.faults.catalogue_source import Catalogue
from verif.faults.mutants.source import Mutants
from verif.formal.run import command as formal
from verif.formal.theorems.command import add_prove
from verif.implement.command import add_implement
from verif.implement.results import add_results
from verif.library.marked import END, write_table
from verif.library.vectors.file import VectorReader, only
from verif.own_core.check import add_check
from verif.own_core.own.command import add_own_cores
from verif.project import blocks, closure
from verif.project.affected import add_affected
from verif.project.core_source import ExampleCores
from verif.project.cycle_table import BEGIN, cycle_table
from verif.project.exhaustive import add_exhaustive
from verif.project.export import add_export
from verif.project.proof_source import Proofs, run_injected
from verif.security.commands import add_leakage, add_upsets
from verif.soc import rsa_demo
from verif.soc.demo import add_soc_demo
from verif.testplan.command import add_testplan
from verif.vectors.jobs import outcome_line, remarks, size_line, vector_jobs
from verif.vectors.widths import AUTO, FEW, place, widths_reader


def _add_vectors(commands: Any, project: Project) -> None:
    parser = commands.add_parser("vectors", help="run a file of operands")
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="one JSON object a line; CSV if it ends in .csv"
    )
    add_axes(parser, [project.axis("architecture")])
    parser.add_argument(
        "--width",
        type=argument(widths_reader(project.axis("width").read)),
        default=AUTO,
        metavar="N,…",
        help="run each vector at the smallest of these widths that holds it; auto: at one of at "
        f"most {FEW} widths; exact: at its own width (default: {AUTO})",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="run the vector of this name alone (repeatable)",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the plan and stop")
    add_simulators(parser, f"simulators to run on (default: {DEFAULT})")
    add_common(parser, project)
    add_waves(parser)
    parser.set_defaults(run=_vectors)


def _vectors(call: Call) -> int:
    selected = chosen(call)["architecture"]
    vectors = VectorReader(architectures(), selected).read(call.file)
    if call.only:
        vectors = only(vectors, call.only, call.file)
    simulators = call.sim or (DEFAULT,)
    placed = place(vectors, call.file, call.width)
    plan = vector_jobs(call.context, placed, simulators)
    say(call.console, size_line(placed, plan, vectors))
    for remark in remarks(placed):
        say(call.console, remark)
    if call.dry_run:
        show_plan(call.console, plan)
        return PASSED
    record = execute(
        Plan(
            name=call.file.stem,
            source=str(call.file),
            description=f"{len(placed)} vectors of {call.file.name}",
            command=command_line(call.argv),
            options={
                "architectures": list(selected),
                "simulators": list(simulators),
                "only": list(call.only),
            },
            seed=DEFAULT_SEED,
            jobs=tuple(plan),
            hdl=call.hdl,
            waves=call.waves,
            apart=f"vectors of {call.file}",
        ),
        **common(call),
    )
    show_cases(call.console, record, outcome_line(record))
    return exit_code(record)


def _add_table(commands: Any, _: Project) -> None:
    parser = commands.add_parser(
        "table", help="show the cycles of each multiplier and the published ones"
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help=f"also replace the text between {BEGIN!r} and {END!r} in this file",
    )
    parser.set_defaults(run=_table)


def _table(call: Call) -> int:
    table = cycle_table(hardware_architectures().values())
    print(table, end="")
    if call.write:
        write_table(call.write, table, BEGIN)
    return PASSED


COMMANDS = (
    _add_vectors,
    add_check,
    *campaigns(
        [Catalogue, Mutants, ExampleCores, Proofs], {"mutate": "mutants", "trials": "cores"}
    ),
    _add_table,
    add_implement,
    add_results,
    add_prove,
    closure.add_parser,
    blocks.add_parser,
    partial(formal.add_parser, inject=run_injected),
    bench.add_parser,
    rsa_demo.add_parser,
    add_upsets,
    add_leakage,
    add_own_cores,
    add_exhaustive,
    add_testplan,
    add_affected,
    add_export,
    add_soc_demo,
)
