"""Which faults a short list is known to detect, and which need a longer list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from regress.core.context import Context
from verif.faults.campaign.record import DETECTED, Result
from verif.faults.catalogue import Group
from verif.faults.jobs import plan

FIRST_LIST = "smoke"


def detected_by(context: Context, name: str, results: Sequence[Result]) -> set[str]:
    """Return the faults whose detecting job is also a job of list ``name``, unchanged.

    Raises:
        UsageError: the list does not exist.
    """
    jobs = {planned.id: planned.job for planned in plan(context, name)}
    detected = [one for one in results if one.outcome == DETECTED]
    same = {
        planned.id
        for other in {one.against for one in detected}
        for planned in plan(context, other)
        if jobs.get(planned.id) == planned.job
    }
    return {one.fault for one in detected if one.job in same}


def first_list_table(
    groups: Mapping[str, Group], ends: Mapping[str, Result], first: Collection[str]
) -> list[str]:
    """Return the lines of a table in Markdown, a row for each topic.

    Args:
        groups: the catalogue.
        ends: latest result of each fault.
        first: faults that list :data:`FIRST_LIST` is known to detect.
    """
    rows, count = [], 0
    for name, group in groups.items():
        mine = [fault.name for fault in group.faults]
        detected = [one for one in mine if one in ends and ends[one].outcome == DETECTED]
        others = [fault for fault in detected if fault not in first]
        count += len(detected) - len(others)
        names = ", ".join(f"`{fault}`" for fault in others)
        rows.append(f"| {name} | {len(detected) - len(others)} | {len(others)} | {names} |")
    total = sum(one.outcome == DETECTED for one in ends.values())
    return [
        "",
        f"List `{FIRST_LIST}` contains the job that detected {count} of these {total} faults. It "
        "may detect others with other jobs; only the list that detected them is known to do so:",
        "",
        f"| Topic | `{FIRST_LIST}` | Other lists alone | These |",
        "| --- | ---: | ---: | --- |",
        *rows,
    ]
