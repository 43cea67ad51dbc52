"""Prove one configuration: elaborate, fast check, proof in Coq; results are stored by content."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path

from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import MULTIPLIER, ROOT
from verif.formal.theorems.configuration import Configuration
from verif.formal.theorems.coq import Coq, differing_bits
from verif.formal.theorems.counterexample import counterexample
from verif.formal.theorems.elaborate import elaborate
from verif.formal.theorems.joints import UNIT, prove_joint, wrong_product
from verif.formal.theorems.labels import Labelled, labelled
from verif.formal.theorems.lemmas import LADDER
from verif.formal.theorems.netlist import NetlistError
from verif.formal.theorems.printer import print_netlist
from verif.formal.theorems.spent import spent
from verif.formal.theorems.statements import print_differences, print_theorem
from verif.formal.theorems.truth import differences

# Folder for compiled theories and proofs, by content.
FOLDER = ROOT / "build" / "proof"
# Maximum differing bits in a message.
SHOWN = 4
PROVED, CHECKED, REJECTED = "proved", "checked by truth tables", "rejected"
# Proved in Coq, without the unit around the core.
CORE_PROVED = "core proved"
# Lemmas proved in Yices, without the theorem in Coq.
CHECKED_LEMMAS = "checked by lemmas"


@dataclass(frozen=True)
class Outcome:
    """Outcome of a configuration.

    Attributes:
        name: name of the configuration.
        verdict: PROVED (in Coq), CORE_PROVED (in Coq, without the unit), CHECKED (by truth tables
            only: weaker), CHECKED_LEMMAS (in Yices, no theorem: weaker) or REJECTED.
        why: differences, one line each.
        registers, gates: number of registers and gates of the netlist.
        seconds: processor seconds of each step, which do not depend on other work.
        kept: True if the proof is from an earlier call with the same netlist and theories.
        tool: tool of the proof.
        architecture, width: architecture and width of the configuration.
        theories: processor seconds of each theory, proved once for every width.
        commit: commit of a recorded proof.
        design: top of the configuration.
    """

    name: str
    verdict: str
    why: tuple[str, ...] = ()
    registers: int = 0
    gates: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    kept: bool = False
    tool: str = ""
    architecture: str = ""
    width: int = 0
    theories: dict[str, float] = field(default_factory=dict)
    commit: str = ""
    design: str = MULTIPLIER.name

    @property
    def lemma_seconds(self) -> float | None:
        """Processor seconds of the lemmas that Yices proves; None without such lemmas."""
        names = (UNIT, LADDER.path.stem)
        found = [self.seconds[name] for name in names if name in self.seconds]
        return sum(found) if found else None

    def of(self, commit: str) -> Outcome:
        """Return the outcome as it is recorded for a commit."""
        return replace(self, commit=commit, kept=False)


class Prover:
    """Proves configurations.

    Args:
        folder: folder for netlists, terms and logs.
        groups: runs the tools.
        coq: Coq; None for the fast check only.
        kept: folder for proofs, by content.
    """

    def __init__(
        self, folder: Path, groups: ProcessGroups, coq: Coq | None, kept: Path = FOLDER / "kept"
    ) -> None:
        self._folder = folder
        self._kept = kept
        self._groups = groups
        self._coq = coq

    def prove(self, configuration: Configuration) -> Outcome:
        """Prove a configuration.

        Raises:
            OSError: a tool is missing or cannot read its input.
        """
        folder = self._folder / configuration.name
        outcome = Outcome(
            configuration.name,
            REJECTED,
            architecture=configuration.architecture,
            width=configuration.width,
        )
        if (cycles := configuration.theorem_cycles) != configuration.cycles:
            why = f"the theorem has {cycles} cycles, the registry {configuration.cycles}"
            return replace(outcome, why=(why,))
        whole = configuration.theory.whole_unit
        if whole and (cycles := configuration.theorem_busy) != configuration.busy:
            why = f"the theorem of the unit has {cycles} cycles, the registry {configuration.busy}"
            return replace(outcome, why=(why,))
        begin = spent()
        try:
            netlist = elaborate(configuration.what, folder / "netlist", self._groups)
            core = labelled(netlist, configuration.theory.wires)
        except NetlistError as error:
            return replace(outcome, why=(str(error),))
        outcome = replace(
            outcome,
            registers=len(netlist.registers),
            gates=len(netlist.gates),
            seconds={"elaborate": spent() - begin},
        )
        outcome = self._quickly(outcome, configuration, core)
        if outcome.why or self._coq is None:
            return outcome
        outcome = self._in_coq(outcome, configuration, core, folder, self._coq)
        if outcome.why:
            return outcome
        if not whole:
            return replace(outcome, verdict=CORE_PROVED)
        return self._joined(outcome, configuration, folder)

    def _quickly(self, outcome: Outcome, configuration: Configuration, core: Labelled) -> Outcome:
        begin = spent()
        try:
            found = differences(core, configuration.theory.machine, configuration.shape)
        except NetlistError as error:
            return replace(outcome, why=(str(error),))
        seconds = {**outcome.seconds, "truth tables": spent() - begin}
        outcome = replace(outcome, seconds=seconds)
        if not found:
            return replace(outcome, verdict=CHECKED)
        why = _shortened([str(difference) for difference in found])
        wrong = counterexample(
            core, configuration.shape, configuration.cycles, configuration.theory.products
        )
        return replace(outcome, why=(*why, f"counterexample: {wrong}") if wrong else why)

    def _in_coq(
        self,
        outcome: Outcome,
        configuration: Configuration,
        core: Labelled,
        folder: Path,
        coq: Coq,
    ) -> Outcome:
        theory = configuration.theory
        text = print_netlist(core, configuration.shape)
        proof = print_theorem(theory, configuration.shape, configuration.bus)
        key = hashlib.sha256(f"{coq.key}\n{text}{proof}".encode()).hexdigest()
        record = self._kept / f"{key}.json"
        tool = f"Coq {coq.version}"
        outcome = replace(outcome, theories=coq.theories())
        if record.is_file():
            seconds = {**outcome.seconds, "Coq": json.loads(record.read_text())["seconds"]}
            return replace(outcome, verdict=PROVED, seconds=seconds, kept=True, tool=tool)
        file = folder / "Configuration.v"
        file.write_text(text + "\n" + proof)
        checked = coq.check(file)
        outcome = replace(outcome, seconds={**outcome.seconds, "Coq": checked.seconds}, tool=tool)
        if checked.passed and checked.closed:
            record.parent.mkdir(parents=True, exist_ok=True)
            kept = {"configuration": configuration.name, "seconds": checked.seconds, "tool": tool}
            record.write_text(json.dumps(kept) + "\n")
            return replace(outcome, verdict=PROVED)
        if checked.passed:
            why = ("the theorem rests on axioms: see " + str(file.with_suffix(".log")),)
        else:
            why = rejected_by_coq(text, configuration, folder, coq)
        return replace(outcome, verdict=REJECTED, why=why)

    def _joined(self, outcome: Outcome, configuration: Configuration, folder: Path) -> Outcome:
        joint = prove_joint(
            configuration.shape,
            configuration.core,
            configuration.bus,
            configuration.hdl,
            folder,
            self._groups,
            self._kept,
            configuration.watchdog,
        )
        seconds = {**outcome.seconds, joint.name: joint.seconds}
        why: tuple[str, ...] = ()
        if not joint.proved:
            why = (f"{joint.name}: {joint.detail}",)
            found = wrong_product(configuration.architecture, configuration.hdl, self._groups)
            why = (*why, found) if found else why
        return replace(outcome, seconds=seconds, why=why, verdict=REJECTED if why else PROVED)


def rejected_by_coq(
    text: str, configuration: Configuration, folder: Path, coq: Coq
) -> tuple[str, ...]:
    """Return the bits that differ, computed by Coq."""
    file = folder / "Differences.v"
    wanted = print_differences(configuration.theory, configuration.shape)
    file.write_text(text + "\n" + wanted)
    checked = coq.check(file)
    if not checked.passed:
        return (f"Coq does not read the netlist: see {file.with_suffix('.log')}",)
    if "= None" in checked.output:
        return ("the netlist is none: a wire without a driver, or with two",)
    bits = differing_bits(checked.output)
    if not bits:
        return (f"the proof does not go through: see {folder / 'Configuration.log'}",)
    return _shortened([f"{bit}: differs from the machine" for bit in bits])


def _shortened(lines: list[str]) -> tuple[str, ...]:
    more = len(lines) - SHOWN
    return (*lines[:SHOWN], f"and {more} bits more") if more > 0 else tuple(lines)
