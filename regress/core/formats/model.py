"""The base of every format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.dataclasses import dataclass
from pydantic_core import PydanticCustomError

from regress.core.errors import not_accepted

REJECTED = "rejected"
DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|m|min|h)")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}

# A validator is built when it is first used: a program that starts uses few formats.
CONFIG = ConfigDict(extra="forbid", strict=True, defer_build=True)

Model = TypeVar("Model")

#: Makes a dataclass a format, for objects that the program creates and changes itself. The text
#: below a field documents the field.
described = partial(dataclass, frozen=True, config=CONFIG)


class Format(BaseModel):
    """The format of a file that is only read. The text below a field is its documentation."""

    model_config = ConfigDict(frozen=True, **CONFIG)


@cache
def adapter(model: type[Model]) -> TypeAdapter[Model]:
    """Return the validator and serialiser of a :class:`Format` or :data:`described` dataclass."""
    return TypeAdapter(model)


def validated(model: type[Model], data: Any, context: Mapping[str, Any] | None = None) -> Model:
    """Make a format from the output of a JSON or YAML reader.

    Raises:
        ValidationError: see :func:`regress.core.formats.mistakes.mistakes`.
    """
    # Validate as JSON: with Python objects, strict mode rejects a list for a tuple.
    return adapter(model).validate_json(json.dumps(data, default=str), context=context)


def as_json(value: Any) -> Any:
    """Return the JSON data from which :func:`validated` makes an equal value."""
    return adapter(type(value)).dump_python(value, mode="json")


def taken(model: type[Model], *sources: object, **given: Any) -> Model:
    """Make an object whose fields are ``given``, or come from the first source that has them.

    A list becomes a tuple, as in files.
    """
    fields = getattr(model, "__dataclass_fields__", None) or model.__pydantic_fields__
    for name in fields.keys() - given.keys():
        found = next((source for source in sources if hasattr(source, name)), None)
        if found is not None:
            value = getattr(found, name)
            given[name] = tuple(value) if isinstance(value, list) else value
    return model(**given)


def rejected(message: str) -> PydanticCustomError:
    """Return the error for a validator whose message names its subject."""
    return PydanticCustomError(REJECTED, "{message}", {"message": message})


def in_words_of(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a validator that applies ``read`` and reports its ValueError's message."""

    def check(value: Any) -> Any:
        try:
            return read(value)
        except ValueError as error:
            raise rejected(str(error)) from None

    return check


def among(what: str, key: str) -> BeforeValidator:
    """Accept the values under ``key`` in the context; accept everything without a context."""

    def check(value: Any, info: ValidationInfo) -> Any:
        accepted = (info.context or {}).get(key)
        if accepted is not None and value not in accepted:
            raise rejected(not_accepted(what, value, accepted))
        return value

    return BeforeValidator(check)


def duration(text: str | float) -> float:
    """Return the seconds of a number, or of a text such as ``90s``, ``10m``, ``1.5h``, ``20ms``.

    Raises:
        ValueError: any other input, including zero; the message states what is accepted.
    """
    match = DURATION.fullmatch(str(text).strip())
    try:
        seconds = float(match[1]) * UNITS[match[2]] if match else float(text)
    except (TypeError, ValueError, OverflowError):
        seconds = 0.0
    if not seconds > 0:
        *most, last = UNITS
        units = f"{', '.join(most)} or {last}"
        raise ValueError(f"{text!r} is not a duration; accepted: seconds, or a number with {units}")
    return seconds


Duration = Annotated[
    float,
    BeforeValidator(duration),
    WithJsonSchema({"type": ["number", "string"], "x-kind": "duration"}),
]
Positive = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]
Line = Annotated[Text, StringConstraints(strip_whitespace=True)]
