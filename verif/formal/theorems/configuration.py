"""Cores that have a theory, and their configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
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
from verif.formal.theorems.counterexample import INTERLEAVED, MONTGOMERY, Products
from verif.formal.theorems.elaborate import Elaboration
from verif.formal.theorems.interleaved import Interleaved
from verif.formal.theorems.labels import ENTRY, WIRES
from verif.formal.theorems.machine import Fast, Faster, Shape
from verif.formal.theorems.truth import MakeMachine
from verif.formal.theorems.unfolded import Mm42, UnfoldedFast, UnfoldedFaster


class Form(Enum):
    """Machine of a core; each has its own theorem.

    AHEAD (``Machine.v``): the addends of an iteration are chosen one cycle ahead. EARLY
    (``Unfolded.v``): the cycle of the start iterates, so that a cycle may do several iterations.
    TABLE (``Interleaved.v``): a table is reduced modulo M, and X comes from its highest bit down.
    """

    AHEAD = "ahead"
    EARLY = "early"
    TABLE = "table"


@dataclass(frozen=True)
class Theory:
    """Data of a core for Coq and for the fast check.

    Attributes:
        module: file in ``theories`` with the core's iteration.
        core: definition of the core in this file.
        exact: theorem in this file that the iteration is exact.
        constants: assumption of the theorem about the constants.
        machine: the same machine for the fast check.
        form: machine of the core.
        extended: proof that the assumption about the constants is not about named wires.
    """

    module: str
    core: str
    exact: str
    constants: str
    machine: MakeMachine
    form: Form = Form.AHEAD
    extended: str = "(fun _ H => H)"

    @property
    def wires(self) -> Mapping[str, str]:
        """Nets of the core whose wires the proof names, and their signals."""
        return {Form.AHEAD: {}, Form.EARLY: WIRES, Form.TABLE: ENTRY}[self.form]

    @property
    def early(self) -> bool:
        """The cycle of the start iterates."""
        return self.form is Form.EARLY

    @property
    def whole_unit(self) -> bool:
        """A theorem covers the unit around the core, too."""
        return self.form is not Form.TABLE

    @property
    def products(self) -> Products:
        """Operands and results of the core."""
        return INTERLEAVED if self.form is Form.TABLE else MONTGOMERY


ANY, SUM = "(fun _ => True)", "(constant_is_sum sh)"
# Theories of a module with one iteration a cycle, and of one that iterates from the start on.
FAST = Theory("Fast", "fast", "fast_iterates", ANY, Fast)
FASTER = Theory("Faster", "faster", "faster_iterates", SUM, Faster)
UNFOLDED_FAST = Theory(
    "UnfoldedFast", "unfolded_fast", "unfolded_fast_exact", ANY, UnfoldedFast, form=Form.EARLY
)
UNFOLDED_FASTER = Theory(
    "UnfoldedFast",
    "unfolded_faster",
    "unfolded_faster_exact",
    SUM,
    UnfoldedFaster,
    form=Form.EARLY,
    extended="(sum_extended sh net)",
)
MM42 = Theory("Mm42", "mm42", "mm42_exact", ANY, Mm42, form=Form.EARLY)
TABLE = Theory("InterleavedCore", "interleaved", "", "", Interleaved, form=Form.TABLE)
MODULES = {
    "fast_montgomery": (FAST, UNFOLDED_FAST),
    "faster_montgomery": (FASTER, UNFOLDED_FASTER),
    "mm42": (MM42, MM42),
    "optimized_interleaved": (TABLE, TABLE),
}
THEORIES = (
    "fast_montgomery", "faster_montgomery", "mm42",
    "unfolded_fast_montgomery", "unfolded_faster_montgomery", "unfolded_mm42",
    "optimized_interleaved",
)  # fmt: skip


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
        theory: theory of its core.
        core: number of the core's module in ``core_pkg``.
        bus: BusWidth.
        busy: busy cycles of an operation of the unit, by the registry's formula.
        watchdog: value of Watchdog.
    """

    architecture: str
    width: int
    shape: Shape
    what: Elaboration
    hdl: Path
    cycles: int
    theory: Theory
    core: int
    bus: int
    busy: int
    watchdog: int = 0

    @property
    def name(self) -> str:
        """Name of its folder, also used in messages."""
        name = f"{self.architecture}-n{self.width}-word{self.shape.word}"
        name += f"-segment{self.shape.segment}" + "-watchdog" * self.watchdog
        return name + (f"-j{self.shape.unfolding}" if self.theory.early else "")

    @property
    def theorem_cycles(self) -> int:
        """Cycles from the start to done, by the theorem."""
        loop = -(-self.width // self.shape.unfolding)
        return loop if self.theory.early else loop + 1

    @property
    def theorem_busy(self) -> int:
        """Busy cycles of an operation of the unit, by the theorem ``accepted_operation``."""
        return 2 * self.shape.pass_words + self.theorem_cycles + 5


def configuration(
    name: str, width: int, parameters: Mapping[str, int], hdl: Path | None = None
) -> Configuration:
    """Return a configuration from parameters: AddWidth, SegmentWidth, Unfolding.

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
    unfolding = made.values.get("Unfolding", 1)
    shape = Shape(width, made.parameters["Guard"], made.values["AddWidth"], segment, unfolding)
    theory = MODULES[str(made.core.module)][unfolding > 1]
    if theory.early and width <= 2 * unfolding:
        raise UsageError(
            f"width {width} of {name}: the theorem of Unfolding = {unfolding} accepts "
            f"{2 * unfolding + 1} and more"
        )
    what = Elaboration(
        sources=made.sources,
        top=str(made.core.module),
        # The core is the top, so the macro that names it in the unit is not needed.
        defines={"SEGMENT_WIDTH": str(segment)},
        parameters={
            "Width": width,
            "Guard": shape.guard,
            "WordWidth": shape.word,
            **({} if theory.form is Form.TABLE else {"Unfolding": unfolding}),
        },
    )
    cycles = made.core.timing.loop_cycles(width)
    core = made.parameters["Core"]
    bus = made.values["BusWidth"]
    # Without full reductions the modulus does not change the cycles. With them there is no theorem
    # about the unit.
    busy = made.core.timing.operation_cycles(
        (1 << width) - 1, width, add_width=shape.word, bus_width=bus
    )
    folder = hdl or ROOT / "hdl"
    watchdog = made.values.get("Watchdog", 0)
    return Configuration(
        name, width, shape, what, folder, cycles, theory, core, bus, busy, watchdog
    )
