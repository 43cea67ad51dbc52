"""One bug, one bucket."""

from __future__ import annotations

import pytest

from regress.core.jobrecord import Bucket, JobRecord
from regress.core.runfile import Rerun, Status
from regress.run.buckets import buckets, normalised
from regress.run.reruns import joined
from regress.tests.conftest import PROJECT, make_job
from regress.tests.stand_in import IN_CORE


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("mm42 64 bits at 9 ns: x=0x12 m=0x7: P = 0x12 (and 2 more)", "P = #"),
        ("mwrkmm: no record: x=0x1", "<architecture>: no record: x=#"),
        ("build failed: /tmp/a/b.sv:12:3: no wire", "build failed: <path>:#:#: no wire"),
        ("P = 0x12; then timed out after 300 s", "P = #"),
        ("simulator crashed with signal 11 (SIGSEGV)", "simulator crashed with signal # (SIGSEGV)"),
    ],
)  # fmt: skip
def test_operands_times_and_places_do_not_count(message: str, expected: str) -> None:
    assert normalised(PROJECT, message) == expected


def failed(message: str, **job: object) -> JobRecord:
    return JobRecord(make_job(**job), Status.FAILED, message)


def test_failures_are_sorted_by_what_they_say() -> None:
    wrong = "fast_montgomery 32 bits at {} ns: x=0x{} y=0x2 m=0x7: P = 0x{}, gmpy2 says 0x1"
    found = buckets(
        PROJECT,
        [
            failed("timed out after 5 s"),
            failed(wrong.format(10, 3, 9)),
            JobRecord(make_job(), Status.PASSED),
            failed(wrong.format(77, "ab", 2).replace("fast", "faster"), seed=8),
        ],
    )
    assert [(bucket.key, len(bucket.jobs)) for bucket in found] == [
        ("P = #, gmpy2 says #", 2),
        ("timed out after # s", 1),
    ]


def test_different_words_are_different_buckets() -> None:
    assert len(buckets(PROJECT, [failed("P = 1, gmpy2 says 2"), failed("no status was read")])) == 2


def shown(key: str, finding: str, architecture: str = "fast_montgomery") -> Bucket:
    rerun = Rerun(Status.FAILED, key, "jobs/x/waves-1", finding=finding)
    return Bucket(key, [failed(key, architecture=architecture)], rerun, reproducible=True)


def test_failures_with_the_same_first_difference_in_the_waves_are_one_bucket() -> None:
    found = joined(
        PROJECT,
        [
            shown("P = #, gmpy2 says #", "S after iteration 5 of 32 = 0x1, the model says 0x2"),
            shown("result = #", "S after iteration 2 of 32 = 0x7, the model says 0x4"),
            shown("x = #", "S after iteration 4 of 64 = 0x1, the model says 0x2 (bit 1)"),
            shown(
                "A = #",
                f"A after bit 1 = 0x2; {IN_CORE}S after iteration 1 of 8 = 0x2, the model says 0x9",
            ),
            shown("result = #", "C after iteration 2 of 32 = 0x7, the model says 0x4"),
            shown("result = #", "S after iteration 2 of 32 = 0x7, the model says 0x4", "mwrkmm"),
            shown("no status was read", ""),
            shown("no record of an operation", ""),
        ],
    )
    assert [(len(bucket.jobs), bucket.also) for bucket in found] == [
        (4, ["result = #", "x = #", "A = #"]), (1, []), (1, []), (1, []), (1, [])
    ]  # fmt: skip
