"""Options that select the attacked configuration and its operands."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from models.registry import architecture, hardware_architectures
from regress.core.errors import UsageError, not_accepted
from verif.bench.configuration.design import DESIGNS, EXPONENTIATION, ROOT, DesignError
from verif.library.lanes.bench import LaneBench, Operation
from verif.library.netlist.process import ToolError

DATA, EXPONENT, MODULUS = range(3)
DEFAULT_ARCHITECTURE = "mwrkmm"
# Folder of the campaigns' pages.
PAGES = ROOT / "build" / "security"


def add_configuration(parser: argparse.ArgumentParser) -> None:
    """``--design --arch --width --parameter --seed --hdl``."""
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
        type=_parameter,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="parameter of the top or the core; repeatable",
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="seed of the random values (1)"
    )
    parser.add_argument(
        "--hdl", type=Path, metavar="DIR", help="folder with an altered copy of the design"
    )


def configured_bench(arguments: argparse.Namespace) -> LaneBench:
    """The design that the options choose, in all lanes.

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
    """The configuration in a word: design, architecture, width, width of the bus, options."""
    name = bench.made.core.name
    options = (f"-{option}" for option in bench.design.options if option in bench.made.values)
    return f"{bench.design.name}-{name}-{bench.width}-bus{bench.bus_width}{''.join(options)}"


def draw_operation(bench: LaneBench, rng: random.Random) -> Operation:
    """A legal operation: an odd M of full length, operands below it, a random exponent."""
    operands = bench.design.draw(rng, bench.width)
    reads = bench.design.reads
    return Operation({address: [value] for address, value in operands.items()}, reads=reads)


def _parameter(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    try:
        return name, int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not accepted; accepted: NAME=VALUE with an integer"
        ) from None
