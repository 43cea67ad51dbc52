"""Sequences with long waits in each state: silence of the host, or wait states on a request."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from models.bus.loader_bus import CONTROL
from verif.bench.coverage.waits import HELD_OFF, HOWS, LONGEST, SILENT, span
from verif.bench.stress.host import Host
from verif.bench.stress.timeline import Timeline

# Probability of a missing wait before a step.
PROBABILITY = 0.3
# Maximum number of sequences for each of the longest waits: a sequence reaches states by chance.
SEQUENCES = 3
# Number of status reads after a rejected transfer.
REJECTED = 3


class Patience:
    """Makes a host wait long: once in each kind of scene, then in states not yet covered.

    Args:
        host: host that makes the steps.
        longest: maximum number of the longest waits, because these take most of the time.
    """

    def __init__(self, host: Host, longest: int) -> None:
        self._host = host
        self._left = longest
        self._how = SILENT
        self._scenes = (self._load, self._result, self._errors, self._again, self._commands)

    def sequences(self) -> Iterator[Timeline]:
        """Yield sequences until all waits are played; half of the longest waits are in scenes."""
        host, scenes = self._host, list(self._scenes)
        host.rng.shuffle(scenes)
        for number in range(-(-self._left // 2)):
            host.begin()
            # First be silent in each scene, then hold off requests.
            self._how = HOWS[number // len(scenes) % len(HOWS)]
            scenes[number % len(scenes)]()
            yield host.line
        for _ in range(SEQUENCES * self._left):
            if self._left <= 0 or host.done.waits.complete:
                break
            host.begin()
            host.pause = self._missing
            self._all()
            yield host.line
        host.begin()

    def _missing(self, fields: dict[str, int]) -> None:
        """Sometimes insert a wait that is not yet covered in this state before the next step."""
        host = self._host
        missing = host.done.missing_waits(host.line.model, host.line.now)
        if self._left > 0 and missing and host.chance(PROBABILITY):
            self._wait(fields, *(missing[0] if host.chance(0.5) else host.rng.choice(missing)))

    def _wait(self, fields: dict[str, int], order: str, how: str) -> None:
        self._left -= order == LONGEST
        fields.pop("aim", None)
        fields["idle"] = fields["wait"] = 0
        fields["wait" if how == HELD_OFF else "idle"] = self._host.rng.choice(span(order))

    def _once(self, scene: Callable[[], object], steps: int) -> None:
        """Play a scene of about ``steps`` steps, with one longest wait before one of them."""
        host = self._host
        before = host.rng.randrange(steps)

        def pause(fields: dict[str, int]) -> None:
            nonlocal before
            before -= 1
            if before == -1:
                self._wait(fields, LONGEST, self._how)

        host.pause = pause
        scene()
        host.pause = None

    def _load(self) -> None:
        """Wait between the words of operands."""
        host = self._host
        words = sum(operand.words for operand in host.line.model.operands.values())
        self._once(host.complete, words)
        host.to_the_result(host.start_command())

    def _result(self) -> None:
        """Wait while an operation runs, or between the words of its result."""
        host = self._host
        command = host.complete()
        words = sum(result.words for result in host.line.model.results.values())
        self._once(lambda: host.to_the_result(command), 2 + words)

    def _errors(self) -> None:
        """Wait while the error field is not 0."""
        host = self._host
        host.step(write=True, address=CONTROL, data=host.unknown_command())

        def ask() -> None:
            for _ in range(REJECTED):
                host.step(write=False, address=CONTROL)

        self._once(ask, REJECTED)
        host.step(write=False, address=CONTROL)

    def _commands(self) -> None:
        """Wait before a command that discards an error and a partly written operand."""
        host = self._host
        model, rng = host.line.model, host.rng
        name = rng.choice(sorted({*model.commands.values()} & {"CLEAR", "ZEROISE"}))
        host.complete()
        word = rng.getrandbits(host.config.bus_width)
        host.step(write=True, address=rng.choice(sorted(model.operands)), data=word)
        host.step(write=True, address=CONTROL, data=host.unknown_command())
        self._once(lambda: host.command(name), 1)
        host.step(write=False, address=CONTROL)
        host.to_the_result(host.complete())

    def _again(self) -> None:
        """Wait between an operation and the next one, which uses the same kept operands."""
        host = self._host
        command = host.complete()
        host.uninterrupted(command)
        self._once(lambda: host.uninterrupted(command), 1)
        host.to_the_result(command)

    def _all(self) -> None:
        """Play whole operations, perhaps one with empty operands, and a rejected command."""
        host = self._host
        if host.chance(0.5):
            host.uninterrupted(host.start_command(), polls=1)
        command = host.complete()
        host.to_the_result(command)
        host.command("CLEAR")
        host.step(write=True, address=CONTROL, data=host.unknown_command())
        host.step(write=False, address=CONTROL)
        host.partial_write(sorted(host.line.model.operands))
        host.to_the_result(command)
        host.to_the_result(host.complete())
