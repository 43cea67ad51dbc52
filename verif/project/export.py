"""``python -m regress export``: one configuration as a self-contained folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from regress.cli.options import Call, add_point, argument, point_from
from regress.core.errors import UsageError
from regress.core.point import PointError
from regress.core.project import Project
from regress.core.terminal import PASSED, say
from verif.bench.configuration.design import DESIGNS, EXPONENTIATION, FRONTS
from verif.soc.front_design import FrontDesign
from verif.soc.kit.top import NO_FRONT


def add_export(commands: Any, project: Project) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "export", help="write one configuration with a bus front as a folder of its own"
    )
    names = [front.replace("_", "-") for front in FRONTS.values()]
    parser.add_argument("--front", choices=[*names, NO_FRONT], required=True, help="bus of the top")
    parser.add_argument(
        "--design", choices=DESIGNS, default=EXPONENTIATION.name,
        help=f"design of the core (default: {EXPONENTIATION.name})",
    )  # fmt: skip
    for name, option in (("architecture", "arch"), ("width", "width")):
        axis = project.axis(name)
        parser.add_argument(
            f"--{option}", dest=f"axis_{name}", type=argument(axis.read), required=True,
            metavar=axis.letters, help=axis.help,
        )  # fmt: skip
    add_point(parser, [project.axis("parameters")])
    parser.add_argument(
        "--out", type=Path, metavar="DIR", required=True, help="folder to write; new or empty"
    )
    parser.set_defaults(run=_export)


def _export(call: Call) -> int:
    # Importing what writes the register pages takes a third of a second.
    from verif.soc.kit.kit import Kit

    out: Path = call.out
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"--out {out}: accepted is a new or an empty folder")
    design, front = DESIGNS[call.design], call.front.replace("-", "_")
    of = FrontDesign(FRONTS[1] if front == NO_FRONT else front, design)
    try:
        kit = Kit(front, design, of.resolved(point_from(call)))
    except PointError as error:
        raise UsageError(str(error)) from None
    top = kit.write(out)
    say(call.console, f"{out}: {kit.title}; top {top.name}")
    return PASSED
