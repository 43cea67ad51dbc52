"""Outcomes of mutants, read from runs, as tables for the terminal, the report and the docs."""

from __future__ import annotations

import shlex
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from rich.console import Console

from regress.core.cases import CaseStatus
from regress.core.jobrecord import JobCase, JobRecord
from regress.core.project import Table
from regress.core.runfile import Status
from regress.core.terminal import say, show_table
from regress.run.record import RunRecord

BEGIN = "<!-- table: mutation -->"
# Options of a run. MUTANTS: marks a run of mutants. EQUIVALENT, BROKEN: mutants that were proved
# equivalent or that do not build before the run, with the reason.
MUTANTS, EQUIVALENT, BROKEN = "mutants", "equivalent", "broken"
HEADINGS = (
    "Mutants#", "Killed#", "Equivalent#", "Broken#", "Survivors#", "Score#", "Median to kill#",
    "Killed by",
)  # fmt: skip
MOST_KILLERS = 4


class Outcome(str, Enum):
    """Outcome of a mutant; all but NOT_RUN count, each separately."""

    KILLED = "killed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    BROKEN = "broken"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class Mutated:
    """One mutant and its outcome.

    Attributes:
        id: id of the mutant.
        file: file below hdl.
        operator: operator that generated it.
        change: the change in one line.
        outcome: outcome of the mutant.
        test: test that killed it.
        message: message of the job, reason why it is broken, or method of the proof.
        seconds: time until it was killed, or of all jobs; processor time, but wall-clock time for a
            mutant in its own build.
    """

    id: str
    file: str
    operator: str
    change: str
    outcome: Outcome
    test: str = ""
    message: str = ""
    seconds: float = 0.0


def mutants(record: RunRecord) -> dict[str, Mutated]:
    """Return the mutants of a run by id."""
    given = {case["name"]: case for job in record.jobs for case in job.planned.job.cases}
    # Keyed by the folder of the design, because a mutant in its own builds has its own folder.
    rejected = {job.planned.job.hdl: job.message for job in record.jobs if _rejected(job)}
    cases = [_of_case(case, rejected) for case in record.cases]
    found = {}
    for name, outcome, message, facts in [*cases, *_before(record)]:
        case = {**given.get(name, {}), **facts}
        found[name] = Mutated(
            id=name,
            file=case["file"],
            operator=case["operator"],
            change=case["change"],
            outcome=outcome,
            test=case.get("found_by", ""),
            message=message,
            seconds=case.get("seconds", 0.0),
        )
    return found


UNDECIDED = (Outcome.NOT_RUN, Outcome.SURVIVED)
Reported = tuple[str, Outcome, str, Mapping[str, object]]


def _before(record: RunRecord) -> Iterable[Reported]:
    for outcome in (Outcome.EQUIVALENT, Outcome.BROKEN):
        for facts in record.plan.options.get(outcome.value, ()):
            yield facts["name"], outcome, facts["why"], facts


def _rejected(job: JobRecord) -> bool:
    """Return True if the job's build is allowed to fail and failed."""
    not_run = job.status is Status.NOT_RUN and job.planned.may_break
    return not_run and job.message.startswith("build ")


def _of_case(found: JobCase, rejected: Mapping[str, str]) -> Reported:
    case, job = found.case, found.record
    message = case.message or case.note
    if case.status is CaseStatus.PASSED:
        return case.name, Outcome.KILLED, message, case.facts
    # Checked after PASSED: if only some configurations reject a mutant, the others may kill it.
    if why := rejected.get(job.planned.job.hdl):
        return case.name, Outcome.BROKEN, why, case.facts
    survived = case.status is not CaseStatus.NOT_RUN
    return case.name, Outcome.SURVIVED if survived else Outcome.NOT_RUN, message, case.facts


def merged(records: Iterable[RunRecord]) -> dict[str, Mutated]:
    """Merge runs; for a mutant in several runs the last decided outcome counts."""
    whole: dict[str, Mutated] = {}
    for record in records:
        for name, found in mutants(record).items():
            known = whole.get(name)
            # A later run with fewer tests does not undo a decided outcome.
            if not known or known.outcome is Outcome.NOT_RUN or found.outcome not in UNDECIDED:
                whole[name] = found
    return whole


