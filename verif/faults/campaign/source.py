"""Interface between a source of faults and the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from regress.cli.options import Call
from regress.cli.workspace import Workspace
from regress.core.plan import PlannedJob
from regress.run.record import RunRecord
from verif.faults.campaign.outcome import results
from verif.faults.campaign.record import DECIDED, DETECTED, SURVIVED, Result, last

# A fault, and the lists it runs against, in this order, until one detects it.
Missing = Sequence[tuple[str, Sequence[str]]]


class Source(ABC):
    """A source of faults, for one call. Each method may raise UsageError.

    Attributes:
        name: name on the command line.
        noun: what a fault of this source is called, in the plural.
        table: marker of the results' table in a page.
        options: own options of the command line, with the arguments of ``add_argument``.
        good: outcomes that need no attention.
        takes_hdl: the source can change another folder of the design.
    """

    name: ClassVar[str]
    noun: ClassVar[str]
    table: ClassVar[str]
    options: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    good: ClassVar[Collection[str]] = (DETECTED,)
    takes_hdl: ClassVar[bool] = False

    @abstractmethod
    def record(self, call: Call) -> Path:
        """Return the file of the verdicts, unless the call names one."""

    def workspace(self, call: Call) -> Workspace:
        """Return where the jobs are built."""
        return call.workspace

    @abstractmethod
    def chosen(self, call: Call) -> Mapping[str, str]:
        """Return the descriptions of the selected faults by name, in the order of the trials."""

    @abstractmethod
    def known(self, call: Call) -> Collection[str]:
        """Return the names of all faults."""

    @abstractmethod
    def against(self, call: Call, fault: str) -> Sequence[str]:
        """Return the lists, proofs or checks that a fault runs against, in this order."""

    @abstractmethod
    def jobs(self, call: Call, missing: Missing, folder: Path) -> list[PlannedJob]:
        """Return the jobs that try the faults; ``folder`` is for changed designs."""

    @abstractmethod
    def content(self, call: Call, result: Result) -> str:
        """Return a hash of what a result depends on; empty if it cannot hold."""

    def decided(self, call: Call, missing: Missing) -> Iterable[Result]:
        """Return results that need no job; called after :meth:`jobs`."""
        return ()

    @abstractmethod
    def restore(self, call: Call, folders: Collection[Path]) -> None:
        """Make the missing changed designs again, to resume a run."""

    def results(self, record: RunRecord) -> Iterable[Result]:
        """Return the results of a run."""
        return results(record)

    def untouched(self, call: Call, found: Sequence[Result]) -> dict[str, PlannedJob]:
        """Return, by id, jobs on the unchanged design that must pass for the results to count."""
        return {}

    def listed(self, call: Call, chosen: Mapping[str, str]) -> Iterable[str]:
        """Return the lines that show the selected faults."""
        return (f"{name}: {says}" for name, says in chosen.items())

    def summary(self, results: Sequence[Result], faults: int, stale: Collection[str]) -> str:
        """Return how many of ``faults`` faults were found, by what, and how many are open."""
        ends = last(results).values()
        found = [one for one in ends if one.outcome in self.good]
        by = ", ".join(
            f"{name} {sum(one.against == name for one in found)}"
            for name in dict.fromkeys(one.against for one in found)
        )
        survived = sum(one.outcome == SURVIVED for one in ends)
        open_ones = faults - sum(one.outcome in DECIDED for one in ends)
        old = sum(one.fault in stale and one.outcome in DECIDED for one in ends)
        return (
            f"{len(found)} of {faults} {self.noun} detected ({100 * len(found) / faults:.1f} %)"
            f"{': ' if by else ''}{by}; {survived} survived, {open_ones} without a verdict; "
            f"{old} verdicts are of an earlier design"
        )

    @abstractmethod
    def markdown(self, call: Call, results: Sequence[Result], stale: Collection[str]) -> str:
        """Return the table of the page, without its markers."""
