"""Lines of a vectors file that are products: x, y, m."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from models.status import Status
from verif.design import MULTIPLIER, Design
from verif.vectors.line import Kind, LineError, Target, Vector, check_widths, illegal


@dataclass(frozen=True)
class ProductVector(Vector):
    """One product; ``raw``: the operands are not below the modulus, (S, C) are the result."""

    raw: bool = False

    test: ClassVar[str] = "vectors"

    def as_job_vector(self) -> dict[str, Any]:
        """See :class:`verif.vectors.line.Vector`."""
        return {**super().as_job_vector(), "raw": self.raw}


class Products(Kind):
    """Operands x, y, m; expectations p, s, c."""

    design: ClassVar[Design] = MULTIPLIER
    required: ClassVar[tuple[str, ...]] = ("x", "y", "m")
    expectations: ClassVar[tuple[str, ...]] = ("p", "s", "c")
    hexadecimal: ClassVar[tuple[str, ...]] = (*required, *expectations)

    def vectors(
        self, line: int, name: str, fields: Mapping[str, Any], target: Target
    ) -> list[Vector]:
        """See :class:`verif.vectors.line.Kind`."""
        values = {key: int(fields[key], 16) for key in self.hexadecimal if key in fields}
        operands = {key: values[key] for key in self.required}
        vectors: list[Vector] = []
        refused: set[Status] = set()
        for architecture, entry in target.candidates(fields, ("s", "c")).items():
            width = fields.get("width", max(values["m"].bit_length(), entry.min_width))
            check_widths(entry, operands, width, "width" in fields)
            vector = ProductVector(
                line=line,
                name=name,
                architecture=architecture,
                width=width,
                values=tuple(values.items()),
                reject="expect" in fields,
            )
            status = entry.operand_status(*operands.values(), width)
            raw_status = entry.operand_status(*operands.values(), width, raw=True)
            if vector.reject:
                # A named architecture is tried even if it should accept: that is the test.
                if status is not Status.OK or "architecture" in fields:
                    vectors.append(vector)
            elif status is Status.OK:
                vectors.append(vector)
            elif raw_status is Status.RAW and {"s", "c"} <= set(values):
                if "p" in values:
                    raise LineError("'p' cannot be checked: operands out of range have only s, c")
                vectors.append(replace(vector, raw=True))
            else:
                refused.add(status)
        if not vectors and "expect" in fields:
            raise LineError("'expect' is \"reject\", but the operands are legal everywhere")
        if not vectors:
            raise LineError(_refusal(fields, operands, refused))
        return vectors


def _refusal(fields: Mapping[str, Any], operands: dict[str, int], statuses: set[Status]) -> str:
    if statuses == {Status.OPERAND_RANGE}:
        too_large = " and ".join(name for name in ("x", "y") if operands[name] >= operands["m"])
        return (
            f"operand out of range ({too_large} >= m): give 'expect': \"reject\", "
            "or 's' and 'c' for the raw result"
        )
    return illegal(fields.get("architecture"), statuses)
