"""What every format is made of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError
from typing_extensions import Self

from regress.errors import not_accepted

NOT_AMONG = "not_among"
DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|m|min|h)")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


class Format(BaseModel):
    """What a file, or a part of it, holds. The text below a field is its documentation."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )

    @classmethod
    def of(cls, data: Any, context: Mapping[str, Any] | None = None) -> Self:
        """The model of what a JSON or YAML reader has given.

        Args:
            data: as read.
            context: the values that :func:`among` accepts.

        Raises:
            ValidationError: see :func:`mistakes`.
        """
        # Of Python's objects a strict tuple would refuse the list that every file has for it.
        return cls.model_validate_json(json.dumps(data, default=str), context=context)

    def as_json(self) -> dict[str, Any]:
        """What :meth:`of` makes the same model of."""
        return self.model_dump(mode="json")


def among(what: str, key: str) -> BeforeValidator:
    """Accepts what the context has under ``key``; everything if there is no context.

    Args:
        what: name of such a value, for the message.
        key: of the context.
    """

    def check(value: Any, info: ValidationInfo) -> Any:
        accepted = (info.context or {}).get(key)
        if accepted is not None and value not in accepted:
            message = not_accepted(what, value, accepted)
            raise PydanticCustomError(NOT_AMONG, "{message}", {"message": message})
        return value

    return BeforeValidator(check)


def duration(text: str | float) -> float:
    """Seconds of a number, or of a text such as ``90s``, ``10m``, ``1.5h``, ``20ms``.

    Raises:
        ValueError: anything else, zero too; the message says what is accepted.
    """
    match = DURATION.fullmatch(str(text).strip())
    try:
        seconds = float(match[1]) * UNITS[match[2]] if match else float(text)
    except (TypeError, ValueError):
        seconds = 0.0
    if not seconds > 0:
        *most, last = UNITS
        units = f"{', '.join(most)} or {last}"
        raise ValueError(f"{text!r} is no duration; accepted: seconds, or a number with {units}")
    return seconds


Duration = Annotated[
    float,
    BeforeValidator(duration),
    WithJsonSchema({"type": ["number", "string"], "x-kind": "duration"}),
]
Positive = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]
