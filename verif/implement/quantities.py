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


def _of(value: Callable[[ImplementationPoint], float | None], target: str = ECP5) -> Metric:
    """Return a metric of the point of a multiplier; None without a point."""

    def metric(measured: Measured, name: str, width: int) -> float | None:
        point = measured.find(target, MULTIPLIER.name, name, width)
        return value(point) if point else None

    return metric


def _period_ns(point: ImplementationPoint) -> float | None:
    return 1000 / point.fmax_mhz.median if point.fmax_mhz else None


def _loop_ns(point: ImplementationPoint) -> float | None:
    period = _period_ns(point)
    return period and period * point.cycles_loop


def _area_time(point: ImplementationPoint) -> float | None:
    loop = _loop_ns(point)
    return point.luts and loop and point.luts * loop


def _rsa_ms(point: ImplementationPoint) -> float | None:
    loop, montgomery = _loop_ns(point), architecture(point.architecture).montgomery
    return loop and loop * (MONTGOMERY_PRODUCTS if montgomery else PLAIN_PRODUCTS) / 1e6


METRICS: Mapping[str, Metric] = {
    "share": _of(lambda point: point.luts and 100 * point.luts / AVAILABLE["luts"]),
    "gates": _of(lambda point: point.gates, GATES),
    "period_ns": _of(_period_ns),
    "ffs": _of(lambda point: point.ffs),
    "luts": _of(lambda point: point.luts),
    "carries": _of(lambda point: 2 * (point.carries or 0) if point.modules else None),
    "gate_equivalents": _of(
        lambda point: point.kilo_gate_equivalents and 1000 * point.kilo_gate_equivalents, NANGATE
    ),
    "loop_ns": _of(_loop_ns),
    "area_time": _of(_area_time),
    "rsa_ms": _of(_rsa_ms),
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
