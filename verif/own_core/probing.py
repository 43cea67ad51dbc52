"""``python -m regress check --probe FILE``: measure what a core description leaves out."""

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
from regress.core.cases import Case, CaseStatus
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan, PlannedJob, planned_job
from regress.core.point import Point
from regress.core.terminal import INTERRUPTED, PASSED, say
from regress.report.console import show_end, show_problems
from regress.run.record import RunRecord, command_line
from regress.simulators import DEFAULT
from regress.simulators.icarus import Icarus
from verif.own_core.core import Core
from verif.own_core.description import Claims, CoreDescription
from verif.own_core.draw import Operation
from verif.own_core.explain import Seen
from verif.own_core.icarus_limits import check_simulators, lost_values
from verif.own_core.jobs import JOB_SECONDS, check_jobs
from verif.own_core.ports import show_ports
from verif.own_core.probe import FULL, Analysis, Findings, probe_operations, probe_widths
from verif.own_core.project import NOTED, PROBE

# Simulator for small widths, where compiling takes longer than simulating; wider cores run on the
# default simulator.
QUICK = Icarus.name
MOST_QUICK_WIDTH = 96
SUFFIX = ".proposed.yaml"
HEAD = "# Proposed by regress check --probe; what it measured holds for the operations it tried.\n"
# Claims that are tested one by one, and their names in a verdict.
TRIED: Mapping[str, tuple[str, Any]] = {
    "reset": ("reset in mid-operation", True),
    "start_while_busy": ("start while busy is ignored", "ignored"),
    "operands": ("operands may change after the start", "sampled"),
}


