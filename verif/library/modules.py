"""Reads properties of a SystemVerilog module from its text."""

from __future__ import annotations

import re
from pathlib import Path

PARAMETER = re.compile(r"^ *parameter (?:int|bit|logic)(?: *\[[^\]]*\])? +(\w+)", re.MULTILINE)


def declared_parameters(path: Path) -> list[str]:
    """Return the names of the integer parameters of the module in a file."""
    return PARAMETER.findall(path.read_text(encoding="utf-8"))
