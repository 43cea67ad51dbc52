"""Formulas of a core description: integer expressions of the width ``n``."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd
from typing import Any

from simpleeval import DEFAULT_OPERATORS, NumberTooHigh, SimpleEval


def quotient(number: Any, divisor: Any) -> Any:
    """Return number/divisor; it is exact for integers, which may be too large for a float."""
    both_whole = isinstance(number, int) and isinstance(divisor, int)
    return Fraction(number, divisor) if both_whole else number / divisor


FUNCTIONS = {
    "ceil": math.ceil,
    "floor": math.floor,
    "min": min,
    "max": max,
    "log2": math.log2,
    "inverse": lambda number, modulus: pow(number, -1, modulus),
    "gcd": gcd,
}
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
SIGNS = (ast.UAdd, ast.USub)
PARTS = (
    ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Call,
    ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip
EVALUATED = {**DEFAULT_OPERATORS, ast.Div: quotient}
# Integers with more bits are shown as a power of two.
MOST_BITS_SHOWN = 64
# Values to test a formula; the modulus is odd, so that inverses exist.
SAMPLE, MODULUS_SAMPLE = 64, 65


def short(number: int) -> str:
    """Return an integer as text; a long one as a power of two, because a message is one line."""
    bits = number.bit_length()
    if bits <= MOST_BITS_SHOWN:
        return str(number)
    if number == (1 << bits) - 1:
        return f"2**{bits} - 1"
    return f"about {'-' * (number < 0)}2**{bits - 1}"


class Formula:
    """A formula such as ``16 * ceil(n / 16)``, or a number.

    Args:
        text: operators ``+ - * / // % **``, the functions of :data:`FUNCTIONS`, and names.
        names: names that the formula may contain.

    Raises:
        ValueError: the text is not a formula; the message states what is accepted.
    """

    def __init__(self, text: str | int, names: Iterable[str] = ("n",)) -> None:
        if isinstance(text, bool):
            raise ValueError(f"{str(text).lower()} is neither a formula nor a number")
        self.text = str(text).strip()
        self._names = tuple(names)
        used: set[str] = set()
        try:
            for node in ast.walk(ast.parse(self.text, mode="eval").body):
                _check(node, self._names)
                if isinstance(node, ast.Name):
                    used.add(node.id)
        except SyntaxError:
            raise self._unfit("not readable") from None
        except ValueError as error:
            raise self._unfit(str(error)) from None
        self._used = used = used & set(self._names)
        sample = {name: MODULUS_SAMPLE if name == "m" else SAMPLE for name in self._names}
        if used and "m" not in used:
            self._value(sample)  # the value must be whole at legal widths only
        else:
            self(**sample)

    def __call__(self, **values: int) -> int:
        """Return the value.

        Raises:
            ValueError: the value is not an integer, or cannot be computed.
        """
        value = self._value(values)
        if isinstance(value, int):
            return value  # any size: do not convert it to a float
        finite = isinstance(value, Fraction) or (isinstance(value, float) and math.isfinite(value))
        if not finite or value != int(value):
            used = {name: number for name, number in values.items() if name in self._used}
            where = f" for {_shown(used)}" if used else ""
            raise ValueError(f"{self.text!r} is {_number(value)}{where}, no whole number")
        return int(value)

    def _value(self, values: Mapping[str, int]) -> Any:
        try:
            evaluator = SimpleEval(names=dict(values), functions=FUNCTIONS, operators=EVALUATED)
            return evaluator.eval(self.text)
        except NumberTooHigh:
            reason = "the power is too large"
        except Exception as error:  # any error that a wrong text can cause
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise self._unfit(reason)

    def _unfit(self, reason: str) -> ValueError:
        *most, last = [*self._names, *FUNCTIONS]
        return ValueError(
            f"{self.text!r} is not a formula ({reason}); accepted: numbers, + - * / // % ** ( ), "
            f"{', '.join(most)} and {last}"
        )


def _check(node: ast.AST, names: Iterable[str]) -> None:
    """Raise ValueError with the reason if a formula must not contain a node of its syntax tree."""
    part = ast.unparse(node) if isinstance(node, ast.expr) else ""
    match node:
        case ast.BinOp(op=ast.BitXor()):
            raise ValueError("a power is written **, not ^")
        case ast.BinOp(op=op) if not isinstance(op, OPERATORS):
            raise ValueError(f"the operator in {part} is not accepted")
        case ast.UnaryOp(op=op) if not isinstance(op, SIGNS):
            raise ValueError(f"the operator in {part} is not accepted")
        case ast.Constant(value=value) if type(value) not in (int, float):
            raise ValueError(f"{part} is not a number")
        case ast.Name(id=name) if name not in (*names, *FUNCTIONS):
            raise ValueError(f"{name} is not known")
        case ast.Call(func=func, keywords=words) if words or not isinstance(func, ast.Name):
            raise ValueError(f"{part} is not accepted")
        case _ if not isinstance(node, PARTS):
            raise ValueError(f"{part or type(node).__name__} is not accepted")


def _number(value: Any) -> str:
    """Return a value that is not an integer as text."""
    is_long = isinstance(value, Fraction) and value.numerator.bit_length() > MOST_BITS_SHOWN
    return short(int(value)) if is_long else str(value)


def _shown(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())
