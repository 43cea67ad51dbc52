"""Computes the cycle of each step of a sequence before the simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.bus.loader_bus import CONTROL, Answer, BusModel, Request
from verif.bench.agent.step import AIM_LAST, Kind, Step

# Cycles of a reset.
RESET_CYCLES = 1
TRANSFER_CYCLES = 2
# Cycles after the last step that are still checked, to detect a wrong busy or done at the end.
SETTLE_CYCLES = 3


@dataclass(frozen=True)
class Played:
    """A step with its cycles, counted from the first cycle after the reset that begins a sequence.

    Attributes:
        step: the step.
        asked: cycle in which the request begins, or the reset if the step has no request.
        granted: cycle of the grant; None without a grant.
        what: text of the transfer.
        moment: text of the position in an operation; empty if no operation runs.
        answer: answer to the transfer; None without an answer.
    """

    step: Step
    asked: int
    granted: int | None
    what: str
    moment: str
    answer: Answer | None


def request_text(model: BusModel, request: Request) -> str:
    """Return a request as text, in the state of its grant: "write M[0] = 0x7", "START"."""
    address = request.address
    if address == CONTROL:
        if not request.write:
            return "read status"
        return model.commands.get(request.data, f"command {request.data:#x}")
    verb = "write" if request.write else "read"
    target = (model.operands if request.write else model.results).get(address)
    name = f"{target.name}[{target.counter}]" if target else f"address {address}"
    return f"{verb} {name} = {request.data:#x}" if request.write else f"{verb} {name}"


def moment(model: BusModel, cycle: int) -> str:
    """Return the position of a cycle in an operation: "busy 3/7" is the third of seven cycles."""
    operation = model.operation
    if operation is None or cycle > operation.last + 1:
        return ""
    if cycle == operation.last + 1:
        return "first cycle after busy"
    return f"busy {cycle - operation.start}/{operation.outcome.cycles}"


class Timeline:
    """Plays steps on a model of the bus.

    Attributes:
        model: the bus model in its state after the last step.
        now: first cycle in which the next request may begin.
        played: all steps so far.

    Args:
        model: a new bus model, in its reset state.
    """

    def __init__(self, model: BusModel) -> None:
        self.model = model
        self.now = 1  # so that a reset as first step is separate from the sequence's initial reset
        self.played: list[Played] = []

    def asked(self, step: Step) -> int:
        """Return the cycle in which a step would begin if it were played next."""
        operation = self.model.operation
        if step.aim and operation and self.now <= operation.last:
            wanted = operation.last + step.aim - AIM_LAST - step.wait
            if wanted >= self.now:
                return wanted
        # Keep one cycle between two resets: without it they would be one longer reset.
        apart = step.kind >= Kind.RESET and self._ends_in_reset and not step.idle
        return self.now + step.idle + apart

    @property
    def _ends_in_reset(self) -> bool:
        last = self.played[-1].step.kind if self.played else None
        return last in (Kind.RESET, Kind.RESET_IN_ACKNOWLEDGE)

    def play(self, step: Step) -> Played:
        """Play the next step."""
        asked = self.asked(step)
        played = self._reset(step, asked) if step.kind >= Kind.RESET else self._ask(step, asked)
        self.played.append(played)
        return played

    def _ask(self, step: Step, asked: int) -> Played:
        model = self.model
        if step.kind is Kind.DROP:
            self.now = asked + max(1, step.wait)
            what = f"{request_text(model, step.request)} dropped before its grant"
            return Played(step, asked, None, what, moment(model, asked), None)
        granted = asked + step.wait
        self.now = granted + TRANSFER_CYCLES
        what = request_text(model, step.request)
        when = moment(model, granted)
        return Played(step, asked, granted, what, when, model.grant(step.request, granted))

    def _reset(self, step: Step, asked: int) -> Played:
        model = self.model
        what, when = request_text(model, step.request), moment(model, asked)
        model.reset()
        if step.kind is Kind.RESET:
            self.now = asked + RESET_CYCLES
            return Played(step, asked, None, "reset", when, None)
        if step.kind is Kind.RESET_IN_ACKNOWLEDGE:
            self.now = asked + 1 + RESET_CYCLES
            return Played(step, asked, None, f"reset in the acknowledge of {what}", when, None)
        granted = asked + RESET_CYCLES
        self.now = granted + TRANSFER_CYCLES
        what = f"reset, and in the first cycle after it {request_text(model, step.request)}"
        return Played(step, asked, granted, what, when, model.grant(step.request, granted))

    @property
    def end(self) -> int:
        """First cycle after all steps, after the running operation and after SETTLE_CYCLES."""
        operation = self.model.operation
        return max(self.now, operation.last + 1 if operation else 0) + SETTLE_CYCLES


def timeline(model: BusModel, steps: Sequence[Step]) -> Timeline:
    """Return a sequence played on a new model."""
    line = Timeline(model)
    for step in steps:
        line.play(step)
    return line
