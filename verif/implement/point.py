"""A measured point: figures of a configuration with cycles, times and where they come from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from pydantic import Field, ValidationError

from models.architecture import Architecture
from models.exponentiation_core import exponentiation
from regress.core.errors import UsageError
from verif.bench.configuration.design import Design, Hardware, changed_parameters
from verif.implement.figures import Figures
from verif.implement.targets import target

# The points of the results page, one line each; a point measured again takes its own place.
KEPT = Path(__file__).with_name("measured.jsonl")


class ImplementationPoint(Figures):
    """A design with its parameters on a target.

    Cycles come from the registry's formulas, which the environment compares with every operation
    it sees. Times are cycles at the median frequency.
    """

    id: str = Field(
        description="design, architecture, width, parameters that are not defaults, and target, "
        "with hyphens between them"
    )
    parameters: dict[str, int] = Field(description="every parameter, defaults too")
    cycles_loop: int = Field(description="from the core's start to its result")
    cycles_product: float = Field(
        description="a product with everything between two of them in an exponentiation: "
        "what one more exponent bit costs"
    )
    cycles_exponentiation: int = Field(
        description="a full-length exponentiation in the core with two such multipliers, R**2 "
        "computed on chip"
    )
    commit: str = Field(default="", description="of the design, -dirty if files were changed")
    measured: date | None = None
    tools: dict[str, str] = Field(default_factory=dict)

    @property
    def _words(self) -> list[str]:
        return self.id.split("-")

    @property
    def design(self) -> str:
        """Name of the design."""
        return self._words[0]

    @property
    def architecture(self) -> str:
        """Registry name."""
        return self._words[1]

    @property
    def width(self) -> int:
        """Operand width in bits."""
        return int(self._words[2])

    @property
    def variant(self) -> list[str]:
        """Parameters that are not the defaults: ``Latency4``."""
        return self._words[3:-1]

    @property
    def label(self) -> str:
        """Architecture, width and variant, as Markdown."""
        return f"`{' '.join(self._words[1:-1])}`"

    @property
    def target(self) -> str:
        """Name of the target."""
        return self._words[-1]

    @property
    def stage(self) -> str:
        """Kind of the times: post-route, pre-layout, or empty without times."""
        return target(self.target).stage

    @property
    def time_product_us(self) -> float | None:
        """Time of a product in microseconds; None without a clock frequency."""
        fmax = self.fmax_mhz
        return round(self.cycles_product / fmax.median, 4) if fmax else None

    @property
    def time_exponentiation_ms(self) -> float | None:
        """Time of an exponentiation in milliseconds; None without a clock frequency."""
        fmax = self.fmax_mhz
        return round(self.cycles_exponentiation / fmax.median / 1000, 4) if fmax else None


def point_id(design: Design, made: Hardware, target_name: str) -> str:
    """Return the id of a configuration on a target."""
    variant = (f"{name}{value}" for name, value in changed_parameters(design, made).items())
    width = str(made.parameters["Width"])
    return "-".join([design.name, made.core.name, width, *variant, target_name])


def cycles(
    entry: Architecture, width: int, add_width: int, *, coherent: bool = False
) -> dict[str, float]:
    """Return the cycle fields of a configured entry; ``coherent``: with that option."""
    model = exponentiation(entry, width, add_width, coherent=coherent)
    # Only the length of the modulus matters, and only for some architectures.
    modulus = (1 << width) - 1
    long, short = (model.operation_cycles(modulus, length) for length in (width, 1))
    return {
        "cycles_loop": entry.timing.loop_cycles(width),
        "cycles_product": round((long - short) / (width - 1), 2),
        "cycles_exponentiation": long,
    }


def read_points(path: Path = KEPT) -> list[ImplementationPoint]:
    """Return the kept points.

    Raises:
        UsageError: the file cannot be read; the message has the line.
    """
    try:
        lines = path.read_text().splitlines()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    points = []
    for number, line in enumerate(lines, 1):
        try:
            points.append(ImplementationPoint.model_validate_json(line))
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise UsageError(f"{path}:{number}: no measured point: {reason}") from None
    return points


def write_points(points: Iterable[ImplementationPoint], path: Path = KEPT) -> None:
    """Write points in the order of their ids, one line each, so that changes are easy to read."""
    by_id: Mapping[str, ImplementationPoint] = {point.id: point for point in points}
    lines = []
    for key in sorted(by_id):
        data = by_id[key].model_dump(mode="json", exclude_defaults=True)
        data["modules"] = {name: _plain(size) for name, size in by_id[key].modules.items()}
        first = {"id": data.pop("id")}
        lines.append(json.dumps(first | data, ensure_ascii=False, separators=(",", ":")))
    path.write_text("".join(f"{line}\n" for line in lines))


def _plain(size: float) -> float:
    """Return a size that is written without a fraction if it has none."""
    return int(size) if size == int(size) else size
