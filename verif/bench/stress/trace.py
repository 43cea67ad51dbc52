"""Trace of the sequences, event by event, to compare two simulators."""

from __future__ import annotations

import json
from pathlib import Path

from verif.bench.stress.monitor import PinEvent


class StressTrace:
    """Writes a line for every event at once, so that the trace is readable after a kill."""

    def __init__(self, path: Path) -> None:
        """Write to ``path``."""
        self._file = path.open("w", buffering=1)
        self._count = 0

    def write(self, cycle: int, event: PinEvent) -> None:
        """Write one event; ``cycle`` is the cycle of the sequence, counted from its reset."""
        request = event.request
        line = {
            "event": self._count,
            "cycle": cycle,
            "request": f"{request.write:d} {request.address} {request.data:#x}" if request else "",
            "ack": event.ack,
            "rejected": event.rejected,
            "data": f"{event.data:#x}",
            "busy": event.busy,
            "done": event.done,
            "reset": not event.out_of_reset,
        }
        self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._count += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()
