"""A GTKWave save file that opens the waves on the same signals and at the same moment."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from vcd.gtkw import GTKWSave

from regress.waves.fst import WaveFile
from regress.waves.view import Finding, WaveSignal

# GTKWave's zoom is -log2 of the ticks of a pixel; about so many pixels are seen.
PIXELS = 1000
WINDOW_NS = 400.0


def write_save_file(
    path: Path, waves: WaveFile, signals: Sequence[WaveSignal], finding: Finding, comment: str
) -> None:
    """Write the save file beside the waves, which it names without a folder.

    Raises:
        OSError: it cannot be written.
    """
    ticks = WINDOW_NS / waves.tick_ns
    begin = max(0.0, finding.moment_ns - WINDOW_NS * 2 / 3)
    with path.open("w") as file:
        save = GTKWSave(file)
        save.comment(comment)
        save.dumpfile(waves.path.name, abspath=False)
        save.timestart(round(begin / waves.tick_ns))
        zoom = -max(0, round(ticks / PIXELS).bit_length())
        save.zoom_markers(zoom, round(finding.moment_ns / waves.tick_ns))
        save.signals_width(240)
        present = [signal for signal in signals if signal.path in waves]
        for group, rows in groupby(present, key=lambda signal: signal.group):
            with save.group(group):
                seen: set[str] = set()
                for row in rows:
                    if row.path not in seen:  # parts of one signal
                        seen.add(row.path)
                        save.trace(_name(waves, row.path), alias=_alias(row))


def _name(waves: WaveFile, path: str) -> str:
    bits = waves.bits(path)
    return f"{waves.prefix}.{path}" + (f"[{bits - 1}:0]" if bits > 1 else "")


def _alias(row: WaveSignal) -> str | None:
    return None if row.bits else row.label.replace(" ", "_")
