"""``python -m regress export``: one configuration as a self-contained folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.registry import architecture
from regress.cli.options import Call, add_point, argument, point_from
from regress.core.errors import UsageError
from regress.core.point import Point, PointError
from regress.core.project import Project
from regress.core.terminal import PASSED, say
from verif.bench.configuration.design import DESIGNS, EXPONENTIATION, FRONTS, Design, hardware
from verif.implement.point import point_id, read_points
from verif.implement.targets import targets
from verif.soc.front_design import FrontDesign
from verif.soc.kit.top import NO_FRONT

if TYPE_CHECKING:
    from verif.soc.kit.kit import Measured


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


def measured(design: Design, point: Point) -> Iterator[Measured]:
    """Yield what ``implement`` has recorded of a core, a target each."""
    # Importing what writes the register pages takes a third of a second.
    from verif.soc.kit.kit import Measured

    core = architecture(point["architecture"])
    made = hardware(design, core, point["width"], point["parameters"])
    wanted = {point_id(design, made, name): made_for for name, made_for in targets().items()}
    for found in read_points():
        if found.id not in wanted or found.size is None:
            continue
        counts = [f"{found.size:,.0f} {found.unit}"]
        counts += [f"{found.ffs:,} flip-flops"] if found.ffs else []
        counts += [f"{found.multipliers} multipliers"] if found.multipliers else []
        clock = found.fmax_mhz
        time = f"{clock.median:g} MHz, {found.stage}" if clock else "–"
        yield Measured(wanted[found.id].title, ", ".join(counts), time)


def _export(call: Call) -> int:
    from verif.soc.kit.kit import Kit

    out: Path = call.out
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"--out {out}: accepted is a new or an empty folder")
    design, front = DESIGNS[call.design], call.front.replace("-", "_")
    of = FrontDesign(FRONTS[1] if front == NO_FRONT else front, design)
    try:
        point = of.resolved(point_from(call))
        kit = Kit(front, design, point, tuple(measured(design, point)))
    except PointError as error:
        raise UsageError(str(error)) from None
    top = kit.write(out)
    say(call.console, f"{out}: {kit.title}; top {top.name}")
    return PASSED
