"""Synthesis of a design, as a tool of the run manager: its build is a recipe.

``python -m verif.library.netlist.recipe_tool SPEC`` is the process of such a build. It writes the
recipe of a configuration, which has the text of its sources: a job needs no other file and may run
on another machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from typing_extensions import Self

from regress.core.processes import end_with_parent
from regress.run.compile import CompileSpec
from regress.simulators import Simulator
from verif.library.netlist.configuration import CLOCK
from verif.library.netlist.recipe import Recipe
from verif.library.yosys import PACKAGE, yosys_version

RECIPE_FILE = "recipe.json"


class RecipeTool(Simulator):
    """A tool whose jobs synthesise with the pinned Yosys."""

    programs: ClassVar[tuple[str, ...]] = ()
    runner: ClassVar[str] = ""
    executable: ClassVar[str] = RECIPE_FILE
    install: ClassVar[str] = "make setup"
    compiler: ClassVar[str] = "verif.library.netlist.recipe_tool"

    @classmethod
    def find(cls) -> Self:
        """Return the tool, which needs Yosys of the pinned packages alone."""
        return cls(f"{PACKAGE} {yosys_version()}", "package", waves=False)


def read_recipe(build: Path) -> Recipe:
    """Return the recipe in the folder of a build."""
    return Recipe.model_validate_json((build / RECIPE_FILE).read_text())


def write_recipe(path: Path) -> Recipe:
    """Write the recipe of a build and return it.

    Args:
        path: file of the :class:`regress.run.compile.CompileSpec`.
    """
    spec = CompileSpec.read(path)
    files = [Path(source) for source in spec.sources]
    recipe = Recipe.from_files(spec.toplevel, CLOCK, files, spec.defines, spec.parameters)
    (Path(spec.folder) / RECIPE_FILE).write_text(recipe.model_dump_json(indent=1) + "\n")
    return recipe


def main(path: Path) -> int:
    """Write the recipe of a build; return the exit code."""
    end_with_parent()
    write_recipe(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
