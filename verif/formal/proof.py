"""What the registry says about a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from models.architecture import Architecture
from models.cores import PASSED
from models.registry import architecture
from verif.bench.configuration.design import (
    EXPONENTIATION,
    FACTS,
    MULTIPLIER,
    ROOT,
    Design,
    configured,
    simulation_build,
)
from verif.library.edits.operators import Operator

FOLDER = ROOT / "verif" / "formal"


class Mode(Enum):
    """How a property is shown.

    PROVE: by induction over time, in every state that can be reached. BMC: in every run of at most
    so many clocks. COVER: a run of at most so many clocks is found for each cover point.
    """

    PROVE = "prove"
    BMC = "bmc"
    COVER = "cover"


@dataclass(frozen=True)
class Planted:
    """A bug planted in the design, which a proof must find.

    Attributes:
        change: what is done to the design.
        architecture: on which the proof must go red; empty for a proof without one.
        width: at this width; 0 for the proof's smallest.
        depth: clocks from reset in which it must show; 0 for those of the proof.
    """

    change: Operator
    architecture: str = ""
    width: int = 0
    depth: int = 0

    @property
    def says(self) -> str:
        """Place and change in one line."""
        return self.change.says


@dataclass(frozen=True)
class Settings:
    """What one case of a proof needs.

    Attributes:
        depth: clocks; the number of steps of the induction, or the longest run.
        parameters: of the property module, beside those every design of the architecture has.
    """

    depth: int
    parameters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Proof:
    """A property and what it is shown for.

    Attributes:
        name: by which it is called.
        says: the property, one sentence.
        source: document and equation it comes from; empty where it is the project's own.
        module: property module, the name of its file in this folder.
        mode: see :class:`Mode`.
        settings: depth and parameters of a case; the entry is that of the case's architecture.
        architectures: names of registry entries; empty: the module has no core.
        widths: operand widths n.
        planted: bugs that must turn it red.
        core: parameters of the configuration that differ from their defaults, by architecture.
        design: whose parameters those of the module are.
        uses: further modules, as paths below ``verif``; one with the name of a module of the design
            stands in its place.
        timeout: seconds after which a case has failed.
    """

    name: str
    says: str
    source: str
    module: str
    mode: Mode
    settings: Callable[[Architecture | None, int], Settings]
    architectures: tuple[str, ...]
    widths: tuple[int, ...]
    planted: tuple[Planted, ...]
    core: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    design: Design = MULTIPLIER
    uses: tuple[str, ...] = ()
    timeout: float = 1800.0

    @property
    def path(self) -> Path:
        """File of the property module."""
        return FOLDER / f"{self.module}.sv"

    def sources(self, hdl: Path) -> list[Path]:
        """Files for the prover, packages first and the property last; ``hdl`` has the design."""
        used = [ROOT / "verif" / name for name in self.uses]
        names = {path.name for path in used}
        design = [path for path in sorted(hdl.resolve().rglob("*.sv")) if path.name not in names]
        design.sort(key=lambda path: not path.stem.endswith("_pkg"))
        return [*design, *used, self.path]


@dataclass(frozen=True)
class Case:
    """A proof for one architecture and width: what one call of the prover shows.

    Attributes:
        proof: the proof.
        architecture: name of the registry entry, empty for none.
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
        """Depth and parameters."""
        return self.proof.settings(self.entry, self.width)

    def parameters(self) -> tuple[dict[str, str], dict[str, int]]:
        """Macros, and parameters by name: more than the property module may have.

        Raises:
            DesignError: illegal width or parameter.
        """
        own = {"Width": self.width, **self.settings().parameters}
        if not self.architecture:
            return {}, own
        core = self.proof.core.get(self.architecture, {})
        entry = architecture(self.architecture)
        build = simulation_build(self.proof.design, entry, self.width, core)
        macros = core_macros(self.entry or entry, self.proof.design, build.parameters)
        return {**build.defines, **macros}, {**build.parameters, **own}


def core_macros(
    core: Architecture, design: Design, parameters: Mapping[str, int]
) -> dict[str, str]:
    """Macros of the property modules that are about one core or unit.

    Args:
        core: with its parameters.
        design: whose parameters these are.
        parameters: of the design.
    """
    own = {parameter.name: parameters[parameter.name] for parameter in core.parameters}
    ring = core.streams is not None
    names = [*FACTS, "BinaryBits", "Core", *PASSED[ring]]
    given = {name: parameters[name] for name in names if name in parameters}
    unit = {name: value for name, value in given.items() if ring or name not in FACTS}
    handed = {name: value for name, value in given.items() if name not in FACTS}
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
