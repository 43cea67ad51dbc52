"""The command ``results``: writes ``models/docs/results.md`` and pictures from measurements."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from regress.cli.options import Call
from regress.cli.session import load
from regress.core.archive import read_run
from regress.core.errors import UsageError
from regress.core.project import Project
from regress.core.terminal import PASSED, say
from verif.bench.configuration.design import ROOT
from verif.implement.energy.section import energy_section
from verif.implement.figures import ENERGY_FIELDS, Fmax
from verif.implement.jobs import measured_points
from verif.implement.point import KEPT, ImplementationPoint, read_points, write_points
from verif.implement.quantities import Measured, figures
from verif.implement.rsa import rsa_section
from verif.implement.statements import statements
from verif.implement.tables import (
    all_points,
    parts_table,
    peer_table,
    point_table,
    target_table,
    thesis_tables,
    unfolding_table,
)

DOCS = ROOT / "models" / "docs"
PAGE = "results.md"
PICTURES = "results"
NEXT = (
    "Next: [measure a design](../../verif/docs/implement.md), or "
    "[cycles of each multiplier](../../verif/docs/cycles.md)."
)
# End of the name of a commit whose files were changed.
DIRTY = "-dirty"
# Holds the place of the contents list until all headings are known.
CONTENTS = "<!-- contents -->"


def add_results(commands: Any, _: Project) -> None:
    """Add ``results`` to a parser's subcommands."""
    parser = commands.add_parser(
        "results",
        help="write tables and pictures of area, clock and energy, beside published figures",
        description=f"Write {DOCS.relative_to(ROOT) / PAGE} and its pictures from {KEPT.name} and "
        "the given runs of implement, whose points are added to it.",
    )
    parser.add_argument(
        "runs", nargs="*", type=Path, metavar="RUN", help="folder of a run of implement"
    )
    parser.set_defaults(run=_run)


def _run(call: Call) -> int:
    points = {point.id: point for point in read_points()} if KEPT.exists() else {}
    for folder in call.runs:
        record = load(call.context, folder)
        if record.plan.hdl:
            raise UsageError(
                f"{folder}: measured on the design in {record.plan.hdl}; "
                "accepted: a run on the project's own design"
            )
        commit = read_run(call.context, record.folder).tools["sources"]
        check_committed(folder, commit)
        points |= {
            point.id: merged(point, points.get(point.id))
            for point in measured_points(record, commit)
        }
    write_points(points.values())
    write_page(read_points())  # in the order of the file: a picture has a bar for each point
    say(call.console, f"{len(points)} points: {(DOCS / PAGE).relative_to(ROOT)}")
    return PASSED


def check_committed(run: Path | str, commit: str) -> None:
    """Reject a run on uncommitted changes: no commit has the measured design.

    Raises:
        UsageError: the run has uncommitted changes.
    """
    if commit.endswith(DIRTY):
        raise UsageError(f"{run}: measured on uncommitted changes ({commit}); commit them first")


def merged(point: ImplementationPoint, known: ImplementationPoint | None) -> ImplementationPoint:
    """Return the record of a point that was measured again.

    Seeds of several runs of one synthesis count together, so that hours of routing can be spread
    over them. If two runs have the same seed, the newer value counts. The energy stays if the new
    run did not measure it.
    """
    if known is None or (point.size is None and known.size is None):
        return point
    if point.key == known.key and point.energy_pj is None and known.energy_pj is not None:
        energy = {field: getattr(known, field) for field in ENERGY_FIELDS}
        point = point.model_copy(update=energy)
    if point.size is None:
        return known
    if point.key != known.key or not known.fmax_mhz:
        return point
    if not point.fmax_mhz:
        return known
    if known.mhz_summary:
        return point if len(point.mhz) >= len(known.fmax_mhz.seeds) else known
    mhz = known.mhz | point.mhz
    if mhz == point.mhz:
        return point
    median = Fmax.over(mhz).median
    nearest = min((point, known), key=lambda one: abs(_path_mhz(one) - median))
    path = {"path_end": nearest.path_end, "path_ns": nearest.path_ns}
    return point.model_copy(update={"mhz": dict(sorted(mhz.items())), **path})


def _path_mhz(point: ImplementationPoint) -> float:
    """Return the frequency that the critical path allows."""
    return 1000 / point.path_ns if point.path_ns else 0.0


def compared(points: Sequence[ImplementationPoint]) -> list[ImplementationPoint]:
    """Return the points of each design and target with at least two architectures."""
    found = {(p.design, p.target, p.architecture) for p in points}
    count = Counter((design, target) for design, target, _ in found)
    return [p for p in points if count[p.design, p.target] > 1]


