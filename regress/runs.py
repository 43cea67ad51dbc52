"""The folder that holds the runs: finds a job in it, removes old runs from it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from regress.archive import PLAN_FILE
from regress.errors import UsageError
from regress.run import JOBS_FOLDER

SECONDS_PER_DAY = 86400.0


def find_job(name: str, runs: Path) -> Path:
    """The folder of a job, given by its path, by a path inside it, or by its id in the latest run.

    Raises:
        UsageError: there is no such job.
    """
    latest = runs / "latest" / JOBS_FOLDER / name
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
