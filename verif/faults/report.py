"""What the lists said of the catalogue, in the terminal and in a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from verif.faults.catalogue import REASONS, Fault, Group
from verif.faults.trial import Trial

BEGIN = "<!-- table: faults -->"
MESSAGE_CHARACTERS = 160


def show(console: Console, known: Mapping[str, Fault], trials: Sequence[Trial]) -> None:
    """A line for each fault that was not found, and how many were."""
    ends = last(trials)
    table = Table(title="not found")
    for column in ("fault", "on", "list", "outcome", "jobs", "what is wrong"):
        table.add_column(column)
    missed = [trial for trial in ends.values() if trial.outcome != "found"]
    for trial in missed:
        fault = known[trial.fault]
        table.add_row(trial.fault, fault.on, trial.list, trial.outcome, str(trial.jobs), fault.says)
    if missed:
        console.print(table)
    console.print(summary(trials), soft_wrap=True, markup=False)


def summary(trials: Sequence[Trial]) -> str:
    """How many were found, and by which list."""
    ends = last(trials)
    found = [trial for trial in ends.values() if trial.outcome == "found"]
    lists = list(dict.fromkeys(trial.list for trial in trials))
    by = ", ".join(f"{name} {sum(t.list == name for t in found)}" for name in lists)
    share = 100 * len(found) / len(ends) if ends else 0.0
    return f"{len(found)} of {len(ends)} faults found ({share:.1f} %): {by}"


def markdown(groups: Mapping[str, Group], trials: Sequence[Trial], command: str) -> str:
    """The tables of the page."""
    ends = last(trials)
    lines = [f"`{command}`: {summary(trials)}.", ""]
    lines += _reasons(groups, ends)
    for name, group in groups.items():
        lines += [
            "",
            f"### {name}: {group.says}",
            "",
            "| Fault | Comes from | On | Found by | After | It says |",
            "| --- | --- | --- | --- | ---: | --- |",
        ]
        lines += [_row(fault, ends.get(fault.name)) for fault in group.faults]
    return "\n".join(lines)


def _reasons(groups: Mapping[str, Group], ends: Mapping[str, Trial]) -> list[str]:
    lines = ["| Why it may live | Faults | Found | Found by |", "| --- | ---: | ---: | --- |"]
    every = [fault for group in groups.values() for fault in group.faults]
    for reason, words in REASONS.items():
        of_it = [fault for fault in every if fault.hides == reason]
        found = [ends[f.name] for f in of_it if f.name in ends and ends[f.name].outcome == "found"]
        lists = dict.fromkeys(trial.list for trial in found)
        by = ", ".join(f"{name} {sum(t.list == name for t in found)}" for name in lists)
        lines.append(f"| {words} | {len(of_it)} | {len(found)} | {by} |")
    return lines


def _row(fault: Fault, trial: Trial | None) -> str:
    what = f"`{fault.name}`: {fault.says}"
    if trial is None:
        cells = [what, fault.origin, fault.on, "not tried", "", ""]
    elif trial.outcome == "found":
        after = f"{trial.seconds:.0f} s, {trial.jobs} jobs"
        by = f"{trial.list}: `{trial.job}`"
        cells = [what, fault.origin, fault.on, by, after, _shortened(trial.message)]
    else:
        by = f"**{trial.outcome}** ({trial.list})"
        after = f"{trial.seconds:.0f} s, {trial.jobs} jobs"
        cells = [what, fault.origin, fault.on, by, after, _shortened(trial.message)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _shortened(message: str) -> str:
    text = re.sub(r"\s+", " ", message).replace("<", "&lt;").replace("*", "\\*")
    return text if len(text) <= MESSAGE_CHARACTERS else text[:MESSAGE_CHARACTERS] + " …"


def last(trials: Sequence[Trial]) -> dict[str, Trial]:
    """Of each fault the trial that found it, or the last one."""
    found: dict[str, Trial] = {}
    for trial in trials:
        if trial.fault not in found or found[trial.fault].outcome != "found":
            found[trial.fault] = trial
    return found
