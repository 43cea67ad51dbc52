"""Safe errors: faults after which "is the result right?" is a bit of the exponent."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from verif.library.lanes.bench import LaneBench
from verif.security.configuration import EXPONENT, draw_operation
from verif.security.upsets import Point, UpsetCampaign

# Pairs of an exponent and its complement.
PAIRS = 16
# At a small width a wrong value now and then leads to the right result: a point may disagree with
# its bit in one experiment of ten. On the way a few more are allowed; a point that is always right,
# or always wrong, disagrees once in every pair and drops out in the second one.
ALLOWED, ALLOWED_ON_THE_WAY, FREE = 0.1, 0.2, 1


@dataclass(frozen=True)
class SafeError:
    """A point whose outcome is a bit of the exponent, for every base and modulus.

    Attributes:
        point: register and cycle of the fault.
        bit: number of the exponent bit.
        right_if: the value of the bit with which the result is right.
    """

    point: Point
    bit: int
    right_if: int


def safe_errors(
    bench: LaneBench, points: Sequence[Point], fault: str, seed: int, jobs: int
) -> list[SafeError]:
    """Return the points at which the outcome (right or wrong) is a bit of the exponent.

    Every pair of experiments has an exponent, its complement, and a base and a modulus of its own:
    a point that follows other values than a bit of the exponent drops out.

    Args:
        bench: an exponentiation.
        points: points to try.
        fault: a name of ``upsets.FAULTS``.
        seed: seed of the operands.
        jobs: threads.
    """
    rng = random.Random(seed)
    width = bench.width
    alive = np.arange(len(points))
    # Experiments in which *right* differs from the bit, and from its complement: [points][2][bits].
    differs = np.zeros((len(points), 2, width), np.int8)
    for pair in range(PAIRS):
        drawn = draw_operation(bench, rng)
        exponent = drawn.operands[EXPONENT][0]
        for value in (exponent, exponent ^ (1 << width) - 1):
            operation = replace(drawn, operands={**drawn.operands, EXPONENT: [value]})
            campaign = UpsetCampaign(bench, [operation], fault, seed, jobs)
            right = campaign.run([points[index] for index in alive]).right
            bits = np.array([value >> bit & 1 for bit in range(width)], np.bool_)
            differs[:, 0] += right[:, np.newaxis] != bits
            differs[:, 1] += right[:, np.newaxis] == bits
        kept = differs.min(axis=(1, 2)) <= _limit(2 * (pair + 1))
        alive, differs = alive[kept], differs[kept]
        if not len(alive):
            return []
    return [
        SafeError(points[index], int(bit), int(polarity == 0))
        for index, found in zip(alive, differs, strict=True)
        for polarity, bit in zip(*np.nonzero(found <= ALLOWED * 2 * PAIRS), strict=True)
    ]


def _limit(experiments: int) -> float:
    if experiments == 2 * PAIRS:
        return ALLOWED * experiments
    return FREE + ALLOWED_ON_THE_WAY * experiments
