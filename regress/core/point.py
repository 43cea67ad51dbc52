"""Axes of a project's configurations, and points with one value for each axis."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from regress.core.errors import not_accepted
from regress.core.formats.model import in_words_of, rejected


def natural(value: Any) -> list[tuple[int, int, str]]:
    """Return a key that sorts the numbers in texts as numbers: 8, 16, n8, n16."""
    parts = re.split(r"(\d+)", str(value))
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]


class PointError(ValueError):
    """A value or a combination of values is not legal; the message states what is accepted.

    Args:
        message: one line.
        axis: name of the axis with the wrong value; empty if several axes are involved.
    """

    def __init__(self, message: str, axis: str = "") -> None:
        super().__init__(message)
        self.axis = axis


class Point(Mapping[str, Any]):
    """A value for each axis, by the axis's name, in the project's order. Points are hashable.

    Args:
        values: a text, an integer, or for a :class:`MappingAxis` a mapping of integers.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in values.items()
        }

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset((name, _hashable(value)) for name, value in self._values.items()))

    def __repr__(self) -> str:
        return f"Point({self._values!r})"

    def with_value(self, axis: str, value: Any) -> Point:
        """Return the same point with another value on one axis."""
        return Point({**self._values, axis: value})

    @property
    def subject(self) -> str:
        """Value on the first axis, by which reports and coverage are sorted."""
        return str(next(iter(self._values.values()), "all"))

    @property
    def plain(self) -> list[str]:
        """Values on the axes with single values."""
        return [str(value) for value in self._values.values() if not isinstance(value, dict)]

    @property
    def entries(self) -> list[tuple[str, int]]:
        """Names and integers of all mapping axes, sorted."""
        maps = (value for value in self._values.values() if isinstance(value, dict))
        return [entry for entries in maps for entry in sorted(entries.items())]

    @property
    def variation(self) -> list[str]:
        """The mapping entries as words of a file name."""
        return [f"{name}{value}" for name, value in self.entries]

    @property
    def text(self) -> str:
        """The whole point in one line, for people."""
        return " ".join([*self.plain, *(f"{name}={value}" for name, value in self.entries)])

    @property
    def coordinates(self) -> list[Any]:
        """Values as JSON; equal points have equal JSON."""
        return [
            sorted(map(list, value.items())) if isinstance(value, dict) else value
            for value in self._values.values()
        ]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Store points as mappings in files."""
        made = core_schema.no_info_after_validator_function(cls, handler(dict[str, Any]))
        return core_schema.json_or_python_schema(
            json_schema=made,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), made]),
            serialization=core_schema.plain_serializer_function_ser_schema(dict),
        )


def _hashable(value: Any) -> Any:
    return frozenset(value.items()) if isinstance(value, dict) else value


@dataclass(frozen=True)
class Axis:
    """One dimension of a project's configurations.

    Attributes:
        plural: key of the values in a list; empty for the name.
        option: option of the command line, without dashes; empty for the name.
        default: values of a list entry that names none; None if the entry must name them.
        letters: placeholder for a value in usage texts.
        open: the command line may ask for a value that the list lacks; it then replaces the
            list's own values.
    """

    name: str
    plural: str = ""
    option: str = ""
    help: str = ""
    default: tuple[Any, ...] | None = None
    letters: str = "V"
    unit: str = ""
    open: bool = False

    @property
    def key(self) -> str:
        """Key of the axis's values in a list."""
        return self.plural or self.name

    @property
    def flag(self) -> str:
        """Option of the command line, with its dashes."""
        return f"--{self.option or self.name}"

    @property
    def title(self) -> str:
        """Heading of a column."""
        return self.name.replace("_", " ").capitalize()

    def read(self, value: Any) -> Any:
        """Check and return a value from a list or from the command line.

        Raises:
            PointError: the value is not legal on this axis.
        """
        return value

    @property
    def format(self) -> Any:
        """Return the pydantic type of the value under :attr:`key` in a list entry."""
        return Annotated[
            tuple[Annotated[Any, BeforeValidator(in_words_of(self.read))], ...],
            Field(min_length=1),
            AfterValidator(_distinct),
        ]


@dataclass(frozen=True)
class NamedAxis(Axis):
    """An axis of names; a list may use ``all``."""

    names: Callable[[], Iterable[str]] = tuple

    def read(self, value: Any) -> str:
        """See :class:`Axis`."""
        known = list(self.names())
        if value not in known:
            raise PointError(not_accepted(self.name, value, known))
        return str(value)

    @property
    def format(self) -> Any:
        """See :class:`Axis`."""
        return Annotated[super().format, BeforeValidator(self._every)]

    def _every(self, given: Any) -> Any:
        if given == "all":
            return tuple(self.names())
        if isinstance(given, str):
            raise rejected(not_accepted(self.key, given, ["all"]) + " or a list of names")
        return tuple(given) if isinstance(given, list) else given


@dataclass(frozen=True)
class IntegerAxis(Axis):
    """An axis of integers."""

    letters: str = "N"
    open: bool = True
    low: int = 0
    high: int = 2**31 - 1

    @property
    def format(self) -> Any:
        """See :class:`Axis`. The range is checked with the whole point."""
        return Annotated[tuple[int, ...], Field(min_length=1), AfterValidator(_distinct)]

    def read(self, value: Any) -> int:
        """See :class:`Axis`."""
        try:
            number = int(value) if isinstance(value, (int, str)) else self.low - 1
        except ValueError:
            number = self.low - 1
        if isinstance(value, bool) or not self.low <= number <= self.high:
            accepted = f"{self.low} to {self.high}"
            raise PointError(f"{self.name} {value!r} is not accepted; accepted: {accepted}")
        return number


@dataclass(frozen=True)
class MappingAxis(Axis):
    """An axis whose value is a mapping of names to integers: the parameters of a design.

    Attributes:
        named: integers that have names, by mapping key. Lists may use the name. The command ``run``
            has an option that sets the key in every list entry.
        displaced: by such a key, the keys that its option removes from a list entry which is not
            accepted otherwise. They take their defaults.
    """

    named: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    displaced: Mapping[str, Sequence[str]] = field(default_factory=dict)
    default: tuple[Any, ...] | None = ({},)
    letters: str = "NAME=VALUE"

    def read(self, value: Any) -> dict[str, int]:
        """See :class:`Axis`."""
        if not isinstance(value, Mapping):
            raise PointError(f"{self.key}: expected a mapping, found {value!r}")
        return {str(name): self.number(str(name), number) for name, number in value.items()}

    def number(self, entry: str, given: Any) -> int:
        """Return the integer for an entry's value.

        Raises:
            PointError: the value is neither an integer nor the name of an integer.
        """
        known = self.named.get(entry, {})
        if isinstance(given, str) and known:
            if given not in known:
                raise PointError(not_accepted(entry.lower(), given, known))
            return known[given]
        if not isinstance(given, int) or isinstance(given, bool):
            raise PointError(f"{entry}: expected an integer, found {given!r}")
        return given

    @property
    def format(self) -> Any:
        """See :class:`Axis`; a list entry has one mapping."""
        numbers = BeforeValidator(in_words_of(self._numbers))
        return Annotated[dict[str, int], numbers, AfterValidator(lambda value: (value,))]

    def _numbers(self, given: Any) -> Any:
        """Replace names in the mapping by their integers; leave everything else unchanged."""
        if not isinstance(given, Mapping):
            return given
        return {
            name: self.number(name, value) if name in self.named else value
            for name, value in given.items()
        }


def _distinct(values: tuple[Any, ...]) -> tuple[Any, ...]:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise ValueError(f"{value!r} appears twice")
    return values
