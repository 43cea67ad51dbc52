"""Finds the first difference between the hardware and the model in a waveform."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from models.bit_true import IteratedModel
from models.bus.state_machines import ENTRY_STATE, EXPONENTIATION_STATES, LOOP_STATE
from models.reference import modular_product
from models.status import Status
from regress.waves.fst import Value, WaveFile
from regress.waves.view import Finding, Step
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.tops import EXPONENTIATION
from verif.bench.waves.scopes import VIEW, DualPaths, dual_scopes, unit_path, unit_paths

OPERAND = re.compile(r"\b(x|y|m|base|exponent|modulus|length|r_squared)=(0x[0-9a-f]+|\d+)\b")
RUN, IN_CORE = "the run", "in its core "
SHORT_BITS = 64
PARTS = ("_valid", "_at", "")  # signals of a product's word: valid, lowest bit, word


@dataclass(frozen=True)
class _Run:
    """One run of a core: clock edge of its start, rise of done, clock edge of the next start."""

    start: float
    done: float
    again: float | None


@dataclass(frozen=True)
class _Difference:
    time_ns: float
    text: str


#: Returns the first difference in the operation of a finding, given the operands that are known.
Examine = Callable[[BenchConfig, WaveFile, Finding, dict[str, int]], _Difference | None]


def find(
    examine: Examine, config: BenchConfig, waves: WaveFile, message: str, time_ns: float
) -> Finding:
    """Examine the operation that a failure is about.

    Args:
        examine: finds the first difference of the design's operations.
        config: the job.
        waves: waveform of the job.
        message: the failure; operands are taken from it if it names them.
        time_ns: time of the failure; the operation is the last one that started before it.
    """
    operands = {name: int(text, 0) for name, text in OPERAND.findall(message)}
    busy = waves.signal("u_dut.busy_o")
    begin = busy.last(1, time_ns)
    if begin is None:
        return Finding(time_ns, "", time_ns, time_ns)
    fall = busy.last(0, time_ns)
    end = fall if fall is not None and fall > begin else time_ns
    finding = Finding(end, "", begin, end)
    difference = examine(config, waves, finding, operands)
    if difference:
        finding.moment_ns, finding.text = difference.time_ns, difference.text
    return finding


def examine_multiplier(
    config: BenchConfig,
    waves: WaveFile,
    finding: Finding,
    operands: dict[str, int],
) -> _Difference | None:
    """Return the first difference in a product."""
    edges = waves.rising_edges(finding.begin_ns, finding.end_ns + 1)
    paths = unit_paths(config, unit_path(config))
    run = next(_core_runs(config, waves, unit_path(config), edges), None)
    loaded = {name: waves.signal(path) for name, path in paths.operands.items()}
    begin = finding.begin_ns
    # All words of the operands have arrived when the core starts.
    moment = run.start if run else finding.end_ns
    for name, wanted in operands.items():
        if name in loaded:
            seen = loaded[name].at(moment)
            if seen != wanted:
                finding.expected[paths.operands[name], 0] = [Step(moment, wanted)]
                text = f"{name.upper()} = {value_text(seen)}, the bench wrote {wanted:#x}"
                return _Difference(moment, text)
    if run is None:
        return None
    difference = _examine_run(config, waves, finding, unit_path(config), run)
    x, y, m = (loaded[name].before(run.start) for name in ("x", "y", "m"))
    if not _known(x, y, m) or _binary(waves, paths.field, run):
        return difference
    if config.entry.operand_status(x, y, m, config.width) is not Status.OK:
        return difference
    product = modular_product(x, y, m, config.entry.model.radix(config.width))
    # The result is stable from the end of the final addition on.
    done = waves.signal(paths.observe("result_done")).last(1, finding.end_ns)
    if done is None or done < begin:
        return difference
    changed = next(iter(waves.rising_edges(done + waves.tick_ns, finding.end_ns + 1)), done)
    finding.expected[paths.result, 0] = [Step(changed, product)]
    seen = waves.signal(paths.result).at(finding.end_ns)
    if seen == product:
        return difference
    return difference or _Difference(
        changed, f"P = {value_text(seen)}, gmpy2 says {product:#x}; S and C were right"
    )


def examine_exponentiation(
    config: BenchConfig,
    waves: WaveFile,
    finding: Finding,
    operands: dict[str, int],
) -> _Difference | None:
    """Return the first difference in an exponentiation."""
    begin, end = finding.begin_ns, finding.end_ns
    # Operands are in memories.
    base, exponent, m, length = (
        operands.get(name) for name in ("base", "exponent", "modulus", "length")
    )
    if length is None:
        length = waves.signal("u_dut.u_host.length").at(begin)
    if not _known(base, exponent, m, length):
        return None
    core = EXPONENTIATION.model(config.at)
    if core.status(base, exponent, m, length) is not Status.OK:
        return None
    edges = waves.rising_edges(begin, end + 1)
    states = {value for _, value in waves.signal(f"{VIEW}.control_state").between(begin, end)}
    if EXPONENTIATION_STATES.index("seed") not in states and core.montgomery:
        return None
    expected = core.products(base, exponent, m, length)
    phase, done = waves.signal("product_phase"), waves.signal(f"{VIEW}.product_done")
    products = {name: _from_words(waves, name.lower(), edges) for name in ("A", "S")}
    pairs = [
        (edge, following)
        for edge, following in zip(edges, [*edges[1:], end], strict=True)
        if done.before(edge) == 1 and phase.before(edge) in (ENTRY_STATE, LOOP_STATE)
    ]
    for index, ((edge, _), values) in enumerate(zip(pairs, expected, strict=False)):
        for (name, product), right in zip(products.items(), values, strict=True):
            value = product(edge)
            if value == right:
                continue
            which = "the entry" if index == 0 else f"bit {index - 1}"
            seen = value_text(value) if _known(value) else "unknown"
            text = f"{name} after {which} = {seen}, the model says {right:#x}"
            inner = _inside(config, waves, finding, name, begin, edge, m)
            if inner:
                return _Difference(inner.time_ns, f"{text}; {inner.text}")
            return _Difference(edge, text)
    return None


def _from_words(
    waves: WaveFile, name: str, edges: Sequence[float]
) -> Callable[[float], Value | None]:
    """Return a function for the product at a clock edge, assembled from the ring's words."""
    valid, place, word = (waves.signal(f"{VIEW}.{name}_word{part}") for part in PARTS)
    values: list[tuple[float, Value | None]] = []
    value: Value | None = 0
    for edge in edges:
        if valid.before(edge) != 1:
            continue
        at, bits = place.before(edge), word.before(edge)
        if not isinstance(at, int) or not isinstance(bits, int):
            value = None
        elif at == 0:
            value = bits
        elif isinstance(value, int):
            value |= bits << at
        values.append((edge, value))

    def product(edge: float) -> Value | None:
        index = bisect_right(values, edge, key=lambda pair: pair[0])
        return values[index - 1][1] if index else None

    return product


