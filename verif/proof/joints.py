"""The unit's modules beside the core, at the configuration's parameters: induction in Yices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from regress.core.processes import ProcessGroups
from verif.formal.proof import Case, Settings
from verif.formal.registry import proofs
from verif.formal.run.prover import Prover, Result
from verif.proof.machine import Shape

# Bits of X in order; words of a pass of the adder, whose sum Adder.v makes.
NAMES = ("operand_stream", "adder_pass")
STEPS = 2


@dataclass(frozen=True)
class Joint:
    """A property of a module beside the core.

    Attributes:
        name: of the proof in the registry of ``verif/formal``.
        proved: the induction goes through.
        detail: why it does not.
        seconds: wall-clock time.
    """

    name: str
    proved: bool
    detail: str
    seconds: float


def prove_joints(shape: Shape, hdl: Path, folder: Path, groups: ProcessGroups) -> list[Joint]:
    """Prove each of :data:`NAMES` for a configuration.

    Args:
        shape: of the configuration.
        hdl: folder with the design.
        folder: for the prover's files.
        groups: runs the prover.
    """
    parameters = {"AddWidth": shape.word, "Guard": shape.guard}
    prover = Prover(folder, hdl, groups)
    joints = []
    for proof in proofs():
        if proof.name in NAMES:
            own = replace(proof, settings=lambda entry, width: Settings(STEPS, parameters))
            outcome = prover.run(Case(own, "", shape.width))
            proved = outcome.result is Result.PASS
            detail = "" if proved else f"{outcome.result.value}: {outcome.detail or outcome.log}"
            joints.append(Joint(proof.name, proved, detail, outcome.seconds))
    return joints
