"""Mutants of the design, and the jobs of the list that may kill them."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from models.registry import architecture
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.expansion import Selection, expand
from regress.core.lists import find_list, load_list
from regress.core.plan import BuildPoint, PlannedJob, planned_job
from regress.simulators.icarus import Icarus
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import DESIGNS, EXPONENTIATION, MULTIPLIER, hardware
from verif.faults.mutants.mutants import Mutant, mutants_of
from verif.faults.mutants.operators import Enumerations
from verif.library.edits.syntax import Source, parse
from verif.library.lanes.tool import SUFFIX as LANES_SUFFIX

LIST = "mutation"
# A mutant in its own build on Icarus Verilog takes seconds to start, so it runs few operations.
ALONE_OPERATIONS = {MULTIPLIER.name: 25, EXPONENTIATION.name: 3}
# Tests that also run on the other architectures that share a file: text in the shared file may have
# an effect in one architecture only.
EVERYWHERE = (
    "random", "raw", "stress", "exp_random", "exp_products", "exp_stress", "exp_zeroise",
)  # fmt: skip
# Tests that check the registers during a reset; they kill mutants of reset branches.
RESET_TESTS = ("reset", "exp_zeroise")
SOURCE, ELABORATION, RESET = "source", "elaboration", "reset"
KINDS = (SOURCE, ELABORATION, RESET)
DIRECTIVE = re.compile(r"\s*`(ifdef|ifndef|else|endif|define)\b\s*(\w*)\s*(.*)")
WORD = re.compile(r"`?[A-Za-z_]\w*")


def kind(mutant: Mutant) -> str:
    """Return the kind, one of :data:`KINDS`; all kinds but the first need their own build."""
    if mutant.static:
        return ELABORATION
    in_reset = mutant.operator == "reset_value" or "/reset/" in mutant.place
    return RESET if in_reset else SOURCE


class Elaborated:
    """Files that a build elaborates: the files reachable from the top by the names in them.

    Macros name the unit and the core, and select parts of a file. So this class reads the text with
    the macros of the build, which the parser does not have.
    """

    def __init__(self, sources: Mapping[str, Source]) -> None:
        """Create the object for a design with the given files, by name."""
        self._sources = sources
        self._file = {module: s.name for s in sources.values() for module in s.modules}
        self._known: dict[tuple[str, ...], frozenset[str]] = {}
        self._of_point: dict[str, frozenset[str]] = {}

    def files(self, point: BuildPoint) -> frozenset[str]:
        """Return the names of the files that a build elaborates."""
        if point.name not in self._of_point:
            self._of_point[point.name] = self._files(point)
        return self._of_point[point.name]

    def _files(self, point: BuildPoint) -> frozenset[str]:
        top, at = point.top.removesuffix(LANES_SUFFIX), point.point
        if top in self._file and top not in DESIGNS:  # a block alone, in its bench
            return self._reached((top,), {}, frozenset())
        # The top of a bus front is FRONT_DESIGN; module FRONT_front is before the design.
        name = next(name for name in DESIGNS if top.endswith(name))
        front = f"{top.removesuffix(name)}front"
        core = architecture(at["architecture"])
        made = hardware(DESIGNS[name], core, at["width"], at["parameters"])
        tops = (made.top, front) if front in self._file else (made.top,)
        key = (*tops, *sorted(made.defines), *sorted(made.absent))
        if key not in self._known:
            self._known[key] = self._reached(tops, made.defines, made.absent)
        return self._known[key]

    def has(self, name: str, point: BuildPoint) -> bool:
        """Return True if a build elaborates a file; every build has the packages."""
        return name in self.files(point) or not self._sources[name].modules

    def useful(self, name: str, planned: PlannedJob, plan: Sequence[PlannedJob]) -> bool:
        """Return True if a job may kill mutants of a file that earlier jobs do not kill.

        These are all tests of the plan's first architecture with the file, and on the other
        architectures the tests of :data:`EVERYWHERE`.
        """
        if not self.has(name, planned.point):
            return False
        first = next(
            p for p in plan
            if p.point.top == planned.point.top and self.has(name, p.point)
        )  # fmt: skip
        same = first.point.point["architecture"] == planned.point.point["architecture"]
        return same or planned.job.test in EVERYWHERE

    def _reached(
        self, tops: Sequence[str], defines: Mapping[str, str], absent: frozenset[str]
    ) -> frozenset[str]:
        found: set[str] = set()
        waiting = list(tops)
        while waiting:
            name = self._file[waiting.pop()]
            if name in found:
                continue
            found.add(name)
            text = self._sources[name].text.decode()
            used = names_used(text, defines) - absent
            waiting += [other for other in used if other in self._file]
        return frozenset(found)


def names_used(text: str, defines: Mapping[str, str]) -> set[str]:
    """Return the names in a file, without comments; expand the given and the file's own macros."""
    macros, names = dict(defines), set[str]()
    active = [True]
    for line in text.splitlines():
        code = line.partition("//")[0]
        if not (found := DIRECTIVE.match(code)):
            if active[-1]:
                for word in WORD.findall(code):
                    names.update(
                        WORD.findall(macros.get(word[1:], "")) if word[0] == "`" else [word]
                    )
            continue
        directive, name, value = found.groups()
        if directive in ("ifdef", "ifndef"):
            active.append(active[-1] and ((name in macros) == (directive == "ifdef")))
        elif directive == "else":
            active[-1] = active[-2] and not active[-1]
        elif directive == "endif":
            active.pop()
        elif active[-1]:
            macros[name] = value
    return names