def _inside(
    config: BenchConfig,
    waves: WaveFile,
    finding: Finding,
    unit: str,
    begin: float,
    end: float,
    m: int,
) -> _Difference | None:
    """Return the first difference within the products that were computed before ``end``.

    The wrong product of ``unit`` may be correct for its operands if another unit made these wrong.
    """
    entry = config.entry
    if entry.streams:
        return None  # operands may still be arriving while it runs
    edges = list(waves.rising_edges(begin, end))
    found = []
    for name, scope in dual_scopes(config).items():
        runs = list(_core_runs(config, waves, scope, edges))
        for run in runs:
            difference = _examine_run(config, waves, finding, scope, run, m)
            if difference:
                earlier = name != unit or run is not runs[-1]
                where = f"in an earlier product of {name}, " if earlier else ""
                text = f"{where}{IN_CORE}{difference.text}"
                found.append(_Difference(difference.time_ns, text))
                break
    return min(found, key=lambda difference: difference.time_ns, default=None)


def _core_runs(
    config: BenchConfig, waves: WaveFile, scope: str, edges: Sequence[float]
) -> Iterator[_Run]:
    """Return the runs of a unit's core that start at one of the clock edges."""
    paths = unit_paths(config, scope)
    start, done = (waves.signal(paths.observe(f"core_{name}")) for name in ("start", "done"))
    starts = [edge for edge in edges if start.before(edge) == 1]
    for begun, again in zip_longest(starts, starts[1:]):
        ends = (edge for edge in edges if edge > begun and done.before(edge) == 1)
        end = next(ends, None)
        risen = done.last(1, end - waves.tick_ns) if end is not None else edges[-1]
        yield _Run(begun, risen if risen is not None else begun, again)


