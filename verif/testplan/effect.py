"""Which check detects which faults: by check, and by module of the design."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regress.core.project import Table
from verif.bench.agent.interface_rules import RULES
from verif.bench.configuration.design import ROOT
from verif.library.marked import marked_table
from verif.testplan.detection import NO_CHECK, PINS, Detection, check_of
from verif.testplan.format import Testplan
from verif.testplan.page import NOTHING, table
from verif.testplan.recorded import RecordedRun
from verif.testplan.tree import Tree

MUTANTS_PAGE = Path("verif/docs/mutation_results.md")
# A file of the table of mutants: mutants, killed, equivalent, ..., and the tests that killed them.
MUTANTS = re.compile(
    r"\| (?:\S*/)?(?P<module>\w+)\.sv \| (?P<all>\d+) \| (?P<killed>\d+) \|.*\| (?P<by>[^|]*) \|"
)
CHECK_HEADINGS = ("Check", "What it compares", "First", "Sampled", "Alone", "Modules")
MODULE_HEADINGS = (
    "Module", "Faults", "Detected", "First check", "Sampled", "Checks that failed", "Mutants",
    "Killed", "Killed by",
)  # fmt: skip


@dataclass(frozen=True)
class Effect:
    """Faults that a check detected.

    Attributes:
        first: faults that the check reported first.
        sampled: faults that it reported first or later, of those whose record has every failure.
        alone: those of them that no other check of the same job reported.
        modules: modules that the faults of `first` and `sampled` change.
    """

    first: tuple[str, ...] = ()
    sampled: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def effects(plan: Testplan, tree: Tree, faults: Mapping[str, Detection]) -> dict[str, Effect]:
    """Return the effect of each check, in the order of the plan; rules of the pins come last."""
    first: dict[str, list[str]] = {name: [] for name in (*plan.checks, *tree.rules)}
    sampled: dict[str, list[str]] = {}
    alone: dict[str, list[str]] = {}
    for name, one in _found(tree, faults).items():
        first.setdefault(check_of(one.message, plan.checks) or NO_CHECK, []).append(name)
        checks = one.checks(plan.checks)
        for check in checks:
            sampled.setdefault(check, []).append(name)
            if len(checks) == 1:
                alone.setdefault(check, []).append(name)
    return {
        check: Effect(
            first=tuple(first.get(check, ())),
            sampled=tuple(sampled.get(check, ())),
            alone=tuple(alone.get(check, ())),
            modules=_modules(tree, (*first.get(check, ()), *sampled.get(check, ()))),
        )
        for check in dict.fromkeys((*first, *sampled))
    }


def _found(tree: Tree, faults: Mapping[str, Detection]) -> dict[str, Detection]:
    """Return the detected faults that the catalogue still has."""
    return {name: one for name, one in faults.items() if one.found and name in tree.fault_names}


def _modules(tree: Tree, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({module for name in names for module in tree.fault_names[name].modules}))


def effect_page(plan: Testplan, tree: Tree, faults: Mapping[str, Detection]) -> str:
    """Return the generated part of the page of checks."""
    found = effects(plan, tree, faults)
    idle = [f"`{name}`" for name, one in found.items() if not one.first and not one.sampled]
    shared = [f"`{name}`" for name, one in found.items() if one.sampled and not one.alone]
    detected = _found(tree, faults)
    sample = sum(bool(one.checks(plan.checks)) for one in detected.values())
    lines = [
        f"Sample: the record has every failure of the job for {sample} of {len(detected)} "
        "detected faults.",
        "",
        "### Checks",
        "",
        *table(CHECK_HEADINGS, _check_rows(plan, found), "First,Sampled,Alone"),
        "",
        f"Reported no recorded fault: {', '.join(idle) or 'none'}.",
        "",
        "Reported faults of the sample, each of them together with another check: "
        f"{', '.join(shared) or 'none'}.",
        "",
        "### Modules",
        "",
        *table(
            MODULE_HEADINGS, _module_rows(plan, tree, faults),
            "Faults,Detected,Sampled,Mutants,Killed",
        ),
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def says_of(plan: Testplan) -> dict[str, str]:
    """Return what each check and each rule of the pins compares."""
    rules = {PINS + rule.name: f"{rule.pin or 'all pins'}: {rule.wants}" for rule in RULES}
    return {**{name: check.says for name, check in plan.checks.items()}, **rules}


def _check_rows(plan: Testplan, found: Mapping[str, Effect]) -> Iterator[list[str]]:
    says = says_of(plan)
    for name, one in sorted(found.items(), key=lambda pair: -len(pair[1].first)):
        modules = ", ".join(f"`{module}`" for module in one.modules)
        yield [
            f"`{name}`", says.get(name, ""), str(len(one.first)), str(len(one.sampled)),
            str(len(one.alone)), modules or NOTHING,
        ]  # fmt: skip


def _module_rows(
    plan: Testplan, tree: Tree, faults: Mapping[str, Detection]
) -> Iterator[list[str]]:
    killed = _mutants()
    for module in sorted(path.stem for path in (ROOT / "hdl").rglob("*.sv")):
        names = [name for name, fault in tree.fault_names.items() if module in fault.modules]
        ends = [faults[name] for name in names if name in faults and faults[name].found]
        first = Counter(check_of(one.message, plan.checks) or NO_CHECK for one in ends)
        sample = [checks for one in ends if (checks := one.checks(plan.checks))]
        every = Counter(check for checks in sample for check in checks)
        mutants = killed.get(module, ("", "", ""))
        if names or mutants[0]:
            yield [
                f"`{module}`", str(len(names)), str(len(ends)), _counted(first), str(len(sample)),
                _counted(every), *mutants,
            ]  # fmt: skip


def _counted(count: Counter[str]) -> str:
    return ", ".join(f"`{name}` {number}" for name, number in count.most_common()) or NOTHING


def _mutants() -> dict[str, tuple[str, str, str]]:
    """Return number of mutants, killed mutants and the tests that killed them, by module."""
    lines = marked_table(ROOT / MUTANTS_PAGE, "<!-- table: mutation -->").splitlines()
    found = (MUTANTS.match(line) for line in lines)
    return {one["module"]: (one["all"], one["killed"], one["by"]) for one in found if one}


def effect_section(
    plan: Testplan, tree: Tree, faults: Mapping[str, Detection], run: RecordedRun
) -> Table:
    """Return the checks with the failures of one run and with the recorded faults."""
    says, found = says_of(plan), effects(plan, tree, faults)
    order: Sequence[str] = sorted(
        found, key=lambda name: (-run.failures.get(name, 0), -len(found[name].first))
    )
    rows = [
        [
            name, says.get(name, ""), str(run.failures.get(name, 0) or "–"),
            str(len(found[name].first)), str(len(found[name].sampled)),
            str(len(found[name].alone)),
        ]
        for name in order
    ]  # fmt: skip
    headings = (
        "Check", "Compares", "Failed jobs", "Faults it reported first", "In the sample", "Alone",
    )  # fmt: skip
    return Table("Checks: failures of this run, and recorded faults", headings, rows)
