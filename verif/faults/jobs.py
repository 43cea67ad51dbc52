"""Jobs of a list that may detect a fault, their order, and a hash of what their verdict uses."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from regress.core.context import Context
from regress.core.expansion import Selection, expand
from regress.core.formats.model import as_json
from regress.core.lists import find_list, load_list
from regress.core.plan import PlannedJob
from regress.simulators.icarus import Icarus
from verif.bench.configuration.design import ROOT
from verif.faults.catalogue import Fault
from verif.faults.mutants.design import Elaborated
from verif.library.edits.syntax import Source, parse

HDL = ROOT / "hdl"
# The tests of the bus detect faults in these modules first.
BUS_MODULES = frozenset({"operand_loader", "multiplier", "exponentiation"})
BUS_TEST = re.compile(r"bus|bad_input|stress|zeroise")
# Directed tests of the exponentiation with a fixed number of operations: the longest jobs.
LONG_TEST = re.compile(r"exp_(bad_input|bus|constant_time|throughput)")
WORD = re.compile(r"\w+")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\(\*(?!\)).*?\*\)", re.DOTALL)


def jobs_for(context: Context, fault: Fault, name: str) -> list[PlannedJob]:
    """Return the list's jobs that may detect a fault, the likeliest first.

    These are all jobs on the fault's architecture whose build has a changed module. For each entry
    of the list and each width without such a job, one job on another architecture is added, or one
    per configuration if the configurations are drawn. One job of every test comes before the second
    job of any test, because a test that missed the fault once rarely detects it later.

    Raises:
        UsageError: the list does not exist.
    """
    elaborated, names = _elaborated()
    changed = [n for n in names if Path(n).stem in fault.modules]
    useful = [p for p in plan(context, name) if any(elaborated.has(n, p.point) for n in changed)]
    near_the_bus = fault.hides in ("host", "pins") or bool(fault.modules & BUS_MODULES)

    def cost(planned: PlannedJob) -> tuple[bool, bool, bool, bool, bool, int, int, int]:
        point = planned.point
        return (
            point.simulator != Icarus.name,  # a build takes seconds
            bool(LONG_TEST.match(planned.job.test)),
            near_the_bus and not BUS_TEST.search(planned.job.test),
            point.top != "multiplier",
            point.point["architecture"] != fault.on,
            point.point["width"],
            planned.job.operations,
            planned.index,
        )

    useful.sort(key=cost)
    mine = [planned for planned in useful if planned.point.point["architecture"] == fault.on]
    list_entries = {(planned.entry, planned.point.point["width"]) for planned in mine}
    others = {}
    for planned in reversed(useful):
        point = planned.point
        key = planned.entry, point.name if planned.job.drawn else point.point["width"]
        if key not in list_entries and planned not in mine:
            others[key] = planned
    useful = sorted([*mine, *others.values()], key=cost)
    turn: dict[str, int] = {}
    tests: Counter[tuple[str, str]] = Counter()
    for planned in useful:
        test = planned.job.test, planned.point.simulator
        turn[planned.id] = tests[test]
        tests[test] += 1
    # Expensive jobs, and tests other than bus tests if bus tests are preferred, still come last.
    return sorted(useful, key=lambda p: (*cost(p)[:3], turn[p.id], *cost(p)[3:]))


def content(fault: Fault, jobs: Sequence[PlannedJob], *, whole: bool) -> str:
    """Return a hash that changes with the fault, with the jobs' settings and with the design.

    Of the packages it covers the items that these design files and the fault name, directly or
    through another item. It ignores comments, attributes and layout. It also ignores the bench; a
    trial records the commit of the bench.

    Args:
        fault: fault to detect.
        jobs: jobs whose settings count.
        whole: True to cover all design files in the jobs' builds, False to cover only the files of
            the modules with the fault.
    """
    elaborated, sources = _elaborated()
    what = [as_json(change) for change in (*fault.changes, *fault.python)]
    mine = frozenset(n for n, s in sources.items() if fault.modules & set(s.modules))
    asked = [
        {
            "job": {**as_json(planned.job), "launch": None},
            "design": {name: _texts()[name] for name in sorted(files)},
            "packages": reached(items(), _names(files) | set(WORD.findall(str(what)))),
        }
        for planned in jobs
        for files in [elaborated.files(planned.point) if whole else mine]
    ]
    text = json.dumps([what, asked], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Item:
    """One item of a package.

    Attributes:
        declares: names that no earlier item contains, because a package is read from its start.
        uses: the other names in the item.
        text: text without comments and layout.
    """

    declares: frozenset[str]
    uses: frozenset[str]
    text: str


def reached(known: Sequence[Item], names: Collection[str]) -> list[str]:
    """Return the texts of the items that declare ``names`` or that such items use."""
    wanted, found = set(names), []
    for item in reversed(known):
        if item.declares & wanted:
            wanted |= item.uses
            found.append(item.text)
    return found


@lru_cache
def items() -> tuple[Item, ...]:
    """Return the items of the design's packages."""
    found, seen = [], set[str]()
    for source in _elaborated()[1].values():
        for listed in source.root.find("kPackageItemList"):
            for node in listed.children:
                names = {source.of(n) for n in node.find("SymbolIdentifier")}
                text = _bare(source.of(node))
                found.append(Item(frozenset(names - seen), frozenset(names & seen), text))
                seen |= names
    return tuple(found)


@lru_cache
def _names(files: frozenset[str]) -> frozenset[str]:
    sources = _elaborated()[1]
    return frozenset(name for file in files for name in sources[file].identifiers)


@lru_cache
def plan(context: Context, name: str) -> tuple[PlannedJob, ...]:
    """Return all jobs of a list.

    Raises:
        UsageError: the list does not exist.
    """
    return tuple(expand(context, load_list(context, find_list(context.project, name)), Selection()))


@lru_cache
def _elaborated() -> tuple[Elaborated, dict[str, Source]]:
    """Return the elaboration data and the parsed sources of the unchanged design.

    A fault changes what modules do, not which modules are in a build.
    """
    sources = parse(HDL)
    return Elaborated(sources), sources


@lru_cache
def _texts() -> dict[str, str]:
    """Return a hash of each design file, without comments, attributes and layout."""
    _, sources = _elaborated()
    return {name: _hash(_bare(source.text.decode())) for name, source in sources.items()}


def _bare(text: str) -> str:
    return " ".join(COMMENT.sub(" ", text).split())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
