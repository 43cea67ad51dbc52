"""From a choice of mutants to a finished campaign."""

from __future__ import annotations

import fnmatch
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from rich.console import Console

from regress.catalogue import Catalogue
from regress.errors import UsageError
from regress.lists import find_list, load_list
from regress.mutation.campaign import (
    Batch,
    BudgetSpentError,
    Campaign,
    Elaborated,
    alone_on_icarus,
    source_batch,
)  # fmt: skip
from regress.mutation.equivalents import EQUIVALENTS, Equivalent, Key, keys, load, store
from regress.mutation.netlist import Netlist, NetlistMutant
from regress.mutation.operators import Enumerations, Mutant, mutants_of
from regress.mutation.prove import Finding, Prover
from regress.mutation.record import RECORD_FILE, CampaignRecord, MutantRecord, Outcome
from regress.mutation.select import chosen
from regress.mutation.syntax import Source, parse
from regress.plan import BuildPoint, PlannedJob, Selection, expand
from regress.processes import ProcessGroups
from regress.tools import find_simulators
from verif.design import ROOT

LIST = "mutation"
# Structural mutants among all, and for how many mutants in all one more netlist is worth its build.
NETLIST_SHARE = 0.2
MUTANTS_A_NETLIST = 100
SOURCE, ELABORATION, NETLIST = "source", "elaboration", "netlist"
KINDS = (SOURCE, ELABORATION, NETLIST)


@dataclass(frozen=True)
class Request:
    """What to run.

    Attributes:
        command: that asked for it.
        architectures: only these; empty for all.
        count: mutants; None for all.
        seed: chooses them.
        budget: seconds, None for no limit.
        processes: mutants at once.
        files: patterns of files below hdl; empty for all.
        out: folder; may hold a campaign of the same request to be resumed.
        resume: there is one.
        ids: only these mutants, whose folders are kept.
        kinds: of :data:`KINDS`, only these.
        hdl: the design.
        equivalents: stored proofs.
    """

    command: list[str]
    seed: int
    processes: int
    out: Path
    architectures: tuple[str, ...] = ()
    count: int | None = None
    budget: float | None = None
    files: tuple[str, ...] = ()
    resume: bool = False
    ids: tuple[str, ...] = ()
    kinds: tuple[str, ...] = KINDS
    hdl: Path = ROOT / "hdl"
    equivalents: Path = EQUIVALENTS


@dataclass
class Design:
    """The design's files and everything that can be changed in them.

    Attributes:
        hdl: its folder.
        architectures: whose files and configurations count; empty for all.
        files: patterns of files; empty for all.
    """

    hdl: Path
    architectures: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    plan: Sequence[PlannedJob] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Expand the list."""
        selection = Selection(architectures=self.architectures)
        self.plan = expand(load_list(find_list(LIST), Catalogue.load()), selection)

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """All files, parsed."""
        return parse(self.hdl)

    @cached_property
    def elaborated(self) -> Elaborated:
        """Which files a configuration has."""
        return Elaborated(self.sources)

    @cached_property
    def all_mutants(self) -> list[Mutant]:
        """Of every file."""
        names = Enumerations(self.sources.values())
        return [mutant for source in self.sources.values() for mutant in mutants_of(source, names)]

    @cached_property
    def mutants(self) -> list[Mutant]:
        """Of the files that are asked for.

        Raises:
            UsageError: no file is.
        """
        there = {
            name
            for name in self.sources
            if not self.files or any(fnmatch.fnmatch(name, pattern) for pattern in self.files)
        }
        if not there:
            known = ", ".join(self.sources)
            raise UsageError(f"--file {', '.join(self.files)}: no such file; accepted: {known}")
        there = {
            name for name in there if any(self.elaborated.has(name, p.point) for p in self.plan)
        }
        return [mutant for mutant in self.all_mutants if mutant.file in there]

    def fast(self) -> list[PlannedJob]:
        """The list's jobs that take many mutants in one build."""
        return [planned for planned in self.plan if planned.point.simulator == "verilator"]

    def slow(self) -> list[PlannedJob]:
        """The list's jobs that need a process and a build for each mutant."""
        return [planned for planned in self.plan if planned.point.simulator == "icarus"]

    def points(self) -> list[BuildPoint]:
        """The configurations, each once."""
        return list(dict.fromkeys(planned.point for planned in self.fast()))


