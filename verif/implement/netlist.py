"""The synthesised netlist of a configuration, to be simulated in the design's place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from models import registry
from regress.core.errors import UsageError
from verif.bench.configuration.design import NETLIST, ROOT, Design, hardware
from verif.implement.measure import CACHE, DEFAULT_GIB, DEFAULT_SECONDS, Measurer
from verif.implement.targets import target, targets
from verif.implement.targets.base import MODELS, SIMULATION
from verif.implement.toolbox import Toolbox, default_toolbox_folder
from verif.library.netlist.configuration import recipe_of
from verif.library.netlist.process import Limits, ToolError


def netlist_files(
    name: str,
    design: Design,
    architecture: str,
    width: int,
    parameters: Mapping[str, int],
    hdl: Path | None = None,
) -> tuple[Path, ...]:
    """Return the netlist of a configuration and the models of its cells; make missing ones.

    Args:
        name: name of the target.
        design: the top.
        architecture: registry name.
        width: operand width n.
        parameters: parameters of the top and of the core; missing ones take their defaults.
        hdl: folder with an altered design.

    Raises:
        UsageError: the target's netlists cannot be simulated.
        DesignError: illegal width or parameter.
        OSError: it cannot be synthesised; the message states why.
    """
    chosen = target(name)
    if not chosen.simulated:
        known = ", ".join(name for name, kind in targets().items() if kind.simulated)
        raise UsageError(f"netlists of {name} cannot be simulated; accepted: {known}")
    # The parameter that selects a netlist is not a parameter of the design below the netlist.
    own = {key: value for key, value in parameters.items() if key != NETLIST}
    recipe = recipe_of(hardware(design, registry.architecture(architecture), width, own, hdl))
    measurer = Measurer(ROOT / CACHE, Toolbox(default_toolbox_folder(ROOT)))
    try:
        folder = measurer.synthesis(chosen, recipe, Limits(DEFAULT_SECONDS, DEFAULT_GIB << 30))
    except ToolError as error:
        raise OSError(f"no netlist of {design.name} {architecture} {width}: {error}") from None
    return tuple(path for path in (folder / SIMULATION, folder / MODELS) if path.is_file())
