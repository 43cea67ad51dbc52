"""A synthesis target as a tool of the run manager: its build is a recipe, its jobs measure it.

``python -m verif.implement.target_tool SPEC`` is the process of such a build. It writes the recipe
of a configuration, which has the text of its sources: a job needs no other file and may run on
another machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from typing_extensions import Self

from regress.core.processes import end_with_parent
from regress.run.compile import CompileSpec
from regress.simulators import Simulator
from verif.bench.configuration.design import ROOT
from verif.implement.targets import targets
from verif.library.netlist.configuration import CLOCK
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.toolbox import Toolbox, default_toolbox_folder

RECIPE_FILE = "recipe.json"


class TargetTool(Simulator):
    """What builds and runs the measurements on one target. Its tools are installed on first use."""

    programs: ClassVar[tuple[str, ...]] = ()
    runner: ClassVar[str] = ""
    executable: ClassVar[str] = RECIPE_FILE
    install: ClassVar[str] = "python -m regress implement"
    compiler: ClassVar[str] = "verif.implement.target_tool"

    @classmethod
    def find(cls) -> Self:
        """Return the tool; the first job on a machine installs what is missing there."""
        toolbox = Toolbox(default_toolbox_folder(ROOT))
        packages = ", ".join(f"{name} {version}" for name, version in toolbox.packages().items())
        return cls(packages, str(toolbox.root), waves=False)


def target_tools() -> dict[str, type[TargetTool]]:
    """Return the tool of each target, by the target's name."""
    return {
        name: type(type(kind).__name__, (TargetTool,), {"name": name, "title": kind.title})
        for name, kind in targets().items()
    }


def main(path: Path) -> int:
    """Write the recipe of a build; return the exit code."""
    end_with_parent()
    spec = CompileSpec.read(path)
    files = [Path(source) for source in spec.sources]
    recipe = Recipe.from_files(spec.toplevel, CLOCK, files, spec.defines, spec.parameters)
    (Path(spec.folder) / RECIPE_FILE).write_text(recipe.model_dump_json(indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
