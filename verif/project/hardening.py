"""Tables and pictures of ``security.md``, from recorded results.

The exponentiation with its hardening options side by side, and each multiplier with its watchdog.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.exponentiation_core import exponentiation
from models.registry import architecture, hardware_architectures
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, ROOT, Design, hardware
from verif.implement.point import ImplementationPoint, point_id, read_points
from verif.implement.tables import NONE, markdown
from verif.security.configuration import DEFAULT_ARCHITECTURE
from verif.security.leakage_report import BIT_TRACES, BITS, LEAKAGE
from verif.security.outcome import picture_name
from verif.security.roles import Role
from verif.security.upsets_report import (
    DETECTED,
    DURATION,
    EXPECTATION,
    EXPERIMENTS,
    KEPT_WRONG,
    NEXT_WRONG,
    OTHER_STATUS,
    SAFE_ERRORS,
)

PAGE = ROOT / "verif" / "docs" / "security.md"
ALL = ("Balanced", "Parity", "Coherent")
# `Coherent` needs `Balanced`.
CHOICES = ((), ("Balanced",), ("Parity",), ALL[:2], ("Balanced", "Coherent"), ALL)
UPSETS_WIDTH, LEAKAGE_WIDTH, BLIND_WIDTH = 8, 16, 32
CYCLE_WIDTHS = (8, 64, 256, 1024)
COST_WIDTHS = (64,)
TARGET = "ecp5"
# Effects of a fault in the order of the table. The rest has no effect.
SILENT = "silent"
EFFECTS = {
    "latent": "latent",
    SILENT: "silent wrong result",
    "hang": "hang",
    DURATION: "other duration",
    DETECTED: "detected",
}
ROLES = {
    Role.CONTROL: "control and addresses",
    Role.EXPONENT: "exponent registers",
    Role.DATA: "data registers",
}
# Tests of the leakage: title, width and end of the recorded name.
TESTS = (
    ("whole exponent", LEAKAGE_WIDTH, "exponent"),
    ("one exponent bit", LEAKAGE_WIDTH, "bit"),
    ("base", LEAKAGE_WIDTH, "base"),
    ("whole exponent, blinded", BLIND_WIDTH, "exponent-blind"),
    ("base, blinded", BLIND_WIDTH, "base-blind"),
)
COSTS: Mapping[str, Callable[[ImplementationPoint], float | None]] = {
    "LUT": lambda point: point.luts,
    "FF": lambda point: point.ffs,
    "MHz": lambda point: point.fmax_mhz.median if point.fmax_mhz else None,
}
# Pictures: command, width, end of the recorded name, number, subject, what is shown. FOLDER is
# beside the page.
FOLDER = "security"
SHOWN = (
    ("upsets", UPSETS_WIDTH, "flip", 0, "Upsets", "effects by module"),
    ("upsets", UPSETS_WIDTH, "flip", 1, "Upsets", "silent, hang and latent, by cycle"),
    ("leakage", LEAKAGE_WIDTH, "exponent", 0, "Exponent", "z by module and cycle"),
    ("leakage", LEAKAGE_WIDTH, "exponent", 2, "Exponent", "t of all toggles by cycle"),
)


@dataclass(frozen=True)
class Records:
    """Recorded figures of each configuration.

    Attributes:
        upsets: counts by key of the expectation.
        leakage: figures by key.
        points: area and clock by id of the point.
    """

    upsets: Mapping[str, Mapping[str, int]]
    leakage: Mapping[str, Mapping[str, Any]]
    points: Mapping[str, ImplementationPoint]

    @classmethod
    def read(cls) -> Records:
        """Read the recorded results."""
        upsets, leakage = (json.loads(path.read_text()) for path in (EXPECTATION, LEAKAGE))
        return cls(upsets, leakage, {point.id: point for point in read_points()})


Cell = Callable[[tuple[str, ...]], str]
Row = tuple[str, Cell]


def hardening_tables(records: Records) -> str:
    """Return tables of upsets, leakage and price, a column for each choice of options."""
    parts = (
        ("Upsets", _upset_rows(records)),
        ("Leakage", _leakage_rows(records)),
        ("Price", _price_rows(records)),
    )
    return "\n" + "\n".join(_table(title, rows) for title, rows in parts) + "\n"


def watchdog_table(records: Records) -> str:
    """Return the upsets of each multiplier, a row without and one with its watchdog.

    Raises:
        KeyError: the counts of a multiplier are not stored.
    """
    counts = {EXPERIMENTS: "Upsets", SILENT: "Silent", "hang": "Hang", "latent": "Latent"}
    counts |= {DETECTED: "Detected", DURATION: "Other duration", NEXT_WRONG: "Next wrong"}
    heading = ["Core", "`Watchdog`", *counts.values()]
    rows = []
    for core in hardware_architectures():
        for watchdog, options in enumerate(((), ("Watchdog",))):
            key = _upsets(_name(UPSETS_WIDTH, options, MULTIPLIER, core))
            found = records.upsets[key]
            rows.append([f"`{core}`", str(watchdog), *(f"{found[each]:,}" for each in counts)])
    return f"\n{markdown(heading, rows)}\n"


def hardening_pictures() -> str:
    """Return the pictures of the page: one column without options, one with all three."""
    rows = [["", "none", "all three"], ["---", "---", "---"]]
    for kind, width, end, number, subject, shown in SHOWN:
        title = f"{subject}, {width} bits: {shown}"
        names = (f"{kind}-{_name(width, options)}-{end}" for options in ((), ALL))
        links = (f"![{title}]({FOLDER}/{picture_name(name, number)})" for name in names)
        rows.append([title, *links])
    return "\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows) + "\n"


def _table(title: str, rows: Iterator[Row]) -> str:
    headings = [title, "none", *(", ".join(f"`{name}`" for name in each) for each in CHOICES[1:-1])]
    found = ([name, *map(cell, CHOICES)] for name, cell in rows)
    # Nothing of a row is recorded: the table leaves it out.
    rows = [line for line in found if set(line[1:]) != {NONE}]
    return markdown([*headings, "all three"], rows)


def _upset_rows(records: Records) -> Iterator[Row]:
    def counted(show: Callable[[Mapping[str, int]], str], *names: str) -> Cell:
        def cell(options: tuple[str, ...]) -> str:
            found = records.upsets.get(_upsets(_name(UPSETS_WIDTH, options)), {})
            return show(found) if found.keys() >= {EXPERIMENTS, *names} else NONE

        return cell

    def share(count: Callable[[Mapping[str, int]], int], *names: str) -> Cell:
        return counted(lambda found: f"{100 * count(found) / found[EXPERIMENTS]:.2f} %", *names)

    def without_effect(found: Mapping[str, int]) -> int:
        return found[EXPERIMENTS] - sum(found[name] for name in EFFECTS)

    yield "upsets", counted(lambda found: f"{found[EXPERIMENTS]:,}")
    yield "no effect", share(without_effect, *EFFECTS)
    for name, title in EFFECTS.items():
        yield title, share(lambda found, name=name: found[name], name)
    yield (
        "detected, of those that are silent or detected",
        counted(
            lambda found: f"{100 * found[DETECTED] / (found[DETECTED] + found[SILENT]):.1f} %",
            DETECTED,
            SILENT,
        ),
    )
    for name in (SILENT, "latent", "hang", NEXT_WRONG, KEPT_WRONG, OTHER_STATUS, SAFE_ERRORS):
        title = f"{EFFECTS.get(name, name.replace('_', ' '))}, count"
        yield title, counted(lambda found, name=name: f"{found[name]:,}", name)


def _leakage_rows(records: Records) -> Iterator[Row]:
    def shown(width: int, end: str, show: Callable[[Mapping[str, Any]], str]) -> Cell:
        def cell(options: tuple[str, ...]) -> str:
            found = records.leakage.get(f"{_name(width, options)}-{end}-seed1")
            return show(found) if found else NONE

        return cell

    def score(found: Mapping[str, Any], role: Role) -> str:
        return _within(found["max_score"][role.value], found["limit"])

    for title, width, end in TESTS:
        said = f"{title}, {width} bits: "
        yield f"{said}traces", shown(width, end, lambda found: f"{found['traces']:,}")
        for role in Role:
            cell = shown(width, end, lambda found, role=role: score(found, role))
            yield f"{said}{ROLES[role]}, max abs z (limit)", cell
        total = shown(width, end, lambda found: _within(found["distance"], found["sum_limit"]))
        yield f"{said}total toggles, max abs t (limit)", total
    for noise in ("", "-noise10"):
        said = ", noise of sigma 10" if noise else ""
        yield (
            f"traces for one exponent bit at five sigma, {LEAKAGE_WIDTH} bits{said}",
            shown(LEAKAGE_WIDTH, f"bit{noise}", lambda found: _span(found[BITS].values())),
        )


def _within(score: float, limit: float) -> str:
    return f"{score:.1f} ({limit:.1f})"


def _span(needed: Iterable[int]) -> str:
    """Lowest and highest number of traces over the bits; 0 is more than were tried."""
    low, high = (f(each or math.inf for each in needed) for f in (min, max))
    more = f"more than {BIT_TRACES:,}"
    if math.isinf(low):
        return more
    return f"{low:,} to {more if math.isinf(high) else f'{high:,}'}"


def _price_rows(records: Records) -> Iterator[Row]:
    for width in CYCLE_WIDTHS:
        yield f"cycles, {width} bits", lambda options, width=width: _cycles(width, options)
    for width in COST_WIDTHS:
        for unit, value in COSTS.items():
            yield f"{unit}, {width} bits", _cost(records, width, value)


def _cost(
    records: Records, width: int, value: Callable[[ImplementationPoint], float | None]
) -> Cell:
    def cell(options: tuple[str, ...]) -> str:
        found, plain = (records.points.get(_point(width, each)) for each in (options, ()))
        mine = value(found) if found else None
        if mine is None:
            return NONE
        before = value(plain) if plain and options else None
        change = f" ({100 * (mine / before - 1):+.1f} %)" if before else ""
        return f"{mine:,.0f}{change}"

    return cell


def _point(width: int, options: Sequence[str]) -> str:
    entry = architecture(DEFAULT_ARCHITECTURE)
    made = hardware(EXPONENTIATION, entry, width, dict.fromkeys(options, 1))
    return point_id(EXPONENTIATION, made, TARGET)


def _cycles(width: int, options: tuple[str, ...]) -> str:
    entry, modulus = architecture(DEFAULT_ARCHITECTURE), (1 << width) - 1
    plain, made = (
        exponentiation(entry, width, coherent=coherent).operation_cycles(modulus, width)
        for coherent in (False, "Coherent" in options)
    )
    return f"{made:,.0f} ({100 * (made / plain - 1):+.1f} %)" if options else f"{made:,.0f}"


def _name(
    width: int,
    options: tuple[str, ...],
    design: Design = EXPONENTIATION,
    core: str = DEFAULT_ARCHITECTURE,
) -> str:
    return "-".join([design.name, core, str(width), "bus8", *options])


def _upsets(name: str) -> str:
    """Return the key of the stored counts of a configuration."""
    return f"{name}-flip-seed1"
