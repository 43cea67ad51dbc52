"""The command ``blocks``: lists the generate blocks of the design that no build of a list contains.

No job can detect a bug in such a block, for any operands. Configurations that a list draws do
not count here, because another seed draws other configurations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import track

from regress.cli.options import Call
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.expansion import Selection, expand
from regress.core.lists import find_list, load_list
from regress.core.plan import BuildPoint
from regress.core.processes import ProcessGroups
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say
from regress.run.build import Builder
from regress.simulators import find_simulators
from regress.simulators.icarus import Icarus
from verif.bench.configuration.design import ROOT

LISTS = ("merge", "mutation")
# Name of the blocks that reject illegal parameters at elaboration; no legal build contains them.
CHECKS = "gen_check"
LABEL = re.compile(r"\bbegin\s*:\s*(gen_\w+)")
SCOPE = re.compile(r'\.scope generate, "[^"]*" "(\w+)[^"]*" (\d+) ')
SIMULATION, FILES = "sim.vvp", ":file_names"


class Block(NamedTuple):
    """A generate block, the same in every instance of its module.

    Attributes:
        file: name of the file, without folder.
    """

    file: str
    label: str


def add_parser(commands: Any, _: Project) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "blocks", help="generate blocks of the design that no build of a list has"
    )
    parser.add_argument(
        "lists", nargs="*", default=LISTS, metavar="LIST", help=f"default: {' '.join(LISTS)}"
    )
    parser.set_defaults(run=_blocks)


def _blocks(call: Call) -> int:
    wanted = blocks_of(ROOT / "hdl")
    missing = False
    for name in call.lists:
        points = fixed_points(call.context, find_list(call.project, name))
        built = elaborated(
            call.project, points, call.workspace.builds, call.workspace.runs / "blocks"
        )
        shown = track(
            built, f"building {name}", len(points), console=call.console, transient=True,
            disable=not call.console.is_terminal,
        )  # fmt: skip
        there = {block for blocks in shown for block in blocks}
        for block in wanted.keys() - there:
            missing = True
            say(
                call.console, f"{wanted[block]}: {block.label} is not in any build of {name}", "red"
            )
        say(call.console, f"{name}: {len(wanted.keys() & there)} of {len(wanted)} generate blocks")
    return FAILED if missing else PASSED


def blocks_of(hdl: Path) -> Mapping[Block, str]:
    """Return all blocks that a simulation may contain, with places: ``lib/delay_line.sv:54``."""
    found: dict[Block, str] = {}
    for path in sorted(hdl.rglob("*.sv")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if (label := LABEL.search(line)) and not label[1].startswith(CHECKS):
                block = Block(path.name, label[1])
                found.setdefault(block, f"{path.relative_to(hdl)}:{number}")
    return found


def fixed_points(context: Context, path: Path) -> list[BuildPoint]:
    """Return the builds of a list that do not depend on its seed, on Icarus Verilog, each once.

    Raises:
        UsageError: the list cannot be read, or draws all its builds.
    """
    regression = load_list(context, path)
    fixed = tuple(entry for entry in regression.jobs if not entry.draw)
    if not fixed:
        raise UsageError(f"{path}: every entry is drawn; accepted are lists with other entries")
    plan = expand(context, regression.model_copy(update={"jobs": fixed}), Selection({}))
    top = context.project.default_top
    points = (BuildPoint(job.point.point, Icarus.name, job.point.top, unnamed=top) for job in plan)
    return list(dict.fromkeys(points))


def elaborated(
    project: Project, points: Iterable[BuildPoint], builds: Path, logs: Path
) -> Iterator[set[Block]]:
    """Return the generate blocks of each build; Icarus Verilog writes them with their files.

    Args:
        project: project of the design.
        points: builds to elaborate.
        builds: folder of the builds.
        logs: folder of the compiler's logs.

    Raises:
        UsageError: Icarus Verilog is missing, or a build fails.
    """
    found, missing = find_simulators([Icarus.name])
    if missing:
        raise UsageError(missing[Icarus.name])
    builder = Builder(project, builds, logs, found, ProcessGroups(), 1)
    for point in points:
        outcome = builder.build(point)
        if outcome.folder is None:
            raise UsageError("\n".join([f"{point.name} does not build", *outcome.errors]))
        yield _scopes((outcome.folder / SIMULATION).read_text())


def _scopes(text: str) -> set[Block]:
    code, _, names = text.rpartition(FILES)
    files = [Path(line.strip(' ";')).name for line in names.splitlines()[1:]]
    return {Block(files[int(scope[2])], scope[1]) for scope in SCOPE.finditer(code)}
