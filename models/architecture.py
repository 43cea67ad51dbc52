"""What a registry entry says about an architecture.

Everything else (build, stimulus, scoreboard, coverage, cycle check, regression matrix, report
tables) derives from it. A new architecture is one SystemVerilog file and one subclass of
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
    """A SystemVerilog parameter of a core beside Width.

    Attributes:
        name: as in the module.
        meaning: one line, with the letter the source document uses.
        default: value for an entry and a width, where none is given.
        minimum: below it nothing is legal, and no other parameter's default need be defined.
    """

    name: str
    meaning: str
    default: Callable[[Any, int], int]
    minimum: int = 1


class Architecture:
    """One architecture: the single place where its facts are written down.

    A subclass states the facts and declares the objects of :mod:`models.capability`; it needs a
    ``model``. ``width`` (n) is the operand width of the hardware in bits.

    Attributes:
        name: in lists and on the command line.
        title: in reports.
        source: document and algorithm.
        module: SystemVerilog module; None for a model without hardware.
        montgomery: products are X*Y/R mod M, and M must be odd.
        min_width: least n.
        constants: values that the core needs before it runs, in the order in which it takes them.
        final_reduction: what makes a residue of S + C.
        parameters: of the module, beside Width.
        wave_signals: what tells most about the core in a waveform beside its ports; names below its
            instance.
        running_sum: the signals of the core that hold (S, C) after each iteration, likewise.
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
        """An entry whose core has the given parameters; the others take their defaults.

        Raises:
            ValueError: a name that is no parameter of this core.
        """
        self._values = dict(values or {})
        known = [parameter.name for parameter in self.parameters]
        for name in self._values:
            if name not in known:
                accepted = ", ".join(known) or "none"
                raise ValueError(f"unknown parameter {name!r} of {self.name}; accepted: {accepted}")

    def with_parameters(self, values: Mapping[str, int]) -> Architecture:
        """This entry with other values of its core's parameters."""
        return type(self)(values)

    def parameter(self, name: str, width: int) -> int:
        """Value of one parameter of the core, given or default."""
        if name in self._values:
            return self._values[name]
        (parameter,) = (known for known in self.parameters if known.name == name)
        return parameter.default(self, width)

    def parameter_values(self, width: int) -> dict[str, int]:
        """Every parameter of the core beside Width.

        Raises:
            ValueError: the values do not go together; the message says what is accepted.
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
        """Raise ``ValueError``, saying what is accepted, unless the core can be built so."""

    def parameter_classes(self, width: int) -> dict[str, bool]:
        """What tells configurations of the core apart beside their numbers.

        Every class the core has, and whether it is of that class at this width: the edges at which
        a counter, a queue or a last word behaves otherwise. Drawn configurations aim at each of
        them, and coverage counts them.
        """
        return {}

    def simulation_weight(self, width: int) -> int:
        """What a simulator works at in a clock, in bits of an operand: what drawing keeps small."""
        return width

    def operand_status(self, x: int, y: int, m: int, width: int, raw: bool = False) -> Status:
        """Status a start with these operands ends with.

        Args:
            x: multiplier as loaded.
            y: multiplicand as loaded.
            m: modulus as loaded.
            width: n; an operand of more bits is out of range even for a raw start.
            raw: the operands need not be below the modulus.
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
