"""The SystemVerilog modules that are cores, and the parameters with which a top selects one."""

from __future__ import annotations

from dataclasses import dataclass

from models.constant import Reduction
from models.registry import hardware_architectures

# Parameters of a ring core that the surrounding modules use, too.
SHARED = ("WordWidth", "DigitWidth")
# Other parameters that the tops pass to a core; all are integers above 0, except Stages (>= 0).
PASSED = {
    False: ("Unfolding",),
    True: ("Elements", "Stages", "Latency", "UnitWidth", "Units"),
}


class CoreError(ValueError):
    """A registry entry has a parameter that no top passes on; the message lists the accepted."""


@dataclass(frozen=True)
class Core:
    """A core module.

    Attributes:
        module: name of the module.
        number: value of the tops' parameter ``Core``.
        ring: True if it takes words, False if it takes parallel operands.
        full_reduction: True if a sum before or after its loop is reduced by a division.
        parameters: its own parameters, in the order of the registry entries that use it.
    """

    module: str
    number: int
    ring: bool
    full_reduction: bool
    parameters: tuple[str, ...]

    @property
    def constant(self) -> str:
        """Name of the number in ``core_pkg``, such as ``CoreMwrkmm``."""
        return "Core" + "".join(word.capitalize() for word in self.module.split("_"))


def cores() -> dict[str, Core]:
    """Return all cores by module, numbered in the order of their names.

    Raises:
        CoreError: an entry has a parameter that the tops do not pass on.
    """
    ring: dict[str, bool] = {}
    full: dict[str, bool] = {}
    names: dict[str, dict[str, None]] = {}
    for name, entry in hardware_architectures().items():
        module = str(entry.module)
        ring[module] = entry.streams is not None
        full[module] = entry.final_reduction is Reduction.FULL
        accepted = (*(SHARED if entry.streams else ()), *PASSED[entry.streams is not None])
        for parameter in entry.parameters:
            if parameter.name not in accepted:
                raise CoreError(
                    f"parameter {parameter.name} of {name}: the tops pass {', '.join(accepted)}"
                )
            names.setdefault(module, {})[parameter.name] = None
    return {
        module: Core(module, number, ring[module], full[module], tuple(names.get(module, {})))
        for number, module in enumerate(sorted(ring))
    }


def core_parameters(module: str, values: dict[str, int]) -> dict[str, int]:
    """Return the parameters with which a top selects a core.

    Args:
        module: module of the core.
        values: values of the core's own parameters.
    """
    core = cores()[module]
    passed = {name: values.get(name, 1) for name in PASSED[core.ring]}
    return {"Core": core.number, **passed}
