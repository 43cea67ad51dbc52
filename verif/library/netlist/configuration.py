"""The recipe of a configuration of the project's designs."""

from __future__ import annotations

import re
from pathlib import Path

from verif.bench.configuration.design import Hardware
from verif.library.netlist.recipe import Recipe

CLOCK = "clk_i"


def recipe_of(made: Hardware) -> Recipe:
    """What a configuration is synthesised from.

    Raises:
        OSError: a source cannot be read.
    """
    return Recipe.from_files(made.top, CLOCK, _needed(made), made.defines, made.parameters)


def _needed(made: Hardware) -> list[Path]:
    """The sources that a configuration uses, in compile order.

    A change of one core is then no change of the others. A file has the name of its module or
    package, so it is needed if a needed file has that word, and the configuration elaborates it.
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
