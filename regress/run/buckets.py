"""Sorts failures by what they look like: one bug, one bucket."""

from __future__ import annotations

import re
from collections.abc import Iterable

from regress.core.jobrecord import Bucket, JobCase, JobRecord
from regress.core.project import Project
from regress.core.runfile import BAD

NUMBER = re.compile(
    r"\b0x(?:[0-9a-f]|[…_](?=[0-9a-f]))+\b…?|\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b", re.IGNORECASE
)
COUNT = re.compile(r" \(and \d+ more\)")
# Where long values differ, which short ones do not say.
DIFFERENCE = re.compile(r" \(\d+ bits? differs?, [^)]*\)")
# How a failure was reached.
STEPS = re.compile(r"; in the fewest steps: .*")
# What became of a job behind its failure.
LATE = re.compile(r"; then timed out after .*")
PATH = re.compile(r"(?:/[\w.@+-]+){2,}")


def normalised(project: Project, message: str) -> str:
    """What a failure's message says, whatever its numbers, its paths and the configuration."""
    text = message
    for left_out in (LATE, STEPS, COUNT, DIFFERENCE):
        text = left_out.sub("", text)
    text = project.normalised(text)
    text = PATH.sub("<path>", text)
    text = NUMBER.sub("#", text)
    return re.sub(r"\s+", " ", text).strip(" …")


def buckets(project: Project, records: Iterable[JobRecord]) -> list[Bucket]:
    """The failures by normalised message, the bucket with the most first.

    Failed builds are a bucket each, as are their messages. Of a job with cases each that failed is
    a failure of its own; the job itself is one only if none of them says what is wrong.
    """
    found: dict[str, Bucket] = {}

    def bucket_of(message: str) -> Bucket:
        key = normalised(project, message)
        return found.setdefault(key, Bucket(key, []))

    for record in records:
        if record.status not in BAD:
            continue
        failed = record.failed_cases
        for case in failed:
            bucket = bucket_of(case.message)
            bucket.cases.append(JobCase(record, case))
            if record not in bucket.jobs[-1:]:
                bucket.jobs.append(record)
        if not failed or not record.message.startswith(f"{failed[0].name}: "):
            bucket_of(record.message).jobs.append(record)
    return sorted(found.values(), key=lambda bucket: -max(len(bucket.jobs), len(bucket.cases)))
