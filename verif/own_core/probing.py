"""``python -m regress check --probe FILE``: measures what a file of facts leaves out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from regress.cli.options import Call, common
from regress.cli.session import execute, exit_code
from regress.core.cases import Case
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.plan import Plan, PlannedJob, planned_job
from regress.core.point import Point
from regress.core.terminal import FAILED, say
from regress.report.console import show_end, show_problems
from regress.run.record import RunRecord, command_line
from regress.simulators import DEFAULT
from regress.simulators.icarus import Icarus
from verif.own_core.check import JOB_SECONDS, check_jobs
from verif.own_core.draw import Operation
from verif.own_core.facts import Claims, Core, Facts
from verif.own_core.probe import Analysis, Findings, Seen, probe_operations, probe_widths
from verif.own_core.project import PROBE

# At small widths compiling takes longer than simulating.
QUICK = Icarus.name
SUFFIX = ".proposed.yaml"
HEAD = "# Proposed by regress check --probe; what it measured holds for the operations it tried.\n"
# Claims that are tried one by one, and what they are called in a verdict.
TRIED: Mapping[str, tuple[str, Any]] = {
    "reset": ("reset in mid-operation", True),
    "start_while_busy": ("start while busy is ignored", "ignored"),
    "operands": ("operands may change behind the start", "sampled"),
}
# Of the widths that were measured.
TRIED_WIDTHS = (0, -1)


def probe(call: Call, core: Core) -> int:
    """Measure, show and write the proposal; returns the exit code.

    Raises:
        UsageError: something that cannot be measured is missing, or nothing explains the results.
    """
    facts = core.facts
    target = core.path.with_name(core.path.stem + SUFFIX)
    if target.exists() and not target.read_text(encoding="utf-8").startswith(HEAD):
        raise UsageError(f"{target} exists and is no proposal; move it away")
    if "r_squared" in facts.constants and "k" not in facts.model_fields_set:
        raise UsageError(f"{core.path}: k is missing: without it nobody can supply r_squared")
    widths = list(call.width) or probe_widths(facts)
    simulators = call.sim or ((QUICK if call.workspace.find([QUICK])[0] else DEFAULT),)

    def run(name: str, plan: Sequence[PlannedJob]) -> RunRecord:
        asked = Plan(
            name=f"{facts.name}-{name}",
            source=str(call.file),
            description=f"{name} of {facts.computes} core {facts.name}",
            command=command_line(call.argv),
            seed=call.seed,
            jobs=tuple(plan),
            budget=call.budget or 0.0,
            hdl=call.hdl,
            waves=False,
            apart=f"{name} of {call.file}",
        )
        machines = {**common(call), "out": call.out and call.out / name}
        return execute(asked, **machines)

    bare = Core(core.path, _bare(facts))
    record = run("probe", _jobs(call.context, bare, widths, simulators[0], call.seed))
    if exit_code(record) or record.stopped:  # it did not compile, or ended nowhere
        show_problems(call.console, record)
        show_end(call.console, record)
        return exit_code(record) or FAILED
    found = Analysis(bare.facts, _seen(record)).findings()
    merged = _merged(facts, found)
    ends = sorted({widths[index] for index in TRIED_WIDTHS})
    trial = Core(core.path, Facts.model_validate_json(json.dumps(_claiming_all(merged))))
    names = [name for name, _ in TRIED.values()]
    plan = check_jobs(call.context, trial, ends, simulators[:1], "smoke", call.seed, names)
    cases = [case for job in run("claims", plan).jobs for case in job.cases]
    _add_tried(found, cases, ends)
    merged = _merged(facts, found)
    target.write_text(_text(merged, found, facts), encoding="utf-8")
    _show(call.console, facts, found)
    say(call.console, f"proposal: {target}")
    return 0


def _bare(facts: Facts) -> Facts:
    """What is needed to run operations: nothing is claimed, any of them may be tried."""
    update: dict[str, Any] = {"claims": Claims(reduced=False), "watch": (), "status": None}
    if facts.is_product:
        update["k"] = "0"
    return facts.model_copy(update=update)


def _jobs(
    context: Context, core: Core, widths: Sequence[int], simulator: str, seed: int
) -> list[PlannedJob]:
    name = context.project.black_boxes.keep(core)
    jobs = []
    for width in widths:
        core.check_width(width)
        operations = probe_operations(core.facts, width, Random(seed))
        cases = [
            {"name": name, "operations": [one.plain for one in some]}
            for name, some in operations.items()
        ]
        point = Point({"architecture": name, "width": width, "parameters": {}})
        job = Job(PROBE, point, simulator, seed, cases=tuple(cases))
        jobs.append(planned_job(context, job, 1, JOB_SECONDS["smoke"]))
    return jobs


def _seen(record: RunRecord) -> dict[int, dict[str, list[Seen]]]:
    found: dict[int, dict[str, list[Seen]]] = {}
    for job in record.jobs:
        asked = {case["name"]: case["operations"] for case in job.planned.job.cases}
        found[job.planned.job.point["width"]] = {
            case.name: [
                Seen(Operation.read(values), *([int(v, 0) for v in seen] or (None, None)))
                for values, seen in zip(asked[case.name], case.facts["seen"], strict=True)
            ]
            for case in job.cases
        }
    return found


def _given(facts: Facts) -> dict[str, Any]:
    """What the file says."""
    return facts.model_dump(mode="json", exclude_unset=True)


def _merged(facts: Facts, found: Findings) -> dict[str, Any]:
    """What the file says, and what was measured where it says nothing."""
    given = _given(facts)
    for key, value in found.facts.items():
        if isinstance(value, dict):
            given[key] = {**value, **given.get(key, {})}
        else:
            given.setdefault(key, value)
    return given


def _claiming_all(merged: dict[str, Any]) -> dict[str, Any]:
    claims = {name: value for name, (_, value) in TRIED.items()}
    return {**merged, "claims": {**merged.get("claims", {}), **claims}}


def _add_tried(found: Findings, cases: Sequence[Case], widths: Sequence[int]) -> None:
    """Add the claims that hold."""
    for claim, (name, value) in TRIED.items():
        broken = [case.message for case in cases if case.name == name and case.message]
        if broken:
            found.evidence[f"claims.{claim}"] = broken[0]
        else:
            text = f"held at {' and '.join(map(str, widths))} bits"
            found.add(f"claims.{claim}", value, text)


def _differing(facts: Facts, found: Findings) -> Iterator[tuple[str, Any, Any]]:
    """Key, what was measured, what the file says; None where nothing was, or it says nothing."""
    given = _given(facts)
    for key in found.evidence:
        part, _, name = key.rpartition(".")
        measured = (found.facts.get(part, {}) if part else found.facts).get(name)
        said = (given.get(part, {}) if part else given).get(name)
        yield key, measured, said


def _text(merged: dict[str, Any], found: Findings, facts: Facts) -> str:
    lines = [f"# {key}: {text}\n" for key, text in found.evidence.items()]
    for key, measured, said in _differing(facts, found):
        if said is not None and measured is not None and said != measured:
            lines.append(f"# {key}: kept as it was; measured is {measured}\n")
    return HEAD + "".join(lines) + yaml.safe_dump(merged, sort_keys=False, width=100)


def _show(console: Console, facts: Facts, found: Findings) -> None:
    table = Table(title=f"{facts.name}: measured")
    for column in ("fact", "measured", "the file says", "seen"):
        table.add_column(column)
    for key, measured, said in _differing(facts, found):
        shown = ["–" if value is None else str(value).lower() for value in (measured, said)]
        style = "bold red" if None not in (measured, said) and shown[0] != shown[1] else ""
        table.add_row(key, *shown, found.evidence[key], style=style)
    console.print(table)
