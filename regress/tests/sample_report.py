"""Runs that never ran, to look at their reports.

``python -m regress.tests.sample_report FOLDER --failures 300`` writes one into FOLDER.
"""

from __future__ import annotations

import argparse
import os
import random
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from regress.cli.reports import write_reports
from regress.core.buildrecord import BuildOutcome
from regress.core.jobfile import JobResult
from regress.core.jobrecord import JobRecord
from regress.core.listformat import ExpectedFailure
from regress.core.loading import ROOT_VARIABLE
from regress.core.plan import BuildPoint, Plan, PlannedJob, planned_job
from regress.core.runfile import Disagreement, GrowthPoint, Rerun, Status
from regress.coverage.code import KINDS, CodeCoverage, Point
from regress.coverage.exclusions import Exclusions, exclusions_format
from regress.coverage.functional import Group, check_goals
from regress.history.database import HISTORY_FILE, History
from regress.run.buckets import buckets
from regress.run.record import RunRecord, command_line
from regress.run.reruns import name_commands
from regress.simulators import BOTH
from regress.tests.conftest import CONTEXT, PROJECT
from regress.tests.stand_in import ARCHITECTURES, defaults, job_of

TESTS = ("random", "corners", "bus", "bad_input", "reset", "raw", "throughput", "exp_random")
WIDTHS = (8, 16, 32, 64)
GROUPS = {"modulus": 6, "operand": 49, "core_state_arc": 12, "table_address": 64}
# Distinct kinds of failure: letters, as numbers make no kind.
LETTERS = "abcdefghijklmnopqrstuvwxyz"
STARTED = datetime(2026, 3, 2, 1, 0).astimezone()


