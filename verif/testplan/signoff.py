"""The sign-off page of a release: figures of the records, limits, errata and changes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from regress.core.errors import UsageError
from regress.core.formats.files import read_yaml
from regress.core.formats.model import Format
from regress.core.runfile import Score
from regress.coverage.code import KINDS, TOGGLE, CodeCoverage, Point
from regress.coverage.exclusions import Exclusions
from verif.bench.configuration.design import ROOT
from verif.library.errata import CURRENT, HEADINGS, Erratum, errata_table
from verif.library.marked import marked_table
from verif.testplan.detection import Detection
from verif.testplan.effect import MUTANTS_PAGE
from verif.testplan.page import NOTHING, runs_table, share, table
from verif.testplan.recorded import RecordedRun, added
from verif.testplan.stages import STAGES, State
from verif.testplan.tree import FORMAL_PAGE, Tree

RELEASE = Path(__file__).with_name("release.yaml")
UPSETS = Path("verif/security/upsets.json")
NO_REASON = "No reason is recorded."


class Limit(Format):
    """A known limit of the design or of its verification.

    Attributes:
        feature: the feature that has the limit.
        says: the limit.
    """

    feature: str
    says: str = Field(min_length=1)


class Release(Format):
    """The part of the sign-off page that people write.

    Attributes:
        version: version of the project.
        changes: what is new, one sentence each.
        limits: known limits.
    """

    version: str
    changes: tuple[str, ...]
    limits: tuple[Limit, ...]


def read_release(states: Sequence[State], path: Path = RELEASE) -> Release:
    """Read the hand-written part.

    Raises:
        UsageError: it is malformed, its version is not the project's, or it names a feature
            that does not exist.
    """
    document = read_yaml(path, Release, "release")
    release: Release = document.value
    if release.version != CURRENT:
        document.complain(("version",), f"{release.version} is not the version {CURRENT}")
    known = {state.feature.id for state in states}
    for number, limit in enumerate(release.limits):
        if limit.feature not in known:
            document.complain(("limits", number), f"no feature {limit.feature!r} exists")
    document.stop_if_any()
    return release


def toggle_holes(code: CodeCoverage, exclusions: Exclusions) -> dict[str, int]:
    """Return the number of toggle points that were not hit, by the reason of their exclusion."""
    why: dict[Point, str] = {}
    for _, entry, _, points in exclusions.toggles.points(code):
        why.update((point, entry.why) for point in points if not code.hits[point])
    holes = [point for point, hits in code.hits.items() if point.kind == TOGGLE and not hits]
    return dict(Counter(why.get(point, NO_REASON) for point in holes))


def signoff_page(
    release: Release,
    errata: Sequence[Erratum],
    found: Sequence[State],
    tree: Tree,
    faults: Mapping[str, Detection],
    runs: Sequence[RecordedRun],
) -> str:
    """Return the generated part of the sign-off page."""
    lines = [
        f"Version {release.version}.",
        "",
        "### Runs",
        "",
        *runs_table(runs),
        "",
        "### Figures",
        "",
        *table(("Figure", "Value", "Source"), _figures(found, tree, faults, runs)),
        "",
        "### Toggle points that were not hit",
        "",
        *table(("Reason", "Points"), _toggles(runs), "Points"),
        "",
        "### Known limits",
        "",
        *(f"- `{limit.feature}`: {limit.says}" for limit in release.limits),
        *(f"- `{one.feature.id}`: stage {one.stage}, {one.missing[1]}." for one in _low(found)),
        "",
        "### Errata",
        "",
        "`hdl/errata.yaml` has them; [which concern a configuration](../../hdl/docs/errata.md).",
        "",
        *(table(HEADINGS, errata_table(errata)) if errata else ["None."]),
        "",
        f"### Changes in {release.version}",
        "",
        *(f"- {change}" for change in release.changes),
        "",
    ]
    return "\n".join(lines)


def _low(found: Sequence[State]) -> list[State]:
    """Return the features below stage V2."""
    return [one for one in found if one.stage in STAGES[:2]]


def _figures(
    found: Sequence[State],
    tree: Tree,
    faults: Mapping[str, Detection],
    runs: Sequence[RecordedRun],
) -> Iterator[list[str]]:
    stages = ", ".join(f"{stage} {sum(s.stage == stage for s in found)}" for stage in STAGES)
    plan = "[plan](testplan.md)"
    yield ["features by stage", stages, plan]
    for run in runs:
        covered = added(run.coverage.values())
        if covered.total:
            yield [f"functional coverage, list {run.name}", share(covered) + " required bins", plan]
        for kind in KINDS:
            if (score := run.code.get(kind)) and score.total:
                yield [f"{kind} coverage, list {run.name}", _percent(score), plan]
    proved = [name for name in tree.proofs if name in tree.proved]
    kinds = "properties, theorems, all products at 8 bits"
    count = f"{len(proved)} of {len(tree.proofs)} recorded: {kinds}"
    yield ["proofs", count, "[proofs](formal.md)"]
    yield ["last run of the proofs", _last_line(FORMAL_PAGE, "proofs"), "[proofs](formal.md)"]
    known = tree.fault_names
    detected = sum(name in faults and faults[name].found for name in known)
    without = [f"`{name}`" for name in known if name not in faults]
    text = f"{detected} of {len(known)} detected"
    text += f"; no verdict: {', '.join(without)}" if without else ""
    yield ["faults", text, "[faults](faults_results.md)"]
    yield ["mutants", _mutants(), "[mutants](mutation_results.md)"]
    for name, counts in json.loads((ROOT / UPSETS).read_text(encoding="utf-8")).items():
        text = ", ".join(f"{key.replace('_', ' ')} {count:,}" for key, count in counts.items())
        yield [f"upsets, `{name}`", text, "[security](security.md)"]


def _percent(score: Score) -> str:
    return f"{share(score)} points, {score.percent or 0:.1f} %"


def _last_line(page: Path, name: str) -> str:
    return marked_table(ROOT / page, f"<!-- table: {name} -->").strip().splitlines()[-1]


def _mutants() -> str:
    text = marked_table(ROOT / MUTANTS_PAGE, "<!-- table: mutation -->")
    found = re.search(r"\d+ mutants: [^;]*; score [\d.]+ %", text)
    if not found:
        raise UsageError(f"{MUTANTS_PAGE}: no summary of the mutants")
    return found[0]


def _toggles(runs: Sequence[RecordedRun]) -> list[list[str]]:
    count: dict[str, int] = {}
    for run in runs:
        for reason, points in run.toggle_holes.items():
            count[reason] = count.get(reason, 0) + points
    rows = [[reason, str(points)] for reason, points in sorted(count.items(), key=lambda i: -i[1])]
    return rows or [[NOTHING, ""]]