@dataclass(frozen=True)
class Figures:
    """Sums over a group of mutants.

    Attributes:
        mutants: number of mutants that were run.
        by_outcome: number of mutants by outcome.
        killers: kills by test, most first.
        median_seconds: median time to kill.
    """

    mutants: int
    by_outcome: Mapping[Outcome, int]
    killers: Mapping[str, int] = field(default_factory=dict)
    median_seconds: float = 0.0

    @classmethod
    def of(cls, found: Iterable[Mutated]) -> Figures:
        """Return the sums over the mutants that were run."""
        run = [one for one in found if one.outcome is not Outcome.NOT_RUN]
        killed = [one for one in run if one.outcome is Outcome.KILLED]
        return cls(
            mutants=len(run),
            by_outcome=Counter(one.outcome for one in run),
            killers=dict(Counter(one.test for one in killed).most_common()),
            median_seconds=statistics.median(one.seconds for one in killed) if killed else 0.0,
        )

    @property
    def score(self) -> float:
        """Share of killed among the killed and survived mutants; 1 if there are none."""
        killed, survived = self.by_outcome[Outcome.KILLED], self.by_outcome[Outcome.SURVIVED]
        return killed / (killed + survived) if killed + survived else 1.0

    @property
    def cells(self) -> list[str]:
        """Cells of a table with :data:`HEADINGS`."""
        count = self.by_outcome
        killers = [f"{test} {kills}" for test, kills in list(self.killers.items())[:MOST_KILLERS]]
        return [
            str(self.mutants), str(count[Outcome.KILLED]), str(count[Outcome.EQUIVALENT]),
            str(count[Outcome.BROKEN]), str(count[Outcome.SURVIVED]), f"{100 * self.score:.1f} %",
            f"{self.median_seconds:.2f} s", ", ".join(killers),
        ]  # fmt: skip


def rows(found: Sequence[Mutated], by: Callable[[Mutated], str], whole: bool) -> list[list[str]]:
    """Return the sums of each group of mutants that were run; ``whole`` adds the total."""
    names = sorted({by(one) for one in found})
    sums = [(name, Figures.of(one for one in found if by(one) == name)) for name in names]
    sums += [("all", Figures.of(found))] if whole else []
    return [[name, *figures.cells] for name, figures in sums if figures.mutants]


def tables(record: RunRecord) -> list[Table]:
    """Return the tables of a report."""
    found = list(mutants(record).values())
    plain = [heading.rstrip("#") for heading in HEADINGS]
    return [
        Table("Mutants by file", ["File", *plain], rows(found, lambda m: m.file, True)),
        Table(
            "Mutants by operator", ["Operator", *plain], rows(found, lambda m: m.operator, False)
        ),
    ]


def survivors(found: Iterable[Mutated]) -> list[Mutated]:
    """Return the mutants that survived."""
    return [one for one in found if one.outcome is Outcome.SURVIVED]


def show(console: Console, found: Sequence[Mutated]) -> None:
    """Print the tables and the survivors."""
    titles = ",".join(HEADINGS)
    show_table(console, "mutants by file", f"File,{titles}", rows(found, lambda m: m.file, True))
    by_operator = rows(found, lambda m: m.operator, False)
    show_table(console, "mutants by operator", f"Operator,{titles}", by_operator)
    for one in survivors(found):
        say(console, f"survivor  {one.id}  {one.change}")
    say(console, verdict(found))


def verdict(found: Sequence[Mutated]) -> str:
    """Return a summary in one line."""
    sums = Figures.of(found)
    counts = ", ".join(
        f"{sums.by_outcome[outcome]} {outcome.value}"
        for outcome in (Outcome.KILLED, Outcome.EQUIVALENT, Outcome.BROKEN, Outcome.SURVIVED)
    )
    left = len(found) - sums.mutants
    return (
        f"{sums.mutants} mutants: {counts}; score {100 * sums.score:.1f} %, median time to kill "
        f"{sums.median_seconds:.2f} s" + (f"; {left} not run to the end" if left else "")
    )


def markdown(records: Sequence[RunRecord], found: Sequence[Mutated]) -> str:
    """Return the tables for the docs."""
    commands = ", then ".join(f"`{shlex.join(record.plan.command)}`" for record in records)
    seconds = sum(record.seconds for record in records)
    lines = [
        f"{commands}, {records[0].plan.started:%Y-%m-%d}, seed {records[0].plan.seed}: "
        f"{verdict(found)}; {seconds:.0f} s in all.",
    ]
    for title, table in (
        ("File", rows(found, lambda m: m.file, True)),
        ("Operator", rows(found, lambda m: m.operator, False)),
    ):
        headings = [title, *(heading.rstrip("#") for heading in HEADINGS)]
        marks = ["---", *("---:" if heading.endswith("#") else "---" for heading in HEADINGS)]
        lines += ["", *(f"| {' | '.join(cells)} |" for cells in (headings, marks, *table))]
    if left := survivors(found):
        lines += ["", "Survivors:", "", *(f"- `{one.id}`: `{one.change}`" for one in left)]
    return "\n".join([*lines, ""])
