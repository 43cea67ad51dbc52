"""The page of the plan, and its section in the report of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from regress.core.limits import duration_text
from regress.core.project import Table
from regress.core.runfile import Score
from verif.testplan.recorded import RecordedRun
from verif.testplan.stages import RULES, STAGES, State

NOTHING = "*nothing*"
HEADINGS = ("Feature", "Stimulus", "Checks", "Coverage", "Proved", "Faults", "Stage")
SECTION = "Verification plan"


def plan_page(found: Sequence[State], runs: Sequence[RecordedRun]) -> str:
    """Return the generated part of the page of the plan."""
    lines = [*_summary(found), "", *(f"- {rule}" for rule in RULES), "", *runs_table(runs)]
    for area, states in groupby(found, key=lambda state: state.area):
        lines += ["", f"### {area.name}", "", *table(HEADINGS, map(_row, states))]
    lines += ["", "### Missing for the next stage", "", *_missing(found)]
    return "\n".join([*lines, ""])


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: str = "") -> list[str]:
    """Return the lines of a Markdown table; ``numbers`` names the columns of figures."""
    marks = ["---:" if heading in numbers.split(",") else "---" for heading in headings]
    cells = [list(headings), marks, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return [f"| {' | '.join(row)} |" for row in cells]


def share(score: Score | None) -> str:
    """Return a score as text, such as ``12 of 14``."""
    return f"{score.hit} of {score.total}" if score else ""


def _summary(found: Sequence[State]) -> Iterator[str]:
    headings = ("Area", "Features", *STAGES, "Faults", "Detected")
    rows = []
    for area, states in [
        *((area.name, list(some)) for area, some in groupby(found, key=lambda one: one.area)),
        ("all", list(found)),
    ]:
        faults = {name: one for state in states for name, one in state.faults.items()}
        detected = sum(one is not None and one.found for one in faults.values())
        counts = [sum(state.stage == stage for state in states) for stage in STAGES]
        rows.append([area, *map(str, (len(states), *counts, len(faults), detected))])
    yield from table(headings, rows, ",".join(headings[1:]))


def runs_table(runs: Sequence[RecordedRun]) -> list[str]:
    """Return the table of the recorded runs."""
    if not runs:
        return ["No run is recorded."]
    rows = [
        [
            f"`{run.command}`", "list" if run.whole else "part of a list", run.date,
            run.commit, run.verdict, duration_text(run.seconds),
            str(sum(count.passed for count in run.tests.values())),
            str(sum(count.failed for count in run.tests.values())),
            f"{run.operations:,}",
        ]
        for run in runs
    ]  # fmt: skip
    counts = ("Time", "Passed", "Failed", "Operations")
    headings = ("Run", "Jobs", "Date", "Commit", "Verdict", *counts)
    return table(headings, rows, ",".join(counts))


def _row(state: State) -> list[str]:
    feature = state.feature
    lists = f" ({', '.join(state.lists)})" if state.lists else " (no list)"
    coverage = f"{', '.join(f'`{name}`' for name in feature.coverage)}"
    if feature.coverage:
        coverage += f": {share(state.coverage) or 'no record'}"
    faults = f"{state.detected} of {len(state.faults)} detected" if state.faults else NOTHING
    return [
        f"`{feature.id}`: {feature.claim}",
        f"{', '.join(map(_test, state.tests))}{lists}" if feature.stimulus else NOTHING,
        ", ".join(f"`{name}`" for name in feature.checks) or NOTHING,
        coverage or NOTHING,
        ", ".join(f"`{name}`" for name in state.proved) or NOTHING,
        faults,
        state.stage,
    ]


def _test(name: str) -> str:
    return f"`{name}`"


def _missing(found: Sequence[State]) -> list[str]:
    rows = [[f"`{state.feature.id}`", *state.missing] for state in found if state.missing[0]]
    return table(("Feature", "Stage", "What is missing"), rows) if rows else ["Nothing."]


def plan_section(found: Sequence[State], run: RecordedRun) -> Table:
    """Return the plan with the results of one run: first the features that the run tests."""
    tested = [state for state in found if any(state.tests.values())]
    others = len(found) - len(tested)
    title = f"{SECTION}: {len(tested)} of {len(found)} features tested by this run"
    rows = [_section_row(state, run) for state in tested]
    if others:
        names = ", ".join(state.feature.id for state in found if state not in tested)
        rows.append(["not tested", names, "–", "–", "–", "–", "–"])
    headings = ("Area", "Feature", "Jobs", "Coverage", "Failed checks", "Proved", "Faults")
    return Table(title, headings, rows)


def _section_row(state: State, run: RecordedRun) -> list[str]:
    counts = [count for count in state.tests.values() if count]
    passed, failed = sum(c.passed for c in counts), sum(c.failed for c in counts)
    checks = state.feature.checks
    failing = [f"{name} {run.failures[name]}" for name in checks if name in run.failures]
    jobs = f"✗ {failed} failed, {passed} passed" if failed else f"✓ {passed} passed"
    coverage = share(state.coverage)
    full = state.coverage and state.coverage.hit == state.coverage.total
    return [
        state.area.name,
        f"{state.feature.id}: {state.feature.claim}",
        jobs if passed + failed else "– not run",
        f"{'✓' if full else '✗'} {coverage}" if coverage else "–",
        ", ".join(failing) or "–",
        ", ".join(state.proved) or "–",
        f"{state.detected} of {len(state.faults)}" if state.faults else "–",
    ]
