"""Cores that have a theory, and their configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from models.registry import architecture, hardware_architectures
from regress.core.errors import UsageError, not_accepted
from verif.bench.configuration.design import (
    MULTIPLIER,
    ROOT,
    SEGMENT,
    SEGMENTS,
    DesignError,
    hardware,
)
from verif.formal.theorems.elaborate import Elaboration
from verif.formal.theorems.machine import Fast, Faster, Shape
from verif.formal.theorems.truth import MakeMachine


@dataclass(frozen=True)
class Theory:
    """Data of a core for Coq and for the fast check.

    Attributes:
        module: file in ``theories`` with the core's iteration.
        core: definition of the core in this file.
        exact: theorem in this file that the iteration is exact.
        constants: assumption of the theorem about the constants.
        machine: the same machine for the fast check.
    """

    module: str
    core: str
    exact: str
    constants: str
    machine: MakeMachine


THEORIES = {
    "fast_montgomery": Theory("Fast", "fast", "fast_iterates", "(fun _ => True)", Fast),
    "faster_montgomery": Theory(
        "Faster", "faster", "faster_iterates", "(constant_is_sum sh)", Faster
    ),
}


@dataclass(frozen=True)
class Configuration:
    """A core at a width.

    Attributes:
        architecture: registry name.
        width: operand width n.
        shape: all parameters of the theorem.
        what: settings of the elaboration.
        hdl: folder with the design.
        cycles: cycles from the start to done, by the registry's formula.
    """

    architecture: str
    width: int
    shape: Shape
    what: Elaboration
    hdl: Path
    cycles: int

    @property
    def name(self) -> str:
        """Name of its folder, also used in messages."""
        return (
            f"{self.architecture}-n{self.width}-word{self.shape.word}-segment{self.shape.segment}"
        )

    @property
    def theory(self) -> Theory:
        """Theory of its core."""
        return THEORIES[self.architecture]


def configuration(
    name: str, width: int, parameters: Mapping[str, int], hdl: Path | None = None
) -> Configuration:
    """Return a configuration from the multiplier's parameters AddWidth and SegmentWidth.

    Args:
        name: registry name.
        width: operand width n.
        parameters: parameters that differ from their defaults.
        hdl: folder with the design, if it is not the project's.

    Raises:
        UsageError: the architecture has no theory, or a width or parameter is illegal.
    """
    if name not in hardware_architectures():
        raise UsageError(not_accepted("architecture", name, THEORIES))
    if name not in THEORIES:
        raise UsageError(f"no theory of {name} yet; accepted: {', '.join(THEORIES)}")
    try:
        made = hardware(MULTIPLIER, architecture(name), width, parameters, hdl)
    except DesignError as error:
        raise UsageError(str(error)) from None
    segment = made.values.get(SEGMENT, SEGMENTS.default)
    shape = Shape(width, made.parameters["Guard"], made.values["AddWidth"], segment)
    what = Elaboration(
        sources=made.sources,
        top=str(made.core.module),
        # The core is the top, so the macro that names it in the unit is not needed.
        defines={"SEGMENT_WIDTH": str(segment)},
        parameters={"Width": width, "Guard": shape.guard, "WordWidth": shape.word},
    )
    cycles = made.core.timing.loop_cycles(width)
    return Configuration(name, width, shape, what, hdl or ROOT / "hdl", cycles)
