"""Trace of every operation, line by line, to compare two simulators."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from pyuvm import uvm_component, uvm_subscriber

from verif.bench.agent.records import OperationRecord

# Not compared: the time of a record depends on burst cycles and on the simulator.
NOT_COMPARED = {"time_ns"}
COUNTS = ("_cycles", "_words", "rejected", "lost")


def trace_line(index: int, record: OperationRecord) -> str:
    """Return one operation as a line of compact JSON, without the line feed.

    The line has the number of the operation, the name of its status, counts as numbers, flags as
    booleans, and all other values in hexadecimal. It has nothing that depends on the simulator.
    """
    line: dict[str, Any] = {"operation": index, "status_name": record.status_name}
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name in NOT_COMPARED:
            continue
        plain = isinstance(value, bool) or field.name.endswith(COUNTS)
        line[field.name] = value if plain else f"{value:#x}"
    return json.dumps(line, separators=(",", ":"))


class OperationTrace(uvm_subscriber):
    """Writes a line for every record at once, so that the trace is readable after a kill."""

    def __init__(self, name: str, parent: uvm_component, path: Path) -> None:
        """Write to ``path``."""
        super().__init__(name, parent)
        self._path = path
        self._count = 0

    def start_of_simulation_phase(self) -> None:
        """Open the file."""
        self._file = self._path.open("w", buffering=1)

    def write(self, record: OperationRecord) -> None:
        """Write one line."""
        self._file.write(trace_line(self._count, record) + "\n")
        self._count += 1

    def final_phase(self) -> None:
        """Close the file."""
        self._file.close()
