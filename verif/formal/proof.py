"""Data of a proof in the registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from models.architecture import Architecture
from models.cores import PASSED
from models.registry import architecture
from verif.bench.configuration.design import (
    DERIVED_PARAMETERS,
    EXPONENTIATION,
    MAX_WIDTH,
    MULTIPLIER,
    ROOT,
    Design,
    DesignError,
    configured,
    simulation_build,
)
from verif.library.edits.operators import Operator

FOLDER = ROOT / "verif" / "formal"


class Mode(Enum):
    """Method of a proof.

    PROVE: by induction over time, for every reachable state. BMC: for every run of at most depth
    cycles. COVER: finds a run of at most depth cycles for each cover point.
    """

    PROVE = "prove"
    BMC = "bmc"
    COVER = "cover"


@dataclass(frozen=True)
class Injected:
    """A fault injected into the design, which a proof must detect.

    Attributes:
        change: change of the design.
        architecture: architecture on which the proof must fail; empty for a proof without one.
        width: width at which it must fail; 0 for the proof's smallest width.
        depth: cycles from reset within which it must fail; 0 for the depth of the proof.
    """

    change: Operator
    architecture: str = ""
    width: int = 0
    depth: int = 0

    @property
    def says(self) -> str:
        """Return place and change in one line."""
        return self.change.says


@dataclass(frozen=True)
class Settings:
    """Settings of one case of a proof.

    Attributes:
        depth: number of induction steps, or maximum cycles of a run.
        parameters: parameters of the property module, in addition to those of the design.
    """

    depth: int
    parameters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Proof:
    """A property, and the architectures and widths for which it is proved.

    Attributes:
        name: name of the proof.
        says: the property in one sentence.
        source: document and equation; empty if the property is the project's own.
        module: property module; also the name of its file in this folder.
        mode: see :class:`Mode`.
        settings: returns depth and parameters of a case from its registry entry and width.
        architectures: names of registry entries; empty if the module has no core.
        widths: operand widths n.
        injected: faults that must make the proof fail.
        core: parameters of the configuration that differ from their defaults, by architecture.
        design: design whose parameters the module has.
        uses: further modules, as paths below ``verif``; a module with the name of a design module
            replaces that module.
        timeout: seconds after which a case fails.
        macros: True if ``ASSERT`` and ``ASSUME`` of the modules are part of the property.
    """

    name: str
    says: str
    source: str
    module: str
    mode: Mode
    settings: Callable[[Architecture | None, int], Settings]
    architectures: tuple[str, ...]
    widths: tuple[int, ...]
    injected: tuple[Injected, ...]
    core: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    design: Design = MULTIPLIER
    uses: tuple[str, ...] = ()
    timeout: float = 1800.0
    macros: bool = False

    @property
    def path(self) -> Path:
        """Path of the property module."""
        return FOLDER / f"{self.module}.sv"

    def sources(self, hdl: Path) -> list[Path]:
        """Return the prover's files, packages first, property last; ``hdl`` is the design."""
        used = [ROOT / "verif" / name for name in self.uses]
        names = {path.name for path in used}
        design = [path for path in sorted(hdl.resolve().rglob("*.sv")) if path.name not in names]
        design.sort(key=lambda path: not path.stem.endswith("_pkg"))
        return [*design, *used, self.path]


@dataclass(frozen=True)
class Case:
    """A proof for one architecture and width: one call of the prover.

    Attributes:
        proof: the proof.
        architecture: name of the registry entry; empty for none.
        width: operand width n.
    """

    proof: Proof
    architecture: str
    width: int

    @property
    def name(self) -> str:
        """Name of the case's folder."""
        words = (self.proof.name, self.architecture, f"n{self.width}")
        return "-".join(word for word in words if word)

    @property
    def entry(self) -> Architecture | None:
        """The registry entry with the core's parameters of this case."""
        if not self.architecture:
            return None
        core = self.proof.core.get(self.architecture, {})
        return configured(architecture(self.architecture), self.proof.design, self.width, core)

    def settings(self) -> Settings:
        """Depth and parameters of the case."""
        return self.proof.settings(self.entry, self.width)

    def parameters(self) -> tuple[dict[str, str], dict[str, int]]:
        """Return macros, and parameters by name; the property module need not have all of them.

        Raises:
            DesignError: a width or parameter is illegal.
        """
        own = {"Width": self.width, **self.settings().parameters}
        macros = {"FORMAL": "1"} if self.proof.macros else {}
        if not self.architecture:
            self._check_width()
            return macros, own
        core = self.proof.core.get(self.architecture, {})
        entry = architecture(self.architecture)
        build = simulation_build(self.proof.design, entry, self.width, core)
        macros |= core_macros(self.entry or entry, self.proof.design, build.parameters)
        return {**build.defines, **macros}, {**build.parameters, **own}

    def _check_width(self) -> None:
        """Check the width of a case without a core: such modules need widths of operands."""
        least, widths = Architecture.min_width, self.proof.widths
        if self.width not in widths and not least <= self.width <= MAX_WIDTH:
            own = "".join(f"{width}, " for width in widths if width < least)
            raise DesignError(f"width {self.width}: accepted are {own}{least} to {MAX_WIDTH}")


def core_macros(
    core: Architecture, design: Design, parameters: Mapping[str, int]
) -> dict[str, str]:
    """Return the macros of property modules about one core or unit.

    Args:
        core: registry entry with its parameters.
        design: the design.
        parameters: parameters of the design.
    """
    own = {parameter.name: parameters[parameter.name] for parameter in core.parameters}
    ring = core.streams is not None
    names = [*DERIVED_PARAMETERS, "BinaryBits", "Core", *PASSED[ring]]
    given = {name: parameters[name] for name in names if name in parameters}
    of_other_units = ("RadixBits",) if ring else DERIVED_PARAMETERS
    unit = {name: value for name, value in given.items() if name not in of_other_units}
    options = {name: parameters[name] for name in design.options if name in parameters}
    handed = {name: value for name, value in given.items() if name not in DERIVED_PARAMETERS}
    handed |= options
    return {
        "MULTIPLIER_UNIT": "ring_unit" if ring else "parallel_unit",
        "MULTIPLIER_UNIT_PARAMETERS": _assigned(unit),
        "TOP_PARAMETERS": _assigned(handed if design is EXPONENTIATION else given),
        **(
            {
                "STREAM_WORD_WIDTH": str(parameters["WordWidth"]),
                "MULTIPLIER_STREAM_CORE": str(core.module),
                "MULTIPLIER_STREAM_CORE_PARAMETERS": _assigned(own),
            }
            if ring
            else {"PARALLEL_CORE": str(core.module), "PARALLEL_CORE_PARAMETERS": _assigned(own)}
        ),
    }


def _assigned(parameters: Mapping[str, int]) -> str:
    return "".join(f", .{name}({value})" for name, value in parameters.items())
