"""A configuration of one of the project's designs in all lanes, and the model of its bus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.architecture import Architecture
from models.bus.exponentiation_bus import ExponentiationBus, PowerFacts
from models.bus.loader_bus import CONTROL, BusModel
from models.bus.multiplier_bus import MultiplierBus, ProductFacts
from verif.bench.configuration.design import MULTIPLIER, Design, Hardware, hardware
from verif.lanes.build import LaneBuilder
from verif.lanes.host import Host, Prediction
from verif.lanes.machine import Machine, Words
from verif.lanes.program import Program, limbs_of, rows_of
from verif.netlist.configuration import recipe_of
from verif.netlist.gates import INSTANCES
from verif.netlist.hierarchy import Hierarchy
from verif.netlist.recipe import Recipe


@dataclass(frozen=True)
class LaneBench:
    """A design that runs in all lanes.

    Attributes:
        design: multiplier or exponentiation.
        made: its configuration.
        width: operand width n.
        recipe: what it was synthesised from.
        machine: runs it.
        hierarchy: its instances.
    """

    design: Design
    made: Hardware
    width: int
    recipe: Recipe
    machine: Machine
    hierarchy: Hierarchy

    @classmethod
    def build(
        cls,
        design: Design,
        entry: Architecture,
        width: int,
        parameters: Mapping[str, int],
        hdl: Path | None = None,
        builder: LaneBuilder | None = None,
    ) -> LaneBench:
        """Synthesise and compile a configuration unless that was done before.

        Args:
            design: multiplier or exponentiation.
            entry: registry entry.
            width: operand width n.
            parameters: of the top and the core; missing ones take their defaults.
            hdl: folder with an altered design.
            builder: default: with the project's cache and tools.

        Raises:
            DesignError: illegal width or parameter.
            ToolError: it cannot be built.
        """
        builder = builder or LaneBuilder.of_project()
        made = hardware(design, entry, width, parameters, hdl)
        recipe = recipe_of(made)
        machine = Machine.of(recipe, builder)
        instances = builder.netlist_folder(recipe) / INSTANCES
        return cls(design, made, width, recipe, machine, Hierarchy.read(recipe.top, instances))

    @property
    def bus_width(self) -> int:
        """Bits of a word of the bus."""
        return self.made.values["BusWidth"]

    def bus_model(self) -> BusModel:
        """The bus as after a reset."""
        core = {
            parameter.name: self.made.values[parameter.name]
            for parameter in self.made.core.parameters
        }
        facts = (self.made.core, self.width, self.made.values["AddWidth"], core, self.bus_width)
        if self.design is MULTIPLIER:
            return MultiplierBus(ProductFacts(*facts), self.bus_width)
        return ExponentiationBus(PowerFacts(*facts), self.bus_width)


@dataclass(frozen=True)
class Operation:
    """An operation of which the lanes differ in their operands alone.

    Attributes:
        operands: value of each lane by select.
        command: the start.
        reads: selects whose results are read.
    """

    operands: Mapping[int, Sequence[int]]
    command: str = "START"
    reads: Sequence[int] = (0,)


@dataclass(frozen=True)
class Planned:
    """An operation on the bus.

    Attributes:
        program: writes, start, wait, status, results.
        words: what is written, [words][limbs][lanes].
        prediction: what must come of it.
        start: cycle in which the start is granted.
        last: last cycle of busy.
    """

    program: Program
    words: Words
    prediction: Prediction
    start: int
    last: int


class Planner:
    """Makes programs of operations, one after the other, in step with a host's model.

    Args:
        model: of the bus, as after a reset.
        lanes: 1 to predict what is the same in all lanes, else the machine's.
    """

    def __init__(self, model: BusModel, lanes: int) -> None:
        self._model = model
        self._host = Host(model, lanes)
        self._lanes = lanes
        self._fresh = True

    def plan(self, operation: Operation, spare: int = 0) -> Planned:
        """The program of an operation, after a reset if it is the first.

        Args:
            operation: its operands have a value for each of the planner's lanes.
            spare: more cycles to wait before the status is read.
        """
        program = Program()
        if self._fresh:
            program.reset()
        self._fresh = False
        rows = self._operands(program, operation)
        start = program.cycles
        program.command(operation.command)
        words = np.concatenate([*rows, self._empty(program.words - sum(map(len, rows)))])
        # How long it takes is known when the model has been asked.
        asked = deepcopy(self._host).predict(program, words)
        program.wait(max(0, asked.last + 1 - program.cycles) + spare)
        program.read(CONTROL)
        for select in operation.reads:
            for _ in range(self._model.results[select].words):
                program.read(select)
        return Planned(program, words, self._host.predict(program, words), start, asked.last)

    def _operands(self, program: Program, operation: Operation) -> list[Words]:
        rows = []
        for select, values in operation.operands.items():
            count = self._model.operands[select].words
            for _ in range(count):
                program.write(select)
            rows.append(rows_of(values, count, self._model.bus_width))
        return rows

    def _empty(self, count: int) -> Words:
        return np.zeros((count, limbs_of(self._model.bus_width), self._lanes), np.uint32)
