"""``python -m regress affected FILE``: the known errata that concern a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from regress.cli.options import Call
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say, show_table
from verif.library.errata import affecting, read_configuration, read_errata


def add_affected(commands: Any, _: Project) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "affected", help="known errata that concern a version and configuration"
    )
    parser.add_argument(
        "file", type=Path, metavar="FILE.yaml", help="version, design, architecture, width, …"
    )
    parser.set_defaults(run=_affected)


def _affected(call: Call) -> int:
    errata = read_errata()
    asked, values = read_configuration(call.file)
    found = affecting(errata, asked, values)
    if found:
        rows = [[one.id, one.effect, one.workaround, one.fixed_in] for one in found]
        show_table(call.console, "errata", "Erratum,Effect,Workaround,Fixed in", rows)
    name = f"{asked.design} {asked.architecture} of {asked.width} bits, version {asked.version}"
    say(call.console, f"{len(found)} of {len(errata)} known errata concern {name}")
    return FAILED if found else PASSED
