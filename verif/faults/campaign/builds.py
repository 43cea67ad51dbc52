"""Check whether a build contains a change: few builds have a given parameter or generate block."""

from __future__ import annotations

import re
from pathlib import Path

from regress.core.jobfile import Job
from regress.core.plan import BuildPoint
from regress.core.processes import ProcessGroups
from regress.core.project import Project
from regress.run.build import Builder
from regress.simulators import find_simulators
from regress.simulators.icarus import Icarus

# Differences between two builds of the same design: addresses of the compiler's objects, and paths.
ADDRESS, PATH = re.compile(r"0x[0-9a-f]+"), re.compile(r'"/[^"\n]*"')
SIMULATION, FILES = "sim.vvp", ":file_names"
FOLDER = "untouched"


def makes_a_difference(project: Project, job: Job, top: str, build: Path) -> bool:
    """Return True if the build of a changed design differs from that of the original design.

    Icarus Verilog writes the elaborated design as text, which this function compares. Builds of
    another simulator cannot be compared and count as different. The build of the original design is
    made once, next to this one.

    Args:
        project: project of the design.
        job: job to run on the build.
        top: top of the two designs.
        build: folder with the simulation.
    """
    if job.simulator != Icarus.name:
        return True
    found, _ = find_simulators([job.simulator])
    folder = build.parent / FOLDER
    builder = Builder(project, folder, folder / "logs", found, ProcessGroups(), 1)
    plain = builder.build(
        BuildPoint(job.point, job.simulator, top, unnamed=project.default_top)
    ).folder
    return plain is None or _elaborated(build) != _elaborated(plain)


def _elaborated(build: Path) -> str:
    """Return Icarus Verilog's elaborated text; objects are numbered by their first occurrence."""
    text, _, _ = (build / SIMULATION).read_text().rpartition(FILES)
    numbers: dict[str, int] = {}
    numbered = ADDRESS.sub(lambda found: str(numbers.setdefault(found[0], len(numbers))), text)
    return PATH.sub("", numbered)