def _examine_run(
    config: BenchConfig, waves: WaveFile, finding: Finding, scope: str, run: _Run,
    m: int | None = None,
) -> _Difference | None:  # fmt: skip
    """Compare one run of a core with the model; the model's values hold until the next run.

    ``m`` is the modulus for a unit that does not show it.
    """
    difference = _compare_run(config, waves, finding, scope, run, m)
    if run.again is not None:
        paths = unit_paths(config, scope)
        own = (scope, *paths.operands.values(), paths.result)
        noted = [steps for (path, _), steps in finding.expected.items() if path.startswith(own)]
        for steps in (*noted, *finding.iterations.values()):
            if steps and steps[-1].time_ns < run.again:
                steps.append(Step(run.again, None))
    return difference


def _compare_run(
    config: BenchConfig, waves: WaveFile, finding: Finding, scope: str, run: _Run, m: int | None
) -> _Difference | None:
    """Compare the constants, each iteration, and S and C."""
    entry, paths = config.entry, unit_paths(config, scope)
    width = config.width + paths.more_bits
    seen = {name: waves.signal(path).before(run.start) for name, path in paths.operands.items()}
    x, y, m = seen["x"], seen["y"], seen.get("m", m)
    if isinstance(paths, DualPaths):
        x = _taken(waves, paths, run)
    if not _known(x, y, m):
        return _Difference(run.start, "an operand has unknown bits")
    ports = (paths.s, paths.c)
    if _binary(waves, paths.field, run):
        total = entry.binary.product(x, y, m, width), 0
        return _compare(waves, finding, ports, total, run.done, RUN)
    if entry.operand_status(x, y, m, width, raw=True) not in (Status.OK, Status.RAW):
        text = f"the core was started with x={x:#x} y={y:#x} m={m:#x}"
        return _Difference(run.start, text)  # no model for such operands
    difference = None
    constants = entry.model.constant_values(y, m, width)
    packed = waves.signal(paths.constants).before(run.start)
    for slot, (constant, right) in enumerate(zip(entry.constants, constants, strict=True)):
        low = slot * (width + 1)
        finding.expected[paths.constants, low] = [Step(run.start, right)]
        seen = packed >> low & ((1 << width + 1) - 1) if isinstance(packed, int) else packed
        if seen != right and difference is None:
            text = f"constant {constant.name}: {value_text(seen)}, the model says {right:#x}"
            difference = _Difference(run.start, text)
    if isinstance(entry.model, IteratedModel):
        steps = [(s, c) for s, c, _ in entry.model.iterations(x, y, m, constants, width)]
        inner = _compare_iterations(config, waves, finding, scope, run, steps)
        difference = difference or inner
    total = entry.model.product(x, y, m, width)
    end = _compare(waves, finding, ports, total, run.done, RUN)
    # S and C leave the core in words in the next cycles.
    leaves = next(iter(waves.rising_edges(run.done + waves.tick_ns, finding.end_ns)), run.done)
    for path in ports:
        finding.expected[path, 0].append(Step(leaves, None))
    return difference or end


