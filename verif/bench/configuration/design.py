"""Sources, parameters and options of a simulation build, derived from the registry entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from models.architecture import Architecture
from models.cores import core_parameters, cores
from regress.core.point import PointError
from regress.simulators.verilator import Verilator
from verif.bench.configuration.burst import unserved
from verif.bench.configuration.tops import DERIVED_PARAMETERS as DERIVED_PARAMETERS

# The tops are imported from here together with what configures them.
from verif.bench.configuration.tops import DESIGNS as DESIGNS
from verif.bench.configuration.tops import EXPONENTIATION as EXPONENTIATION
from verif.bench.configuration.tops import MAX_PARAMETER as MAX_PARAMETER
from verif.bench.configuration.tops import MULTIPLIER as MULTIPLIER
from verif.bench.configuration.tops import Configured, Design, TopParameter

# Optional parameter of every configuration: simulate the design's netlist, synthesised for this
# target of ``regress implement``, instead of the design.
NETLIST = "Netlist"
NETLISTS = {1: "ecp5", 2: "gates"}
# Optional parameter of every configuration: a bus front between the bench and the design.
FRONT = "Front"
FRONTS = {1: "axi4_lite", 2: "apb4", 3: "wishbone"}
FRONT_BUS_WIDTHS = (32, 64)
FRONT_ADDRESS_WIDTH = 3
# Optional parameter: positions of a wide register that share one copy of their common signals
# (``multiplier_pkg.sv``). A design with a single copy simulates two to three times as fast.
SEGMENT = "SegmentWidth"
# Dual-multiplier datapath of an exponentiation with bit-serial cores, by Montgomery domain or not.
PAIRS = {True: "bit_serial_dual", False: "interleaved_dual"}
# Macro that is defined if the bench sees only the pins of the design.
BLACK_BOX = "BLACK_BOX"
ROOT = Path(__file__).resolve().parents[3]
BENCH = ROOT / "verif" / "bench"
MAX_WIDTH = 8192
BLACK_BOX_CONFIG = BENCH / "tb" / "black_box.vlt"
COVERAGE_CONFIG = BENCH / "tb" / "code_coverage.vlt"
VERILATOR_ARGUMENTS = (
    # The bench clock makes the edges of many cycles in one time slot.
    "--converge-limit",
    "1000",
    # cocotb's runner makes every signal public, which halves the speed. This later option overrides
    # it, and the configuration file makes only the test bench's ports public.
    "--no-public-flat-rw",
    # At the largest width, all operands together form a wide vector, all constants a wider one.
    "--replication-limit",
    "131072",
    "--trace-max-width",
    "131072",
)


class DesignError(PointError):
    """A parameter is unknown or out of range; the message states what is accepted."""


# Default and minimum of SegmentWidth.
SEGMENTS = TopParameter(64, 4)


@dataclass(frozen=True)
class SimulationBuild:
    """Everything a simulator needs to compile one configuration.

    Attributes:
        sources: SystemVerilog files in compile order.
        verilator_config: the ``.vlt`` file that makes the test bench's ports visible.
        toplevel: module to elaborate.
        defines: macros.
        parameters: parameters of the top-level module.
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


def default_parameters(design: Design, entry: Architecture, width: int) -> dict[str, int]:
    """Return the default of every parameter of the top and of the entry's core."""
    return resolved_parameters(design, entry, width, {})


