"""Faults of proofs as a source: each proof must fail on a design with its faults."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from regress.cli.options import Call, chosen
from regress.cli.workspace import Workspace
from regress.core.errors import UsageError
from regress.core.plan import PlannedJob
from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.chain import Asked, linked
from verif.faults.campaign.command import words
from verif.faults.campaign.engine import Campaign, shuffled
from verif.faults.campaign.record import DETECTED, Result, last
from verif.faults.campaign.source import Missing, Source
from verif.faults.campaign.way import Process, State, Tried
from verif.faults.catalogue_source import matching, row, verdict_cells
from verif.formal.design import NoBuilder, found_prover, proof_job
from verif.formal.proof import Case, Injected
from verif.formal.registry import proofs
from verif.formal.run.prover import Prover
from verif.formal.run.prover import Result as Proved
from verif.formal.run.selection import Selection
from verif.library.edits.altered import altered
from verif.library.edits.places import FaultError

WAY = "verif.project.proof_source:tried"
STATES = {Proved.FAIL: State.DETECTED, Proved.PASS: State.MISSED, Proved.ERROR: State.BROKEN}
# Time of the process beside the prover.
MORE_SECONDS = 60.0


class Proofs(Source):
    """See :class:`verif.faults.campaign.source.Source`."""

    name = "proofs"
    noun = "faults of proofs"
    table = "<!-- table: faults of proofs -->"
    takes_hdl = True
    options: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "--proof": {"help": "only faults of this proof (repeatable)", **words("NAME")},
    }

    @cached_property
    def _every(self) -> dict[str, tuple[Case, Injected]]:
        return _named(Selection())

    def record(self, call: Call) -> Path:
        """See the base: beside the runs, because each night tries them all."""
        return call.workspace.runs / "proofs.jsonl"

    def workspace(self, call: Call) -> Workspace:
        """See the base: there is nothing to build."""
        return replace(call.workspace, find=found_prover, make_builder=NoBuilder)

    def known(self, call: Call) -> Collection[str]:
        """See the base."""
        return self._every.keys()

    def chosen(self, call: Call) -> Mapping[str, str]:
        """See the base."""
        found = _named(Selection(call.proof, chosen(call)["architecture"], call.width))
        self._every.update(found)  # widths other than the proofs' own
        names = matching(found, call.fault, "fault")
        return {name: found[name][1].says for name in shuffled(names, call.seed)}

    def against(self, call: Call, fault: str) -> Sequence[str]:
        """See the base."""
        return (self._every[fault][0].proof.name,)

    def jobs(self, call: Call, missing: Missing, folder: Path) -> list[PlannedJob]:
        """See the base."""
        hdl, found = call.hdl or ROOT / "hdl", []
        for name, (against,) in missing:
            case, injected = self._every[name]
            try:
                altered(hdl, [injected.change])
            except FaultError as error:
                raise UsageError(f"fault {name!r}: {error}") from None
            number = case.proof.injected.index(injected)
            facts = {
                "name": name, "says": injected.says, "proof": against, "number": number,
                "architecture": case.architecture, "width": case.width,
            }  # fmt: skip
            seconds = case.proof.timeout + MORE_SECONDS
            asked = Asked(source=self.name, against=against, way=WAY, job=case.name,
                          design=str(hdl.resolve()))  # fmt: skip
            jobs = [proof_job(call.context, case, seconds)]
            found += linked(jobs, [asked], f"fault{number + 1}", [facts], timeout=seconds)
        return found

    def restore(self, call: Call, folders: Collection[Path]) -> None:
        """See the base: each job makes its changed design."""

    def content(self, call: Call, result: Result) -> str:
        """See the base: the property, the fault, and of the design what decides the outcome."""
        case, injected = self._every[result.fault]
        module = injected.change.module
        sources = case.proof.sources(call.hdl or ROOT / "hdl")
        wanted = [
            path
            for path in sources
            if result.outcome != DETECTED or path.stem == module or "formal" in path.parts
        ]
        data = [injected.says, case.name, *(path.read_text() for path in wanted)]
        return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]

    def markdown(self, call: Call, results: Sequence[Result], stale: Collection[str]) -> str:
        """See the base."""
        ends = last(results)
        lines = ["| Proof | Fault | Found by | After | At | It says |"]
        lines += ["| --- | --- | --- | ---: | --- | --- |"]
        for name, (case, injected) in self._every.items():
            cells = verdict_cells(ends.get(name), name in stale)
            lines.append(row([f"`{case.proof.name}`", injected.says, *cells]))
        return "\n".join([*lines, ""])


def _named(selection: Selection) -> dict[str, tuple[Case, Injected]]:
    """Return case and fault by name: the case, and the number of the fault in its proof."""
    return {
        f"{case.name}/{case.proof.injected.index(injected) + 1}": (case, injected)
        for case, injected in selection.injected(proofs())
    }


def tried(process: Process, cases: Sequence[Mapping[str, Any]]) -> dict[str, Tried]:
    """Run the prover on a design with a fault, see :mod:`verif.faults.campaign.child`."""
    (facts,) = cases
    proof = proofs()[facts["proof"]]
    case = Case(proof, facts["architecture"], facts["width"])
    prover = Prover(process.folder, Path(process.asked.design), ProcessGroups())
    outcome = prover.run(case, proof.injected[facts["number"]])
    state = STATES.get(outcome.result, State.UNDECIDED)
    message = (
        outcome.detail if state is State.DETECTED else f"{outcome.result.value} {outcome.detail}"
    )
    return {facts["name"]: Tried(state, message.strip(), outcome.seconds)}


def run_injected(call: Call) -> int:
    """Run ``formal --faults``: the command ``faults --source proofs --again``."""
    call.axis_architecture, call.fault, call.show = call.arch, [], call.list
    call.record = call.resume = call.seed = call.scheduler = call.cluster = None
    call.budget, call.again, call.keep, call.report = 0.0, True, False, False
    call.write = None
    call.out = call.out / "red" if call.out else None
    return Campaign(Proofs(), call).run()
