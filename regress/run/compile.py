"""Child process: compiles one simulation with cocotb's runner.

``python -m regress.run.compile SPEC`` reads a file written by :meth:`CompileSpec.write`. The runner
takes its settings from the environment of the whole process. Therefore each build needs a process
of its own.
"""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import field
from pathlib import Path
from typing import Any

from regress.core.formats.files import Stored
from regress.core.formats.model import described
from regress.core.processes import end_with_parent
from regress.core.project import TIMESCALE
from regress.simulators import simulator_class
from regress.simulators.cocotb_runner import runner

# File in the folder of a finished build that lists everything the build was made from.
MANIFEST = "build.json"


@described()
class CompileSpec(Stored):
    """Input of a compilation; all paths are absolute.

    Attributes:
        processes: C++ compilers to run at once.
        waves: the simulation can write waves when a job asks for them.
        cwd: working directory of the compiler; empty for ``folder``.
    """

    what = "what to compile"

    simulator: str
    folder: str
    sources: list[str]
    toplevel: str
    defines: dict[str, str]
    parameters: dict[str, int | str]
    arguments: list[str]
    processes: int
    waves: bool
    cwd: str = ""
    includes: list[str] = field(default_factory=list)
    timescale: list[str] = field(default_factory=lambda: list(TIMESCALE))


def manifest(build: Path) -> dict[str, Any]:
    """Return what the build in a folder was made from; empty if unknown."""
    try:
        return json.loads((build / MANIFEST).read_text())
    except (OSError, ValueError):
        return {}


def main(path: Path) -> int:
    """Compile; return the exit code."""
    end_with_parent()
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    spec = CompileSpec.read(path)
    runner.MAX_PARALLEL_BUILD_JOBS = spec.processes
    try:
        simulator_class(spec.simulator).cocotb_runner().build(
            sources=spec.sources,
            hdl_toplevel=spec.toplevel,
            defines=spec.defines,
            parameters=spec.parameters,
            build_args=spec.arguments,
            build_dir=spec.folder,
            timescale=tuple(spec.timescale),
            waves=spec.waves,
            includes=spec.includes,
            cwd=spec.cwd or spec.folder,
        )
    except RuntimeError as error:  # the compiler failed and has printed the reason
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
