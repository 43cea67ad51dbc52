"""What the terminal shows of a point."""

from __future__ import annotations

from rich.console import Console

from verif.implement.flow.record import PointRecord, PointStatus
from verif.implement.flow.report import modules_table, points_table
from verif.implement.targets.ecp5 import cost
from verif.library.netlist.hierarchy import Hierarchy


class WidePoint(PointRecord):
    """A point of ten bits."""

    @property
    def bits(self) -> int:
        return 10


def text_of(table: object) -> str:
    console = Console(width=160, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def rows_of(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines()]


CELLS = [
    *[("LUT4", f"u_a.x{i}") for i in range(18)],
    *[("TRELLIS_DPR16X4", f"u_a.u_words.mem.0.{i}") for i in range(8)],
    ("DP16KD", "u_b.mem.0"),
    ("TRELLIS_FF", "u_b.q_reg_0"),
    ("CCU2C", "u_b.sum"),
]


def point() -> WidePoint:
    hierarchy = Hierarchy("t", {"u_a": "alpha", "u_a.u_words": "word_memory", "u_b": "beta"})
    modules = hierarchy.area(CELLS, cost)
    return WidePoint(
        id="p", design="d", parameters={}, target="ecp5", stage="post-route",
        status=PointStatus.AREA_ONLY, luts=sum(module.luts for module in modules), ffs=1,
        memories=1, lut_memories=8, modules=modules,
    )  # fmt: skip


def test_a_memory_of_luts_counts_as_the_placer_counts_it() -> None:
    # nextpnr packs these 18 LUTs and 8 memories as 66 LUTs: 18, 32 of memory, 16 of write ports.
    assert sum(cost(kind).get("luts", 0) for kind, _ in CELLS[:26]) == 66


def test_figures_a_bit_stand_beside_them() -> None:
    row = rows_of(text_of(points_table([point()])))[3]
    assert row == ["p", "68", "6.80", "1", "0.10", "1", "8", "area only"]


def test_the_largest_instances_with_their_memories() -> None:
    rows = [row for row in rows_of(text_of(modules_table(point()))) if len(row) == 7]
    assert rows == [
        ["u_a.u_words", "word_memory", "48", "", "", "8", "70.6 %"],
        ["u_a", "alpha", "18", "", "", "", "26.5 %"],
        ["u_b", "beta", "2", "1", "1", "", "2.9 %"],
    ]
