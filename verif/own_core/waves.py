"""Wave view of the user's own core, with notes on the failure."""

from __future__ import annotations

from collections.abc import Iterator

from regress.waves.fst import WaveFile
from regress.waves.view import Finding, Note, Step, WaveSignal, WaveView
from verif.bench.env.checkers.mismatch import mismatch
from verif.bench.waves.signals import CLOCK_GROUP
from verif.own_core.description import CoreDescription
from verif.own_core.draw import Operation
from verif.own_core.reference import expected, is_defined

SHIM = "u_dut.u_core.u_shim"
RESULT = f"{SHIM}.result_o"
# End of a message about two operations, and maximum cycles of a picture of both.
TWO_TIMES = " decides"
MOST_CYCLES, MARGIN_CYCLES = 160, 2


def core_view(
    description: CoreDescription, width: int, waves: WaveFile, message: str, time_ns: float
) -> WaveView:
    """See :meth:`regress.core.project.Project.wave_view`.

    Args:
        description: description of the core.
        width: n in bits.
        waves: waves of a job.
        message: failure message of the job.
        time_ns: time of the failure.
    """
    state = next(iter(description.watch), None)
    return WaveView(
        signals=list(_signals(description)),
        finding=_finding(description, width, waves, message, time_ns),
        state=f"{SHIM}.{state.signal}" if state else "",
        state_names=state.names if state else {},
        before=_cycles_before(waves, time_ns, message),
    )


def _cycles_before(waves: WaveFile, time_ns: float, message: str) -> int:
    """Return the cycles to show: of both operations if the message is about two; 0: default."""
    starts = _starts(waves, time_ns)
    if TWO_TIMES not in message or len(starts) < 2:
        return 0
    cycles = len(waves.rising_edges(starts[-2], time_ns)) + MARGIN_CYCLES
    return cycles if cycles <= MOST_CYCLES else 0


def _starts(waves: WaveFile, time_ns: float) -> list[float]:
    """Return the times at which the core was started, up to a time."""
    changes = waves.signal(f"{SHIM}.start_i").between(0.0, time_ns)
    return [when for when, value in changes if value == 1]


def _signals(description: CoreDescription) -> Iterator[WaveSignal]:
    yield WaveSignal("clk", "clk", CLOCK_GROUP)
    yield WaveSignal("rst_n", "reset, low", CLOCK_GROUP)
    for port in _ports(description):
        yield WaveSignal(f"{SHIM}.{port}", port, "shim")
    for watch in description.watch:
        yield WaveSignal(f"{SHIM}.{watch.signal}", watch.name, "watched", watch.names)


def _ports(description: CoreDescription) -> Iterator[str]:
    yield "start_i"
    yield from description.operand_ports
    yield from ("length_i",) if description.length else ()
    yield from (f"{name}_i" for name in description.constant_names)
    yield from ("status_o",) if description.status else ()
    yield from ("done_o", "result_o")


def _finding(
    description: CoreDescription, width: int, waves: WaveFile, message: str, time_ns: float
) -> Finding:
    """Return the finding on the last operation before a failure: its done, and the right result."""
    begin = waves.signal(f"{SHIM}.start_i").last(1, time_ns)
    if begin is None:
        return Finding(time_ns, "", time_ns, time_ns)
    done = waves.signal(f"{SHIM}.done_o").last(1, time_ns)
    if done is None or done <= begin:
        return Finding(begin, "it does not end: no done_o after this start", begin, time_ns)
    edges = waves.rising_edges(begin, done + waves.tick_ns)
    taken = next(iter(waves.rising_edges(done + waves.tick_ns, time_ns)), done)
    finding = Finding(taken, "", begin, taken)
    seen = [waves.signal(f"{SHIM}.{port}").at(begin) for port in description.operand_ports]
    length = waves.signal(f"{SHIM}.length_i").at(begin) if description.length else width
    result = waves.signal(RESULT).before(taken)
    if not all(isinstance(value, int) for value in (*seen, length)) or not is_defined(
        description, width, seen[2]
    ):
        return finding
    operation = Operation(*seen, length)
    right = expected(description, width, operation.first, operation.second, operation.m)
    finding.expected[RESULT, 0] = [Step(done, right), Step(taken, None)]
    if not isinstance(result, int):
        finding.text = "result_o has unknown bits in the cycle of done_o"
    elif result != right and (description.claims.reduced or result % operation.m != right):
        finding.text = mismatch("result_o", result, "gmpy2 says", right)
    elif TWO_TIMES in message:
        finding.begin_ns, finding.notes = _both(waves, time_ns, begin)
        times = " and ".join(note.text for note in finding.notes)
        finding.text = f"done_o comes {times} after start_i"
    elif "cycles" in message:
        finding.text = f"done_o comes {max(0, len(edges) - 1)} cycles after start_i"
    return finding


def _both(waves: WaveFile, time_ns: float, begin: float) -> tuple[float, list[Note]]:
    """Return where the last two operations begin, and in words how long each takes."""
    notes = []
    starts = _starts(waves, time_ns)[-2:]
    for start in starts:
        changes = waves.signal(f"{SHIM}.done_o").between(start, time_ns)
        done = next((when for when, value in changes if value == 1), start)
        cycles = max(0, len(waves.rising_edges(start, done + waves.tick_ns)) - 1)
        notes.append(Note(start, done, f"{cycles} cycles"))
    return (starts[0] if starts else begin), notes
