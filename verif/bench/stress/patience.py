"""Walks of a host that waits long: in each state, silent or held off by wait states."""

from __future__ import annotations

from collections.abc import Iterator

from models.bus.loader_bus import CONTROL
from verif.bench.coverage.waits import HELD_OFF, LONGEST, span
from verif.bench.stress.host import Host
from verif.bench.stress.timeline import Timeline

# Of the steps at which a wait is missing.
PROBABILITY = 0.3
# Walks for each of the longest waits: which state a walk gets to is a matter of chance.
WALKS = 3


class Patience:
    """Makes a host wait where it has not yet waited.

    Args:
        host: makes the steps.
        longest: so many of the longest waits at most: they are what takes time.
    """

    def __init__(self, host: Host, longest: int) -> None:
        self._host = host
        self._left = longest

    def walks(self) -> Iterator[Timeline]:
        """Until nothing is missing or no wait is left."""
        for _ in range(WALKS * self._left):
            if self._left <= 0 or self._host.done.waits.complete:
                break
            self._host.begin(self._pause)
            self._walk()
            yield self._host.line
        self._host.begin()

    def _pause(self, fields: dict[str, int | bool]) -> None:
        """Perhaps a wait in front of a step that is about to be played."""
        host = self._host
        missing = host.done.missing_waits(host.line.model, host.line.now)
        if self._left <= 0 or not missing or not host.chance(PROBABILITY):
            return
        order, how = missing[0] if host.chance(0.5) else host.rng.choice(missing)
        self._left -= order == LONGEST
        fields.pop("aim", None)
        fields["idle"] = fields["wait"] = 0
        fields["wait" if how == HELD_OFF else "idle"] = host.rng.choice(span(order))

    def _walk(self) -> None:
        """All that an operation is made of, once on nothing, and one that is refused."""
        host = self._host
        if host.chance(0.5):
            host.command(host.start_command())
            host.step(write=False, select=CONTROL)
        command = host.complete()
        host.to_the_result(command)
        host.command("CLEAR")
        host.step(write=True, select=CONTROL, data=host.unknown_command())
        host.step(write=False, select=CONTROL)
        host.abandon(sorted(host.line.model.operands))
        host.to_the_result(command)
        host.to_the_result(host.complete())
