"""Nothing in the hardware remembers anything for the test bench: synthesis with and without it.

Wires of a top that only the bench reads lead to ``unused_observation``, so that synthesis drops the
logic before them; the exponentiation has none. Here synthesis is done twice, once with these wires
as outputs. Flip-flops, memories and multipliers must be the same; gates need not be, where a wire
is the and of two.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from models.registry import architecture
from verif.bench.configuration.design import MULTIPLIER, ROOT, hardware
from verif.implement.targets import target
from verif.implement.targets.base import CELLS
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Insert, Replace
from verif.library.netlist.configuration import recipe_of
from verif.library.netlist.process import Limits
from verif.library.netlist.recipe import Recipe
from verif.library.netlist.workplace import Workplace

OBSERVATION = re.compile(r"assign unused_observation = \^(.*?);", re.DOTALL)
KINDS = {
    "flip-flops": re.compile(r"\$_\w*(FF|LATCH|SR)\w*_$|\$\w*(dff|dlatch|sr)\w*$"),
    "memories": re.compile(r"\$mem"),
    "multipliers": re.compile(r"\$mul"),
}
# One element: the queue is long enough to be a memory, which needs the ring's state.
RING = {"Elements": 1}
# A flip-flop between the core's done and the bench.
PLANTED = (
    Insert(module="multiplier", where="before", text="logic seen_q;"),
    Insert(
        module="multiplier",
        text="always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) seen_q <= 1'b0; "
        "else seen_q <= view.core_done;",
    ),
    Replace(module="multiplier", signal="unused_observation", to="^{view, seen_q}"),
)


def recipe_at(name: str, width: int, parameters: dict[str, int], hdl: Path | None = None) -> Recipe:
    return recipe_of(hardware(MULTIPLIER, architecture(name), width, parameters, hdl))


def observed_wires(recipe: Recipe) -> list[str]:
    """Names of the wires that are there for the bench, as in the flattened top."""
    text = recipe.sources[f"{recipe.top}.sv"]
    found = OBSERVATION.search(text)
    assert found, f"{recipe.top} has no unused_observation"
    return re.findall(r"\w+", found[1])


def elements(recipe: Recipe, folder: Path, place: Workplace, *, observed: bool) -> Counter[str]:
    """Flip-flops (bits), memories and multipliers; ``observed``: what the bench reads is output."""
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


def test_the_bench_sees_the_core() -> None:
    recipe = recipe_at("fast_montgomery", 8, {})
    assert observed_wires(recipe) == ["view"]


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "width", "parameters"),
    [
        ("faster_montgomery", 16, {}),
        ("optimized_interleaved", 16, {}),
        ("mm42", 16, {}),
        ("mwr2mm", 128, RING),
        ("mwrkmm", 128, RING),
        ("quotient_pipelined", 128, RING),
    ],
)
def test_observation_costs_no_state(
    tmp_path: Path, name: str, width: int, parameters: dict[str, int]
) -> None:
    place = Workplace(Limits(300, 4 << 30))
    recipe = recipe_at(name, width, parameters)
    without = elements(recipe, tmp_path / "without", place, observed=False)
    assert without["flip-flops"] > 2 * width
    assert without["memories"]
    assert elements(recipe, tmp_path / "with", place, observed=True) == without


@pytest.mark.campaign
@pytest.mark.slow
def test_a_flip_flop_for_the_bench_is_found(tmp_path: Path) -> None:
    place = Workplace(Limits(300, 4 << 30))
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", PLANTED)
    recipe = recipe_at("fast_montgomery", 16, {}, hdl)
    without = elements(recipe, tmp_path / "without", place, observed=False)
    observed = elements(recipe, tmp_path / "with", place, observed=True)
    assert observed - without == {"flip-flops": 1}
