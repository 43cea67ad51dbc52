"""Finds the place where a test was at its time limit, from files of the simulation."""

from __future__ import annotations

import json
from pathlib import Path

from regress.core.limits import time_text
from regress.core.protocol import PLACE_FILE, STACK_FILE
from regress.core.results import FOREIGN, FRAME, shown_path


def where_it_stood(folder: Path, root: Path) -> str:
    """Return the continuation of a timeout's message; empty if the simulation wrote nothing."""
    try:
        stack = (folder / STACK_FILE).read_text(errors="replace")
    except OSError:
        return ""
    try:
        place = json.loads((folder / PLACE_FILE).read_text())
    except (OSError, ValueError):
        place = {}
    time = f" at {time_text(place['time_ns'])}" if place else ""
    frames = [match for match in FRAME.finditer(stack) if not FOREIGN.search(match["file"])]
    if frames:  # faulthandler writes the innermost frame first
        spot = f"{shown_path(frames[0]['file'], root)}:{frames[0]['line']}"
        return f"{time}: Python runs without an await ({spot})"
    if place.get("waits"):
        file, _, line = place["waits"].rpartition(":")
        return f"{time}: the test still waits ({shown_path(file, root)}:{line})"
    if stack.strip() and not place:
        return ": the simulator itself runs and reaches no test"
    return time
