"""Tries to prove survivors equivalent, first in their module alone, then in whole designs."""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from regress.errors import UsageError
from regress.mutation.campaign import Elaborated
from regress.mutation.equivalence import Fact, Pair, Proof
from regress.mutation.netlist import Netlist, NetlistMutant, Top, write_rtlil
from regress.mutation.operators import Mutant
from regress.mutation.schemata import single_copy
from regress.plan import BuildPoint

CONTROL_SECONDS = 120.0
# A file that more configurations than this have is proved in some of them, which the proof names.
MANY_CONTEXTS = 4
CONTEXTS = ("fast_montgomery", "dual_radix", "optimized_interleaved")
# Modules that are, or hold, a whole multiplier: nothing is gained by taking them alone.
WHOLE = ("multiplier", "multiplier_unit", "exponentiation")


@dataclass(frozen=True)
class Finding:
    """What became of a survivor.

    Attributes:
        proved: it is equivalent.
        configurations: in which that was proved.
        method: how, or why not.
    """

    proved: bool
    configurations: tuple[str, ...]
    method: str


class Prover:
    """Proves mutants of one design; usable from many threads.

    Args:
        hdl: the design.
        elaborated: which configuration has which files.
        points: the configurations of the campaign.
        folder: for files.
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
        self._control: dict[str, list[Fact]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def source(self, mutant: Mutant) -> Finding:
        """Prove a mutant of the source text."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            work = Path(name)
            copy = single_copy(self._hdl, mutant, work)
            module = Path(mutant.file).stem
            why = ""
            if module not in WHOLE and not module.endswith("_pkg"):
                alone = self._attempt(Top.of(self._points[0], self._hdl, module), copy, work)
                if alone.proved:
                    return alone
                why = f"alone: {alone.method}; "
            found = []
            for point in self._contexts(mutant.file):
                finding = self._attempt(Top.of(point, self._hdl), copy, work)
                if not finding.proved:
                    return Finding(False, (), f"{why}in {point.name}: {finding.method}")
                found.append(finding)
        configurations = tuple(text for finding in found for text in finding.configurations)
        return Finding(True, configurations, found[0].method)

    def netlist(self, netlist: Netlist, mutant: NetlistMutant, name: str) -> Finding:
        """Prove a structural mutant in its own netlist."""
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            work = Path(folder)
            shutil.copy(netlist.rtlil, work / "gold.il")
            shutil.move(
                netlist.single_rtlil(mutant, f"single-{mutant.number}.il"), work / "gate.il"
            )
            return self._compare(name, netlist.top, work)

    def _contexts(self, file: str) -> Iterable[BuildPoint]:
        points = [point for point in self._points if self._elaborated.has(file, point)]
        if len(points) <= MANY_CONTEXTS:
            return points
        first: dict[str, BuildPoint] = {}
        for point in points:
            first.setdefault(point.design, point)
        some = [p for p in points if p.design == points[0].design and p.architecture in CONTEXTS]
        return list(dict.fromkeys([*some, *first.values()]))

    def _attempt(self, top: Top, copy: Path, work: Path) -> Finding:
        key = re.sub(r"\W+", "-", top.text)
        gold = self._folder / f"{key}.il"
        try:
            with self._lock:
                lock = self._locks.setdefault(key, threading.Lock())
            with lock:
                if not gold.is_file():
                    write_rtlil(top, self._hdl, gold)
            shutil.copy(gold, work / "gold.il")
            write_rtlil(top, copy, work / "gate.il")
            return self._compare(top.text, top.module, work)
        except UsageError as error:
            return Finding(False, (), str(error))

    def _compare(self, name: str, module: str, work: Path) -> Finding:
        if _bare(work / "gold.il") == _bare(work / "gate.il"):
            return Finding(True, (name,), "the same netlist: what was changed is not there")
        try:
            pair = Pair(work / "gold.il", work / "gate.il", module, work)
        except UsageError as error:
            return Finding(False, (), str(error))

        def control() -> list[Fact]:
            with self._lock:
                lock = self._locks.setdefault(f"control {name}", threading.Lock())
            with lock:
                if name not in self._control:
                    self._control[name] = pair.control_facts(CONTROL_SECONDS)
                return self._control[name]

        proof: Proof = pair.prove(self._seconds, control)
        return Finding(proof.proved, (name,) if proof.proved else (), proof.method)


def _bare(path: Path) -> str:
    """A netlist without what only says where it comes from."""
    return re.sub(r'(?m)^\s*attribute \\(src|hdlname) "[^"]*"\n', "", path.read_text())
