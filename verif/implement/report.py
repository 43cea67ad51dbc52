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


def _row(instance: ModuleArea, share: float) -> list[str]:
    """Return path, module, figures in the order of :data:`COLUMNS` (empty for nothing), share."""
    counts = (
        *(instance.luts, instance.ffs, instance.multipliers, instance.memories),
        *(instance.lut_memories, instance.gates, round(instance.area_um2)),
    )
    figures = (str(count or "") for count in counts)
    return [instance.path or "(top)", instance.module, *figures, f"{100 * share:.1f} %"]


def module_table(title: str, instances: Sequence[ModuleArea]) -> Table:
    """Return a row for each of the largest instances; columns without figures are left out."""
    rows = [_row(instance, share) for instance, share in largest(instances)]
    titles = (title, "module", *COLUMNS, "share")
    used = [i for i in range(len(titles)) if titles[i] not in COLUMNS or any(r[i] for r in rows)]
    table = Table()
    for i in used:
        table.add_column(titles[i], justify="right" if i > 1 else "left")
    for row in rows:
        table.add_row(*(row[i] for i in used))
    return table


def sections(record: RunRecord) -> list[project.Table]:
    """Return the largest instances of each point that a run measured, for its report."""
    # All seeds of a point have one area.
    areas = {
        case.name: found.area.modules
        for job in record.jobs
        for case, found in zip(job.cases, measured_of(job), strict=False)
        if found.area
    }
    rows = [
        [name, *_row(one, share)]
        for name, modules in areas.items()
        for one, share in largest(modules)
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
