"""One line of a vectors file: its fields, and the common parts of all kinds of lines."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BeforeValidator, ValidationError, WithJsonSchema, model_validator
from typing_extensions import Self

from models.architecture import Architecture
from models.status import Status
from regress.core.errors import not_accepted
from regress.core.formats.mistakes import mistakes
from regress.core.formats.model import Format, Text, validated
from verif.bench.configuration.design import Design, DesignError, check_width

HEX = re.compile(r"(0[xX])?[0-9a-fA-F]+")
MAX_SHOWN = 40
# Frequent other names of our fields. "d" and "e" are the two exponents of a key.
OTHER_NAMES = {
    "a": ("x",), "b": ("y",), "n": ("m", "modulus"), "e": ("exponent",), "d": ("exponent",),
    "message": ("base",), "msg": ("base",), "data": ("base",),
}  # fmt: skip


class LineError(ValueError):
    """An error in one line."""


class IllegalError(LineError):
    """No selected architecture ends the operation as the line says; others may do so."""


def _number(value: object) -> object:
    """Return the number of a hexadecimal string; None stays None."""
    if not isinstance(value, str):
        raise ValueError(f"expected a hex string, not {json.dumps(value)[:MAX_SHOWN]}")
    if not HEX.fullmatch(value):
        shown = value if len(value) <= MAX_SHOWN else value[:MAX_SHOWN] + "…"
        raise ValueError(f"not a hex number: {shown!r}")
    return int(value, 16)


Hex = Annotated[
    int, BeforeValidator(_number), WithJsonSchema({"type": "string", "x-kind": "hexadecimal"})
]


class Line(Format):
    """The fields that every line may have."""

    name: Text | None = None
    """Name of the outcome in reports; default: the number of the line."""
    architecture: Text | None = None
    """The only multiplier that runs the line; default: every multiplier that can."""
    width: int | None = None
    """Operand width in bits; default: that of the modulus, or as `--width` chooses."""
    expect: Literal["reject"] | None = None
    """The hardware must reject the operands."""
    label: Text | None = None
    """Property that makes the operands difficult."""
    source: Text | None = None
    """Where the operands come from."""
    note: Any = None
    """For people."""

    required: ClassVar[tuple[str, ...]]
    numbers: ClassVar[tuple[str, ...]]
    expectations: ClassVar[tuple[str, ...]]

    @property
    def reject(self) -> bool:
        """Whether the hardware must reject the operands."""
        return self.expect is not None

    @property
    def values(self) -> dict[str, int]:
        """Return the given hexadecimal fields."""
        given = {name: getattr(self, name) for name in self.numbers}
        return {name: value for name, value in given.items() if value is not None}

    @model_validator(mode="after")
    def _one_expectation(self) -> Self:
        given = [name for name in self.expectations if getattr(self, name) is not None]
        if self.reject and given:
            raise ValueError(f"'expect' and {given[0]!r} exclude each other")
        if self.name is not None and not self.name.strip():
            raise ValueError("'name' must not be blank")
        return self


LineType = TypeVar("LineType", bound=Line)


@dataclass(frozen=True)
class Vector(ABC):
    """One operation of the file, on one architecture.

    Attributes:
        line: line number, from 1.
        title: name of the line, or its number.
        name: name of the operation, unique in the file.
        architecture: registry name.
        width: operand width in bits.
        values: the given operands and expected values, by their names in the file.
        reject: the hardware must reject the operands.
        everywhere: the line names no architecture.
        needs: names of operations whose results the check of this one needs.
        pinned: the line gives the width, or values that are valid at one width only.
    """

    line: int
    title: str
    name: str
    architecture: str
    width: int
    values: tuple[tuple[str, int], ...]
    reject: bool
    everywhere: bool = False
    needs: tuple[str, ...] = ()
    pinned: bool = False

    test: ClassVar[str]

    @property
    @abstractmethod
    def modulus(self) -> int:
        """The modulus."""

    @property
    @abstractmethod
    def cycles(self) -> int:
        """Approximate number of cycles of the operation."""

    @abstractmethod
    def at(self, width: int) -> Self:
        """Return the same operation at a larger width; unchanged if its meaning would change."""

    def as_case(self) -> dict[str, Any]:
        """Return the form of the vector in a job."""
        numbers = {name: hex(value) for name, value in self.values}
        case = {**numbers, "name": self.name, "line": self.line, "reject": self.reject}
        return {**case, "needs": list(self.needs)} if self.needs else case


@dataclass(frozen=True)
class Target:
    """The architectures that may run a file.

    Attributes:
        hardware: the registry entries with a module.
        models: names of the entries without a module.
        selected: names selected on the command line, or all of ``hardware``.
    """

    hardware: Mapping[str, Architecture]
    models: frozenset[str]
    selected: tuple[str, ...]

    @property
    def others(self) -> Target:
        """Return the architectures that were not selected."""
        rest = tuple(name for name in self.hardware if name not in self.selected)
        return replace(self, selected=rest)

    def candidates(self, line: Line, own: Sequence[str]) -> dict[str, Architecture]:
        """Return the architectures of a line, without a check of its operands.

        Args:
            line: the line.
            own: names of fields whose meaning depends on the architecture.

        Raises:
            LineError: unknown architecture, or ``own`` fields without an architecture.
        """
        name = line.architecture
        if name is not None:
            if name in self.models:
                known = ", ".join(self.hardware)
                raise LineError(f"architecture {name!r} is model only; accepted: {known}")
            if name not in self.hardware:
                raise LineError(not_accepted("architecture", name, self.hardware))
            return {name: self.hardware[name]}
        if any(getattr(line, field) is not None for field in own) and len(self.selected) > 1:
            names = " and ".join(map(repr, own))
            raise LineError(f"{names} differ between architectures: give 'architecture'")
        return {name: entry for name, entry in self.hardware.items() if name in self.selected}


class Kind(ABC, Generic[LineType]):
    """A kind of line: its fields and its vectors."""

    design: ClassVar[Design]
    model: type[LineType]

    @property
    def fields(self) -> list[str]:
        """Names of the fields; those that only this kind has come first."""
        common = Line.model_fields
        return [*(name for name in self.model.model_fields if name not in common), *common]

    def read(self, fields: Mapping[str, Any]) -> LineType:
        """Return the line with these fields; all must be known and legal, and none missing.

        Raises:
            LineError: the message names the first wrong field.
        """
        known = self.fields
        missing = [name for name in self.model.required if name not in fields]
        for name in fields:
            if name not in known:
                wanted = [n for n in missing if n.startswith(name.lower())]
                wanted += [n for n in OTHER_NAMES.get(name.lower(), ()) if n in missing]
                raise LineError(not_accepted("field", name, known, wanted))
        try:
            return validated(self.model, dict(fields))
        except ValidationError as error:
            found = next(iter(mistakes(error, self.model, dict(fields), "the line")))
            raise LineError(found.message) from None

    @abstractmethod
    def vectors(self, number: int, name: str, line: LineType, target: Target) -> list[Vector]:
        """Return the operations of a line, one or more per architecture.

        Args:
            number: number of the line, from 1.
            name: name of the line, unique in the file.
            line: the line.
            target: the available architectures.

        Raises:
            IllegalError: no selected architecture ends the operations as the line says.
            LineError: the fields contradict each other.
        """


def check_widths(
    entry: Architecture, values: Mapping[str, int], width: int, width_given: bool
) -> None:
    """Check that the width is legal for the architecture and large enough for all ``values``.

    Raises:
        LineError: the width is illegal or too small.
    """
    try:
        check_width(entry, width)
    except DesignError as error:
        raise LineError(str(error)) from None
    for name, value in values.items():
        if value >> width:
            hint = "" if width_given else "; give a larger 'width'"
            bits = value.bit_length()
            raise LineError(f"{name!r} has {bits} bits, more than the width {width}{hint}")


def illegal(architecture: str | None, statuses: set[Status]) -> str:
    """Return the error in operands that the hardware rejects with one of ``statuses``."""
    why = ", ".join(sorted(status.name.lower().replace("_", " ") for status in statuses))
    where = architecture or "every architecture"
    return f"illegal for {where} ({why}): give 'expect': \"reject\""
