"""Shrinks a failed sequence with Hypothesis: fewest steps and smallest words that still fail.

Hypothesis can shrink only values that its own strategies have drawn, but a host makes the failed
sequence. So this module converts it into the choices that would draw it, and passes them to
Hypothesis in an example database with this one example. Every try begins with a reset, so that one
simulation can run all tries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase, choices_to_bytes

from verif.bench.agent.step import AIM_LAST, MAX_AIM, MAX_IDLE, MAX_WAIT, Kind, Step

# Maximum number of tries of both parts together; more tries gain little.
MAX_TRIES = 900
# Maximum number of simulated cycles, because tries of a long operation take minutes. The limit
# counts cycles and not seconds, so that it is the same on every machine. Hypothesis has a limit of
# 300 seconds that cannot be lifted: it ends one call of `minimal`, and a slow machine meets it.
MAX_CYCLES = 2_000_000
Drawn = TypeVar("Drawn")


class _Found(Exception):
    """Raised when a sequence fails."""


class _OneExample(ExampleDatabase):
    """A database that returns the same single example for every key."""

    def __init__(self, choices: Iterable[int | bool]) -> None:
        super().__init__()
        # Add one choice too many: only then does Hypothesis treat the example as not yet shrunk.
        self._example = choices_to_bytes([*choices, 0])

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """Return the example."""
        return [self._example]

    def save(self, key: bytes, value: bytes) -> None:
        """Nothing is kept."""

    def delete(self, key: bytes, value: bytes) -> None:
        """Nothing is kept."""


def minimal(
    strategy: st.SearchStrategy[Drawn],
    choices: Iterable[int | bool],
    condition: Callable[[Drawn], bool],
) -> Drawn | None:
    """Return the smallest value of a strategy that meets a condition.

    Args:
        strategy: the strategy to draw from.
        choices: choices with which the strategy draws a first value that meets the condition.
        condition: must return the same result for the same value.

    Returns:
        None if even the first value does not meet the condition.
    """
    found: list[Drawn] = []

    @settings(
        database=_OneExample(choices), phases=[Phase.reuse, Phase.shrink], deadline=None,
        report_multiple_bugs=False, suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )  # fmt: skip
    @seed(0)
    @given(strategy)
    def attempt(value: Drawn) -> None:
        if condition(value):
            found.append(value)
            raise _Found

    try:
        attempt()
    except _Found:
        return found[-1]
    return None


def step_strategy(bus_width: int, address_width: int) -> st.SearchStrategy[Step]:
    """Return a strategy for any step; the simplest are transfers of small words without idle."""
    return st.builds(
        lambda kind, write, address, data, idle, aim, wait: Step(
            Kind(kind), write, address, data, idle, aim, wait
        ),
        st.integers(0, max(Kind)),
        st.booleans(),
        st.integers(0, (1 << address_width) - 1),
        st.integers(0, (1 << bus_width) - 1),
        st.integers(0, MAX_IDLE),
        st.integers(0, MAX_AIM),
        st.integers(0, MAX_WAIT),
    )


def _choices(step: Step) -> list[int | bool]:
    """Return the choices with which :func:`step_strategy` draws a step."""
    kind, data = int(step.kind), int(step.data)
    return [kind, bool(step.write), int(step.address), data, step.idle, step.aim, step.wait]


class Shrinker:
    """Shrinks a failed sequence.

    Attributes:
        tries: number of sequences tried.

    Args:
        bus_width: bits of a bus word.
        address_width: bits of a bus address.
        fails: function that returns whether a sequence fails in the same way as the original.
        cycles: function that returns the number of cycles of a sequence.
    """

    def __init__(
        self,
        bus_width: int,
        address_width: int,
        fails: Callable[[Sequence[Step]], bool],
        cycles: Callable[[Sequence[Step]], int] = len,
    ) -> None:
        self._fails = fails
        self._cycles = cycles
        self._left = MAX_CYCLES
        self._widths = (bus_width, address_width)
        self._known: dict[tuple[Step, ...], bool] = {}
        self.tries = 0

    def _try(self, steps: Iterable[Step]) -> bool:
        sequence = tuple(steps)
        if sequence not in self._known:
            if self.tries >= MAX_TRIES or self._left <= 0:
                return False
            self.tries += 1
            self._left -= self._cycles(sequence)
            self._known[sequence] = self._fails(sequence)
        return self._known[sequence]

    def shrink(self, steps: Sequence[Step]) -> list[Step]:
        """Return the shortest failing sequence found; all steps if no shorter one fails."""
        found = list(steps)
        while True:  # Hypothesis stops early: restart it from its result
            before = found
            found = self._smaller(self._without_waiting(self._some(found)))
            if found == before:
                return found

    def _without_waiting(self, steps: list[Step]) -> list[Step]:
        """Remove steps that only pass time; the next step then waits for the operation's end.

        Hypothesis does not try this, because it makes one step larger in order to remove another.
        """
        for index in range(len(steps) - 2, -1, -1):
            for aim in (AIM_LAST, AIM_LAST + 1):
                waiting = replace(steps[index + 1], idle=0, aim=aim)
                shorter = [*steps[:index], waiting, *steps[index + 2 :]]
                if self._try(shorter):
                    steps = shorter
                    break
        return steps

    def _smaller(self, steps: list[Step]) -> list[Step]:
        """Return simpler steps."""
        found = minimal(
            st.lists(step_strategy(*self._widths), max_size=len(steps)),
            [choice for step in steps for choice in (True, *_choices(step))] + [False],
            self._try,
        )
        return steps if found is None else found

    def _some(self, steps: Sequence[Step]) -> list[Step]:
        """Return the steps that are needed for the failure."""
        chosen = minimal(
            st.lists(st.integers(0, len(steps) - 1), max_size=len(steps)),
            [choice for index in range(len(steps)) for choice in (True, index)] + [False],
            lambda indices: self._try(steps[index] for index in indices),
        )
        return [steps[index] for index in chosen] if chosen is not None else list(steps)
