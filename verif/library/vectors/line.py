"""One line of a vectors file: its fields, and what every kind of line has in common."""

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
# What others call our fields; "d" and "e" are the two exponents of a key.
OTHER_NAMES = {
    "a": ("x",), "b": ("y",), "n": ("m", "modulus"), "e": ("exponent",), "d": ("exponent",),
    "message": ("base",), "msg": ("base",), "data": ("base",),
}  # fmt: skip


class LineError(ValueError):
    """What is wrong with one line."""


class IllegalError(LineError):
    """None of the chosen architectures ends the operation as the line says; others may."""


def _number(value: object) -> object:
    """The number that a hexadecimal string says; nothing stays nothing."""
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
    """By which the outcome is found; default: the line's number."""
    architecture: Text | None = None
    """The only multiplier it is meant for; default: every one that can run it."""
    width: int | None = None
    """Operand width in bits; default: that of the modulus, or as `--width` chooses."""
    expect: Literal["reject"] | None = None
    """The hardware must refuse the operands."""
    label: Text | None = None
    """The kind of trap that the operands are."""
    source: Text | None = None
    """Where the operands come from."""
    note: Any = None
    """For people."""

    required: ClassVar[tuple[str, ...]]
    numbers: ClassVar[tuple[str, ...]]
    expectations: ClassVar[tuple[str, ...]]

    @property
    def reject(self) -> bool:
        """The hardware must refuse the operands."""
        return self.expect is not None

    @property
    def values(self) -> dict[str, int]:
        """The hexadecimal fields that are given."""
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
        line: line number, 1 for the first.
        title: what the line is called, or its number.
        name: of the operation; unique in the file.
        architecture: registry name.
        width: operand width in bits.
        values: the operands and expectations that were given, by their names in the file.
        reject: the hardware must refuse the operands.
        everywhere: the line names no architecture.
        needs: names of operations without whose result this one cannot be judged.
        pinned: the line gives the width, or values that hold at one width alone.
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
    def clocks(self) -> int:
        """About so many clocks does the operation take."""

    @abstractmethod
    def at(self, width: int) -> Self:
        """The same operation at a larger width; itself if it would mean something else there."""

    def as_case(self) -> dict[str, Any]:
        """The form in which a job carries it."""
        numbers = {name: hex(value) for name, value in self.values}
        case = {**numbers, "name": self.name, "line": self.line, "reject": self.reject}
        return {**case, "needs": list(self.needs)} if self.needs else case


@dataclass(frozen=True)
class Target:
    """The architectures a file may go through.

    Attributes:
        hardware: the entries that have a module.
        models: names of the others.
        selected: names chosen on the command line, or all of ``hardware``.
    """

    hardware: Mapping[str, Architecture]
    models: frozenset[str]
    selected: tuple[str, ...]

    @property
    def others(self) -> Target:
        """The architectures that were not chosen."""
        rest = tuple(name for name in self.hardware if name not in self.selected)
        return replace(self, selected=rest)

    def candidates(self, line: Line, own: Sequence[str]) -> dict[str, Architecture]:
        """The architectures a line is meant for, before its operands are looked at.

        Args:
            line: the line.
            own: names of fields that mean something else on each architecture.

        Raises:
            LineError: unknown architecture, or none where ``own`` fields ask for one.
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
    """A kind of line: which fields it has, and the vectors it stands for."""

    design: ClassVar[Design]
    model: type[LineType]

    @property
    def fields(self) -> list[str]:
        """Names of the fields, those that only this kind has first."""
        common = Line.model_fields
        return [*(name for name in self.model.model_fields if name not in common), *common]

    def read(self, fields: Mapping[str, Any]) -> LineType:
        """The line that the fields make: every one is known and right, none is missing.

        Raises:
            LineError: with the first field that is wrong.
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
        """The operations of a line, one or more an architecture.

        Args:
            number: of the line, 1 for the first.
            name: of the line, unique in the file.
            line: the line.
            target: the architectures there are.

        Raises:
            IllegalError: no chosen architecture ends the operations as the line says.
            LineError: they make no sense together.
        """


def check_widths(
    entry: Architecture, values: Mapping[str, int], width: int, width_given: bool
) -> None:
    """The width is legal for the architecture and holds all ``values``.

    Raises:
        LineError: it does not.
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
    """What is wrong with operands that the hardware refuses with one of ``statuses``."""
    why = ", ".join(sorted(status.name.lower().replace("_", " ") for status in statuses))
    where = architecture or "every architecture"
    return f"illegal for {where} ({why}): give 'expect': \"reject\""
