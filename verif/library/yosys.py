"""Yosys, from the pinned package ``pyosys``: how to call it, its version and its data."""

from __future__ import annotations

import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "pyosys"
# Folder with the commands of the pinned packages.
BIN = Path(sys.executable).parent
CHILD = Path(__file__).with_name("yosys_child.py")
# A process of its own for each call, because Yosys ends its process when a pass fails.
YOSYS = (sys.executable, "-I", str(CHILD))


def yosys_version() -> str:
    """Return the version of Yosys."""
    return metadata.version(PACKAGE)


def yosys_share() -> Path:
    """Return the folder of Yosys' cell libraries and their models."""
    found = find_spec(PACKAGE)
    assert found and found.origin, f"{PACKAGE} is not installed: make setup"
    return Path(found.origin).parent / "share"
