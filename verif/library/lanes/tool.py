"""The lane engine as a tool of the run manager: its builds are compiled netlists.

``python -m verif.library.lanes.tool SPEC`` is the process of such a build. It writes the recipe
and fills the cache of netlists and libraries, in which a job finds them. A job on another machine
compiles the library for its own processor.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from regress.core.processes import end_with_parent
from regress.core.project import Test
from verif.bench.configuration.design import Design
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.machine import Machine
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe_tool import RecipeTool, write_recipe

# Suffix of the tops that run in all lanes.
SUFFIX = "_lanes"


class LaneTool(RecipeTool):
    """Tool that builds and runs a netlist in all lanes."""

    name: ClassVar[str] = "lanes"
    title: ClassVar[str] = "lane engine"
    compiler: ClassVar[str] = "verif.library.lanes.tool"


def lanes_test(design: Design, program: str, description: str) -> Test:
    """Return a test whose jobs are processes that run a design in all lanes.

    Args:
        design: the design.
        program: module of the process.
        description: what it checks.
    """
    return Test(
        module=program,
        name="main",
        description=description,
        top=f"{design.name}{SUFFIX}",
        toplevel=design.top,
        simulators=(LaneTool.name,),
        program=program,
    )


def main(path: Path) -> int:
    """Build the machine of a configuration; return the exit code."""
    end_with_parent()
    try:
        Machine.of(write_recipe(path), LaneBuilder.of_project())
    except ToolError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