def resolved_parameters(
    design: Design, entry: Architecture, width: int, parameters: Mapping[str, int]
) -> dict[str, int]:
    """Return ``parameters`` completed with the defaults: those of the top, then of the core.

    Raises:
        DesignError: unknown name, or values that are not legal.

    The result contains ``Netlist``, ``Front``, ``SegmentWidth`` and the options of the top only
    where they differ from the default.
    """
    parameters, optional = dict(parameters), {}
    for name, known, none in (
        (NETLIST, NETLISTS, "the design itself"), (FRONT, FRONTS, "the loader bus")
    ):  # fmt: skip
        if value := parameters.pop(name, 0):
            if value not in known:
                values = ", ".join(f"{key} ({meaning})" for key, meaning in known.items())
                raise DesignError(f"{name} = {value}: accepted are 0 ({none}), {values}")
            optional[name] = value
    if (segment := parameters.pop(SEGMENT, SEGMENTS.default)) != SEGMENTS.default:
        _check(SEGMENT, segment, SEGMENTS)
        optional[SEGMENT] = segment
    for name, option in design.options.items():
        if (value := parameters.pop(name, option.default)) != option.default:
            _check(name, value, option)
            optional[name] = value
    core = {parameter.name for parameter in entry.parameters}
    for name, value in parameters.items():
        if name in design.parameters:
            _check(name, value, design.parameters[name])
        elif name not in core:
            own = (parameter.name for parameter in entry.parameters)
            accepted = ", ".join([*design.parameters, *design.options, SEGMENT, *own])
            raise DesignError(f"unknown parameter {name!r} of {entry.name}; accepted: {accepted}")
    top = {name: parameter.default for name, parameter in design.parameters.items()}
    if FRONT in optional:
        top["AddressWidth"] = FRONT_ADDRESS_WIDTH
        _check_front({**top, **parameters})
    given = {name: value for name, value in parameters.items() if name in core}
    try:
        made = entry.with_parameters(given)
        values = made.parameter_values(width)
        design.check_options(made, optional)
    except ValueError as error:
        raise DesignError(str(error)) from None
    return {**top, **{k: v for k, v in parameters.items() if k in top}, **values, **optional}


def _check_front(values: Mapping[str, int]) -> None:
    for name, accepted in (
        ("BusWidth", FRONT_BUS_WIDTHS), ("AddressWidth", (FRONT_ADDRESS_WIDTH,))
    ):  # fmt: skip
        if values[name] not in accepted:
            legal = " or ".join(map(str, accepted))
            raise DesignError(f"{name} = {values[name]}: accepted with a front is {legal}")


def _check(name: str, value: int, parameter: TopParameter) -> None:
    if not parameter.minimum <= value <= parameter.maximum:
        accepted = f"{parameter.minimum} to {parameter.maximum}"
        raise DesignError(f"{name} = {value}: accepted are {accepted}")


def configured(
    entry: Architecture, design: Design, width: int, parameters: Mapping[str, int]
) -> Architecture:
    """Return ``entry`` with the core parameters in ``parameters``; checks all parameters.

    Raises:
        DesignError: unknown name, or values that are not legal.
    """
    values = resolved_parameters(design, entry, width, parameters)
    return entry.with_parameters({p.name: values[p.name] for p in entry.parameters})


@dataclass(frozen=True)
class Hardware:
    """One configuration of a design, without its bench.

    Attributes:
        sources: SystemVerilog files in compile order.
        top: module to elaborate.
        defines: macros.
        parameters: parameters of the top.
        core: the registry entry with the configuration's parameters.
        values: every parameter of the top and of the core, see :func:`resolved_parameters`.
        absent: modules that a source names but this configuration does not elaborate.
    """

    sources: tuple[Path, ...]
    top: str
    defines: dict[str, str]
    parameters: dict[str, int]
    core: Architecture
    values: dict[str, int]
    absent: frozenset[str] = frozenset()


def hardware(
    design: Design,
    entry: Architecture,
    width: int,
    parameters: Mapping[str, int],
    hdl: Path | None = None,
) -> Hardware:
    """Return one configuration of a design; see :func:`simulation_build` for arguments.

    Raises:
        DesignError: illegal width or parameter, or a core that the design cannot have.
    """
    check_width(entry, width)
    sources = _sources(hdl) if hdl else _own_sources()
    values = resolved_parameters(design, entry, width, parameters)
    core = configured(entry, design, width, parameters)
    core_values = {p.name: values[p.name] for p in entry.parameters}
    module = str(core.module)
    named = (*design.parameters, *(name for name in design.options if name in values))
    top = {name: values[name] for name in named}
    top["Guard"] = core.model.guard_bits(width)
    try:
        top = design.top_parameters(at_of(core, width, values), top)
    except ValueError as error:
        raise DesignError(str(error)) from None
    defines = {"SEGMENT_WIDTH": str(values[SEGMENT])} if SEGMENT in values else {}
    top |= core_parameters(module, core_values)
    return Hardware(
        sources=sources,
        top=design.top,
        defines=defines,
        parameters={"Width": width, **top},
        core=core,
        values=values,
        absent=_absent(core),
    )


def changed_parameters(design: Design, made: Hardware) -> dict[str, int]:
    """Return the parameters of a configuration that are not the defaults, in the order of names."""
    defaults = default_parameters(design, made.core, made.parameters["Width"])
    return {k: v for k, v in sorted(made.values.items()) if k != NETLIST and defaults.get(k) != v}


