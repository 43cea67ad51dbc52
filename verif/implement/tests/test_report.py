"""What the terminal shows of a point's area."""

from __future__ import annotations

from rich.console import Console

from verif.implement.report import module_table
from verif.implement.targets.ecp5 import cost
from verif.library.netlist.hierarchy import Hierarchy, ModuleArea

CELLS = [
    *[("LUT4", f"u_a.x{i}") for i in range(18)],
    *[("TRELLIS_DPR16X4", f"u_a.u_words.mem.0.{i}") for i in range(8)],
    ("DP16KD", "u_b.mem.0"),
    ("TRELLIS_FF", "u_b.q_reg_0"),
    ("CCU2C", "u_b.sum"),
]


def instances() -> list[ModuleArea]:
    hierarchy = Hierarchy("t", {"u_a": "alpha", "u_a.u_words": "word_memory", "u_b": "beta"})
    return hierarchy.area(CELLS, cost)


def test_a_memory_of_luts_counts_as_the_placer_counts_it() -> None:
    # nextpnr packs these 18 LUTs and 8 memories as 66 LUTs: 18, 32 of memory, 16 of write ports.
    assert sum(cost(kind).get("luts", 0) for kind, _ in CELLS[:26]) == 66


def test_the_largest_instances_with_their_memories() -> None:
    console = Console(width=160, color_system=None)
    with console.capture() as capture:
        console.print(module_table("p", instances()))
    lines = capture.get().splitlines()
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines]
    assert [row for row in rows if len(row) == 7] == [
        ["u_a.u_words", "word_memory", "48", "", "", "8", "70.6 %"],
        ["u_a", "alpha", "18", "", "", "", "26.5 %"],
        ["u_b", "beta", "2", "1", "1", "", "2.9 %"],
    ]
