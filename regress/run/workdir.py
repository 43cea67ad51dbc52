"""The working directory of a simulation: the project's files, without writing into the project.

The simulation starts in a copy of its folder, inside the job's folder. Beside it stand links to
everything that a relative path such as ``../data/rom.hex`` can name. Small files are copied: a test
that writes them does not change the project.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

WORK_FOLDER = "work"
# Larger files, and those above the second limit, are links: a copy for each job would need too much
# time and space.
MOST_COPIED_BYTES = 1_000_000
MOST_COPIED_BYTES_OF_JOB = 10_000_000
# Folders of generated or foreign files: links, because they can be large.
LINKED_FOLDERS = frozenset({"__pycache__", "sim_build", "runs", "build", "node_modules", "venv"})
# Tests import them from the project: a link leads there, so that messages name the project's file.
LINKED_SUFFIX = ".py"


def make_work_folder(root: Path, folder: str, files: Iterable[str], job: Path) -> Path:
    """Return the new working directory of a job.

    Only the folder that holds the job itself is left out.

    Args:
        root: folder of the project.
        folder: working directory, relative to ``root``.
        files: more files and folders to copy, relative to ``root``.
        job: folder of the job.

    Raises:
        OSError: a file cannot be read or written.
    """
    root, copy = root.resolve(), job / WORK_FOLDER
    steps = Path(folder).parts
    project = _Copy(job)
    for number, inner in enumerate(steps):
        project.bring_around(root.joinpath(*steps[:number]), copy.joinpath(*steps[:number]), inner)
    work = copy.joinpath(*steps)
    project.bring_folder(root.joinpath(*steps), work)
    for name in files:
        source, target = root / name, work / Path(name).name
        if source.is_dir():
            if target.is_symlink():
                target.unlink()
            shutil.copytree(source, target, dirs_exist_ok=True, copy_function=_replace)
        elif not target.exists():
            shutil.copy(source, target)
    return work


class _Copy:
    """The copy of a project for one job."""

    def __init__(self, job: Path) -> None:
        self._job = job
        self._left = MOST_COPIED_BYTES_OF_JOB

    def bring_around(self, place: Path, target: Path, inner: str) -> None:
        """Bring a folder without its folder ``inner``; its other folders become links."""
        target.mkdir(parents=True, exist_ok=True)
        for path in self._members(place):
            if path.name != inner:
                self._bring(path, target / path.name)

    def bring_folder(self, place: Path, target: Path) -> None:
        """Bring a folder and, as folders of the copy, those below."""
        target.mkdir(parents=True, exist_ok=True)
        for path in self._members(place):
            if path.is_dir() and not _is_linked(path):
                self.bring_folder(path, target / path.name)
            else:
                self._bring(path, target / path.name)

    def _members(self, place: Path) -> list[Path]:
        return sorted(path for path in place.iterdir() if not self._job.is_relative_to(path))

    def _bring(self, path: Path, target: Path) -> None:
        copied = path.is_file() and path.suffix != LINKED_SUFFIX and os.access(path, os.R_OK)
        size = path.stat().st_size if copied else 0
        if copied and size <= min(MOST_COPIED_BYTES, self._left):
            shutil.copy(path, target)
            self._left -= size
        else:
            target.symlink_to(path)


def _is_linked(folder: Path) -> bool:
    """Return whether a folder in the working directory becomes a link."""
    return (
        folder.name.startswith(".")
        or folder.name in LINKED_FOLDERS
        or folder.is_symlink()
        or (folder / "pyvenv.cfg").exists()
        or not os.access(folder, os.R_OK | os.X_OK)
    )


def _replace(source: str, target: str) -> None:
    """Copy a file over another one, or over a link, which must not lead the copy elsewhere."""
    Path(target).unlink(missing_ok=True)
    shutil.copy(source, target)
