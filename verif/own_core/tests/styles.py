"""Correct cores in styles of foreign code: each computes X·Y mod M, most significant bit first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from verif.own_core.description import CoreDescription

# A description that says no more than it must.
PRODUCT = CoreDescription(name="mine", sources=("core.sv",), shim="core", computes="product")
STYLES = Path(__file__).resolve().parent.parent / "cores" / "styles"
CLAIMS = {
    "latency": "n + 1",
    "constant_time": True,
    "reset": True,
    "start_while_busy": "ignored",
    "operands": "sampled",
}
# What differs from the rest: cycles, a file in front of the shim, macros.
MORE: dict[str, dict[str, Any]] = {
    "packages": {
        "sources": ["packages_pkg.sv", "packages.sv"],
        "defines": {"STEP_BITS": "1", "PACKAGES_RESET": "1'b0"},
    },
    "vhdl": {"widths": {"minimum": 8, "maximum": 8}},
    "early_end": {"claims": {**CLAIMS, "latency": {"minimum": "1", "maximum": "n + 1"},
                             "constant_time": False}},
    "random_time": {"claims": {**CLAIMS, "latency": {"minimum": "n + 1", "maximum": "n + 2"},
                               "constant_time": False}},
    "rare_time": {"claims": {**CLAIMS, "latency": {"minimum": "n + 1", "maximum": "n + 2"},
                             "constant_time": False}},
    # The phase of the divided clock decides one cycle.
    "divided_clock": {"claims": {**CLAIMS, "latency": {"minimum": "2*n", "maximum": "2*n + 6"},
                                 "constant_time": False}},
}  # fmt: skip
NAMES = tuple(sorted(path.stem for path in STYLES.glob("*.*v") if "_pkg" not in path.stem))


def style_file(name: str, folder: Path, **changes: Any) -> Path:
    """A core description of a style.

    Args:
        name: one of :data:`NAMES`.
        folder: to write it into.
        changes: keys that replace others.
    """
    more = {**MORE.get(name, {}), **changes}
    sources = more.pop("sources", None) or [next(STYLES.glob(f"{name}.*v")).name]
    description = {
        "name": f"style_{name}",
        "sources": [str(STYLES / source) for source in sources],
        "shim": f"{name}_shim",
        "computes": "product",
        "modulus": {"parity": "any", "minimum": 1},
        "claims": CLAIMS,
        **more,
    }
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(description))
    return path
