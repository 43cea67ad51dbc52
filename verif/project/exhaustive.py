"""The command ``exhaustive``: compares each model with gmpy2 on all operands of a small width."""

from __future__ import annotations

import sys
from typing import Any

from models.architecture import Architecture
from models.exhaustive import MAX_WIDTH, MIN_WIDTH, MismatchError, check_entry, table
from models.registry import architectures
from regress.cli.options import Call, argument
from regress.core.errors import not_accepted
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, integer, say


def add_exhaustive(commands: Any, _: Project) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "exhaustive", help="compare each model with gmpy2, for all operands of a small width"
    )
    parser.add_argument(
        "--width", type=argument(_width), default=MAX_WIDTH, metavar="N", help=f"({MAX_WIDTH})"
    )
    parser.add_argument(
        "--arch", type=argument(_entry), action="append", metavar="NAME", help="repeatable (all)"
    )
    parser.set_defaults(run=_run)


def _width(text: str) -> int:
    return integer(text, MIN_WIDTH, MAX_WIDTH)


def _entry(name: str) -> Architecture:
    known = architectures()
    if name not in known:
        raise ValueError(not_accepted("architecture", name, known))
    return known[name]


def _run(call: Call) -> int:
    """Run the checks and print a table; return 1 and print the operands if a product differs."""
    terminal = sys.stderr.isatty()

    def progress(line: str) -> None:
        if terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    outcomes = []
    for entry in call.arch or architectures().values():
        try:
            outcome = check_entry(entry, call.width, progress)
        except MismatchError as error:
            progress("")
            say(call.console, f"FAILED: {error}", "bold red")
            return FAILED
        progress("")
        total = sum(outcome.operations.values())
        print(f"{outcome.name}: {total:,} operations, {outcome.seconds:.1f} s", file=sys.stderr)
        outcomes.append(outcome)
    print(table(outcomes, call.width))
    return PASSED
