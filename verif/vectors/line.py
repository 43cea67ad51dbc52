"""One line of a vectors file: its fields, and what every kind of line has in common."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from models.architecture import Architecture
from models.status import Status
from regress.errors import not_accepted
from verif.design import Design, DesignError, check_width

COMMON_FIELDS = ("name", "architecture", "width", "expect", "note")
HEX = re.compile(r"(0[xX])?[0-9a-fA-F]+")
MAX_SHOWN = 40


class LineError(ValueError):
    """What is wrong with one line."""


@dataclass(frozen=True)
class Vector(ABC):
    """One operation of the file, on one architecture.

    Attributes:
        line: line number, 1 for the first.
        name: unique in the file.
        architecture: registry name.
        width: operand width in bits.
        values: the operands and expectations that were given, by their names in the file.
        reject: the hardware must refuse the operands.
    """

    line: int
    name: str
    architecture: str
    width: int
    values: tuple[tuple[str, int], ...]
    reject: bool

    test: ClassVar[str]

    @property
    def clocks(self) -> int:
        """About so many clocks does the operation take."""
        return 0

    def as_job_vector(self) -> dict[str, Any]:
        """The form in which a job carries it."""
        numbers = {name: hex(value) for name, value in self.values}
        return {**numbers, "name": self.name, "line": self.line, "reject": self.reject}


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

    def candidates(self, fields: Mapping[str, Any], own: Sequence[str]) -> dict[str, Architecture]:
        """The architectures a line is meant for, before its operands are looked at.

        Args:
            fields: of the line.
            own: names of fields that mean something else on each architecture.

        Raises:
            LineError: unknown architecture, or none where ``own`` fields ask for one.
        """
        if "architecture" in fields:
            name = fields["architecture"]
            if name in self.models:
                known = ", ".join(self.hardware)
                raise LineError(f"architecture {name!r} is model only; accepted: {known}")
            if name not in self.hardware:
                raise LineError(not_accepted("architecture", name, self.hardware))
            return {name: self.hardware[name]}
        if any(name in fields for name in own) and len(self.selected) > 1:
            names = " and ".join(map(repr, own))
            raise LineError(f"{names} differ between architectures: give 'architecture'")
        return {name: entry for name, entry in self.hardware.items() if name in self.selected}


class Kind(ABC):
    """A kind of line: which fields it has, and the vectors it stands for."""

    design: ClassVar[Design]
    required: ClassVar[tuple[str, ...]]
    hexadecimal: ClassVar[tuple[str, ...]]
    numbers: ClassVar[tuple[str, ...]] = ("width",)
    expectations: ClassVar[tuple[str, ...]]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of all fields."""
        return tuple(dict.fromkeys((*self.required, *self.hexadecimal, *self.numbers,
                                    *COMMON_FIELDS)))  # fmt: skip

    def check(self, fields: Mapping[str, Any]) -> None:
        """Every field is known and of the right type, none is missing.

        Raises:
            LineError: with the first field that is wrong.
        """
        for name in fields:
            if name not in self.fields:
                raise LineError(not_accepted("field", name, self.fields))
        missing = [name for name in self.required if name not in fields]
        if missing:
            raise LineError(f"missing {', '.join(map(repr, missing))}")
        for name in self.hexadecimal:
            if name in fields:
                _check_hex(name, fields[name])
        for name in ("name", "architecture"):
            if name in fields and not (isinstance(fields[name], str) and fields[name].strip()):
                raise LineError(f"{name!r} must be a string that is not empty")
        for name in self.numbers:
            value = fields.get(name, 1)
            if not isinstance(value, int) or isinstance(value, bool):
                raise LineError(f"{name!r} must be an integer, not {json.dumps(value)}")
        if fields.get("expect", "reject") != "reject":
            raise LineError(f"'expect' must be \"reject\", not {json.dumps(fields['expect'])}")
        given = [name for name in self.expectations if name in fields]
        if "expect" in fields and given:
            raise LineError(f"'expect' and {given[0]!r} exclude each other")

    @abstractmethod
    def vectors(
        self, line: int, name: str, fields: Mapping[str, Any], target: Target
    ) -> list[Vector]:
        """The operations of a line whose fields are checked, one or more an architecture.

        Raises:
            LineError: they make no sense together, or the hardware would refuse them.
        """


def parse(line: bytes) -> dict[str, Any]:
    """The fields of a line.

    Raises:
        LineError: not one JSON object.
    """
    try:
        fields = json.loads(line.decode("utf-8-sig"), object_pairs_hook=_without_duplicates)
    except UnicodeDecodeError:
        raise LineError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except LineError:
        raise
    except ValueError:
        raise LineError("not JSON: a number has too many digits") from None
    except RecursionError:
        raise LineError("not JSON: nested too deeply") from None
    if not isinstance(fields, dict):
        raise LineError("expected a JSON object")
    return fields


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


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise LineError(f"field {twice[0]!r} is given twice")
    return dict(pairs)


def _check_hex(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise LineError(f"{name!r} must be a hex string, not {json.dumps(value)[:MAX_SHOWN]}")
    if not HEX.fullmatch(value):
        shown = value if len(value) <= MAX_SHOWN else value[:MAX_SHOWN] + "…"
        raise LineError(f"{name!r} is not a hex number: {shown!r}")
