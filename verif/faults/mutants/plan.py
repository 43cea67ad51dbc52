"""Jobs with mutants: many in one build, or one in a build of its own; survivors are proved last."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from regress.core.plan import BuildPoint, PlannedJob
from regress.simulators import BuildOptions, Simulator, find_simulators
from regress.simulators.verilator import Verilator
from verif.faults.campaign.chain import Asked, linked
from verif.faults.campaign.record import UNRESOLVED
from verif.faults.mutants.design import SOURCE, Design, kind
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.schemata import combined_copy, single_copy

FORKED, ALONE, PROVED = (
    "verif.faults.mutants.forks:forked",
    "verif.faults.campaign.simulate:alone",
    "verif.faults.mutants.prove:proved",
)
# Limit of one job with all its mutants; each mutant has its own limit.
TIMEOUT = 3600.0
# Maximum mutants in a chain; a cluster distributes chains to its machines.
CHAIN = 100
MAX_REPAIRS = 6
ERROR_PLACE = re.compile(r"%Error.*?([\w/.-]+\.sv):(\d+)")


class Chains:
    """Makes the chains of a campaign.

    Args:
        design: design to change.
        source: name of the campaign's source.
        against: name of what the mutants run against.
        prove: seconds of each attempt to prove a survivor equivalent; 0 for none.
        keep: True to keep the files of each simulation.
    """

    def __init__(
        self, design: Design, source: str, against: str, prove: float, keep: bool = False
    ) -> None:
        self._design = design
        self._prove = prove
        self._asked = Asked(
            source=source, against=against, way=ALONE, keep=keep, missed=UNRESOLVED,
            design=str(design.hdl),
        )  # fmt: skip

    def many(
        self, mutants: Sequence[Mutant], folder: Path, workers: int
    ) -> tuple[list[PlannedJob], dict[str, str]]:
        """Return the jobs, and the reasons for mutants that do not build, by id.

        Args:
            mutants: mutants to run.
            folder: folder for the changed copies.
            workers: number of parallel jobs.
        """
        design = self._design
        together = dict(enumerate((m for m in mutants if kind(m) == SOURCE), 1))
        jobs: list[PlannedJob] = []
        broken: dict[str, str] = {}
        if together:
            hdl, broken = _repaired(design, together, folder / "many", workers)
            left = [(n, m) for n, m in together.items() if m.id not in broken]
            chains = max(workers, -(-len(left) // CHAIN))
            parts = [left[start::chains] for start in range(chains)]
            numbered = enumerate(parts, 1)
            each = [self._chain(part, number, hdl) for number, part in numbered if part]
            # Interleave the chains stage by stage: even an aborted run reaches all mutants.
            longest = max(map(len, each), default=0)
            jobs += [chain[at] for at in range(longest) for chain in each if at < len(chain)]
        single = [m for m in mutants if kind(m) != SOURCE]
        return [*jobs, *self.alone(single, design.alone, folder)], broken

    def alone(
        self,
        mutants: Iterable[Mutant],
        jobs_for: Callable[[Mutant], Sequence[PlannedJob]],
        folder: Path,
    ) -> list[PlannedJob]:
        """Return a chain of jobs for each mutant, in its own builds.

        Args:
            mutants: mutants to run.
            jobs_for: returns the jobs that may kill a mutant.
            folder: folder for the changed copies.
        """
        found: list[PlannedJob] = []
        for mutant in mutants:
            jobs = jobs_for(mutant)
            if jobs:
                name = folder_name(mutant)
                hdl = single_copy(self._design.hdl, mutant, folder / name)
                asked = [
                    replace(self._asked, job=planned.id, top=planned.point.top) for planned in jobs
                ]
                found += self._linked(jobs, asked, name, [_case(mutant, 0)], hdl, may_break=True)
        return found

    def _chain(
        self, part: Sequence[tuple[int, Mutant]], number: int, hdl: Path
    ) -> list[PlannedJob]:
        """Return a chain: a part of a copy's mutants against every job that may kill one."""
        plan, elaborated = self._design.fast(), self._design.elaborated
        files = {mutant.file for _, mutant in part}
        jobs, asked = [], []
        for planned in plan:
            useful = tuple(sorted(f for f in files if elaborated.useful(f, planned, plan)))
            if useful:
                jobs.append(planned)
                asked.append(replace(self._asked, way=FORKED, job=planned.id, files=useful))
        cases = [_case(mutant, n) for n, mutant in part]
        return self._linked(jobs, asked, f"part{number}", cases, hdl, may_break=False)

    def _linked(
        self,
        jobs: Sequence[PlannedJob],
        asked: Sequence[Asked],
        name: str,
        cases: Sequence[dict[str, object]],
        hdl: Path,
        may_break: bool,
    ) -> list[PlannedJob]:
        """Link jobs; the last one, on the build before it, tries to prove the survivors."""
        jobs, asked = list(jobs), list(asked)
        if self._prove:
            jobs.append(replace(jobs[-1], id=f"prove-{jobs[-1].id}"))
            asked.append(replace(self._asked, way=PROVED, seconds=self._prove))
        return linked(jobs, asked, name, cases, hdl=str(hdl), may_break=may_break, timeout=TIMEOUT)


def folder_name(mutant: Mutant) -> str:
    """Return the name of the folder of a mutant in its own build."""
    return re.sub(r"\W+", "-", mutant.id)


def _case(mutant: Mutant, number: int) -> dict[str, object]:
    return {
        "name": mutant.id,
        "number": number,
        "kind": kind(mutant),
        "file": mutant.file,
        "operator": mutant.operator,
        "says": f"{mutant.operator} in {mutant.file}: {mutant.change}",
    }


def _repaired(
    design: Design, numbered: Mapping[int, Mutant], copy: Path, workers: int
) -> tuple[Path, dict[str, str]]:
    """Return a copy with all mutants that Verilator accepts, and its errors for the others."""
    found, _ = find_simulators([Verilator.name])
    first = {(p.top, p.point["architecture"]): p for p in reversed(design.points())}
    broken: dict[str, str] = {}
    for _ in range(MAX_REPAIRS):
        kept = {n: m for n, m in numbered.items() if m.id not in broken}
        combined_copy(design.hdl, design.sources, kept, copy)
        with ThreadPoolExecutor(workers) as pool:
            said = pool.map(
                lambda p: _complaints(design, found[Verilator.name], p, copy), first.values()
            )
        places = {place: line for one in said for place, line in one.items()}
        new = {
            m.id: places[Path(m.file).name, m.line]
            for m in kept.values()
            if (Path(m.file).name, m.line) in places
        }
        broken |= new
        if not new:
            break
    return copy, broken


def _complaints(
    design: Design, verilator: Simulator, point: BuildPoint, hdl: Path
) -> dict[tuple[str, int], str]:
    """Return Verilator's errors by file and line."""
    build = design.context.project.build(point.top, point.point, verilator, hdl, False)
    command = [Verilator.name, "--lint-only", "--timing", "--timescale", "1ns/1ps"]
    command += ["-Wno-fatal", "--top-module", build.toplevel, *build.arguments]
    command += [f"-D{name}={value}" for name, value in build.defines.items()]
    command += [f"-G{name}={value}" for name, value in build.parameters.items()]
    done = subprocess.run(
        [*command, *map(str, build.sources)],
        env=verilator.build_environment(BuildOptions()),
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        (Path(match[1]).name, int(match[2])): line
        for line in done.stderr.splitlines()
        if (match := ERROR_PLACE.match(line))
    }
