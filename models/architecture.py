"""Base class of the registry entries: each entry describes one architecture.

Build, stimulus, scoreboard, coverage, cycle check, regression matrix and report tables all derive
from the entry. To add an architecture, write one SystemVerilog file and one subclass of
:class:`Architecture` in ``models/architectures/``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from models.binary_field import BinaryField
from models.bit_true import Model
from models.capability import Part
from models.chaining import Chaining
from models.constant import Constant, Reduction
from models.coverage import Coverage
from models.published import Published
from models.scaling import Scaling
from models.status import Status
from models.streams import WordStreams
from models.timing import Timing


@dataclass(frozen=True)
class Parameter:
    """A SystemVerilog parameter of a core, other than Width.

    Attributes:
        name: name in the module.
        meaning: one line, with the letter that the source document uses.
        default: computes the default value from an entry and a width.
        minimum: least legal value. Below it the defaults of the other parameters may be undefined.
    """

    name: str
    meaning: str
    default: Callable[[Any, int], int]
    minimum: int = 1


class Architecture:
    """One architecture: the single place that describes it.

    A subclass sets the attributes below and declares the objects of :mod:`models.capability`. It
    must declare ``model``. ``width`` (n) is the operand width of the hardware in bits.

    Attributes:
        name: name in lists and on the command line.
        title: name in reports.
        source: document and algorithm.
        module: SystemVerilog module; None for a model without hardware.
        montgomery: True if products are X*Y/R mod M and M must be odd.
        min_width: least n.
        constants: values that the core needs before it runs, in the order in which it takes them.
        final_reduction: how S + C is reduced to a residue.
        parameters: parameters of the module, other than Width.
        wave_signals: most useful signals of the core in a waveform, other than its ports; names are
            relative to its instance.
        running_sum: signals of the core that hold (S, C) after each iteration; names are relative
            to its instance.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    module: ClassVar[str | None]
    montgomery: ClassVar[bool]
    min_width: ClassVar[int] = 4
    constants: ClassVar[tuple[Constant, ...]] = ()
    final_reduction: ClassVar[Reduction] = Reduction.ONCE
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    wave_signals: ClassVar[tuple[str, ...]] = ()
    running_sum: ClassVar[tuple[str, str]] = ("s_o", "c_o")

    model: ClassVar[Part[Model]]
    published: ClassVar[Part[Published]]
    timing: ClassVar[Part[Timing]] = Part(Timing)
    coverage: ClassVar[Part[Coverage]] = Part(Coverage)
    streams: ClassVar[Part[WordStreams] | None] = None
    chaining: ClassVar[Part[Chaining] | None] = None
    scaling: ClassVar[Part[Scaling] | None] = None
    binary: ClassVar[Part[BinaryField] | None] = None

    def __init__(self, values: Mapping[str, int] | None = None) -> None:
        """Create an entry with the given parameter values; the others take their defaults.

        Raises:
            ValueError: a name is not a parameter of this core.
        """
        self._values = dict(values or {})
        known = [parameter.name for parameter in self.parameters]
        for name in self._values:
            if name not in known:
                accepted = ", ".join(known) or "none"
                raise ValueError(f"unknown parameter {name!r} of {self.name}; accepted: {accepted}")

    def with_parameters(self, values: Mapping[str, int]) -> Architecture:
        """Return a copy of this entry with the given parameter values."""
        return type(self)(values)

    def parameter(self, name: str, width: int) -> int:
        """Return the value of one parameter of the core, given or default."""
        if name in self._values:
            return self._values[name]
        for parameter in self.parameters:  # called a million times when configurations are drawn
            if parameter.name == name:
                return parameter.default(self, width)
        raise ValueError(f"unknown parameter {name!r} of {self.name}")

    def parameter_values(self, width: int) -> dict[str, int]:
        """Return the values of all parameters of the core, other than Width.

        Raises:
            ValueError: the values are illegal; the message states the accepted ones.
        """
        for p in self.parameters:
            if self._values.get(p.name, p.minimum) < p.minimum:
                raise ValueError(
                    f"{p.name} = {self._values[p.name]} of {self.name} at {width} bits: "
                    f"accepted are {p.minimum} and more"
                )
        values = {p.name: self.parameter(p.name, width) for p in self.parameters}
        self.check_parameters(values, width)
        return values

    def check_parameters(self, values: Mapping[str, int], width: int) -> None:
        """Raise ``ValueError`` if the values are illegal; the message states the accepted ones."""

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """Map each configuration class of the core to True if this configuration belongs to it.

        A class is an edge case, where a counter, a queue or a last word behaves differently.
        Random configurations aim at every class, and coverage counts them.
        """
        return {}

    def simulation_weight(self, width: int) -> int:
        """Estimate a simulator's work per cycle, in operand bits; random draws keep it small."""
        return width

    def operand_status(self, x: int, y: int, m: int, width: int, raw: bool = False) -> Status:
        """Return the status with which a start with these operands ends.

        Args:
            x: multiplier as loaded.
            y: multiplicand as loaded.
            m: modulus as loaded.
            width: n; an operand with more bits is out of range, even for a raw start.
            raw: True for a raw start, whose operands need not be below the modulus.
        """
        if max(x, y, m) >> width:
            return Status.OPERAND_RANGE
        if m <= 1:
            return Status.MODULUS_ZERO_OR_ONE
        if self.montgomery and m % 2 == 0:
            return Status.MODULUS_EVEN
        if x >= m or y >= m:
            return Status.RAW if raw else Status.OPERAND_RANGE
        return Status.OK
