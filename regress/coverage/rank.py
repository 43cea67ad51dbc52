"""The smallest set of jobs that keeps the coverage of all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A job and what it hit.

    Attributes:
        hits: whatever counts: bins, source lines.
    """

    id: str
    hits: frozenset[object]
    seconds: float = 0.0


@dataclass(frozen=True)
class Ranked:
    """A job of the set.

    Attributes:
        gain: hits that no job before it in the set has.
        total: hits of the set up to it.
    """

    id: str
    gain: int
    total: int
    seconds: float


def rank(candidates: Iterable[Candidate]) -> list[Ranked]:
    """A small set of jobs with every hit of all, the most useful first.

    Greedy: always the job that adds most, then the quicker, then the first by name; afterwards
    every job is dropped whose hits the others of the set have. The problem is NP-hard and the
    greedy set at most ln(hits) times as large as the smallest; on coverage, where most hits are
    common and a few are rare, it is the smallest or one more.
    """
    ordered = sorted(candidates, key=lambda job: (job.seconds, job.id))
    numbers: dict[object, int] = {}
    masks = [sum(1 << numbers.setdefault(hit, len(numbers)) for hit in job.hits) for job in ordered]
    chosen = _greedy(masks)
    chosen = _without_redundant(chosen, masks)
    covered, ranked = 0, []
    for index in _greedy(masks, chosen):
        gain = (masks[index] & ~covered).bit_count()
        covered |= masks[index]
        job = ordered[index]
        ranked.append(Ranked(job.id, gain, covered.bit_count(), job.seconds))
    return ranked


def _greedy(masks: list[int], among: Iterable[int] | None = None) -> list[int]:
    """Indices in the order of what each adds; ``masks`` are in order of preference."""
    left = sorted(range(len(masks)) if among is None else among)
    covered, chosen = 0, []
    while left:
        best = max(left, key=lambda index: ((masks[index] & ~covered).bit_count(), -index))
        if not masks[best] & ~covered:
            break
        covered |= masks[best]
        chosen.append(best)
        left.remove(best)
    return chosen


def _without_redundant(chosen: list[int], masks: list[int]) -> list[int]:
    """Drop what the others cover, the slowest first."""
    kept = sorted(chosen)
    for index in sorted(chosen, reverse=True):
        others = 0
        for other in kept:
            if other != index:
                others |= masks[other]
        if not masks[index] & ~others:
            kept.remove(index)
    return kept
