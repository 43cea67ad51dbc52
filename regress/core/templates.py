"""Compiled templates, kept for the next process."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined


def template_environment(
    package: str, autoescape: bool | Callable[[str | None], bool]
) -> Environment:
    """Return the templates of a package; an undefined name is an error."""
    return Environment(
        loader=PackageLoader(package, "templates"),
        bytecode_cache=template_cache(),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def template_cache() -> FileSystemBytecodeCache | None:
    """Return the cache of the user's compiled templates; None if its folder cannot be made.

    Compiling the templates of a report takes half a second, longer than many runs simulate.
    """
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(base) / "cocotb-regress" / "templates"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None
