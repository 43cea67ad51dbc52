"""cocotb's runner, imported without pytest.

cocotb imports pytest for what runs in a simulation. The processes that only start a simulator or a
compiler have no use for it, and a run has hundreds of them: it is a quarter of their start.
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
