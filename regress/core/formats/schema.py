"""JSON schemas of formats, with the text below each field as its description.

Pydantic can read these texts itself, but then each start of the program reads them.
"""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from textwrap import dedent
from typing import Any, Literal

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from regress.core.formats.model import adapter


def schema_of(
    model: type[Any], mode: Literal["validation", "serialization"] = "validation"
) -> dict[str, Any]:
    """Return the JSON schema of a format.

    Args:
        model: a :class:`~regress.core.formats.model.Format`, or a ``described`` dataclass.
        mode: of what is read, or of what is written.
    """
    return adapter(model).json_schema(mode=mode, schema_generator=_Described)


class _Described(GenerateJsonSchema):
    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return _described(super().model_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return _described(super().dataclass_schema(schema), schema["cls"])

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        made = super().typed_dict_schema(schema)
        return _described(made, schema["cls"]) if "cls" in schema else made


def _described(schema: JsonSchemaValue, of: type[Any]) -> JsonSchemaValue:
    texts = field_texts(of)
    for name, field in schema.get("properties", {}).items():
        if name in texts:
            field.setdefault("description", texts[name])
    return schema


def field_texts(of: type[Any]) -> dict[str, str]:
    """Return the text below each field of a class or of what it inherits from, by field."""
    found: dict[str, str] = {}
    bases = (*of.__mro__, *getattr(of, "__orig_bases__", ()))
    for base in reversed(bases):
        try:
            (made,) = ast.parse(dedent(inspect.getsource(base))).body
        except (OSError, TypeError):
            continue  # made by the program, or in C
        for field, text in pairwise(made.body if isinstance(made, ast.ClassDef) else ()):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(words))),
                ):
                    found[name] = inspect.cleandoc(words)
    return found
