"""Rows of a list that leave their configurations to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from regress.errors import not_accepted
from verif.configurations import draw_configurations
from verif.testcases import design_of

if TYPE_CHECKING:  # it knows Draw
    from regress.lists import Row

CLASSES = "classes"
KEYS = ("configurations", "architectures")


@dataclass(frozen=True)
class Draw:
    """How many configurations a row draws.

    Attributes:
        configurations: of each architecture; None for as many as have one of every class.
        architectures: so many of the row's are drawn first; 0 for all of them.
    """

    configurations: int | None
    architectures: int = 0

    @classmethod
    def of(cls, given: Any) -> Draw:
        """What a list says: a number, ``classes``, or a mapping with a key for each attribute.

        Raises:
            ValueError: anything else; the message says what is accepted.
        """
        values = given if isinstance(given, Mapping) else {KEYS[0]: given}
        for key in values:
            if key not in KEYS:
                raise ValueError(f"draw: {not_accepted('key', key, KEYS)}")
        count, architectures = values.get(KEYS[0]), values.get(KEYS[1])
        if count != CLASSES and not _is_number(count):
            raise ValueError(
                f"draw: configurations: {count!r} is not accepted; accepted: 1 and more, {CLASSES}"
            )
        if architectures is not None and not _is_number(architectures):
            raise ValueError(
                f"draw: architectures: {architectures!r} is not accepted; accepted: 1 and more"
            )
        return cls(None if count == CLASSES else int(count), architectures or 0)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def drawn_rows(row: Row, master: int, widths: Sequence[int] = ()) -> list[Row]:
    """The rows that a row stands for: one for each configuration drawn, itself if it draws none.

    Widths are drawn between the least and the greatest that the row names.

    Args:
        row: of a list.
        master: seed of the run: the same configurations on any machine.
        widths: draw from these alone, as far as they are between the row's; empty for no limit.
    """
    if row.draw is None:
        return [row]
    between = range(min(row.widths), max(row.widths) + 1)
    chosen = [width for width in widths if width in between] if widths else list(between)
    names = list(row.architectures)
    if row.draw.architectures:
        text = f"{master}/architectures/{row.test}/{between}"
        names = Random(text).sample(names, min(row.draw.architectures, len(names)))
    found = []
    for name in names if chosen else []:
        for configuration in draw_configurations(
            design_of(row.test), name, row.draw.configurations, master, chosen
        ):
            found.append(
                replace(
                    row,
                    architectures=(name,),
                    widths=(configuration.width,),
                    parameters=configuration.parameters,
                )
            )
    return found
