"""Coverage of walks: what is done x where in an operation x what is written of the operands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product

from models.bus.exponentiation import M_PRIME, MODULUS, R_SQUARED, ExponentiationBus
from models.bus.model import CONTROL, BusModel, Request
from verif.bench.agent.bus_model import bus_model
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.covergroups import Covergroup
from verif.bench.coverage.defects import DefectCoverage, Target

# The earliest grant behind that of a start.
FIRST_GRANT = 2
RESET = "reset"
WRONG_CONSTANT = "wrong constant"
LOST_CONSTANT = "wrong R**2 over a kept one"
# What a host supplies of a constant.
SUPPLIES = ("right", "wrong", "not supplied")
UNKNOWN = "unknown command"
NO_SELECT = "unknown select"
BUSY_STATES = ("first of busy", "busy", "last of busy")
JUST_ENDED = "first behind busy"
# What the operands can be: nothing since the reset; nothing since the start; some words of an
# operand, not all; words, but of no operand a part.
OPERAND_STATES = ("empty", "kept", "partly written", "written")


def command_name(model: BusModel, request: Request) -> str:
    """What a request is, whatever becomes of it."""
    if request.select == CONTROL:
        return model.commands.get(request.data, UNKNOWN) if request.write else "status"
    if request.select not in (model.operands if request.write else model.results):
        return NO_SELECT
    return "write" if request.write else "read"


def operation_state(model: BusModel, clock: int) -> str:
    """Where in an operation a clock is."""
    operation = model.operation
    if operation is None:
        return "idle"
    if clock > operation.last + 1:
        status = operation.outcome.status
        return f"after {status if status in ('OK', 'RAW') else 'refusal'}"
    if clock == operation.last + 1:
        return JUST_ENDED
    if clock == operation.last:
        return "last of busy"
    return "first of busy" if clock <= operation.start + FIRST_GRANT else "busy"


def operand_state(model: BusModel) -> str:
    """What is written of the operands."""
    operands = model.operands.values()
    if any(operand.partly_written for operand in operands):
        return "partly written"
    if any(operand.supplied for operand in operands):
        return "written"
    return "kept" if any(operand.ever_written for operand in operands) else "empty"


def reachable_states(*, parts: bool, raw: bool) -> Iterator[tuple[str, str]]:
    """The pairs of operation and operand states that the interface allows.

    Nothing is kept before the first start. No operation succeeds on operands that are all zero. A
    start uses up what was written and sets the counters to 0, and nothing can be written while it
    runs: until the clock behind busy operands are kept or empty.

    Args:
        parts: some operand has more words than one.
        raw: there is a raw start.
    """
    fresh = ["partly written", "written"] if parts else ["written"]
    yield from product(["idle"], ["empty", *fresh])
    yield from product([*BUSY_STATES, JUST_ENDED], ["empty", "kept"])
    yield from product(["after OK", *(["after RAW"] if raw else [])], ["kept", *fresh])
    yield from product(["after refusal"], ["empty", "kept", *fresh])


def _subsets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    sizes = range(len(names) + 1)
    return chain.from_iterable(combinations(names, size) for size in sizes)


def _constants_name(r_squared: str, m_prime: str, *, kept: bool) -> str:
    return f"R**2 {r_squared}, m' {m_prime}, R**2 of before {'kept' if kept else 'gone'}"


def _subset_name(names: Iterable[str]) -> str:
    return " ".join(names) or "nothing"


class WalkCoverage:
    """The covergroups of walks on one top.

    Attributes:
        groups: by name; an exponentiation's begin with ``exp_``.

    Args:
        config: the job.
    """

    def __init__(self, config: BenchConfig) -> None:
        model = bus_model(config)
        self._model = model
        prefix = config.design.group_prefix
        self._reloaded = ("M", "R**2", "m'") if prefix else ("X", "Y", "M")
        self._ends = ["reset", "OK", "refusal", *([] if prefix else ["RAW"])]
        if isinstance(model, ExponentiationBus) and model.facts.montgomery:
            self._ends += [WRONG_CONSTANT, LOST_CONSTANT]
        self._commands = self._command_names(1 << config.sel_width)
        self._state = Covergroup(self._state_goal())
        self._reload = Covergroup(
            f"{_subset_name(subset)} after {end}"
            for subset, end in product(_subsets(self._reloaded), self._ends)
        )
        self.groups = {
            f"{prefix}walk_command_x_state": self._state,
            f"{prefix}walk_rewritten": self._reload,
        }
        self._defects = DefectCoverage(model)
        self.groups |= {
            f"{prefix}walk_defects": self._defects.single,
            f"{prefix}walk_defect_pairs": self._defects.pairs,
        }
        self._constants = Covergroup(self._constant_goal())
        if prefix:
            self.groups["exp_walk_constants"] = self._constants

    def _command_names(self, selects: int) -> list[str]:
        model = self._model
        names = [*model.commands.values(), UNKNOWN, "status", "write", "read", RESET]
        both = {*model.operands, CONTROL} & {*model.results, CONTROL}
        return [*names, NO_SELECT] if len(both) < selects else names

    def _state_goal(self) -> Iterator[str]:
        model = self._model
        parts = any(operand.words > 1 for operand in model.operands.values())
        raw = "START_RAW" in model.commands.values()
        for command, (operation, operands) in product(
            self._commands, reachable_states(parts=parts, raw=raw)
        ):
            yield f"{command}, {operation}, operands {operands}"

    def _constant_goal(self) -> Iterator[str]:
        """Constants that the core uses: what it makes of those it ignores is no matter of them."""
        model = self._model
        if not isinstance(model, ExponentiationBus) or not model.facts.montgomery:
            return
        of_m_prime = SUPPLIES if model.facts.m_prime_bits else SUPPLIES[2:]
        for r_squared, m_prime, kept in product(SUPPLIES, of_m_prime, (False, True)):
            yield _constants_name(r_squared, m_prime, kept=kept)

    def missing_commands(self, model: BusModel, clock: int) -> list[str]:
        """What was not yet done in the state of a clock."""
        state = self._state_name(model, clock)
        return [name for name in self._commands if not self._state.hits[f"{name}, {state}"]]

    def missing_rewritten(self, model: BusModel) -> list[tuple[int, ...]]:
        """Selects that were not yet rewritten together, and no other of theirs, before a start."""
        selects = {operand.name: select for select, operand in model.operands.items()}
        return [
            tuple(selects[name] for name in subset)
            for subset in _subsets(self._reloaded)
            if not self._reload.hits[f"{_subset_name(subset)} after {self._end(model)}"]
        ]

    def misses_after(self, end: str) -> bool:
        """Something was not yet rewritten after such an end."""
        return any(
            name.endswith(f" after {end}") and not self._reload.hits[name]
            for name in self._reload.goal
        )

    def missing_constants(self, model: ExponentiationBus) -> list[tuple[str, str]]:
        """What was not yet supplied of R**2 and m' with what is kept now."""
        return [
            pair
            for pair in product(SUPPLIES, SUPPLIES)
            if (name := _constants_name(*pair, kept=model.r_squared_kept)) in self._constants.goal
            and not self._constants.hits[name]
        ]

    def missing_defects(self, model: BusModel) -> list[Target]:
        """What was not yet wrong at a start and can be now, or two lines of the status table."""
        return self._defects.missing(model)

    def sample(self, model: BusModel, request: Request, clock: int) -> None:
        """A transfer is granted in a clock, to a model that does not know it yet."""
        name = command_name(model, request)
        self._sample_state(model, name, clock)
        if name.startswith("START") and model.refusal(request, clock) == "NONE":
            self._sample_start(model, name)

    def sample_reset(self, model: BusModel, clock: int) -> None:
        """A reset falls in a clock."""
        self._sample_state(model, RESET, clock)

    def _sample_state(self, model: BusModel, name: str, clock: int) -> None:
        self._state.sample(f"{name}, {self._state_name(model, clock)}")

    @staticmethod
    def _state_name(model: BusModel, clock: int) -> str:
        return f"{operation_state(model, clock)}, operands {operand_state(model)}"

    @staticmethod
    def _end(model: BusModel) -> str:
        """How the operation before ended."""
        if model.operation is None:
            return "reset"
        status = model.operation.outcome.status
        if status == "CONSTANT_INCONSISTENT":
            lost = isinstance(model, ExponentiationBus) and model.r_squared_lost
            return LOST_CONSTANT if lost else WRONG_CONSTANT
        return status if status in ("OK", "RAW") else "refusal"

    def _sample_start(self, model: BusModel, command: str) -> None:
        written = [o.name for o in model.operands.values() if o.supplied]
        subset = _subset_name(name for name in self._reloaded if name in written)
        self._reload.sample(f"{subset} after {self._end(model)}")
        self._defects.sample(model, command)
        if isinstance(model, ExponentiationBus):
            self._sample_constants(model)

    def _sample_constants(self, model: ExponentiationBus) -> None:
        facts, m = model.facts, model.operands[MODULUS].value
        if not facts.montgomery or m % 2 == 0 or m < 3 or m >> facts.width:
            return
        kinds = []
        for select, right in ((R_SQUARED, facts.r_squared), (M_PRIME, facts.m_prime)):
            operand = model.operands[select]
            used = operand.supplied and (select == R_SQUARED or facts.m_prime_bits)
            kinds.append(
                "not supplied" if not used else "right" if operand.value == right(m) else "wrong"
            )
        self._constants.sample(_constants_name(*kinds, kept=model.r_squared_kept))
