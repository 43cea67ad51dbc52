"""Creates the folders of runs, and finds the folder of a job."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.plan import PLAN_FILE
from regress.core.runfile import JOBS_FOLDER, RUN_FILE

LATEST = "latest"


def find_job(name: str, runs: Path) -> Path:
    """Find the folder of a job by its path, by a path inside it, or by its id in the latest run.

    Raises:
        UsageError: no such job exists.
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


def new_folder(name: str, out: Path | None, runs: Path) -> Path:
    """Create the folder of a run: the folder ``out``, or a new one below ``runs``.

    Raises:
        UsageError: the folder already holds a run, or cannot be created.
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
        point_latest_at(folder, runs)
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
        point_latest_at(folder, runs)
        return folder
    raise UsageError(f"{runs}: too many runs named {stamp}")


def point_latest_at(folder: Path, runs: Path) -> None:
    """Let the link ``latest`` in the folder of runs name a run, wherever the run is."""
    link = runs.absolute() / LATEST
    if link.exists() and not link.is_symlink():  # the user's own folder
        return
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        temporary = link.with_name(f".{LATEST}-{os.getpid()}")
        below = folder.is_relative_to(link.parent)
        temporary.symlink_to(folder.relative_to(link.parent) if below else folder)
        temporary.replace(link)
    except OSError:  # a convenience: no reason to stop a run
        return
