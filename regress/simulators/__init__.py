"""The simulators: one class each, in a file of its own. Nothing else knows them by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from regress.core.errors import UsageError, not_accepted
from regress.simulators.base import BuildOptions, RunOptions, Simulator
from regress.simulators.icarus import Icarus
from regress.simulators.verilator import Verilator
from regress.simulators.verilator_initreg import VerilatorInitreg
from regress.simulators.xcelium import Xcelium

__all__ = ["BOTH", "SIMULATORS", "BuildOptions", "RunOptions", "Simulator", "find_simulators"]

SIMULATORS: Mapping[str, type[Simulator]] = {
    simulator.name: simulator for simulator in (Verilator, Icarus, VerilatorInitreg, Xcelium)
}
DEFAULT = Verilator.name
# Two that share no code: what they agree on is hardly a simulator's error.
BOTH = (Verilator.name, Icarus.name)


def simulator_class(name: str) -> type[Simulator]:
    """The class of a simulator.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in SIMULATORS:
        raise UsageError(not_accepted("simulator", name, SIMULATORS))
    return SIMULATORS[name]


def find_simulators(names: Iterable[str]) -> tuple[dict[str, Simulator], dict[str, str]]:
    """The installed ones among ``names``, and for each other one why it cannot be used.

    Raises:
        UsageError: one is missing that is not optional.
    """
    found: dict[str, Simulator] = {}
    missing: dict[str, str] = {}
    for name in sorted(set(names)):
        simulator = simulator_class(name)
        try:
            found[name] = simulator.find()
        except UsageError as error:
            if not simulator.optional:
                raise
            missing[name] = error.lines[0]
    return found, missing
