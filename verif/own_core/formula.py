"""Formulas of a core description: integer expressions of the width ``n``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

from simpleeval import SimpleEval


def inverse(number: int, modulus: int) -> int:
    """Return 1/number modulo ``modulus``.

    Raises:
        ValueError: the inverse does not exist.
    """
    return pow(number, -1, modulus)


FUNCTIONS = {
    "ceil": math.ceil,
    "floor": math.floor,
    "min": min,
    "max": max,
    "log2": math.log2,
    "inverse": inverse,
    "gcd": gcd,
}
# Values to test a formula; the modulus is odd, so that inverses exist.
SAMPLE, MODULUS_SAMPLE = 64, 65


class Formula:
    """A formula such as ``16 * ceil(n / 16)``, or a number.

    Args:
        text: operators ``+ - * / // % **``, the functions of :data:`FUNCTIONS`, and names.
        names: names that the formula may contain.

    Raises:
        ValueError: the text is not a formula; the message states what is accepted.
    """

    def __init__(self, text: str | int, names: Iterable[str] = ("n",)) -> None:
        self.text = str(text)
        self._names = tuple(names)
        self(**{name: MODULUS_SAMPLE if name == "m" else SAMPLE for name in self._names})

    def __call__(self, **values: int) -> int:
        """Return the value.

        Raises:
            ValueError: the value is not an integer, or cannot be computed.
        """
        value = self._value(values)
        if isinstance(value, int) and not isinstance(value, bool):
            return value  # any size: do not convert it to a float
        if not isinstance(value, float) or value != int(value):
            raise ValueError(f"{self.text!r} is {value!r} for {_shown(values)}, no whole number")
        return int(value)

    def __str__(self) -> str:
        return self.text

    def _value(self, values: Mapping[str, int]) -> Any:
        try:
            return SimpleEval(names=dict(values), functions=FUNCTIONS).eval(self.text)
        except Exception as error:  # any error that a wrong text can cause
            *most, last = [*self._names, *FUNCTIONS]
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ValueError(
                f"{self.text!r} is no formula ({reason}); accepted: numbers, + - * / // % ** ( ), "
                f"{', '.join(most)} and {last}"
            ) from None


def _shown(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())
