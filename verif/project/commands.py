"""Subcommands of ``python -m regress`` that know this project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from models.registry import architectures, hardware_architectures
from regress.cli.options import (
    Call,
    add_axes,
    add_common,
    add_simulators,
    add_waves,
    chosen,
    common,
)
from regress.cli.session import execute, exit_code
from regress.core.lists import DEFAULT_SEED
from regress.core.plan import Plan
from regress.core.project import Project
from regress.core.terminal import PASSED, say
from regress.report.console import show_cases
from regress.run.record import command_line
from regress.simulators import DEFAULT
from verif.benchmark import command as bench
from verif.demo import rsa_demo
from verif.faults import command as faults
from verif.faults.mutants import command as mutation
from verif.formal.run import command as formal
from verif.implement.flow.command import implement_command
from verif.implement.project import MultiplierDesigns
from verif.implement.results import add_results
from verif.library.marked import END, write_table
from verif.own_core.check import add_check
from verif.project import blocks, closure
from verif.project.clock_table import BEGIN, clock_table
from verif.proof.command import add_prove
from verif.vectors.file import VectorReader, only
from verif.vectors.jobs import outcome_line, remarks, vector_jobs


def _add_vectors(commands: Any, project: Project) -> None:
    parser = commands.add_parser("vectors", help="run a JSON-lines file of operands")
    parser.add_argument("file", type=Path, metavar="FILE", help="one JSON object a line")
    add_axes(parser, [project.axis("architecture")])
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="run the vector of this name alone (repeatable)",
    )
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
    plan = vector_jobs(call.context, vectors, simulators)
    for remark in remarks(vectors, plan):
        say(call.console, remark)
    record = execute(
        Plan(
            name=call.file.stem,
            source=str(call.file),
            description=f"{len(vectors)} vectors of {call.file.name}",
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
    parser = commands.add_parser("table", help="clocks of each multiplier, ours and published")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help=f"also replace what is between {BEGIN!r} and {END!r} in this file",
    )
    parser.set_defaults(run=_table)


def _table(call: Call) -> int:
    table = clock_table(hardware_architectures().values())
    print(table, end="")
    if call.write:
        write_table(call.write, table, BEGIN)
    return PASSED


COMMANDS = (
    _add_vectors,
    add_check,
    mutation.add_parser,
    faults.add_parser,
    _add_table,
    implement_command(MultiplierDesigns()),
    add_results,
    add_prove,
    closure.add_parser,
    blocks.add_parser,
    formal.add_parser,
    bench.add_parser,
    rsa_demo.add_parser,
)
