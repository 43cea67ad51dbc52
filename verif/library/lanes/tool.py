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
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.machine import Machine
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe_tool import RecipeTool, write_recipe


class LaneTool(RecipeTool):
    """What builds and runs a netlist in all lanes."""

    name: ClassVar[str] = "lanes"
    title: ClassVar[str] = "lane engine"
    compiler: ClassVar[str] = "verif.library.lanes.tool"


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
