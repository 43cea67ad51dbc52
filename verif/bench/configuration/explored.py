"""Configurations explored in advance: the derived classes of a design, and examples of each.

The classes of a design are found by drawing configurations; ``EXPLORED`` configurations show nearly
all classes. A fixed seed draws them, so that they are the same in every run. The result is cached
until the design changes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from models.registry import architecture
from verif.bench.configuration.derived import derived_classes
from verif.bench.configuration.design import DESIGNS, EXPONENTIATION, MULTIPLIER, Design
from verif.bench.configuration.drawn import any_configuration
from verif.bench.configuration.kept import kept
from verif.bench.configuration.legal import Configuration, is_legal

SEED = "explored"
EXPLORED = 24
# Small widths for exponentiations, because wider ones take seconds each.
WIDTHS = {MULTIPLIER.name: range(4, 65), EXPONENTIATION.name: range(4, 33)}


@dataclass(frozen=True)
class Example:
    """A configuration and its derived classes."""

    configuration: Configuration
    classes: frozenset[str]


@cache  # a list draws a configuration for several of its entries
def classes_of(design: Design, configuration: Configuration) -> frozenset[str]:
    """Return the derived classes of a configuration."""
    found = kept(
        f"classes of {design.name} {configuration}",
        lambda: sorted(_derived(design, configuration)),
    )
    return frozenset(found)


def _derived(design: Design, configuration: Configuration) -> frozenset[str]:
    entry, values = architecture(configuration.architecture), dict(configuration.parameters)
    return derived_classes(design, entry, configuration.width, values)


@lru_cache
def examples(design: str, name: str) -> tuple[Example, ...]:
    """Return the explored configurations of an architecture.

    Args:
        design: name of the top.
        name: registry name.
    """
    stored = kept(
        f"examples of {design} {name}",
        lambda: [_stored(example) for example in _explored(DESIGNS[design], name)],
    )
    return tuple(
        Example(
            Configuration(name, width, tuple((key, value) for key, value in parameters)),
            frozenset(classes),
        )
        for width, parameters, classes in stored
    )


def goal(design: Design, name: str) -> list[str]:
    """Return every derived class of an architecture, sorted."""
    return sorted(frozenset[str]().union(*(e.classes for e in examples(design.name, name))))


def missing_examples(
    design: Design, name: str, drawn: Iterable[Configuration], widths: Sequence[int]
) -> list[Configuration]:
    """Return examples of the classes that no drawn configuration covers; a greedy choice picks few.

    Args:
        design: the top.
        name: registry name.
        drawn: configurations that will be run.
        widths: accepted operand widths of an example.
    """
    seen = frozenset[str]().union(*(classes_of(design, each) for each in drawn))
    left = [e for e in examples(design.name, name) if e.configuration.width in widths]
    found: list[Configuration] = []
    while left:
        best = max(left, key=lambda example: len(example.classes - seen))
        if not best.classes - seen:
            break
        seen |= best.classes
        found.append(best.configuration)
    return found


def _explored(design: Design, name: str) -> list[Example]:
    entry, rng = architecture(name), random.Random(f"{SEED}/{design.name}/{name}")
    widths = [width for width in WIDTHS[design.name] if is_legal(design, entry, width, {})]
    drawn = dict.fromkeys(any_configuration(design, entry, widths, rng) for _ in range(EXPLORED))
    return [Example(each, _derived(design, each)) for each in drawn]


def _stored(example: Example) -> tuple[int, Sequence[tuple[str, int]], list[str]]:
    configuration = example.configuration
    return configuration.width, configuration.parameters, sorted(example.classes)
