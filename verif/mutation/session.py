"""From a choice of mutants to a finished campaign."""

from __future__ import annotations

import fnmatch
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from rich.console import Console

from regress.errors import UsageError
from regress.lists import find_list, load_list
from regress.plan import BuildPoint, PlannedJob, Selection, expand
from regress.processes import ProcessGroups
from regress.simulators import BOTH, find_simulators
from verif.design import MULTIPLIER, ROOT
from verif.mutation.campaign import (
    Batch,
    BudgetSpentError,
    Campaign,
    Elaborated,
    alone_on_icarus,
    source_batch,
)  # fmt: skip
from verif.mutation.equivalents import (
    EQUIVALENTS,
    NETLIST_OF,
    Equivalent,
    Key,
    keys,
    load,
    stale,
    store,
)
from verif.mutation.netlist import Netlist, NetlistMutant
from verif.mutation.operators import Enumerations, Mutant, mutants_of
from verif.mutation.prove import Finding, Prover
from verif.mutation.record import RECORD_FILE, CampaignRecord, MutantRecord, Outcome
from verif.mutation.select import chosen
from verif.mutation.syntax import Source, parse

LIST = "mutation"
# Structural mutants among all, and at most so many of them in one netlist: a third of those that
# Yosys makes change logic that a configuration does not use, and each has to be proved equivalent.
NETLIST_SHARE = 0.2
MUTANTS_A_NETLIST = 12
# Most mutants of elaboration die in one of the first; a proof costs less than all the others.
FIRST_BUILDS = 3
# What they change in a reset is seen by the test that looks into the registers while it lasts.
RESET_OPERATORS, RESET_TEST = ("reset_value", "delete_assignment"), "exp_zeroise"
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
        prove: seconds to try to prove what lives equivalent, before it is run alone; None not to.
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
    prove: float | None = None


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
        selection = Selection({"architecture": self.architectures})
        self.plan = expand(load_list(find_list(LIST)), selection)

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

    @cached_property
    def _icarus(self) -> list[PlannedJob]:
        """All jobs on Icarus; the exponentiation takes seconds where a product takes a tenth."""
        moved = alone_on_icarus(self.fast())
        return sorted(moved, key=lambda p: p.point.top != MULTIPLIER.name) + self.slow()

    def alone(self, mutant: Mutant) -> list[PlannedJob]:
        """What may find a mutant in a build of its own: of elaboration, or by unknown values."""
        plan = self._icarus if mutant.static else self.slow()
        return [p for p in plan if self.elaborated.useful(mutant.file, p, plan)]

    def in_reset(self, mutant: Mutant) -> list[PlannedJob]:
        """What looks at the registers of a mutant's file while a reset lasts."""
        return [
            p for p in self.slow()
            if p.job.test == RESET_TEST and self.elaborated.has(mutant.file, p.point)
        ]  # fmt: skip

    def points(self) -> list[BuildPoint]:
        """The configurations, each once."""
        return list(dict.fromkeys(planned.point for planned in self.fast()))

    def netlists(self) -> Mapping[str, BuildPoint]:
        """A configuration of each architecture and of each other core, by its mutants' id."""
        found: dict[tuple[str, str], BuildPoint] = {}
        for point in self.points():
            each = point.point.subject if point.top == MULTIPLIER.name else ""
            found.setdefault((point.top, each), point)
        return {f"{NETLIST}:{p.top}:{p.point.subject}": p for p in found.values()}


