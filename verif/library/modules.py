"""What the text of a SystemVerilog module says about it."""

from __future__ import annotations

import re
from pathlib import Path

PARAMETER = re.compile(r"^ *parameter int (\w+)", re.MULTILINE)


def declared_parameters(path: Path) -> list[str]:
    """Names of the integer parameters of the module in a file."""
    return PARAMETER.findall(path.read_text(encoding="utf-8"))
