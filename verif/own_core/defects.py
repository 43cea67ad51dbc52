"""Faults that can be injected into the example cores; real cores had the same bugs."""

from __future__ import annotations

from pathlib import Path

from regress.core.formats.files import read_yaml
from regress.core.formats.model import Format, Text
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Change
from verif.own_core.core import Core

CORES = Path(__file__).parent / "cores"
DEFECTS_FILE = "defects.yaml"
DESCRIPTION_FILE = "core.yaml"


class Defect(Format):
    """A fault of a core."""

    name: Text
    """Name of the fault."""
    says: Text
    """The fault in words."""
    changes: tuple[Change, ...]
    """Changes of the core."""
    width: int
    """A width at which the check detects the fault."""
    found: tuple[Text, ...]
    """Classes or claims; each one must be broken."""


class Defects(Format):
    """The faults of one core."""

    defects: tuple[Defect, ...]
    """All of them."""


def example_cores() -> list[Core]:
    """Return the example cores of this project, which stand for the user's cores."""
    return [Core.read(path) for path in sorted(CORES.glob(f"*/{DESCRIPTION_FILE}"))]


def defects_of(core: Core) -> tuple[Defect, ...]:
    """Return the faults that can be injected into an example core."""
    return read_yaml(core.folder / DEFECTS_FILE, Defects, "the file of defects").value.defects


def planted(core: Core, defect: Defect, folder: Path) -> Core:
    """Create a copy of a core with a fault.

    Args:
        core: an example core.
        defect: fault of this core.
        folder: folder for the copy; it must not exist.
    """
    altered_copy(core.folder, folder, defect.changes)
    return Core.read(folder / core.path.name)
