"""A core from outside in all lanes: every answer on the loader bus compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.bus.loader_bus import BusModel, Operand, Outcome, Result
from verif.bench.configuration.design import ROOT
from verif.library.lanes.bench import Operation, Planner
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.host import differing
from verif.library.lanes.machine import Machine
from verif.library.netlist.configuration import CLOCK
from verif.library.netlist.recipe import Recipe
from verif.own_core.core import Core
from verif.own_core.core_module import constant_bits, core_module, hit_bits
from verif.own_core.project import HDL, HERE

WIDTH, BUS_WIDTH = 8, 32


class OutsideBus(BusModel):
    """Bus model of a multiplier from outside: X*Y mod M after a constant number of cycles.

    Args:
        cycles: cycles of busy.
    """

    def __init__(self, cycles: int) -> None:
        self._cycles = cycles
        operands = {address: Operand("XYM"[address], WIDTH, BUS_WIDTH) for address in range(3)}
        results = {0: Result("P", 1, frozenset({"OK"}))}
        super().__init__(BUS_WIDTH, operands, results, frozenset({"START"}))

    def _written(self, operand: Operand) -> None:
        """Nothing is kept."""

    def _forget_kept(self) -> None:
        """Nothing is kept."""

    def _outcome(self, command: str) -> Outcome:
        x, y, m = (self.operands[address].value for address in range(3))
        return Outcome("OK", self._cycles, {0: x * y % m})


def recipe_of(folder: Path, name: str) -> Recipe:
    """The recipe of an example core, its shim and the loader."""
    core = Core.read(HERE / "cores" / name / "core.yaml")
    # Synthesis rejects references into the core.
    description = core.description.model_copy(update={"watch": ()})
    module = folder / "black_box_core.sv"
    module.write_text(core_module(description, WIDTH, takes_width=core.takes_width(WIDTH)))
    own = [ROOT / "hdl" / file for file in HDL]
    files = [*own, HERE / "tb" / "black_box.sv", module, *core.sources_at(WIDTH)]
    parameters = {
        "Width": WIDTH,
        "BusWidth": BUS_WIDTH,
        "AddressWidth": 3,
        "ConstantWidth": constant_bits(description, WIDTH),
        "Hits": hit_bits(description),
    }
    return Recipe.from_files("black_box", CLOCK, files, {}, parameters)


def differing_lanes(machine: Machine, cycles: int) -> int:
    """Run three operations in each lane; return the number of lanes with a wrong pin or answer."""
    rng = np.random.default_rng(1)
    machine.randomise(rng)
    planner = Planner(OutsideBus(cycles), machine.lanes)
    lanes = np.zeros(machine.lanes, np.bool_)
    for _ in range(3):
        m = rng.integers(1, 1 << WIDTH, machine.lanes)
        x, y = rng.integers(0, 1 << WIDTH, (2, machine.lanes)) % m
        operands = {address: each.tolist() for address, each in enumerate((x, y, m))}
        planned = planner.plan(Operation(operands))
        prepared = machine.prepare(planned.program, planned.prediction.edges)
        ran = machine.run(prepared, planned.words[:, :, np.newaxis])
        lanes |= differing(ran, planned.prediction.answers[:, :, np.newaxis])[0]
    return int(lanes.sum())


@pytest.mark.simulation
def test_a_multiplier_from_outside_is_right_in_all_lanes(tmp_path: Path) -> None:
    """It claims n + 1 cycles; the loader adds one before them."""
    machine = Machine.of(recipe_of(tmp_path, "serial_blakley"), LaneBuilder.of_project())
    assert differing_lanes(machine, WIDTH + 2) == 0
    # Another duration differs in every lane.
    assert differing_lanes(machine, WIDTH + 3) == machine.lanes
