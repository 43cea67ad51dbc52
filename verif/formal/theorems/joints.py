"""Lemmas of a configuration that a theorem assumes: induction in Yices."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from models.registry import architecture
from regress.core.processes import ProcessGroups
from verif.formal.proof import Case, Settings
from verif.formal.registry import proofs
from verif.formal.run.exhaustive import simulate
from verif.formal.run.prover import Outcome, Prover, Result, fingerprint
from verif.formal.theorems.machine import Shape
from verif.formal.theorems.spent import spent

# Everything that the theorem of the unit assumes of the modules around the core, see Whole.v.
UNIT = "unit_lemmas"
STEPS = 2
# A counterexample of the unit is searched at this width, with several words of the adder.
SMALL_WIDTH, SMALL = 6, {"AddWidth": 4, "BusWidth": 8}
FAILED_LEMMA = re.compile(r"Assert failed in \w+: ([a-z]\w*)$", re.MULTILINE)


@dataclass(frozen=True)
class Joint:
    """A proved or failed property of a module other than the core.

    Attributes:
        name: name of the proof in the registry of ``verif/formal``.
        proved: True if the induction succeeds.
        detail: reason if the induction fails.
        seconds: processor time.
        kept: True if the proof is from an earlier call with the same texts.
    """

    name: str
    proved: bool
    detail: str
    seconds: float
    kept: bool = False


def prove_joint(
    shape: Shape,
    core: int,
    bus: int,
    hdl: Path,
    folder: Path,
    groups: ProcessGroups,
    kept: Path,
    watchdog: int = 0,
) -> Joint:
    """Prove the lemmas about a unit for a configuration.

    Args:
        shape: shape of the configuration.
        core: number of the core's module in ``core_pkg``.
        bus: BusWidth.
        hdl: folder with the design.
        folder: folder for the prover's files.
        groups: runs the prover.
        kept: folder for proofs, by content.
        watchdog: value of Watchdog.
    """
    # A property has the parameters that it declares.
    parameters = {
        "AddWidth": shape.word,
        "BusWidth": bus,
        "Guard": shape.guard,
        "Core": core,
        "Unfolding": shape.unfolding,
        "Watchdog": watchdog,
    }
    prover = Prover(folder, hdl, groups)
    proof = replace(
        proofs()[UNIT], architectures=(), settings=lambda entry, width: Settings(STEPS, parameters)
    )
    return prove_case(Case(proof, "", shape.width), hdl, prover, kept)


def prove_case(case: Case, hdl: Path, prover: Prover, kept: Path) -> Joint:
    """Prove one case unless its proof is kept.

    Args:
        case: property, core and width.
        hdl: folder with the design.
        prover: runs the case on this design.
        kept: folder for proofs, by content.
    """
    record = kept / f"{fingerprint(case, hdl)}.json"
    if record.is_file():
        return Joint(**json.loads(record.read_text()), kept=True)
    begin = spent()
    outcome = prover.run(case)
    proved = outcome.result is Result.PASS
    detail = "" if proved else _failed(outcome)
    joint = Joint(case.proof.name, proved, detail, round(spent() - begin, 1))
    if proved:
        record.parent.mkdir(parents=True, exist_ok=True)
        facts = {name: value for name, value in asdict(joint).items() if name != "kept"}
        record.write_text(json.dumps(facts) + "\n")
    return joint


def wrong_product(name: str, hdl: Path, groups: ProcessGroups) -> str:
    """Return operands of a small width for which a unit is wrong; empty if every product is right.

    A failed induction has no operands. This simulation runs every operand triple on the netlist.

    Args:
        name: registry name of the core.
        hdl: folder with the design.
        groups: ends the simulation if it is cancelled.
    """
    found = simulate(architecture(name), SMALL_WIDTH, hdl, groups, SMALL).finding
    words = ", ".join(f"{parameter} = {value}" for parameter, value in SMALL.items())
    return f"counterexample at {SMALL_WIDTH} bits, {words}: {found}" if found else ""


def _failed(outcome: Outcome) -> str:
    """Return result and names of the lemmas that fail, which the log of the prover has."""
    text = outcome.log.read_text(errors="replace") if outcome.log else ""
    names = dict.fromkeys(FAILED_LEMMA.findall(text))
    named = ", ".join(f"lemma {name}" for name in names)
    return f"{outcome.result.value}: {named or outcome.detail or outcome.log}"
