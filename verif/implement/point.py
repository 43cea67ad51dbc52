"""The record of a point with what a multiplier is measured by: cycles and times."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from models.architecture import Architecture
from models.exponentiation_core import exponentiation
from regress.core.errors import UsageError
from verif.implement.flow.record import Fmax, PointRecord

# The points of the results page; a point measured again takes its own place.
KEPT = Path(__file__).with_name("measured.json")


class ImplementationPoint(PointRecord):
    """One object of ``implement.json``.

    Cycles come from the registry's formulas, which the environment compares with every operation
    it sees. Times are cycles at the median frequency.
    """

    architecture: str
    width: int = Field(description="bits of the operands")
    cycles_loop: int = Field(description="from the core's start to its result")
    cycles_product: float = Field(
        description="a product with everything between two of them in an exponentiation: "
        "what one more exponent bit costs"
    )
    cycles_exponentiation: int = Field(
        description="a full-length exponentiation in the core with two such multipliers, R**2 "
        "computed on chip"
    )
    time_product_us: float | None = None
    time_exponentiation_ms: float | None = None

    @property
    def bits(self) -> int:
        """The width."""
        return self.width

    @property
    def variant(self) -> list[str]:
        """Parameters that are not the defaults, as the id names them: ``Latency4``."""
        start = f"{self.design}-{self.architecture}-{self.width}"
        named = self.id.removeprefix(start).removesuffix(f"-{self.target}")
        return named.split("-")[1:]


def cycles(entry: Architecture, width: int, add_width: int) -> dict[str, float]:
    """The clock fields of a configured entry."""
    model = exponentiation(entry, width, add_width)
    # No more than its length matters, and that to some architectures only.
    modulus = (1 << width) - 1
    long, short = (model.operation_cycles(modulus, length) for length in (width, 1))
    return {
        "cycles_loop": entry.timing.loop_cycles(width),
        "cycles_product": round((long - short) / (width - 1), 2),
        "cycles_exponentiation": long,
    }


def times(cycles_product: float, cycles_exponentiation: int, fmax: Fmax | None) -> dict[str, float]:
    """The time fields; none without a clock frequency."""
    if fmax is None:
        return {}
    return {
        "time_product_us": round(cycles_product / fmax.median, 4),
        "time_exponentiation_ms": round(cycles_exponentiation / fmax.median / 1000, 4),
    }


def read_points(path: Path) -> list[ImplementationPoint]:
    """The points of a run.

    Raises:
        UsageError: there are none.
    """
    try:
        data = json.loads(path.read_text())
        return [ImplementationPoint.model_validate(point) for point in data["points"]]
    except FileNotFoundError:
        raise UsageError(f"{path.parent} is no run of implement: no {path.name}") from None
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"{path} cannot be read: {reason}") from None


def write_points(path: Path, points: Mapping[str, ImplementationPoint]) -> None:
    """Write points for :func:`read_points`, a line each and in order, for small differences."""
    lines = [
        points[key].model_dump_json(exclude_defaults=True, exclude={"regressions"})
        for key in sorted(points)
    ]
    path.write_text('{"points": [\n' + ",\n".join(lines) + "\n]}\n")
