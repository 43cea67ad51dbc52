"""What the waves of a core from outside show, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator

from regress.waves.fst import WaveFile
from regress.waves.view import Finding, Step, WaveSignal, WaveView
from verif.bench.env.checkers.mismatch import mismatch
from verif.bench.waves.signals import BUS_GROUP, CLOCK_GROUP
from verif.own_core.draw import Operation
from verif.own_core.facts import Facts
from verif.own_core.reference import expected, is_defined

SHIM = "u_dut.u_core.u_shim"
RESULT = f"{SHIM}.result_o"


def core_view(facts: Facts, width: int, waves: WaveFile, message: str, time_ns: float) -> WaveView:
    """See :meth:`regress.core.project.Project.wave_view`.

    Args:
        facts: of the core.
        width: n in bits.
        waves: of a job.
        message: its failure.
        time_ns: time of the failure.
    """
    state = next(iter(facts.watch), None)
    return WaveView(
        signals=list(_signals(facts)),
        finding=_finding(facts, width, waves, message, time_ns),
        state=f"{SHIM}.{state.signal}" if state else "",
        state_names=state.names if state else {},
        quiet_group=BUS_GROUP,
        request="u_dut.req_i",
    )


def _signals(facts: Facts) -> Iterator[WaveSignal]:
    yield WaveSignal("clk", "clk", CLOCK_GROUP)
    yield WaveSignal("rst_n", "reset, low", CLOCK_GROUP)
    for port in ("req", "write", "sel", "wdata"):
        yield WaveSignal(f"u_dut.{port}_i", port, BUS_GROUP)
    yield WaveSignal("u_dut.ack_o", "ack", BUS_GROUP)
    for port in _ports(facts):
        yield WaveSignal(f"{SHIM}.{port}", port, "shim")
    for watch in facts.watch:
        yield WaveSignal(f"{SHIM}.{watch.signal}", watch.name, "watched", watch.names)


def _ports(facts: Facts) -> Iterator[str]:
    yield "start_i"
    yield from facts.operand_ports
    yield from ("length_i",) if facts.length else ()
    yield from (f"{constant}_i" for constant in facts.constants)
    yield from ("status_o",) if facts.status else ()
    yield from ("done_o", "result_o")


def _finding(facts: Facts, width: int, waves: WaveFile, message: str, time_ns: float) -> Finding:
    """The last operation before a failure: its done, and what its result should have been."""
    begin = waves.signal(f"{SHIM}.start_i").last(1, time_ns)
    if begin is None:
        return Finding(time_ns, "", time_ns, time_ns)
    done = waves.signal(f"{SHIM}.done_o").last(1, time_ns)
    if done is None or done <= begin:
        return Finding(begin, "it does not end: no done_o behind this start", begin, time_ns)
    edges = waves.rising_edges(begin, done + waves.tick_ns)
    taken = next(iter(waves.rising_edges(done + waves.tick_ns, time_ns)), done)
    finding = Finding(taken, "", begin, taken)
    seen = [waves.signal(f"{SHIM}.{port}").at(begin) for port in facts.operand_ports]
    length = waves.signal(f"{SHIM}.length_i").at(begin) if facts.length else width
    result = waves.signal(RESULT).before(taken)
    if not all(isinstance(value, int) for value in (*seen, length)) or not is_defined(
        facts, width, seen[2]
    ):
        return finding
    operation = Operation(*seen, length)
    right = expected(facts, width, operation.first, operation.second, operation.m)
    finding.expected[RESULT, 0] = [Step(done, right), Step(taken, None)]
    if not isinstance(result, int):
        finding.text = "result_o has unknown bits in the clock of done_o"
    elif result != right and (facts.claims.reduced or result % operation.m != right):
        finding.text = mismatch("result_o", result, "gmpy2 says", right)
    elif "clocks" in message:
        finding.text = f"done_o comes {max(0, len(edges) - 1)} clocks behind start_i"
    return finding
