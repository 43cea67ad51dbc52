"""Tables of points for the terminal, and one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, select_autoescape
from rich.table import Table

from regress.implement.history import Worsening
from regress.implement.record import ImplementRecord, PointRecord

REPORT_FILE = "report.html"
COLUMNS = ("LUT", "FF", "mult", "gates", "depth", "µm²", "MHz")
# Modules that are shown of each point, the largest first.
MODULES = 12


def cells(point: PointRecord) -> list[str]:
    """The figures of a point in the order of :data:`COLUMNS`; empty where there is none."""
    fmax = point.fmax_mhz
    speed = ""
    if fmax:
        spread = f" ({fmax.min:.1f} to {fmax.max:.1f})" if len(fmax.seeds) > 1 else ""
        speed = f"{fmax.median:.1f}{spread}"
    numbers = (point.luts, point.ffs, point.multipliers, point.gates, point.depth)
    area = "" if point.area_um2 is None else f"{point.area_um2:.0f}"
    return ["" if number is None else str(number) for number in numbers] + [area, speed]


def points_table(points: Sequence[PointRecord]) -> Table:
    """A row for each point; columns that have nothing are left out."""
    rows = [(point, cells(point)) for point in points]
    used = [i for i in range(len(COLUMNS)) if any(row[i] for _, row in rows)]
    table = Table("point")
    for i in used:
        table.add_column(COLUMNS[i], justify="right")
    table.add_column("times are")
    for point, row in rows:
        stage = point.stage if point.fmax_mhz else point.status.value.replace("_", " ")
        table.add_row(point.id, *(row[i] for i in used), "" if point.stage == "" else stage)
    return table


def largest(point: PointRecord) -> list[tuple[str, str, float, float]]:
    """The largest modules of a point: path, module, size, share of the whole."""

    def size(index: int) -> float:
        module = point.modules[index]
        return module.area_um2 or module.luts or module.gates

    whole = sum(size(i) for i in range(len(point.modules))) or 1.0
    order = sorted(range(len(point.modules)), key=size, reverse=True)[:MODULES]
    return [
        (point.modules[i].path or "(top)", point.modules[i].module, size(i), size(i) / whole)
        for i in order
        if size(i)
    ]


def write_report(
    folder: Path,
    record: ImplementRecord,
    worse: Sequence[Worsening],
    pictures: Mapping[str, str],
) -> None:
    """Write the page.

    Args:
        folder: of the run.
        record: its figures.
        worse: what has become worse.
        pictures: SVG by title.
    """
    environment = Environment(
        loader=PackageLoader("regress.implement"), autoescape=select_autoescape(), trim_blocks=True
    )
    page = environment.get_template("implement.html.j2").render(
        record=record,
        columns=COLUMNS,
        rows=[(point, cells(point), largest(point)) for point in record.points],
        worse=worse,
        pictures=pictures,
    )
    (folder / REPORT_FILE).write_text(page)