def probe(call: Call, core: Core) -> int:
    """Measure, print and write the proposal; return the exit code.

    Raises:
        UsageError: nothing explains the results.
    """
    description = core.description
    target = core.path.with_name(core.path.stem + SUFFIX)
    if target.exists() and not target.read_text(encoding="utf-8").startswith(HEAD):
        raise UsageError(f"{target} exists and is not a proposal; move it away")
    widths = list(call.width) or probe_widths(description)
    for width in widths:
        core.check_width(width)
    show_ports(call.console, core, widths)
    check_simulators(core, call.sim)
    prober = Prober(call, core)
    found = prober.measured(widths)
    merged = _merged(description, found)
    known = sorted(prober.explained)
    ends = sorted({known[index] for index in (0, len(known) // 2, -1)})
    prober.try_claims(found, ends)
    merged = _merged(description, found)
    target.write_text(_text(merged, found, description), encoding="utf-8")
    _show(call.console, description, found)
    say(call.console, f"proposal: {target}")
    return INTERRUPTED if prober.interrupted else PASSED


class Prober:
    """Runs the measurements of a probe.

    Args:
        call: call of the command.
        core: core to measure.

    Attributes:
        explained: widths whose results have an explanation.
        interrupted: the user ended a run; no other one begins.
    """

    def __init__(self, call: Call, core: Core) -> None:
        self._call, self._core = call, core
        self._bare = Core(core.path, _bare(core.description))
        has_quick = bool(call.workspace.find([QUICK])[0]) and not lost_values(core)
        self._quick = call.sim[0] if call.sim else QUICK if has_quick else DEFAULT
        self._runs = 0
        self.explained: set[int] = set()
        self.interrupted = False

    def measured(self, widths: Sequence[int]) -> Findings:
        """Run the operations at some widths and return the findings.

        If the quick simulator cannot compile the core, or nothing explains its results, the default
        simulator is tried.

        Raises:
            UsageError: no simulator gives results that have an explanation.
        """
        first = {width: self._simulator(width) for width in widths}
        seen = self._seen(first)
        missing = [width for width in widths if not seen[width].get(FULL)]
        problem = f"nothing was measured at {', '.join(map(str, missing))} bits"
        if len(missing) < len(widths):
            try:
                found = self._told(seen)
            except UsageError as error:
                problem, missing = str(error), list(widths)
            else:
                if not missing:
                    return found
        again = [width for width in missing if first[width] != DEFAULT]
        if self._call.sim or not again or self.interrupted:
            if len(missing) < len(widths):
                return found
            raise UsageError(problem)
        say(self._call.console, f"on {self._quick} {problem}; trying {DEFAULT}", "yellow")
        self._quick = DEFAULT
        return self._told({**seen, **self._seen(dict.fromkeys(again, DEFAULT))})

    def _told(self, seen: Mapping[int, Mapping[str, Sequence[Seen]]]) -> Findings:
        analysis = Analysis(self._bare.description, seen)
        found = analysis.findings()
        self.explained = analysis.widths
        return found

    def try_claims(self, found: Findings, widths: Sequence[int]) -> None:
        """Add the claims that hold at some widths.

        A second start has other operands only if the core samples its operands. If they must be
        held, it is tested again with the same operands.
        """
        for claims in (TRIED, {"start_while_busy": TRIED["start_while_busy"]}):
            if self.interrupted:
                return
            trial = _claiming(_merged(self._core.description, found), claims)
            core = Core(self._core.path, CoreDescription.model_validate_json(json.dumps(trial)))
            names = [name for name, _ in claims.values()]
            plan = [
                job
                for width in widths
                for job in check_jobs(
                    self._call.context,
                    core,
                    [width],
                    [self._simulator(width)],
                    "smoke",
                    self._call.seed,
                    names,
                )
            ]
            record = self._run("claims", plan)
            _add_tried(found, claims, [case for job in record.jobs for case in job.cases], widths)
            if "operands" in found.description["claims"]:
                return

    def _simulator(self, width: int) -> str:
        """Return the simulator: compiling dominates at small widths, simulating at large ones."""
        wide = width > MOST_QUICK_WIDTH and not self._call.sim
        return DEFAULT if wide else self._quick

    def _seen(self, simulators: Mapping[int, str]) -> dict[int, dict[str, list[Seen]]]:
        """Return the observed operations at some widths, including those of aborted jobs."""
        context = self._call.context
        name = context.project.black_boxes.keep(self._bare)
        jobs = [
            _job(context, self._bare.description, name, width, simulator, self._call.seed)
            for width, simulator in simulators.items()
        ]
        record = self._run("probe", jobs)
        if exit_code(record) or record.stopped:
            show_problems(self._call.console, record)
            show_end(self._call.console, record)
        found: dict[int, dict[str, list[Seen]]] = {width: {} for width in simulators}
        for job in record.jobs:
            width = job.planned.job.point["width"]
            found[width] = _of_job(job)
            for note in dict.fromkeys(case.note for case in job.cases if NOTED in case.note):
                say(self._call.console, f"{width} bits: {note.removeprefix(NOTED)}")
        return found

    def _run(self, name: str, plan: Sequence[PlannedJob]) -> RunRecord:
        call, description = self._call, self._core.description
        self._runs += 1
        asked = Plan(
            name=f"{description.name}-{name}",
            source=str(call.file),
            description=f"{name} of {description.computes} core {description.name}",
            command=command_line(call.argv),
            seed=call.seed,
            jobs=tuple(plan),
            budget=call.budget or 0.0,
            hdl=call.hdl,
            waves=False,
            apart=f"{name} of {call.file}",
        )
        out = call.out and call.out / f"{name}-{self._runs}"
        record = execute(asked, **{**common(call), "out": out})
        self.interrupted = self.interrupted or record.interrupted
        return record


def _bare(description: CoreDescription) -> CoreDescription:
    """Return the entries needed to run operations: all are legal, and only the time is claimed."""
    claims = Claims(reduced=False, latency=description.claims.latency)
    return description.model_copy(update={"claims": claims, "watch": (), "status": None})


def _job(
    context: Context, description: CoreDescription, name: str, width: int, simulator: str, seed: int
) -> PlannedJob:
    operations = probe_operations(description, width, Random(seed))
    cases = tuple(
        {"name": kind, "operations": [one.plain for one in some]}
        for kind, some in operations.items()
    )
    point = Point({"architecture": name, "width": width, "parameters": {}})
    job = Job(PROBE, point, simulator, seed, cases=cases)
    return planned_job(context, job, 1, JOB_SECONDS["smoke"])


def _of_job(job: JobRecord) -> dict[str, list[Seen]]:
    """Return the operations that a job has run, by kind; the job may have been aborted."""
    asked = {case["name"]: case["operations"] for case in job.planned.job.cases}
    return {
        case.name: [
            Seen(Operation.read(values), *([int(v, 0) for v in seen] or (None, None)))
            for values, seen in zip(asked[case.name], case.facts["seen"], strict=False)
        ]
        for case in job.cases
        if case.facts.get("seen")
    }


def _given(description: CoreDescription) -> dict[str, Any]:
    """Return the content of the file."""
    return description.model_dump(mode="json", exclude_unset=True)


def _merged(description: CoreDescription, found: Findings) -> dict[str, Any]:
    """Return the content of the file, completed by measured values."""
    given = _given(description)
    for key, value in found.description.items():
        if isinstance(value, dict):
            given[key] = {**value, **given.get(key, {})}
        else:
            given.setdefault(key, value)
    return given


def _claiming(merged: dict[str, Any], tried: Mapping[str, tuple[str, Any]]) -> dict[str, Any]:
    claims = {name: value for name, (_, value) in tried.items()}
    return {**merged, "claims": {**merged.get("claims", {}), **claims}}


def _add_tried(
    found: Findings,
    tried: Mapping[str, tuple[str, Any]],
    cases: Sequence[Case],
    widths: Sequence[int],
) -> None:
    """Add the claims that hold; a claim whose test did not end does not hold."""
    for claim, (name, value) in tried.items():
        own = [case for case in cases if case.name == name]
        broken = [case.message for case in own if case.status is CaseStatus.FAILED]
        if broken:
            found.evidence[f"claims.{claim}"] = broken[0]
        elif len(own) < len(widths) or any(one.status is not CaseStatus.PASSED for one in own):
            found.evidence[f"claims.{claim}"] = "not tried to the end"
        else:
            text = f"held at {', '.join(map(str, widths))} bits"
            found.add(f"claims.{claim}", value, text)


def _differing(description: CoreDescription, found: Findings) -> Iterator[tuple[str, Any, Any]]:
    """Yield key, measured value and value in the file; None if not measured or not in the file."""
    given = _given(description)
    for key in found.evidence:
        part, _, name = key.rpartition(".")
        measured = (found.description.get(part, {}) if part else found.description).get(name)
        said = (given.get(part, {}) if part else given).get(name)
        yield key, measured, said


def _text(merged: dict[str, Any], found: Findings, description: CoreDescription) -> str:
    lines = [f"# {key}: {text}\n" for key, text in found.evidence.items()]
    for key, measured, said in _differing(description, found):
        if said is not None and measured is not None and said != measured:
            lines.append(f"# {key}: kept as it was; measured is {measured}\n")
    return HEAD + "".join(lines) + yaml.safe_dump(merged, sort_keys=False, width=100)


def _show(console: Console, description: CoreDescription, found: Findings) -> None:
    table = Table(title=f"{description.name}: measured")
    for column in ("fact", "measured", "the file says", "seen"):
        table.add_column(column)
    for key, measured, said in _differing(description, found):
        shown = ["–" if value is None else str(value).lower() for value in (measured, said)]
        style = "bold red" if None not in (measured, said) and shown[0] != shown[1] else ""
        table.add_row(key, *shown, found.evidence[key], style=style)
    console.print(table)
