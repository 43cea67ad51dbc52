"""What a waveform shows: its rows, the moment to look at, and what was expected there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class WaveSignal:
    """A row of a waveform.

    Attributes:
        path: the signal, below the test bench.
        names: texts of its values, where they have any.
        low: lowest bit of the part that is shown.
        bits: number of bits that are shown; 0 for all.
        valid: (signal, bit) that says when it means something.
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
    """What a signal must be from some time on; ``value`` None: nothing is known from here on."""

    time_ns: float
    value: int | None


@dataclass(frozen=True)
class Note:
    """Words for what happens from one time to another."""

    begin_ns: float
    end_ns: float
    text: str


@dataclass
class Finding:
    """Where the hardware leaves the model, and what the model says.

    Attributes:
        moment_ns: the time to look at.
        text: what is wrong there; empty if nothing was found.
        expected: what the model says, by (signal, lowest bit), in order of time.
        iterations: number of the iteration whose result stands from this time on, by unit.
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
    """How the waves of a job are shown.

    Attributes:
        state: a signal that tells the phases of the whole operation; empty if there is none.
        before: cycles to show before the moment; 0 for as many as usual.
        quiet_group: a group of rows of which only the heading is shown while ``request`` is 0 all
            over the picture; empty if there is none.
    """

    signals: Sequence[WaveSignal]
    finding: Finding
    state: str = ""
    state_names: Mapping[int, str] = field(default_factory=dict)
    before: int = 0
    quiet_group: str = ""
    request: str = ""
