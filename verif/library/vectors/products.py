"""Lines of a vectors file that are products: x, y, m."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import model_validator
from typing_extensions import Self

from models.architecture import Architecture
from models.reference import modular_product
from models.registry import architectures
from models.status import Status
from verif.bench.configuration.design import MULTIPLIER, Design
from verif.library.vectors.line import (
    Hex,
    IllegalError,
    Kind,
    Line,
    LineError,
    Target,
    Vector,
    check_widths,
    illegal,
)


class ProductLine(Line):
    """A product."""

    x: Hex
    """Multiplier, below m."""
    y: Hex
    """Multiplicand, below m."""
    m: Hex
    """Modulus, odd for a Montgomery multiplier."""
    product: Hex | None = None
    """X·Y mod M, for every multiplier. A multiplier in the Montgomery domain must return this value
    times R⁻¹."""
    p: Hex | None = None
    """Result of the core: X·Y·R⁻¹ mod M in the Montgomery domain, R as the registry entry says."""
    s: Hex | None = None
    """Sum of the redundant result, of one architecture."""
    c: Hex | None = None
    """Carries of the redundant result."""

    required: ClassVar[tuple[str, ...]] = ("x", "y", "m")
    own: ClassVar[tuple[str, ...]] = ("p", "s", "c")
    expectations: ClassVar[tuple[str, ...]] = ("product", *own)
    numbers: ClassVar[tuple[str, ...]] = (*required, *expectations)

    @model_validator(mode="after")
    def _one_product(self) -> Self:
        if self.product is not None and self.p is not None:
            raise ValueError("'product' and 'p' exclude each other")
        return self


@dataclass(frozen=True)
class ProductVector(Vector):
    """One product; ``raw``: operands need not be below the modulus, and the result is (S, C)."""

    raw: bool = False

    test: ClassVar[str] = "vectors"

    @property
    def modulus(self) -> int:
        """See :class:`verif.library.vectors.line.Vector`."""
        return dict(self.values)["m"]

    @property
    def status(self) -> Status:
        """Status at the end of the operation."""
        values = dict(self.values)
        return self._entry.operand_status(
            values["x"], values["y"], values["m"], self.width, self.raw
        )

    @property
    def cycles(self) -> int:
        """See :class:`verif.library.vectors.line.Vector`."""
        return self._entry.timing.operation_cycles(
            self.modulus, self.width, self.status, raw=self.raw
        )

    def at(self, width: int) -> Self:
        """See :class:`verif.library.vectors.line.Vector`."""
        there = replace(self, width=width)
        return self if self.pinned or there.status is not self.status else there

    def as_case(self) -> dict[str, Any]:
        """See :class:`verif.library.vectors.line.Vector`."""
        case = {**super().as_case(), "raw": self.raw}
        product = case.pop("product", None)
        if product is not None:
            radix = self._entry.model.radix(self.width)
            case["p"] = hex(modular_product(int(product, 16), 1, self.modulus, radix))
        return case

    @property
    def _entry(self) -> Architecture:
        return architectures()[self.architecture]


class Products(Kind[ProductLine]):
    """Operands x, y, m; expected values product, p, s, c."""

    design: ClassVar[Design] = MULTIPLIER
    model = ProductLine

    def vectors(self, number: int, name: str, line: ProductLine, target: Target) -> list[Vector]:
        """See :class:`verif.library.vectors.line.Kind`."""
        values = line.values
        operands = {key: values[key] for key in line.required}
        vectors: list[Vector] = []
        rejected: set[Status] = set()
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
                pinned=line.width is not None or any(name in values for name in line.own),
            )
            status = entry.operand_status(line.x, line.y, line.m, width)
            raw_status = entry.operand_status(line.x, line.y, line.m, width, raw=True)
            if line.reject:
                # Run a "reject" line on a named architecture even if the model accepts it: the
                # hardware decides.
                if status is not Status.OK or line.architecture:
                    vectors.append(vector)
            elif status is Status.OK:
                vectors.append(vector)
            elif raw_status is Status.RAW and {"s", "c"} <= set(values):
                for name in {"p", "product"} & set(values):
                    raise LineError(
                        f"{name!r} cannot be checked: operands out of range have only s, c"
                    )
                vectors.append(replace(vector, raw=True))
            else:
                rejected.add(status)
        if not vectors and line.reject:
            raise IllegalError("'expect' is \"reject\", but the operands are legal everywhere")
        if not vectors:
            raise IllegalError(_rejection(line.architecture, operands, rejected))
        return vectors


def _rejection(architecture: str | None, operands: Mapping[str, int], statuses: set[Status]) -> str:
    if statuses == {Status.OPERAND_RANGE}:
        too_large = " and ".join(name for name in ("x", "y") if operands[name] >= operands["m"])
        return (
            f"operand out of range ({too_large} >= m): give 'expect': \"reject\", "
            "or 's' and 'c' for the raw result"
        )
    return illegal(architecture, statuses)
