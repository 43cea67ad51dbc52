"""The recipe of a configuration of the project's designs."""

from __future__ import annotations

import re
from pathlib import Path

from verif.bench.configuration.design import Hardware
from verif.library.netlist.recipe import Recipe

CLOCK = "clk_i"


def recipe_of(made: Hardware) -> Recipe:
    """Return the recipe with which a configuration is synthesised.

    Raises:
        OSError: a source cannot be read.
    """
    return Recipe.from_files(made.top, CLOCK, needed(made), made.defines, made.parameters)


def needed(made: Hardware) -> list[Path]:
    """Return the sources that a configuration uses, in compile order.

    The recipe contains only these, so that a change of one core does not affect the others. A file
    has the name of its module or package. So it is needed if a needed file contains this name and
    the configuration elaborates the module.
    """
    files = {path.stem: path for path in made.sources if path.stem not in made.absent}
    waiting = [made.top]
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            code = re.sub(r"//.*", "", files[name].read_text())
            found = set(re.findall(r"\w+", code))
            waiting += [other for other in files if other in found and other not in needed]
    return [path for path in made.sources if path.stem in needed]