@dataclass
class Design:
    """The design's files and all mutants of them.

    Attributes:
        context: context that has the list.
        hdl: folder of the design.
        architectures: architectures whose files and configurations count; empty for all.
        patterns: patterns of file names; empty for all.
        plan: jobs of the list.
    """

    context: Context
    hdl: Path
    architectures: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    plan: Sequence[PlannedJob] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Expand the list."""
        selection = Selection({"architecture": self.architectures})
        path = find_list(self.context.project, LIST)
        self.plan = expand(self.context, load_list(self.context, path), selection)

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """All files of the design, parsed."""
        return parse(self.hdl)

    @cached_property
    def elaborated(self) -> Elaborated:
        """Files that each configuration elaborates."""
        return Elaborated(self.sources)

    @cached_property
    def all_mutants(self) -> list[Mutant]:
        """Mutants of every file."""
        names = Enumerations(self.sources.values())
        return [mutant for source in self.sources.values() for mutant in mutants_of(source, names)]

    @cached_property
    def mutants(self) -> list[Mutant]:
        """Mutants of the selected files.

        Raises:
            UsageError: no file is selected.
        """
        wanted = {
            name
            for name in self.sources
            if not self.patterns or any(fnmatch.fnmatch(name, one) for one in self.patterns)
        }
        if not wanted:
            known = ", ".join(self.sources)
            raise UsageError(f"--file {', '.join(self.patterns)}: no such file; accepted: {known}")
        there = {
            name for name in wanted if any(self.elaborated.has(name, p.point) for p in self.plan)
        }
        return [mutant for mutant in self.all_mutants if mutant.file in there]

    def fast(self) -> list[PlannedJob]:
        """Return the list's jobs that run many mutants in one build."""
        return [planned for planned in self.plan if planned.point.simulator == Verilator.name]

    def slow(self) -> list[PlannedJob]:
        """Return the list's jobs that need a process and a build for each mutant."""
        return [planned for planned in self.plan if planned.point.simulator == Icarus.name]

    @cached_property
    def _icarus(self) -> list[PlannedJob]:
        """All jobs on Icarus, products first: they take a tenth of an exponentiation's time."""
        moved = alone_on_icarus(self.context, self.fast())
        return sorted(moved, key=lambda p: p.point.top != MULTIPLIER.name) + self.slow()

    def alone(self, mutant: Mutant) -> list[PlannedJob]:
        """Return the jobs that are likely to kill a mutant in its own build."""
        # One job per configuration: a build that does not contain the change is not simulated.
        first: dict[BuildPoint, PlannedJob] = {}
        for planned in self._icarus:
            if self.elaborated.has(mutant.file, planned.point):
                first.setdefault(planned.point, planned)
        if kind(mutant) != RESET:
            return list(first.values())
        # Tests that check the registers of the mutant's file during a reset.
        looks = [
            p for p in self.slow()
            if p.job.test in RESET_TESTS and self.elaborated.has(mutant.file, p.point)
        ]  # fmt: skip
        return list(
            {p.id: p for p in [*list(first.values())[:1], *looks, *first.values()]}.values()
        )

    def unknown_values(self, mutant: Mutant) -> list[PlannedJob]:
        """Return the jobs that simulate unknown values, for mutants that survived all others."""
        return [p for p in self.slow() if self.elaborated.useful(mutant.file, p, self.slow())]

    def everything(self, mutant: Mutant) -> list[PlannedJob]:
        """Return all jobs that may kill a mutant."""
        useful = [p for p in self.fast() if self.elaborated.useful(mutant.file, p, self.fast())]
        return useful + self.unknown_values(mutant)

    def points(self) -> list[BuildPoint]:
        """Return each configuration once."""
        return list(dict.fromkeys(planned.point for planned in self.fast()))


def alone_on_icarus(context: Context, jobs: Iterable[PlannedJob]) -> list[PlannedJob]:
    """Return the jobs with Icarus Verilog as simulator and few operations, without duplicates."""
    moved = {}
    for planned in jobs:
        job = planned.job
        fewer = min(job.operations, ALONE_OPERATIONS[planned.point.top])
        other = planned_job(
            context,
            replace(job, simulator=Icarus.name, operations=fewer, trace=False), planned.index,
            planned.timeout,
        )  # fmt: skip
        moved.setdefault(other.id, other)
    return list(moved.values())