def mutate(request: Request, console: Console, groups: ProcessGroups) -> CampaignRecord:
    """Run a campaign and leave its record in the folder, whatever happens.

    What takes many mutants in one build comes first, then proofs, if asked for, and at last what
    needs a build and a process for each mutant, by far the most expensive.

    Raises:
        UsageError: nothing is selected, the folder is taken, or a tool is missing.
    """
    design = Design(request.hdl, request.architectures, request.files)
    selected = _selected(request, design)
    record = _record(request, design, selected)
    simulators, _ = find_simulators(BOTH)
    deadline = time.monotonic() + request.budget if request.budget else None

    def tell(line: str) -> None:
        console.print(line, soft_wrap=True, markup=False)

    campaign = Campaign(
        record, request.out, simulators, groups, request.processes, deadline, tell,
        keep=bool(request.ids),
    )  # fmt: skip

    def prove(survivors: Sequence[MutantRecord]) -> None:
        if request.prove:
            prove_survivors(
                record, survivors, design, request.out, request.prove, request.processes, tell,
                request.equivalents, deadline,
            )  # fmt: skip

    try:
        work = request.out / SOURCE
        campaign.run_batch(
            source_batch(design.hdl, design.sources, selected, record, design.fast(), work)
        )
        netlists: list[Batch] = []
        if NETLIST in request.kinds and not request.files and not request.ids:
            netlists += _netlists(request, design, record)
        for batch in netlists:
            campaign.run_batch(replace(batch, jobs=batch.jobs[:1]))
        if "icarus" in simulators:
            static = [mutant for mutant in selected if mutant.static]
            resets = [mutant for mutant in selected if mutant.operator in RESET_OPERATORS]
            _alone(campaign, design, record, static, request.processes, tell,
                   lambda mutant: design.alone(mutant)[:FIRST_BUILDS])  # fmt: skip
            _alone(campaign, design, record, resets, request.processes, tell, design.in_reset)
        prove(record.of(Outcome.SURVIVED))
        for batch in netlists:
            campaign.run_batch(batch)
        if "icarus" in simulators:
            _alone(campaign, design, record, selected, request.processes, tell, design.alone)
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
    found = keys(design.all_mutants)
    for mutant in selected:
        if not request.ids:
            _known(record.mutants[mutant.id], stored.get(found[mutant.id]))
    return record


def _alone(
    campaign: Campaign,
    design: Design,
    record: CampaignRecord,
    selected: Iterable[Mutant],
    workers: int,
    tell: Callable[[str], None],
    jobs: Callable[[Mutant], list[PlannedJob]],
) -> None:
    """What needs a build of its own: mutants of elaboration first; so many at once."""

    def run(mutant: Mutant) -> None:
        entry = record.mutants[mutant.id]
        campaign.run_alone(entry, mutant, design.hdl, jobs(mutant))
        tell(f"{entry.outcome.value}  {entry.id}  {entry.change}  {entry.test}")

    alive = [mutant for mutant in selected if record.mutants[mutant.id].alive]
    with ThreadPoolExecutor(workers) as pool:
        try:
            list(pool.map(run, sorted(alive, key=lambda m: not m.static)))
        except BaseException:
            campaign.cancel()  # the pool waits for what still runs
            raise


