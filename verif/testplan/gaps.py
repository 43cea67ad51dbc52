"""Gaps of the plan: items without a feature, and features that name missing items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase

from verif.bench.configuration.design import ROOT
from verif.testplan.format import GROUP, MODULE, TEST_FILE, Feature, Testplan
from verif.testplan.tree import Tree

Names = Callable[[Feature], Iterable[str]]


def matching(pattern: str, names: Iterable[str]) -> list[str]:
    """Return the names that match a pattern."""
    return [name for name in names if fnmatchcase(name, pattern)]


def faults_of(plan: Testplan, tree: Tree) -> dict[str, tuple[str, ...]]:
    """Return the features that each fault breaks, by fault; empty if none selects it.

    ``module:NAME`` selects the faults in a module that neither a name nor a topic selects.
    """
    known = tree.fault_names
    named: dict[str, list[str]] = {fault: [] for fault in known}
    by_module: dict[str, list[str]] = {fault: [] for fault in known}
    for _, feature in plan.features:
        for selector in feature.faults:
            into = by_module if selector.startswith(MODULE) else named
            for fault in selected(selector, tree):
                into[fault].append(feature.id)
    return {fault: tuple(dict.fromkeys(named[fault] or by_module[fault])) for fault in known}


def selected(selector: str, tree: Tree) -> list[str]:
    """Return the faults that a selector of a feature names."""
    if selector.startswith(GROUP):
        group = tree.faults.get(selector.removeprefix(GROUP))
        return [fault.name for fault in group.faults] if group else []
    if selector.startswith(MODULE):
        pattern = selector.removeprefix(MODULE)
        return [
            name for name, fault in tree.fault_names.items() if matching(pattern, fault.modules)
        ]
    return matching(selector, tree.fault_names)


def gaps(plan: Testplan, tree: Tree) -> list[str]:
    """Return one line for each gap of the plan; empty if it has none."""
    return [
        *_features(plan),
        *_unknown(plan, tree),
        *_unproved(plan, tree),
        *_without_feature(plan, tree),
        *_statements(plan, tree),
    ]


def _features(plan: Testplan) -> Iterator[str]:
    for _, feature in plan.features:
        if not feature.checks and not feature.proofs:
            yield f"feature {feature.id}: no check and no proof"


def _unknown(plan: Testplan, tree: Tree) -> Iterator[str]:
    kinds: dict[str, tuple[Names, Callable[[str], bool]]] = {
        "test": (lambda f: f.stimulus, tree.lists.__contains__),
        "check": (lambda f: f.checks, lambda name: _is_check(name, plan, tree)),
        "coverage group": (lambda f: f.coverage, lambda name: bool(matching(name, tree.groups))),
        "fault": (lambda f: f.faults, lambda name: bool(selected(name, tree))),
        "part of the interface": (lambda f: f.covers, tree.interface.__contains__),
    }
    for _, feature in plan.features:
        for kind, (names, known) in kinds.items():
            for name in names(feature):
                if not known(name):
                    yield f"feature {feature.id}: no {kind} {name!r} exists"


def _is_check(name: str, plan: Testplan, tree: Tree) -> bool:
    if name.startswith(TEST_FILE):
        return (ROOT / name.removeprefix(TEST_FILE)).is_file()
    return name in plan.checks or name in tree.rules


def _unproved(plan: Testplan, tree: Tree) -> Iterator[str]:
    for _, feature in plan.features:
        for name in feature.proofs:
            if name not in tree.proofs:
                yield f"feature {feature.id}: claims the proof {name!r}, which does not exist"
            elif name not in tree.proved:
                yield f"feature {feature.id}: claims {name!r}, which no recorded run has proved"


def _without_feature(plan: Testplan, tree: Tree) -> Iterator[str]:
    features = [feature for _, feature in plan.features]
    kinds: dict[str, tuple[Iterable[str], Names]] = {
        "check": ((*plan.checks, *tree.rules), lambda f: f.checks),
        "proof": (tree.proofs, lambda f: f.proofs),
        "coverage group": (tree.groups, lambda f: f.coverage),
        "part of the interface": (tree.interface, lambda f: f.covers),
    }
    for kind, (known, names) in kinds.items():
        used = {name for feature in features for name in names(feature)}
        for name in known:
            if not any(fnmatchcase(name, pattern) for pattern in used):
                yield f"{kind} {name}: no feature needs it"
    for fault, broken in faults_of(plan, tree).items():
        if not broken:
            yield f"fault {fault}: breaks no feature"


def _statements(plan: Testplan, tree: Tree) -> Iterator[str]:
    quotes = [quote for _, feature in plan.features for quote in feature.quotes]
    for page, text in tree.statements:
        if not any(quote in text for quote in quotes):
            yield f"{page}: no feature covers the statement {text[:80]!r}"
    for quote in quotes:
        if not any(quote in text for _, text in tree.statements):
            yield f"quote {quote!r}: no page of the interface has it"
