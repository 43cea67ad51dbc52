"""``python -m verif.mutation``: the command ``mutate`` by itself."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console

from models.registry import hardware_architectures
from regress.errors import UsageError, not_accepted
from regress.formats import duration
from regress.marked import write_table
from regress.processes import ProcessGroups
from verif.design import ROOT
from verif.mutation.campaign import BaselineError
from verif.mutation.equivalents import EQUIVALENTS
from verif.mutation.record import CampaignRecord, Outcome, merged
from verif.mutation.report import BEGIN, markdown, show
from verif.mutation.session import KINDS, Design, Request, mutate, prove_survivors, reprove

PASSED, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
PLAIN_COLUMNS = 200


def add_parser(commands: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add the command ``mutate``; its ``run`` is :func:`run`."""
    parser = commands.add_parser("mutate", help="change the design in many ways: is it found?")
    _add_arguments(parser)
    parser.set_defaults(
        run=lambda arguments, argv, workspace, console: run(arguments, argv, console)
    )
    return parser


def run(arguments: argparse.Namespace, argv: Sequence[str], console: Console) -> int:
    """Run a campaign, or show what there is to run; the exit code.

    Raises:
        UsageError: something asked for does not exist.
    """
    if arguments.report:
        record = merged([CampaignRecord.read(folder) for folder in arguments.report])
        if arguments.prove:
            prove_survivors(
                record, record.of(Outcome.SURVIVED), Design(ROOT / "hdl"),
                arguments.report[0].absolute(), arguments.prove, arguments.jobs,
                lambda line: console.print(line, soft_wrap=True, markup=False), EQUIVALENTS,
            )  # fmt: skip
    else:
        architectures = _architectures(arguments)
        design = Design(ROOT / "hdl", architectures, tuple(arguments.file))
        if arguments.list:
            for mutant in design.mutants:
                kind = "elaboration" if mutant.static else "source"
                console.print(f"{mutant.id}  {kind}  {mutant.change}", soft_wrap=True, markup=False)
            console.print(f"{len(design.mutants)} mutants")
            return PASSED
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        request = Request(
            command=["python", "-m", "regress", *argv],
            architectures=architectures,
            count=arguments.count,
            seed=arguments.seed,
            budget=arguments.budget,
            processes=arguments.jobs,
            files=tuple(arguments.file),
            out=(arguments.resume or arguments.out or ROOT / "runs" / f"mutate-{stamp}").absolute(),
            resume=arguments.resume is not None,
            ids=tuple(arguments.mutant),
            kinds=tuple(arguments.kind) or KINDS,
            prove=arguments.prove,
        )
        groups = ProcessGroups()
        try:
            if arguments.reprove:
                record = reprove(
                    request, arguments.reprove,
                    lambda line: console.print(line, soft_wrap=True, markup=False),
                )  # fmt: skip
            else:
                record = mutate(request, console, groups)
        except BaselineError as error:
            raise UsageError(str(error)) from None
        finally:
            groups.cancel()
        console.print(f"record: {request.out}/mutation.json", soft_wrap=True)
    show(console, record)
    if arguments.write:
        write_table(arguments.write, markdown(record), BEGIN)
    return FAILED if record.count(Outcome.SURVIVED) else PASSED


def _architectures(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The ones that are asked for; of a slice, as many as it has, by the seed."""
    names = tuple(name.strip() for item in arguments.arch for name in item.split(","))
    known = hardware_architectures()
    for name in names:
        if name not in known:
            raise UsageError(not_accepted("architecture", name, known))
    if arguments.slice and arguments.slice < len(known):
        rng = random.Random(f"{arguments.seed}/architectures")
        return tuple(sorted(rng.sample(names or sorted(known), arguments.slice)))
    return names


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--arch", action="append", default=[], metavar="A,…", help="only these architectures")
    add("--slice", type=_positive, metavar="N",
        help="only so many architectures, chosen by the seed")  # fmt: skip
    add("--file", action="append", default=[], metavar="GLOB", help="only these files below hdl")
    add("--count", type=_positive, metavar="K", help="so many mutants (default: all)")
    add("--seed", type=_natural, default=1, metavar="S", help="chooses the mutants (default: 1)")
    add("--budget", type=_seconds, metavar="TIME", help="stop after so long, such as 10m")
    add("--jobs", type=_positive, default=len(os.sched_getaffinity(0)), metavar="J",
        help="mutants at once (default: one for each CPU)")  # fmt: skip
    add("--out", type=Path, metavar="DIR", help="folder (default: a new one below runs/)")
    add("--resume", type=Path, metavar="DIR", help="go on with the campaign in this folder")
    add("--mutant", action="append", default=[], metavar="ID",
        help="only this one; its folders are kept")  # fmt: skip
    add("--list", action="store_true", help="show the mutants and stop")
    add(
        "--kind", action="append", default=[], choices=KINDS, help="only these mutants (repeatable)"
    )
    add("--report", type=Path, nargs="+", metavar="DIR",
        help="show the campaign in this folder and stop; of several, all together")  # fmt: skip
    add("--prove", type=_seconds, metavar="TIME",
        help="try so long to prove each survivor equivalent, and store what is proved")  # fmt: skip
    add("--reprove", type=_seconds, metavar="TIME",
        help="prove every stored equivalence again, so long each; keep what is")  # fmt: skip
    add("--write", type=Path, metavar="FILE", help=f"put the tables behind {BEGIN!r} in this file")


def _natural(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; accepted: an integer from 0")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; accepted: an integer from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        return duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def main(argv: Sequence[str] | None = None) -> int:
    """The command by itself; returns the exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="python -m verif.mutation", description=__doc__)
    _add_arguments(parser)
    arguments = parser.parse_args(argv)
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=PLAIN_COLUMNS)
    try:
        return run(arguments, ["mutate", *argv], console)
    except UsageError as error:
        for line in error.lines:
            print(f"regress: {line}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
