"""The folder that holds the runs: makes one in it, finds a job, removes old ones."""

from __future__ import annotations

import os
import shutil
import time
from datetime import datetime
from pathlib import Path

from regress.archive import PLAN_FILE
from regress.errors import UsageError
from regress.runfile import JOBS_FOLDER, RUN_FILE

SECONDS_PER_DAY = 86400.0
LATEST = "latest"


def find_job(name: str, runs: Path) -> Path:
    """The folder of a job, given by its path, by a path inside it, or by its id in the latest run.

    Raises:
        UsageError: there is no such job.
    """
    latest = runs / LATEST / JOBS_FOLDER / name
    for candidate in (Path(name).absolute(), latest):
        for folder in (candidate, *candidate.parents):
            if folder.parent.name == JOBS_FOLDER and (folder.parent.parent / PLAN_FILE).is_file():
                if folder.is_dir():
                    return folder.resolve()
                break
    raise UsageError(
        f"unknown job {name!r}; accepted: the folder of a job (RUN/{JOBS_FOLDER}/ID), "
        f"or the id of a job in {runs / 'latest'}"
    )


def prune(runs: Path, keep: int, days: float, now: float | None = None) -> tuple[list[Path], int]:
    """Remove runs that are neither among the newest nor young.

    Args:
        runs: holds the folders of the runs.
        keep: newest runs to keep, however old.
        days: younger runs are kept, however many.
        now: seconds since the epoch; default the time.

    Returns:
        (the removed folders, number of those kept).
    """
    limit = (time.time() if now is None else now) - days * SECONDS_PER_DAY
    found = sorted(
        (path for path in runs.glob(f"*/*{PLAN_FILE}") if not path.parent.is_symlink()),
        key=lambda path: path.stat().st_mtime,
        reverse=True,
    )
    old = [path.parent for path in found[keep:] if path.stat().st_mtime < limit]
    for folder in old:
        shutil.rmtree(folder)
    return old, len(found) - len(old)


def new_folder(name: str, out: Path | None, runs: Path) -> Path:
    """Make the folder of a run: the one that is named, or a new one below ``runs``.

    Raises:
        UsageError: it holds a run already, or cannot be made.
    """
    if out is not None:
        folder = out.absolute()
        for file in (RUN_FILE, PLAN_FILE):
            if (folder / file).exists():
                raise UsageError(
                    f"{out} holds a run already ({file}); choose another --out, "
                    f"or finish it with --resume {out}"
                )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--out {out}: {error.strerror}") from None
        return folder
    stamp = f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
    for suffix in ("", *(f"-{number}" for number in range(2, 100))):
        folder = runs / f"{stamp}{suffix}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror}") from None
        _point_latest_at(folder)
        return folder
    raise UsageError(f"{runs}: too many runs named {stamp}")


def _point_latest_at(folder: Path) -> None:
    link = folder.parent / LATEST
    if link.exists() and not link.is_symlink():  # somebody's own folder
        return
    temporary = folder.parent / f".{LATEST}-{os.getpid()}"
    temporary.symlink_to(folder.name)
    temporary.replace(link)
