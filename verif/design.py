"""What a simulation is built from, derived from the registry entry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.architecture import DEFAULT_ADD_WIDTH, Architecture

ROOT = Path(__file__).resolve().parent.parent
TOPLEVEL = "multiplier_tb"
DEFAULT_PARAMETERS = {"BusWidth": 32, "SelWidth": 2, "AddWidth": DEFAULT_ADD_WIDTH}
MIN_PARAMETERS = {"BusWidth": 8, "SelWidth": 2, "AddWidth": 4}
MAX_WIDTH = 8192


class DesignError(ValueError):
    """A parameter is unknown or out of range; the message says what is accepted."""


@dataclass(frozen=True)
class SimulationBuild:
    """Everything a simulator needs to compile one configuration.

    Attributes:
        sources: SystemVerilog files in compile order.
        verilator_config: the ``.vlt`` file that makes the test bench's ports visible.
        toplevel: module to elaborate.
        defines: macros.
        parameters: parameters of the top level.
    """

    sources: tuple[Path, ...]
    verilator_config: Path
    toplevel: str
    defines: dict[str, str]
    parameters: dict[str, int]


def check_width(entry: Architecture, width: int) -> None:
    """Raise :class:`DesignError` unless ``width`` is a legal operand width of ``entry``."""
    if not entry.min_width <= width <= MAX_WIDTH:
        raise DesignError(
            f"width {width} of {entry.name}: accepted are {entry.min_width} to {MAX_WIDTH}"
        )


def resolved_parameters(parameters: dict[str, int]) -> dict[str, int]:
    """``parameters`` completed with the defaults.

    Raises:
        DesignError: unknown name, or a value below the smallest legal one.
    """
    for name, value in parameters.items():
        if name not in DEFAULT_PARAMETERS:
            raise DesignError(
                f"unknown parameter {name!r}; accepted: {', '.join(DEFAULT_PARAMETERS)}"
            )
        if not MIN_PARAMETERS[name] <= value <= 4096:
            raise DesignError(f"{name} = {value}: accepted are {MIN_PARAMETERS[name]} to 4096")
    return {**DEFAULT_PARAMETERS, **parameters}


def simulation_build(
    entry: Architecture, width: int, parameters: dict[str, int], hdl: Path | None = None
) -> SimulationBuild:
    """The build of one configuration.

    Args:
        entry: registry entry with a SystemVerilog module.
        width: operand width n.
        parameters: bus and adder parameters; missing ones take their defaults.
        hdl: folder with the design, to build an altered copy; default the project's ``hdl``.

    Raises:
        DesignError: illegal width or parameter.
    """
    check_width(entry, width)
    design = sorted((hdl or ROOT / "hdl").rglob("*.sv"))
    design.sort(key=lambda path: not path.name.endswith("_pkg.sv"))
    bench = sorted((ROOT / "verif").rglob("*.sv"))
    return SimulationBuild(
        sources=(*design, *bench),
        verilator_config=ROOT / "verif" / "tb" / "multiplier_tb.vlt",
        toplevel=TOPLEVEL,
        defines={"MULTIPLIER_CORE": str(entry.module)},
        parameters={
            "Width": width,
            **resolved_parameters(parameters),
            "TableAddressBits": max(1, entry.table_address_bits),
        },
    )
