"""Values that a core needs before it runs, and how the word-serial adder reduces them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reduction(Enum):
    """How far the word-serial modular adder reduces a sum.

    NONE: plain sum. ONCE: one conditional subtraction. FULL: as many as a sum below 2**(n+g+1) with
    g guard bits may need. OPERAND: ONCE when X, Y < M is known, FULL for a raw start.
    """

    NONE = "none"
    ONCE = "once"
    FULL = "full"
    OPERAND = "operand"


@dataclass(frozen=True)
class Constant:
    """A value the top computes, word by word, before the core may run.

    Attributes:
        name: the name used in the source document.
        reduction: the reduction its addition needs.
        per_modulus: it depends on M alone and is kept while M is not rewritten.
        inverse: it is m' = -1/M mod 2**w, found bit by bit instead of added.
    """

    name: str
    reduction: Reduction
    per_modulus: bool = False
    inverse: bool = False
