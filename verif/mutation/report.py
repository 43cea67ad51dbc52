"""Tables of a campaign: for the console, and in Markdown for the docs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from verif.mutation.equivalents import NETLIST_OF
from verif.mutation.record import CampaignRecord, Figures, MutantRecord, Outcome, figures

BEGIN = "<!-- table: mutation -->"
HEADINGS = (
    "Where", "Mutants", "Killed", "Equivalent", "Broken", "Survivors", "Score", "Median to kill",
    "Killed by",
)  # fmt: skip
MOST_KILLERS = 4


def groups(record: CampaignRecord) -> list[tuple[str, list[MutantRecord]]]:
    """Mutants by file or netlist; at the end all of them."""
    names = sorted({(m.kind == "netlist", m.group) for m in record.mutants.values()})
    rows = [
        (
            f"{NETLIST_OF}{group}" if netlist else group,
            [
                m
                for m in record.mutants.values()
                if m.group == group and (m.kind == "netlist") == netlist
            ],
        )
        for netlist, group in names
    ]
    return [*rows, ("all", list(record.mutants.values()))]


def operator_groups(record: CampaignRecord) -> list[tuple[str, list[MutantRecord]]]:
    """Mutants by operator."""
    names = sorted({m.operator for m in record.mutants.values()})
    return [(name, [m for m in record.mutants.values() if m.operator == name]) for name in names]


def _cells(name: str, sums: Figures) -> Sequence[str]:
    count = sums.by_outcome
    killers = [f"{test} {kills}" for test, kills in list(sums.killers.items())[:MOST_KILLERS]]
    return (
        name, str(sums.mutants), str(count[Outcome.KILLED]), str(count[Outcome.EQUIVALENT]),
        str(count[Outcome.BROKEN]), str(count[Outcome.SURVIVED]), f"{100 * sums.score:.1f} %",
        f"{sums.median_seconds:.2f} s", ", ".join(killers),
    )  # fmt: skip


def show(console: Console, record: CampaignRecord) -> None:
    """Print the tables and the survivors."""
    for title, rows in (("where", groups(record)), ("operator", operator_groups(record))):
        table = Table(title=f"mutants by {title}")
        for index, heading in enumerate(HEADINGS):
            numeric = 0 < index < len(HEADINGS) - 1
            table.add_column(heading, justify="right" if numeric else "left", no_wrap=numeric)
        for name, records in rows:
            if (sums := figures(records)).mutants:
                table.add_row(*_cells(name, sums))
        console.print(table)
    for mutant in record.of(Outcome.SURVIVED):
        console.print(f"survivor  {mutant.id}  {mutant.change}", soft_wrap=True, markup=False)
    console.print(verdict(record), soft_wrap=True, markup=False)


def verdict(record: CampaignRecord) -> str:
    """The campaign in one line."""
    sums = figures(record.mutants.values())
    counts = ", ".join(
        f"{sums.by_outcome[outcome]} {outcome.value}"
        for outcome in (Outcome.KILLED, Outcome.EQUIVALENT, Outcome.BROKEN, Outcome.SURVIVED)
    )
    left = record.count(Outcome.NOT_RUN)
    return (
        f"{sums.mutants} mutants: {counts}; score {100 * sums.score:.1f} %, median time to kill "
        f"{sums.median_seconds:.2f} s of processor time, {record.seconds:.0f} s in all"
        + (f"; {left} not run to the end" if left else "")
    )


def markdown(record: CampaignRecord) -> str:
    """The tables, for the docs."""
    lines = [
        f"`{' '.join(record.command)}`, {record.started[:10]}, seed {record.seed}: "
        f"{verdict(record)}.",
        "",
        *_table(HEADINGS, ((name, figures(found)) for name, found in groups(record))),
        "",
        *_table(("Operator", *HEADINGS[1:]),
                ((name, figures(found)) for name, found in operator_groups(record))),
        "",
    ]  # fmt: skip
    survivors = record.of(Outcome.SURVIVED)
    if survivors:
        lines += ["Survivors:", ""]
        lines += [
            f"- `{mutant.id}`: `{mutant.change}`"
            + (f": {mutant.message}" if mutant.message else "")
            for mutant in survivors
        ]
        lines += [""]
    return "\n".join(lines)


def _table(headings: Sequence[str], rows: Iterable[tuple[str, Figures]]) -> Iterable[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"| --- |{' ---: |' * (len(headings) - 2)} --- |"
    for name, sums in rows:
        if sums.mutants:
            yield f"| {' | '.join(_cells(name, sums))} |"
