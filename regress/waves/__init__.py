"""Waveforms of a job: what to show, read from the FST file, as a picture and for GTKWave."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class WaveError(Exception):
    """The waveform is missing or cannot be read; the message says which file."""


@dataclass(frozen=True)
class WaveDocument:
    """What was made of a job's waveform.

    Attributes:
        picture: SVG file.
        save_file: what GTKWave opens.
        moment_ns: simulated time of the failure.
    """

    picture: Path
    save_file: Path
    moment_ns: float


def document(folder: Path) -> WaveDocument:
    """Draw the waveform of a finished job."""
    raise WaveError(f"{folder}: no picture")
