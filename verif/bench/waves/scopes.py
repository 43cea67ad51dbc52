"""Paths of the signals of a multiplier unit in a waveform."""

from __future__ import annotations

from dataclasses import dataclass

from models.bit_serial import MORE_BITS
from verif.bench.configuration.config import BenchConfig

# Instance of the bench with the observed signals of a design.
VIEW = "u_view"
MULTIPLIERS = "u_dut.u_operands.u_multipliers"
RINGS = f"{MULTIPLIERS}.gen_rings"


@dataclass(frozen=True)
class UnitPaths:
    """Paths of one unit.

    Attributes:
        operands: X, Y and M as whole values, by name in lower case.
        constants: the core's constants, packed.
        s: S of the core's result.
        c: C of the core's result.
        result: the reduced product.
        sums: the sums of the adder.
        field: whether the operands are polynomials; empty if the unit has only one field.
        core: instance of the core.
        observed: prefix and suffix of the name of an observed signal.
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
        """Return the path of an observed signal of the unit."""
        return name.join(self.observed)

    @property
    def table_address(self) -> str:
        """Path of the table addresses of the core; the bench masks those of a multiplier."""
        return "table_addr"

    @property
    def more_bits(self) -> int:
        """Number of bits by which the core's operands are longer than the design's."""
        return 0


@dataclass(frozen=True)
class DualPaths(UnitPaths):
    """Paths of a core of ``bit_serial_dual.sv``, which takes X bit by bit.

    Attributes:
        downwards: takes X from its highest bit on (``interleaved_dual.sv``, which shows no M).
    """

    downwards: bool

    def observe(self, name: str) -> str:
        """See :class:`UnitPaths`; start and end of a core are not observed at the top."""
        if name in ("core_start", "core_done"):
            return f"{self.core.partition('.u_core')[0]}.{name}"
        return super().observe(name)

    @property
    def table_address(self) -> str:
        """See :class:`UnitPaths`."""
        return self.observe("table_addr")

    @property
    def more_bits(self) -> int:
        """See ``models/bit_serial.py``."""
        return 0 if self.downwards else MORE_BITS


def _block(config: BenchConfig) -> str:
    return "gen_ring" if config.entry.streams else "gen_parallel"


def unit_path(config: BenchConfig) -> str:
    """Return the path of a multiplier's unit."""
    return f"u_dut.{_block(config)}.u_unit"


def dual_path(config: BenchConfig) -> str:
    """Return the instance with both bit-serial cores of an exponentiation."""
    block = "gen_bit_serial" if config.entry.montgomery else "gen_interleaved"
    return f"{MULTIPLIERS}.{block}.u_dual"


def dual_scopes(config: BenchConfig) -> dict[str, str]:
    """Return the cores of a dual-multiplier datapath, by their product."""
    return {name: f"{dual_path(config)}.gen_core[{i}]" for i, name in enumerate("AS")}


def unit_paths(config: BenchConfig, scope: str) -> UnitPaths:
    """Return the paths of the unit at ``scope``, by the design and the core's contract."""
    dual = dual_path(config)
    for name, core in dual_scopes(config).items():
        if scope == core:
            operands = {"x": f"{scope}.x", "y": f"{dual}.y_q", "m": f"{dual}.m_q"}
            if not config.entry.montgomery:
                del operands["m"]
            return DualPaths(
                operands, f"{dual}.constants",
                *(f"{scope}.{signal}" for signal in ("s", "c", "word", "word")),
                "", f"{scope}.u_core.gen_{config.entry.module}.u_core",
                (f"{VIEW}.{name.lower()}_", ""), not config.entry.montgomery,
            )  # fmt: skip
    observed = (f"{VIEW}.", "")
    window = f"{_block(config)}.u_window"
    core = f"{scope}.u_core.gen_{config.entry.module}.u_core"
    operands = {name: f"{window}.{name}" for name in ("x", "y", "m")}
    if config.entry.streams:
        return UnitPaths(
            operands, *(f"{window}.{name}" for name in ("constants", "s", "c", "p")),
            f"{scope}.sum", f"{scope}.field", core, observed,
        )  # fmt: skip
    return UnitPaths(
        operands, *(f"{scope}.{name}" for name in ("constants", "s", "c")),
        f"{window}.p", f"{scope}.sum_word", "", core, observed,
    )  # fmt: skip
