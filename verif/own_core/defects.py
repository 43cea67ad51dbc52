"""Planted defects of the example cores, as real cores had them."""

from __future__ import annotations

from pathlib import Path

from regress.core.formats.files import read_yaml
from regress.core.formats.model import Format, Text
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Change
from verif.own_core.core import Core

CORES = Path(__file__).parent / "cores"
DEFECTS_FILE = "defects.yaml"
FACTS_FILE = "core.yaml"


class Defect(Format):
    """Something that a core gets wrong."""

    name: Text
    """Of the defect."""
    says: Text
    """What is wrong, in words."""
    changes: tuple[Change, ...]
    """What is done to the core."""
    width: int
    """A width at which it shows."""
    found: tuple[Text, ...]
    """Classes or claims of which each must be broken."""


class Defects(Format):
    """The defects of one core."""

    defects: tuple[Defect, ...]
    """All of them."""


def example_cores() -> list[Core]:
    """The cores of this project that stand for those from outside."""
    return [Core.read(path) for path in sorted(CORES.glob(f"*/{FACTS_FILE}"))]


def defects_of(core: Core) -> tuple[Defect, ...]:
    """What can be planted in an example core."""
    return read_yaml(core.folder / DEFECTS_FILE, Defects, "the file of defects").value.defects


def planted(core: Core, defect: Defect, folder: Path) -> Core:
    """A copy of a core with a defect.

    Args:
        core: an example.
        defect: of it.
        folder: to put the copy into; must not exist.
    """
    altered_copy(core.folder, folder, defect.changes)
    return Core.read(folder / core.path.name)
