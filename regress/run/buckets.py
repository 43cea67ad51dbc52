"""Groups failures by their message: one bucket for each presumed bug."""

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
# Where long values differ. Messages about short values do not state this.
DIFFERENCE = re.compile(r" \(\d+ bits? differs?, [^)]*\)")
# The steps that led to a failure.
STEPS = re.compile(r"; in the fewest steps: .*")
# The timeout that followed a job's failure.
LATE = re.compile(r"; then timed out after .*")
PLACE = re.compile(r"(\([\w./+-]+\.py:\d+\))")
PATH = re.compile(r"(?:/[\w.@+-]+){2,}")


def normalised(project: Project, message: str) -> str:
    """Return a failure message without its numbers, its paths and the configuration."""
    text = message
    for left_out in (LATE, STEPS, COUNT, DIFFERENCE):
        text = left_out.sub("", text)
    text = project.normalised(text)
    text = PATH.sub("<path>", text)
    # The place of an assertion distinguishes two assertions whose texts differ only in a number.
    text = "".join(
        part if PLACE.fullmatch(part) else NUMBER.sub("#", part) for part in PLACE.split(text)
    )
    return re.sub(r"\s+", " ", text).strip(" …")


def buckets(project: Project, records: Iterable[JobRecord]) -> list[Bucket]:
    """Group the failures by normalised message, the largest bucket first.

    Failed builds are grouped like jobs, by message. Each failed case of a job counts as a failure.
    The job itself counts only if its message is not the message of its first failed case.
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
