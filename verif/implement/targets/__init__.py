"""The targets, found by looking: each is a class in a file of its own in this folder."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

from regress.core.errors import UsageError, not_accepted
from verif.implement.targets.base import Target


@cache
def targets() -> dict[str, Target]:
    """Every target by name."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        for _, kind in inspect.getmembers(loaded, inspect.isclass):
            own = kind.__module__ == loaded.__name__
            if own and issubclass(kind, Target) and "name" in vars(kind):
                found[kind.name] = kind()
    return dict(sorted(found.items()))


def target(name: str) -> Target:
    """The target of that name.

    Raises:
        UsageError: no target has this name.
    """
    try:
        return targets()[name]
    except KeyError:
        raise UsageError(not_accepted("target", name, targets())) from None
