"""The smallest set of jobs that keeps the coverage."""

from __future__ import annotations

import random

from regress.coverage.rank import Candidate, rank


def candidate(name: str, hits: str, seconds: float = 1.0) -> Candidate:
    return Candidate(name, frozenset(hits), seconds)


def names(*candidates: Candidate) -> list[str]:
    return [item.id for item in rank(candidates)]


def test_the_most_useful_comes_first_and_nothing_is_lost() -> None:
    ranked = rank([candidate("a", "xy"), candidate("b", "xyz"), candidate("c", "w")])
    assert [(item.id, item.gain, item.total) for item in ranked] == [("b", 3, 3), ("c", 1, 4)]


def test_of_equal_jobs_the_quicker_then_the_first_by_name() -> None:
    assert names(candidate("slow", "xy", 9.0), candidate("quick", "xy", 1.0)) == ["quick"]
    assert names(candidate("b", "xy"), candidate("a", "xy")) == ["a"]


def test_a_job_whose_hits_the_later_ones_have_is_dropped() -> None:
    # Greedy takes the middle first, then needs both sides, which together are everything.
    middle = candidate("middle", "bcde")
    assert sorted(names(middle, candidate("left", "abc"), candidate("right", "def"))) == [
        "left",
        "right",
    ]


def test_nothing_to_rank() -> None:
    assert names() == []
    assert names(candidate("idle", "")) == []


def test_the_order_of_the_jobs_does_not_matter() -> None:
    rng = random.Random(1)
    jobs = [
        candidate(f"job{i}", "".join(rng.sample("abcdefghijklmnop", 4)), rng.randrange(3))
        for i in range(30)
    ]
    expected = rank(jobs)
    kept = {hit for job in jobs for hit in job.hits}
    chosen = {item.id for item in expected}
    assert {hit for job in jobs if job.id in chosen for hit in job.hits} == kept
    for _ in range(5):
        rng.shuffle(jobs)
        assert rank(jobs) == expected
