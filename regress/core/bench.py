"""For test benches: reports the result of a simulation to the manager.

A plain cocotb test does not need this module: it passes or fails without it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from regress.core.jobfile import JOB_VARIABLE, RESULT_FILE, Job, JobResult


def report(
    operations: int = 0,
    failures: Sequence[str] = (),
    failure_times: Sequence[float] = (),
    coverage: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Write ``result.json``; do nothing without a manager.

    Args:
        operations: number of checked operations.
        failures: one line for each failure.
        failure_times: simulated time of each failure in ns.
        coverage: {group: {"bins": {bin: hits}, "goal": [bins that must be hit]}}.
    """
    if not os.environ.get(JOB_VARIABLE):
        return
    _, folder = Job.current()
    JobResult(
        operations=operations,
        failures=list(failures),
        failure_times=list(failure_times),
        coverage={name: dict(group) for name, group in (coverage or {}).items()},
    ).write(folder / RESULT_FILE)
