"""Find the smallest operation with the same failure."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterator

from cocotb.simtime import get_sim_time
from cocotb.task import bridge, resume
from hypothesis import strategies as st

from regress.simulators.verilator import Verilator
from verif.bench.configuration.config import CLOCK_PERIOD_NS
from verif.bench.stress.shrink import minimal
from verif.own_core.config import BlackBoxConfig
from verif.own_core.draw import Draw, Operation

# Maximum simulated cycles of a search: some seconds on each simulator.
BUDGET_CYCLES = {Verilator.name: 2_000_000}
LEAST_BUDGET_CYCLES = 100_000
# The search tries every modulus up to the first limit, and some of each size up to the second.
EVERY_MODULUS = 32
SIZES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512)
TRIES_OF_A_SIZE = 12
SECONDS_OF_A_MODULUS = 12

Attempt = Callable[[Operation], Awaitable[str]]


class Smallest:
    """Searches for a small operation that still has a problem.

    Args:
        config: configuration of the job.
        draws: draws an operation of the class with a ``Draw`` for small operands; it may raise
            ValueError or IndexError if no such operation exists.
        belongs: returns True if an operation belongs to the class.
        attempt: runs an operation; returns what is wrong, or "".
    """

    def __init__(
        self,
        config: BlackBoxConfig,
        draws: Callable[[Draw], Operation],
        belongs: Callable[[Operation], bool],
        attempt: Attempt,
    ) -> None:
        self._config, self._draws = config, draws
        self._belongs, self._attempt = belongs, attempt
        self._known: dict[Operation, str] = {}
        self._end_ns = 0.0

    async def search(self, operation: Operation, problem: str) -> tuple[Operation, str]:
        """Return the smallest operation found with the same kind of problem, and its problem."""
        cycles = BUDGET_CYCLES.get(self._config.job.simulator, LEAST_BUDGET_CYCLES)
        self._end_ns = get_sim_time("ns") + cycles * CLOCK_PERIOD_NS
        self._known = {operation: problem}
        for candidates in (self._every_one(operation), self._of_each_size(operation)):
            for candidate in candidates:
                if self._belongs(candidate) and await self._fails(candidate, problem):
                    operation = candidate
                    break
            else:
                continue
            break
        operation = await self._simplified(operation, problem)
        return operation, self._known[operation]

    async def _fails(self, operation: Operation, problem: str) -> bool:
        if operation not in self._known:
            if get_sim_time("ns") >= self._end_ns:
                return False
            self._known[operation] = await self._attempt(operation)
        return kind(self._known[operation]) == kind(problem)

    def _every_one(self, operation: Operation) -> Iterator[Operation]:
        """Yield all small operations, the smallest modulus first."""
        description, width = self._config.description, self._config.width
        for m in range(min(operation.m, EVERY_MODULUS)):
            bound = description.operand_bound(m, width) if m else 1
            for first in range(min(bound, 2 * EVERY_MODULUS)):
                most = description.operand_bound(m, width) if description.is_product else 1 << width
                for second in range(min(most, SECONDS_OF_A_MODULUS)):
                    yield Operation(first, second, m, operation.length)

    def _of_each_size(self, operation: Operation) -> Iterator[Operation]:
        """Yield some drawn operations of each size."""
        config = self._config
        for bits in SIZES:
            if bits >= operation.m.bit_length():
                return
            draw = Draw(config.description, config.width, random.Random(bits), bits)
            found = []
            for _ in range(TRIES_OF_A_SIZE):
                try:
                    found.append(self._draws(draw))
                except (ValueError, IndexError):
                    break
            yield from sorted(
                (one for one in found if one.m < operation.m), key=lambda one: (one.m, one)
            )

    async def _simplified(self, operation: Operation, problem: str) -> Operation:
        """Make the values of an operation smaller, one at a time."""

        def fails(values: tuple[int, ...]) -> bool:
            tried = Operation(*values)
            return self._belongs(tried) and resume(self._fails)(tried, problem)

        bits = st.integers(0, (1 << self._config.width) - 1)
        lengths = st.integers(0, self._config.width)
        found = await bridge(minimal)(st.tuples(bits, bits, bits, lengths), operation, fails)
        return Operation(*found) if found else operation


def kind(problem: str) -> str:
    """Return the kind of a problem: its text without numbers."""
    return "".join(c for c in problem.partition("0x")[0] if not c.isdigit()).strip()
