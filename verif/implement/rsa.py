"""Section of the results page on RSA with 2048 bits and more: cores, and times beside others'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

from models.registry import architecture
from models.rsa_cycles import RSA_ARCHITECTURE, RSA_BITS, RSA_POINTS, in_words, rsa_cycles
from verif.bench.configuration.design import EXPONENTIATION
from verif.implement.point import ImplementationPoint
from verif.implement.quantities import ECP5, Measured, figures
from verif.implement.tables import markdown, number, speed

# Operation, its cycles, and whether the core has half of the bits.
OPERATIONS = (
    ("private, CRT", attrgetter("private_crt"), True),
    ("private, no CRT", attrgetter("private"), False),
    ("public", attrgetter("public"), False),
)


def rsa_section(measured: Measured) -> list[str]:
    """Return the section as lines of Markdown."""
    headings = ("core", "bits", "LUT", "FF", "18×18", "block RAM", "MHz (range, seeds)")
    known = figures()["rsa"]
    return [
        f"The core is the exponentiation with `{RSA_ARCHITECTURE}` on ECP5. With CRT it has half "
        "of the bits of the modulus. A core without a",
        "clock is synthesised and not routed.",
        "",
        markdown(headings, _cores(measured)),
        "Milliseconds of one operation. Ours are cycles by the formulas of the page on cycles, R² "
        "computed on chip, at the clock of the core;",
        "the bus and the software's share of CRT are not in them. Public operations have "
        "e = 65537. `–`: no clock, or no figure.",
        *known["remarks"],
        "",
        markdown(
            ("who", "operation", *map(str, RSA_BITS), "note"),
            [
                *_ours(measured),
                *map(_other, known["others"]),
            ],
        ),
    ]  # fmt: skip


def _cores(measured: Measured) -> Iterator[list[str]]:
    for values in RSA_POINTS:
        for bits in sorted({*RSA_BITS, *(bits // 2 for bits in RSA_BITS)}):
            if point := _point(measured, bits, values):
                yield [
                    in_words(values), str(bits),
                    *map(number, (point.luts, point.ffs, point.multipliers, point.memories)),
                    speed(point),
                ]  # fmt: skip


def _ours(measured: Measured) -> Iterator[list[str]]:
    entry = architecture(RSA_ARCHITECTURE)
    for values in RSA_POINTS:
        cycles = [rsa_cycles(entry.with_parameters(values), bits) for bits in RSA_BITS]
        for operation, of, is_half in OPERATIONS:
            times = [
                _milliseconds(of(each), _point(measured, bits // 2 if is_half else bits, values))
                for bits, each in zip(RSA_BITS, cycles, strict=True)
            ]
            if any(times):
                yield [f"ours, {in_words(values)}", operation, *map(number, times), ""]


def _other(known: Mapping[str, Any]) -> list[str]:
    """Return the row of another design, with milliseconds or with cycles and a clock."""
    times = known.get("ms") or [count and count / known["mhz"] / 1000 for count in known["cycles"]]
    return [known["who"], known["operation"], *map(number, times), known["note"]]


def _point(measured: Measured, bits: int, values: dict[str, int]) -> ImplementationPoint | None:
    return measured.find(ECP5, EXPONENTIATION.name, RSA_ARCHITECTURE, bits, **values)


def _milliseconds(cycles: int, point: ImplementationPoint | None) -> float | None:
    fmax = point.fmax_mhz if point else None
    return cycles / fmax.median / 1000 if fmax else None
