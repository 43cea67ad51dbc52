"""Rows of a list that leave their configurations to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from regress.errors import not_accepted
from regress.project import project

if TYPE_CHECKING:  # it knows Draw
    from regress.lists import Row

CLASSES = "classes"
CONFIGURATIONS = "configurations"


@dataclass(frozen=True)
class Draw:
    """How many configurations a row draws.

    Attributes:
        configurations: of each value on the first axis; None for as many as have one of every
            class.
        subjects: so many of the row's values on the first axis are drawn first; 0 for all of them.
    """

    configurations: int | None
    subjects: int = 0

    @classmethod
    def of(cls, given: Any) -> Draw:
        """What a list says: a number, ``classes``, or a mapping with both.

        The key of the second attribute is that of the first axis.

        Raises:
            ValueError: anything else; the message says what is accepted.
        """
        subject = project().subject.key
        values = given if isinstance(given, Mapping) else {CONFIGURATIONS: given}
        for key in values:
            if key not in (CONFIGURATIONS, subject):
                accepted = not_accepted("key", key, (CONFIGURATIONS, subject))
                raise ValueError(f"draw: {accepted}")
        count, subjects = values.get(CONFIGURATIONS), values.get(subject)
        if count != CLASSES and not _is_number(count):
            raise ValueError(
                f"draw: configurations: {count!r} is not accepted; accepted: 1 and more, {CLASSES}"
            )
        if subjects is not None and not _is_number(subjects):
            raise ValueError(f"draw: {subject}: {subjects!r} is not accepted; accepted: 1 and more")
        return cls(None if count == CLASSES else int(count), subjects or 0)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def drawn_rows(row: Row, master: int, selected: Mapping[str, Sequence[Any]]) -> list[Row]:
    """The rows that a row stands for: one for each configuration drawn, itself if it draws none."""
    if row.draw is None:
        return [row]
    axis = project().subject.name
    subjects = list(row.values[axis])
    if row.draw.subjects:
        others = {name: given for name, given in row.values.items() if name != axis}
        text = f"{master}/{axis}/{row.test}/{others}"
        subjects = Random(text).sample(subjects, min(row.draw.subjects, len(subjects)))
    return [
        replace(row, values={name: (value,) for name, value in point.items()})
        for subject in subjects
        for point in project().draw(
            row.test,
            {**row.values, axis: (subject,)},
            selected,
            row.draw.configurations,
            master,
        )
    ]
