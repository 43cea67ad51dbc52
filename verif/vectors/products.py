"""Lines of a vectors file that are products: x, y, m."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from models.registry import architectures
from models.status import Status
from verif.bench.configuration.design import MULTIPLIER, Design
from verif.vectors.line import Hex, Kind, Line, LineError, Target, Vector, check_widths, illegal


class ProductLine(Line):
    """A product."""

    x: Hex
    """Multiplier, below m."""
    y: Hex
    """Multiplicand, below m."""
    m: Hex
    """Modulus, odd for a Montgomery multiplier."""
    p: Hex | None = None
    """The product: X·Y·R⁻¹ mod M for a Montgomery multiplier, R as its registry entry says."""
    s: Hex | None = None
    """Sum of the redundant result, of one architecture."""
    c: Hex | None = None
    """Carries of the redundant result."""

    required: ClassVar[tuple[str, ...]] = ("x", "y", "m")
    expectations: ClassVar[tuple[str, ...]] = ("p", "s", "c")
    numbers: ClassVar[tuple[str, ...]] = (*required, *expectations)


@dataclass(frozen=True)
class ProductVector(Vector):
    """One product; ``raw``: the operands are not below the modulus, (S, C) are the result."""

    raw: bool = False

    test: ClassVar[str] = "vectors"

    @property
    def modulus(self) -> int:
        """See :class:`verif.vectors.line.Vector`."""
        return dict(self.values)["m"]

    @property
    def clocks(self) -> int:
        """See :class:`verif.vectors.line.Vector`."""
        entry, values = architectures()[self.architecture], dict(self.values)
        status = entry.operand_status(values["x"], values["y"], values["m"], self.width, self.raw)
        return entry.operation_clocks(values["m"], self.width, status, raw=self.raw)

    def as_case(self) -> dict[str, Any]:
        """See :class:`verif.vectors.line.Vector`."""
        return {**super().as_case(), "raw": self.raw}


class Products(Kind[ProductLine]):
    """Operands x, y, m; expectations p, s, c."""

    design: ClassVar[Design] = MULTIPLIER
    model = ProductLine

    def vectors(self, number: int, name: str, line: ProductLine, target: Target) -> list[Vector]:
        """See :class:`verif.vectors.line.Kind`."""
        values = line.values
        operands = {key: values[key] for key in line.required}
        vectors: list[Vector] = []
        refused: set[Status] = set()
        for architecture, entry in target.candidates(line, ("s", "c")).items():
            width = line.width
            if width is None:
                width = max(line.m.bit_length(), entry.min_width)
            check_widths(entry, operands, width, line.width is not None)
            vector = ProductVector(
                line=number,
                title=name,
                name=name,
                architecture=architecture,
                width=width,
                values=tuple(values.items()),
                reject=line.reject,
                everywhere=line.architecture is None,
            )
            status = entry.operand_status(line.x, line.y, line.m, width)
            raw_status = entry.operand_status(line.x, line.y, line.m, width, raw=True)
            if line.reject:
                # A named architecture is tried even if it should accept: that is the test.
                if status is not Status.OK or line.architecture:
                    vectors.append(vector)
            elif status is Status.OK:
                vectors.append(vector)
            elif raw_status is Status.RAW and {"s", "c"} <= set(values):
                if "p" in values:
                    raise LineError("'p' cannot be checked: operands out of range have only s, c")
                vectors.append(replace(vector, raw=True))
            else:
                refused.add(status)
        if not vectors and line.reject:
            raise LineError("'expect' is \"reject\", but the operands are legal everywhere")
        if not vectors:
            raise LineError(_refusal(line.architecture, operands, refused))
        return vectors


def _refusal(architecture: str | None, operands: Mapping[str, int], statuses: set[Status]) -> str:
    if statuses == {Status.OPERAND_RANGE}:
        too_large = " and ".join(name for name in ("x", "y") if operands[name] >= operands["m"])
        return (
            f"operand out of range ({too_large} >= m): give 'expect': \"reject\", "
            "or 's' and 'c' for the raw result"
        )
    return illegal(architecture, statuses)
