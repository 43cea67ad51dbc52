"""Checker of the stress test through a front: each access, and each transfer to the core."""

from __future__ import annotations

from dataclasses import dataclass

from models.bus.loader_bus import Answer, Request
from models.front_map import Event, FrontRegister
from models.status import BusError
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.front_model import READ_BY_FRONT, REASON_BIT, Access, front_model
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.front import FrontCoverage, front_state
from verif.bench.env.checkers.plugin import Fail
from verif.bench.stress.checker import WalkChecker
from verif.bench.stress.driver import StressItem
from verif.bench.stress.monitor import PinEvent

REASON_MASK = 15 << REASON_BIT


@dataclass(frozen=True)
class Answered:
    """An access with its answer."""

    access: Access
    accepted: bool
    word: int


class FrontStressChecker(WalkChecker):
    """Compares transfers to the core with the model of the bus, accesses with the front's.

    Cycles of transfers depend on the front, so that a sequence fixes their order alone. Busy and
    done are compared in every cycle, as without a front.

    Attributes:
        front: the model of the front.
        accesses: coverage of the accesses; the environment sets it.
    """

    def __init__(self, config: BenchConfig, fail: Fail) -> None:
        super().__init__(config, fail)
        self.front = front_model(config)
        self.accesses: FrontCoverage | None = None
        self._passed: list[tuple[Request, Answer]] = []
        self._busy = False
        self._state = front_state(bus_model(config), 0)  # that of the operation for the access

    def driven(self, item: StressItem | Access | Answered) -> None:
        """Begin a sequence, or take an access before it begins or after its answer."""
        if isinstance(item, StressItem):
            super().driven(item)
            self.front.reset()
            self._passed.clear()
        elif isinstance(item, Access):
            self._passed.clear()
            self._state = self.state
        elif self._item and not self._item.mismatch:
            self._check(item)

    @property
    def last_busy(self) -> int:
        """Last busy cycle of the latest operation; -1 without one."""
        operation = self._model.operation
        return operation.last if operation else -1

    @property
    def state(self) -> str:
        """State of the operation after the last event."""
        busy = self._model.operation and self._busy
        return "busy" if busy else front_state(self._model, 1 << 60)

    def seen(self, event: PinEvent | str) -> None:
        """See :class:`WalkChecker`."""
        if isinstance(event, PinEvent):
            self._busy = event.busy
            if not event.out_of_reset:
                self.front.reset()
        super().seen(event)

    def _scheduled(self, request: Request, cycle: int) -> bool:
        """The front decides the cycle; the check of the access compares the request."""
        return True

    def _clock(self, event: PinEvent, cycle: int) -> None:
        if event.request is not None and event.out_of_reset:
            self._state = front_state(self._model, cycle - 1)
        super()._clock(event, cycle)
        if event.request is not None and event.out_of_reset:
            self._passed.append((event.request, Answer(event.rejected, event.data)))

    def ended(self, item: StressItem) -> None:
        """End a sequence; the driver counts its cycles."""
        self._expected = []
        super().ended(item)

    def _check(self, done: Answered) -> None:
        access, front = done.access, self.front
        own, passed = front.rejection(access), front.request(access)
        where = f"{'write' if access.write else 'read'} at {access.address:#x}"
        if [_of(request) for request, _ in self._passed] != ([_of(passed)] if passed else []):
            seen = ", ".join(str(request) for request, _ in self._passed) or "none"
            self._wrong("front", f"{where}: the core got {seen}, must get {passed or 'none'}")
            return
        answer = self._passed[0][1] if passed else Answer(bool(own), own)
        reason = answer.data if answer.rejected else BusError.NONE
        if done.accepted == answer.rejected:
            said = "accepted" if done.accepted else "rejected"
            self._wrong("front", f"{where}: {said}, must not be (code {reason})")
            return
        # Without a transfer, the front answers at a time of its own: the state must be the same
        # before and after it.
        if self.accesses and (passed or self._state == self.state):
            self.accesses.sample(access, self._state)
        front.answered(access, reason)
        if done.accepted and not access.write:
            self._check_word(done, answer, where)

    def _check_word(self, done: Answered, answer: Answer, where: str) -> None:
        address = done.access.address
        expected, seen = answer.data, done.word
        if address == FrontRegister.STATUS:
            expected = answer.data & ~REASON_MASK | self.front.reason << REASON_BIT
        elif address == FrontRegister.INTERRUPT_ENABLE:
            expected = self.front.enabled
        elif address == FrontRegister.INTERRUPT_STATE:
            expected, seen = self.front.error << Event.ERROR, seen & ~(1 << Event.DONE)
        elif address in READ_BY_FRONT:
            return  # constants of the configuration, which the tests of the front compare
        if seen != expected:
            self._wrong("front", f"{where}: returned {seen:#x}, must be {expected:#x}")

    def _wrong(self, kind: str, text: str) -> None:
        self._fail(kind, text, self._last)


def _of(request: Request | None) -> tuple[bool, int, int] | None:
    """Return what of a request counts: a read has no data."""
    if request is None:
        return None
    return request.write, request.address, request.data if request.write else 0
