"""Cost of the test bench's window in hardware: synthesis with and without it.

Wires of a top that only the bench reads lead to ``unused_observation``, so that synthesis drops the
logic before them. Here synthesis is done twice, once with these wires as outputs. Flip-flops,
memories and multipliers must be the same; gates need not be, where a wire is the and of two.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from verif.implement.targets import target
from verif.implement.targets.base import CELLS
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.workplace import Workplace

OBSERVATION = re.compile(r"assign unused_observation = \^(.*?);", re.DOTALL)
KINDS = {
    "flip-flops": re.compile(r"\$_\w*(FF|LATCH|SR)\w*_$|\$\w*(dff|dlatch|sr)\w*$"),
    "memories": re.compile(r"\$mem"),
    "multipliers": re.compile(r"\$mul"),
}


def observed_wires(recipe: Recipe) -> list[str]:
    """Names of the wires that are there for the bench, as in the flattened top.

    Raises:
        ValueError: the top has none.
    """
    text = recipe.sources[f"{recipe.top}.sv"]
    found = OBSERVATION.search(text)
    if not found:
        raise ValueError(f"{recipe.top} has no unused_observation")
    return re.findall(r"\w+", found[1])


def elements(recipe: Recipe, folder: Path, place: Workplace, *, observed: bool) -> Counter[str]:
    """Flip-flops (bits), memories and multipliers of a design.

    Args:
        recipe: the design.
        folder: folder for the tool's files.
        place: workplace with the tools.
        observed: make the signals that the bench reads outputs.

    Raises:
        ToolError: Yosys failed.
        ValueError: the bench reads no signal of the design.
    """
    wires = [f"{recipe.top}/w:{name}" for name in observed_wires(recipe)]
    sources = recipe.write_sources(folder)
    place.yosys(
        [
            *target("gates").read_passes(recipe, sources),
            "proc",
            "flatten",
            *([f"expose {' '.join(wires)}"] if observed else []),
            # States keep their codes: which code is best depends on who looks.
            f"synth -nofsm -top {recipe.top} -run coarse:fine",
            "opt -full -undriven",
            "simplemap t:$*ff* t:$*latch*",
            "opt_clean",
            f"@cells {CELLS}",
        ],
        folder,
    )
    counts: Counter[str] = Counter()
    for line in (folder / CELLS).read_text().splitlines():
        cell, _, _ = line.partition("\t")
        counts.update(name for name, kind in KINDS.items() if kind.match(cell))
    return counts
