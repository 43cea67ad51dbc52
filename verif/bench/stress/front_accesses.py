"""Accesses of the stress test that only a front has: its registers, and what it rejects itself."""

from __future__ import annotations

from random import Random

from models.status import Command
from verif.bench.agent.front_model import Access, FrontModel
from verif.bench.coverage.front import FrontCoverage, place_of

START_CODES = {Command.START, Command.START_RAW, Command.START_BINARY}


class FrontAccesses:
    """Draws accesses whose kind is not yet covered in the present state.

    Args:
        model: the front.
        coverage: what is covered.
        rng: source of every random choice.
    """

    def __init__(self, model: FrontModel, coverage: FrontCoverage, rng: Random) -> None:
        self._model = model
        self._coverage = coverage
        self._rng = rng

    def draw(self, state: str) -> Access | None:
        """Return an access for a state; None if every kind is covered in it."""
        missing = self._coverage.missing(state)
        possible = [
            access
            for name in missing
            if self._coverage.bin_of(access := self._access(*place_of(name))) == name
        ]
        return self._rng.choice(possible) if possible else None

    def _access(self, address: int, how: str) -> Access:
        """Return an access of a kind, if it is possible in the present state of the front."""
        size, rng = self._model.word_bytes, self._rng
        write = "read" not in how
        # No such access starts an operation: the steps of the sequence do that.
        data = rng.getrandbits(8 * size) & ~7
        lanes, place = size, address
        page = address >> 12
        if how.startswith("unaligned"):
            offset = rng.randrange(1, size)
            place, lanes = address + offset, size - offset if write else size
        elif how == "part of a word":
            lanes = rng.randrange(1, size)
        elif page:
            words = self._model.words.get((page - 1, write), 0)
            index = self._model.next_word(page - 1, write) or 0
            if "order" in how:
                index = rng.choice([i for i in range(words) if i != index] or [0])
            elif "last" in how:
                index = max(words, 1)
            elif not words:
                index = 0
            place = address + index * size
        return Access(write, place, data, lanes)
