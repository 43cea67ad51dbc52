"""The working directory of a simulation: the project's files, without writing into the project.

The simulation starts in a copy of its folder, inside the job's folder. Beside it stand links to
everything that a relative path such as ``../data/rom.hex`` can name. Small files are copied: a test
that writes them does not change the project.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

WORK_FOLDER = "work"
# Larger files are links, because each job would need time and space for a copy.
MOST_COPIED_BYTES = 1_000_000
# Files of earlier simulations, and files that no simulation reads.
LEFT_OUT_FOLDERS = frozenset({"__pycache__", "sim_build", "runs", "build", "node_modules", "venv"})
LEFT_OUT_FILES = frozenset({"results.xml", "regress_project.py"})
LEFT_OUT_SUFFIXES = frozenset({".py", ".pyc", ".vcd", ".fst", ".ghw", ".vvp", ".log"})


def make_work_folder(root: Path, folder: str, files: Iterable[str], job: Path) -> Path:
    """Return the new working directory of a job.

    Python files are left out: tests import them from the project, so that messages name them there.

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
    for number in range(len(steps) + 1):
        place, target = root.joinpath(*steps[:number]), copy.joinpath(*steps[:number])
        target.mkdir(parents=True, exist_ok=True)
        inner = steps[number] if number < len(steps) else ""
        for path in place.iterdir():
            if path.name != inner and not _left_out(path, job):
                _bring(path, target / path.name)
    work = copy.joinpath(*steps)
    for name in files:
        source, target = root / name, work / Path(name).name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif not target.exists():
            shutil.copy(source, target)
    return work


def _bring(path: Path, target: Path) -> None:
    if path.is_file() and path.stat().st_size <= MOST_COPIED_BYTES:
        shutil.copy(path, target)
    else:
        target.symlink_to(path)


def _left_out(path: Path, job: Path) -> bool:
    if path.name.startswith(".") or job.is_relative_to(path):
        return True
    if path.is_dir():
        return path.name in LEFT_OUT_FOLDERS or (path / "pyvenv.cfg").exists()
    return path.name in LEFT_OUT_FILES or path.suffix in LEFT_OUT_SUFFIXES
