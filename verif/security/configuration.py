"""Options that select the attacked configuration and its operands."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from models.registry import architecture, hardware_architectures
from regress.cli.options import add_jobs, entry, seed
from regress.core.errors import UsageError, not_accepted
from verif.bench.configuration.design import (
    DESIGNS,
    EXPONENTIATION,
    DesignError,
    changed_parameters,
)
from verif.library.lanes.bench import LaneBench, Operation
from verif.library.netlist.process import ToolError

DATA, EXPONENT, MODULUS = range(3)
DEFAULT_ARCHITECTURE = "mwrkmm"


def add_attack(parser: argparse.ArgumentParser, written: str) -> None:
    """Add the options that both attacks have.

    Args:
        parser: parser of the command.
        written: what ``--write`` does.
    """
    parser.add_argument(
        "--design",
        choices=list(DESIGNS),
        default=EXPONENTIATION.name,
        help=f"the attacked design (default: {EXPONENTIATION.name})",
    )
    parser.add_argument(
        "--arch",
        default=DEFAULT_ARCHITECTURE,
        metavar="A",
        help=f"architecture (default: {DEFAULT_ARCHITECTURE})",
    )
    parser.add_argument(
        "--width", type=int, default=8, metavar="N", help="bits of the operands (default: 8)"
    )
    parser.add_argument(
        "--parameter",
        type=entry,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="parameter of the top or the core; repeatable",
    )
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="S", help="seed of the random values (default: 1)"
    )
    parser.add_argument(
        "--hdl", type=Path, metavar="DIR", help="folder with an altered copy of the design"
    )
    add_jobs(parser, "threads at once")
    parser.add_argument("--write", action="store_true", help=written)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="page with pictures (default: in build/security)"
    )
    parser.add_argument(
        "--pictures", type=Path, metavar="DIR", help="also write each picture to this folder (SVG)"
    )


def configured_bench(arguments: argparse.Namespace) -> LaneBench:
    """Return the design that the options of :func:`add_attack` choose, in all lanes.

    Raises:
        UsageError: it is not legal, or it cannot be built.
    """
    known = hardware_architectures()
    if arguments.arch not in known:
        raise UsageError(not_accepted("architecture", arguments.arch, known))
    design, entry = DESIGNS[arguments.design], architecture(arguments.arch)
    parameters = dict(arguments.parameter)
    if arguments.hdl is not None and not list(arguments.hdl.rglob(f"{design.top}.sv")):
        raise UsageError(f"--hdl {arguments.hdl}: accepted is a folder with {design.top}.sv")
    try:
        return LaneBench.build(design, entry, arguments.width, parameters, arguments.hdl)
    except (DesignError, ToolError) as error:
        raise UsageError(str(error)) from None


def configuration_id(bench: LaneBench) -> str:
    """The configuration in a word: design, architecture, width, width of the bus, options.

    Other parameters that are not the defaults follow with their values.
    """
    design, made = bench.design, bench.made
    options = [option for option in design.options if option in made.values]
    others = changed_parameters(design, made)
    values = [f"{k}{v}" for k, v in others.items() if k not in ("BusWidth", *options)]
    words = [design.name, made.core.name, str(bench.width), f"bus{bench.bus_width}"]
    return "-".join([*words, *options, *values])


def draw_operation(bench: LaneBench, rng: random.Random) -> Operation:
    """A legal operation: an odd M of full length, operands below it, a random exponent."""
    operands = bench.design.draw(rng, bench.width)
    reads = bench.design.reads
    return Operation({address: [value] for address, value in operands.items()}, reads=reads)
