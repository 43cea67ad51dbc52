"""Draws the waveform around a moment as an SVG, for a file or inside a page.

The SVG has a white background, no script and no ids. Its class names start with ``wv-``. Therefore
one page can contain many of these pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

from regress.core.templates import template_environment
from regress.waves.fst import Value, WaveFile
from regress.waves.lanes import CHAR_WIDTH, LANE, Lane, Segment, px
from regress.waves.view import Step, WaveSignal, WaveView
from regress.waves.words import lines_of, short_operands

CYCLES_BEFORE = 17
CYCLES_AFTER = 8
FEWEST_CYCLES = 4
MAX_BYTES = 150_000
LABEL_WIDTH = 176
CYCLE_WIDTH = 66
ROW_HEIGHT = 22
LINE_CHARS = 190
MESSAGE_LINES = 3
Look = TypeVar("Look")


class Picture:
    """The waves around the time of a finding, below the job and its message as text."""

    def __init__(self, waves: WaveFile, view: WaveView, job: str, message: str) -> None:
        self._waves = waves
        self._signals = [signal for signal in view.signals if signal.path in waves]
        self._finding = view.finding
        self._view = view
        self._job, self._message = job, message

    def svg(self) -> str:
        """Return the picture; show fewer cycles if it would become too large."""
        before, after = self._view.before or CYCLES_BEFORE, CYCLES_AFTER
        while True:
            text = self._svg(before, after)
            if len(text.encode()) <= MAX_BYTES or before + after <= FEWEST_CYCLES:
                return text
            before, after = before * 2 // 3, after * 2 // 3

    def _svg(self, before: int, after: int) -> str:
        moment = self._finding.moment_ns
        period = self._period(moment)
        self._begin = max(0.0, moment - before * period)
        self._end = moment + after * period
        self._scale = CYCLE_WIDTH / period
        width = LABEL_WIDTH + (self._end - self._begin) * self._scale + 16
        message = lines_of(short_operands(self._message), LINE_CHARS, MESSAGE_LINES)
        finding = lines_of(short_operands(self._finding.text), LINE_CHARS, 2)
        top = 36 + 15 * (len(message) + len(finding)) + 10
        overview = self._overview(top, width)
        axis = top + 50
        lanes, headings, bottom = self._lanes(axis + 14)
        environment = template_environment("regress.waves", autoescape=True)
        environment.filters["px"] = px
        return environment.get_template("wave.svg.j2").render(
            width=width,
            height=bottom + 12,
            label_width=LABEL_WIDTH,
            job=self._job,
            whole=self._message,
            message=message,
            finding=finding,
            overview=overview,
            axis=axis,
            bottom=bottom,
            edges=self._edges(),
            moment=self._x(moment),
            clock_before=self._x(moment - period),
            moment_text=f"{moment:.0f} ns",
            lanes=lanes,
            headings=headings,
            lane=LANE,
        )

    def _period(self, moment: float) -> float:
        clock = self._waves.signal(self._waves.clock)
        rise = clock.last(1, moment)
        earlier = clock.last(1, rise - self._waves.tick_ns) if rise is not None else None
        return rise - earlier if rise is not None and earlier is not None else 10.0

    def _x(self, time_ns: float) -> float:
        inside = min(max(time_ns, self._begin), self._end)
        return LABEL_WIDTH + (inside - self._begin) * self._scale

    def _edges(self) -> list[tuple[float, str]]:
        """Return (x, text) of the rising clock edges; every other edge shows its time."""
        edges = self._waves.rising_edges(self._begin, self._end)
        labelled = {time for time in edges[::2] if self._x(time) > LABEL_WIDTH + CYCLE_WIDTH / 2}
        return [(self._x(time), f"{time:.0f}" if time in labelled else "") for time in edges]

    def _overview(self, y: float, width: float) -> dict:
        """Draw the control states of the whole operation as one bar, and mark the window."""
        names = self._view.state_names
        begin = min(self._finding.begin_ns, self._begin)
        end = max(self._finding.end_ns, self._end)
        scale = (width - LABEL_WIDTH - 16) / (end - begin)
        steps: list[tuple[float, Value]] = []
        if self._view.state:
            changes = self._waves.signal(self._view.state)
            steps = [(begin, changes.at(begin)), *changes.between(begin, end)]
        bars, last = [], None
        for (start, value), (stop, _) in zip(steps, [*steps[1:], (end, None)], strict=False):
            x, length = LABEL_WIDTH + (start - begin) * scale, (stop - start) * scale
            if last and length < 1.5 and x - last < 1.5:
                continue  # too narrow to be visible, and so frequent that they would fill the file
            last = x
            name = names.get(value, str(value)) if isinstance(value, int) else str(value)
            fits = len(name) * CHAR_WIDTH + 4 <= length
            shade = value % 6 if isinstance(value, int) else 0
            bars.append((x, length, shade, name if fits else "", name))
        return {
            "y": y,
            "bars": bars,
            "left": LABEL_WIDTH + (self._begin - begin) * scale,
            "right": LABEL_WIDTH + (self._end - begin) * scale,
            "moment": LABEL_WIDTH + (self._finding.moment_ns - begin) * scale,
            "begin": f"{begin:.0f} ns",
            "end": f"{end:.0f} ns",
        }

    def _lanes(self, y: float) -> tuple[list[Lane], list[tuple[float, str]], float]:
        lanes: list[Lane] = []
        headings: list[tuple[float, str]] = []
        group = ""
        quiet = self._is_quiet()
        for signal in self._signals:
            if signal.group != group:
                group = signal.group
                silent = quiet and group == self._view.quiet_group
                headings.append((y + 12, f"{group}: no transfer here" if silent else group))
                y += 17
                unit = signal.path.rpartition(".")[0]
                if unit in self._finding.iterations and "core" in group:
                    done = self._iterations(self._finding.iterations[unit])
                    lanes.append(self._model_lane("iteration done", y, done))
                    y += ROW_HEIGHT
            if quiet and group == self._view.quiet_group:
                continue
            expected = self._finding.expected.get((signal.path, signal.low), [])
            lanes.append(self._lane(signal, y, expected))
            y += ROW_HEIGHT
            if len(lanes) == 1 and self._finding.notes:
                lanes.append(self._model_lane("step", y, self._notes()))
                y += ROW_HEIGHT
            if self._worth_showing(signal, expected):
                right = self._expected(signal, expected)
                lanes.append(self._model_lane(f"{signal.label} expected", y, right))
                y += ROW_HEIGHT
        return lanes, headings, y

    def _is_quiet(self) -> bool:
        """Return whether the window has no request, so that the request's group can be omitted."""
        if not self._view.request:
            return False
        requests = self._waves.signal(self._view.request)
        return not requests.at(self._begin) and not requests.between(self._begin, self._end)

    def _worth_showing(self, signal: WaveSignal, expected: Sequence[Step]) -> bool:
        """Return whether to show known values of the model: if there are several or one differs."""
        shown = list(self._expected(signal, expected))
        return bool(shown) and (len(expected) > 1 or any(s.style == "wanted" for s in shown))

    def _model_lane(self, label: str, y: float, segments: Iterable[Segment]) -> Lane:
        lane = Lane(label, y, "model")
        for segment in segments:
            lane.bus(segment, self._x)
        return lane

    def _notes(self) -> Iterable[Segment]:
        for note in self._finding.notes:
            begin, end = max(note.begin_ns, self._begin), min(note.end_ns, self._end)
            yield Segment(begin, end, note.text, "model")

    def _iterations(self, steps: Sequence[Step]) -> Iterable[Segment]:
        for begin, end, value in self._known(steps):
            yield Segment(begin, end, str(value), "model")

    def _expected(self, signal: WaveSignal, steps: Sequence[Step]) -> Iterable[Segment]:
        """Yield the model's values, split where the signal begins or ceases to differ from one."""
        for begin, end, value in self._known(steps):
            changes = self._waves.signal(signal.path).between(begin, end)
            times = sorted({begin, *(time for time, _ in changes)})
            shown = [(t, "model" if self._part(signal, t) == value else "wanted") for t in times]
            for start, stop, style in _stretches(shown, end):
                yield Segment(start, stop, f"{value:x}", style)

    def _known(self, steps: Sequence[Step]) -> Iterable[tuple[float, float, int]]:
        """Yield (begin, end, value) of the model's values in the window."""
        ends = [step.time_ns for step in steps[1:]] + [self._end]
        for step, end in zip(steps, ends, strict=False):  # without steps there is one end too many
            if step.value is not None and end > self._begin and step.time_ns < self._end:
                yield step.time_ns, end, step.value

    def _lane(self, signal: WaveSignal, y: float, expected: Sequence[Step]) -> Lane:
        lane = Lane(signal.label, y, title=f"{self._waves.prefix}.{signal.path}")
        single = (signal.bits or self._waves.bits(signal.path)) == 1 and not signal.names
        previous = None
        for segment in self._segments(signal, expected):
            if single:
                lane.level(segment, self._x, previous)
            else:
                lane.bus(segment, self._x)
            previous = segment.text
        return lane

    def _segments(self, signal: WaveSignal, expected: Sequence[Step]) -> Iterable[Segment]:
        """Yield the values of a row; a segment lasts as long as value and style stay the same."""
        times = {self._begin}
        watched = [signal.path] + ([signal.valid[0]] if signal.valid else [])
        for path in watched:
            changes = self._waves.signal(path).between(self._begin, self._end)
            times.update(time for time, _ in changes)
        times.update(s.time_ns for s in expected if self._begin < s.time_ns < self._end)
        shown = [(time, self._appearance(signal, expected, time)) for time in sorted(times)]
        for begin, end, (text, style) in _stretches(shown, self._end):
            yield Segment(begin, end, text, style)

    def _appearance(
        self, signal: WaveSignal, expected: Sequence[Step], time: float
    ) -> tuple[str, str]:
        if signal.valid:
            path, bit = signal.valid
            word = self._waves.signal(path).at(time)
            if isinstance(word, int) and not word >> bit & 1:
                return "", "idle"
        value = self._part(signal, time)
        if not isinstance(value, int):
            return str(value or "x"), "unknown"
        right = next((step.value for step in reversed(expected) if step.time_ns <= time), None)
        text = signal.names.get(value, f"{value:x}")
        return text, "bad" if right is not None and value != right else "bus"

    def _part(self, signal: WaveSignal, time: float) -> Value | None:
        value = self._waves.signal(signal.path).at(time)
        if not signal.bits:
            return value
        if isinstance(value, int):
            return value >> signal.low & ((1 << signal.bits) - 1)
        if value is None:
            return None
        part = value[max(0, len(value) - signal.low - signal.bits) : len(value) - signal.low]
        return int(part, 2) if part and set(part) <= {"0", "1"} else part


def _stretches(
    shown: Sequence[tuple[float, Look]], end: float
) -> Iterable[tuple[float, float, Look]]:
    """Yield (begin, end, look) of each stretch of time in which the look stays the same."""
    starts = [next(same) for _, same in groupby(shown, key=itemgetter(1))]
    ends = [*(time for time, _ in starts[1:]), end]
    for (begin, look), stop in zip(starts, ends, strict=True):
        yield begin, stop, look
