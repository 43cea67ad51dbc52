"""Checker of the stress test: compares every transfer, busy and done with the bus model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cocotb.simtime import get_sim_time

from models.bus.loader_bus import CONTROL, FIELD_SHIFT, Answer, Request
from models.independent import ERROR_CODES, STATUS_CODES
from regress.core.jobfile import TRACE_FILE
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import Kind
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.stress import StressCoverage
from verif.bench.env.checkers.plugin import CheckerPlugin, Fail
from verif.bench.stress.driver import StressItem
from verif.bench.stress.monitor import PinEvent
from verif.bench.stress.trace import StressTrace

FIELD_MASK = 15


@dataclass(frozen=True)
class Mismatch:
    """The first difference between the design and the model.

    Attributes:
        kind: class of the difference; two sequences with the same kind fail in the same way.
        text: one line.
        cycle: cycle of the sequence.
        transfers: number of transfers granted in the sequence up to the difference.
        time_ns: simulated time.
    """

    kind: str
    text: str
    cycle: int
    transfers: int
    time_ns: float


def name_of(code: int, codes: Mapping[str, int]) -> str:
    """Return the name of a code."""
    return next((name for name, value in codes.items() if value == code), f"code {code}")


def status_text(word: int) -> str:
    """Return a status word as text."""
    text = name_of(word & FIELD_MASK, STATUS_CODES)
    error = word >> FIELD_SHIFT & FIELD_MASK
    if error:
        text += f" with error field {name_of(error, ERROR_CODES)}"
    above = word >> 2 * FIELD_SHIFT
    return f"{text} and {above:#x} above" if above else text


def answer_problem(request: Request, seen: Answer, expected: Answer) -> tuple[str, str] | None:
    """Return kind and text of the error in an answer; None if the answer is correct."""
    if seen == expected:
        return None
    if expected.rejected and not seen.rejected:
        return "accepted", f"accepted, must be rejected with {name_of(expected.data, ERROR_CODES)}"
    if seen.rejected and not expected.rejected:
        return "rejected", f"rejected with {name_of(seen.data, ERROR_CODES)}, must be accepted"
    if expected.rejected:
        names = [name_of(answer.data, ERROR_CODES) for answer in (seen, expected)]
        return "reason", f"rejected with {names[0]}, must be rejected with {names[1]}"
    if request.write:
        return "write answer", f"answered with {seen.data:#x}, must be 0"
    if request.address == CONTROL:
        parts = "status" if (seen.data ^ expected.data) & FIELD_MASK else "error field"
        return parts, f"is {status_text(seen.data)}, must be {status_text(expected.data)}"
    return "data", f"is {seen.data:#x}, must be {expected.data:#x}"


class WalkChecker(CheckerPlugin):
    """Compares sequences with the model, one after the other; the first mismatch ends a sequence.

    It counts transfers and busy cycles without those of trials.

    Attributes:
        coverage: coverage of the sequences; None to collect none.
    """

    unit = "transfer"
    coverage: StressCoverage | None = None

    def __init__(self, config: BenchConfig, fail: Fail) -> None:
        """Create the checker for ``config``."""
        super().__init__(config, fail)
        self._trace = StressTrace(Path(TRACE_FILE)) if config.job.trace else None
        self._item: StressItem | None = None
        self._pin_problems: list[tuple[str, float]] = []

    def problem(self, text: str) -> None:
        """Store a problem of the interface monitor; it reports only one, so do not shrink it."""
        self._pin_problems.append((text, get_sim_time("ns")))

    def finish(self) -> None:
        """Report pin problems last, after the more precise failures of sequences."""
        for problem, time_ns in self._pin_problems:
            self.fail(problem, time_ns)

    def close(self) -> None:
        """Close the trace."""
        if self._trace:
            self._trace.close()

    def driven(self, item: StressItem) -> None:
        """Begin a sequence."""
        self._item = item
        self._model = bus_model(self.config)
        self._expected = [played for played in item.steps if played.granted is not None]
        self._origin: int | None = None  # number of the cycle that is cycle 0 of the sequence
        self._in_reset = False  # the reset that begins the sequence was observed
        self._last = 0
        self._granted = 0

    def ended(self, item: StressItem) -> None:
        """End a sequence."""
        if item.mismatch is None and self._origin is None:
            self._fail("reset", "no reset observed", 0)
        elif item.mismatch is None:
            self._changes_until(item.end)
            if self._granted < len(self._expected):
                self._fail("lost", f"not granted: {self._expected[self._granted].what}", item.end)
        self._item = None

    def _fail(self, kind: str, text: str, cycle: int) -> None:
        item = self._item
        assert item is not None
        item.mismatch = Mismatch(kind, text, cycle, self._granted, get_sim_time("ns"))

    def seen(self, event: PinEvent | str) -> None:
        """Compare an event of the pins with the model."""
        item = self._item
        if item is None or item.mismatch:
            return
        if isinstance(event, str):
            self._fail("unknown bits", event, self._last)
            return
        if self._origin is None:
            if not event.out_of_reset:
                self._in_reset = True
                self._pins(event, 0)
            if event.out_of_reset and self._in_reset:
                self._origin = event.cycle
            if self._origin is None:  # ignore events of the previous sequence
                return
        cycle = event.cycle - self._origin
        if self._trace and not item.trial:
            self._trace.write(cycle, event)
        self._changes_until(cycle)
        if item.mismatch is None:
            self._clock(event, cycle)
        self._last = cycle

    def _changes_until(self, cycle: int) -> None:
        """Fail if busy and done had to change between the last event and this cycle."""
        operation = self._model.operation
        if operation is not None and self._last < operation.last + 1 < cycle:
            self._fail(
                "end", f"busy and done do not change in cycle {operation.last + 1}, the first "
                f"after {operation.outcome.cycles} cycles of busy", operation.last + 1,
            )  # fmt: skip

    def _clock(self, event: PinEvent, cycle: int) -> None:
        """Compare one cycle with an event with the model."""
        item, model, request = self._item, self._model, event.request
        assert item is not None
        expected = None
        if not event.out_of_reset:
            if self.coverage and not item.trial:
                self.coverage.sample_reset(model, cycle)
            model.reset()
        elif request is not None:
            if not self._scheduled(request, cycle - 1):
                return
            if self.coverage and not item.trial:
                played = self._expected[self._granted - 1]
                if played.step.kind is Kind.TRANSFER:
                    self.coverage.sample_wait(model, played.step, played.asked)
                self.coverage.sample(model, request, cycle - 1)
            before = model.operation
            expected = model.grant(request, cycle - 1)
            if not item.trial:
                self.operations += 1
                if model.operation and model.operation is not before:
                    self.cycles += model.operation.outcome.cycles
        if event.ack != (expected is not None):
            text = "no acknowledge" if expected is not None else "acknowledge without a grant"
            self._fail("acknowledge", text, cycle)
        elif expected is not None:
            assert request is not None
            problem = answer_problem(request, Answer(event.rejected, event.data), expected)
            if problem:
                self._fail(*problem, cycle - 1)
        if item.mismatch is None:
            self._pins(event, cycle)

    def _scheduled(self, request: Request, cycle: int) -> bool:
        """Whether the sequence has this transfer in this cycle; fail if not."""
        if self._granted < len(self._expected):
            played = self._expected[self._granted]
            if played.step.request == request and played.granted == cycle:
                self._granted += 1
                return True
        self._fail("lost", f"granted in cycle {cycle}, not in the sequence: {request}", cycle)
        return False

    def _pins(self, event: PinEvent, cycle: int) -> None:
        """Compare busy_o and done_o of one cycle with the model."""
        for name, seen, expected in (
            ("busy", event.busy, event.out_of_reset and self._model.busy(cycle)),
            ("done", event.done, event.out_of_reset and self._model.done(cycle)),
        ):
            if seen != expected:
                self._fail(
                    name, f"{name} is {seen:d} in cycle {cycle}, must be {expected:d}", cycle
                )
                return
