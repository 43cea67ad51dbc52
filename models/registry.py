"""Find the registry entries: every :class:`Architecture` in ``models/architectures``."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

import models.architectures
from models.architecture import Architecture


@cache
def architectures() -> dict[str, Architecture]:
    """Return all registry entries by name, sorted, including model-only entries."""
    found: dict[str, Architecture] = {}
    for module_info in pkgutil.iter_modules(models.architectures.__path__):
        module = importlib.import_module(f"models.architectures.{module_info.name}")
        for _, entry in inspect.getmembers(module, inspect.isclass):
            if entry.__module__ == module.__name__ and issubclass(entry, Architecture):
                found[entry.name] = entry()
    return dict(sorted(found.items()))


def hardware_architectures() -> dict[str, Architecture]:
    """Return the entries that have a SystemVerilog module."""
    return {name: entry for name, entry in architectures().items() if entry.module}


def architecture(name: str) -> Architecture:
    """Return the entry called ``name``.

    Raises:
        KeyError: the name is unknown; the message lists the accepted names.
    """
    try:
        return architectures()[name]
    except KeyError:
        known = ", ".join(architectures())
        raise KeyError(f"unknown architecture {name!r}; accepted: {known}") from None