def _netlists(request: Request, design: Design, record: CampaignRecord) -> Iterable[Batch]:
    """Batches of structural mutants, one an architecture, and one of the exponentiation core."""
    points = list(design.netlists().values())
    total = round((request.count or len(design.mutants)) * NETLIST_SHARE)
    few = max(1, min(len(points), total // MUTANTS_A_NETLIST))
    taken = random.Random(f"{request.seed}/netlists").sample(points, few)
    stored = load(request.equivalents)
    for point in (point for point in points if point in taken):
        folder = request.out / NETLIST / point.name
        netlist = Netlist(point, design.hdl, folder)
        mutants = netlist.mutants(min(MUTANTS_A_NETLIST, max(1, total // few)), request.seed)
        jobs = [planned for planned in design.fast() if planned.point == point]
        batch = netlist_batch(netlist, mutants, record, alone_on_icarus(jobs))
        for mutant in mutants:
            _known(batch.numbered[mutant.number], stored.get(netlist.key(mutant)))
        yield batch


def _known(entry: MutantRecord, proof: Equivalent | None) -> None:
    """What is proved already needs no run."""
    if proof and entry.alive:
        entry.outcome, entry.message = Outcome.EQUIVALENT, f"{proof.method} ({proof.date})"


def prove_survivors(
    record: CampaignRecord,
    survivors: Iterable[MutantRecord],
    design: Design,
    folder: Path,
    seconds: float,
    workers: int,
    tell: Callable[[str], None],
    store_in: Path | None = None,
    deadline: float | None = None,
) -> None:
    """Try to prove survivors equivalent; what is proved is stored at once.

    Args:
        record: of the campaign, which is written again.
        survivors: of it; they may become equivalent.
        design: that it was run on.
        folder: of the campaign, for files and the record.
        seconds: limit of each attempt in each configuration.
        workers: attempts at once.
        tell: called with a line for each survivor.
        store_in: file of proofs to add to, None to leave it alone.
        deadline: monotonic time after which no attempt begins, None for no limit.

    Raises:
        BudgetSpentError: the deadline is over.
    """
    prover = Prover(design.hdl, design.elaborated, design.points(), folder / "prove", seconds)
    known = {mutant.id: mutant for mutant in design.all_mutants}
    found = keys(design.all_mutants)
    points = design.netlists()
    netlists = {
        name: Netlist(point, design.hdl, folder / NETLIST / point.name)
        for name, point in points.items()
    }
    lock = threading.Lock()

    def attempt(entry: MutantRecord) -> None:
        if deadline is not None and time.monotonic() > deadline:
            raise BudgetSpentError
        if entry.kind == NETLIST:
            name, _, number = entry.id.rpartition(":")
            netlist = netlists[name]
            mutant = netlist.listed()[int(number) - 1]
            finding, key = prover.netlist(netlist, mutant, points[name].name), netlist.key(mutant)
        else:
            finding, key = prover.source(known[entry.id]), found[entry.id]
        with lock:
            entry.message = f"{finding.method}; {', '.join(finding.configurations)}"
            if finding.rejected:
                entry.outcome, entry.message = Outcome.BROKEN, finding.method
            if finding.proved:
                entry.outcome = Outcome.EQUIVALENT
                if store_in:
                    add_proof(store_in, key, finding)
            record.write(folder)
            tell(f"{entry.outcome.value}  {entry.id}  {entry.change}  {entry.message}")

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(attempt, survivors))


def reprove(
    request: Request, seconds: float, tell: Callable[[str], None], path: Path = EQUIVALENTS
) -> CampaignRecord:
    """Prove every stored equivalence of the source again; the file keeps those that are proved.

    It is written at the end, so that an interrupt loses nothing. Proofs of netlists stay: they
    hold for one netlist and are made by a campaign that has it.
    """
    design = Design(request.hdl)
    stored = load(path)
    places = {key: name for name, key in keys(design.all_mutants).items()}
    known = {mutant.id: mutant for mutant in design.all_mutants}
    request.out.mkdir(parents=True, exist_ok=True)
    started = datetime.now().astimezone().isoformat(timespec="seconds")
    record = CampaignRecord(command=request.command, seed=request.seed, started=started)
    for entry in stale(stored, places):
        tell(f"not in the design any more  {entry.place}:{entry.operator}  {entry.change}")
    for key in stored:
        if key in places:
            mutant = known[places[key]]
            kind = ELABORATION if mutant.static else SOURCE
            entry = MutantRecord(mutant.id, kind, mutant.file, mutant.operator, mutant.change)
            entry.outcome = Outcome.SURVIVED
            record.mutants[mutant.id] = entry
    again = request.out / path.name
    store([entry for entry in stored.values() if entry.place.startswith(NETLIST_OF)], again)
    prove_survivors(
        record, list(record.mutants.values()), design, request.out, seconds, request.processes,
        tell, again,
    )  # fmt: skip
    record.finished = True
    record.write(request.out)
    shutil.copy(again, path)
    return record


def add_proof(path: Path, key: Key, finding: Finding) -> None:
    """Store a proof; those of another netlist of the same name are of one that is no more."""
    where, _, digest, *_ = key
    proofs = {
        other: proof
        for other, proof in load(path).items()
        if not where.startswith(NETLIST_OF) or other[0] != where or other[2] == digest
    }
    place, operator, digest, change, occurrence = key
    proofs[key] = Equivalent(
        place=place, operator=operator, digest=digest, change=change, occurrence=occurrence,
        configurations=finding.configurations, method=finding.method,
        date=datetime.now().date().isoformat(),
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
        group = mutant.where.removeprefix(NETLIST_OF)
        change = f"{mutant.command.removeprefix('mutate ')} ({mutant.source})"
        entry = MutantRecord(mutant.id, NETLIST, group, mutant.operator, change)
        numbered[mutant.number] = record.mutants.setdefault(mutant.id, entry)
    return Batch(
        name=jobs[0].point.name,
        hdl=netlist.combined_copy(mutants),
        numbered=numbered,
        jobs=jobs,
        applies=lambda found, planned: True,
        repair=lambda places: set(),
    )
