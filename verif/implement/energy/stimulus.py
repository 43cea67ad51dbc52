"""One random operation in each lane on the loader bus, and the answers that the model predicts."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.registry import architecture
from regress.core.jobfile import Job
from verif.bench.configuration.design import DESIGNS, Design, Hardware, at_of, hardware
from verif.implement.energy.simulate import LANES, Simulator
from verif.library.lanes.bench import Operation, Planned, Planner
from verif.library.lanes.program import LIMB
from verif.library.netlist.process import ToolError

SEED = 1


@dataclass(frozen=True)
class Stimulus:
    """Operations on the loader bus, one in each lane.

    Attributes:
        planned: transfers, words and answers.
        bus_width: bits of a bus word.
    """

    planned: Planned
    bus_width: int

    @property
    def cycles(self) -> int:
        """Cycles of the operation, from the start command to the last cycle of busy."""
        (phase,) = self.planned.phases
        return phase.last - phase.start + 1


def stimulus_of(design: Design, made: Hardware, width: int) -> Stimulus:
    """Return random operations of full length; the same ones in every call."""
    core = {parameter.name: made.values[parameter.name] for parameter in made.core.parameters}
    model = design.bus_model(at_of(made.core, width, made.values), core)
    rng, drawn = random.Random(SEED), []
    for _ in range(LANES):
        operands = design.draw(rng, width)
        # An exponent of full length.
        free = (a for a in operands if design.bound(a, width, 1) == 1 << width)
        drawn.append(operands | {a: operands[a] | 1 << (width - 1) for a in free})
    operands = {address: [one[address] for one in drawn] for address in drawn[0]}
    planned = Planner(model, LANES).plan(Operation(operands, reads=design.reads))
    return Stimulus(planned, made.values["BusWidth"])


def stimulus_of_job(job: Job) -> Stimulus:
    """Return the operations for the configuration of a job."""
    design = next(d for d in DESIGNS.values() if job.test == f"{d.group_prefix}implement")
    width = job.point["width"]
    made = hardware(design, architecture(job.subject), width, job.point["parameters"])
    return stimulus_of(design, made, width)


def run(stimulus: Stimulus, simulator: Simulator) -> None:
    """Run the operations; toggles count from the start command to the end of busy.

    Raises:
        ToolError: an answer of the netlist differs from the model's.
    """
    planned = stimulus.planned
    (phase,) = planned.phases
    steps = planned.program.steps()
    cycle = 0
    while cycle < len(steps):
        step, end = steps[cycle], cycle + 1
        # Cycles with equal inputs run in one call.
        while end < len(steps) and not steps[end]["request"] and steps[end] == step:
            if end in (phase.start, phase.last + 1):
                break
            end += 1
        simulator.counting = phase.start <= cycle <= phase.last
        _drive(stimulus, simulator, step)
        if step["answer"] >= 0:
            found = simulator.read("rdata_o")
            expected = planned.prediction.answers[step["answer"]]
            if (found != _bits(expected, stimulus.bus_width)).any():
                raise ToolError(f"the netlist answers differently from the model, cycle {cycle}")
        simulator.run(end - cycle)
        cycle = end
    simulator.counting = False


def _drive(stimulus: Stimulus, simulator: Simulator, step: NDArray[np.void]) -> None:
    def all_lanes(value: int, bits: int = 1) -> NDArray[np.uint64]:
        return np.array([~np.uint64(0) * np.uint64(value >> i & 1) for i in range(bits)])

    simulator.drive("rst_ni", all_lanes(1 - int(step["reset"])))
    simulator.drive("req_i", all_lanes(int(step["request"])))
    simulator.drive("write_i", all_lanes(int(step["write"])))
    simulator.drive("addr_i", all_lanes(int(step["address"]), simulator.bits("addr_i")))
    word = np.zeros(stimulus.bus_width, np.uint64)
    if step["word"] >= 0:
        word = _bits(stimulus.planned.words[step["word"]], stimulus.bus_width)
    simulator.drive("wdata_i", word)


def _bits(limbs: NDArray[np.uint32], bits: int) -> NDArray[np.uint64]:
    """Return words of 64 lanes, one for each bit, from limbs of each lane, [limbs][lanes]."""
    rows = [limbs[i // LIMB] >> np.uint32(i % LIMB) & np.uint32(1) for i in range(bits)]
    packed = np.packbits(np.array(rows, np.uint8), axis=1, bitorder="little")
    return packed.view(np.uint64)[:, 0]
