"""The content of a waveform: its rows, the time of interest, and the expected values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class WaveSignal:
    """A row of a waveform.

    Attributes:
        path: the signal, relative to the test bench.
        names: texts for its values, if any.
        low: lowest bit of the part that is shown.
        bits: number of bits that are shown; 0 for all.
        valid: (signal, bit) that indicates when the value is valid.
    """

    path: str
    label: str
    group: str
    names: Mapping[int, str] = field(default_factory=dict)
    low: int = 0
    bits: int = 0
    valid: tuple[str, int] | None = None


@dataclass(frozen=True)
class Step:
    """The expected value of a signal from this time on; ``value`` None: unknown from here on."""

    time_ns: float
    value: int | None


@dataclass(frozen=True)
class Note:
    """A text for the interval from one time to another."""

    begin_ns: float
    end_ns: float
    text: str


@dataclass
class Finding:
    """The first difference of the hardware from the model, and the model's values.

    Attributes:
        moment_ns: the time of interest.
        text: what is wrong at this time; empty if nothing was found.
        expected: values of the model, by (signal, lowest bit), in order of time.
        iterations: number of the iteration whose result is valid from this time on, by unit.
    """

    moment_ns: float
    text: str
    begin_ns: float
    end_ns: float
    expected: dict[tuple[str, int], list[Step]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    iterations: dict[str, list[Step]] = field(default_factory=dict)


@dataclass(frozen=True)
class WaveView:
    """View of a job's waves.

    Attributes:
        state: signal that shows the phases of the whole operation; empty if none.
        before: number of cycles to show before the moment; 0 for the default.
        quiet_group: group of rows that is reduced to its heading while ``request`` is 0 in the
            whole picture; empty if none.
    """

    signals: Sequence[WaveSignal]
    finding: Finding
    state: str = ""
    state_names: Mapping[int, str] = field(default_factory=dict)
    before: int = 0
    quiet_group: str = ""
    request: str = ""
