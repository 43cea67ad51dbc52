"""What a campaign leaves behind: ``mutation.json``."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from regress.errors import UsageError

RECORD_FILE = "mutation.json"
SCHEMA = 1


class Outcome(str, Enum):
    """What became of a mutant; the four that count are kept apart."""

    KILLED = "killed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    BROKEN = "broken"
    NOT_RUN = "not_run"


@dataclass
class MutantRecord:
    """One mutant and what became of it.

    Attributes:
        id: of the mutant.
        kind: ``source``, ``elaboration`` (source, fixed at elaboration) or ``netlist``.
        group: file below hdl, or for a netlist its architecture.
        operator: that made it.
        change: in one line.
        outcome: what became of it.
        test: id of the job that killed it.
        message: what that job said; why a build is broken; what proved the equivalence.
        seconds: it took until it was killed, or in all: processor time, of a job in a build of the
            mutant's own wall-clock time.
        passed: jobs it was run against and lived.
    """

    id: str
    kind: str
    group: str
    operator: str
    change: str
    outcome: Outcome = Outcome.NOT_RUN
    test: str = ""
    message: str = ""
    seconds: float = 0.0
    passed: list[str] = field(default_factory=list)

    @property
    def alive(self) -> bool:
        """Not decided, or not found by anything that was tried."""
        return self.outcome in (Outcome.NOT_RUN, Outcome.SURVIVED)


@dataclass
class CampaignRecord:
    """A campaign, finished or not.

    Attributes:
        command: that started it.
        seed: chose the mutants.
        started: local time.
        seconds: wall-clock time so far.
        available: mutants there are, by kind.
        finished: False while it runs, and for good if it was cut short.
        mutants: chosen, by id.
    """

    command: list[str]
    seed: int
    started: str
    seconds: float = 0.0
    available: dict[str, int] = field(default_factory=dict)
    finished: bool = False
    mutants: dict[str, MutantRecord] = field(default_factory=dict)

    def count(self, outcome: Outcome) -> int:
        """Mutants with this outcome."""
        return sum(record.outcome is outcome for record in self.mutants.values())

    def of(self, outcome: Outcome) -> list[MutantRecord]:
        """Mutants with this outcome."""
        return [record for record in self.mutants.values() if record.outcome is outcome]

    def write(self, folder: Path) -> None:
        """Write it as JSON, whole or not at all."""
        data = {"schema": SCHEMA, **asdict(self), "mutants": [*map(asdict, self.mutants.values())]}
        temporary = folder / f".{RECORD_FILE}-{os.getpid()}"
        temporary.write_text(json.dumps(data, indent=1) + "\n")
        temporary.replace(folder / RECORD_FILE)

    @classmethod
    def read(cls, folder: Path) -> CampaignRecord:
        """Read what :meth:`write` wrote.

        Raises:
            UsageError: there is none, or it is another version's.
        """
        path = folder / RECORD_FILE
        try:
            data: dict[str, Any] = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise UsageError(f"{path}: cannot be read: {error}") from None
        if not isinstance(data, dict) or data.pop("schema", None) != SCHEMA:
            raise UsageError(f"{path}: not of schema {SCHEMA}")
        try:
            found = [
                _whole(MutantRecord, {**entry, "outcome": Outcome(entry["outcome"])})
                for entry in data.pop("mutants")
            ]
            return _whole(cls, {**data, "mutants": {record.id: record for record in found}})
        except (TypeError, ValueError, KeyError) as error:
            raise UsageError(
                f"{path}: of another version, start the campaign anew: {error}"
            ) from None


Kind = TypeVar("Kind", MutantRecord, CampaignRecord)


def _whole(kind: type[Kind], data: Mapping[str, Any]) -> Kind:
    """A record with exactly its fields."""
    known = {entry.name for entry in fields(kind)}
    if wrong := known ^ set(data):
        raise ValueError(f"{', '.join(sorted(wrong))} unknown or missing")
    return kind(**data)


def merged(records: Sequence[CampaignRecord]) -> CampaignRecord:
    """Campaigns of different mutants as one; of a mutant in several, the last one's word counts."""
    first = records[0]
    whole = CampaignRecord(
        command=[
            *first.command,
            *(word for other in records[1:] for word in ("+", *other.command)),
        ],
        seed=first.seed,
        started=min(record.started for record in records),
        seconds=sum(record.seconds for record in records),
        finished=all(record.finished for record in records),
    )
    for record in records:
        whole.available.update(record.available)
        whole.mutants.update(record.mutants)
    return whole


@dataclass(frozen=True)
class Figures:
    """Sums over some mutants.

    Attributes:
        mutants: that were run.
        by_outcome: how many of each.
        killers: kills by test, most first.
        median_seconds: processor time to kill.
    """

    mutants: int
    by_outcome: Mapping[Outcome, int]
    killers: Mapping[str, int]
    median_seconds: float

    @property
    def score(self) -> float:
        """Killed share of those that are neither equivalent nor broken; 1 if there are none."""
        killed, survived = self.by_outcome[Outcome.KILLED], self.by_outcome[Outcome.SURVIVED]
        return killed / (killed + survived) if killed + survived else 1.0


def figures(records: Iterable[MutantRecord]) -> Figures:
    """Sums over those of the records that were run."""
    run = [record for record in records if record.outcome is not Outcome.NOT_RUN]
    killed = [record for record in run if record.outcome is Outcome.KILLED]
    killers: dict[str, int] = {}
    for record in killed:
        test = record.test.partition("-")[0]
        killers[test] = killers.get(test, 0) + 1
    return Figures(
        mutants=len(run),
        by_outcome={outcome: sum(r.outcome is outcome for r in run) for outcome in Outcome},
        killers=dict(sorted(killers.items(), key=lambda item: -item[1])),
        median_seconds=statistics.median(r.seconds for r in killed) if killed else 0.0,
    )
