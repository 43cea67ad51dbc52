"""What the cells of a library do, and the energy of their pins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from verif.implement.energy.liberty import Group, Library, assignments, truth_table, variable
from verif.library.netlist.process import ToolError

# A table has a bit for each assignment of the inputs, in a word of 64 bits.
MAX_INPUTS = 6
SLEW, LOAD = "input_transition_time", "total_output_net_capacitance"
RISE, FALL = ("rise_power", "power"), ("fall_power", "power")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """Energy in fJ of one toggle by load in fF, at the middle slew of the table."""

    loads: Sequence[float]
    energies: Sequence[float]

    def at(self, loads: Floats) -> Floats:
        """Return the energies at some loads; beyond the table, those of its ends."""
        return np.interp(loads, self.loads, self.energies)


@dataclass(frozen=True)
class State:
    """The state of a flip-flop. The state is the last input of the tables.

    Attributes:
        clock: its pin.
        next_state: table.
        clear: table; true while the cell is reset.
        preset: table; true while the cell is set.
        idle_fj: energy of the clock pin in a cycle that keeps the state.
        toggle_fj: the same in a cycle that changes the state, without that of the output.
    """

    clock: str
    next_state: int
    clear: int
    preset: int
    idle_fj: float
    toggle_fj: float


@dataclass(frozen=True)
class Cell:
    """A cell of a library.

    Attributes:
        name: its name.
        inputs: its inputs, without the clock; the lowest bit of an assignment first.
        outputs: table of each output.
        capacitance: of each input and of the clock, in fF.
        input_fj: energy inside the cell of a toggle of an input.
        output_fj: energy inside the cell of a toggle of an output; several curves count by
            their mean.
        leakage_nw: leakage.
        state: the state of a flip-flop; None for a gate.
    """

    name: str
    inputs: Sequence[str]
    outputs: Mapping[str, int]
    capacitance: Mapping[str, float]
    input_fj: Mapping[str, float]
    output_fj: Mapping[str, Sequence[Curve]]
    leakage_nw: float
    state: State | None


def read_cell(group: Group, library: Library) -> Cell:
    """Return a cell.

    Raises:
        ToolError: the cell is neither a gate nor a flip-flop with a rising clock, or an output
            has no energy table.
    """
    return _Reader(group, library).cell()


class _Reader:
    """Reads one cell."""

    def __init__(self, group: Group, library: Library) -> None:
        self._group, self._library = group, library
        self._name = group.name
        self._pins = {pin.name: pin for pin in group.of("pin")}
        self._flip_flop = next(iter(group.of("ff")), None)
        if strange := group.of("latch", "statetable", "bus", "bundle", "ff_bank", "latch_bank"):
            raise self._problem(f"has a {strange[0].kind}, which cannot be simulated")
        self._clock = ""
        if self._flip_flop:
            self._clock = self._flip_flop.values["clocked_on"].strip()
            if self._clock not in self._pins:
                raise self._problem(f"is clocked on {self._clock}, accepted is a rising pin")
        self._inputs = [
            name
            for name, pin in self._pins.items()
            if pin.values.get("direction") == "input" and name != self._clock
        ]
        self._count = len(self._inputs) + bool(self._flip_flop)
        if self._count > MAX_INPUTS:
            raise self._problem(f"has {self._count} inputs, accepted are {MAX_INPUTS}")
        self._full = (1 << (1 << self._count)) - 1
        self._names = {n: variable(i, self._count) for i, n in enumerate(self._inputs)}
        if self._flip_flop:
            state = variable(self._count - 1, self._count)
            names = (state, self._full & ~state)
            self._names |= dict(zip(self._flip_flop.arguments, names, strict=False))
        self._outputs = {
            name: self._table(pin.values["function"])
            for name, pin in self._pins.items()
            if pin.values.get("direction") == "output" and "function" in pin.values
        }

    def _problem(self, text: str) -> ToolError:
        return ToolError(f"the cell {self._name} {text}")

    def _table(self, function: str, **constants: int) -> int:
        return truth_table(function, {**self._names, **constants}, self._count)

    def cell(self) -> Cell:
        """See :func:`read_cell`."""
        pins = [*self._inputs, *([self._clock] if self._clock else [])]
        unit = self._library.femtofarads
        return Cell(
            name=self._name,
            inputs=self._inputs,
            outputs=self._outputs,
            capacitance={pin: unit * self._pins[pin].numbers("capacitance")[0] for pin in pins},
            input_fj={pin: self._input_fj(pin) for pin in self._inputs},
            output_fj={pin: self._output_fj(pin) for pin in self._outputs},
            leakage_nw=(self._group.numbers("cell_leakage_power") or [0.0])[0],
            state=self._state() if self._flip_flop else None,
        )

    def _curve(self, power: Group, kinds: Sequence[str]) -> Curve | None:
        """Return a table at its middle slew; None without such a table."""
        tables = power.of(*kinds)
        if not tables:
            return None
        table, unit = tables[0], self._library.femtofarads
        variables = self._library.templates.get(table.name, ())
        values = [unit * value for value in table.numbers("values")]
        if len(values) == 1:
            return Curve([0.0], values)
        if tuple(variables) == (SLEW,):
            return Curve([0.0], [values[len(values) // 2]])
        if tuple(variables) != (SLEW, LOAD):
            over = ", ".join(variables) or "no variable"
            raise self._problem(f"has an energy table over {over}; accepted: {SLEW}, {LOAD}")
        loads = [unit * load for load in table.numbers("index_2")]
        row = len(values) // len(loads) // 2 * len(loads)
        return Curve(loads, values[row : row + len(loads)])

    def _output_fj(self, pin: str) -> list[Curve]:
        """Return the tables of an output; an asynchronous reset is no toggle of interest."""
        powers = [
            power
            for power in self._pins[pin].of("internal_power")
            if not self._clock or power.values.get("related_pin", self._clock) == self._clock
        ]
        curves = [self._curve(power, kinds) for power in powers for kinds in (RISE, FALL)]
        found = [curve for curve in curves if curve]
        if not found and self._count:
            raise self._problem(f"has no energy table (internal_power) of its output {pin}")
        return found

    def _edges(self, pin: str, when: int) -> list[tuple[float, float]]:
        """Return the energies of rising and falling input edges in some assignments.

        The data of a flip-flop changes while its clock is high: the netlist has no delay.
        """
        high = {self._clock: self._full} if self._clock else {}
        high |= self._outputs
        found = []
        for power in self._pins[pin].of("internal_power"):
            rise, fall = self._curve(power, RISE), self._curve(power, FALL)
            condition = power.values.get("when")
            if condition and not self._table(condition, **high) & when:
                continue
            found.append((rise.energies[0] if rise else 0.0, fall.energies[0] if fall else 0.0))
        return found

    def _input_fj(self, pin: str) -> float:
        """Return the mean over edges and conditions."""
        edges = self._edges(pin, self._full)
        return fmean(fmean(edge) for edge in edges) if edges else 0.0

    def _state(self) -> State:
        assert self._flip_flop
        given = self._flip_flop.values
        next_state = self._table(given["next_state"])
        clear, preset = (
            self._table(given[name]) if name in given else 0 for name in ("clear", "preset")
        )
        normal = self._full & ~clear & ~preset
        change = next_state ^ variable(self._count - 1, self._count)
        idle, toggle = (
            self._cycle_fj(normal & chosen) for chosen in (self._full & ~change, change)
        )
        return State(self._clock, next_state, clear, preset, idle, toggle)

    def _cycle_fj(self, when: int) -> float:
        """Return the energy of a clock cycle: both edges, mean over some assignments."""
        edges = [self._edges(self._clock, 1 << row) for row in assignments(when)]
        sums = [fmean(rise + fall for rise, fall in edge) for edge in edges if edge]
        if not sums:
            raise self._problem(f"has no energy table (internal_power) of its clock {self._clock}")
        return fmean(sums)
