"""The simulators, one class per file. No other module knows them by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from regress.core.errors import UsageError, not_accepted
from regress.simulators.base import BuildOptions, RunOptions, Simulator
from regress.simulators.ghdl import Ghdl
from regress.simulators.icarus import Icarus
from regress.simulators.nvc import Nvc
from regress.simulators.verilator import Verilator
from regress.simulators.verilator_initreg import VerilatorInitreg
from regress.simulators.xcelium import Xcelium

__all__ = ["BOTH", "SIMULATORS", "BuildOptions", "RunOptions", "Simulator", "find_simulators"]

SIMULATORS: Mapping[str, type[Simulator]] = {
    simulator.name: simulator
    for simulator in (Verilator, Icarus, VerilatorInitreg, Ghdl, Nvc, Xcelium)
}
DEFAULT = Verilator.name
# Two simulators that share no code: an error of a simulator rarely affects both.
BOTH = (Verilator.name, Icarus.name)


def simulator_class(name: str) -> type[Simulator]:
    """Return the class of a simulator.

    Raises:
        UsageError: no simulator has this name.
    """
    if name not in SIMULATORS:
        raise UsageError(not_accepted("simulator", name, SIMULATORS))
    return SIMULATORS[name]


def find_simulators(
    names: Iterable[str], known: Mapping[str, type[Simulator]] = SIMULATORS
) -> tuple[dict[str, Simulator], dict[str, str]]:
    """Return the installed simulators among ``names``, and why each other one cannot be used.

    Raises:
        UsageError: a simulator is unknown, or is missing and not optional.
    """
    found: dict[str, Simulator] = {}
    missing: dict[str, str] = {}
    for name in sorted(set(names)):
        if name not in known:
            raise UsageError(not_accepted("simulator", name, known))
        simulator = known[name]
        try:
            found[name] = simulator.find()
        except UsageError as error:
            if not simulator.optional:
                raise
            missing[name] = error.lines[0]
    return found, missing