def mutate(request: Request, console: Console, groups: ProcessGroups) -> CampaignRecord:
    """Run a campaign and leave its record in the folder, whatever happens.

    Raises:
        UsageError: nothing is selected, the folder is taken, or a tool is missing.
    """
    design = Design(request.hdl, request.architectures, request.files)
    selected = _selected(request, design)
    record = _record(request, design, selected)
    simulators = find_simulators(["verilator", "icarus"])
    campaign = Campaign(
        record, request.out, simulators, groups, request.processes,
        deadline=time.monotonic() + request.budget if request.budget else None,
        tell=lambda line: console.print(line, soft_wrap=True, markup=False),
        keep=bool(request.ids),
    )  # fmt: skip
    try:
        work = request.out / SOURCE
        campaign.run_batch(
            source_batch(design.hdl, design.sources, selected, record, design.fast(), work)
        )
        if NETLIST in request.kinds and not request.files and not request.ids:
            for batch in _netlists(request, design, record):
                campaign.run_batch(batch)
        if "icarus" in simulators:
            _alone(campaign, design, record, selected)
        record.finished = True
    except BudgetSpentError:
        console.print("the time is over")
    except KeyboardInterrupt:
        console.print("interrupted")
    campaign.save()
    return record


def _selected(request: Request, design: Design) -> list[Mutant]:
    if request.ids:
        known = {mutant.id: mutant for mutant in design.mutants}
        for name in request.ids:
            if name not in known:
                raise UsageError(f"no mutant {name!r}; --list shows them")
        return [known[name] for name in request.ids]
    count = request.count
    if count is not None and not request.files:
        count = max(1, round(count * (1 - NETLIST_SHARE)))
    found = chosen(design.mutants, count, request.seed)
    return [m for m in found if (ELABORATION if m.static else SOURCE) in request.kinds]


def _record(request: Request, design: Design, selected: Sequence[Mutant]) -> CampaignRecord:
    request.out.mkdir(parents=True, exist_ok=True)
    if (request.out / RECORD_FILE).exists():
        if not request.resume:
            raise UsageError(f"{request.out} holds a campaign already; --resume, or another --out")
        record = CampaignRecord.read(request.out)
    else:
        started = datetime.now().astimezone().isoformat(timespec="seconds")
        record = CampaignRecord(command=request.command, seed=request.seed, started=started)
    record.available = {
        SOURCE: sum(not mutant.static for mutant in design.all_mutants),
        ELABORATION: sum(mutant.static for mutant in design.all_mutants),
    }
    for mutant in selected:
        kind = ELABORATION if mutant.static else SOURCE
        record.mutants.setdefault(
            mutant.id,
            MutantRecord(mutant.id, kind, mutant.file, mutant.operator, mutant.change),
        )
    stored = load(request.equivalents)
    found = keys(design.sources, design.all_mutants)
    for mutant in selected:
        proof, entry = stored.get(found[mutant.id]), record.mutants[mutant.id]
        if proof and entry.alive and not request.ids:
            entry.outcome, entry.message = Outcome.EQUIVALENT, f"{proof.method} ({proof.date})"
    return record


def _alone(
    campaign: Campaign, design: Design, record: CampaignRecord, selected: Iterable[Mutant]
) -> None:
    """What needs a build of its own: mutants of elaboration, then survivors for unknown values."""
    fast, slow = alone_on_icarus(design.fast()), design.slow()
    for mutant in sorted(selected, key=lambda m: not m.static):
        entry = record.mutants[mutant.id]
        if not entry.alive:
            continue
        plan = [*fast, *slow] if mutant.static else slow
        jobs = [p for p in plan if design.elaborated.useful(mutant.file, p, plan)]
        campaign.run_alone(entry, mutant, design.hdl, jobs)


