"""Access to the measurements: points, and the quantities that the papers have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from models.registry import architecture
from verif.bench.configuration.design import MULTIPLIER
from verif.implement.point import ImplementationPoint
from verif.implement.targets.ecp5 import AVAILABLE

FIGURES = Path(__file__).with_name("figures.yaml")
GATES, ECP5, NANGATE = "gates", "ecp5", "nangate45"
# Products of an RSA operation of 1024 bits in the thesis, one after the other.
MONTGOMERY_PRODUCTS, PLAIN_PRODUCTS = 1538, 1536


class Measured:
    """Finds the measured points.

    Args:
        points: points of any run.
    """

    def __init__(self, points: Iterable[ImplementationPoint]) -> None:
        """Split the points into those with a figure and those without."""
        points = list(points)
        self.points = [point for point in points if point.size is not None]
        self.missing = [point for point in points if point.size is None]

    def find(
        self, target: str, design: str, name: str, width: int, **parameters: int
    ) -> ImplementationPoint | None:
        """One point: one with a clock, if any has, and the most defaults where none is named."""
        found = [
            point
            for point in self.points
            if (point.target, point.design, point.architecture, point.width)
            == (target, design, name, width)
            and all(point.parameters.get(key) == value for key, value in parameters.items())
        ]
        return min(found, key=lambda point: (point.fmax_mhz is None, len(point.id)), default=None)


Metric = Callable[[Measured, str, int], float | None]


def _ecp5(measured: Measured, name: str, width: int) -> ImplementationPoint | None:
    return measured.find(ECP5, MULTIPLIER.name, name, width)


def _luts(measured: Measured, name: str, width: int) -> float | None:
    point = _ecp5(measured, name, width)
    return point.luts if point else None


def _share(measured: Measured, name: str, width: int) -> float | None:
    luts = _luts(measured, name, width)
    return 100 * luts / AVAILABLE["luts"] if luts else None


def _ffs(measured: Measured, name: str, width: int) -> float | None:
    point = _ecp5(measured, name, width)
    return point.ffs if point else None


def _carries(measured: Measured, name: str, width: int) -> float | None:
    point = _ecp5(measured, name, width)
    return 2 * (point.carries or 0) if point and point.modules else None


def _gates(measured: Measured, name: str, width: int) -> float | None:
    point = measured.find(GATES, MULTIPLIER.name, name, width)
    return point.gates if point else None


def _gate_equivalents(measured: Measured, name: str, width: int) -> float | None:
    point = measured.find(NANGATE, MULTIPLIER.name, name, width)
    return 1000 * point.kilo_gate_equivalents if point and point.kilo_gate_equivalents else None


def _period(measured: Measured, name: str, width: int) -> float | None:
    point = _ecp5(measured, name, width)
    return 1000 / point.fmax_mhz.median if point and point.fmax_mhz else None


def _loop(measured: Measured, name: str, width: int) -> float | None:
    period, point = _period(measured, name, width), _ecp5(measured, name, width)
    return period * point.cycles_loop if period and point else None


def _area_time(measured: Measured, name: str, width: int) -> float | None:
    luts, loop = _luts(measured, name, width), _loop(measured, name, width)
    return luts * loop if luts and loop else None


def _rsa(measured: Measured, name: str, width: int) -> float | None:
    loop = _loop(measured, name, width)
    count = MONTGOMERY_PRODUCTS if architecture(name).montgomery else PLAIN_PRODUCTS
    return loop * count / 1e6 if loop else None


METRICS: Mapping[str, Metric] = {
    "share": _share,
    "gates": _gates,
    "period_ns": _period,
    "ffs": _ffs,
    "luts": _luts,
    "carries": _carries,
    "gate_equivalents": _gate_equivalents,
    "loop_ns": _loop,
    "area_time": _area_time,
    "rsa_ms": _rsa,
}


def figures() -> dict[str, Any]:
    """A published quantity, see ``figures.yaml``."""
    return yaml.safe_load(FIGURES.read_text())


def point_of(measured: Measured, given: Mapping[str, Any]) -> ImplementationPoint | None:
    """The point that ``figures.yaml`` means."""
    of = dict(given)
    place = [of.pop(key) for key in ("design", "architecture", "width")]
    return measured.find(of.pop("target", ECP5), *place, **of)


def words_of(given: Mapping[str, Any]) -> str:
    """The same for readers."""
    of = dict(given)
    design, name, width = of.pop("design"), of.pop("architecture"), of.pop("width")
    target = of.pop("target", ECP5)
    words = [design, f"`{name}`", str(width)]
    words += [", ".join(f"{key} {value}" for key, value in of.items())] if of else []
    words += [f"on {target}"] if target != ECP5 else []
    return " ".join(words)


def values_of(point: ImplementationPoint | None) -> dict[str, float]:
    """Return the figures of a point under the names of ``figures.yaml``; none without a point."""
    if point is None:
        return {}
    values: dict[str, float | None] = {
        "luts": point.luts,
        "ffs": point.ffs,
        "multipliers": point.multipliers,
        "luts_a_bit": point.luts / point.width if point.luts else None,
        "ffs_a_bit": point.ffs / point.width if point.ffs else None,
    }
    if point.fmax_mhz:
        mhz, entry = point.fmax_mhz.median, architecture(point.architecture)
        values["mhz"] = mhz
        values["exponentiation_ms"] = point.time_exponentiation_ms
        values["loop_us"] = point.cycles_loop / mhz
        if entry.binary:
            values["binary_loop_us"] = entry.binary.loop_cycles(point.width) / mhz
    return {key: value for key, value in values.items() if value is not None}