def sample_record(
    folder: Path,
    jobs: int = 200,
    failures: int = 0,
    kinds: int = 1,
    picture_bytes: int = 20_000,
    night: int = 0,
    eventful: bool = False,
) -> RunRecord:
    """A finished run with all that a report can show.

    Args:
        folder: of the run; its pictures are written there.
        jobs: how many.
        failures: how many of them failed.
        kinds: buckets they are in, at most 26.
        picture_bytes: size of each bucket's picture; 0 for none.
        night: days since the first run.
        eventful: also has jobs not run, an expected failure, lost attempts, disagreements of
            simulators, a goal not met and a failure that did not come again.
    """
    dice = random.Random(night)
    folder.mkdir(parents=True, exist_ok=True)
    plan = [_job(number) for number in range(jobs)]
    # Failures are spread over the plan; the same jobs fail each night.
    failing = {number * jobs // failures: number for number in range(failures)}
    records = [
        _failed(planned, failing[number] % kinds) if number in failing else _passed(planned, dice)
        for number, planned in enumerate(plan)
    ]
    asked = Plan(
        name="nightly",
        source="verif/lists/nightly.yaml",
        description="every test on every architecture, as many seeds as an hour allows",
        command=command_line(["run", "nightly"]),
        seed=1,
        jobs=tuple(plan),
        goals=tuple(GROUPS),
        budget=3600.0,
        started=STARTED + timedelta(days=night),
    )
    record = RunRecord(
        CONTEXT,
        asked,
        folder,
        {},
        seconds=3000.0 + 20 * dice.random(),
        finished=True,
        workers=2,
        builds=[BuildOutcome(point, folder, night > 0, 9.5) for point in _points(plan)],
        jobs=records,
    )
    _cover(record, complete=not eventful)
    _measure_code(record)
    if eventful:
        _add_events(record)
    record.buckets = buckets(PROJECT, record.jobs)
    name_commands(PROJECT, record.buckets, asked)
    for number, bucket in enumerate(record.buckets):
        bucket.rerun = _rerun(folder, bucket.jobs[0], number, picture_bytes)
        bucket.reproducible = True
    if eventful and record.buckets:
        last = record.buckets[-1]
        last.reproducible = False
        last.rerun = Rerun(Status.PASSED, "", last.rerun.folder if last.rerun else "")
    return record


def _job(number: int) -> PlannedJob:
    names = list(ARCHITECTURES)
    number, test = divmod(number, len(TESTS))
    number, name = divmod(number, len(names))
    seed, width = divmod(number, len(WIDTHS))
    wide = WIDTHS[width]
    job = job_of(
        test=TESTS[test],
        architecture=names[name],
        width=wide,
        simulator=BOTH[width == 0 and seed % 2],
        seed=1_000_000_007 * (seed + 1) % 2**31,
        operations=500,
        parameters=defaults(TESTS[test], names[name]),
    )
    planned = planned_job(CONTEXT, job, seed + 1, 60.0)
    return replace(planned, entry="nightly.yaml:8")


def _points(plan: list[PlannedJob]) -> list[BuildPoint]:
    return list(dict.fromkeys(planned.point for planned in plan))


def _passed(planned: PlannedJob, dice: random.Random) -> JobRecord:
    seconds = 1.5 + 3 * dice.random()
    result = JobResult(operations=500, cycles=40_000, wall_seconds=seconds - 1, sim_time_ns=4e5)
    folder = f"jobs/{planned.id}/attempt-1"
    return JobRecord(planned, Status.PASSED, "", seconds, folder, result)


def _failed(planned: PlannedJob, kind: int) -> JobRecord:
    job = planned.job
    operands = f"x=0x{job.seed:x} y=0x{job.seed * 3:x} m=0x{job.seed * 5 | 1:x}"
    message = (
        f"{job.point['architecture']} {job.point['width']} bits at 123450 ns: {operands}: "
        f"product differs in digit {LETTERS[kind]}: S + C is 0x{job.seed:x} <mod m> & expected 0x0"
    )
    result = JobResult(
        operations=500, failures=[message], failure_times=[123450.0], cycles=40_000,
        sim_time_ns=4e5, wall_seconds=1.0,
    )  # fmt: skip
    return JobRecord(planned, Status.FAILED, message, 2.5, f"jobs/{planned.id}/attempt-1", result)


def _rerun(run: Path, job: JobRecord, number: int, size: int) -> Rerun:
    folder = f"jobs/{job.planned.id}/waves-1"
    if not size:
        return Rerun(Status.FAILED, job.message, folder, note="no FST file was written")
    picture = f"{folder}/failure.svg"
    (run / folder).mkdir(parents=True, exist_ok=True)
    (run / picture).write_text(_waves(job, number, size))
    return Rerun(
        Status.FAILED,
        job.message,
        folder,
        picture,
        f"{folder}/waves.fst",
        "s_o 0x3 instead of 0x2 at 123400 ns",
    )


def _waves(job: JobRecord, number: int, size: int) -> str:
    """A drawing of so many bytes that looks like a waveform."""
    dice = random.Random(number)
    names = ("clk_i", "start_i", "x_i", "y_i", "table_address", "s_o", "c_o", "state")
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 220" font-family="monospace"'
        ' font-size="11" data-moment="0.6222"><style>rect{fill:none}'
        "@media (prefers-color-scheme:dark){svg{color-scheme:light dark}text{fill:#e3e6ea}}"
        "</style>"
    ]
    y = 0
    while sum(map(len, lines)) < size:
        name = names[y % len(names)]
        base = 20 + 25 * (y % len(names))
        steps = "".join(f"H{x}V{base - dice.choice((0, 12))}" for x in range(110, 900, 30))
        lines.append(f'<path d="M110 {base}{steps}" fill="none" stroke="#187a3c"/>')
        if y < len(names):
            lines.append(f'<text x="4" y="{base}">{name}</text>')
        y += 1
    lines.append('<path d="M560 0V220" stroke="#b3261e"/></svg>')
    return "\n".join(lines)


def _cover(record: RunRecord, complete: bool) -> None:
    names = sorted({job.planned.job.subject for job in record.jobs})
    for name in names:
        groups = {}
        for group, size in GROUPS.items():
            bins = {f"{group} {number}": 3 for number in range(size)}
            goal = set(bins)
            if not complete and group == "table_address" and name == names[0]:
                bins = dict(list(bins.items())[:-3])
            groups[group] = Group(bins, goal)
        groups["idle_cycles"] = Group({"0": 4, "1": 2})
        record.coverage[name] = groups
    record.goals = check_goals(
        PROJECT, record.coverage, list(GROUPS), [(name, "multiplier") for name in names]
    )
    total = sum(group.score.hit for groups in record.coverage.values() for group in groups.values())
    passed = [job for job in record.jobs if job.status is Status.PASSED]
    for number in range(1, len(passed) + 1):
        share = 1 - 0.5 ** (12 * number / len(passed))
        record.growth.append(
            GrowthPoint(record.seconds * number / len(passed), 500 * number, round(total * share))
        )
    if record.growth:
        record.growth[-1] = record.growth[-1]._replace(hit=total)


