"""State and stage of each feature, computed from the plan, the tree, the faults and the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from regress.core.runfile import Score
from verif.testplan.detection import Detection
from verif.testplan.format import Area, Feature, Testplan
from verif.testplan.gaps import faults_of, matching
from verif.testplan.recorded import RecordedRun, TestCount, added, coverage_of, jobs_of
from verif.testplan.tree import Tree

STAGES = ("V0", "V1", "V2", "V3")
# Share of the required bins that V2 needs; V3 needs all.
V2_PERCENT = 90.0
RULES = (
    "V1: a list runs a test of the feature or a proof exists, and a check exists.",
    f"V2: also, each test passed in a recorded run, {V2_PERCENT:.0f} % of the required bins are "
    "hit.",
    "V3: also, recorded runs of whole lists have its tests, all required bins are hit, every "
    "claimed proof is recorded, every fault of the feature is detected, and it has a fault or a "
    "proof.",
)


@dataclass(frozen=True)
class State:
    """Evidence for a feature.

    Attributes:
        lists: lists that run a test of the feature.
        tests: recorded jobs of each test; None for a test without a recorded job.
        partial: tests that only runs of a part of a list have.
        coverage: required bins of the groups; None without groups or records.
        proved: the claimed proofs that a recorded run has proved.
        faults: verdicts of the faults; None for a fault without a verdict.
    """

    area: Area
    feature: Feature
    lists: tuple[str, ...]
    tests: Mapping[str, TestCount | None]
    partial: tuple[str, ...]
    coverage: Score | None
    proved: tuple[str, ...]
    faults: Mapping[str, Detection | None]

    @property
    def detected(self) -> int:
        """Number of detected faults."""
        return sum(one is not None and one.found for one in self.faults.values())

    @property
    def missing(self) -> tuple[str, str]:
        """The first stage that is not reached, and why; ("", "") if all are reached."""
        for stage, problems in zip(STAGES[1:], self._problems(), strict=True):
            if problems:
                return stage, "; ".join(problems)
        return "", ""

    @property
    def stage(self) -> str:
        """The highest stage that is reached."""
        first = self.missing[0]
        return STAGES[STAGES.index(first) - 1] if first else STAGES[-1]

    def _problems(self) -> Iterator[list[str]]:
        feature = self.feature
        checked = bool(feature.checks or feature.proofs)
        exercised = bool(self.lists or feature.proofs or not feature.stimulus)
        yield [
            *([] if checked else ["no check"]),
            *([] if exercised else ["no list runs a test of it"]),
        ]
        tests = self.tests.items()
        bad = [name for name, one in tests if one and (one.failed or not one.passed)]
        unknown = [name for name, one in tests if not one]
        yield [
            *([f"not passed: {', '.join(bad)}"] if bad else []),
            *([f"no recorded run: {', '.join(unknown)}"] if unknown else []),
            *(["no recorded run of its tests"] if not feature.stimulus and not self.proved else []),
            *self._uncovered(V2_PERCENT),
        ]
        open_faults = [name for name, one in self.faults.items() if not (one and one.found)]
        unproved = [name for name in feature.proofs if name not in self.proved]
        yield [
            *([f"only a part of a list ran: {', '.join(self.partial)}"] if self.partial else []),
            *self._uncovered(100.0),
            *([f"not proved: {', '.join(unproved)}"] if unproved else []),
            *([f"not detected: {', '.join(open_faults)}"] if open_faults else []),
            *([] if self.faults or feature.proofs else ["no fault and no proof"]),
        ]

    def _uncovered(self, percent: float) -> list[str]:
        if not self.feature.coverage:
            return []
        if self.coverage is None:
            return ["no recorded coverage"]
        score = self.coverage
        enough = 100.0 * score.hit >= percent * score.total
        return [] if enough else [f"coverage {score.hit} of {score.total} bins"]


def states(
    plan: Testplan,
    tree: Tree,
    faults: Mapping[str, Detection],
    runs: Sequence[RecordedRun],
) -> list[State]:
    """Return the state of each feature, in the order of the plan."""
    broken, whole = faults_of(plan, tree), [run for run in runs if run.whole]
    return [
        State(
            area=area,
            feature=feature,
            lists=tuple(sorted({
                name for test in feature.stimulus for name in tree.lists.get(test, ())
            })),
            tests={test: jobs_of(test, runs) for test in feature.stimulus},
            partial=tuple(test for test in feature.stimulus if not jobs_of(test, whole)),
            coverage=_coverage(feature, tree, runs),
            proved=tuple(name for name in feature.proofs if name in tree.proved),
            faults={
                name: faults.get(name) for name, ids in broken.items() if feature.id in ids
            },
        )
        for area, feature in plan.features
    ]  # fmt: skip


def _coverage(feature: Feature, tree: Tree, runs: Sequence[RecordedRun]) -> Score | None:
    names = dict.fromkeys(
        name for pattern in feature.coverage for name in matching(pattern, tree.groups)
    )
    scores = [score for name in names if (score := coverage_of(name, runs))]
    return added(scores) if scores else None
