"""The context of the manager, passed to everything that needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from regress.core.project import Project


class SimulatorTraits(Protocol):
    """The simulator properties that plans need; see :class:`regress.simulators.base.Simulator`."""

    name: ClassVar[str]
    measures_code: ClassVar[bool]
    waves_cost: ClassVar[bool]
    slowdown: ClassVar[int]


@dataclass(frozen=True, eq=False)
class Context:
    """A project, and the simulators on which its tests can run.

    The composition root of a process makes the context and passes it on. It is not global.

    Attributes:
        simulators: simulators and the project's own tools, by name.
        pair: two simulators that share no code. If both agree on an operation, an error of a
            simulator is very unlikely.
    """

    project: Project
    simulators: Mapping[str, type[SimulatorTraits]]
    pair: tuple[str, ...]

    @property
    def root(self) -> Path:
        """Folder of the project."""
        return self.project.root
