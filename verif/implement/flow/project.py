"""What ``implement`` asks of a project: which points there are and what they are good for."""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from verif.implement.flow.record import Fmax, PointRecord
from verif.library.netlist.recipe import Recipe


@dataclass(frozen=True)
class Subject:
    """A design with its parameters, on whatever target.

    Attributes:
        id: unique among the subjects, the same in every run, safe as a file name.
        design: name of the design.
        parameters: every parameter, defaults too.
        recipe: how it is synthesised.
        facts: values of the project's own fields of the record, known before anything is measured.
    """

    id: str
    design: str
    parameters: Mapping[str, int]
    recipe: Recipe
    facts: Mapping[str, Any] = field(default_factory=dict)


class ImplementProject(ABC):
    """A project's part of ``implement``.

    Attributes:
        root: folder of the project; tools and what was measured are kept below it.
        record: what is written of a point, with the project's own fields.
        default_targets: targets of a call that names none.
    """

    root: Path
    record: ClassVar[type[PointRecord]] = PointRecord
    default_targets: ClassVar[tuple[str, ...]] = ("gates",)

    @abstractmethod
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Options that choose subjects."""

    @abstractmethod
    def subjects(self, arguments: argparse.Namespace, hdl: Path | None) -> list[Subject]:
        """The subjects that the options choose, in the order in which they are to be measured.

        Raises:
            UsageError: an option is wrong, or a combination not legal.
        """

    def measured(self, subject: Subject, fmax: Fmax | None) -> Mapping[str, Any]:
        """Values of the project's own fields that follow from the clock frequency."""
        return {}

    def published(self) -> Sequence[PointRecord]:
        """Points measured before that come with the project.

        A point that no run on this machine has measured is compared with these, so that a fresh
        clone shows what has become worse, too.
        """
        return ()

    def pictures(self, points: Sequence[PointRecord]) -> Mapping[str, str]:
        """Plots of some points: SVG by title."""
        return {}
