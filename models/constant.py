"""Constants that a core needs before it runs, and how the word-serial adder reduces them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reduction(Enum):
    """Reduction of a sum by the word-serial modular adder.

    NONE: plain sum. ONCE: one conditional subtraction. FULL: as many subtractions as a sum below
    2**(n+g+1) with g guard bits can need. OPERAND: ONCE if X, Y < M is known, FULL for a raw start.
    """

    NONE = "none"
    ONCE = "once"
    FULL = "full"
    OPERAND = "operand"


@dataclass(frozen=True)
class Constant:
    """A value that the top computes, word by word, before the core runs.

    Attributes:
        name: name in the source document.
        reduction: reduction that its addition needs.
        per_modulus: True if it depends on M alone; the top keeps it until M is rewritten.
        inverse: True if it is m' = -1/M mod 2**w, which is computed bit by bit without additions.
    """

    name: str
    reduction: Reduction
    per_modulus: bool = False
    inverse: bool = False
