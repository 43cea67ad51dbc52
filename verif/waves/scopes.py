"""Where a waveform has the signals of a multiplier unit."""

from __future__ import annotations

from dataclasses import dataclass

from verif.config import BenchConfig
from verif.design import MULTIPLIER

TOP_UNIT = "u_dut.u_unit"
WINDOW = "u_window"


@dataclass(frozen=True)
class UnitPaths:
    """Paths of one unit.

    Attributes:
        operands: X, Y and M as whole values, by name in lower case.
        constants: the core's constants, packed.
        s: of the core's result.
        c: likewise.
        result: the reduced product.
        sums: what the adder makes.
        field: whether the operands are polynomials; empty if it has one field.
        core: instance of the core.
        observed: what stands before and behind the name of an observed signal.
    """

    operands: dict[str, str]
    constants: str
    s: str
    c: str
    result: str
    sums: str
    field: str
    core: str
    observed: tuple[str, str]

    def observe(self, name: str) -> str:
        """Path of an observed signal of the unit."""
        return name.join(self.observed)


def unit_paths(config: BenchConfig, scope: str) -> UnitPaths:
    """Paths of the unit at ``scope``, as the design and the core's contract have them."""
    parallel = not config.entry.flat_operands
    top = config.design is MULTIPLIER
    observed = ("u_dut.", "") if top else (f"{scope}.", "_o")
    if top and config.entry.word_streams:
        return UnitPaths(
            {name: f"{WINDOW}.{name}" for name in ("x", "y", "m")},
            *(f"{WINDOW}.{name}" for name in ("constants", "s", "c", "p")),
            f"{scope}.sum", "", f"{scope}.u_core", observed,
        )  # fmt: skip
    if top and parallel:
        return UnitPaths(
            {name: f"{WINDOW}.{name}" for name in ("x", "y", "m")},
            *(f"{scope}.{name}" for name in ("constants", "s", "c")),
            f"{WINDOW}.p", f"{scope}.sum_word", "", f"{scope}.u_core", observed,
        )  # fmt: skip
    unit = f"{scope}.u_unit" if top else scope
    # A core of another contract stands behind an adapter.
    inner = parallel or config.entry.word_serial
    core = f"{unit}.u_core.u_core" if inner else f"{unit}.u_core"
    return UnitPaths(
        {name: f"{unit}.{name}_i" for name in ("x", "y", "m")},
        *(f"{unit}.{name}" for name in ("constants", "s_o", "c_o", "result_o", "add_value")),
        f"{unit}.field", core, observed,
    )  # fmt: skip
