"""Coq and the fast check as tools of the run manager: a build is a copy of the design's sources.

``python -m verif.formal.theorems.tools SPEC`` is the process of such a build. A job reads no other
file of the design, so it may run on another machine.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import ClassVar

from typing_extensions import Self

from regress.core.processes import end_with_parent
from regress.run.compile import CompileSpec
from regress.simulators import Simulator
from verif.formal.theorems.coq import INSTALL, coq_version
from verif.library.yosys import yosys_version

# Folder in a build that has the design.
HDL = "hdl"


class TruthTables(Simulator):
    """The fast check: each register against the machine of the theorem, by truth table."""

    name: ClassVar[str] = "truth_tables"
    title: ClassVar[str] = "truth tables"
    programs: ClassVar[tuple[str, ...]] = ()
    runner: ClassVar[str] = ""
    executable: ClassVar[str] = HDL
    install: ClassVar[str] = "make setup"
    compiler: ClassVar[str] = "verif.formal.theorems.tools"

    @classmethod
    def find(cls) -> Self:
        """Return the tool, which needs Yosys of the pinned packages alone."""
        return cls(f"pyosys {yosys_version()}", "package", waves=False)


class CoqTool(TruthTables):
    """Coq's kernel, with Yices for the lemmas of the unit. Without Coq its jobs are skipped."""

    name: ClassVar[str] = "coq"
    title: ClassVar[str] = "Coq"
    install: ClassVar[str] = "apt-get install coq"

    @classmethod
    def find(cls) -> Self:
        """See :class:`Simulator`."""
        version = coq_version()
        if not version:
            raise cls.missing(INSTALL.partition(";")[0].partition(":")[0])
        return cls(version, str(shutil.which("coqc")), waves=False)


def proof_tools() -> dict[str, type[Simulator]]:
    """Return both tools by name."""
    return {kind.name: kind for kind in (CoqTool, TruthTables)}


def main(path: Path) -> int:
    """Copy the sources of a build; return the exit code."""
    end_with_parent()
    spec = CompileSpec.read(path)
    folder = Path(spec.folder) / HDL
    folder.mkdir()
    for source in spec.sources:
        shutil.copy(source, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
