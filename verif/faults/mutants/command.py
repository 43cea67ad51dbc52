"""Command ``mutate``: generate mutants of the design and run the environment against them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from models.registry import hardware_architectures
from regress.cli.options import (
    Call,
    add_axes,
    add_common,
    chosen,
    common,
    executor_from,
    positive,
    seconds,
    seed,
)
from regress.cli.reports import write_reports
from regress.cli.session import execute, load, resume
from regress.core.errors import UsageError
from regress.core.plan import Plan, PlannedJob
from regress.core.project import Project
from regress.core.terminal import FAILED, INTERRUPTED, PASSED, say
from regress.run.record import RunRecord, command_line
from verif.bench.configuration.design import ROOT
from verif.faults.mutants.design import KINDS, LIST, SOURCE, Design, kind
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.outcome import (
    BEGIN,
    BROKEN,
    EQUIVALENT,
    MUTANTS,
    Mutated,
    markdown,
    merged,
    show,
    survivors,
)
from verif.faults.mutants.plan import alone, campaign, met_by
from verif.faults.mutants.prove import Finding
from verif.faults.mutants.reprove import drop_stale, prove_all, proved_before, reprove
from verif.faults.mutants.select import selected
from verif.library.marked import write_table

DESIGNS_FOLDER, BUILDS_FOLDER = "designs", "builds"


def add_parser(commands: Any, project: Project) -> None:
    """Add the command ``mutate``."""
    parser = commands.add_parser("mutate", help="change the design in many ways: is it found?")
    add = parser.add_argument
    add_axes(parser, [project.axis("architecture")])
    add("--slice", type=positive, metavar="N",
        help="only so many architectures, chosen by the seed")  # fmt: skip
    add("--file", action="append", default=[], metavar="GLOB", help="only these files below hdl")
    add("--count", type=positive, metavar="K", help="so many mutants (default: all)")
    add("--seed", type=seed, default=1, metavar="S", help="chooses the mutants (default: 1)")
    add("--budget", type=seconds, default=0.0, metavar="TIME", help="stop after so long: 10m")
    add("--kind", action="append", default=[], choices=KINDS, help="only these (repeatable)")
    add("--mutant", action="append", default=[], metavar="ID",
        help="only this one, against every job; its simulations' folders stay")  # fmt: skip
    add("--survivors", type=Path, metavar="RUN",
        help="only what survived through this run, each alone, values may be unknown")  # fmt: skip
    add("--again", type=Path, metavar="RUN",
        help="only what survived through this run, against tests new in the list")  # fmt: skip
    add("--resume", type=Path, metavar="RUN", help="finish a run that was interrupted")
    add("--list", action="store_true", help="show the mutants and stop")
    add("--report", type=Path, nargs="+", metavar="RUN",
        help="show a run and stop; of several, all together")  # fmt: skip
    add("--prove", type=seconds, metavar="TIME",
        help="try so long to prove each survivor equivalent, and store what is proved")  # fmt: skip
    add("--reprove", type=seconds, metavar="TIME",
        help="prove every stored equivalence again, so long each; keep what is")  # fmt: skip
    add("--drop-stale", action="store_true",
        help="drop stored proofs of mutants that the design does not have, and stop")  # fmt: skip
    add("--write", type=Path, metavar="FILE", help=f"put the tables after {BEGIN!r} in this file")
    add_common(parser, project)
    parser.set_defaults(run=run)


def run(call: Call) -> int:
    """Run mutants, or list mutants, or report runs; return the exit code.

    Raises:
        UsageError: an option names something that does not exist.
    """

    def note(line: str) -> None:
        call.console.print(line, soft_wrap=True, markup=False)

    if call.drop_stale:
        note(f"{drop_stale(call.context)} proofs dropped")
        return PASSED
    design = Design(call.context, call.hdl or ROOT / "hdl", _architectures(call), tuple(call.file))
    if call.list:
        for mutant in design.mutants:
            note(f"{mutant.id}  {kind(mutant)}  {mutant.change}")
        note(f"{len(design.mutants)} mutants")
        return PASSED
    if call.report:
        records = [load(call.context, folder) for folder in call.report]
        for record, folder in zip(records, call.report, strict=True):
            if MUTANTS not in record.plan.options:
                raise UsageError(f"{folder}: no run of mutants")
    else:
        out = call.resume or call.out or call.workspace.runs / f"mutants-{_stamp()}"
        call.workspace = replace(call.workspace, builds=out.absolute() / BUILDS_FOLDER)
        if call.reprove:
            out.mkdir(parents=True, exist_ok=True)
            reprove(design, out, call.reprove, call.jobs, note)
            return PASSED
        if call.resume:
            executor = executor_from(call)
            records = [resume(out, call.jobs, call.workspace, call.console, executor)]
        else:
            records = [_execute(call, design, out.absolute())]
    found = merged(records)
    if call.prove or call.report:
        survived = survivors(found.values())
        if call.prove:
            left, folder = _mutants(design, survived), records[0].folder
            proofs = prove_all(left, design, folder, call.prove, call.jobs, note)
        else:
            proofs = proved_before(_same(design.all_mutants, survived), design)
        _note(records[-1], proofs, found)
        found = merged(records)
    if call.report:
        found = _still_there(design, found, note)
    shown = list(found.values())
    show(call.console, shown)
    if call.write:
        write_table(call.write, markdown(records, shown), BEGIN)
    for record in records:
        say(call.console, f"report: {record.folder}/report.html")
    if any(record.interrupted for record in records):
        return INTERRUPTED
    good = not survivors(shown) and all(record.passed or call.prove for record in records)
    return PASSED if good else FAILED


def _execute(call: Call, design: Design, out: Path) -> RunRecord:
    chosen_ones, proved = _chosen(call, design)
    folder = out / DESIGNS_FOLDER
    if folder.exists():
        raise UsageError(f"{out} holds a run already; --resume {out}, or another --out")
    broken: dict[str, str] = {}
    jobs: list[PlannedJob]
    if call.mutant:
        jobs = alone(design.hdl, chosen_ones, design.everything, folder, keep=True)
    elif call.survivors:
        jobs = alone(design.hdl, chosen_ones, design.unknown_values, folder)
    else:
        had = met_by(load(call.context, call.again)) if call.again else ()
        jobs, broken = campaign(design, chosen_ones, folder, call.jobs, had)
    if call.again and not jobs:
        raise UsageError(
            f"--again {call.again}: list {LIST} has no test that is new to what survived"
        )
    if not jobs:
        raise UsageError("no mutant to run")
    by_id = {mutant.id: mutant for mutant in design.all_mutants}
    return execute(
        Plan(
            name="mutants",
            description=f"{len(chosen_ones)} small changes of the design",
            command=command_line(call.argv),
            options={
                MUTANTS: len(chosen_ones),
                EQUIVALENT: _facts(proved, by_id),
                BROKEN: _facts(broken, by_id),
                "hdl": str(call.hdl) if call.hdl else None,
            },
            seed=call.seed,
            jobs=tuple(jobs),
            budget=call.budget,
            hdl=call.hdl,
            waves=False,
            apart="changes of the design",
        ),
        explicit_simulators=False,
        **{**common(call), "out": out},
    )


def _chosen(call: Call, design: Design) -> tuple[list[Mutant], Mapping[str, str]]:
    """Return the mutants to run, and the proof method of each mutant proved equivalent."""
    if call.mutant:
        known = {mutant.id: mutant for mutant in design.mutants}
        for name in call.mutant:
            if name not in known:
                raise UsageError(f"no mutant {name!r}; --list shows them")
        return [known[name] for name in call.mutant], {}
    if earlier := call.survivors or call.again:
        found = _same(design.mutants, survivors(merged([load(call.context, earlier)]).values()))
        if call.again:  # other kinds run few tests, on Icarus, in their own builds
            found = [mutant for mutant in found if kind(mutant) == SOURCE]
    else:
        wanted = tuple(call.kind) or KINDS
        found = selected(design.mutants, call.count, call.seed)
        found = [mutant for mutant in found if kind(mutant) in wanted]
    proved = {name: proof.method for name, proof in proved_before(found, design).items()}
    return [mutant for mutant in found if mutant.id not in proved], proved


def _facts(why: Mapping[str, str], known: Mapping[str, Mutant]) -> list[dict[str, str]]:
    return [
        {"name": name, "why": reason, "file": m.file, "operator": m.operator, "change": m.change}
        for name, reason in why.items()
        for m in [known[name]]
    ]


def _still_there(
    design: Design, found: Mapping[str, Mutated], note: Callable[[str], None]
) -> dict[str, Mutated]:
    """Return the mutants of a run that also exist in the present design."""
    there = {mutant.id for mutant in _same(design.all_mutants, found.values())}
    if gone := len(found) - len(there):
        note(f"not in the design any more, and not counted: {gone} of {len(found)} mutants")
    return {name: one for name, one in found.items() if name in there}


def _same(mutants: Iterable[Mutant], found: Iterable[Mutated]) -> list[Mutant]:
    """Return the mutants that match by place and by change, because the design may have changed."""
    known = {(one.id, one.change) for one in found}
    return [mutant for mutant in mutants if (mutant.id, mutant.change) in known]


def _mutants(design: Design, survived: Sequence[Mutated]) -> list[Mutant]:
    known = {mutant.id: mutant for mutant in design.all_mutants}
    gone = [one.id for one in survived if one.id not in known]
    if gone:
        raise UsageError(f"{gone[0]}: not in the design any more; run the mutants again")
    return [known[one.id] for one in survived]


def _note(record: RunRecord, proofs: Mapping[str, Finding], found: Mapping[str, Mutated]) -> None:
    """Add the proved and the rejected survivors to a run and to its reports."""
    for name, finding in proofs.items():
        one = found[name]
        key = EQUIVALENT if finding.proved else BROKEN if finding.rejected else ""
        if key:
            facts = {"name": name, "why": finding.method, "file": one.file,
                     "operator": one.operator, "change": one.change}  # fmt: skip
            options = record.plan.options
            options[key] = [*options.get(key, ()), facts]
    record.plan.write(record.folder)
    write_reports(record)


def _architectures(call: Call) -> tuple[str, ...]:
    """Return the selected architectures; with ``--slice`` that many, chosen by the seed."""
    names = chosen(call)["architecture"]
    known = hardware_architectures()
    if call.slice and call.slice < len(known):
        rng = random.Random(f"{call.seed}/architectures")
        return tuple(sorted(rng.sample(names or sorted(known), call.slice)))
    return names


def _stamp() -> str:
    return datetime.now().strftime("%Y%m%d-%H%M%S")
