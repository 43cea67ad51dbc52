"""Order of the whole suite."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

# Long tests begin first, so that no worker of pytest-xdist is left alone with them at the end.
LONG = ("slow", "simulation")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run modules with long tests first; a module stays whole, because its tests share fixtures."""
    items[:] = longest_first(items)


def longest_first(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests, ordered by the longest mark in their module."""
    rank: dict[str, int] = {}
    for item in items:
        marks = [LONG.index(mark.name) for mark in item.iter_markers() if mark.name in LONG]
        module = item.nodeid.partition("::")[0]
        rank[module] = min(rank.get(module, len(LONG)), *marks, len(LONG))
    return sorted(items, key=lambda item: rank[item.nodeid.partition("::")[0]])
