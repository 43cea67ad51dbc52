"""Processor time of a proof: figures of it hold on a machine that other work shares."""

from __future__ import annotations

import os


def spent() -> float:
    """Return the processor seconds of this process and of its children that ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
