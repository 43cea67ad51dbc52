"""A page of one campaign: tables and pictures in one HTML file, which loads nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray
from rich.table import Table

from verif.library.svg import svg
from verif.security.outcome import plain

SIZE = (10.0, 2.6)
ROW_INCHES = 0.24
TEMPLATE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title><style>
body { font: 14px/1.4 sans-serif; margin: 1.5em; max-width: 75em; color: #111; background: #fff }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px }
caption { text-align: left; font-weight: bold; padding: .3em 0; white-space: nowrap }
th, td { border-bottom: 1px solid #ccc; padding: .2em .6em; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
pre { background: #f4f4f4; padding: .6em; white-space: pre-wrap }
svg { max-width: 100%; height: auto }
</style></head><body><h1>{{ title }}</h1>
<pre>{{ command }}</pre>
<ul>{% for line in verdicts %}<li>{{ line }}</li>{% endfor %}</ul>
{% for name, svg in pictures %}<h2>{{ name }}</h2>{{ svg }}{% endfor %}
{% for table in tables %}<table><caption>{{ table.title }}</caption>
<tr>{% for column in table.headings %}<th>{{ column }}</th>{% endfor %}</tr>
{% for row in table.rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>{% endfor %}
</body></html>
"""


def write_page(
    path: Path,
    title: str,
    command: str,
    verdicts: Sequence[str],
    pictures: Mapping[str, str],
    tables: Sequence[Table],
) -> None:
    """Write the page.

    Args:
        path: HTML file; its folder is created.
        title: heading.
        command: command that repeats the campaign.
        verdicts: lines of the verdict.
        pictures: SVG by title.
        tables: tables as the console shows them.

    Raises:
        OSError: the file cannot be written.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    text = environment.from_string(TEMPLATE).render(
        title=title,
        command=command,
        verdicts=verdicts,
        pictures=[(name, Markup(svg)) for name, svg in pictures.items()],
        tables=[plain(table) for table in tables],
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def heat_map(
    rows: Mapping[str, NDArray[np.float64]], first: int, unit: str, limit: float | None = None
) -> str:
    """Return a heat map of module and cycle.

    Args:
        rows: value of each cycle by module.
        first: number of the first cycle.
        unit: what the colour shows.
        limit: values up to this one are grey; None: no value is.
    """
    names = sorted(rows, key=lambda name: -rows[name].max(initial=0))
    values = np.array([rows[name] for name in names])
    figure = Figure(figsize=(SIZE[0], 1.2 + ROW_INCHES * len(names)), layout="constrained")
    axes = figure.add_subplot()
    cells = values if limit is None else np.ma.masked_less_equal(values, limit)
    axes.set_facecolor("#dddddd")
    extent = (first - 0.5, first + values.shape[1] - 0.5, len(names) - 0.5, -0.5)
    # A map without a value above the limit keeps a scale that begins at 0.
    top = max(values.max(initial=0), limit or 1)
    image = axes.imshow(
        cells,
        aspect="auto",
        interpolation="nearest",
        extent=extent,
        cmap="viridis_r",
        vmin=0,
        vmax=top,
    )
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_xlabel("cycle")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.colorbar(image, ax=axes, label=unit, pad=0.01)
    return svg(figure, "security")


def over_time(values: NDArray[np.float64], first: int, limit: float) -> str:
    """Return a curve of t over the cycles, and its limit on both sides of 0."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.plot(np.arange(first, first + len(values)), values, linewidth=0.8, color="#0072b2")
    for sign in (-1, 1):
        label = f"limit {limit:.2f}" if sign > 0 else None
        axes.axhline(sign * limit, color="#d55e00", linewidth=0.8, linestyle="--", label=label)
    axes.set_xlim(first, first + len(values) - 1)
    axes.set_ylim(1.2 * min(values.min(), -limit), 1.2 * max(values.max(), limit))
    axes.set_xlabel("cycle")
    axes.set_ylabel("t")
    axes.legend(frameon=False, loc="upper right")
    return svg(figure, "security")


def stacked(counts: Mapping[str, Sequence[int]], kinds: Sequence[str]) -> str:
    """Return a bar of the faults with an effect for each module, split by kind."""
    names = sorted(counts, key=lambda name: sum(counts[name]))
    figure = Figure(figsize=(SIZE[0], 1.2 + ROW_INCHES * len(names)), layout="constrained")
    axes = figure.add_subplot()
    left = np.zeros(len(names))
    colours = ("#cccccc", "#56b4e9", "#d55e00", "#000000", "#e69f00", "#009e73")
    for index, kind in enumerate(kinds):
        values = np.array([counts[name][index] for name in names], float)
        axes.barh(names, values, left=left, label=kind, color=colours[index % len(colours)])
        left += values
    axes.tick_params(axis="y", labelsize=8)
    axes.set_xlabel("faults with an effect")
    axes.legend(frameon=False, loc="lower right", fontsize=8)
    return svg(figure, "security")
