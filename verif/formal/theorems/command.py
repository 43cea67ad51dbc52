"""Command ``prove``: prove products of a core, or the ladder of an exponentiation, at a width."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.registry import hardware_architectures
from regress.cli.options import Call, add_common, common
from regress.cli.session import execute, exit_code, load
from regress.core.archive import read_run
from regress.core.errors import UsageError
from regress.core.plan import Plan
from regress.core.project import Project
from regress.core.terminal import PASSED, integer, say
from regress.report.console import show_end, show_problems, show_table
from regress.run.record import RunRecord, command_line
from verif.bench.configuration.design import EXPONENTIATION, MAX_WIDTH, MULTIPLIER, ROOT
from verif.formal.theorems.configuration import THEORIES
from verif.formal.theorems.coq import INSTALL, coq_version
from verif.formal.theorems.jobs import HEADINGS, LADDER_TEST, TEST, cells, outcomes, planned
from verif.formal.theorems.lemmas import LADDER, UNIT, Property, lemma_names
from verif.formal.theorems.prove import CORE_PROVED, PROVED, Outcome
from verif.formal.theorems.recorded import PAGE, add_recorded, page_tables
from verif.formal.theorems.tools import CoqTool, TruthTables
from verif.library.marked import write_table

NAME = "prove"
# A commit that has the design of a run.
CLEAN = re.compile(r"[0-9a-f]{7,40}")


@dataclass(frozen=True)
class Statement:
    """What the command proves of a design.

    Attributes:
        test: test of its jobs.
        says: what is proved, for messages.
        architectures, widths: those that are proved if none are selected.
        weaker: why the check without Coq is weaker.
        assumed: what the theorem assumes besides the lemmas.
        lemmas: the property that has the lemmas.
    """

    test: str
    says: str
    architectures: Sequence[str]
    widths: Sequence[int]
    weaker: str
    assumed: str
    lemmas: Property


STATEMENTS = {
    MULTIPLIER.name: Statement(
        TEST,
        "whole products",
        THEORIES,
        (8, 65, 1024),
        "truth tables are weaker than the proof: they compare each register, no theorem is checked",
        "the ports of the core",
        UNIT,
    ),
    EXPONENTIATION.name: Statement(
        LADDER_TEST,
        "order of the products",
        tuple(hardware_architectures()),
        (1024, 2048),
        "lemmas are weaker than the proof: the theorem that follows from them is not checked",
        "each product and each pass is right (datapath in Ladder.v)",
        LADDER,
    ),
}


def add_prove(commands: Any, project: Project) -> None:
    """Add the command ``prove``."""
    parser = commands.add_parser(
        NAME, help="prove whole products of a core at a width, for all operands"
    )
    add = parser.add_argument
    says = "; ".join(f"{name}: {of.says}" for name, of in STATEMENTS.items())
    add("--design", choices=tuple(STATEMENTS), default=MULTIPLIER.name,
        help=f"{says} (default: %(default)s)")  # fmt: skip
    add("--arch", type=_names, action="extend", default=[], metavar="NAME,…",
        help="architectures (default: those that have a theorem)")  # fmt: skip
    widths = "; ".join(
        f"{name}: {', '.join(map(str, of.widths))}" for name, of in STATEMENTS.items()
    )
    add("--width", type=_widths, action="extend", default=[], metavar="N,…",
        help=f"operand widths n (default: {widths})")  # fmt: skip
    add("--parameter", type=_parameter, action="append", default=[], metavar="NAME=VALUE",
        help="of multiplier or core (repeatable; default: those of the design)")  # fmt: skip
    weaker = "; ".join(f"{name}: {of.weaker}" for name, of in STATEMENTS.items())
    add("--fast", action="store_true", help=f"a weaker check, without Coq. {weaker}")
    add("--record", type=Path, nargs="+", default=[], metavar="RUN",
        help=f"write the proofs of these runs into {PAGE.name}; prove nothing")  # fmt: skip
    add_common(parser, project)
    parser.set_defaults(run=run)


def run(call: Call) -> int:
    """Prove configurations, or record proofs; return the exit code.

    Raises:
        UsageError: an architecture has no theory, a width or parameter is illegal, or a run cannot
            be recorded.
    """
    if call.record:
        return _record(call)
    tool = CoqTool.name
    if call.fast or not coq_version():
        tool = TruthTables.name
    statement = STATEMENTS[call.design]
    names, widths = call.arch or statement.architectures, call.width or statement.widths
    jobs = planned(call.context, statement.test, names, widths, dict(call.parameter), tool)
    if tool == TruthTables.name and not call.fast:
        say(call.console, f"{INSTALL}; {statement.weaker}")
    record = execute(
        Plan(
            name=NAME,
            description=f"{statement.says} of {', '.join(names)}",
            command=command_line(call.argv),
            options={"architectures": list(names), "widths": list(widths)},
            jobs=tuple(jobs),
            hdl=call.hdl,
            waves=False,
            shrink=False,
        ),
        **common(call),
    )
    _show(call, record)
    return exit_code(record)


def _show(call: Call, record: RunRecord) -> None:
    found = outcomes(record)
    for outcome in found:
        say(call.console, f"{outcome.name}: {outcome.verdict}")
        for line in outcome.why:
            say(call.console, f"  {line}")
    rows = [cells(outcome) for outcome in found]
    show_table(call.console, "Proved products", ",".join(HEADINGS).replace(", s", " s#"), rows)
    count = Counter(outcome.verdict for outcome in found)
    say(call.console, ", ".join(f"{number} {verdict}" for verdict, number in count.items()))
    if count[PROVED]:
        statement = STATEMENTS[call.design]
        names = lemma_names(statement.lemmas)
        say(
            call.console,
            f"assumed by the theorem: {statement.assumed}, and {len(names)} lemmas that Yices "
            f"proves of {statement.lemmas.path.name}: {', '.join(names)}",
        )
    show_problems(call.console, record, cases=False)
    show_end(call.console, record)


def _record(call: Call) -> int:
    every: Sequence[Outcome] = ()
    for folder in call.record:
        record = load(call.context, folder)
        commit = read_run(call.context, record.folder).tools["sources"]
        found = [
            outcome for outcome in outcomes(record) if outcome.verdict in (PROVED, CORE_PROVED)
        ]
        if not found:
            raise UsageError(f"{folder} has no proof; accepted: a run of {NAME} with Coq")
        if not CLEAN.fullmatch(commit):
            raise UsageError(f"{folder}: proved on uncommitted changes ({commit})")
        every = add_recorded(found, commit)
    for mark, table in page_tables(every).items():
        write_table(PAGE, table, mark)
    say(call.console, f"{len(every)} configurations: {PAGE.relative_to(ROOT)}")
    return PASSED


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _widths(text: str) -> list[int]:
    return [integer(item.strip(), 2, MAX_WIDTH) for item in text.split(",")]


def _parameter(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    if not equals or not value.isdigit():
        raise UsageError(
            f"--parameter {text!r} is not accepted; accepted: NAME=VALUE, VALUE a number"
        )
    return name, int(value)