def front_radix_bits(made: Hardware, width: int) -> int:
    """Return the value of the register RADIX of a front: R is 2 to this power; 0 without R."""
    if "RadixBits" in made.parameters and made.top == EXPONENTIATION.top:
        return made.parameters["RadixBits"]
    return made.core.model.radix(width).bit_length() - 1


def at_of(core: Architecture, width: int, values: Mapping[str, int]) -> Configured:
    """Return a configured core with the widths around it, given the parameters of the top."""
    coherent = bool(values.get("Coherent"))
    return Configured(core, width, values["AddWidth"], values["BusWidth"], coherent)


def _absent(core: Architecture) -> frozenset[str]:
    """Return the modules that the design names but does not elaborate with this core."""
    ring = {"ring_unit", "ring_core_select"}
    parallel = {"parallel_unit", "parallel_core_select", PAIRS[core.montgomery]}
    used = {str(core.module), *(ring if core.streams else parallel)}
    return frozenset({*cores(), *ring, *parallel, *PAIRS.values()} - used)


def simulation_build(
    design: Design,
    entry: Architecture,
    width: int,
    parameters: Mapping[str, int],
    hdl: Path | None = None,
    netlist: Sequence[Path] = (),
) -> SimulationBuild:
    """Return the build of one configuration.

    Args:
        design: the top to simulate.
        entry: registry entry with a SystemVerilog module.
        width: operand width n in bits.
        parameters: parameters of the top and of the core; missing ones take their defaults.
        hdl: folder with the design, to build a modified copy; default: the project's ``hdl``.
        netlist: files that replace the design, of which the bench then sees only the pins; empty
            for the design itself.

    Raises:
        DesignError: illegal width or parameter, or code that does not work with the bench clock.
    """
    made = hardware(design, entry, width, parameters, hdl)
    # Do not check netlists, because they contain only assignments and registers.
    if problem := next(iter(() if netlist else unserved(made.sources)), ""):
        raise DesignError(
            f"{problem}: not accepted, as this bench makes many clock edges in zero time; "
            "regress check runs such a core with an ordinary clock"
        )
    bench = sorted(BENCH.rglob("*.sv"))
    front = {}
    if FRONT in made.values:
        front = {FRONT: made.values[FRONT], "FrontRadixBits": front_radix_bits(made, width)}
    core, sources, defines = made.core, made.sources, made.defines
    if netlist:
        # The bench needs the package for the codes of the bus.
        packages = tuple(path for path in made.sources if path.name.endswith("_pkg.sv"))
        sources, defines = (*packages, *netlist), {BLACK_BOX: "1"}
    return SimulationBuild(
        sources=tuple(sorted((*sources, *bench), key=_after_packages)),
        verilator_config=BENCH / "tb" / f"{design.toplevel}.vlt",
        toplevel=design.toplevel,
        defines=defines,
        parameters={
            **made.parameters,
            **front,
            "TableAddressBits": max(1, entry.coverage.address_bits),
            "Positions": core.timing.iterations_per_cycle(width),
            "ClassLead": core.coverage.class_lead(width),
            **design.bench_parameters(entry, at_of(core, width, made.values)),
        },
    )


def simulator_settings(
    build: SimulationBuild, runner: str, code_coverage: bool
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return files and options that a simulator needs besides the sources.

    Args:
        build: the build.
        runner: cocotb's name of the simulator.
        code_coverage: whether to count lines, branches and toggles.

    Returns:
        (files to read before the sources, compiler options).
    """
    if runner != Verilator.runner:
        return (), ()
    coverage = (COVERAGE_CONFIG,) if code_coverage else ()
    netlist = (BLACK_BOX_CONFIG,) if BLACK_BOX in build.defines else ()
    return (build.verilator_config, *coverage, *netlist), VERILATOR_ARGUMENTS


def _sources(hdl: Path) -> tuple[Path, ...]:
    """Return the SystemVerilog files below a folder in compile order."""
    return tuple(sorted(sorted(hdl.rglob("*.sv")), key=_after_packages))


@cache  # a plan asks a thousand times
def _own_sources() -> tuple[Path, ...]:
    """Return the files of the project's own design."""
    return _sources(ROOT / "hdl")


def _after_packages(path: Path) -> bool:
    """Sort key: packages come first."""
    return not path.name.endswith("_pkg.sv")