def write_page(points: Iterable[ImplementationPoint], docs: Path = DOCS) -> None:
    """Write the page and its pictures."""
    # Slow to load, as matplotlib is.
    from verif.implement.pictures import pictures

    points = list(points)
    folder = docs / PICTURES
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    shown = []
    for title, svg in pictures(compared(points)).items():
        name = "".join(c if c.isalnum() else "-" for c in title.lower()).replace("--", "-")
        (folder / f"{name}.svg").write_text(svg)
        shown.append((title, f"{PICTURES}/{name}.svg"))
    (docs / PAGE).write_text(page(points, shown))


def _seeds_apart(points: Iterable[ImplementationPoint]) -> str:
    """A sentence on how far the seeds of a point lie apart; nothing if none has several."""
    ranges = [p.fmax_mhz for p in points if p.fmax_mhz and len(p.fmax_mhz.seeds) > 1]
    above = [100 * (fmax.max / fmax.min - 1) for fmax in ranges]
    if not above:
        return ""
    half, most = statistics.median(above), max(above)
    return (
        f" The best seed of a point is above its worst by up to {half:.0f} % in half of the "
        f"points, by {most:.0f} % at most."
    )


def page(points: Sequence[ImplementationPoint], shown: Sequence[tuple[str, str]]) -> str:
    """The page as Markdown."""
    measured = Measured(points)
    known = [point for point in measured.points if point.measured]
    commits = sorted({p.commit for p in known})
    dates = sorted(p.measured for p in known if p.measured)
    tools = sorted({f"{name} {version}" for p in known for name, version in p.tools.items()})
    lines = [
        "# What the designs cost",
        "",
        "For the designer who chooses a multiplier. After this page you know the area, clock and "
        "time of each configuration, next to",
        "the figures of the papers.",
        "",
        "<!-- table: results -->",
        "Made by `python -m regress results`; do not edit. Each figure was measured by "
        "`python -m regress implement`",
        f"(commit {', '.join(commits) or 'none'}; {_span(dates)}; {', '.join(tools)}).",
        "ECP5: LFE5U-85F, speed grade 6, post-route with real pins; nangate45 and sky130hd: "
        "pre-layout, area of cells alone;",
        "gates: two-input gates and multiplexers, no technology. The clock is the median of the "
        f"router's seeds.{_seeds_apart(measured.points)} `–`: not measured.",
        "A multiplier has its loader, checks and word-serial adder with it; the papers have the "
        "loop and its registers.",
        "",
        CONTENTS,
        "",
        "## The papers' statements, measured with the open flow",
        "",
        *(f"- {text}" for text in statements(measured)),
        "",
        "## Words that move, beside flat operands",
        "",
        "Flat operands: the design of f230413, which picked words out of full-width vectors by an "
        "index, on this flow",
        "on 2026-11-22 (`fast_montgomery` and `optimized_interleaved` at 256 bits). LUTs of today "
        "have those of carry chains and",
        "memories with them.",
        "",
        target_table(measured),
        parts_table(measured),
        "## Pictures",
        "",
        *(f"![{title}]({path})" for title, path in shown),
        "",
        f"## {figures()['source_000']}",
        "",
    ]
    for title, text in thesis_tables(measured):
        lines += [f"{title}", "", text]
    unfolding, width = unfolding_table(measured)
    ours = f"ours at {width} bits" if width else "ours not measured"
    lines += [
        f"## {figures()['gajbhiye']['source']}; {ours}",
        "",
        unfolding,
        "## Single points: Michalski & Buell, Jiang & Harris, Tanimura et al.",
        "",
        "LUT, FF and multipliers of a point of Jiang & Harris are those of their one multiplier. "
        "Times of an exponentiation are",
        "cycles of the core with two multipliers, R² mod M computed on chip, at the clock of the "
        "point.",
        "",
        point_table(measured),
        "## Peers on the same flow (one router seed, 2026-11-21)",
        "",
        peer_table(),
        "## RSA of 2048 bits and more",
        "",
        *rsa_section(measured),
        "## Energy of an operation, estimated from toggles",
        "",
        *energy_section(measured),
        "## Every point",
        "",
    ]
    for title, text in all_points(measured):
        lines += [f"{title}", "", text]
    text = "\n".join(lines).rstrip() + f"\n<!-- /table -->\n\n{NEXT}\n"
    return text.replace(CONTENTS, contents(text))


def contents(text: str) -> str:
    """Return a list of links to the second-level headings of a Markdown page."""
    titles = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    return "\n".join(f"- [{title}](#{_anchor(title)})" for title in titles)


def _anchor(title: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _span(dates: Sequence[Any]) -> str:
    if not dates:
        return "never"
    first, last = (f"{date:%Y-%m-%d}" for date in (dates[0], dates[-1]))
    return first if first == last else f"{first} to {last}"
