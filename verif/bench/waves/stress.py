"""Waveform of a stress sequence: its steps, and the first difference between pins and bus model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from regress.waves.fst import Value, WaveFile
from regress.waves.view import Finding, Note, Step
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import Kind, steps_of
from verif.bench.configuration.config import BenchConfig
from verif.bench.stress.timeline import TRANSFER_CYCLES, Played, Timeline

# First cycle to compare: before it, the pins still depend on the state before the reset.
FIRST_CYCLE = 1


@dataclass(frozen=True)
class _Pins:
    """The model's pins at the begin of one cycle."""

    busy: int
    done: int
    err: int
    rdata: int


def find(config: BenchConfig, waves: WaveFile, time_ns: float) -> Finding:
    """Find the first cycle of a replayed sequence in which a pin differs from the model.

    Args:
        config: the job, with its replay.
        waves: waveform of the job.
        time_ns: time to show if no pin differs.
    """
    line = Timeline(bus_model(config))
    pins = list(_pins(line, config.job.replay))
    begin_of = _cycles(waves)
    finding = Finding(
        time_ns, "", begin_of(0), begin_of(len(pins)), notes=list(_notes(line.played, begin_of))
    )
    for name in ("busy", "done", "err", "rdata"):
        signal = waves.signal(f"u_dut.{name}_o")
        right = {c: getattr(one, name) for c, one in enumerate(pins) if one and c >= FIRST_CYCLE}
        wrong = next((c for c, value in right.items() if signal.at(begin_of(c)) != value), None)
        if wrong is None:
            continue
        finding.expected[f"u_dut.{name}_o", 0] = [
            *(Step(begin_of(c), v) for c, v in right.items() if v != right.get(c - 1)),
            Step(finding.end_ns, None),
        ]
        if not finding.text or begin_of(wrong) < finding.moment_ns:
            finding.moment_ns = begin_of(wrong)
            seen = signal.at(finding.moment_ns)
            finding.text = _text(line.played, name, wrong, seen, right[wrong])
    return finding


def _pins(line: Timeline, replay: str) -> Iterator[_Pins | None]:
    """Yield the model's pins cycle by cycle; None where a reset suppresses an answer."""
    err = rdata = cycle = 0
    model = line.model

    def until(end: int) -> Iterator[_Pins]:
        nonlocal cycle
        while cycle < end:
            yield _Pins(model.busy(cycle), model.done(cycle), err, rdata)
            cycle += 1

    for step in steps_of(replay):
        asked = line.asked(step)
        # The effects of a grant are visible in the next cycle.
        yield from until(asked + 1 + (step.wait if step.kind < Kind.RESET else 0))
        played = line.play(step)
        if step.kind >= Kind.RESET:
            err = rdata = 0
        if step.kind is Kind.RESET_IN_ACKNOWLEDGE:
            yield None
            cycle += 1
        if played.answer is not None and played.granted is not None:
            yield from until(played.granted + 1)
            err, rdata = int(played.answer.rejected), played.answer.data
    yield from until(line.end)


def _cycles(waves: WaveFile) -> Callable[[int], float]:
    """Return the time at which each cycle of the sequence begins; its reset ends in cycle 0."""
    clock = waves.signal(waves.clock)
    origin = clock.last(1, waves.signal("rst_n").between(0, clock.end_ns)[-1][0]) or 0.0
    edges = waves.rising_edges(origin, clock.end_ns)
    period = edges[1] - edges[0]
    return lambda number: origin + number * period


def _notes(played: Sequence[Played], begin_of: Callable[[int], float]) -> Iterator[Note]:
    for one in played:
        begin = one.asked if one.granted is None else one.granted
        cycles = 1 if one.granted is None else TRANSFER_CYCLES
        yield Note(begin_of(begin), begin_of(begin + cycles), one.what)


def _text(played: Sequence[Played], name: str, cycle: int, seen: Value | None, right: int) -> str:
    """Return the error in a cycle, and the last transfer before it."""
    before = [one for one in played if one.granted is not None and one.granted < cycle]
    last = before[-1] if before else None
    where = "from the reset on"
    if last:
        answer = last.granted == cycle - 1 and name in ("err", "rdata")
        where = f"{'answer to' if answer else 'after'} {last.what}"
        where += f" [{last.moment}]" if answer and last.moment else ""
    value = f"{seen:#x}" if isinstance(seen, int) else str(seen)
    return f"{where}: {name} = {value}, the model says {right:#x}"
