"""Jobs of a campaign, in chains: each job passes the mutants that survive it to the next job."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from regress.core.plan import BuildPoint, PlannedJob
from regress.run.record import RunRecord
from regress.simulators import BuildOptions, Simulator, find_simulators
from regress.simulators.verilator import Verilator
from verif.faults.mutants.child import ALONE_VARIABLE, FILES_VARIABLE, KEEP_VARIABLE, LAST_VARIABLE
from verif.faults.mutants.design import SOURCE, Design, kind
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.schemata import combined_copy, single_copy

PROGRAM = "verif.faults.mutants.child"
# Limit of one job with all its mutants; each mutant has its own limit.
TIMEOUT = 3600.0
# Maximum mutants in a chain; a cluster distributes chains to its machines.
CHAIN = 100
MAX_REPAIRS = 6
# Id of a job with many mutants: the id of the list's job, and the number of the chain.
PART = re.compile(r"(.+)-part\d+")
ERROR_PLACE = re.compile(r"%Error.*?([\w/.-]+\.sv):(\d+)")


def campaign(
    design: Design,
    mutants: Sequence[Mutant],
    folder: Path,
    workers: int,
    had: Collection[tuple[str, str]] = (),
) -> tuple[list[PlannedJob], dict[str, str]]:
    """Return the jobs, and the reasons for mutants that do not build, by id.

    Args:
        design: design to change.
        mutants: mutants to run.
        folder: folder for the changed copies.
        workers: number of parallel jobs.
        had: (job of the list, file) pairs to skip, because the file's mutants already ran in it.
    """
    together = dict(enumerate((m for m in mutants if kind(m) == SOURCE), 1))
    jobs: list[PlannedJob] = []
    broken: dict[str, str] = {}
    if together:
        hdl, broken = _repaired(design, together, folder / "many", workers)
        left = [(n, m) for n, m in together.items() if m.id not in broken]
        chains = max(workers, -(-len(left) // CHAIN))
        parts = [left[start::chains] for start in range(chains)]
        numbered = enumerate(parts, 1)
        each = [_chain(design, part, number, hdl, had) for number, part in numbered if part]
        # Interleave the chains stage by stage, so that even an aborted run reaches all mutants.
        longest = max(map(len, each), default=0)
        jobs += [chain[index] for index in range(longest) for chain in each if index < len(chain)]
    single = [m for m in mutants if kind(m) != SOURCE]
    return [*jobs, *alone(design.hdl, single, design.alone, folder)], broken


def alone(
    hdl: Path,
    mutants: Iterable[Mutant],
    jobs_for: Callable[[Mutant], Sequence[PlannedJob]],
    folder: Path,
    keep: bool = False,
) -> list[PlannedJob]:
    """Return a chain of jobs for each mutant, in its own builds.

    Args:
        hdl: the design.
        mutants: mutants to run.
        jobs_for: returns the jobs that may kill a mutant.
        folder: folder for the changed copies.
        keep: True to keep the files of each simulation.
    """
    found: list[PlannedJob] = []
    for mutant in mutants:
        name = re.sub(r"\W+", "-", mutant.id)
        jobs = jobs_for(mutant)
        if not jobs:
            continue
        copy = single_copy(hdl, mutant, folder / name)
        more = {FILES_VARIABLE: mutant.file} | ({KEEP_VARIABLE: "1"} if keep else {})
        tops = [{ALONE_VARIABLE: planned.point.top, **more} for planned in jobs]
        found += linked(jobs, name, copy, [_case(mutant, 0)], tops, True)
    return found


def _chain(
    design: Design,
    part: Sequence[tuple[int, Mutant]],
    number: int,
    hdl: Path,
    had: Collection[tuple[str, str]],
) -> list[PlannedJob]:
    """Return a chain: a part of a copy's mutants against every job that may kill one of them."""
    plan = design.fast()
    files = {mutant.file for _, mutant in part}
    concerned = {
        planned.id: sorted(
            file
            for file in files
            if (planned.id, file) not in had and design.elaborated.useful(file, planned, plan)
        )
        for planned in plan
    }
    jobs = [planned for planned in plan if concerned[planned.id]]
    more = [{FILES_VARIABLE: ":".join(concerned[planned.id])} for planned in jobs]
    cases = [_case(mutant, n) for n, mutant in part]
    return linked(jobs, f"part{number}", hdl, cases, more, False)


def met_by(record: RunRecord) -> set[tuple[str, str]]:
    """Return the (job of the list, file) pairs that a campaign ran for mutants in shared builds."""
    return {
        (match[1], file)
        for planned in record.plan.jobs
        if (match := PART.fullmatch(planned.id)) and planned.job.launch
        for file in planned.job.launch.environment[FILES_VARIABLE].split(":")
    }


def linked(
    jobs: Sequence[PlannedJob],
    name: str,
    hdl: Path,
    cases: Sequence[dict[str, object]],
    environments: Sequence[Mapping[str, str]],
    may_break: bool,
    program: str = PROGRAM,
) -> list[PlannedJob]:
    """Return jobs that run one after the other on a changed design; the first one has the cases.

    Args:
        jobs: jobs of a list.
        name: name of the chain, appended to the ids.
        hdl: folder of the design.
        cases: mutants or faults; each job passes the undetected ones to the next job.
        environments: environment of each job's process.
        may_break: True if a failing build is not a failure of the run.
        program: Python module that runs as the process of each job.
    """
    found: list[PlannedJob] = []
    for planned, more in zip(jobs, environments, strict=True):
        last = {LAST_VARIABLE: "1"} if planned is jobs[-1] else {}
        launch = planned.job.launch
        assert launch is not None
        environment = {**launch.environment, **more, **last}
        job = replace(
            planned.job,
            hdl=str(hdl),
            trace=False,
            cases=() if found else tuple(cases),
            launch=replace(launch, program=program, environment=environment),
        )
        found.append(
            replace(
                planned,
                id=f"{planned.id}-{name}",
                job=job,
                timeout=TIMEOUT,
                after=found[-1].id if found else "",
                may_break=may_break,
            )
        )
    return found


def _case(mutant: Mutant, number: int) -> dict[str, object]:
    return {
        "name": mutant.id,
        "number": number,
        "kind": kind(mutant),
        "file": mutant.file,
        "operator": mutant.operator,
        "change": mutant.change,
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
