"""Lines of a vectors file that are exponentiations: base, exponent, modulus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gmpy2 import is_prime
from pydantic import model_validator
from typing_extensions import Self

from models.architecture import Architecture
from models.exponentiation import Exponentiation
from models.exponentiation_core import exponentiation
from models.reference import modular_power
from models.registry import architectures
from models.status import LENGTH_WIDTH, Status
from verif.bench.configuration.design import EXPONENTIATION, Design
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


class ExponentiationLine(Line):
    """An exponentiation."""

    base: Hex
    """Base, below the modulus."""
    exponent: Hex
    """Exponent of at most ``length`` bits."""
    modulus: Hex
    """Modulus, odd unless the multiplier is an interleaved one."""
    result: Hex | None = None
    """base**exponent mod modulus."""
    length: int | None = None
    """Exponent bits to process; default: the width. Set it to the length of a public exponent."""
    p: Hex | None = None
    """Prime factor of the modulus: two exponentiations of half the size, combined."""
    q: Hex | None = None
    """The other prime factor."""
    r_squared: Hex | None = None
    """R² mod M, supplied instead of computed on chip; of one architecture."""
    m_prime: Hex | None = None
    """m', supplied instead of computed on chip."""

    required: ClassVar[tuple[str, ...]] = ("base", "exponent", "modulus")
    constants: ClassVar[tuple[str, ...]] = ("r_squared", "m_prime")
    factors: ClassVar[tuple[str, ...]] = ("p", "q")
    numbers: ClassVar[tuple[str, ...]] = (*required, "result", *factors, *constants)
    expectations: ClassVar[tuple[str, ...]] = ("result", *factors)

    @model_validator(mode="after")
    def _belong_together(self) -> Self:
        if (self.p is None) != (self.q is None):
            given, missing = ("p", "q") if self.q is None else ("q", "p")
            raise ValueError(f"{given!r} needs {missing!r}")
        supplied = [name for name in self.constants if getattr(self, name) is not None]
        if self.p is not None and supplied:
            raise ValueError(f"{supplied[0]!r} and 'p' exclude each other: it is for one modulus")
        if self.length is not None and self.length >> LENGTH_WIDTH:
            largest = (1 << LENGTH_WIDTH) - 1
            raise ValueError(f"'length' = {self.length}: accepted are 0 to {largest}")
        return self


@dataclass(frozen=True)
class Combination:
    """Expected combination of the result mod p and the result mod q.

    Attributes:
        name: name of the vector mod p.
        p: modulus of this vector.
        result: base**exponent mod p*q, from the line if it gives one.
        right: the same value by gmpy2.
    """

    name: str
    p: int
    result: int
    right: int


@dataclass(frozen=True)
class ExponentiationVector(Vector):
    """One exponentiation.

    Attributes:
        length: number of exponent bits to process; None keeps the core's default, its width.
        limited: the line gives the length.
        combination: combination of this result (mod q) with the one mod p; None without p and q.
    """

    length: int | None = None
    limited: bool = False
    combination: Combination | None = None

    test: ClassVar[str] = "exp_vectors"

    @property
    def status(self) -> Status:
        """Status at the end of the operation."""
        values = dict(self.values)
        return self._model.status(
            values["base"],
            values["exponent"],
            values["modulus"],
            self.exponent_bits,
            r_squared=values.get("r_squared"),
            m_prime=values.get("m_prime"),
        )

    @property
    def modulus(self) -> int:
        """See :class:`verif.library.vectors.line.Vector`."""
        return dict(self.values)["modulus"]

    @property
    def cycles(self) -> int:
        """See :class:`verif.library.vectors.line.Vector`."""
        return self.cycles_with(self.exponent_bits)

    @property
    def own_length(self) -> int:
        """Number of bits of the exponent, at least 1."""
        return max(1, dict(self.values)["exponent"].bit_length())

    def at(self, width: int) -> Self:
        """See :class:`verif.library.vectors.line.Vector`; the number of exponent bits stays."""
        there = replace(self, width=width, length=self.exponent_bits)
        moves = width > self.width and not self.pinned and there.status is self.status
        return there if moves else self

    def cycles_with(self, length: int) -> int:
        """Return the cycles of the operation with this number of exponent bits."""
        values = dict(self.values)
        given = "r_squared" in values
        return self._model.operation_cycles(
            values["modulus"],
            length,
            self.status,
            compute_r_squared=not given,
            check_r_squared=given,
        )

    @property
    def exponent_bits(self) -> int:
        """Number of exponent bits that the core processes."""
        return self.width if self.length is None else self.length

    def as_case(self) -> dict[str, Any]:
        """See :class:`verif.library.vectors.line.Vector`."""
        case = super().as_case()
        if self.length is not None:
            case["length"] = self.length
        if self.combination is not None:
            case["crt"] = {
                "name": self.combination.name,
                "p": hex(self.combination.p),
                "result": hex(self.combination.result),
                "gmpy2": hex(self.combination.right),
            }
        return case

    @property
    def _model(self) -> Exponentiation:
        return exponentiation(architectures()[self.architecture], self.width)


