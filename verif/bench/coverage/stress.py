"""Coverage of the stress test: command x state of the operation x state of the operands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product

from models.bus.loader_bus import CONTROL, BusModel, Request
from models.bus.start_defects import Target
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import Step
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.constants import ConstantCoverage
from verif.bench.coverage.covergroups import Covergroup
from verif.bench.coverage.defects import DefectCoverage
from verif.bench.coverage.waits import HELD_OFF, SILENT, WaitCoverage

# Cycles from the grant of a start to the earliest next grant.
FIRST_GRANT = 2
RESET = "reset"
UNKNOWN = "unknown command"
NO_ADDRESS = "unknown address"
BUSY_STATES = ("first of busy", "busy", "last of busy")
JUST_ENDED = "first after busy"
# States of the operands. empty: no write since the reset. kept: no write since the last start.
# partly written: an operand has some of its words, but not all. written: the host wrote operands
# since the last start, and none is partly written.
OPERAND_STATES = ("empty", "kept", "partly written", "written")


def command_name(model: BusModel, request: Request) -> str:
    """Return the coverage name of a request, accepted or rejected."""
    if request.address == CONTROL:
        return model.commands.get(request.data, UNKNOWN) if request.write else "status"
    if request.address not in (model.operands if request.write else model.results):
        return NO_ADDRESS
    return "write" if request.write else "read"


def operation_state(model: BusModel, cycle: int) -> str:
    """Return the state of the operation in a cycle."""
    operation = model.operation
    if operation is None:
        return "idle"
    if cycle > operation.last + 1:
        status = operation.outcome.status
        return f"after {status if status in ('OK', 'RAW') else 'rejection'}"
    if cycle == operation.last + 1:
        return JUST_ENDED
    if cycle == operation.last:
        return "last of busy"
    return "first of busy" if cycle <= operation.start + FIRST_GRANT else "busy"


def wait_state(operation: str) -> str:
    """Return whether an operation runs, from its :func:`operation_state`."""
    if operation == "idle":
        return "none started"
    return "one runs" if operation in BUSY_STATES else "one ended"


def operand_state(model: BusModel) -> str:
    """Return the state of the operands."""
    operands = model.operands.values()
    if any(operand.partly_written for operand in operands):
        return "partly written"
    if any(operand.supplied for operand in operands):
        return "written"
    return "kept" if any(operand.ever_written for operand in operands) else "empty"


def reachable_states(*, parts: bool, raw: bool) -> Iterator[tuple[str, str]]:
    """Yield the pairs of operation and operand states that the interface allows.

    Before the first start, operands are not "kept". No operation succeeds with operands that are
    all zero. A start sets the word counters to 0, and the host cannot write operands while the
    operation runs. So operands are "kept" or "empty" up to the first cycle after busy.

    Args:
        parts: an operand has more than one word.
        raw: the top has a raw start.
    """
    fresh = ["partly written", "written"] if parts else ["written"]
    yield from product(["idle"], ["empty", *fresh])
    yield from product([*BUSY_STATES, JUST_ENDED], ["empty", "kept"])
    yield from product(["after OK", *(["after RAW"] if raw else [])], ["kept", *fresh])
    yield from product(["after rejection"], ["empty", "kept", *fresh])


def _subsets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    sizes = range(len(names) + 1)
    return chain.from_iterable(combinations(names, size) for size in sizes)


def _subset_name(names: Iterable[str]) -> str:
    return " ".join(names) or "nothing"


class StressCoverage:
    """The covergroups of the stress test on one top.

    Attributes:
        groups: the groups by name; those of an exponentiation begin with ``exp_``.
        constants: supplies of R**2 and m' for a start and for the next start.
        waits: lengths of waits and the states in which they begin.

    Args:
        config: the job.
    """

    def __init__(self, config: BenchConfig) -> None:
        model = bus_model(config)
        self._model = model
        prefix = config.design.group_prefix
        self._reloaded = ("M", "R**2", "m'") if prefix else ("X", "Y", "M")
        self._ends = ["reset", "OK", "rejection", *([] if prefix else ["RAW"])]
        self._commands = self._command_names(1 << config.address_width)
        self._state = Covergroup(self._state_goal())
        self._reload = Covergroup(
            f"{_subset_name(subset)} after {end}"
            for subset, end in product(_subsets(self._reloaded), self._ends)
        )
        self.waits = WaitCoverage(
            (wait_state(operation), operands) for operation, operands in self._reachable()
        )
        self.groups = {
            f"{prefix}stress_command_x_state": self._state,
            f"{prefix}stress_rewritten": self._reload,
            f"{prefix}stress_waits": self.waits.group,
        }
        self._defects = DefectCoverage(model)
        self.groups |= {
            f"{prefix}stress_defects": self._defects.single,
            f"{prefix}stress_defect_pairs": self._defects.pairs,
        }
        self.constants = ConstantCoverage(model)
        if prefix:
            self.groups["exp_stress_constants"] = self.constants.single
            self.groups["exp_stress_constant_chains"] = self.constants.chains

    def _command_names(self, addresses: int) -> list[str]:
        model = self._model
        names = [*model.commands.values(), UNKNOWN, "status", "write", "read", RESET]
        both = {*model.operands, CONTROL} & {*model.results, CONTROL}
        return [*names, NO_ADDRESS] if len(both) < addresses else names

    def _reachable(self) -> Iterator[tuple[str, str]]:
        operands, commands = self._model.operands.values(), self._model.commands.values()
        return reachable_states(
            parts=any(operand.words > 1 for operand in operands), raw="START_RAW" in commands
        )

    def _state_goal(self) -> Iterator[str]:
        for command, (operation, operands) in product(self._commands, self._reachable()):
            yield f"{command}, {operation}, operands {operands}"

    def missing_commands(self, model: BusModel, cycle: int) -> list[str]:
        """Return the commands that are not yet covered in the state of a cycle."""
        state = self._state_name(model, cycle)
        return [name for name in self._commands if not self._state.hits[f"{name}, {state}"]]

    def missing_rewritten(self, model: BusModel) -> list[tuple[int, ...]]:
        """Return the sets of addresses that were not yet exactly the rewritten ones of a start."""
        addresses = {operand.name: address for address, operand in model.operands.items()}
        return [
            tuple(addresses[name] for name in subset)
            for subset in _subsets(self._reloaded)
            if not self._reload.hits[f"{_subset_name(subset)} after {self._end(model)}"]
        ]

    def missing_defects(self, model: BusModel) -> list[Target]:
        """Return faults that are not yet covered and possible now, and pairs of status lines."""
        return self._defects.missing(model)

    def sample(self, model: BusModel, request: Request, cycle: int) -> None:
        """Count a transfer granted in a cycle; call it before the grant to the model."""
        name = command_name(model, request)
        self._sample_state(model, name, cycle)
        if name.startswith("START") and model.rejection(request, cycle) == "NONE":
            self._sample_start(model, name)

    def missing_waits(self, model: BusModel, begin: int) -> list[tuple[str, str]]:
        """Return order and kind of the waits that are not yet covered in the state of a cycle."""
        state = wait_state(operation_state(model, begin)), operand_state(model)
        return self.waits.missing(*state)

    def sample_wait(self, model: BusModel, step: Step, asked: int) -> None:
        """Count the waits of a step requested in a cycle; call it before the grant to the model."""
        operands = operand_state(model)
        for how, begin, cycles in (
            (SILENT, asked - step.idle, step.idle), (HELD_OFF, asked, step.wait)
        ):  # fmt: skip
            self.waits.sample(how, cycles, wait_state(operation_state(model, begin)), operands)

    def sample_reset(self, model: BusModel, cycle: int) -> None:
        """Count a reset in a cycle."""
        self._sample_state(model, RESET, cycle)

    def _sample_state(self, model: BusModel, name: str, cycle: int) -> None:
        self._state.sample(f"{name}, {self._state_name(model, cycle)}")

    @staticmethod
    def _state_name(model: BusModel, cycle: int) -> str:
        return f"{operation_state(model, cycle)}, operands {operand_state(model)}"

    @staticmethod
    def _end(model: BusModel) -> str:
        """Return how the previous operation ended."""
        if model.operation is None:
            return "reset"
        status = model.operation.outcome.status
        return status if status in ("OK", "RAW") else "rejection"

    def _sample_start(self, model: BusModel, command: str) -> None:
        written = [o.name for o in model.operands.values() if o.supplied]
        subset = _subset_name(name for name in self._reloaded if name in written)
        self._reload.sample(f"{subset} after {self._end(model)}")
        self._defects.sample(model, command)
        self.constants.sample(model, command)
