"""The SystemVerilog modules that are cores, and the parameters by which a top chooses one."""

from __future__ import annotations

from dataclasses import dataclass

from models.registry import hardware_architectures

# Words and digits of a ring core are known to everything around it.
SHARED = ("WordWidth", "DigitWidth")
# What the tops hand on to a core beside these, each an integer above 0 but Stages.
PASSED = {
    False: ("Unfolding",),
    True: ("Elements", "Stages", "Latency", "UnitWidth", "Units"),
}


class CoreError(ValueError):
    """A registry entry has a parameter that no top hands on; the message says which are."""


@dataclass(frozen=True)
class Core:
    """A module that is a core.

    Attributes:
        module: its name.
        number: value of the parameter ``Core``.
        ring: it takes words, else operands in parallel.
        parameters: its own, in the order of the registry entries that have it.
    """

    module: str
    number: int
    ring: bool
    parameters: tuple[str, ...]

    @property
    def constant(self) -> str:
        """Name of the number in ``core_pkg``: ``CoreMwrkmm``."""
        return "Core" + "".join(word.capitalize() for word in self.module.split("_"))


def cores() -> dict[str, Core]:
    """All of them by module, numbered in the order of their names.

    Raises:
        CoreError: a parameter has no name that the tops hand on.
    """
    ring: dict[str, bool] = {}
    names: dict[str, dict[str, None]] = {}
    for name, entry in hardware_architectures().items():
        module = str(entry.module)
        ring[module] = entry.streams is not None
        accepted = (*(SHARED if entry.streams else ()), *PASSED[entry.streams is not None])
        for parameter in entry.parameters:
            if parameter.name not in accepted:
                raise CoreError(
                    f"parameter {parameter.name} of {name}: the tops hand on {', '.join(accepted)}"
                )
            names.setdefault(module, {})[parameter.name] = None
    return {
        module: Core(module, number, ring[module], tuple(names.get(module, {})))
        for number, module in enumerate(sorted(ring))
    }


def core_parameters(module: str, values: dict[str, int]) -> dict[str, int]:
    """What a top is given to choose a core.

    Args:
        module: of the core.
        values: of the core's own parameters.
    """
    core = cores()[module]
    passed = {name: values.get(name, 1) for name in PASSED[core.ring]}
    return {"Core": core.number, **passed}
