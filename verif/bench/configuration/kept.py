"""Results that depend on the design alone: computed once, and kept until the design changes.

A new Python or pyslang, which reads the RTL, counts as a change.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from filelock import FileLock

from verif.bench.configuration.design import ROOT

FOLDER = ROOT / "build" / "explored"
# Files that the results depend on.
SOURCES = (("hdl", "*.sv"), ("models", "*.py"), ("verif/bench/configuration", "*.py"))


def kept(key: str, compute: Callable[[], Any]) -> Any:
    """Return the result of a former call with the same key and the same design, or compute it.

    Args:
        key: everything besides the design that the result depends on.
        compute: returns the result, in values of JSON (lists, no tuples).
    """
    path = FOLDER / _content() / f"{hashlib.sha256(key.encode()).hexdigest()[:20]}.json"
    if path.is_file():
        return json.loads(path.read_text())
    path.parent.mkdir(parents=True, exist_ok=True)
    # Another process that computes the same result is waited for.
    with FileLock(path.with_suffix(".lock")):
        if path.is_file():
            return json.loads(path.read_text())
        result = compute()
        # Written atomically, because readers take no lock.
        scratch = path.with_suffix(".new")
        scratch.write_text(json.dumps(result))
        scratch.replace(path)
    return result


@lru_cache
def _content() -> str:
    """Return a hash of all files and tools that determine the results."""
    found = hashlib.sha256(f"{sys.version} {version('pyslang')}".encode())
    for folder, pattern in SOURCES:
        for path in sorted((ROOT / folder).rglob(pattern)):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]