def _measure_code(record: RunRecord) -> None:
    """Code coverage with one hole and one exclusion a file."""
    for name in ARCHITECTURES:
        file = f"hdl/multipliers/{name}.sv"
        points = [Point(file, line, 1, kind, kind) for kind in KINDS for line in range(30, 50)]
        record.code[name] = CodeCoverage({point: point.line - 30 for point in points})
    why = "S + C < 2^(n+2) by the invariant of verif/formal"
    (excluded,) = exclusions_format(PROJECT).model_validate({
        "bins": ({"group": "carries", "bin": "top carry", "reason": why, "architecture": "mm42",
                  "width": 8},),
        "code": (),
    }).bins  # fmt: skip
    path = PROJECT.root / PROJECT.exclusions
    record.exclusions = Exclusions(path, ((12, excluded),))


def _add_events(record: RunRecord) -> None:
    """All that may happen besides success and failure."""
    jobs = record.jobs
    for number in range(len(jobs) - len(jobs) // 10, len(jobs)):
        if jobs[number].status is Status.PASSED:
            reason = "time budget of 60 min used up"
            jobs[number] = JobRecord(jobs[number].planned, Status.NOT_RUN, reason)
    passed = [number for number, job in enumerate(jobs) if job.status is Status.PASSED]
    lost, expected, skipped, one, other, *_ = passed
    jobs[lost] = replace(jobs[lost], lost=("the worker tcp://10.0.0.7:4021 was lost",))
    reason = ExpectedFailure("an open defect of the core, see issue 12", "product differs")
    jobs[expected] = replace(
        jobs[expected],
        planned=replace(jobs[expected].planned, expected=reason),
        status=Status.EXPECTED_FAILURE,
        message=f"{reason.reason}: product differs in digit 3",
    )
    jobs[skipped] = JobRecord(jobs[skipped].planned, Status.SKIPPED, "Icarus Verilog not found")
    record.problems_of_coverage = ["jobs/x/coverage.dat:17: not a coverage point"]
    record.stopped = "time budget of 60 min used up"
    record.compared = 24
    pair = (jobs[one], jobs[other])
    record.disagreements = [
        Disagreement(
            (pair[0].planned.id, pair[1].planned.id),
            "operation 17: 41 cycles on verilator, 42 on icarus",
            tuple(_rerun(record.folder, job, number, 8_000) for number, job in enumerate(pair)),
        )
    ]


def write_sample(folder: Path, jobs: int, failures: int, kinds: int, nights: int) -> RunRecord:
    """Write the reports of a sample, with a history of passing and failing nightly runs before it.

    Args:
        folder: holds the runs and their history.
        jobs: of the run.
        failures: of the run.
        kinds: buckets they are in.
        nights: runs before it.
    """
    history = History(folder / HISTORY_FILE)
    for night in range(nights):
        bad = 3 if night % 7 == 5 else 0
        history.add(
            sample_record(folder / f"night-{night}", jobs, bad, picture_bytes=0, night=night)
        )
    eventful = failures > 0
    record = sample_record(folder / "run", jobs, failures, kinds, 120_000, nights, eventful)
    replace(record.plan, jobs=tuple(job.planned for job in record.jobs)).write(record.folder)
    write_reports(record, history.view(record))
    return record


def main() -> None:
    """Write the reports of a sample."""
    parser = argparse.ArgumentParser(
        prog="python -m regress.tests.sample_report", description=__doc__
    )
    parser.add_argument("folder", type=Path, help="holds the run and its history")
    parser.add_argument("--jobs", type=int, default=1500, help="of the run (default 1500)")
    parser.add_argument("--failures", type=int, default=0, help="of these (default 0)")
    parser.add_argument("--kinds", type=int, default=1, help="of failure (default 1)")
    parser.add_argument("--nights", type=int, default=14, help="runs before it (default 14)")
    arguments = parser.parse_args()
    os.environ[ROOT_VARIABLE] = str(Path(__file__).parent / "stand_in")
    record = write_sample(
        arguments.folder, arguments.jobs, arguments.failures, arguments.kinds, arguments.nights
    )
    print(record.folder / "report.html")


if __name__ == "__main__":
    main()
