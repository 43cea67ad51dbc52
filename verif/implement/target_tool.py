"""The synthesis targets as tools of the run manager: their jobs measure a recipe."""

from __future__ import annotations

from verif.implement.targets import targets
from verif.library.netlist.recipe_tool import RecipeTool


def target_tools() -> dict[str, type[RecipeTool]]:
    """Return the tool of each target, by the target's name."""
    return {
        name: type(type(kind).__name__, (RecipeTool,), {"name": name, "title": kind.title})
        for name, kind in targets().items()
    }
