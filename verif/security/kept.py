"""Faults while the host keeps its operands: what an operation leaves to the next one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.independent import STATUS_CODES
from verif.library.lanes.bench import LaneBench, Operation
from verif.security.configuration import DATA, draw_operation
from verif.security.upsets import REPORTS, Point, UpsetCampaign


@dataclass(frozen=True)
class Kept:
    """What becomes of a second operation, for which the host writes only the first operand.

    Attributes:
        wrong: the first operation was right, the second was wrong and did not report it, [points].
        stays: the first operation reported an upset, and the second ended too early to have
            computed a new R**2; a rejected one did, too, [points].
    """

    wrong: NDArray[np.bool_]
    stays: NDArray[np.bool_]


def kept_operands(
    bench: LaneBench, points: Sequence[Point], fault: str, seed: int, jobs: int, idle: bool
) -> Kept:
    """Inject a fault at each point, and run a second operation with the same operands.

    Args:
        bench: the design.
        points: points of a campaign with the same seed and ``idle``.
        fault: a name of ``upsets.FAULTS``.
        seed: seed of the operands and of the state of registers without a reset.
        jobs: threads.
        idle: the points are in the idle core, after the first operation.
    """
    first = draw_operation(bench, random.Random(seed))
    second = Operation({DATA: first.operands[DATA]}, reads=first.reads)
    campaign = UpsetCampaign(bench, [first, second], fault, seed, jobs, idle)
    found = campaign.run(points)
    before, after = found.statuses
    reported = np.isin(before, [STATUS_CODES[name] for name in REPORTS])
    return Kept(found.right & found.next_wrong, reported & (after != STATUS_CODES["BUSY"]))
