"""How the project calls the Yosys tools of the pinned packages."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from verif.bench.configuration.design import ROOT

# Where the pinned packages' commands are.
BIN = Path(sys.executable).parent


def yosys_cache() -> dict[str, str]:
    """Where the compiled WebAssembly is kept: the user's cache folder, if there can be one."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home())
    return {} if os.access(home, os.W_OK) else {"YOWASP_CACHE_DIR": str(ROOT / "build" / "yowasp")}
