"""Classes and claims to check for a core, and the widths."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from verif.own_core.classes import classes_of
from verif.own_core.description import CoreDescription
from verif.own_core.draw import Draw, OperandClass

#: Maps the case name of a claim to the method that tests it.
BEHAVIOURS = {
    "back to back": "back_to_back",
    "result below M": "reduced",
    "latency as claimed": "latency",
    "constant time": "constant_time",
    "reset in mid-operation": "reset",
    "start while busy is ignored": "restart",
    "operands may change after the start": "scramble",
}


# Widths near powers of two, and near the digits of 31, 52 and 60 bits that cores with wide
# multipliers use: operands that fill a digit, and that exceed it by a bit. A wide exponentiation
# takes as long as all the rest together: see BRIEF.
SMOKE = {
    "product": (17, 31, 32, 52, 53, 60, 61, 64, 1024),
    "exponentiation": (17, 31, 53, 64, 272),
}
DEEP = (
    8, 16, 17, 30, 31, 32, 33, 51, 52, 53, 59, 60, 61, 62, 63, 64, 93, 104, 120, 128, 156, 181, 256,
    521, 1024, 2048,
)  # fmt: skip
# For exponentiations wider than this, list smoke runs only BRIEF: any operands, and short
# exponents, reveal a counter or an address that is too narrow.
MOST_SMOKE_BITS = 256
BRIEF = (
    "random operands, M of full width",
    "exponent 3",
    "exponent one-hot at the top",
    "exponent much shorter than M",
    "exponent length below n",
    "latency as claimed",
)


def brief_widths(description: CoreDescription, widths: Iterable[int]) -> set[int]:
    """Return the widths at which list smoke runs only :data:`BRIEF`."""
    return (
        set() if description.is_product else {width for width in widths if width > MOST_SMOKE_BITS}
    )


def claimed_behaviours(description: CoreDescription) -> Iterator[str]:
    """Yield the names of the cases that a core's claims require."""
    claims = description.claims
    asked = (
        True,
        claims.reduced,
        claims.latency is not None,
        claims.constant_time,
        claims.reset,
        claims.start_while_busy is not None,
        claims.operands == "sampled",
    )
    return (name for name, wanted in zip(BEHAVIOURS, asked, strict=True) if wanted)


def claimed_classes(description: CoreDescription, width: int) -> Iterator[str]:
    """Yield the names of the classes with legal operations for the core at a width."""
    for one in classes_of(description):
        draw = Draw(description, width, random.Random(one.name))
        if one.operations(draw, 1):
            yield one.name


def every_name(description: CoreDescription) -> list[str]:
    """Return the names of all cases that a core of this kind can claim."""
    return [*(one.name for one in classes_of(description)), *BEHAVIOURS]


def find_class(description: CoreDescription, name: str) -> OperandClass:
    """Return a class by its name."""
    return next(one for one in classes_of(description) if one.name == name)


def check_widths(description: CoreDescription, deep: bool) -> list[int]:
    """Return the widths to check: the smallest, near powers of two and words, up to the largest.

    Args:
        description: description of the core.
        deep: True for more widths.
    """
    legal = list(description.widths)
    small = legal[: 4 if deep else 2]
    wanted = DEEP if deep else SMOKE[description.computes]
    near = [min(legal, key=lambda width, goal=goal: abs(width - goal)) for goal in wanted]
    kept = [width for width, goal in zip(near, wanted, strict=True) if abs(width - goal) < goal / 4]
    largest = [legal[-1]] if legal[-1] <= 2048 else []
    return sorted({*small, *kept, *(largest if deep else [])})
