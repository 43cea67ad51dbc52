"""Which check detected a recorded fault."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from verif.faults.campaign.record import DETECTED, last, read_results
from verif.faults.catalogue_source import RECORD
from verif.testplan.format import Check

PINS = "pins."
# The end of a message if its job reported more failures than this one.
MORE = re.compile(r"\(and \d+ more\)$")
NO_CHECK = "another message"
RULE = re.compile(r"pins in \w+ \d+: .*: (?P<rule>\w+) wants ")


class Detection(NamedTuple):
    """Outcome of a fault.

    Attributes:
        fault: name of the fault.
        found: a job failed.
        against: list of that job, or the last list that the fault survived.
        job: id of that job, which begins with the name of its test.
        message: first failure message of that job.
        failures: the first failure of each kind that the job reported, in their order; empty if the
            record does not have them.
    """

    fault: str
    found: bool
    against: str
    job: str
    message: str
    failures: tuple[str, ...] = ()

    def checks(self, known: Mapping[str, Check]) -> tuple[str, ...]:
        """Return the checks that failed in the job, the first one first; empty if unknown.

        The record knows all of them if it has the failures, or if the job reported only one.
        """
        if MORE.search(self.message) and not self.failures:
            return ()
        texts = self.failures or (self.message,)
        return tuple(dict.fromkeys(check_of(text, known) or NO_CHECK for text in texts))


def detections() -> dict[str, Detection]:
    """Return the recorded verdicts by fault; faults without a verdict are missing.

    This is the only function that reads the record of faults.

    Raises:
        UsageError: the file is not a record.
    """
    return {
        name: Detection(
            name, one.outcome == DETECTED, one.against, one.job, one.message, one.failures
        )
        for name, one in last(read_results(RECORD)).items()
    }


def check_of(message: str, checks: Mapping[str, Check]) -> str:
    """Return the name of the check that wrote a failure message; empty if none matches."""
    if rule := RULE.search(message):
        return PINS + rule["rule"]
    return next((name for name, one in checks.items() if re.search(one.message, message)), "")
