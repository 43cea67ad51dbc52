"""Finds and loads the project that ``pyproject.toml`` names."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from regress.core.errors import UsageError
from regress.core.project import PROJECT_FILE, Project

ROOT_VARIABLE = "REGRESS_ROOT"


def find_project() -> Project:
    """Load the project of the current folder, or of the folder in ``REGRESS_ROOT``.

    Each call loads the project anew: a process calls this once and passes the project on.

    Raises:
        UsageError: no project exists, or it cannot be loaded.
    """
    given = os.environ.get(ROOT_VARIABLE)
    return load_project(Path(given).resolve() if given else _root(Path.cwd()))


def load_project(root: Path) -> Project:
    """Load the project whose ``pyproject.toml`` is in ``root``.

    Raises:
        UsageError: the file names no project, or the project cannot be loaded.
    """
    path = root / PROJECT_FILE
    target = str(_settings(root).get("project", ""))
    module, _, name = target.partition(":")
    if not (module and name):
        raise UsageError(f'{path}: [tool.regress] project is {target!r}; accepted: "module:NAME"')
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        found = getattr(importlib.import_module(module), name)
        loaded = found(root) if isinstance(found, type) else found
    except UsageError as error:
        raise UsageError(*(f"{module}.py: {line}" for line in error.lines)) from None
    except Exception as error:  # a project's file can raise any exception
        place = place_in(root, error)
        if place:
            raise UsageError(f"{place}: {type(error).__name__}: {_text(error)}") from None
        raise UsageError(f"{path}: project {target!r} cannot be loaded: {error}") from None
    if not isinstance(loaded, Project):
        raise UsageError(f"{path}: {target} is not a regress.core.project.Project")
    return loaded


def place_in(root: Path, error: BaseException) -> str:
    """Return file and line of the deepest frame of an error below a folder; empty if none is."""
    if isinstance(error, SyntaxError) and error.filename:
        file = Path(error.filename)
        return f"{file.relative_to(root)}:{error.lineno}" if file.is_relative_to(root) else ""
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(root) and not _installed(Path(frame.filename), root)
    ]
    return f"{Path(own[-1].filename).relative_to(root)}:{own[-1].lineno}" if own else ""


def _installed(file: Path, root: Path) -> bool:
    return "site-packages" in file.relative_to(root).parts or file == Path(__file__)


def _text(error: Exception) -> str:
    """Return an error's message without the place that a syntax error repeats."""
    return str(error.msg if isinstance(error, SyntaxError) else error) or "no message"


def _root(folder: Path) -> Path:
    for candidate in (folder, *folder.parents):
        if "project" in _settings(candidate):
            return candidate
    raise UsageError(
        f"{folder}: no project; accepted: a folder below one whose {PROJECT_FILE} has "
        f'[tool.regress] project = "module:NAME" (python -m regress init makes one)'
    )


def _settings(folder: Path) -> dict[str, Any]:
    path = folder / PROJECT_FILE
    try:
        with path.open("rb") as file:
            return tomllib.load(file).get("tool", {}).get("regress", {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
