"""The museum: operands from public bug reports of big-integer code, one exhibit per line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from models.registry import architectures
from verif.library.vectors.file import VectorReader, read_lines
from verif.library.vectors.line import Line, Vector
from verif.library.vectors.powers import ExponentiationLine
from verif.library.vectors.products import ProductLine

MUSEUM = Path(__file__).with_name("museum.jsonl")
#: Tests that run the museum, with the test of vectors files that each one corresponds to.
MUSEUM_TESTS = {"museum": "vectors", "exp_museum": "exp_vectors"}


@dataclass(frozen=True)
class Exhibit:
    """Operands of a bug report.

    Attributes:
        name: unique name.
        label: condition that the operands cause; name of a class of operands of ``regress check``.
        first: X of a product, or the base.
        second: Y of a product, or the exponent.
        m: modulus.
        is_product: True for X*Y mod M, False for base**exponent mod M.
    """

    name: str
    label: str
    first: int
    second: int
    m: int
    is_product: bool


@cache
def exhibits() -> tuple[Exhibit, ...]:
    """Return the exhibits of the museum, in its order."""
    return tuple(_exhibit(line) for line in read_lines(MUSEUM))


@cache
def museum_cases(test: str, architecture: str, width: int) -> tuple[dict[str, Any], ...]:
    """Return the exhibits that a job can run, as cases of test ``vectors`` or ``exp_vectors``.

    Args:
        test: name of this test.
        architecture: registry name.
        width: operand width of the job in bits; wider exhibits are left out.
    """
    found = _vectors(architecture)
    fitting = (one for one in found if one.test == test and one.width <= width)
    return tuple(vector.at(width).as_case() for vector in fitting)


@cache  # a plan asks for several widths
def _vectors(architecture: str) -> tuple[Vector, ...]:
    """Return every exhibit as vectors of an architecture."""
    return tuple(VectorReader(architectures(), (architecture,)).read(MUSEUM))


def _exhibit(line: Line) -> Exhibit:
    if isinstance(line, ProductLine):
        operands, is_product = (line.x, line.y, line.m), True
    elif isinstance(line, ExponentiationLine):
        operands, is_product = (line.base, line.exponent, line.modulus), False
    else:
        raise TypeError(line)
    return Exhibit(line.name or "", line.label or "", *operands, is_product)
