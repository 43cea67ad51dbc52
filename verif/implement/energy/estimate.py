"""Energy of the operations of a netlist, from toggles and the tables of its cells."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from verif.implement.energy.cells import Cell, read_cell
from verif.implement.energy.liberty import read_library
from verif.implement.energy.simulate import (
    LANES,
    LIBRARY,
    SOURCE,
    Instance,
    Mapped,
    Simulator,
    read_mapped,
    used_cells,
)
from verif.implement.energy.stimulus import Stimulus, run
from verif.library.lanes.build import compiler
from verif.library.netlist.process import run_tool
from verif.library.netlist.workplace import Workplace

MAPPED = "mapped.json"
# Number to increase if a change of the code changes the result for the same netlist.
REVISION = 1


class Energy(BaseModel):
    """Energy of an operation: mean over random operands, without wires, clock tree and glitches."""

    model_config = ConfigDict(extra="forbid")

    operations: int = Field(description="operations that were simulated")
    cycles: int = Field(description="cycles of one, from the start to the end of busy")
    energy_pj: float = Field(description="of one operation, without leakage")
    clock_pj: float = Field(description="the share of the clock pins of the flip-flops")
    leakage_uw: float = Field(description="leakage of all cells")


def estimate(
    netlist: Path, top: str, clock: str, liberty: Path, stimulus: Stimulus, place: Workplace,
    folder: Path,
) -> Energy:  # fmt: skip
    """Simulate a mapped netlist and return the energy of an operation.

    Args:
        netlist: Verilog of the library's cells.
        top: its module.
        clock: its clock port.
        liberty: the library.
        stimulus: operations.
        place: workplace with Yosys.
        folder: folder for files.

    Raises:
        ToolError: a cell cannot be simulated or has no energy table, or an answer is wrong.
    """
    place.yosys([f"read_verilog {netlist}", f"write_json {MAPPED}"], folder)
    module = json.loads((folder / MAPPED).read_text())["modules"][top]
    library = read_library(liberty, used_cells(module))
    cells = {name: read_cell(group, library) for name, group in library.cells.items()}
    mapped = read_mapped(module, clock, cells)
    simulator = Simulator(mapped, compiled(folder, place))
    run(stimulus, simulator)
    (folder / MAPPED).unlink()
    return energy_of(mapped, simulator, library.voltage)


def compiled(folder: Path, place: Workplace) -> Path:
    """Compile the simulator and return its library.

    Raises:
        ToolError: no C compiler, or it fails.
    """
    command = [compiler(), "-O3", "-std=gnu11", "-shared", "-fPIC", str(SOURCE), "-o", LIBRARY]
    log = folder / "compiler.log"
    run_tool("the C compiler", command, cwd=folder, log=log, limits=place.limits)
    return folder / LIBRARY


def energy_of(mapped: Mapped, simulator: Simulator, voltage: float) -> Energy:
    """Return the energy of the counted cycles, in each lane."""
    toggles, cycles = simulator.toggles, simulator.cycles
    loads = np.zeros(mapped.nets)
    kinds: dict[str, list[Instance]] = {}
    for instance in mapped.instances:
        kinds.setdefault(instance.cell.name, []).append(instance)
        for pin, farads in instance.cell.capacitance.items():
            loads[instance.nets[pin]] += farads
    inside = clock = 0.0
    for instances in kinds.values():
        cell = instances[0].cell
        for pin, energy in cell.input_fj.items():
            inside += energy * sum(int(toggles[one.nets[pin]]) for one in instances)
        inside += _outputs(cell, instances, toggles, loads, voltage)
        if cell.state:
            changes = sum(int(toggles[one.state]) for one in instances)
            keeps = cycles * LANES * len(instances) - changes
            clock += cell.state.idle_fj * keeps + cell.state.toggle_fj * changes
            pin_fj = cell.capacitance[cell.state.clock] * voltage**2
            clock += pin_fj * cycles * LANES * len(instances)
    leakage = sum(one.cell.leakage_nw for one in mapped.instances)
    return Energy(
        operations=LANES,
        cycles=cycles,
        energy_pj=round((inside + clock) / LANES / 1000, 3),
        clock_pj=round(clock / LANES / 1000, 3),
        leakage_uw=round(leakage / 1000, 3),
    )


def _outputs(
    cell: Cell,
    instances: list[Instance],
    toggles: NDArray[np.int64],
    loads: NDArray[np.float64],
    voltage: float,
) -> float:
    """Return the energy of the outputs of all instances of a cell, in fJ.

    The tables of Q and QN of a flip-flop have the energy of the same event, so that one counts.
    """
    found = 0.0
    for position, pin in enumerate(cell.outputs):
        connected = [one for one in instances if pin in one.nets]
        nets = np.array([one.nets[pin] for one in connected], np.int64)
        found += float(np.sum(toggles[nets] * loads[nets])) * voltage**2 / 2
        if cell.state:
            before = list(cell.outputs)[:position]
            connected = [one for one in connected if not any(p in one.nets for p in before)]
            nets = np.array([one.nets[pin] for one in connected], np.int64)
        curves = cell.output_fj[pin]
        if curves and len(nets):
            energies = sum(curve.at(loads[nets]) for curve in curves) / len(curves)
            found += float(np.sum(toggles[nets] * energies))
    return found
