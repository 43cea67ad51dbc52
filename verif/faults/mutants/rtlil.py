"""Yosys netlists of modules of the design, for comparison."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.registry import architecture
from regress.core.errors import UsageError
from regress.core.plan import BuildPoint
from verif.bench.configuration.design import DESIGNS, simulation_build
from verif.library.yosys import YOSYS

PRUNE = "opt_expr; opt_clean"
PLACE = re.compile(r'(?m)^\s*attribute \\(src|hdlname) "[^"]*"\n')


@dataclass(frozen=True)
class Top:
    """A configuration of a design.

    Attributes:
        module: name of the top module.
        name: name of the configuration.
        defines: macros.
        parameters: parameters of the module.
    """

    module: str
    name: str
    defines: tuple[tuple[str, str], ...]
    parameters: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, point: BuildPoint, hdl: Path) -> Top:
        """Return the top of a configuration."""
        design, at = DESIGNS[point.top], point.point
        entry = architecture(at["architecture"])
        build = simulation_build(design, entry, at["width"], at["parameters"], hdl)
        text = next(hdl.rglob(f"{design.top}.sv")).read_text()
        known = re.findall(r"(?m)^\s*parameter\b[^=]*?\b(\w+) *=", text)
        parameters = {name: v for name, v in build.parameters.items() if name in known}
        return cls(
            design.top,
            point.name,
            tuple(sorted(build.defines.items())),
            tuple(sorted(parameters.items())),
        )

    @property
    def text(self) -> str:
        """Name and parameters, for messages."""
        values = ", ".join(f"{name} {value}" for name, value in self.parameters)
        return f"{self.name} ({values})"


def without_places(path: Path) -> str:
    """Return a netlist's text without the attributes for source locations."""
    return PLACE.sub("", path.read_text())


def write_rtlil(top: Top, hdl: Path, path: Path) -> None:
    """Write a flattened module as RTLIL.

    Raises:
        UsageError: Yosys cannot read it.
    """
    options = [f"-D {name}={value.replace(' ', '')}" for name, value in top.defines]
    options += [f"-G {name}={value}" for name, value in top.parameters]
    # The WebAssembly build does not see absolute paths everywhere.
    with tempfile.TemporaryDirectory(prefix="hdl-", dir=path.parent) as folder:
        shutil.copytree(hdl, folder, dirs_exist_ok=True)
        files = [file.relative_to(path.parent) for file in Path(folder).rglob("*.sv")]
        files.sort(key=lambda file: (not file.name.endswith("_pkg.sv"), file))
        yosys(
            [
                f"read_slang --single-unit --threads 1 {' '.join(options)} --top {top.module} "
                f"{' '.join(map(str, files))}",
                f"hierarchy -check -top {top.module}",
                "proc",
                "flatten",
                "bwmuxmap",
                PRUNE,
                f"write_rtlil {path.name}",
            ],
            path.parent,
        )


def yosys(commands: Sequence[str], folder: Path, timeout: float = 300.0) -> str:
    """Run a Yosys script in a folder; return its output.

    Raises:
        UsageError: Yosys is missing or fails.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".ys", dir=folder) as script:
        script.write("\n".join(commands) + "\n")
        script.flush()
        try:
            done = subprocess.run(
                [*YOSYS, Path(script.name).name], cwd=folder,
                capture_output=True, text=True, check=False, timeout=timeout,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"Yosys: {error}") from None
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
        errors = [line for line in lines if "ERROR" in line or "error:" in line] or lines[-1:]
        raise UsageError(f"Yosys: {errors[0]}")
    return done.stdout
