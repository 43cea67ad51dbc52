"""Try to prove survivors equivalent.

The steps are: the module alone, whole designs, and simulation of every operand of a small width.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from models.registry import architecture
from regress.core.errors import UsageError
from regress.core.plan import BuildPoint
from verif.bench.configuration.design import MULTIPLIER
from verif.faults.mutants.design import Elaborated
from verif.faults.mutants.equivalence import prove
from verif.faults.mutants.exhaustive import BuildError, agrees
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.rtlil import Top, without_places, write_rtlil
from verif.faults.mutants.schemata import single_copy

# If more configurations than this have a file, it is proved in some of them; the proof names these.
MANY_CONTEXTS = 2
# Cores whose exponentiation is taken first: a ring with two lengths, no Montgomery domain, no ring,
# a dual-multiplier datapath. Others are taken only if the campaign has none of these.
POWERS = ("quotient_pipelined", "optimized_interleaved", "dual_radix", "fast_montgomery")
# Modules that are or contain a whole multiplier: a proof of the module alone is no easier.
WHOLE = ("multiplier", "exponentiation")
# Operand bits of the second attempt, if the list's width cannot be decided in time.
SMALL_WIDTH = 4
# BY_DEFAULT: parameters whose default follows from the others, or applies to a configuration
# without them. SIZES: parameters for which one small value is enough.
BY_DEFAULT = ("Words", "IndexWidth", "Unfolding")
SIZES = ("Width", "Guard", "MaxBits", "Iterations", "WordWidth", "DigitWidth")
SAME = "the same netlist"
# Files that have an effect only within an operation: no control or loader state, no reset.
WITHIN_OPERATION = "cores/"
CONTROL_OF_CORES = "cores/bit_serial/bit_serial_"
CONSTANT_ASSIGNED = re.compile(r"<= *('[01]|\d+'\w+|[A-Z]\w*);|^('[01]|1'b[01])$")
# Code that clears memories: its effect is in the memories, not at an output.
WIPES = re.compile(r"(^|[^a-z])wipe")
# Error of the front end in a line, such as an index out of range.
REJECTED = re.compile(r"\.sv:\d+: (ERROR|error): ")


@dataclass(frozen=True)
class Finding:
    """Result of a proof attempt on a survivor.

    Attributes:
        proved: True if the mutant is equivalent.
        configurations: configurations of the proof.
        method: method of the proof, or reason why no proof exists.
        undecided: True if the time ran out.
        rejected: True if the mutant is illegal code in a configuration, as lint would report.
    """

    proved: bool
    configurations: tuple[str, ...]
    method: str
    undecided: bool = False
    rejected: bool = False


class Prover:
    """Proves mutants of one design equivalent; thread-safe.

    Args:
        hdl: the design.
        elaborated: files of each configuration.
        points: configurations of the campaign.
        folder: folder for files.
        seconds: limit of each attempt.
    """

    def __init__(
        self,
        hdl: Path,
        elaborated: Elaborated,
        points: Sequence[BuildPoint],
        folder: Path,
        seconds: float,
    ) -> None:
        self._hdl = hdl
        self._elaborated = elaborated
        self._points = points
        self._folder = folder
        self._seconds = seconds
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def source(self, mutant: Mutant) -> Finding:
        """Prove a mutant; for code that clears memories only an equal netlist is a proof."""
        found = self._source(mutant)
        if found.proved and found.method != SAME and wipes(mutant.place, mutant.change):
            return Finding(False, (), f"what it leaves in a memory is no output, {found.method}")
        return found

    def _source(self, mutant: Mutant) -> Finding:
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            work = Path(name)
            copy = single_copy(self._hdl, mutant, work / "hdl")
            module = Path(mutant.file).stem
            points = [point for point in self._points if self._elaborated.has(mutant.file, point)]
            why = ""
            if tops := self._alone(module, points):
                alone = self._all(tops, copy, work)
                if alone.rejected:
                    return alone
                # An equal netlist is no proof here: with the module's own defaults the changed
                # code may be absent, although a design contains it.
                if alone.proved and alone.method != SAME:
                    return alone
                why = f"{alone.method}; "
            contexts, rest = self.contexts(points)
            found = self._all((Top.of(point, self._hdl) for point in contexts), copy, work)
            if found.proved and found.method == SAME and rest:
                found = self._all((Top.of(point, self._hdl) for point in points), copy, work)
            if found.undecided and of_one_operation(mutant):
                exhaustive = self._exhaustive(mutant, contexts, points, copy, work)
                if exhaustive.proved or exhaustive.rejected:
                    return exhaustive
                found = replace(found, method=f"{found.method}; {exhaustive.method}")
        return found if found.proved else replace(found, method=why + found.method)

    def _exhaustive(
        self, mutant: Mutant, contexts: list[BuildPoint], points: list[BuildPoint], copy: Path,
        work: Path,
    ) -> Finding:  # fmt: skip
        """Simulate every operand of a small width; a core's own file in all its configurations."""
        file = Path(mutant.file).stem
        own = [
            p for p in points if file.startswith(str(architecture(p.point["architecture"]).module))
        ]
        try:
            same, names = agrees(copy, own or contexts, work)
        except BuildError as error:
            return Finding(False, (), f"Verilator: {error}", rejected=True)
        if not same:
            return Finding(False, (), f"simulation differs: {names[0]}")
        return Finding(True, tuple(names), "simulated exhaustively, under the whole environment")

    def _alone(self, module: str, points: Iterable[BuildPoint]) -> list[Top]:
        """Return the module alone, once per parameter set; empty if parameters are unknown."""
        if module in WHOLE or module.endswith("_pkg"):
            return []
        tops: dict[tuple[tuple[str, int], ...], Top] = {}
        for point in points:
            top = Top.of(point, self._hdl, module)
            if set(top.derived) - set(BY_DEFAULT):
                continue
            tops.setdefault(tuple(item for item in top.parameters if item[0] not in SIZES), top)
        return list(tops.values())

    def _all(self, tops: Iterable[Top], copy: Path, work: Path) -> Finding:
        """Prove in all tops; report the first method other than an equal netlist."""
        configurations: list[str] = []
        methods: list[str] = []
        for top in tops:
            finding = self._attempt(top, copy, work)
            if not finding.proved:
                return replace(
                    finding, configurations=(), method=f"in {top.text}: {finding.method}"
                )
            configurations += finding.configurations
            methods.append(finding.method)
        if not methods:
            return Finding(False, (), "no configuration has the file")
        methods.sort(key=lambda method: method == SAME)
        return Finding(True, tuple(configurations), methods[0])

    def contexts(self, points: Sequence[BuildPoint]) -> tuple[list[BuildPoint], list[BuildPoint]]:
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
        powers = [
            cores[core] for core in [*wanted, *(core for core in cores if core not in wanted)]
        ]
        taken = [*products[:1], *powers[: 1 if products else MANY_CONTEXTS]]
        return taken, [point for point in points if point not in taken]

    def _attempt(self, top: Top, copy: Path, work: Path) -> Finding:
        """Prove at the list's width, or at a small width if that is not decided in time."""
        finding = self._compare_tops(top, copy, work)
        small = top.of_width(SMALL_WIDTH)
        if not finding.undecided or small == top:
            return finding
        smaller = self._compare_tops(small, copy, work)
        return smaller if smaller.proved and smaller.method != SAME else finding

    def _compare_tops(self, top: Top, copy: Path, work: Path) -> Finding:
        key = re.sub(r"\W+", "-", top.text)
        gold = self._folder / f"{key}.il"
        try:
            with self._lock:
                lock = self._locks.setdefault(key, threading.Lock())
            with lock:
                if not gold.is_file():
                    write_rtlil(top, self._hdl, gold)
            shutil.copy(gold, work / "gold.il")
        except UsageError as error:  # gives no result for the mutant
            return Finding(False, (), f"the original: {error}")
        try:
            write_rtlil(top, copy, work / "gate.il")
            return self._compare(top.text, top.module, work)
        except UsageError as error:
            return Finding(False, (), str(error), rejected=bool(REJECTED.search(str(error))))

    def _compare(self, name: str, module: str, work: Path) -> Finding:
        if without_places(work / "gold.il") == without_places(work / "gate.il"):
            return Finding(True, (name,), SAME)
        try:
            proof = prove(work / "gold.il", work / "gate.il", module, work, self._seconds)
        except UsageError as error:
            return Finding(False, (), str(error))
        return Finding(
            proof.proved, (name,) if proof.proved else (), proof.method,
            undecided=not proof.proved and proof.differs is None,
        )  # fmt: skip


def of_one_operation(mutant: Mutant) -> bool:
    """Return True if running every operation in sequence shows all effects of the mutant."""
    return (
        mutant.file.startswith(WITHIN_OPERATION)
        and not mutant.file.startswith(CONTROL_OF_CORES)
        and not CONSTANT_ASSIGNED.search(mutant.original)
    )


def wipes(place: str, change: str) -> bool:
    """Return True if a change concerns code that clears memories."""
    return bool(WIPES.search(f"{place} {change}"))
