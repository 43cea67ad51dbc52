"""Try to prove survivors equivalent, in whole designs, at the widths of the list.

What is not proved is unresolved. Nothing is stored but the outcome: a change of the design makes
the result of the mutant stale, and the next campaign proves it again.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.registry import architecture
from regress.cli.composition import context_of
from regress.core.errors import UsageError
from regress.core.plan import BuildPoint
from verif.bench.configuration.design import MULTIPLIER
from verif.faults.campaign.way import Process, State, Tried
from verif.faults.mutants.design import Design
from verif.faults.mutants.equivalence import ABC, prove
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.rtlil import Top, without_places, write_rtlil
from verif.faults.mutants.schemata import single_copy

# If more configurations than this have a file, it is proved in some of them; the proof names these.
MANY_CONTEXTS = 2
# Cores whose exponentiation the prover takes first: a ring with two lengths, no Montgomery domain,
# no ring, a dual-multiplier datapath. Others are taken only if the campaign has none of these.
POWERS = ("quotient_pipelined", "optimized_interleaved", "dual_radix", "fast_montgomery")
SAME = "the same netlist"
# Code that clears memories: its effect is in the memories, not at an output.
WIPES = re.compile(r"(^|[^a-z])wipe")
# Error of the front end in a line, such as an index out of range.
REJECTED = re.compile(r"\.sv:\d+: (ERROR|error): ")


@dataclass(frozen=True)
class Finding:
    """Result of a proof attempt on a survivor.

    Attributes:
        proved: True if the mutant is equivalent.
        method: method and configurations of the proof, or the reason why no proof exists.
        rejected: True if the mutant is illegal code in a configuration, as lint would report.
    """

    proved: bool
    method: str
    rejected: bool = False


def proved(process: Process, cases: Sequence[Mapping[str, Any]]) -> dict[str, Tried]:
    """Try to prove the mutants that a chain of jobs left; see the engine's child."""
    if not shutil.which(ABC):
        why = f"no proof: {ABC} not found; install with: apt-get install {ABC}"
        return {case["name"]: Tried(State.MISSED, why) for case in cases}
    design = Design(context_of(process.project), Path(process.asked.design))
    known = {mutant.id: mutant for mutant in design.all_mutants}
    prover = Prover(design, process.folder, process.asked.seconds)
    found = {}
    for case in cases:
        finding = prover.source(known[case["name"]])
        state = State.BROKEN if finding.rejected else State.MISSED
        state = State.EQUIVALENT if finding.proved else state
        found[case["name"]] = Tried(state, finding.method)
    return found


class Prover:
    """Proves mutants of one design equivalent.

    Args:
        design: the design, with the configurations of the list.
        folder: folder for files.
        seconds: limit of each attempt.
    """

    def __init__(self, design: Design, folder: Path, seconds: float) -> None:
        self._design = design
        self._folder = folder
        self._seconds = seconds

    def source(self, mutant: Mutant) -> Finding:
        """Prove a mutant; for code that clears memories only an equal netlist is a proof."""
        found = self._source(mutant)
        if found.proved and SAME not in found.method and wipes(mutant.place, mutant.change):
            return Finding(False, f"no output depends on the changed memory words, {found.method}")
        return found

    def _source(self, mutant: Mutant) -> Finding:
        elaborated, points = self._design.elaborated, self._design.points()
        points = [point for point in points if elaborated.has(mutant.file, point)]
        if not points:
            return Finding(False, "no configuration has the file")
        taken, rest = contexts(points)
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            work = Path(name)
            copy = single_copy(self._design.hdl, mutant, work / "hdl")
            found = self._all(taken, copy, work)
            # The changed code may be absent from the configurations that were taken.
            if found.proved and found.method.startswith(SAME) and rest:
                found = self._all(points, copy, work)
        return found

    def _all(self, points: Iterable[BuildPoint], copy: Path, work: Path) -> Finding:
        """Prove in all configurations; report the first method other than an equal netlist."""
        tops = [Top.of(point, self._design.hdl) for point in points]
        methods: list[str] = []
        for top in tops:
            finding = self._compare(top, copy, work)
            if not finding.proved:
                why = f"in {top.text}: {finding.method}"
                return Finding(False, why, finding.rejected)
            methods.append(finding.method)
        methods.sort(key=lambda method: method == SAME)
        return Finding(True, f"{methods[0]}, in {'; '.join(top.name for top in tops)}")

    def _compare(self, top: Top, copy: Path, work: Path) -> Finding:
        gold = self._folder / (re.sub(r"\W+", "-", top.text) + ".il")
        try:
            if not gold.is_file():
                write_rtlil(top, self._design.hdl, gold)
            shutil.copy(gold, work / "gold.il")
        except UsageError as error:  # gives no result for the mutant
            return Finding(False, f"the original: {error}")
        try:
            write_rtlil(top, copy, work / "gate.il")
        except UsageError as error:
            return Finding(False, str(error), rejected=bool(REJECTED.search(str(error))))
        if without_places(work / "gold.il") == without_places(work / "gate.il"):
            return Finding(True, SAME)
        try:
            proof = prove(work / "gold.il", work / "gate.il", top.module, work, self._seconds)
        except UsageError as error:
            return Finding(False, str(error))
        return Finding(proof.proved, proof.method)


def contexts(points: Sequence[BuildPoint]) -> tuple[list[BuildPoint], list[BuildPoint]]:
    """Return the configurations to prove in, and those that are left out."""
    if len(points) <= MANY_CONTEXTS:
        return list(points), []
    different: dict[tuple[str, str], BuildPoint] = {}
    for point in points:
        core = str(architecture(point.point["architecture"]).module)
        different.setdefault((point.top, core), point)
    products = [p for (design, _), p in different.items() if design == MULTIPLIER.name]
    cores = {core: p for (design, core), p in different.items() if design != MULTIPLIER.name}
    wanted = [core for core in POWERS if core in cores]
    powers = [cores[core] for core in [*wanted, *(core for core in cores if core not in wanted)]]
    taken = [*products[:1], *powers[: 1 if products else MANY_CONTEXTS]]
    return taken, [point for point in points if point not in taken]


def wipes(place: str, change: str) -> bool:
    """Return True if a change concerns code that clears memories."""
    return bool(WIPES.search(f"{place} {change}"))
