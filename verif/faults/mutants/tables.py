"""Tables of mutants by file and by operator."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from regress.core.project import Table
from verif.faults.campaign.record import BROKEN, DETECTED, EQUIVALENT, UNRESOLVED, Result, last
from verif.faults.mutants.mutants import Mutant

HEADINGS = (
    "Mutants", "Killed", "Equivalent", "Broken", "Unresolved", "Score", "Median to kill",
    "Killed by",
)  # fmt: skip
OUTCOMES = (DETECTED, EQUIVALENT, BROKEN, UNRESOLVED)
MOST_KILLERS = 4


def cells(found: Sequence[Result]) -> list[str]:
    """Return the cells of a group of mutants, for :data:`HEADINGS`."""
    count = Counter(one.outcome for one in found)
    numbers = [count[outcome] for outcome in OUTCOMES]
    killers = Counter(one.job.partition("-")[0] for one in found if one.outcome == DETECTED)
    by = ", ".join(f"{test} {kills}" for test, kills in killers.most_common(MOST_KILLERS))
    texts = [str(sum(numbers)), *map(str, numbers), f"{100 * score(found):.1f} %"]
    return [*texts, f"{_median(found):.2f} s", by]


def score(found: Iterable[Result]) -> float:
    """Return killed / (killed + unresolved); 1 if both are 0."""
    count = Counter(one.outcome for one in found)
    killed = count[DETECTED]
    return killed / (killed + count[UNRESOLVED]) if killed + count[UNRESOLVED] else 1.0


def _median(found: Iterable[Result]) -> float:
    return statistics.median([one.seconds for one in found if one.outcome == DETECTED] or [0.0])


def rows(
    found: Iterable[Result], by: Callable[[Result], str], whole: bool = False
) -> list[list[str]]:
    """Return the cells of each group of decided mutants; ``whole`` adds the total."""
    decided = [one for one in found if one.outcome in OUTCOMES]
    groups: dict[str, list[Result]] = {}
    for one in decided:
        groups.setdefault(by(one), []).append(one)
    sums = [[name, *cells(groups[name])] for name in sorted(groups)]
    return [*sums, ["all", *cells(decided)]] if whole and decided else sums


def by_file(facts: Mapping[str, Mapping[str, Any]], found: Iterable[Result]) -> Table:
    """Return the table by file; ``facts`` has file and operator of each mutant."""
    table = rows(found, lambda one: facts[one.fault]["file"], whole=True)
    return Table("Mutants by file", ["File", *HEADINGS], table)


def by_operator(facts: Mapping[str, Mapping[str, Any]], found: Iterable[Result]) -> Table:
    """Return the table by operator; see :func:`by_file`."""
    table = rows(found, lambda one: facts[one.fault]["operator"])
    return Table("Mutants by operator", ["Operator", *HEADINGS], table)


def verdict(found: Sequence[Result], selected: int, stale: Collection[str] = ()) -> str:
    """Return a summary in one line."""
    count = Counter(one.outcome for one in found)
    decided = sum(count[outcome] for outcome in OUTCOMES)
    old = sum(one.fault in stale and one.outcome in OUTCOMES for one in found)
    counts = ", ".join(
        f"{count[outcome]} {'killed' if outcome == DETECTED else outcome}" for outcome in OUTCOMES
    )
    return (
        f"{decided} mutants: {counts}; score {100 * score(found):.1f} %, median time to kill "
        f"{_median(found):.2f} s; {selected - decided} not run to the end; {old} verdicts are of "
        "an earlier design"
    )


def markdown(known: Mapping[str, Mutant], results: Sequence[Result], stale: Collection[str]) -> str:
    """Return the tables of the page."""
    ends = last(results)
    found = [one for one in ends.values() if one.outcome in OUTCOMES]
    facts = {name: {"file": m.file, "operator": m.operator} for name, m in known.items()}
    commits = ", ".join(sorted({one.commit for one in found}))
    lines = [f"At {commits}: {verdict(found, len(found), stale)}."]
    for table in (by_file(facts, found), by_operator(facts, found)):
        marks = ["---", *("---:" for _ in HEADINGS[:-1]), "---"]
        every = (table.headings, marks, *table.rows)
        lines += ["", *(f"| {' | '.join(cells)} |" for cells in every)]
    if left := [one for one in found if one.outcome == UNRESOLVED]:
        lines += ["", "Unresolved:", ""]
        lines += [f"- `{one.fault}`: `{known[one.fault].change}`" for one in left]
    return "\n".join([*lines, ""])
