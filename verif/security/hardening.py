"""The hardening options side by side, from recorded results: the tables of ``security.md``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.exponentiation_core import exponentiation
from models.registry import architecture
from verif.bench.configuration.design import EXPONENTIATION, ROOT
from verif.security.configuration import DEFAULT_ARCHITECTURE
from verif.security.leakage_report import LEAKAGE
from verif.security.roles import Role
from verif.security.upsets_report import (
    DETECTED,
    EXPECTATION,
    EXPERIMENTS,
    NEXT_WRONG,
    SAFE_ERRORS,
)

PAGE = ROOT / "verif" / "docs" / "security.md"
# LUT and FF after synthesis for ECP5, by width and options.
AREA = Path(__file__).with_name("area.json")
CHOICES = ((), ("Balanced",), ("Balanced", "Parity"), ("Balanced", "Parity", "Coherent"))
NONE = "not measured"
UPSETS_WIDTH, LEAKAGE_WIDTH, BLIND_WIDTH = 8, 16, 32
CYCLE_WIDTHS = (8, 64, 256, 1024)


@dataclass(frozen=True)
class Records:
    """Recorded figures of each configuration.

    Attributes:
        upsets: counts by key of the expectation.
        leakage: figures by key.
        area: ``[LUT, FF]`` by width and options, as in ``64-Balanced``.
    """

    upsets: Mapping[str, Mapping[str, int]]
    leakage: Mapping[str, Mapping[str, Any]]
    area: Mapping[str, tuple[int, int]]

    @classmethod
    def read(cls) -> Records:
        """Read the recorded results."""
        return cls(*(json.loads(path.read_text()) for path in (EXPECTATION, LEAKAGE, AREA)))


def hardening_table(records: Records) -> str:
    """Return the table of upsets, leakage and price, a column for each choice of options."""
    headings = ["", "none", *(", ".join(f"`{name}`" for name in each) for each in CHOICES[1:-1])]
    lines = [[*headings, "all three"], ["---", *("---:" for _ in CHOICES)]]
    lines += [[title, *map(cell, CHOICES)] for title, cell in _rows(records)]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


Cell = Callable[[tuple[str, ...]], str]


def _rows(records: Records) -> Iterator[tuple[str, Cell]]:
    def counted(show: Callable[[Mapping[str, int]], str], *names: str) -> Cell:
        def cell(options: tuple[str, ...]) -> str:
            found = records.upsets.get(f"{_name(UPSETS_WIDTH, options)}-flip-seed1", {})
            return show(found) if found.keys() >= {EXPERIMENTS, *names} else NONE

        return cell

    yield "upsets", counted(lambda found: f"{found[EXPERIMENTS]:,}")
    for name in ("silent", DETECTED):
        yield (
            {"silent": "silent wrong result"}.get(name, name),
            counted(
                lambda found, name=name: f"{100 * found[name] / found[EXPERIMENTS]:.2f} %", name
            ),
        )
    yield (
        "detected, of those that are silent or detected",
        counted(
            lambda found: f"{100 * found[DETECTED] / (found[DETECTED] + found['silent']):.1f} %",
            DETECTED,
        ),
    )
    titles = {"hang": "hang", NEXT_WRONG: "next operation wrong", SAFE_ERRORS: "safe errors"}
    for name, title in titles.items():
        yield title, counted(lambda found, name=name: f"{found[name]:,}", name)
    yield from _leakage_rows(records)
    yield from _price_rows(records)


def _leakage_rows(records: Records) -> Iterator[tuple[str, Cell]]:
    def scored(width: int, end: str, show: Callable[[Mapping[str, Any]], str]) -> Cell:
        def cell(options: tuple[str, ...]) -> str:
            found = records.leakage.get(f"{_name(width, options)}-exponent{end}-seed1")
            return show(found) if found else NONE

        return cell

    for width, end in ((LEAKAGE_WIDTH, ""), (BLIND_WIDTH, "-blind")):
        said = f"{width} bits{', blinded' if end else ''}: "
        yield f"{said}traces", scored(width, end, lambda found: f"{found['traces']:,}")
        for role in (Role.CONTROL, Role.EXPONENT):
            yield (
                f"{said}{role.value}, max abs z (limit)",
                scored(
                    width,
                    end,
                    lambda found, role=role: _within(
                        found["max_score"].get(role.value), found.get("limit")
                    ),
                ),
            )
        yield (
            f"{said}total toggles, max abs t (limit)",
            scored(width, end, lambda found: _within(found["distance"], found.get("sum_limit"))),
        )


def _within(score: float | None, limit: float | None) -> str:
    if score is None:
        return NONE
    return f"{score:.1f} ({limit:.1f})" if limit else f"{score:.1f}"


def _price_rows(records: Records) -> Iterator[tuple[str, Cell]]:
    def area(width: int) -> Cell:
        def cell(options: tuple[str, ...]) -> str:
            found = records.area.get("-".join([str(width), *options]))
            plain = records.area[str(width)]
            if not found:
                return NONE
            if not options:
                return f"{found[0]:,}, {found[1]:,}"
            shares = (100 * (a / b - 1) for a, b in zip(found, plain, strict=True))
            return ", ".join(f"{share:+.1f} %" for share in shares)

        return cell

    for width in CYCLE_WIDTHS:
        yield f"cycles at {width} bits", lambda options, width=width: _cycles(width, options)
    for width in sorted({int(key.split("-")[0]) for key in records.area}):
        yield f"LUT, FF at {width} bits", area(width)


def _cycles(width: int, options: tuple[str, ...]) -> str:
    entry, modulus = architecture(DEFAULT_ARCHITECTURE), (1 << width) - 1
    plain, made = (
        exponentiation(entry, width, coherent=coherent).operation_cycles(modulus, width)
        for coherent in (False, "Coherent" in options)
    )
    return f"{100 * (made / plain - 1):+.1f} %" if options else f"{made:,.0f}"


def _name(width: int, options: tuple[str, ...]) -> str:
    return "-".join([EXPONENTIATION.name, DEFAULT_ARCHITECTURE, str(width), "bus8", *options])
