"""Jobs of this project by its axes: architecture, width, parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from regress.core.jobfile import Job
from regress.core.point import Point


def point_of(architecture: str, width: int, parameters: Mapping[str, int] | None = None) -> Point:
    """Return the point with these values.

    Args:
        architecture: registry name.
        width: operand width n in bits.
        parameters: SystemVerilog parameters of the top and of the core.
    """
    return Point({"architecture": architecture, "width": width, "parameters": parameters or {}})


def job_of(
    test: str,
    architecture: str,
    width: int,
    simulator: str,
    seed: int,
    operations: int = 0,
    parameters: Mapping[str, int] | None = None,
    **others: Any,
) -> Job:
    """Return a job at one point; ``others`` are fields of :class:`regress.core.jobfile.Job`."""
    point = point_of(architecture, width, parameters)
    return Job(test, point, simulator, seed, operations, **others)
