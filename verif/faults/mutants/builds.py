"""Whether a build has a change of the design: one of a parameter or a generate block is in few."""

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

# What two builds of the same design differ in: addresses of what the compiler made, and paths.
ADDRESS, PATH = re.compile(r"0x[0-9a-f]+"), re.compile(r'"/[^"\n]*"')
SIMULATION, FILES = "sim.vvp", ":file_names"
FOLDER = "untouched"


def makes_a_difference(project: Project, job: Job, top: str, build: Path) -> bool:
    """Whether a simulation of a changed design is another than that of the design as it is.

    Icarus Verilog writes what it elaborated as a text, which is compared; of another simulator's
    builds nothing is known, and they count as different. The other build is made once, beside this.

    Args:
        project: whose design it is.
        job: that is to be run on it.
        top: of the two designs.
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
    """What Icarus Verilog made of a design, every object with the number of its first mention."""
    text, _, _ = (build / SIMULATION).read_text().rpartition(FILES)
    numbers: dict[str, int] = {}
    numbered = ADDRESS.sub(lambda found: str(numbers.setdefault(found[0], len(numbers))), text)
    return PATH.sub("", numbered)
