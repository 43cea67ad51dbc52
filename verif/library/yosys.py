"""Calls of the Yosys tools in the pinned packages."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from verif.bench.configuration.design import ROOT

# Folder with the commands of the pinned packages.
BIN = Path(sys.executable).parent


def yosys_cache() -> dict[str, str]:
    """Return the variable for the cache of compiled WebAssembly: the user's cache, if possible."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home())
    return {} if os.access(home, os.W_OK) else {"YOWASP_CACHE_DIR": str(ROOT / "build" / "yowasp")}
