"""What the manager works with, handed to everything that needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from regress.core.project import Project


class SimulatorTraits(Protocol):
    """What plans need to know of a simulator; see :class:`regress.simulators.base.Simulator`."""

    name: ClassVar[str]
    measures_code: ClassVar[bool]
    waves_cost: ClassVar[bool]
    slowdown: ClassVar[int]


@dataclass(frozen=True, eq=False)
class Context:
    """A project, and the simulators its tests can run on.

    The composition root of a process makes one, and there is no other way to get at it.

    Attributes:
        simulators: by name.
        pair: two simulators that share no code: an operation on which both agree is hardly wrong
            by an error of a simulator.
    """

    project: Project
    simulators: Mapping[str, type[SimulatorTraits]]
    pair: tuple[str, ...]

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self.project.root
