"""A configuration of a design that runs in all lanes, and the model of its bus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.architecture import Architecture
from models.bus.loader_bus import CONTROL, BusModel
from verif.bench.configuration.design import Configured, Design, Hardware, at_of, hardware
from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.host import Host, Prediction, with_commands
from verif.library.lanes.machine import Machine, Words
from verif.library.lanes.program import Program, limbs_of, rows_of
from verif.library.netlist.configuration import recipe_of
from verif.library.netlist.gates import INSTANCES, FlipFlop
from verif.library.netlist.hierarchy import Hierarchy
from verif.library.netlist.recipe import Recipe


@dataclass(frozen=True)
class LaneBench:
    """A design that runs in all lanes.

    Attributes:
        design: multiplier or exponentiation.
        made: configuration of the design.
        width: operand width n in bits.
        recipe: recipe of its synthesis.
        machine: machine that runs the design.
        hierarchy: instances of the design.
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
    ) -> LaneBench:
        """Synthesise and compile a configuration unless it is in the cache.

        Args:
            design: multiplier or exponentiation.
            entry: registry entry.
            width: operand width n in bits.
            parameters: parameters of the top and of the core; missing ones take their defaults.
            hdl: folder with a modified design; default: the project's design.

        Raises:
            DesignError: illegal width or parameter.
            ToolError: the design cannot be built.
        """
        made = hardware(design, entry, width, parameters, hdl)
        return cls.of_recipe(design, made, width, recipe_of(made))

    @classmethod
    def of_recipe(cls, design: Design, made: Hardware, width: int, recipe: Recipe) -> LaneBench:
        """Return a configuration whose recipe exists; see :meth:`build`."""
        builder = LaneBuilder.of_project()
        machine = Machine.of(recipe, builder)
        instances = builder.netlist_folder(recipe) / INSTANCES
        return cls(design, made, width, recipe, machine, Hierarchy.read(recipe.top, instances))

    def modules(self) -> dict[str, list[int]]:
        """Return the registers of each module by index."""
        found: dict[str, list[int]] = {}
        for index, register in enumerate(self.machine.registers):
            found.setdefault(self.module_of(register), []).append(index)
        return found

    def module_of(self, register: FlipFlop) -> str:
        """Return the module that has a register."""
        return self.hierarchy.module(self.hierarchy.owner(register.name))

    @property
    def bus_width(self) -> int:
        """Bits of a bus word."""
        return self.made.values["BusWidth"]

    def bus_model(self) -> BusModel:
        """Return the bus model in its reset state."""
        core = {
            parameter.name: self.made.values[parameter.name]
            for parameter in self.made.core.parameters
        }
        return self.design.bus_model(self._configured, core)

    @property
    def longest_operation(self) -> int:
        """Cycles of the longest operation."""
        return self.design.longest_operation(self._configured)

    @property
    def _configured(self) -> Configured:
        return at_of(self.made.core, self.width, self.made.values)


@dataclass(frozen=True)
class Operation:
    """An operation whose lanes differ only in their operands.

    Attributes:
        operands: value of each lane, by address.
        command: the start command.
        reads: addresses whose results are read.
    """

    operands: Mapping[int, Sequence[int]]
    command: str = "START"
    reads: Sequence[int] = (0,)


@dataclass(frozen=True)
class Phase:
    """One operation of a program.

    Attributes:
        start: cycle in which the start is granted.
        last: last cycle of busy.
        loads: rows of the written words, by address.
        status: row of the answer with the status.
        results: rows of the answers with results, by address.
    """

    start: int
    last: int
    loads: Mapping[int, slice]
    status: int
    results: Mapping[int, slice]


@dataclass(frozen=True)
class Planned:
    """Operations on the bus.

    Attributes:
        program: for each operation: writes, start, wait, status and results.
        words: written words, [words][limbs][lanes].
        prediction: expected behaviour.
        phases: its operations; the pins of each but the first begin after its start.
    """

    program: Program
    words: Words
    prediction: Prediction
    phases: Sequence[Phase]


class Planner:
    """Makes programs of operations, one after the other, and keeps a host's model in step.

    Args:
        model: bus model in its reset state.
        lanes: 1 to predict the part common to all lanes, otherwise the machine's lanes.
    """

    def __init__(self, model: BusModel, lanes: int) -> None:
        self._model = model
        self._host = Host(model, lanes)
        self._lanes = lanes
        self._fresh = True

    def plan(self, *operations: Operation, patience: int = 0) -> Planned:
        """Return a program of operations; the planner's first program begins with a reset.

        Args:
            operations: operations with a value of each operand for each of the planner's lanes.
            patience: least number of cycles from the first start to the read of its status.
        """
        program = Program()
        if self._fresh:
            program.reset()
        self._fresh = False
        rows: dict[int, Words] = {}
        phases = []
        for index, operation in enumerate(operations):
            phases.append(self._add(program, operation, rows, index, 0 if index else patience))
        words = self._assembled(program, rows)
        return Planned(program, words, self._host.predict(program, words), phases)

    def _add(
        self,
        program: Program,
        operation: Operation,
        rows: dict[int, Words],
        index: int,
        patience: int,
    ) -> Phase:
        loads = {}
        for address, values in operation.operands.items():
            count = self._model.operands[address].words
            first = program.words
            for word in rows_of(values, count, self._model.bus_width):
                rows[program.write(address)] = word
            loads[address] = slice(first, program.words)
        start = program.cycles
        program.command(operation.command)
        # Until the start, the pins, such as done_o, show the end of the operation before.
        if index:
            program.phase()
        # Predict the operation with a copy of the host to find its duration.
        last = deepcopy(self._host).predict(program, self._assembled(program, rows)).last
        program.wait(max(0, max(last, start + patience) + 1 - program.cycles))
        status = program.read(CONTROL)
        results = {}
        for address in operation.reads:
            first = program.answers
            for _ in range(self._model.results[address].words):
                program.read(address)
            results[address] = slice(first, program.answers)
        return Phase(start, last, loads, status, results)

    def _assembled(self, program: Program, rows: Mapping[int, Words]) -> Words:
        shape = (program.words, limbs_of(self._model.bus_width), self._lanes)
        words = np.zeros(shape, np.uint32)
        for row, word in rows.items():
            words[row] = word
        return with_commands(program, words, self._model.bus_width)