def _taken(waves: WaveFile, paths: DualPaths, run: _Run) -> Value | None:
    """Return X of a core that takes bits of X in each cycle."""
    valid, bits = waves.signal(paths.observe("table_valid")), waves.signal(paths.operands["x"])
    x, place = 0, 0
    for edge in waves.rising_edges(run.start, run.done + waves.tick_ns):
        now, word = valid.before(edge), bits.before(edge)
        if not isinstance(now, int) or not isinstance(word, int):
            return None
        taken = now.bit_count()
        x = x << taken | word & now if paths.downwards else x | (word & now) << place
        place += taken
    return x


def _compare_iterations(
    config: BenchConfig,
    waves: WaveFile,
    finding: Finding,
    scope: str,
    run: _Run,
    steps: Sequence[tuple[int, int]],
) -> _Difference | None:
    paths = tuple(running_sum_paths(config, scope))
    valid = waves.signal(unit_paths(config, scope).observe("table_valid"))
    count, difference = 0, None
    marks = finding.iterations.setdefault(scope, [])
    for edge in waves.rising_edges(run.start, run.done + waves.tick_ns):
        word = valid.before(edge)
        now = word.bit_count() if isinstance(word, int) else 0
        if not now:
            continue
        count += now
        marks.append(Step(edge, count))
        if count > len(steps):
            difference = difference or _Difference(
                edge, f"iteration {count}, the model makes {len(steps)}"
            )
            break
        what = f"iteration {count} of {len(steps)}"
        found = _compare(waves, finding, paths, steps[count - 1], edge, what)
        difference = difference or found
    if difference is None and count < len(steps):
        difference = _Difference(run.done, f"{count} iterations, the model makes {len(steps)}")
    return difference


def running_sum_paths(config: BenchConfig, scope: str) -> list[str]:
    """Return the signals that hold S and C between iterations."""
    paths = unit_paths(config, scope)
    ports = {"s_o": paths.s, "c_o": paths.c}
    return [ports.get(name, f"{paths.core}.{name}") for name in config.entry.running_sum]


def _binary(waves: WaveFile, field: str, run: _Run) -> bool:
    """Return whether a run's operands are polynomials."""
    return bool(field) and waves.signal(field).before(run.start) == 1


def _compare(
    waves: WaveFile,
    finding: Finding,
    paths: tuple[str, ...],
    expected: Sequence[int],
    time_ns: float,
    what: str,
) -> _Difference | None:
    """Note the model's S and C from a time on; return the first that differs."""
    difference = None
    for path, name, right in zip(paths, ("S", "C"), expected, strict=True):
        steps = finding.expected.setdefault((path, 0), [])
        steps.append(Step(time_ns, right))
        seen = waves.signal(path).at(time_ns)
        if seen != right and difference is None:
            text = f"{name} after {what} = {value_text(seen)}, the model says {right:#x}"
            difference = _Difference(time_ns, text + bits_text(seen, right))
    return difference


def _known(*values: Value | None) -> bool:
    return all(isinstance(value, int) for value in values)


def bits_text(seen: Value | None, right: int) -> str:
    """Return which bits differ, for numbers that are too long to compare by eye."""
    if not isinstance(seen, int) or max(seen, right) < 1 << SHORT_BITS:
        return ""
    wrong = seen ^ right
    low, high = (wrong & -wrong).bit_length() - 1, wrong.bit_length() - 1
    if low == high:
        return f" (bit {low})"
    return f" ({wrong.bit_count()} bits from {low} to {high})"


def value_text(value: Value | None) -> str:
    """Return a readable value: hexadecimal, or binary if some bits are unknown."""
    if value is None:
        return "nothing"
    return f"{value:#x}" if isinstance(value, int) else f"0b{value}"
