"""Layout of the vectors between the test bench and Python, see ``records.yaml``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache

from verif.bench.agent.record_layouts import LAYOUTS


def fields_of(name: str, **parameters: int) -> list[tuple[str, int]]:
    """Return name and bits of the fields of a vector, the highest bits first.

    Args:
        name: key of ``records.yaml``.
        parameters: values of the parameters that its widths name.
    """

    def bits(text: str) -> int:
        factors = (factor.strip() for factor in text.split("*"))
        return math.prod(int(f) if f.isdigit() else parameters[f] for f in factors)

    return [(field, bits(text)) for field, text in LAYOUTS[name]]


class VectorLayout:
    """Packs and unpacks a vector.

    Attributes:
        bits: size of the vector.

    Args:
        fields: name and bits of each field, the highest bits first; fields named "_" are unused.
    """

    def __init__(self, fields: Sequence[tuple[str, int]]) -> None:
        # decode() shifts the fields out at bit 0.
        self._fields = [(name, width, (1 << width) - 1) for name, width in reversed(fields)]
        self.bits = sum(width for _, width in fields)

    @classmethod
    @cache
    def of(cls, name: str, **parameters: int) -> VectorLayout:
        """Return the layout of a vector of ``records.yaml``."""
        return cls(fields_of(name, **parameters))

    def decode(self, packed: int) -> dict[str, int]:
        """Return the value of each field."""
        values: dict[str, int] = {}
        for name, width, mask in self._fields:
            values[name] = packed & mask
            packed >>= width
        values.pop("_", None)
        return values

    def encode(self, values: Mapping[str, int]) -> int:
        """Return the vector of these values.

        Raises:
            ValueError: a value does not fit into its field.
        """
        vector, place = 0, 0
        for name, width, mask in self._fields:
            if values[name] & ~mask:
                raise ValueError(f"{name} = {values[name]:#x} has more than {width} bits")
            vector |= values[name] << place
            place += width
        return vector
