"""Prove the ladder of an exponentiation: lemmas of its control in Yices, the theorem in Coq.

The theorem ``ladder`` in ``theories/Ladder.v`` holds for every width, Length and exponent. A
configuration needs its hypotheses alone: the labelled assertions of ``exponentiation_ladder.sv``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from models.registry import architecture, hardware_architectures
from regress.core.errors import UsageError, not_accepted
from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import EXPONENTIATION, ROOT, DesignError, resolved_parameters
from verif.formal.proof import Case
from verif.formal.registry import proofs
from verif.formal.run.prover import Prover as Yices
from verif.formal.theorems.coq import ASKED, LIBRARY, Coq
from verif.formal.theorems.joints import prove_case
from verif.formal.theorems.lemmas import LADDER
from verif.formal.theorems.prove import CHECKED_LEMMAS, FOLDER, PROVED, REJECTED, Outcome
from verif.formal.theorems.spent import spent

# Theories of the theorem in ``theories``.
THEORIES = ("LadderLemmas", "Ladder")
QUESTION = f"From {LIBRARY} Require Import Ladder.\n{ASKED} ladder.\n"


@dataclass(frozen=True)
class Ladder:
    """An exponentiation whose ladder is proved.

    Attributes:
        architecture: registry name of its multiplier.
        width: operand width n.
        parameters: parameters that differ from their defaults.
        hdl: folder with the design.
    """

    architecture: str
    width: int
    parameters: Mapping[str, int]
    hdl: Path

    @property
    def name(self) -> str:
        """Name of its folder and in messages: all that the control of the products depends on."""
        _, values = self.case.parameters()
        name = f"ladder-{self.architecture}-n{self.width}-word{values['WordWidth']}"
        return f"{name}-radix{values['RadixBits']}"

    @property
    def case(self) -> Case:
        """The lemmas of its control as a case of the prover."""
        proof = replace(proofs()[LADDER.path.stem], core={self.architecture: self.parameters})
        return Case(proof, self.architecture, self.width)


def ladder(name: str, width: int, parameters: Mapping[str, int], hdl: Path | None = None) -> Ladder:
    """Return the exponentiation with these parameters.

    Raises:
        UsageError: unknown architecture, a width or parameter that is illegal, or an option of
            the control that the theorem does not cover.
    """
    if name not in hardware_architectures():
        raise UsageError(not_accepted("architecture", name, hardware_architectures()))
    try:
        resolved_parameters(EXPONENTIATION, architecture(name), width, parameters)
    except DesignError as error:
        raise UsageError(str(error)) from None
    for option in EXPONENTIATION.options:
        if parameters.get(option):
            raise UsageError(
                f"{option} = {parameters[option]}: the theorem of the ladder accepts 0"
            )
    return Ladder(name, width, dict(parameters), hdl or ROOT / "hdl")


def prove_ladder(
    what: Ladder, folder: Path, groups: ProcessGroups, coq: Coq | None, kept: Path = FOLDER / "kept"
) -> Outcome:
    """Prove the ladder of an exponentiation.

    Args:
        what: the exponentiation.
        folder: folder for files and logs.
        groups: runs the tools.
        coq: Coq; None proves the lemmas alone, not the theorem.
        kept: folder for proofs, by content.

    Raises:
        OSError: a tool is missing or cannot read its input.
    """
    folder = folder / what.name
    joint = prove_case(what.case, what.hdl, Yices(folder, what.hdl, groups), kept)
    outcome = Outcome(
        what.name,
        CHECKED_LEMMAS,
        seconds={joint.name: joint.seconds},
        kept=joint.kept,
        architecture=what.architecture,
        width=what.width,
        design=EXPONENTIATION.name,
    )
    if not joint.proved:
        return replace(outcome, verdict=REJECTED, why=(f"{joint.name}: {joint.detail}",))
    if coq is None:
        return outcome
    file = folder / "Question.v"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(QUESTION)
    begin = spent()
    checked = coq.check(file)
    seconds = {**outcome.seconds, "Coq": spent() - begin}
    tool = f"Coq {coq.version}"
    outcome = replace(outcome, seconds=seconds, tool=tool, theories=coq.theories())
    if checked.passed and checked.closed:
        return replace(outcome, verdict=PROVED)
    why = f"Coq does not accept the theorem without axioms: see {file.with_suffix('.log')}"
    return replace(outcome, verdict=REJECTED, why=(why,))
