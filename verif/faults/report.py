"""Report the results of the catalogue, in the terminal and in a page."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from rich.console import Console
from rich.table import Table

from verif.faults.catalogue import REASONS, Fault, Group
from verif.faults.record import DECIDED, DETECTED, SURVIVED, Trial, last

BEGIN = "<!-- table: faults -->"
MESSAGE_CHARACTERS = 160


def show(
    console: Console, chosen: Sequence[Fault], trials: Sequence[Trial], stale: Collection[str]
) -> None:
    """Print each fault that no list is known to detect, and a summary.

    Args:
        console: console to print on.
        chosen: the selected faults.
        trials: trials of these faults.
        stale: names of faults whose last trial is undecided or belongs to another design.
    """
    ends = last(trials)
    table = Table(title="not detected")
    for column in ("fault", "on", "list", "outcome", "jobs", "what is wrong"):
        table.add_column(column)
    for fault in chosen:
        trial = ends.get(fault.name, Trial(fault=fault.name, list="", outcome="not finished"))
        if trial.outcome != DETECTED:
            outcome = trial.outcome if trial.list else "not tried"
            table.add_row(fault.name, fault.on, trial.list, outcome, str(trial.jobs), fault.says)
    if table.row_count:
        console.print(table)
    console.print(summary(trials, len(chosen), stale), soft_wrap=True, markup=False)


def summary(trials: Sequence[Trial], faults: int, stale: Collection[str]) -> str:
    """Return how many of ``faults`` faults were detected, by which lists, and how many are open."""
    ends = last(trials)
    found = [trial for trial in ends.values() if trial.outcome == DETECTED]
    survived = sum(trial.outcome == SURVIVED for trial in ends.values())
    by = ", ".join(
        f"{name} {sum(t.list == name for t in found)}"
        for name in dict.fromkeys(trial.list for trial in found)
    )
    decided = len(found) + survived
    share = f" ({100 * len(found) / faults:.1f} %)"
    old = sum(t.fault in stale and t.outcome in DECIDED for t in ends.values())
    return (
        f"{len(found)} of {faults} faults detected{share}{': ' if by else ''}{by}; "
        f"{survived} survived, {faults - decided} without a verdict; "
        f"{old} verdicts are of an earlier design"
    )


def markdown(groups: Mapping[str, Group], trials: Sequence[Trial], stale: Collection[str]) -> str:
    """Return the tables of the page."""
    ends = last(trials)
    every = sum(len(group.faults) for group in groups.values())
    lines = [f"{summary(trials, every, stale)}.", ""]
    lines += _reasons(groups, ends)
    for name, group in groups.items():
        lines += [
            "",
            f"### {name}: {group.says}",
            "",
            "| Fault | Comes from | On | Detected by | After | At | Message |",
            "| --- | --- | --- | --- | ---: | --- | --- |",
        ]
        lines += [_row(fault, ends.get(fault.name), fault.name in stale) for fault in group.faults]
    return "\n".join(lines)


def _reasons(groups: Mapping[str, Group], ends: Mapping[str, Trial]) -> list[str]:
    lines = ["| What detects it | Faults | Detected | Detected by |", "| --- | ---: | ---: | --- |"]
    every = [fault for group in groups.values() for fault in group.faults]
    for reason, words in REASONS.items():
        of_it = [fault for fault in every if fault.hides == reason]
        found = [
            ends[f.name] for f in of_it if f.name in ends and ends[f.name].outcome == "detected"
        ]
        lists = dict.fromkeys(trial.list for trial in found)
        by = ", ".join(f"{name} {sum(t.list == name for t in found)}" for name in lists)
        lines.append(f"| {words} | {len(of_it)} | {len(found)} | {by} |")
    return lines


def _row(fault: Fault, trial: Trial | None, stale: bool) -> str:
    cells = [f"`{fault.name}`: {fault.says}", fault.origin, fault.on]
    if trial is None:
        cells += ["not tried", "", "", ""]
    else:
        found = trial.outcome == DETECTED
        by = f"{trial.list}: `{trial.job}`" if found else f"**{trial.outcome}** ({trial.list})"
        at = trial.commit + (" †" if stale else "")
        after = f"{trial.seconds:.0f} s, {trial.jobs} jobs"
        cells += [by, after, at, _shortened(trial.message)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _shortened(message: str) -> str:
    text = re.sub(r"\s+", " ", message).replace("<", "&lt;").replace("*", "\\*")
    return text if len(text) <= MESSAGE_CHARACTERS else text[:MESSAGE_CHARACTERS] + " …"