def _netlists(request: Request, design: Design, record: CampaignRecord) -> Iterable[Batch]:
    """Batches of structural mutants, one a configuration."""
    points = design.points()
    total = round((request.count or len(design.mutants)) * NETLIST_SHARE)
    few = max(1, min(len(points), total // MUTANTS_A_NETLIST * 4 or 1))
    taken = random.Random(f"{request.seed}/netlists").sample(points, few)
    for point in (point for point in points if point in taken):
        folder = request.out / NETLIST / point.name
        netlist = Netlist(point, design.hdl, folder)
        mutants = netlist.mutants(max(1, total // few), request.seed)
        jobs = [planned for planned in design.fast() if planned.point == point]
        yield netlist_batch(netlist, mutants, record, alone_on_icarus(jobs))


def prove_survivors(
    record: CampaignRecord,
    design: Design,
    folder: Path,
    seconds: float,
    workers: int,
    tell: Callable[[str], None],
    store_in: Path | None = None,
) -> None:
    """Try to prove every survivor equivalent; what is proved is stored at once.

    Args:
        record: of the campaign; its survivors may become equivalent.
        design: that it was run on.
        folder: of the campaign, for files and the record.
        seconds: limit of each attempt in each configuration.
        workers: attempts at once.
        tell: called with a line for each survivor.
        store_in: file of proofs to add to, None to leave it alone.
    """
    prover = Prover(design.hdl, design.elaborated, design.points(), folder / "prove", seconds)
    known = {mutant.id: mutant for mutant in design.all_mutants}
    found = keys(design.sources, design.all_mutants)
    netlists = {f"{NETLIST}:{p.design}:{p.architecture}": p for p in design.points()}
    lock = threading.Lock()

    def attempt(entry: MutantRecord) -> None:
        if entry.kind == NETLIST:
            point = netlists[entry.id.rpartition(":")[0]]
            netlist = Netlist(point, design.hdl, folder / NETLIST / point.name)
            number = int(entry.id.rpartition(":")[2])
            finding = prover.netlist(netlist, netlist.listed()[number - 1], point.name)
        else:
            finding = prover.source(known[entry.id])
        with lock:
            entry.message = f"{finding.method}; {', '.join(finding.configurations)}"
            if finding.proved:
                entry.outcome = Outcome.EQUIVALENT
                if store_in and entry.kind != NETLIST:
                    _store(store_in, found[entry.id], finding)
            record.write(folder)
            tell(f"{entry.outcome.value}  {entry.id}  {entry.change}  {entry.message}")

    survivors = record.of(Outcome.SURVIVED)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(attempt, survivors))


def _store(path: Path, key: Key, finding: Finding) -> None:
    proofs = load(path)
    proofs[key] = Equivalent(
        *key, finding.configurations, finding.method, "python -m regress mutate --prove",
        datetime.now().date().isoformat(),
    )  # fmt: skip
    store(proofs.values(), path)


def netlist_batch(
    netlist: Netlist,
    mutants: Sequence[NetlistMutant],
    record: CampaignRecord,
    jobs: Sequence[PlannedJob],
) -> Batch:
    """The structural mutants of one configuration."""
    numbered = {}
    for mutant in mutants:
        group = f"{mutant.design} {mutant.architecture}"
        change = f"{mutant.command.removeprefix('mutate ')} ({mutant.source})"
        entry = MutantRecord(mutant.id, NETLIST, group, f"netlist_{mutant.mode}", change)
        numbered[mutant.number] = record.mutants.setdefault(mutant.id, entry)
    return Batch(
        name=jobs[0].point.name,
        hdl=netlist.combined_copy(mutants),
        numbered=numbered,
        jobs=jobs,
        applies=lambda found, planned: True,
        repair=lambda places: set(),
    )
