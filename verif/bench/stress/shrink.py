"""Finds the shortest walk with the smallest words that still fails: Hypothesis' shrinker.

Hypothesis shrinks what its own strategies have drawn. A failed walk comes from a host instead; it
is handed over as the choices that would have drawn it, by way of an example database that has
nothing else. Every try is a walk from a reset on, so that one simulation can make all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase, choices_to_bytes

from verif.bench.agent.step import AIM_LAST, MAX_AIM, MAX_IDLE, MAX_WAIT, Kind, Step

# Tries of both parts together: by then little is left to gain.
MAX_TRIES = 900
# And so many clocks of simulation: tries of a long operation take minutes, and no machine counts
# time like another.
MAX_CLOCKS = 2_000_000
Drawn = TypeVar("Drawn")


class _Found(Exception):
    """The walk fails."""


class _OneExample(ExampleDatabase):
    """A database with one example, whatever is asked for."""

    def __init__(self, choices: Iterable[int | bool]) -> None:
        super().__init__()
        # One choice too many: only then does Hypothesis take it for an example not yet shrunk.
        self._example = choices_to_bytes([*choices, 0])

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """The example."""
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
    """The smallest value of a strategy that meets a condition, beginning with one that does.

    Args:
        strategy: what to draw from.
        choices: those with which it draws the first value.
        condition: must answer the same when it is asked again.

    Returns:
        None if even the first value does not meet it.
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


def step_strategy(bus_width: int, sel_width: int) -> st.SearchStrategy[Step]:
    """Any step; simple ones are transfers at once, of small words."""
    return st.builds(
        lambda kind, write, select, data, idle, aim, wait: Step(
            Kind(kind), write, select, data, idle, aim, wait
        ),
        st.integers(0, max(Kind)),
        st.booleans(),
        st.integers(0, (1 << sel_width) - 1),
        st.integers(0, (1 << bus_width) - 1),
        st.integers(0, MAX_IDLE),
        st.integers(0, MAX_AIM),
        st.integers(0, MAX_WAIT),
    )


def _choices(step: Step) -> list[int | bool]:
    """What :func:`step_strategy` draws for a step."""
    kind, data = int(step.kind), int(step.data)
    return [kind, bool(step.write), int(step.select), data, step.idle, step.aim, step.wait]


class Shrinker:
    """Shrinks a failed walk.

    Attributes:
        tries: walks tried.

    Args:
        bus_width: bits of a word.
        sel_width: bits of a select.
        fails: whether a walk fails like the one to shrink.
        clocks: how long a walk takes.
    """

    def __init__(
        self,
        bus_width: int,
        sel_width: int,
        fails: Callable[[Sequence[Step]], bool],
        clocks: Callable[[Sequence[Step]], int] = len,
    ) -> None:
        self._fails = fails
        self._clocks = clocks
        self._left = MAX_CLOCKS
        self._widths = (bus_width, sel_width)
        self._known: dict[tuple[Step, ...], bool] = {}
        self.tries = 0

    def _try(self, steps: Iterable[Step]) -> bool:
        walk = tuple(steps)
        if walk not in self._known:
            if self.tries >= MAX_TRIES or self._left <= 0:
                return False
            self.tries += 1
            self._left -= self._clocks(walk)
            self._known[walk] = self._fails(walk)
        return self._known[walk]

    def shrink(self, steps: Sequence[Step]) -> list[Step]:
        """The shortest failing walk that was found; the whole one if none else fails."""
        found = list(steps)
        while True:  # Hypothesis gives up early; from what it has found it goes on
            before = found
            found = self._smaller(self._without_waiting(self._some(found)))
            if found == before:
                return found

    def _without_waiting(self, steps: list[Step]) -> list[Step]:
        """Steps that only pass the time are left out: the next one waits for the operation's end.

        Hypothesis does not try it: it makes one step larger to save another.
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
        """Simpler steps."""
        found = minimal(
            st.lists(step_strategy(*self._widths), max_size=len(steps)),
            [choice for step in steps for choice in (True, *_choices(step))] + [False],
            self._try,
        )
        return steps if found is None else found

    def _some(self, steps: Sequence[Step]) -> list[Step]:
        """Those of the steps that are needed."""
        chosen = minimal(
            st.lists(st.integers(0, len(steps) - 1), max_size=len(steps)),
            [choice for index in range(len(steps)) for choice in (True, index)] + [False],
            lambda indices: self._try(steps[index] for index in indices),
        )
        return [steps[index] for index in chosen] if chosen is not None else list(steps)
