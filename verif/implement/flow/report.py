"""Tables of points for the terminal, and one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, select_autoescape
from rich.table import Table

from regress.report.markdown import MARKDOWN_FILE
from verif.implement.flow.history import Trend
from verif.implement.flow.record import ImplementRecord, PointRecord
from verif.implement.flow.trend import HEADINGS, trend_rows
from verif.library.netlist.hierarchy import ModuleArea

REPORT_FILE = "report.html"
COLUMNS = (
    *("LUT", "a bit", "FF", "a bit", "18×18", "block RAM", "LUT RAM"),
    *("gates", "depth", "µm²", "MHz"),
)
MODULE_COLUMNS = ("LUT", "FF", "18×18", "block RAM", "LUT RAM", "gates", "µm²")
# Modules that are shown of each point, the largest first.
MODULES = 12


def cells(point: PointRecord) -> list[str]:
    """The figures of a point in the order of :data:`COLUMNS`; empty for a missing figure."""
    fmax = point.fmax_mhz
    speed = ""
    if fmax:
        spread = f" ({fmax.min:.1f} to {fmax.max:.1f})" if len(fmax.seeds) > 1 else ""
        speed = f"{fmax.median:.1f}{spread}"
    return [
        *(shown for count in (point.luts, point.ffs) for shown in _with_ratio(count, point.bits)),
        *map(_shown, (point.multipliers, point.memories, point.lut_memories)),
        *map(_shown, (point.gates, point.depth)),
        "" if point.area_um2 is None else f"{point.area_um2:.0f}",
        speed,
    ]


def _with_ratio(count: int | None, bits: int | None) -> list[str]:
    return [_shown(count), "" if count is None or not bits else f"{count / bits:.2f}"]


def _shown(count: int | None) -> str:
    return "" if count is None else str(count)


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


def largest(point: PointRecord) -> list[tuple[ModuleArea, float]]:
    """The largest instances of a point, and the share of the whole that each is."""
    whole = sum(module.size for module in point.modules) or 1.0
    order = sorted(point.modules, key=lambda module: module.size, reverse=True)
    return [(module, module.size / whole) for module in order[:MODULES] if module.size]


def module_cells(module: ModuleArea) -> list[str]:
    """The figures of an instance in the order of :data:`MODULE_COLUMNS`; empty for nothing."""
    counts = (
        *(module.luts, module.ffs, module.multipliers, module.memories, module.lut_memories),
        *(module.gates, round(module.area_um2)),
    )
    return [str(count or "") for count in counts]


def modules_table(point: PointRecord) -> Table:
    """A row for each of the largest instances of a point; columns that have nothing left out."""
    rows = [(module, share, module_cells(module)) for module, share in largest(point)]
    used = [i for i in range(len(MODULE_COLUMNS)) if any(row[i] for _, _, row in rows)]
    table = Table(point.id, "module")
    for i in used:
        table.add_column(MODULE_COLUMNS[i], justify="right")
    table.add_column("share", justify="right")
    for module, share, row in rows:
        name = module.path or "(top)"
        table.add_row(name, module.module, *(row[i] for i in used), f"{100 * share:.1f} %")
    return table


def verdict(record: ImplementRecord) -> str:
    """What became of a run, in one line."""
    good = sum(point.measured for point in record.points)
    worse = len(record.regressions)
    what = "PASSED" if good == len(record.points) and not worse else "FAILED"
    more = f", {worse} worse than in the last run" if worse else ""
    return f"{what}: {good} of {len(record.points)} points measured{more}"


def write_report(
    folder: Path, record: ImplementRecord, found: Sequence[Trend], pictures: Mapping[str, str]
) -> None:
    """Write the page, and the summary for a pull request.

    Args:
        folder: of the run.
        record: its figures.
        found: its points over the last runs.
        pictures: SVG by title.
    """
    environment = Environment(
        loader=PackageLoader("verif.implement.flow"),
        autoescape=select_autoescape(),
        trim_blocks=True,
    )
    page = environment.get_template("implement.html.j2").render(
        record=record,
        verdict=verdict(record),
        columns=COLUMNS,
        module_columns=MODULE_COLUMNS,
        rows=[(point, cells(point), _modules(point)) for point in record.points],
        trend_headings=HEADINGS,
        trends=trend_rows(found),
        pictures=pictures,
    )
    (folder / REPORT_FILE).write_text(page)
    (folder / MARKDOWN_FILE).write_text(markdown(record))


def markdown(record: ImplementRecord) -> str:
    """The run in Markdown: what is worse, what is missing, and a row for each point."""
    missing = [f"{point.id}: {point.message}" for point in record.points if point.message]
    lines = [f"## {verdict(record)}", "", f"`{' '.join(record.command)}`, commit {record.commit}"]
    lines += ["", *(f"- REGRESSION {text}" for text in record.regressions)]
    lines += [f"- {text}" for text in missing]
    lines += ["", f"| point | {' | '.join(COLUMNS)} |", f"|---|{'---:|' * len(COLUMNS)}"]
    lines += [f"| {point.id} | {' | '.join(cells(point))} |" for point in record.points]
    return "\n".join(lines) + "\n"


def _modules(point: PointRecord) -> list[tuple[ModuleArea, list[str], float]]:
    return [(module, module_cells(module), share) for module, share in largest(point)]