class Powers(Kind[ExponentiationLine]):
    """Operands base, exponent, modulus; constants r_squared, m_prime; expected value result.

    A line with p and q gives two exponentiations of half the size.
    """

    design: ClassVar[Design] = EXPONENTIATION
    model = ExponentiationLine

    def vectors(
        self, number: int, name: str, line: ExponentiationLine, target: Target
    ) -> list[Vector]:
        """See :class:`verif.library.vectors.line.Kind`."""
        values = line.values
        _check_factors(values)
        vectors: list[Vector] = []
        rejected: set[Status] = set()
        for architecture, entry in target.candidates(line, line.constants).items():
            whole = ExponentiationVector(
                line=number,
                title=name,
                name=name,
                architecture=architecture,
                width=_width(line, entry),
                values=tuple(item for item in values.items() if item[0] not in line.factors),
                reject=line.reject,
                everywhere=line.architecture is None,
                length=line.length,
                limited=line.length is not None,
                pinned=line.width is not None or any(name in values for name in line.constants),
            )
            parts = list(_halves(whole, values)) if "p" in values else [whole]
            for part in parts:
                operands = {key: value for key, value in part.values if key in line.required}
                check_widths(entry, operands, part.width, line.width is not None)
            _check_constants(values, exponentiation(entry, whole.width))
            found = {part.status for part in parts} - {Status.OK}
            # Run a "reject" line on a named architecture even if the model accepts it: the
            # hardware decides.
            if bool(found) == whole.reject or (whole.reject and line.architecture):
                vectors += parts
            rejected |= found
        if not vectors and line.reject:
            raise IllegalError("'expect' is \"reject\", but the operands are legal everywhere")
        if not vectors:
            raise IllegalError(illegal(line.architecture, rejected))
        return vectors


def _width(line: ExponentiationLine, entry: Architecture) -> int:
    """Return the given width, or the width of the modulus or of the larger factor."""
    if line.width is not None:
        return line.width
    moduli = [line.modulus] if line.p is None or line.q is None else [line.p, line.q]
    return max(entry.min_width, *(m.bit_length() for m in moduli))


def _check_constants(values: Mapping[str, int], model: Exponentiation) -> None:
    """Check that the core uses the given constants and that they fit."""
    used = {"r_squared": model.width if model.montgomery else 0, "m_prime": model.m_prime_width}
    for name, bits in used.items():
        if name not in values:
            continue
        if not bits:
            raise LineError(f"{name!r} is not used by {model.entry.name}")
        if values[name] >> bits:
            raise LineError(f"{name!r} has {values[name].bit_length()} bits, more than {bits}")


def _check_factors(values: Mapping[str, int]) -> None:
    if "p" not in values:
        return
    p, q = values["p"], values["q"]
    if p * q != values["modulus"]:
        raise LineError("'p' times 'q' is not 'modulus'")
    if p == q:
        raise LineError("'p' and 'q' are equal: the results cannot be combined")
    for name in ("p", "q"):
        # p and q must be prime: for a composite factor, exponent mod p - 1 is wrong.
        if not is_prime(values[name]):
            raise LineError(f"{name!r} is not prime")


def _halves(
    whole: ExponentiationVector, values: Mapping[str, int]
) -> Iterator[ExponentiationVector]:
    """Yield the exponentiations mod p and mod q."""
    base, exponent, modulus = values["base"], values["exponent"], values["modulus"]
    right = modular_power(base, exponent, modulus)
    result = values.get("result", right)
    combination = None
    for factor, suffix in (("p", "mod p"), ("q", "mod q, combined")):
        m = values[factor]
        # Keep exponent 0. Another exponent that is 0 mod p - 1 becomes p - 1, so that base 0 gives
        # 0.
        reduced = exponent % (m - 1) or (m - 1 if exponent else 0)
        operands = {"base": base % m, "exponent": reduced, "modulus": m}
        half = replace(
            whole,
            name=f"{whole.name} {suffix}",
            values=tuple(operands.items()),
            combination=combination,
            needs=(combination.name,) if combination else (),
        )
        yield half
        combination = Combination(half.name, m, result, right)
