"""Which check detected a recorded fault."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from verif.faults.campaign.record import DETECTED, last, read_results
from verif.faults.catalogue_source import RECORD
from verif.testplan.format import Check

PINS = "pins."
RULE = re.compile(r"pins in \w+ \d+: .*: (?P<rule>\w+) wants ")


class Detection(NamedTuple):
    """What became of a fault.

    Attributes:
        fault: name of the fault.
        found: a job failed.
        against: list of that job, or the last list that the fault survived.
        job: id of that job, which begins with the name of its test.
        message: first failure message of that job.
    """

    fault: str
    found: bool
    against: str
    job: str
    message: str


def detections(path: Path = RECORD) -> dict[str, Detection]:
    """Return the recorded verdicts by fault; faults without a verdict are missing.

    This is the only function that reads the record of faults.

    Raises:
        UsageError: the file is not a record.
    """
    return {
        name: Detection(name, one.outcome == DETECTED, one.against, one.job, one.message)
        for name, one in last(read_results(path)).items()
    }


def check_of(message: str, checks: Mapping[str, Check]) -> str:
    """Return the name of the check that wrote a failure message; empty if none matches."""
    if rule := RULE.search(message):
        return PINS + rule["rule"]
    return next((name for name, one in checks.items() if re.search(one.message, message)), "")
