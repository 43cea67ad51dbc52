"""Mutants as a source of faults: generated changes, against list ``mutation``."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from models.registry import hardware_architectures
from regress.cli.options import Call, chosen, positive, seconds
from regress.core.errors import UsageError
from regress.core.formats.model import as_json
from regress.core.plan import PlannedJob
from regress.core.project import Table
from regress.run.record import RunRecord
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.command import words
from verif.faults.campaign.outcome import results
from verif.faults.campaign.record import (
    BROKEN,
    DETECTED,
    EQUIVALENT,
    UNRESOLVED,
    Result,
    last,
    read_results,
)
from verif.faults.campaign.source import Missing, Source
from verif.faults.catalogue_source import matching
from verif.faults.mutants.design import KINDS, LIST, Design, kind
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.plan import Chains, folder_name
from verif.faults.mutants.schemata import single_copy
from verif.faults.mutants.select import selected
from verif.faults.mutants.tables import by_file, by_operator, markdown, verdict

NAME, RECORD = "mutants", "mutants.jsonl"
# Survivors of the list run against this with --alone.
UNKNOWN_VALUES = "unknown values"
PROVE_SECONDS = 20.0


class Mutants(Source):
    """See :class:`verif.faults.campaign.source.Source`."""

    name = NAME
    noun = "mutants"
    table = "<!-- table: mutation -->"
    good = (DETECTED, EQUIVALENT, BROKEN)
    takes_hdl = True
    options: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "--slice": {
            "type": positive, "metavar": "N",
            "help": "only so many architectures, chosen by the seed",
        },
        "--file": {"help": "only these files below hdl (repeatable)", **words("GLOB")},
        "--count": {"type": positive, "metavar": "K", "help": "so many mutants (default: all)"},
        "--kind": {
            "action": "append", "default": [], "choices": KINDS, "help": "only these (repeatable)",
        },
        "--alone": {
            "action": "store_true",
            "help": "only unresolved mutants, each in a build of its own, with unknown values",
        },
        "--prove": {
            "type": seconds, "default": PROVE_SECONDS, "metavar": "TIME",
            "help": "try so long to prove each survivor equivalent (default: 20s)",
        },
        "--no-prove": {"action": "store_true", "help": "prove no survivor equivalent"},
    }  # fmt: skip

    def __init__(self) -> None:
        self._design: _Mutated | None = None
        self._broken: dict[str, str] = {}

    def design(self, call: Call) -> _Mutated:
        """Return the design of a call."""
        if self._design is None:
            hdl = call.hdl.resolve() if call.hdl else ROOT / "hdl"
            architectures = _architectures(call)
            self._design = _Mutated(call.context, hdl, architectures, tuple(call.file))
        return self._design

    def record(self, call: Call) -> Path:
        """See the base: beside the runs, because there is a line for each mutant."""
        return call.workspace.runs / RECORD

    def known(self, call: Call) -> Collection[str]:
        """See the base."""
        return self.design(call).by_id.keys()

    def chosen(self, call: Call) -> Mapping[str, str]:
        """See the base."""
        design = self.design(call)
        if call.fault:
            names = matching((m.id for m in design.mutants), call.fault, "mutant")
            found = [design.by_id[name] for name in names]
        elif call.alone:
            ends = last(read_results(call.record or self.record(call)))
            found = [m for m in design.mutants
                     if m.id in ends and ends[m.id].outcome == UNRESOLVED]  # fmt: skip
        else:
            found = selected(design.mutants, call.count, call.seed or 1)
        wanted = call.kind or KINDS
        return {m.id: m.change for m in found if kind(m) in wanted}

    def listed(self, call: Call, chosen: Mapping[str, str]) -> Iterator[str]:
        """See the base."""
        known = self.design(call).by_id
        yield from (f"{name}  {kind(known[name])}  {change}" for name, change in chosen.items())
        yield f"{len(chosen)} mutants"

    def against(self, call: Call, fault: str) -> Sequence[str]:
        """See the base."""
        return (UNKNOWN_VALUES if call.alone else LIST,)

    def jobs(self, call: Call, missing: Missing, folder: Path) -> list[PlannedJob]:
        """See the base; a mutant that is named runs against every job, and its folders stay."""
        design, named = self.design(call), bool(call.fault)
        mutants = [design.by_id[name] for name, _ in missing]
        against = UNKNOWN_VALUES if call.alone else LIST
        prove = 0.0 if call.no_prove else call.prove
        chains = Chains(design, self.name, against, prove, call.keep or named)
        if named:
            return chains.alone(mutants, design.everything, folder)
        if call.alone:
            return chains.alone(mutants, design.unknown_values, folder)
        jobs, self._broken = chains.many(mutants, folder, call.jobs)
        return jobs

    def decided(self, call: Call, missing: Missing) -> Iterable[Result]:
        """Yield the mutants that do not build together with others."""
        for name, why in self._broken.items():
            yield Result(fault=name, against=LIST, outcome=BROKEN, message=why)

    def restore(self, call: Call, folders: Collection[Path]) -> None:
        """See the base."""
        known = {folder_name(m): m for m in self.design(call).all_mutants}
        for folder in folders:
            if folder.name not in known:
                raise UsageError(f"{folder} is gone: begin anew")
            single_copy(self.design(call).hdl, known[folder.name], folder)

    def content(self, call: Call, result: Result) -> str:
        """See the base: of a killed mutant its file, of another one all designs and jobs."""
        design = self.design(call)
        mutant = design.by_id[result.fault]
        rest = design.texts[mutant.file] if result.outcome in (DETECTED, BROKEN) else design.whole
        return _hash([mutant.id, mutant.change, rest])

    def summary(self, results: Sequence[Result], faults: int, stale: Collection[str]) -> str:
        """See the base."""
        return verdict([*last(results).values()], faults, stale)

    def markdown(self, call: Call, results: Sequence[Result], stale: Collection[str]) -> str:
        """See the base."""
        return markdown(self.design(call).by_id, results, stale)


@dataclass
class _Mutated(Design):
    """A design whose mutants have results."""

    @cached_property
    def by_id(self) -> Mapping[str, Mutant]:
        """Mutants of every file by id."""
        return {mutant.id: mutant for mutant in self.all_mutants}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """A hash of each file."""
        return {name: _hash(source.text.decode()) for name, source in self.sources.items()}

    @cached_property
    def whole(self) -> str:
        """A hash of all files and jobs."""
        jobs = [{**as_json(planned.job), "launch": None} for planned in self.plan]
        return _hash([self.texts, jobs])


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _architectures(call: Call) -> tuple[str, ...]:
    """Return the selected architectures; with ``--slice`` that many, chosen by the seed."""
    names = chosen(call)["architecture"]
    known = hardware_architectures()
    if call.slice and call.slice < len(known):
        rng = random.Random(f"{call.seed or 1}/architectures")
        return tuple(sorted(rng.sample(names or sorted(known), call.slice)))
    return names


def tables(record: RunRecord) -> list[Table]:
    """Return the tables of a run's report."""
    facts = {str(case["name"]): case for job in record.jobs for case in job.planned.job.cases}
    found = {one.fault: one for one in results(record)}
    return [by_file(facts, found.values()), by_operator(facts, found.values())]
