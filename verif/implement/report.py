"""Sections of a run's reports beside its figures: area by instance, and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from regress.core import project
from regress.core.runfile import Status
from regress.run.record import RunRecord
from verif.implement.jobs import TESTS, measured_of, measured_points
from verif.library.netlist.hierarchy import ModuleArea

COLUMNS = ("LUT", "FF", "18×18", "block RAM", "LUT RAM", "gates", "µm²")
# Instances of each point that are shown, the largest first.
MOST = 12


def largest(instances: Sequence[ModuleArea]) -> list[tuple[ModuleArea, float]]:
    """Return the largest instances, and the share of the whole that each is."""
    whole = sum(instance.size for instance in instances) or 1.0
    order = sorted(instances, key=lambda instance: instance.size, reverse=True)
    return [(instance, instance.size / whole) for instance in order[:MOST] if instance.size]


def cells(instance: ModuleArea) -> list[str]:
    """Return the figures of an instance in the order of :data:`COLUMNS`; empty for nothing."""
    counts = (
        *(instance.luts, instance.ffs, instance.multipliers, instance.memories),
        *(instance.lut_memories, instance.gates, round(instance.area_um2)),
    )
    return [str(count or "") for count in counts]


def percent(share: float) -> str:
    """Return a share of 1 as a percentage."""
    return f"{100 * share:.1f} %"


def module_table(title: str, instances: Sequence[ModuleArea]) -> Table:
    """Return a row for each of the largest instances; columns without figures are left out."""
    rows = [(instance, share, cells(instance)) for instance, share in largest(instances)]
    used = [i for i in range(len(COLUMNS)) if any(row[i] for _, _, row in rows)]
    table = Table(title, "module")
    for i in used:
        table.add_column(COLUMNS[i], justify="right")
    table.add_column("share", justify="right")
    for instance, share, row in rows:
        name = instance.path or "(top)"
        table.add_row(name, instance.module, *(row[i] for i in used), percent(share))
    return table


def sections(record: RunRecord) -> list[project.Table]:
    """Return the largest instances of each point that a run measured, for its report."""
    rows = []
    seen = set()
    for job in record.jobs:
        for case, found in zip(job.cases, measured_of(job), strict=False):
            if found.area and case.name not in seen:
                seen.add(case.name)
                rows += [
                    [
                        case.name,
                        one.path or "(top)",
                        one.module,
                        *cells(one),
                        f"{100 * share:.1f} %",
                    ]
                    for one, share in largest(found.area.modules)
                ]
    titles = ("Point", "Instance", "Module", *COLUMNS, "Share")
    return [project.Table("Area by instance, the largest first", titles, rows)] if rows else []


def plots(record: RunRecord) -> Mapping[str, str]:
    """Return area and clock over width, area against time and area by module: SVG by title."""
    measured = any(
        job.planned.job.test in TESTS and job.status is Status.PASSED for job in record.jobs
    )
    if not measured:
        return {}
    # matplotlib takes half a second to load, and other commands do not need it.
    from verif.implement.pictures import pictures

    return pictures(measured_points(record, ""))
