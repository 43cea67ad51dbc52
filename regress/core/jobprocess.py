"""Start of a process that runs one job without a simulator."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from regress.core.jobfile import JOB_FILE, Job
from regress.core.processes import end_with_parent


def begin_job(program: str, argv: Sequence[str] | None = None) -> tuple[Path, Path, Job]:
    """Return the folder of the job, the folder of its build, and the job.

    The process ends with the manager that started it.

    Args:
        program: module of the process.
        argv: arguments; None: those of the process.
    """
    end_with_parent()
    parser = argparse.ArgumentParser(prog=f"python -m {program}")
    parser.add_argument("folder", type=Path, help=f"folder with {JOB_FILE}")
    parser.add_argument("--build", type=Path, required=True, help="folder of the job's build")
    arguments = parser.parse_args(argv)
    folder = arguments.folder.resolve()
    return folder, arguments.build.resolve(), Job.read(folder / JOB_FILE)
