"""cocotb's runner, imported without pytest.

cocotb imports pytest for code that runs in a simulation. A process that only starts a simulator or
a compiler does not need pytest. A run has hundreds of such processes, and pytest would take a
quarter of their start-up time.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


def _imported() -> ModuleType:
    if "pytest" in sys.modules:
        return importlib.import_module("cocotb_tools.runner")
    sys.modules["pytest"] = ModuleType("pytest")
    try:
        return importlib.import_module("cocotb_tools.runner")
    finally:
        del sys.modules["pytest"]


runner: Any = _imported()
